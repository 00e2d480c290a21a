#!/usr/bin/env python3
"""Training across MPI ranks: time against threads of one process, behind a network with delay, with limited memory.

    ./dev bench ranks [--rows N] [--runs N] [--delays 0,50,500] [--delay-rows 20000,200000,1000000] [--memory]

Needs a build with -DACCRETE_MPI=ON. All parts fit two classes and 20 features.

- Threads: fits a CSV file in one process of two threads and on two ranks of one thread, and checks that the model files
  are equal before it compares the times. The goal is at most 10 % more time of the fit, without reading. --rows 0 skips
  this part.
- Delay: two ranks in network namespaces, with a delay of some microseconds each way; LightGBM's distributed training on
  the same rows beside it, 100 trees of 31 leaves. Efficiency is the time of one rank divided by that of all ranks and
  by their number. Needs root, and Open MPI as MPI. --delays none skips it.
- --memory: 4 ranks, each limited to --memory-limit GiB, read and fit a table of --memory-rows rows. The file of
  20,000,000 rows has 4.3 GB.
"""
import argparse
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from common import ACCRETE, hardware, head, make_data, median_and_spread, progress, row
from support.delayed_network import why_impossible
from support.delayed_ranks import print_delays
from support.limited_ranks import print_memory

SETTINGS = ["--auto", "off", "--units", "40", "--units-per-step", "4", "--max-iter", "20", "--json"]
LAUNCHER = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np"]
MAX_SLOWER = 1.10


def train(prefix, data, model, threads):
    command = [*prefix, ACCRETE, "train", data, *SETTINGS, "--threads", str(threads), "-o", str(model)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def print_threads(rows, runs, folder):
    print(f"{rows} rows\n")
    head("processes", "threads", "seconds", "spread", "messages", "bytes", "goal")
    data, models = make_data("ringnorm", rows, folder), {}
    base = None
    for ranks, threads in ((1, 2), (2, 1)):
        progress(f"{ranks} ranks")
        model = pathlib.Path(folder) / f"{ranks}.safetensors"
        prefix = [] if ranks == 1 else [*LAUNCHER, str(ranks)]
        reports = [train(prefix, data, model, threads) for _ in range(runs)]
        models[ranks] = model.read_bytes()
        seconds, spread = median_and_spread([report["seconds"] for report in reports])
        base = base or seconds
        sent = reports[0].get("ranks", {})
        goal = "" if ranks == 1 else "met" if seconds <= MAX_SLOWER * base else "MISSED"
        messages, sizes = sent.get("messages", ""), sent.get("bytes", "")
        row(ranks, threads, f"{seconds:.2f}", f"{spread:.2f}", messages, sizes, goal)
    pathlib.Path(data).unlink()
    if models[1] != models[2]:
        raise SystemExit("ranks: the models differ")


def numbers(text):
    return [] if text == "none" else [int(part) for part in text.split(",")]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--delays", type=numbers, default="0,50,500", help="microseconds each way")
    parser.add_argument("--delay-rows", type=numbers, default="20000,200000,1000000")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--memory-rows", type=int, default=20_000_000)
    parser.add_argument("--memory-limit", type=float, default=2.0, help="GiB of each rank")
    return parser.parse_args()


def main():
    options = read_options()
    if not shutil.which("mpirun"):
        raise SystemExit("ranks: mpirun is not found")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # removes namespaces and files, as Ctrl-C does
    print(f"{hardware()}; ringnorm, 20 features\n")
    with tempfile.TemporaryDirectory() as folder:
        if options.rows:
            print_threads(options.rows, options.runs, folder)
        if options.delays and why_impossible():
            print(f"\nnetwork with delay: skipped, {why_impossible()}")
        elif options.delays:
            print_delays(options.delay_rows, options.delays, options.runs, folder)
        if options.memory:
            print_memory(options.memory_rows, options.memory_limit, folder)


if __name__ == "__main__":
    main()
