#!/usr/bin/env python3
"""Early exit: is the promise kept on new rows, how many units does a row use, and how much time does that save.

    ./dev bench early_exit DATA.csv... [--splits 200] [--units 0] [--train-rows 8000] [--scores FOLDER]

DATA has the target in its last column: numbers, or classes if it holds text or at most 30 whole numbers. One network is
fitted per data set, with default settings or, with --units, without choosing any, and the scores of the other rows,
45,000 at most, are recorded at every exit. These rows are split at random again and again: a third, 15,000 at most,
finds the thresholds, and the rest shows how many rows get another label than from all units. "kept": the share of
splits in which these were at most --disagreement. The splits repeat the steps of `dial` in NumPy
(bench/support/exits.py). Time is that of predicting these rows with the library on one thread, thresholds from `dial`,
the best of several runs: all units over early exit.
"certified": the units that bounds on the remaining units would save, with which no row ever gets another label.
--scores keeps the recorded scores in a folder, and reads them if they are there.
"""
import argparse
import pathlib
import time
import warnings

import numpy as np
import pandas as pd

import accrete
from common import hardware, head, progress, row
from support.exits import Evidence, candidate_exits

warnings.filterwarnings("ignore")
MAX_ROWS = 45_000
COLUMNS = "data", "units of all", "rows of dial", "new rows", "disagreement", "kept", "units"
COLUMNS = *COLUMNS, "one dial: units", "wall time", "CPU time", "certified"


