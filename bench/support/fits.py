"""Fits and scores one entry on one fold. Runs in a worker process, which caches the last table and its encoding."""
import functools
import json
import os
import statistics
import subprocess
import time
import warnings

import numpy as np

from common import ACCRETE, read_rows
from support.entries import PRESETS, WITHOUT_PROBABILITIES, make, version_of
from support.tables import encode, number, task_of, write_csv

# Wine grades are a few integers, which task_of infers as classes; the paper treats them as regression.
REGRESSION = {"wine_red", "wine_white"}
SPLIT = "70/30"


class Table:
    """A data file: its rows as strings, and `y` as numbers or indices into `classes`."""

    def __init__(self, name, path):
        self.name = name
        self.header, rows = read_rows(path)
        self.rows = [r for r in rows if r]
        labels = [r[-1].strip() for r in self.rows]
        self.task = "regression" if name in REGRESSION else task_of(labels)
        self.regression = self.task == "regression"
        self.classes = [] if self.regression else sorted(set(labels))
        places = {label: i for i, label in enumerate(self.classes)}
        self.y = np.array([float(label) if self.regression else places[label] for label in labels])
        self.y = self.y if self.regression else self.y.astype(int)
        self.cost = len(self.rows) * (len(self.header) - 1) * max(1, len(self.classes))


@functools.lru_cache(maxsize=1)
def table_of(name, path):
    return Table(name, path)


@functools.lru_cache(maxsize=1)
def rows_of(name, path, seed, fold):
    """Indices of the training and test rows. `fold` is "3/10" or, for large files, SPLIT."""
    from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
    table = table_of(name, path)
    y = table.y
    if fold == SPLIT:
        return train_test_split(np.arange(len(y)), test_size=.3, random_state=seed,
                                stratify=None if table.regression else y)
    which, count = map(int, fold.split("/"))
    kind = KFold if table.regression else StratifiedKFold
    return list(kind(count, shuffle=True, random_state=seed).split(y, y))[which]


@functools.lru_cache(maxsize=1)
def encoded_inputs(name, path, seed, fold):
    train, _ = rows_of(name, path, seed, fold)
    return encode(table_of(name, path).rows, train)


def log_loss(probabilities, y):
    """Mean negative natural logarithm of the true class's probability, clipped at 1e-15."""
    p = np.clip(np.asarray(probabilities, float), 1e-15, 1.0)
    p /= p.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(p[np.arange(len(y)), y])))


def metrics(table, predicted, y):
    """`predicted`: values, class indices, or probabilities with one column per class of the file."""
    if table.regression:
        return {"rmse": float(np.sqrt(np.mean((np.asarray(predicted, float) - y) ** 2)))}
    predicted = np.asarray(predicted)
    labels = predicted.argmax(axis=1) if predicted.ndim == 2 else predicted
    wrong = int(np.sum(labels != y))
    result = {"wrong": wrong, "error": wrong / len(y)}
    if predicted.ndim == 2:
        result["log_loss"] = log_loss(predicted, y)
    return result


def select(x, rows):
    return x.iloc[rows] if hasattr(x, "iloc") else x[rows]


def fit_model(entry, model, table, x, train, test, calls=1):
    """`x`: an array or a pandas frame. Prediction is timed as the median of `calls` calls. Classes are renumbered to
    those of the training rows, because some libraries require every class to occur."""
    if table.regression:
        seen, y = None, table.y[train]
    else:
        seen, y = np.unique(table.y[train], return_inverse=True)
    x_train, x_test = select(x, train), select(x, test)
    start = time.perf_counter()
    model.fit(x_train, y)
    fit_s = time.perf_counter() - start
    direct = table.regression or entry in WITHOUT_PROBABILITIES
    predict = model.predict if direct else model.predict_proba
    predict_s = []
    for _ in range(calls):
        start = time.perf_counter()
        predicted = predict(x_test)
        predict_s.append(time.perf_counter() - start)
    if not table.regression and direct:
        predicted = seen[predicted]
    elif not table.regression:
        predicted, compact = np.zeros((len(test), len(table.classes))), predicted
        predicted[:, seen] = compact
    return {**metrics(table, predicted, table.y[test]), "fit_s": fit_s, "predict_s": statistics.median(predict_s)}


def predict_accrete(table, report, scratch, units=None):
    """Values, or probabilities in the order of the file's classes."""
    command = [ACCRETE, "predict", f"{scratch}/model.safetensors", f"{scratch}/test.csv", "--threads", "1", "--quiet",
               "-o", f"{scratch}/predictions.csv"]
    command += [] if table.regression else ["--proba"]
    command += [] if units is None else ["--units", str(units)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    _, rows = read_rows(f"{scratch}/predictions.csv")
    if table.regression:
        return [float(r[0]) for r in rows]
    numeric = all(number(c) is not None for c in table.classes)  # "1" and "1.0" are the same class
    index = {number(c) if numeric else c: i for i, c in enumerate(table.classes)}
    columns = [index[number(c) if numeric else c] for c in report["classes"]]
    probabilities = np.zeros((len(rows), len(table.classes)))
    probabilities[:, columns] = [[float(cell) for cell in r[1:]] for r in rows]
    return probabilities


def fit_accrete(entry, table, train, test, seed, scratch):
    """Prediction is timed as the whole command, including its start and reading and writing CSV files."""
    write_csv(f"{scratch}/train.csv", table.header, [table.rows[i] for i in train])
    write_csv(f"{scratch}/test.csv", table.header, [table.rows[i] for i in test])
    command = [ACCRETE, "train", f"{scratch}/train.csv", "--target", table.header[-1], "--task", table.task,
               "--preset", PRESETS[entry], "--seed", str(seed), "--threads", "1", "--json",
               "-o", f"{scratch}/model.safetensors", *os.environ.get("ACCRETE_FLAGS", "").split()]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    start = time.perf_counter()
    predicted = predict_accrete(table, report, scratch)
    seconds = time.perf_counter() - start
    first_step = report["units"] // max(1, report["steps"])  # the shortest prefix
    quarter = predict_accrete(table, report, scratch, max(first_step, report["units"] // 4))
    y = table.y[test]
    kept = {name: value for name, value in report.items() if name not in ("curve", "curves", "model")}
    return {**metrics(table, predicted, y), "fit_s": report["seconds"], "predict_s": seconds,
            "units": report["units"], "quarter": metrics(table, quarter, y), "report": kept}


def fit(job, scratch, on_start):
    """The record of a job for the store, with the reason if it failed. Calls `on_start` once the data is prepared."""
    warnings.filterwarnings("ignore")
    entry, seed = job["entry"], job["seed"]
    where = job["data"], job["path"], seed, job["fold"]
    try:
        table = table_of(job["data"], job["path"])
        train, test = rows_of(*where)
        info = {"task": table.task, "train_rows": len(train), "test_rows": len(test)}
        if entry in PRESETS:
            on_start()
            result = fit_accrete(entry, table, train, test, seed, scratch)
        else:
            x, model = encoded_inputs(*where), make(entry, table.regression, seed)
            on_start()
            result = {**fit_model(entry, model, table, x, train, test), "version": version_of(entry)}
        return {"status": "ok", **info, **result}
    except subprocess.CalledProcessError as error:
        message = (error.stderr or "").strip()[-400:]
        return {"status": "failed", "reason": f"accrete {error.cmd[1]} ended with {error.returncode}: {message}"}
    except Exception as error:  # noqa: BLE001  # any exception of a library is its result
        return {"status": "failed", "reason": f"{type(error).__name__}: {error}"[:500]}
