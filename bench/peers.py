#!/usr/bin/env python3
"""Score, fit time and predict time against scikit-learn's MLP, XGBoost and LightGBM on the same folds.

    ./dev bench peers [DATA_DIR] [--only NAME,...] [--folds 5] [--seed 0] [--max-rows 20000]

DATA_DIR holds data sets as NAME.csv or NAME.csv.gz, target last and named `target`; without it, data is generated.
Every library is called through its Python package, in this one process, with its own defaults and thread count. The
MLPs get imputed and standardised inputs and, in regression, a standardised target, because they do not work without;
this counts in their time. For text columns accrete gets a data frame with categories and missing values, so its
encoding is timed; the others get these columns one-hot encoded beforehand. If all columns are numeric, all get the
same array.

Times are of one `fit` and of `predict_proba` (`predict` in regression) on the held-out rows, the median of five
calls; then means over folds. To treat all alike, every library fits and predicts a small table before anything is
timed, rows are selected before the clock starts, each fold starts with another library, and a pause before each turn
lets the spinning threads of the previous library go to sleep. Read score and time together.
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
from common import hardware, head, progress, row
from support.entries import prepared
from support.fits import fit_model, rows_of, table_of
from support.standings import Standings
from support.tables import data_sets, encode, frame_of

warnings.filterwarnings("ignore")

PRESET_OF = {"accrete default": "default", "accrete paper": "paper"}  # name -> preset
AGAINST = "accrete default"
CALLS = 5  # predictions are short, so that a single call is noisy
PAUSE = 0.05  # seconds between libraries


def libraries(regression, seed):
    """name -> a new estimator"""
    kind = "Regressor" if regression else "Classifier"

    def network(preset):
        return getattr(accrete, "BoostedNetwork" + kind)(preset=preset, random_state=seed)

    def mlp(solver):
        net = (MLPRegressor if regression else MLPClassifier)(solver=solver, random_state=seed)
        return prepared(net, regression, scaled=True)

    return {
        **{name: network(preset) for name, preset in PRESET_OF.items()},
        "MLP lbfgs": mlp("lbfgs"),
        "MLP adam": mlp("adam"),
        "XGBoost": getattr(xgboost, "XGB" + kind)(random_state=seed),
        "LightGBM": getattr(lightgbm, "LGBM" + kind)(random_state=seed, verbose=-1),
    }


def warm_up(seed):
    x = np.random.default_rng(seed).normal(size=(200, 4)).astype(np.float32)
    for regression in (False, True):
        y = x[:, 0] if regression else np.digitize(x[:, 0], [-.5, .5])
        for estimator in libraries(regression, seed).values():
            estimator.fit(x, y).predict(x)


def run_fold(table, frame, where):
    """Yields (library, result of fit_model); each fold starts with another library."""
    _, _, seed, fold = where
    train, test = rows_of(*where)
    x = np.ascontiguousarray(encode(table.rows, train))
    estimators = libraries(table.regression, seed)
    names = list(estimators)
    first = int(fold.split("/")[0]) % len(names)
    for name in names[first:] + names[:first]:
        gc.collect()
        time.sleep(PAUSE)
        inputs = frame if frame is not None and name in PRESET_OF else x
        yield name, fit_model(name, estimators[name], table, inputs, train, test, CALLS)


def run_data_set(name, path, options):
    """Yields one record per fit, as Standings expects them. Exits if a score is not finite."""
    table = table_of(name, path)
    frame = frame_of(table.header, table.rows)
    for number in range(options.folds):
        progress(f"{name}: fold {number + 1} of {options.folds}")
        fold = f"{number}/{options.folds}"
        for library, result in run_fold(table, frame, (name, path, options.seed, fold)):
            for metric, value in result.items():
                if not math.isfinite(value):
                    sys.exit(f"{name}, fold {number + 1}: {library} has {metric} {value}, which is not finite")
            _, test = rows_of(name, path, options.seed, fold)
            yield {"data": name, "entry": library, "seed": options.seed, "fold": fold, "status": "ok",
                   "task": table.task, "size": f"{len(table.rows)} x {len(table.header) - 1}",
                   "test_rows": len(test), **result}


def print_totals(standings):
    names = standings.names()
    ranks, count = standings.ranks(names)
    print(f"{count} data sets: mean rank by accuracy or RMSE, 1 is best; times relative to {AGAINST}, geometric mean\n")
    head("library", "mean rank", "fit time", "predict time")
    for library in sorted(ranks, key=ranks.get):
        ratios = [standings.ratio(names, library, AGAINST, metric)[0] for metric in ("fit_s", "predict_s")]
        row(library, f"{ranks[library]:.2f}", *(f"{ratio:.3g}" for ratio in ratios))


def print_data_sets(standings):
    print("\nMeans over folds, with the standard deviation over folds in parentheses\n")
    head("data", "rows x columns", "library", "score", "value", "fit, s", "predict, ms")
    for data, results in standings.results.items():
        for library, records in results.items():
            regression = standings.task[data] == "regression"
            scores = standings.values(data, library, "rmse") if regression else \
                1 - standings.values(data, library, "error")
            row(data, records[0]["size"], library, "RMSE" if regression else "accuracy",
                f"{scores.mean():.4g} ({scores.std(ddof=1):.2g})", f"{standings.mean(data, library, 'fit_s'):.3g}",
                f"{1e3 * standings.mean(data, library, 'predict_s'):.3g}")


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?")
    parser.add_argument("--only", default="", help="names of data sets, comma-separated")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--max-rows", type=int, default=20000, help="skip larger data sets")
    options = parser.parse_args()
    if options.folds < 2:
        parser.error(f"--folds {options.folds}: must be at least 2")
    return options


def main():
    options = options_of()
    records = []
    with tempfile.TemporaryDirectory() as scratch:
        warm_up(options.seed)
        for name, path in data_sets(options.data, scratch):
            if options.only and name not in options.only.split(","):
                continue
            if len(table_of(name, path).rows) > options.max_rows:
                progress(f"{name}: more than {options.max_rows} rows, skipped")
                continue
            records += run_data_set(name, path, options)
    if not records:
        sys.exit("no data set found")
    print(f"hardware: {hardware()}; {options.folds} folds, seed {options.seed}; scikit-learn {sklearn.__version__}, "
          f"XGBoost {xgboost.__version__}, LightGBM {lightgbm.__version__}\n")
    standings = Standings(records, list(libraries(False, options.seed)))
    print_totals(standings)
    print_data_sets(standings)


if __name__ == "__main__":
    main()
