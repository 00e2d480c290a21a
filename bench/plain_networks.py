#!/usr/bin/env python3
"""Score and fit time of plain networks against scikit-learn's at equal settings, on the same folds.

    ./dev bench plain_networks [DATA_DIR] [--quick] [--only NAME,...] [--learners adam,sgd,lbfgs] [--folds 10]
                               [--seed 0] [--hidden 100] [--threads 1]

DATA_DIR holds data sets as NAME.csv or NAME.csv.gz, target last. Ten of them are used by name; --quick uses three of
these and five folds. Without it, data is generated. Both libraries train one network per fold with adam, sgd and
lbfgs and scikit-learn's defaults, on standardised inputs and the target as it is. Their random draws differ, so that
even equal programs would differ. The learner adaboost, which must be named, is 67 networks of 3 units by lbfgs, with
scikit-learn's made to resample in classification too; it takes minutes per data set there. ± is the standard error
over folds; `difference` is the difference of the means in standard errors, positive where accrete is better. Times
are of the fit, including standardisation but not reading. The goal: within one standard error, and as fast or
faster. The last line counts how often it is met.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("data", nargs="?")
parser.add_argument("--quick", action="store_true")
parser.add_argument("--only", default="", help="names of data sets, comma-separated")
parser.add_argument("--folds", type=int, default=0)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--hidden", default="100", help="units of each hidden layer, comma-separated")
parser.add_argument("--learners", default="adam,sgd,lbfgs", help="solvers of a single network, or adaboost")
parser.add_argument("--threads", type=int, default=1)
options = parser.parse_args()
# NumPy's libraries read these when they load.
os.environ.update({name: str(options.threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")})

import numpy as np
import sklearn
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from common import ACCRETE, hardware, head, progress, read_rows, row
from support.tables import data_sets, encode, task_of, write_csv

warnings.filterwarnings("ignore")

DATA_SETS = ["breast_cancer", "diabetes", "german", "tic-tac-toe", "vehicle", "vowel", "digits", "boston", "concrete",
       "energy_heating"]
QUICK = ["breast_cancer", "vowel", "boston"]
ESTIMATORS, UNITS = 67, 3


class Resampled(MLPClassifier):
    """Draws rows by their weights, as in the paper; scikit-learn's AdaBoost resamples only in regression."""

    def fit(self, x, y, sample_weight=None):
        rows = np.random.RandomState(self.random_state).choice(len(y), len(y), p=sample_weight / sample_weight.sum())
        return super().fit(x[rows], y[rows])


class FoldedData:
    """A data set with its folds."""

    def __init__(self, name, path, folds):
        self.name = name
        self.header, rows = read_rows(path)
        self.rows = [r for r in rows if r]
        labels = [r[-1].strip() for r in self.rows]
        self.task = task_of(labels)
        self.regression = self.task == "regression"
        if self.regression:
            self.y = np.array([float(label) for label in labels])
            splitter = KFold(folds, shuffle=True, random_state=options.seed)
        else:
            self.y = np.array([sorted(set(labels)).index(label) for label in labels])
            splitter = StratifiedKFold(folds, shuffle=True, random_state=options.seed)
        self.folds = list(splitter.split(self.y, self.y))


def flags_of(learner):
    """The flags for accrete."""
    if learner == "adaboost":
        return ["--method", "adaboost", "--estimators", str(ESTIMATORS), "--units-per-step", str(UNITS)]
    return ["--method", "network", "--hidden", options.hidden, "--solver", learner]


def estimator(learner, regression, seed):
    """The same estimator from scikit-learn."""
    if learner == "adaboost":
        small = (MLPRegressor if regression else Resampled)(hidden_layer_sizes=(UNITS,), solver="lbfgs")
        kind = AdaBoostRegressor if regression else AdaBoostClassifier
        return kind(small, n_estimators=ESTIMATORS, random_state=seed)
    hidden = tuple(int(units) for units in options.hidden.split(","))
    return (MLPRegressor if regression else MLPClassifier)(hidden_layer_sizes=hidden, solver=learner, random_state=seed)


