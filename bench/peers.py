#!/usr/bin/env python3
"""accrete beside scikit-learn's MLP, XGBoost and LightGBM on the same folds: training time, score, prediction time.

    ./dev bench peers [DATA_DIR] [--only NAME,...] [--folds 5] [--seed 0] [--most-rows 20000]

DATA_DIR holds data sets as NAME.csv or NAME.csv.gz, target last and named `target`; without it, data is generated. Every
program runs with its own defaults, on all threads it takes by default. What differs by need: the MLPs get standardised
inputs and, in regression, a standardised target, which they are helpless without; all but accrete get gaps and categories
encoded here (accrete does it itself, and the time counts). Seconds of training exclude reading for all. Seconds of
prediction are of the call for the others; for accrete they are of the whole command, with starting it, reading the CSV
and writing one. There is no mark here: read score and time together.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from common import ACCRETE, head, machine, progress, read_rows, row
from support.tables import data_sets, encode, number, task_of, write_csv

warnings.filterwarnings("ignore")


def peers(regression, seed):
    """name -> a new estimator"""
    import lightgbm
    import xgboost

    def mlp(solver):
        net = (MLPRegressor if regression else MLPClassifier)(solver=solver, random_state=seed)
        whole = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), net)
        return TransformedTargetRegressor(whole, transformer=StandardScaler()) if regression else whole

    kind = "Regressor" if regression else "Classifier"
    return {
        "MLP lbfgs": lambda: mlp("lbfgs"),
        "MLP adam": lambda: mlp("adam"),
        "XGBoost": lambda: getattr(xgboost, "XGB" + kind)(random_state=seed),
        "LightGBM": lambda: getattr(lightgbm, "LGBM" + kind)(random_state=seed, verbose=-1),
    }


def score_of(regression, predicted, wanted):
    if regression:
        return float(np.sqrt(np.mean((np.asarray(predicted, float) - np.asarray(wanted, float)) ** 2)))
    return float(np.mean(np.asarray(predicted) == np.asarray(wanted)))


def run_peer(estimator, x, y, train, test, regression):
    start = time.perf_counter()
    estimator.fit(x[train], y[train])
    middle = time.perf_counter()
    predicted = estimator.predict(x[test])
    end = time.perf_counter()
    return middle - start, score_of(regression, predicted, y[test]), end - middle


def run_accrete(preset, task, header, rows, train, test, seed, scratch):
    model, predictions = f"{scratch}/model.safetensors", f"{scratch}/predictions.csv"
    write_csv(f"{scratch}/train.csv", header, [rows[i] for i in train])
    write_csv(f"{scratch}/test.csv", header, [rows[i] for i in test])
    command = [ACCRETE, "train", f"{scratch}/train.csv", "--target", header[-1], "--task", task, "--preset", preset,
               "--seed", str(seed), "--json", "-o", model]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    start = time.perf_counter()
    subprocess.run([ACCRETE, "predict", model, f"{scratch}/test.csv", "-o", predictions, "--quiet"], check=True)
    seconds = time.perf_counter() - start
    regression = task == "regression"
    found = [r[0] for r in read_rows(predictions)[1]]
    wanted = [rows[i][-1] for i in test]
    if not regression and all(number(w) is not None for w in wanted):  # "1" and "1.0" are one class
        found, wanted = [number(f) for f in found], [number(w) for w in wanted]
    return report["seconds"], score_of(regression, found, wanted), seconds


def run_data_set(name, path, options, scratch):
    header, rows = read_rows(path)
    rows = [r for r in rows if r]
    labels = [r[-1].strip() for r in rows]
    task = task_of(labels)
    regression = task == "regression"
    if regression:
        y = np.array([float(label) for label in labels])
        folds = KFold(options.folds, shuffle=True, random_state=options.seed).split(y)
    else:
        y = np.array([sorted(set(labels)).index(label) for label in labels])
        folds = StratifiedKFold(options.folds, shuffle=True, random_state=options.seed).split(y, y)
    results = {}
    for fold, (train, test) in enumerate(folds):
        progress(f"{name}: fold {fold + 1} of {options.folds}")
        for preset in ("default", "paper"):
            found = run_accrete(preset, task, header, rows, train, test, options.seed, scratch)
            results.setdefault(f"accrete {preset}", []).append(found)
        x = encode(rows, train)
        for peer, make in peers(regression, options.seed).items():
            results.setdefault(peer, []).append(run_peer(make(), x, y, train, test, regression))
    for program, runs in results.items():
        seconds, scores, predict = zip(*runs)
        spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
        row(name, f"{len(rows)} x {len(header) - 1}", program, "RMSE" if regression else "accuracy",
            f"{statistics.mean(scores):.4g} ± {spread:.2g}", f"{statistics.mean(seconds):.3g}",
            f"{1e3 * statistics.mean(predict):.3g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?")
    parser.add_argument("--only", default="", help="data sets by name, with commas between")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most-rows", type=int, default=20000, help="larger data sets are left out")
    options = parser.parse_args()
    import lightgbm
    import sklearn
    import xgboost
    print(f"machine: {machine()}; {options.folds} folds, seed {options.seed}; scikit-learn {sklearn.__version__}, "
          f"XGBoost {xgboost.__version__}, LightGBM {lightgbm.__version__}; ±: standard deviation over folds\n")
    head("data", "rows x columns", "program", "score", "value", "training, s", "prediction, ms")
    done = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, path in data_sets(options.data, scratch):
            if options.only and name not in options.only.split(","):
                continue
            if len(read_rows(path)[1]) > options.most_rows:
                progress(f"{name}: more than {options.most_rows} rows, left out")
                continue
            run_data_set(name, path, options, scratch)
            done += 1
    if not done:
        sys.exit("no data set to run on")


if __name__ == "__main__":
    main()
