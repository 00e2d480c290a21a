#!/usr/bin/env python3
"""What each choice of accrete's default is worth: the default against the default with one choice changed.

    ./dev bench ablation DATA_DIR [--only NAME,...] [--seeds 0] [--jobs N] [--store build/ablation.jsonl] [--report]

Folds and metrics are those of `./dev bench accuracy`, on the development half of the data sets. A ratio above 1 means
that the default is better; ± is the standard error over data sets of the mean log ratio. The last columns compare
each network's first quarter of units with all of them.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import numpy as np

from common import hardware, head, row
from support import store
from support.standings import DEVELOPMENT

# name -> flags that change one choice
VARIANTS = {
    "default": "",
    "no automatic choice": "--auto off",
    "fixed length, 800 units": "--units 800",
    "no bins": "--bins 0",
    "always 8 bins": "--bins 8",
    "alpha 0.1": "--alpha 0.1",
    "alpha 1": "--alpha 1",
    "rate 0.3": "--learning-rate 0.3",
    "rate 0.2, first steps unchanged": "--learning-rate 0.2 --first-rate 0.4",
    "no larger first steps": "--first-rate 0",
    "first steps 1.5 times as large": "--first-rate 0.6",
    "all features in every step": "--feature-fraction 1",
    "4 units per step": "--units-per-step 4",
    "8 units per step": "--units-per-step 8",
}
METRICS = {"error": "error", "log_loss": "log loss", "rmse": "RMSE", "fit_s": "fit time"}
QUARTERS = {"error": "error at a quarter", "rmse": "RMSE at a quarter"}


def run(name, flags, options):
    accuracy = pathlib.Path(__file__).with_name("accuracy.py")
    command = [sys.executable, "-W", "ignore", str(accuracy), options.data, "--entries", "accrete", "--label", name,
               "--store", options.store, "--seeds", options.seeds, "--jobs", str(options.jobs),
               "--only", options.only or ",".join(DEVELOPMENT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "ACCRETE_FLAGS": flags})


def means(records, name, metric, part=None):
    """data set -> mean over its folds. Errors count half a row more, so that ratios exist where an error is 0.
    `part`: "quarter" for the first quarter of the network's units."""
    values_of = {}
    for record in records:
        if record["label"] == name and record["status"] == "ok" and metric in record:
            value = (record[part] if part else record)[metric]
            if metric == "error":
                value = (value * record["test_rows"] + .5) / (record["test_rows"] + 1)
            values_of.setdefault(record["data"], []).append(value)
    return {data: np.mean(values) for data, values in values_of.items()}


def ratio(records, name, metric):
    return mean_ratio(means(records, "default", metric), means(records, name, metric))


def dial(records, name, metric):
    """The first quarter of the units against all of them, same network."""
    return mean_ratio(means(records, name, metric), means(records, name, metric, "quarter"))


def mean_ratio(base, other):
    logs = [np.log(other[data] / base[data]) for data in base if data in other]
    if not logs:
        return ""
    spread = np.std(logs, ddof=1) / np.sqrt(len(logs)) if len(logs) > 1 else 0.0
    return f"{np.exp(np.mean(logs)):.3f} ± {np.exp(np.mean(logs)) * spread:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--only", default="", help="names of data sets, comma-separated")
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--store", default="build/ablation.jsonl")
    parser.add_argument("--report", action="store_true", help="only print the table from the store")
    options = parser.parse_args()
    for name, flags in VARIANTS.items():
        if not options.report:
            run(name, flags, options)
    records = list(store.read(options.store).values())
    data = sorted({record["data"] for record in records})
    print(f"hardware: {hardware()}; {', '.join(data)}\n")
    head("change", "flags", *METRICS.values(), *QUARTERS.values())
    for name, flags in VARIANTS.items():
        if any(record["label"] == name for record in records):
            row(name, f"`{flags}`" if flags else "", *(ratio(records, name, metric) for metric in METRICS),
                *(dial(records, name, metric) for metric in QUARTERS))


if __name__ == "__main__":
    main()
