#!/usr/bin/env python3
"""What each choice of accrete's default is worth: the default against itself with one choice taken back.

    ./dev bench ablation DATA_DIR [--only NAME,...] [--seeds 0] [--jobs N] [--store build/ablation.jsonl] [--report]

Folds and measures are those of `./dev bench accuracy`, on the half of the data sets that choices are made on. A ratio
above 1 says that the default is better; ± is the standard error of the mean over data sets of the log ratio. The last
columns are each network's own: its first quarter of units over all of them.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import numpy as np

from common import head, machine, row
from support import store
from support.standings import CHOOSING

# name -> flags that take one choice back
VARIANTS = {
    "default": "",
    "nothing chosen": "--auto off",
    "length not chosen, 800 units": "--units 800",
    "no bins": "--bins 0",
    "always 8 bins": "--bins 8",
    "alpha 0.1": "--alpha 0.1",
    "alpha 1": "--alpha 1",
    "rate 0.3": "--learning-rate 0.3",
    "rate 0.2, the first steps as they are": "--learning-rate 0.2 --first-rate 0.4",
    "first steps like all others": "--first-rate 0",
    "first steps half as large again": "--first-rate 0.6",
    "all features in every step": "--feature-fraction 1",
    "4 units a step": "--units-per-step 4",
    "8 units a step": "--units-per-step 8",
}
MEASURES = {"error": "error", "log_loss": "log loss", "rmse": "RMSE", "fit_s": "fit time"}
QUARTERS = {"error": "error at a quarter", "rmse": "RMSE at a quarter"}


def run(name, flags, options):
    accuracy = pathlib.Path(__file__).with_name("accuracy.py")
    command = [sys.executable, "-W", "ignore", str(accuracy), options.data, "--entries", "accrete", "--label", name,
               "--store", options.store, "--seeds", options.seeds, "--jobs", str(options.jobs),
               "--only", options.only or ",".join(CHOOSING)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "ACCRETE_FLAGS": flags})


def means(lines, name, measure, part=None):
    """data set -> mean over its folds; half a row is added to errors, so that there is a ratio where one is 0.
    `part`: "quarter" for the network with the first quarter of its units."""
    found = {}
    for line in lines:
        if line["label"] == name and line["status"] == "ok" and measure in line:
            value = (line[part] if part else line)[measure]
            if measure == "error":
                value = (value * line["test_rows"] + .5) / (line["test_rows"] + 1)
            found.setdefault(line["data"], []).append(value)
    return {data: np.mean(values) for data, values in found.items()}


def ratio(lines, name, measure):
    return mean_ratio(means(lines, "default", measure), means(lines, name, measure))


def dial(lines, name, measure):
    """A quarter of the units against all of them, of the same network."""
    return mean_ratio(means(lines, name, measure), means(lines, name, measure, "quarter"))


def mean_ratio(mine, other):
    logs = [np.log(other[data] / mine[data]) for data in mine if data in other]
    if not logs:
        return ""
    spread = np.std(logs, ddof=1) / np.sqrt(len(logs)) if len(logs) > 1 else 0.0
    return f"{np.exp(np.mean(logs)):.3f} ± {np.exp(np.mean(logs)) * spread:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--only", default="", help="data sets by name, with commas between")
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--store", default="build/ablation.jsonl")
    parser.add_argument("--report", action="store_true", help="only print the table of what the store has")
    options = parser.parse_args()
    for name, flags in VARIANTS.items():
        if not options.report:
            run(name, flags, options)
    lines = list(store.read(options.store).values())
    data = sorted({line["data"] for line in lines})
    print(f"machine: {machine()}; {', '.join(data)}\n")
    head("taken back", "flags", *MEASURES.values(), *QUARTERS.values())
    for name, flags in VARIANTS.items():
        if any(line["label"] == name for line in lines):
            row(name, f"`{flags}`" if flags else "", *(ratio(lines, name, measure) for measure in MEASURES),
                *(dial(lines, name, measure) for measure in QUARTERS))


if __name__ == "__main__":
    main()
