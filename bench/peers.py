#!/usr/bin/env python3
"""accrete beside scikit-learn's MLP, XGBoost and LightGBM on the same folds: score, training and prediction time.

    ./dev bench peers [DATA_DIR] [--only NAME,...] [--folds 5] [--seed 0] [--most-rows 20000]

DATA_DIR holds data sets as NAME.csv or NAME.csv.gz, target last and named `target`; without it, data is generated. Every
program is called through its Python package, in this one process, with its own defaults and on all threads it takes by
default. What differs by need: the MLPs get gaps filled and inputs standardised and, in regression, a standardised
target, which they are helpless without; this counts in their time. Where there are categories, accrete gets a data
frame with texts and gaps as they are, so that its encoding counts in its time; the others get these columns one-hot,
made before their clock starts. Where all columns are numbers, all get the same array.

Seconds are of one `fit` and of `predict_proba` (`predict` in regression) on the rows left out, the median of five calls;
then means over folds. That no one pays for having come first: every program is fitted, and predicts, on a small table
before anything is timed, which imports, starts threads and so on; rows are cut out before the clock starts; each fold
begins with another program; and before each turn there is a pause in which the threads of the one before, which go on
spinning for a while, fall asleep. There is no mark here: read score and time together.
"""
import argparse
import gc
import math
import sys
import tempfile
import time
import warnings

import lightgbm
import numpy as np
import sklearn
import xgboost
from sklearn.neural_network import MLPClassifier, MLPRegressor

import accrete
from common import head, machine, progress, row
from support.entries import prepared
from support.fits import fit_model, rows_of, table_of
from support.standings import Standings
from support.tables import data_sets, encode, frame_of

warnings.filterwarnings("ignore")

OWN = {"accrete default": "default", "accrete paper": "paper"}  # name -> preset
AGAINST = "accrete default"
CALLS = 5  # of prediction, which is so short that one may be hit by chance
PAUSE = 0.05  # seconds


def programs(regression, seed):
    """name -> a new estimator"""
    kind = "Regressor" if regression else "Classifier"

    def network(preset):
        return getattr(accrete, "BoostedNetwork" + kind)(preset=preset, random_state=seed)

    def mlp(solver):
        net = (MLPRegressor if regression else MLPClassifier)(solver=solver, random_state=seed)
        return prepared(net, regression, scaled=True)

    return {
        **{name: network(preset) for name, preset in OWN.items()},
        "MLP lbfgs": mlp("lbfgs"),
        "MLP adam": mlp("adam"),
        "XGBoost": getattr(xgboost, "XGB" + kind)(random_state=seed),
        "LightGBM": getattr(lightgbm, "LGBM" + kind)(random_state=seed, verbose=-1),
    }


def warm_up(seed):
    x = np.random.default_rng(seed).normal(size=(200, 4)).astype(np.float32)
    for regression in (False, True):
        y = x[:, 0] if regression else np.digitize(x[:, 0], [-.5, .5])
        for estimator in programs(regression, seed).values():
            estimator.fit(x, y).predict(x)


def run_fold(table, frame, where):
    """Yields (program, what fit_model found), in the turn of this fold."""
    _, _, seed, fold = where
    train, test = rows_of(*where)
    x = np.ascontiguousarray(encode(table.rows, train))
    estimators = programs(table.regression, seed)
    names = list(estimators)
    first = int(fold.split("/")[0]) % len(names)
    for name in names[first:] + names[:first]:
        gc.collect()
        time.sleep(PAUSE)
        own = frame if frame is not None and name in OWN else x
        yield name, fit_model(name, estimators[name], table, own, train, test, CALLS)


def run_data_set(name, path, options):
    """Yields a line for every fit, as Standings takes them. Ends the run at a score that is no number."""
    table = table_of(name, path)
    frame = frame_of(table.header, table.rows)
    for number in range(options.folds):
        progress(f"{name}: fold {number + 1} of {options.folds}")
        fold = f"{number}/{options.folds}"
        for program, found in run_fold(table, frame, (name, path, options.seed, fold)):
            for measure, value in found.items():
                if not math.isfinite(value):
                    sys.exit(f"{name}, fold {number + 1}: {program} has {measure} {value}; nothing is reported")
            _, test = rows_of(name, path, options.seed, fold)
            yield {"data": name, "entry": program, "seed": options.seed, "fold": fold, "status": "ok",
                   "task": table.task, "size": f"{len(table.rows)} x {len(table.header) - 1}",
                   "test_rows": len(test), **found}


def print_totals(standings):
    names = standings.names()
    ranks, count = standings.ranks(names)
    print(f"{count} data sets: mean rank by accuracy or RMSE, 1 is best; seconds as a ratio to {AGAINST}, geometric mean\n")
    head("program", "mean rank", "training", "prediction")
    for program in sorted(ranks, key=ranks.get):
        ratios = [standings.ratio(names, program, AGAINST, measure)[0] for measure in ("fit_s", "predict_s")]
        row(program, f"{ranks[program]:.2f}", *(f"{ratio:.3g}" for ratio in ratios))


def print_data_sets(standings):
    print("\nMeans over folds; ±: standard deviation over folds\n")
    head("data", "rows x columns", "program", "score", "value", "training, s", "prediction, ms")
    for data, results in standings.found.items():
        for program, lines in results.items():
            regression = standings.task[data] == "regression"
            scores = standings.values(data, program, "rmse") if regression else \
                1 - standings.values(data, program, "error")
            row(data, lines[0]["size"], program, "RMSE" if regression else "accuracy",
                f"{scores.mean():.4g} ± {scores.std(ddof=1):.2g}", f"{standings.mean(data, program, 'fit_s'):.3g}",
                f"{1e3 * standings.mean(data, program, 'predict_s'):.3g}")


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?")
    parser.add_argument("--only", default="", help="data sets by name, with commas between")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most-rows", type=int, default=20000, help="larger data sets are left out")
    options = parser.parse_args()
    if options.folds < 2:
        parser.error(f"--folds {options.folds}: at least 2")
    return options


def main():
    options = options_of()
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        warm_up(options.seed)
        for name, path in data_sets(options.data, scratch):
            if options.only and name not in options.only.split(","):
                continue
            if len(table_of(name, path).rows) > options.most_rows:
                progress(f"{name}: more than {options.most_rows} rows, left out")
                continue
            lines += run_data_set(name, path, options)
    if not lines:
        sys.exit("no data set to run on")
    print(f"machine: {machine()}; {options.folds} folds, seed {options.seed}; scikit-learn {sklearn.__version__}, "
          f"XGBoost {xgboost.__version__}, LightGBM {lightgbm.__version__}\n")
    standings = Standings(lines, list(programs(False, options.seed)))
    print_totals(standings)
    print_data_sets(standings)


if __name__ == "__main__":
    main()
