"""Data sets as the comparisons with other programs take them: found, read, told apart by task, encoded."""
import csv
import pathlib

import numpy as np

from common import make_data

MADE = [("ringnorm", 1000), ("waveform", 2000), ("tic-tac-toe", 958), ("friedman1", 2000)]
MISSING = {"", "na", "n/a", "?", "nan", "null", "none"}


def data_sets(folder, scratch):
    """(name, path)"""
    if folder:
        for path in sorted(pathlib.Path(folder).glob("*.csv*")):
            if path.name.endswith((".csv", ".csv.gz")):
                yield path.name.split(".csv")[0], str(path)
        return
    for name, rows in MADE:
        yield f"{name} {rows}", make_data(name, rows, scratch)


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def task_of(labels):
    """As accrete chooses: few whole numbers and anything that is no number are classes."""
    numbers = [number(label) for label in set(labels)]
    if all(n is not None for n in numbers) and (len(set(numbers)) > 20 or any(n != int(n) for n in numbers)):
        return "regression"
    return "binary" if len(set(labels)) == 2 else "multiclass"


def encode(rows, train):
    """Numbers with NaN where missing, and categories one-hot by the levels of the training rows."""
    columns = []
    for c in range(len(rows[0]) - 1):
        texts = [None if r[c].strip().lower() in MISSING else r[c].strip() for r in rows]
        values = [np.nan if text is None else number(text) for text in texts]
        if all(v is not None for v in values):
            columns.append(values)
        else:
            levels = sorted({texts[i] for i in train if texts[i] is not None})
            columns.extend([float(text == level) for text in texts] for level in levels)
    return np.array(columns, dtype=np.float32).T


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
