#!/usr/bin/env python3
"""Contributions beside exact Shapley values, by enumeration of all subsets of the columns.

    ./dev bench shapley DATA_DIR... [--tables NAME,...] [--units 200] [--rows 200]

DATA_DIR holds the tables as NAME.csv or NAME.csv.gz: up to 12 columns of numbers, then the target. A subset's value is
the score with the features of all other columns at their averages, which is the baseline of the contributions. Networks
have --units units and no automatic choice; the rows are the first --rows of a shuffle with seed 1; of several scores,
the first is compared. Both must add up to the score: the largest error of that is printed as well.
"""
import argparse
import itertools
import math

import numpy as np
import pandas as pd

import accrete
from common import find_data, hardware, head, progress, row

TABLES = "iris", "power", "banknote", "concrete", "energy_heating", "energy_cooling", "diabetes"
MAX_COLUMNS = 12
ACTIVATIONS = {
    "relu": lambda z: np.maximum(z, 0.0),
    "tanh": np.tanh,
    "logistic": lambda z: 1.0 / (1.0 + np.exp(-z)),
}


def encoded(groups, x):
    """The features of one column of numbers: rows x features."""
    features = []
    for group in groups:
        if group["encoding"] == "standardised":
            features.append((x - group["mean"]) / group["scale"])
        elif group["encoding"] == "bins":
            for low, high, mean, scale in group["bins"]:
                features.append((np.clip((x - low) / (high - low), 0.0, 1.0) - mean) / scale)
        else:
            raise SystemExit(f"columns must be numbers without missing values, not {group['encoding']}")
    return np.stack(features, axis=1)


def shapley_values(model, X):
    """rows x columns, and the score of each row."""
    weights, first, sums = model.hidden_weights.astype(np.float64), 0, []
    for column, groups in enumerate(model.columns):
        features = encoded(groups, X[:, column])
        sums.append(features @ weights[:, first : first + features.shape[1]].T)
        first += features.shape[1]
    output = model.output_weights[:, 0].astype(np.float64)
    activation, columns = ACTIVATIONS[model.activation], len(sums)

    def score(subset):
        z = np.broadcast_to(model.hidden_bias.astype(np.float64), sums[0].shape).copy()
        for column in subset:
            z += sums[column]
        return model.prefix_bias[-1, 0] + activation(z) @ output

    scores = {subset: score(subset) for size in range(columns + 1)
              for subset in itertools.combinations(range(columns), size)}
    values = np.zeros((len(X), columns))
    for subset, value in scores.items():
        for column in set(range(columns)) - set(subset):
            larger = tuple(sorted((*subset, column)))
            share = math.factorial(len(subset)) * math.factorial(columns - len(subset) - 1) / math.factorial(columns)
            values[:, column] += share * (scores[larger] - value)
    scale = model.target_scale[0] if model.task == "regression" and model.loss == "squared" else 1.0
    return scale * values, scale * (scores[tuple(range(columns))] - scores[()])


def compare(name, path, units, rows):
    frame = pd.read_csv(path)
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1]
    if X.shape[1] > MAX_COLUMNS:
        raise SystemExit(f"{name}: has {X.shape[1]} columns; at most {MAX_COLUMNS} are enumerated")
    classes = y.dtype.kind not in "f" and y.nunique() <= 20
    kind = accrete.BoostedNetworkClassifier if classes else accrete.BoostedNetworkRegressor
    fitted = kind(n_units=units, auto=False, random_state=0).fit(X, y)
    chosen = np.random.default_rng(1).permutation(len(X))[:rows]
    shown = X.iloc[chosen]
    exact, moved = shapley_values(fitted.model_, shown.to_numpy(np.float64))
    given = fitted.contributions(shown)
    given = given[:, :, 0] if given.ndim == 3 else given
    difference = np.abs(given - exact).mean() / np.abs(exact).mean()
    same = np.mean(np.abs(given).argmax(axis=1) == np.abs(exact).argmax(axis=1))
    error = max(np.abs(values.sum(axis=1) - moved).max() for values in (given, exact)) / np.abs(moved).max()
    row(name, X.shape[1], len(shown), f"{100 * difference:.0f} %", f"{100 * same:.0f} %", f"{error:.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="DATA_DIR")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--units", type=int, default=200)
    parser.add_argument("--rows", type=int, default=200)
    given = parser.parse_args()
    print(f"{hardware()}; {given.units} units\n")
    head("data", "columns", "rows", "mean difference, relative to the mean Shapley value",
         "rows with the same largest column", "largest error of a sum")
    for name in given.tables.split(","):
        path = next(filter(None, (find_data(folder, name) for folder in given.folders)), None)
        if path is None:
            progress(f"{name}: not found")
        else:
            compare(name, path, given.units, given.rows)


if __name__ == "__main__":
    main()
