#!/usr/bin/env python3
"""Fit time and training loss of the preset `paper` against the authors' program (gbnn on PyPI).

    ./dev bench vs_authors [DATA_DIR] [--seeds 3] [--only NAME,...]

DATA_DIR holds data sets as CSV, target last and named `target`; without it, data is generated. Both programs see the
same rows, with inputs standardised and categories one-hot encoded and standardised too. Reported per task and seed:
seconds of the fit, without reading, and the final mean training loss (the authors' from their predictions, accrete's
from its report). Both programs use their default number of threads. The authors' fit runs once per seed; accrete's
runs three times before and three times after it, and the median counts.
"""
import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

from common import ACCRETE, find_data, hardware, head, make_data, read_rows

warnings.filterwarnings("ignore")

# name, kind, units per step, learning rate, subsample
PUBLIC = [
    ("iris", "multiclass", 2, 0.1, 0.5), ("wine", "multiclass", 2, 0.1, 0.5), ("sonar", "binary", 1, 0.1, 0.5),
    ("ionosphere", "binary", 1, 0.1, 0.5), ("boston", "regression", 4, 0.1, 0.5),
    ("breast_cancer", "binary", 1, 0.5, 1.0),
    ("energy_heating", "regression", 4, 0.5, 1.0), ("vehicle", "multiclass", 3, 0.1, 0.75),
    ("tic-tac-toe", "binary", 3, 0.5, 1.0),
    ("german", "binary", 1, 0.1, 0.5), ("concrete", "regression", 2, 0.1, 1.0), ("banknote", "binary", 2, 0.5, 0.75),
    ("digits", "multiclass", 3, 0.1, 0.5), ("power", "regression", 1, 0.1, 1.0), ("magic", "binary", 1, 0.5, 1.0),
]
# generator, rows, kind, units per step, learning rate, subsample
GENERATED = [
    ("ringnorm2", 200, "binary", 1, 0.5, 1.0), ("spirals", 500, "binary", 2, 0.5, 1.0),
    ("twonorm", 500, "binary", 1, 0.1, 0.5),
    ("ringnorm", 1000, "binary", 3, 0.5, 1.0), ("tic-tac-toe", 958, "binary", 3, 0.5, 1.0),
    ("twonorm", 20000, "binary", 1, 0.5, 1.0),
    ("waveform", 150, "multiclass", 2, 0.1, 0.5), ("waveform", 1000, "multiclass", 3, 0.1, 0.75),
    ("waveform", 5000, "multiclass", 4, 0.1, 0.5), ("friedman1", 300, "regression", 4, 0.1, 0.5),
    ("friedman1", 1000, "regression", 2, 0.1, 1.0), ("friedman1", 10000, "regression", 1, 0.1, 1.0),
]


def tasks(folder, scratch):
    """Yields (label, path, kind, units per step, learning rate, subsample)."""
    if folder:
        for name, *settings in PUBLIC:
            path = find_data(folder, name)
            if path:
                yield (name, path, *settings)
        return
    for name, rows, *settings in GENERATED:
        yield (f"{name} {rows}", make_data(name, rows, scratch), *settings)


def read(path, kind):
    header, rows = read_rows(path)
    columns = []
    for c in range(len(header) - 1):
        values = [row[c] for row in rows]
        try:
            columns.append([float(v) for v in values])
        except ValueError:
            columns.extend([float(v == level) for v in values] for level in sorted(set(values)))
    x = np.array(columns).T
    deviation = x.std(axis=0)
    x = (x - x.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    labels = [row[-1] for row in rows]
    if kind == "regression":
        return x, np.array([float(v) for v in labels])
    codes = np.array([sorted(set(labels)).index(v) for v in labels])
    return x, np.where(codes == 1, 1.0, -1.0) if kind == "binary" else codes


def run_authors(x, y, kind, j, rate, subsample, seed):
    import gbnn
    make = gbnn.GNEGNERegressor if kind == "regression" else gbnn.GNEGNEClassifier
    model = make(total_nn=200, num_nn_step=j, eta=rate, subsample=subsample, random_state=seed)
    start = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - start
    if kind == "regression":
        return seconds, 0.5 * float(np.mean((y - np.ravel(model.predict(x))) ** 2))
    p = model.predict_proba(x)
    own = p[np.arange(len(y)), (y > 0).astype(int) if kind == "binary" else y]
    return seconds, float(-np.mean(np.log(np.maximum(own, 1e-300))))


def run_accrete(path, kind, j, rate, subsample, seed, scratch):
    command = [ACCRETE, "train", path, "--target", "target", "--task", kind, "--preset", "paper", "--units", 200,
               "--units-per-step", j, "--learning-rate", rate, "--subsample", subsample, "--seed", seed, "--json",
               "-o", f"{scratch}/model.safetensors"]
    report = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)
    return report["seconds"], report["train_loss"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print(f"hardware: {hardware()}; seeds 0..{options.seeds - 1}; 200 units\n")
    head("task", "kind", "rows x features", "J", "authors, s", "accrete, s", "speedup", "authors: loss",
         "accrete: loss", "loss ratio")
    ratios, losses = [], []
    with tempfile.TemporaryDirectory() as scratch:
        for name, path, kind, j, rate, subsample in tasks(options.data, scratch):
            if options.only and name not in options.only.split(","):
                continue
            x, y = read(path, kind)
            settings = (kind, j, rate, subsample)
            theirs, ours = [], []
            for seed in range(options.seeds):
                # accrete's fits are short and easily disturbed, so they are repeated around the authors' fit.
                runs = [run_accrete(path, *settings, seed, scratch) for _ in range(3)]
                theirs.append(run_authors(x, y, *settings, seed))
                runs += [run_accrete(path, *settings, seed, scratch) for _ in range(3)]
                ours.append((statistics.median(seconds for seconds, _ in runs), runs[0][1]))
            mean = [[statistics.mean(column) for column in zip(*runs)] for runs in (theirs, ours)]
            spread = [statistics.stdev([r[0] for r in runs]) if len(runs) > 1 else 0.0 for runs in (theirs, ours)]
            ratio, loss_ratio = mean[0][0] / mean[1][0], mean[1][1] / mean[0][1]
            ratios.append(ratio)
            losses.append(loss_ratio)
            print(f"| {name} | {kind} | {x.shape[0]} x {x.shape[1]} | {j} | {mean[0][0]:.2f} ({spread[0]:.2f}) "
                  f"| {mean[1][0]:.4f} ({spread[1]:.4f}) | {ratio:.0f} "
                  f"| {mean[0][1]:.5g} | {mean[1][1]:.5g} | {loss_ratio:.3f} |",
                  flush=True)
    if not ratios:
        sys.exit("no data set found")
    print(f"\nspeedup: geometric mean {math.exp(statistics.mean(map(math.log, ratios))):.0f}, min {min(ratios):.0f}; "
          f"loss ratio: max {max(losses):.3f}")


if __name__ == "__main__":
    main()
