#!/usr/bin/env python3
"""Errors of constrained fits beside XGBoost's and LightGBM's on the same folds: monotone columns, additive models.

    ./dev bench constraints DATA_DIR... [--tables NAME,...] [--folds 5]

DATA_DIR holds the tables of CASES as NAME.csv or NAME.csv.gz, target last and named `target`. The folds are the first
--folds of ten (stratified by class), shuffled with seed 1. accrete has its default preset, which chooses its settings
under the constraints; XGBoost has 500 trees, rate 0.05, depth 6 and subsample 0.8; LightGBM has its defaults, and as a
monotone method its most accurate one. Text columns are categories for all. Also printed: the largest move against the
constraints, as a share of the range of the predictions, when a monotone column rises through its quantiles in 500 rows.
"""
import argparse
import warnings

import lightgbm
import numpy as np
import pandas as pd
import xgboost
from pandas.api.types import is_numeric_dtype
from sklearn.metrics import log_loss, root_mean_squared_error
from sklearn.model_selection import KFold, StratifiedKFold

import accrete
from common import find_data, hardware, head, progress, row

warnings.filterwarnings("ignore")

SEED = 1
CASES = {  # table -> direction of each monotone column
    "california": {"medianIncome": 1, "housingMedianAge": 1},
    "concrete": {"cement": 1, "age": 1, "water": -1},
    "boston": {"RM": 1, "LSTAT": -1, "CRIM": -1},
    "adult": {"education_num": 1, "capital_gain": 1, "capital_loss": 1},
}
CONSTRAINTS = "none", "monotone", "additive"
XGBOOST = {"n_estimators": 500, "learning_rate": 0.05, "max_depth": 6, "subsample": 0.8, "enable_categorical": True}


def estimators(frame, directions, constraint, regression):
    """library -> a new estimator"""
    kind = "Regressor" if regression else "Classifier"
    signs = [directions.get(name, 0) for name in frame.columns]
    own = {"none": {}, "monotone": {"monotonic_cst": signs}, "additive": {"interaction_cst": "no_interactions"}}
    names, positions = [[name] for name in frame.columns], [[column] for column in range(len(signs))]
    xgb = {"none": {}, "additive": {"interaction_constraints": names},
           "monotone": {"monotone_constraints": tuple(signs)}}
    lgbm = {"none": {}, "additive": {"interaction_constraints": positions},
            "monotone": {"monotone_constraints": signs, "monotone_constraints_method": "advanced"}}
    return {
        "accrete": getattr(accrete, "BoostedNetwork" + kind)(random_state=SEED, **own[constraint]),
        "XGBoost": getattr(xgboost, "XGB" + kind)(random_state=SEED, **XGBOOST, **xgb[constraint]),
        "LightGBM": getattr(lightgbm, "LGBM" + kind)(random_state=SEED, verbose=-1, **lgbm[constraint]),
    }


def predictions_of(fitted, frame, regression):
    return fitted.predict(frame) if regression else fitted.predict_proba(frame)[:, 1]


def largest_violation(fitted, frame, directions, regression, values=50):
    worst = 0.0
    for name, sign in directions.items():
        rows = frame.iloc[np.repeat(np.arange(min(500, len(frame))), values)].copy()
        sweep = np.quantile(frame[name], np.linspace(0, 1, values))
        rows[name] = np.tile(sweep, len(rows) // values)
        moves = sign * np.asarray(predictions_of(fitted, rows, regression), dtype=float).reshape(-1, values)
        worst = max(worst, np.max(np.maximum.accumulate(moves, axis=1) - moves) / np.ptp(moves))
    return worst


def read(path):
    """Frame with float and category columns, and the target: numbers, or 0 and 1."""
    frame = pd.read_csv(path)
    y = frame.pop("target")
    for name in frame.columns:
        frame[name] = frame[name].astype(float if is_numeric_dtype(frame[name]) else "category")
    regression = is_numeric_dtype(y)
    return frame, y.to_numpy() if regression else (y == sorted(y.unique())[1]).astype(int).to_numpy(), regression


def measure(name, path, folds):
    """(library, constraint) -> errors and largest violation"""
    frame, y, regression = read(path)
    kind = KFold if regression else StratifiedKFold
    results = {}
    for fold, (train, test) in enumerate(list(kind(10, shuffle=True, random_state=SEED).split(frame, y))[:folds]):
        for constraint in CONSTRAINTS:
            for library, model in estimators(frame, CASES[name], constraint, regression).items():
                model.fit(frame.iloc[train], y[train])
                given = predictions_of(model, frame.iloc[test], regression)
                error = (root_mean_squared_error if regression else log_loss)(y[test], given)
                moved = largest_violation(model, frame.iloc[test], CASES[name], regression)
                errors, worst = results.setdefault((library, constraint), ([], []))
                errors.append(error)
                worst.append(moved)
                progress(f"{name} fold {fold} {library} {constraint}: {error:.5g}, violation {moved:.2g}")
    return results, "RMSE" if regression else "log loss"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", metavar="DATA_DIR")
    parser.add_argument("--tables", default=",".join(CASES), help="comma-separated (%(default)s)")
    parser.add_argument("--folds", type=int, default=5, help="1 to 10 (%(default)s)")
    options = parser.parse_args()
    print(f"{hardware()}; accrete {accrete.__version__}, XGBoost {xgboost.__version__}, "
          f"LightGBM {lightgbm.__version__}; {options.folds} folds, mean ± standard error\n")
    head("table", "error", "constraint", *(title for library in ("accrete", "XGBoost", "LightGBM")
                                           for title in (library, "violation")))
    for name in options.tables.split(","):
        path = next((found for folder in options.data if (found := find_data(folder, name))), None)
        if path is None:
            progress(f"{name}: not found")
            continue
        results, unit = measure(name, path, options.folds)
        for constraint in CONSTRAINTS:
            cells = []
            for library in ("accrete", "XGBoost", "LightGBM"):
                errors, worst = results[library, constraint]
                spread = np.std(errors, ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else 0.0
                cells += [f"{np.mean(errors):.4g} ± {spread:.2g}", f"{max(worst):.1g}"]
            row(name, unit, constraint, *cells)


if __name__ == "__main__":
    main()
