#!/usr/bin/env python3
"""Training across MPI ranks: time against threads of one process, messages and bytes.

    ./dev bench ranks [--rows N] [--runs N]

Needs a build with -DACCRETE_MPI=ON. Fits the same CSV file of two classes and 20 features in one process of two threads
and on two ranks of one thread, and checks that the model files are equal before it times them. The goal is at most 10 %
more time of the fit, without reading.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile

from common import ACCRETE, hardware, head, median_and_spread, progress, row

SETTINGS = ["--auto", "off", "--units", "40", "--units-per-step", "4", "--max-iter", "20", "--json"]
MAX_SLOWER = 1.10


def train(prefix, data, model, threads):
    command = [*prefix, ACCRETE, "train", data, *SETTINGS, "--threads", str(threads), "-o", str(model)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        raise SystemExit("ranks: mpirun is not found")
    launcher = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-np"]
    print(f"{hardware()}; {options.rows} rows of ringnorm, 20 features\n")
    head("processes", "threads", "seconds", "spread", "messages", "bytes", "goal")
    with tempfile.TemporaryDirectory() as folder:
        data, models = str(pathlib.Path(folder) / "rows.csv"), {}
        subprocess.run([ACCRETE, "data", "make", "ringnorm", "-n", str(options.rows), "-o", data, "-q"], check=True)
        base = None
        for ranks, threads in ((1, 2), (2, 1)):
            progress(f"{ranks} ranks")
            model = pathlib.Path(folder) / f"{ranks}.safetensors"
            prefix = [] if ranks == 1 else [*launcher, str(ranks)]
            reports = [train(prefix, data, model, threads) for _ in range(options.runs)]
            models[ranks] = model.read_bytes()
            seconds, spread = median_and_spread([report["seconds"] for report in reports])
            base = base or seconds
            sent = reports[0].get("ranks", {})
            goal = "" if ranks == 1 else "met" if seconds <= MAX_SLOWER * base else "MISSED"
            messages, sizes = sent.get("messages", ""), sent.get("bytes", "")
            row(ranks, threads, f"{seconds:.2f}", f"{spread:.2f}", messages, sizes, goal)
    if models[1] != models[2]:
        raise SystemExit("ranks: the models differ")


if __name__ == "__main__":
    main()