def read(path, options):
    """X and y of the training rows, X of the others, and whether y holds classes."""
    table = pd.read_csv(path)
    X, y = table.iloc[:, :-1], table.iloc[:, -1]
    classes = not pd.api.types.is_numeric_dtype(y) or (y.nunique() <= 30 and np.all(y % 1 == 0))
    train, others = np.split(np.random.default_rng(0).permutation(len(y)), [min(options.train_rows, len(y) // 3)])
    X, y, new = X.iloc[train], y.iloc[train], X.iloc[others[:MAX_ROWS]].reset_index(drop=True)
    return X, y.astype(str) if classes else y, new, classes


def fit(X, y, classes, options):
    kind = accrete.BoostedNetworkClassifier if classes else accrete.BoostedNetworkRegressor
    fixed = {"n_units": options.units, "auto": False} if options.units else {}
    return kind(**fixed, random_state=0, n_jobs=1).fit(X, y)


def record(model, X, classes):
    """Scores of the rows at every exit and after all units: exits x rows x outputs; and the units of each."""
    ends = list(model.model_.step_ends)
    exits = [*candidate_exits(ends, classes), len(ends)]
    scores = []
    for step, values in enumerate(model.staged_predict_proba(X) if classes else model.staged_predict(X), 1):
        if step not in exits:
            continue
        if classes:
            values = np.log(np.maximum(values, 1e-300))
            values = values[:, 1:] - values[:, :1] if values.shape[1] == 2 else values
        scores.append(values.reshape(len(X), -1))
    return np.array(scores), np.array([ends[step - 1] for step in exits])


def best_seconds(run, clock, runs=7):
    times = []
    for _ in range(runs):
        start = clock()
        run()
        times.append(clock() - start)
    return min(times)


def speed(model, X, options):
    """How many times faster early exit is, in wall and CPU time, with the share of units that rows then use."""
    count = min(len(X) // 3, MAX_ROWS // 3)
    model.dial(X.iloc[:count], options.disagreement, options.confidence)
    table, steps = model._model_table(model._check_X(X.iloc[count:])), model.model_.steps
    both = []
    for clock in (time.perf_counter, time.process_time):
        full = best_seconds(lambda: model.model_.predict_table(table, steps, 1), clock)
        both.append(full / best_seconds(lambda: accrete._core.predict_exit_table(model.model_, table, 1), clock))
    return *both, model.early_exit_["mean_units"] / model.n_units_


def certified_share(model, X):
    """The mean share of the units after which interval bounds of the others leave the label no choice.

    The bounds of a unit are those over the box of all rows. Two classes and numbers without bins only.
    """
    core = model.model_
    if core.outputs > 1 or core.task == "regression" or any(entry["width"] != 1 for entry in core.inputs):
        return None
    columns = [(X[entry["name"]].to_numpy(float) - entry["mean"]) / entry["scale"] for entry in core.inputs]
    rows = np.nan_to_num(np.column_stack(columns))
    activate = {"relu": lambda z: np.maximum(z, 0), "tanh": np.tanh, "logistic": lambda z: 1 / (1 + np.exp(-z))}
    weights, bias, output = core.hidden_weights.astype(float), core.hidden_bias, core.output_weights[:, 0]
    ends, low, high = np.array(core.step_ends), weights * rows.min(0), weights * rows.max(0)
    low, high = bias + np.minimum(low, high).sum(1), bias + np.maximum(low, high).sum(1)
    low, high = output * activate[core.activation](low), output * activate[core.activation](high)
    low, high = np.minimum(low, high), np.maximum(low, high)
    tail_low, tail_high = (low.sum() - np.cumsum(low))[ends - 1], (high.sum() - np.cumsum(high))[ends - 1]
    scores = np.cumsum(output * activate[core.activation](rows @ weights.T + bias), 1)[:, ends - 1]
    scores += core.prefix_bias[-1, 0]
    sure = (scores + tail_low > 0) | (scores + tail_high < 0)
    return ends[sure.argmax(1)].mean() / ends[-1]


def recorded(name, path, options):
    """(model, X, scores, units, classes, certified share); from files if --scores has them."""
    folder = pathlib.Path(options.scores) if options.scores else None
    X, y, new, classes = read(path, options)
    stem = f"{name}-{options.units or 'auto'}-{options.train_rows}"
    if folder and (folder / f"{stem}.npz").exists():
        file = np.load(folder / f"{stem}.npz")
        model = accrete.load(folder / f"{stem}.safetensors")
        return model.set_params(n_jobs=1), new, file["scores"], file["units"], classes
    progress(f"{name}: fitting")
    model = fit(X, y, classes, options)
    scores, units = record(model, new, classes)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        model.save(folder / f"{stem}.safetensors")
        np.savez(folder / f"{stem}.npz", scores=scores.astype(np.float32), units=units)
    return model, new, scores, units, classes


def measure(path, options):
    name = pathlib.Path(path).name.split(".")[0]
    model, X, scores, units, classes = recorded(name, path, options)
    evidence = Evidence(scores, units, classes)
    results = []
    for seed in range(options.splits):
        order = np.random.default_rng(seed).permutation(len(X))
        count = min(len(X) // 3, MAX_ROWS // 3)
        found = evidence.find_thresholds(order[:count], options.disagreement, options.confidence)
        thresholds, exits = found or ((), [])
        results.append(evidence.outcome(thresholds, order[count:], exits))
    differs, used = np.array(results).T
    wall, cpu, share = speed(model, X, options) if hasattr(model, "dial") else (np.nan,) * 3
    certified = certified_share(model, X)
    kept = np.mean(differs <= options.disagreement)
    row(
        name if classes else f"{name} (regression)",
        f"{units[-1]:,}",
        f"{count:,}",
        f"{len(X) - count:,}",
        f"{100 * differs.mean():.3f} %",
        f"{100 * kept:.1f} %",
        f"{100 * used.mean() / units[-1]:.1f} %",
        f"{100 * share:.1f} %",
        f"{wall:.2f}",
        f"{cpu:.2f}",
        "" if certified is None else f"{100 * (1 - certified):.1f} %",
    )
    return kept, used.mean() / units[-1], wall


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", metavar="DATA.csv")
    parser.add_argument("--splits", type=int, default=200)
    parser.add_argument("--units", type=int, default=0, help="0: as many as the default settings choose")
    parser.add_argument("--train-rows", type=int, default=8_000)
    parser.add_argument("--disagreement", type=float, default=0.001)
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--scores", metavar="FOLDER", default="")
    options = parser.parse_args()
    print(f"{hardware()}\n")
    print(f"disagreement {options.disagreement}, confidence {options.confidence}; {options.splits} splits; ", end="")
    print(f"{options.units or 'default'} units fitted to at most {options.train_rows:,} rows\n")
    head(*COLUMNS)
    kept, used, walls = zip(*[measure(path, options) for path in options.data])
    few = [i for i, share in enumerate(used) if share <= 1 / 3]
    goal = 100 * options.confidence
    print(f"\nkept in at least {goal:g} % of the splits: {sum(100 * k >= goal for k in kept)} of {len(kept)} sets")
    fast = sum(walls[i] >= 2 for i in few)
    print(f"at most a third of the units: {len(few)}, of these at least twice as fast: {fast}")


if __name__ == "__main__":
    main()