def run_accrete(data, learner, fold, scratch):
    """Returns (seconds, score)."""
    train, test = data.folds[fold]
    write_csv(f"{scratch}/train.csv", data.header, [data.rows[i] for i in train])
    write_csv(f"{scratch}/test.csv", data.header, [data.rows[i] for i in test])
    shared = ["--threads", str(options.threads), "--json"]

    def call(*arguments):
        done = subprocess.run([ACCRETE, *arguments, *shared], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    model = f"{scratch}/model.safetensors"
    fit = call("train", f"{scratch}/train.csv", "--target", data.header[-1], "--task", data.task,
               *flags_of(learner), "--seed", str(options.seed + fold), "-o", model)
    scores = call("evaluate", model, f"{scratch}/test.csv")["results"][0]
    return fit["seconds"], scores["rmse" if data.regression else "accuracy"]


def run_sklearn(data, learner, fold):
    """Returns (seconds, score)."""
    train, test = data.folds[fold]
    x = encode(data.rows, train)
    pipeline = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(),
                             estimator(learner, data.regression, options.seed + fold))
    start = time.perf_counter()
    pipeline.fit(x[train], data.y[train])
    seconds = time.perf_counter() - start
    predicted = pipeline.predict(x[test])
    if data.regression:
        return seconds, float(np.sqrt(np.mean((predicted - data.y[test]) ** 2)))
    return seconds, float(np.mean(predicted == data.y[test]))


def mean_and_standard_error(values):
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values))


def compare(data, learner, scratch):
    """Prints one row; returns the difference in standard errors and the speedup."""
    ours, theirs = [], []
    for fold in range(len(data.folds)):
        ours.append(run_accrete(data, learner, fold, scratch))
        theirs.append(run_sklearn(data, learner, fold))
    seconds, their_seconds = (statistics.median(s for s, _ in runs) for runs in (ours, theirs))
    (score, error), (their_score, their_error) = (
        mean_and_standard_error([v for _, v in runs]) for runs in (ours, theirs))
    gain = their_score - score if data.regression else score - their_score
    spread = math.hypot(error, their_error)
    difference = gain / spread if spread > 0 else 0.0 if gain == 0 else math.copysign(math.inf, gain)
    row(data.name, f"{len(data.rows)} x {len(data.header) - 1}", learner, "RMSE" if data.regression else "accuracy",
        f"{score:.4g} ± {error:.2g}", f"{their_score:.4g} ± {their_error:.2g}", f"{difference:+.2f}",
        f"{seconds:.3g}", f"{their_seconds:.3g}", f"{their_seconds / seconds:.1f}")
    return difference, their_seconds / seconds


def main():
    folds = options.folds or (5 if options.quick else 10)
    wanted = options.only.split(",") if options.only else QUICK if options.quick else DATA_SETS
    print(f"hardware: {hardware()}; {folds} folds, seed {options.seed}, hidden {options.hidden}, "
          f"{options.threads} thread(s); scikit-learn {sklearn.__version__}; ±: standard error over folds\n")
    head("data", "rows x columns", "learner", "score", "accrete", "scikit-learn", "difference", "accrete, s",
         "scikit-learn, s", "times faster")
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for name, path in data_sets(options.data, scratch):
            if (options.data or options.only) and name not in wanted:
                continue
            data = FoldedData(name, path, folds)
            for learner in options.learners.split(","):
                progress(f"{name}: {learner}")
                results.append(compare(data, learner, scratch))
    if not results:
        sys.exit("no data set found")
    worse = sum(difference < -1 for difference, _ in results)
    better = sum(difference > 1 for difference, _ in results)
    slower = sum(ratio < 1 for _, ratio in results)
    print(f"\n{len(results)} comparisons: {len(results) - worse - better} within one standard error, {better} better, "
          f"{worse} worse; {len(results) - slower} as fast or faster, {slower} slower; "
          f"{statistics.geometric_mean(ratio for _, ratio in results):.1f} times faster in the geometric mean")


if __name__ == "__main__":
    main()
