"""Data sets for the comparisons with other libraries: finding, reading, task detection, encoding."""
import csv
import pathlib

import numpy as np

from common import make_data

GENERATED = [("ringnorm", 1000), ("waveform", 2000), ("tic-tac-toe", 958), ("friedman1", 2000)]
MISSING = {"", "na", "n/a", "?", "nan", "null", "none"}


def data_sets(folder, scratch):
    """Yields (name, path)."""
    if folder:
        for path in sorted(pathlib.Path(folder).glob("*.csv*")):
            if path.name.endswith((".csv", ".csv.gz")):
                yield path.name.split(".csv")[0], str(path)
        return
    for name, rows in GENERATED:
        yield f"{name} {rows}", make_data(name, rows, scratch)


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def task_of(labels):
    """As accrete does: up to 20 distinct integers, and anything that is not a number, are classes."""
    numbers = [number(label) for label in set(labels)]
    if all(n is not None for n in numbers) and (len(set(numbers)) > 20 or any(n != int(n) for n in numbers)):
        return "regression"
    return "binary" if len(set(labels)) == 2 else "multiclass"


def columns_of(rows):
    """Yields every column but the last: an array with NaN for missing, or a list of strings with None for missing."""
    for c in range(len(rows[0]) - 1):
        strings = [None if r[c].strip().lower() in MISSING else r[c].strip() for r in rows]
        values = [np.nan if s is None else number(s) for s in strings]
        yield strings if None in values else np.array(values)


def encode(rows, train):
    """A float32 array with NaN for missing, and categories one-hot by the levels of the training rows."""
    columns = []
    for column in columns_of(rows):
        if isinstance(column, np.ndarray):
            columns.append(column)
        else:
            levels = sorted({column[i] for i in train if column[i] is not None})
            columns.extend([float(value == level) for value in column] for level in levels)
    return np.array(columns, dtype=np.float32).T


def frame_of(header, rows):
    """The same columns as a data frame with strings; None if all columns are numeric."""
    columns = list(columns_of(rows))
    if all(isinstance(column, np.ndarray) for column in columns):
        return None
    import pandas
    return pandas.DataFrame(dict(zip(header, columns)))


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
