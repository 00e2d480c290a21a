"""Shared by the benchmarks: path of the command, hardware description, data files, markdown tables."""
import csv
import gzip
import os
import pathlib
import platform
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
BUILD = HERE / "build/release"
ACCRETE = os.environ.get("ACCRETE", str(BUILD / "accrete"))


def commit():
    """The short commit hash, with a + if the checkout has changes."""
    git = ["git", "-C", str(HERE)]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain", "-uno"], capture_output=True, text=True).stdout.strip()
    return (name or "unknown") + ("+" if changed else "")


def hardware():
    """Processor, cores and commit, for the line above a table."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        names = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores; commit {commit()}"


def head(*titles):
    """Prints the header of a markdown table."""
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles), flush=True)


def row(*cells):
    """Prints one row of a markdown table, unbuffered."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def progress(text):
    print(text, file=sys.stderr, flush=True)


def median_and_spread(values):
    """The median and half the range."""
    return statistics.median(values), (max(values) - min(values)) / 2


def find_data(folder, name):
    """The path of a data set, gzipped or not, or None."""
    for ending in (".csv", ".csv.gz"):
        path = pathlib.Path(folder) / (name + ending)
        if path.exists():
            return str(path)
    return None


def make_data(name, rows, scratch):
    """Writes a generated data set as CSV and returns its path. tic-tac-toe has a fixed number of rows."""
    path = f"{scratch}/{name}-{rows}.csv"
    count = [] if name == "tic-tac-toe" else ["-n", str(rows)]
    subprocess.run([ACCRETE, "data", "make", name, "-o", path, "--quiet", *count], check=True)
    return path


def read_rows(path):
    """The header and the rows of a CSV file, as strings."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows
