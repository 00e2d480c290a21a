"""The part of bench/ranks.py behind a network with delay: accrete and LightGBM on one rank per namespace."""
import itertools
import json
import pathlib
import statistics
import subprocess
import sys

import numpy

from common import ACCRETE, head, make_data, progress, row
from support.delayed_network import PORT, Network, run_all

RANKS = 2
UNITS, UNITS_PER_STEP = 40, 4
SETTINGS = ["--auto", "off", "--units-per-step", str(UNITS_PER_STEP), "--max-iter", "20", "--threads", "1", "--json"]
PORTS = itertools.count(PORT + 1)  # a port of a finished fit stays occupied for a minute
LIGHTGBM = pathlib.Path(__file__).with_name("lightgbm_rank.py")
TITLES = [
    *("rows", "delay, µs", "round trip, µs", "accrete, 1 rank, s", f"{RANKS} ranks, s", "efficiency"),
    *("messages of a step", "kB of a message", "LightGBM, 1 rank, s", f"{RANKS} ranks, s", "efficiency"),
]


class Rows:
    """A data set as CSV for accrete and as numbers for LightGBM."""

    def __init__(self, count, folder):
        self.count, self.folder = count, folder
        self.csv = make_data("ringnorm", count, folder)
        self.numbers = f"{folder}/{count}.npy"
        numpy.save(self.numbers, numpy.loadtxt(self.csv, delimiter=",", skiprows=1, dtype=numpy.float32))

    def remove(self):
        pathlib.Path(self.csv).unlink()
        pathlib.Path(self.numbers).unlink()


def fit(prefix, rows, units=UNITS):
    """The report of `accrete train`, and the bytes of its model."""
    model = pathlib.Path(rows.folder) / "model.safetensors"
    words = [ACCRETE, "train", rows.csv, *SETTINGS, "--units", str(units), "-o", str(model)]
    done = subprocess.run([*prefix, *words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"ranks: accrete train failed: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout), model.read_bytes()


def lightgbm_seconds(rows, network=None):
    """Seconds of LightGBM on the ranks of a network, or alone; of ranks, the slowest."""
    places = range(len(network.names)) if network else [0]
    port = next(PORTS)
    machines = ",".join(f"{address}:{port}" for address in network.addresses) if network else "alone"
    commands = [[sys.executable, "-W", "ignore", LIGHTGBM, rows.numbers, i, machines] for i in places]
    outputs = run_all([network.inside(i, *c) if network else c for i, c in zip(places, commands)])
    return max(float(output.split()[-1]) for output in outputs)  # LightGBM prints lines about its connections first


def step_messages(prefix, rows, report):
    """Messages of a step and kB of one of them, from the difference to a fit with half the units."""
    half = fit(prefix, rows, UNITS // 2)[0]["ranks"]
    messages, size = (report["ranks"][name] - half[name] for name in ("messages", "bytes"))
    return messages / (UNITS // 2 // UNITS_PER_STEP), size / messages / 1e3


def efficiency(alone, together):
    return f"{alone / (RANKS * together):.2f}"


def measure(rows, delays, runs):
    """Prints one line per delay."""
    progress(f"{rows.count} rows, 1 rank")
    single = [fit([], rows) for _ in range(runs)]
    alone = statistics.median(report["seconds"] for report, _ in single)
    trees_alone = statistics.median(lightgbm_seconds(rows) for _ in range(runs))
    for delay in delays:
        progress(f"{rows.count} rows, {RANKS} ranks, {delay} µs")
        with Network(RANKS, delay) as network:
            round_trip = network.round_trip()
            prefix = network.mpirun(rows.folder)
            fits = [fit(prefix, rows) for _ in range(runs)]
            messages, size = step_messages(prefix, rows, fits[0][0])
            trees = statistics.median(lightgbm_seconds(rows, network) for _ in range(runs))
        if fits[0][1] != single[0][1]:
            raise SystemExit("ranks: the models differ")
        seconds = statistics.median(report["seconds"] for report, _ in fits)
        cells = [f"{alone:.2f}", f"{seconds:.2f}", efficiency(alone, seconds), f"{messages:.0f}", f"{size:.1f}"]
        cells += [f"{trees_alone:.2f}", f"{trees:.2f}", efficiency(trees_alone, trees)]
        row(rows.count, delay, f"{round_trip:.0f}", *cells)


def print_delays(counts, delays, runs, folder):
    print(f"\n{RANKS} ranks of one thread in network namespaces; the delay is one way, the round trip is measured\n")
    head(*TITLES)
    for count in counts:
        rows = Rows(count, folder)
        measure(rows, delays, runs)
        rows.remove()
