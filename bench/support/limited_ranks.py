"""The part of bench/ranks.py with limited memory: a large table on ranks that may each use a few GiB."""
import json
import pathlib
import shutil
import subprocess
import sys

from common import ACCRETE, head, make_data, progress, row

RANKS = 4
SETTINGS = ["--auto", "off", "--units", "8", "--units-per-step", "4", "--max-iter", "5", "--threads", "1", "--json"]
CSV_BYTES = 230  # of a row, at most
PROCESS = pathlib.Path(__file__).with_name("limited_process.py")


def train(data, limit, folder):
    """The report of `accrete train` on ranks of limited memory, or None if it failed; and what each rank used."""
    command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np", RANKS, sys.executable, PROCESS, limit, folder]
    command += [ACCRETE, "train", data, *SETTINGS, "-o", f"{folder}/model.safetensors"]
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    used = [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob("[0-9].json"))]
    return json.loads(done.stdout) if done.returncode == 0 else None, used


def print_memory(rows, gibibytes, folder):
    """Prints the peaks of each rank, and the seconds of reading and fitting. Fails if the fit does."""
    free, needed = shutil.disk_usage(folder).free, rows * CSV_BYTES
    if free < needed:
        raise SystemExit(f"ranks: {folder} has {free / 1e9:.1f} GB free, {rows} rows need {needed / 1e9:.1f} GB")
    progress(f"making {rows} rows")
    data = make_data("ringnorm", rows, folder)
    progress(f"{RANKS} ranks of {gibibytes} GiB")
    report, used = train(data, int(gibibytes * 2**30), folder)
    print(f"\n{rows} rows of ringnorm on {RANKS} ranks of at most {gibibytes} GiB of data each; peaks in MiB\n")
    head("rank", "data", "resident, anonymous", "resident, with pages of files", "seconds", "result")
    for rank, use in enumerate(used):
        sizes = [f"{use[name] / 2**20:.0f}" for name in ("data", "anonymous", "resident")]
        row(rank, *sizes, f"{use['seconds']:.0f}", "" if use["status"] == 0 else f"exit status {use['status']}")
    if report is None:
        raise SystemExit("ranks: the fit failed")
    whole = max(use["seconds"] for use in used)
    print(f"\nreading: {whole - report['seconds']:.0f} s, with start and end; fitting: {report['seconds']:.0f} s")
