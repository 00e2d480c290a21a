"""One fit of one entry on one fold, measured. This runs in a worker, which keeps the last table and its encoding."""
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

# Grades of wine are few whole numbers, which would be taken for classes; the paper predicts them as numbers.
REGRESSION = {"wine_red", "wine_white"}
SPLIT = "70/30"


class Table:
    """A file: text for accrete, `y` for everybody (numbers, or indices into `classes`)."""

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
    """The rows to train on and to test on. A fold is "3/10" or, for files so large that one will do, SPLIT."""
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
def inputs_of(name, path, seed, fold):
    train, _ = rows_of(name, path, seed, fold)
    return encode(table_of(name, path).rows, train)


def log_loss(probabilities, wanted):
    """With logarithms to base e. One who gives 0 to what then happens pays for 1e-15."""
    p = np.clip(np.asarray(probabilities, float), 1e-15, 1.0)
    p /= p.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(p[np.arange(len(wanted)), wanted])))


def measures(table, found, wanted):
    """`found`: numbers in regression, else probabilities with a column for every class of the file, or classes."""
    if table.regression:
        return {"rmse": float(np.sqrt(np.mean((np.asarray(found, float) - wanted) ** 2)))}
    found = np.asarray(found)
    chosen = found.argmax(axis=1) if found.ndim == 2 else found
    wrong = int(np.sum(chosen != wanted))
    result = {"wrong": wrong, "error": wrong / len(wanted)}
    if found.ndim == 2:
        result["log_loss"] = log_loss(found, wanted)
    return result


def cut(x, rows):
    return x.iloc[rows] if hasattr(x, "iloc") else x[rows]


def fit_model(entry, model, table, x, train, test, calls=1):
    """`x`: an array or a pandas frame, cut before the clock starts. Prediction is timed as the median of so many calls.
    Classes that no row to train on has are not shown to the model, for some insist on having seen all."""
    if table.regression:
        seen, y = None, table.y[train]
    else:
        seen, y = np.unique(table.y[train], return_inverse=True)
    known, new = cut(x, train), cut(x, test)
    start = time.perf_counter()
    model.fit(known, y)
    fit_s = time.perf_counter() - start
    decides = table.regression or entry in WITHOUT_PROBABILITIES
    predict = model.predict if decides else model.predict_proba
    predict_s = []
    for _ in range(calls):
        start = time.perf_counter()
        found = predict(new)
        predict_s.append(time.perf_counter() - start)
    if not table.regression and decides:
        found = seen[found]
    elif not table.regression:
        found, narrow = np.zeros((len(test), len(table.classes))), found
        found[:, seen] = narrow
    return {**measures(table, found, table.y[test]), "fit_s": fit_s, "predict_s": statistics.median(predict_s)}


def predict_accrete(table, report, scratch, units=None):
    """Numbers, or probabilities by the classes of the file."""
    command = [ACCRETE, "predict", f"{scratch}/model.safetensors", f"{scratch}/test.csv", "--threads", "1", "--quiet",
               "-o", f"{scratch}/found.csv"]
    command += [] if table.regression else ["--proba"]
    command += [] if units is None else ["--units", str(units)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    _, rows = read_rows(f"{scratch}/found.csv")
    if table.regression:
        return [float(r[0]) for r in rows]
    numeric = all(number(c) is not None for c in table.classes)  # "1" and "1.0" are one class
    places = {number(c) if numeric else c: i for i, c in enumerate(table.classes)}
    columns = [places[number(c) if numeric else c] for c in report["classes"]]
    found = np.zeros((len(rows), len(table.classes)))
    found[:, columns] = [[float(cell) for cell in r[1:]] for r in rows]
    return found


def fit_accrete(entry, table, train, test, seed, scratch):
    """Prediction is timed as the whole command: starting it, reading a CSV file, writing one."""
    write_csv(f"{scratch}/train.csv", table.header, [table.rows[i] for i in train])
    write_csv(f"{scratch}/test.csv", table.header, [table.rows[i] for i in test])
    command = [ACCRETE, "train", f"{scratch}/train.csv", "--target", table.header[-1], "--task", table.task,
               "--preset", PRESETS[entry], "--seed", str(seed), "--threads", "1", "--json",
               "-o", f"{scratch}/model.safetensors", *os.environ.get("ACCRETE_FLAGS", "").split()]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    start = time.perf_counter()
    found = predict_accrete(table, report, scratch)
    seconds = time.perf_counter() - start
    least = report["units"] // max(1, report["steps"])  # of one step; no prefix is shorter
    quarter = predict_accrete(table, report, scratch, max(least, report["units"] // 4))
    wanted = table.y[test]
    kept = {name: value for name, value in report.items() if name not in ("curve", "curves", "model")}
    return {**measures(table, found, wanted), "fit_s": report["seconds"], "predict_s": seconds,
            "units": report["units"], "quarter": measures(table, quarter, wanted), "report": kept}


def fit(job, scratch, begun):
    """The result of a job, as a line of the store; what went wrong if it did. Calls `begun` when all is prepared."""
    warnings.filterwarnings("ignore")
    entry, seed = job["entry"], job["seed"]
    where = job["data"], job["path"], seed, job["fold"]
    try:
        table = table_of(job["data"], job["path"])
        train, test = rows_of(*where)
        about = {"task": table.task, "train_rows": len(train), "test_rows": len(test)}
        if entry in PRESETS:
            begun()
            found = fit_accrete(entry, table, train, test, seed, scratch)
        else:
            x, model = inputs_of(*where), make(entry, table.regression, seed)
            begun()
            found = {**fit_model(entry, model, table, x, train, test), "version": version_of(entry)}
        return {"status": "ok", **about, **found}
    except subprocess.CalledProcessError as error:
        said = (error.stderr or "").strip()[-400:]
        return {"status": "failed", "reason": f"accrete {error.cmd[1]} ended with {error.returncode}: {said}"}
    except Exception as error:  # noqa: BLE001  # whatever a program throws is its result here
        return {"status": "failed", "reason": f"{type(error).__name__}: {error}"[:500]}
