#!/usr/bin/env python3
"""Writes docs/measurements/authors-settings.md: cross-validated scores next to those of the authors' program.

    experiments/results.py DATA_DIR > docs/measurements/authors-settings.md

DATA_DIR holds the data sets as CSV files with the target in the last column, `target`. Needs only Python and
build/release/accrete, or the command in the environment variable ACCRETE.
"""
import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent
ACCRETE = os.environ.get("ACCRETE", str(HERE / "build/release/accrete"))
REPEATS = 5

# data, units per step, learning rate, subsample; authors' program: accuracy, its deviation over folds, training loss
PAPER = [
    ("tic-tac-toe", 3, 0.5, 1.0, 98.4, 1.4, 0.00130),
    ("sonar", 1, 0.1, 0.5, 79.9, 9.2, 0.05523),
    ("german", 1, 0.1, 0.5, 75.5, 2.6, 0.19339),
    ("banknote", 2, 0.5, 0.75, 100.0, 0.0, 0.00030),
    ("breast_cancer", 1, 0.1, 0.5, 97.2, 2.1, 0.00728),
    ("wine", 2, 0.1, 0.5, 98.3, 2.5, 0.00463),
]


def cross_validate(data, *flags):
    command = [ACCRETE, "cv", data, "--target", "target", "--folds", "10", "--json", "--quiet", *map(str, flags)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def repeat_means(result, value):
    """The mean over the folds of each repeat."""
    repeats = {}
    for fold in result["folds"]:
        repeats.setdefault(fold["repeat"], []).append(value(fold))
    return [sum(v) / len(v) for _, v in sorted(repeats.items())]


def mean_and_standard_error(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))


def paper_table(folder):
    print("| data | J | rate | subsample | authors: accuracy | accrete: accuracy | over 5 repeats "
          "| authors: training loss | accrete: training loss | over 5 repeats |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, j, rate, subsample, accuracy, sd, loss in PAPER:
        flags = ["--preset", "paper", "--units", 200, "--units-per-step", j, "--learning-rate", rate,
                 "--subsample", subsample, "--repeats", REPEATS]
        result = cross_validate(f"{folder}/{name}.csv", *flags)
        first = [100 * f["metrics"]["accuracy"] for f in result["folds"] if f["repeat"] == 0]
        mean = sum(first) / len(first)
        spread = math.sqrt(sum((v - mean) ** 2 for v in first) / (len(first) - 1))
        all_mean, all_se = mean_and_standard_error(repeat_means(result, lambda f: 100 * f["metrics"]["accuracy"]))
        losses = repeat_means(result, lambda f: f["train_loss"])
        loss_mean, loss_se = mean_and_standard_error(losses)
        print(f"| {name} | {j} | {rate:g} | {subsample:g} | {accuracy:.1f} ({sd:.1f}) | {mean:.1f} ({spread:.1f}) "
              f"| {all_mean:.2f} ± {all_se:.2f} | {loss:.5f} | {losses[0]:.5f} "
              f"| {loss_mean:.5f} ± {loss_se:.5f} |", flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    print((HERE / "experiments/results_head.md").read_text(), end="")
    print()
    paper_table(folder)
    print((HERE / "experiments/results_tail.md").read_text(), end="")


if __name__ == "__main__":
    main()
