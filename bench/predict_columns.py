#!/usr/bin/env python3
"""Prediction speed of a model with bins and categories against XGBoost's trees.

    ./dev bench predict_columns [--rows 40000] [--bins 64] [--units 400] [--trees 500] [--rounds 3] [--seed 1]

The data has 9 numeric columns and 3 categories of 10, 60 and 300 levels. accrete's network has --units tanh units over
--bins bins per number; XGBoost has --trees trees of depth 6 and reads the categories as such, or as level numbers. Both
train on the first 3,000 rows. Different models of the same data: the table shows what a user waits for.

One thread, CPU time, the fastest of all rounds. accrete's time is its C++ call from a table in memory to predictions
(build/release/bench_predict_timer), with lookup tables and, for comparison, with all features and dense weights.
XGBoost's is `predict` on a DMatrix that is built before the clock starts, and `inplace_predict` on a NumPy array.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402  (after the thread count is set)
import pandas  # noqa: E402
import xgboost  # noqa: E402

from common import ACCRETE, BUILD, hardware, head, row  # noqa: E402

TIMER = os.environ.get("ACCRETE_PREDICT_TIMER", str(BUILD / "bench_predict_timer"))
NUMBERS, LEVELS, TRAINING_ROWS = 9, (10, 60, 300), 3000


def make_frame(rows, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, NUMBERS), dtype=np.float32)
    codes = [rng.integers(0, levels, rows) for levels in LEVELS]
    # Every level is in the training rows.
    for code, levels in zip(codes, LEVELS):
        code[:levels] = np.arange(levels)
    effects = [rng.standard_normal(levels)[code] for code, levels in zip(codes, LEVELS)]
    frame = pandas.DataFrame({f"x{c}": x[:, c] for c in range(NUMBERS)})
    for c, (code, levels) in enumerate(zip(codes, LEVELS)):
        frame[f"c{c}"] = pandas.Categorical.from_codes(code, [f"level{level}" for level in range(levels)])
    target = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + sum(effects) + 0.3 * rng.standard_normal(rows)
    return frame, target.astype(np.float32)


def train_accrete(frame, target, options, scratch):
    training = frame[:TRAINING_ROWS].assign(target=target[:TRAINING_ROWS])
    training.to_csv(f"{scratch}/train.csv", index=False)
    frame.to_csv(f"{scratch}/rows.csv", index=False)
    command = [ACCRETE, "train", f"{scratch}/train.csv", "--target", "target", "--units", options.units, "--bins",
               options.bins, "--activation", "tanh", "--auto", "off", "--units-per-step", 10, "--max-iter", 5, "--seed",
               options.seed, "-o", f"{scratch}/model.safetensors", "--quiet"]
    subprocess.run(list(map(str, command)), check=True)


def time_accrete(scratch):
    timer = subprocess.run([TIMER, f"{scratch}/model.safetensors", f"{scratch}/rows.csv"], check=True,
                           capture_output=True, text=True)
    return json.loads(timer.stdout)


def cpu_seconds(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def train_trees(features, target, options):
    training = xgboost.DMatrix(features[:TRAINING_ROWS], target[:TRAINING_ROWS], enable_categorical=True, nthread=1)
    parameters = {"max_depth": 6, "tree_method": "hist", "nthread": 1, "seed": options.seed}
    return xgboost.train(parameters, training, options.trees)


def time_matrix(trees, features):
    # A new DMatrix for every call, because XGBoost caches the predictions of a matrix it has seen.
    matrix = xgboost.DMatrix(features, enable_categorical=True, nthread=1)
    return cpu_seconds(lambda: trees.predict(matrix))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("rows", 40000), ("bins", 64), ("units", 400), ("trees", 500), ("rounds", 3), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    if options.rows < TRAINING_ROWS:
        parser.error(f"--rows {options.rows}: must be at least {TRAINING_ROWS}, the training rows")
    frame, target = make_frame(options.rows, options.seed)
    numbers = np.column_stack([frame[name].cat.codes if name.startswith("c") else frame[name] for name in frame])
    numbers = numbers.astype(np.float32)
    with tempfile.TemporaryDirectory() as scratch:
        train_accrete(frame, target, options, scratch)
        of_frame, of_numbers = train_trees(frame, target, options), train_trees(numbers, target, options)
        times = {name: [] for name in ("accrete", "accrete, dense weights", "XGBoost, categories",
                                       "XGBoost, level numbers", "XGBoost, level numbers, inplace_predict")}
        tables, dense, categories, matrix, inplace = times.values()
        for _ in range(options.rounds):
            ours = time_accrete(scratch)
            tables += ours["batch_s"]
            dense += ours["dense_s"]
            for _ in range(3):
                categories.append(time_matrix(of_frame, frame))
                matrix.append(time_matrix(of_numbers, numbers))
                inplace.append(cpu_seconds(lambda: of_numbers.inplace_predict(numbers)))
    print(f"hardware: {hardware()}; seed {options.seed}; {options.rows} rows, {ours['features']} features, "
          f"{ours['units']} units, {options.trees} trees\n", flush=True)
    head("program", "ms", "rows/s", "relative to accrete")
    for name, seconds in times.items():
        best = min(seconds)
        row(name, f"{best * 1e3:.1f}", f"{options.rows / best:.3g}", f"{best / min(tables):.2f}")


if __name__ == "__main__":
    main()
