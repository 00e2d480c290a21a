#!/usr/bin/env python3
"""Coverage and size of intervals and sets over many random splits, beside MAPIE with LightGBM's quantiles.

    ./dev bench intervals DATA.csv... [--splits 200] [--peer-splits 20] [--coverage 0.9] [--units 48]

DATA has the target in its last column: numbers, or classes if it holds text or at most 20 whole numbers. Every split
draws 60 % of the rows, 2,000 at most, to fit and calibrate on, and as many of the others, at most, to test on. The
mean coverage over splits must be within three standard errors of [coverage, coverage + 1 / (n + 1)], or above it for
classes, because a set is never empty. Width is in standard deviations of the target, size in classes. accrete fits
`--units` units without choosing settings, so that 200 splits take a minute: the coverage does not depend on how good a
model is.
"""
import argparse
import logging
import math
import pathlib
import warnings

import numpy as np
import pandas as pd
from sklearn.preprocessing import OrdinalEncoder

import accrete
from common import progress

warnings.filterwarnings("ignore")
logging.disable(logging.INFO)  # MAPIE reports every pair of crossing quantiles


def read(path):
    table = pd.read_csv(path)
    X, y = table.iloc[:, :-1], table.iloc[:, -1]
    text = X.select_dtypes(exclude="number").columns
    if len(text):
        X = X.assign(**dict(zip(text, OrdinalEncoder().fit_transform(X[text].astype(str)).T)))
    classes = not pd.api.types.is_numeric_dtype(y) or (y.nunique() <= 20 and np.all(y % 1 == 0))
    return X.to_numpy(np.float32), y.astype(str).to_numpy() if classes else y.to_numpy(float), classes


def draw(rows, seed):
    order = np.random.default_rng(seed).permutation(rows)
    count = min(2000, rows * 6 // 10)
    return order[:count], order[count : count + min(count, rows - count)]


def with_accrete(X, y, classes, train, test, options, seed):
    settings = dict(n_units=options.units, units_per_step=4, learning_rate=0.3, alpha=1.0, auto=False)
    settings["random_state"] = seed
    if classes:
        model = accrete.BoostedNetworkClassifier(interval=options.coverage, **settings).fit(X[train], y[train])
        sets = model.predict_set(X[test])
        places = np.searchsorted(model.classes_, y[test])
        known = np.isin(y[test], model.classes_)
        inside = known & sets[np.arange(len(test)), np.where(known, places, 0)]
        return inside.mean(), sets.sum(axis=1).mean()
    model = accrete.BoostedNetworkRegressor(interval=options.coverage, **settings).fit(X[train], y[train])
    low, high = model.predict_interval(X[test]).T
    return np.mean((low <= y[test]) & (y[test] <= high)), np.mean(high - low) / np.std(y)


def with_mapie(X, y, train, test, options, seed):
    from lightgbm import LGBMRegressor
    from mapie.regression import ConformalizedQuantileRegressor

    fit, held_out = train[: len(train) * 8 // 10], train[len(train) * 8 // 10 :]
    base = LGBMRegressor(objective="quantile", alpha=0.5, verbose=-1, n_jobs=1, random_state=seed)
    model = ConformalizedQuantileRegressor(base, confidence_level=options.coverage)
    model.fit(X[fit], y[fit]).conformalize(X[held_out], y[held_out])
    _, ends = model.predict_interval(X[test])
    low, high = ends[:, 0, 0], ends[:, 1, 0]
    return np.mean((low <= y[test]) & (y[test] <= high)), np.mean(high - low) / np.std(y)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", metavar="DATA.csv")
    parser.add_argument("--splits", type=int, default=200)
    parser.add_argument("--peer-splits", type=int, default=20)
    parser.add_argument("--coverage", type=float, default=0.9)
    parser.add_argument("--units", type=int, default=48)
    options = parser.parse_args()
    print(f"coverage {options.coverage}; {options.splits} splits, MAPIE {options.peer_splits}; {options.units} units")
    columns = ["data", "calibration rows", "coverage", "standard error", "within", "width or size", "MAPIE coverage"]
    print("| " + " | ".join([*columns, "MAPIE width"]) + " |\n|" + "---|" * 8)
    for path in options.data:
        X, y, classes = read(path)
        results, peers = [], []
        for seed in range(options.splits):
            if seed % 20 == 0:
                progress(f"{pathlib.Path(path).name}: split {seed} of {options.splits}")
            train, test = draw(len(y), seed)
            results.append(with_accrete(X, y, classes, train, test, options, seed))
            if not classes and seed < options.peer_splits:
                peers.append(with_mapie(X, y, train, test, options, seed))
        held_out = round(0.2 * len(train))
        covered, size = np.mean(results, axis=0)
        error = np.std([coverage for coverage, _ in results], ddof=1) / math.sqrt(len(results))
        low, high = options.coverage - 3 * error, options.coverage + 1 / (held_out + 1) + 3 * error
        within = "yes" if low <= covered <= high else "above" if covered > high else "NO"
        peer = "| {:.3f} | {:.3f} |".format(*np.mean(peers, axis=0)) if peers else "| | |"
        name = pathlib.Path(path).name.split(".")[0]
        print(f"| {name} | {held_out} | {covered:.4f} | {error:.4f} | {within} | {size:.3f} {peer}", flush=True)


if __name__ == "__main__":
    main()
