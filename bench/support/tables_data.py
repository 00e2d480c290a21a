"""Tables of the benchmark `tables`: reading, folds, row samples, and a synthetic table with large categories."""
import dataclasses
import pickle

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

from support.fits import table_of
from support.tables import columns_of

SEED = 1  # of the folds, the row samples, the synthetic table and the fits
SPLITS = 10
SYNTHETIC_LEVELS = [10, 100, 1000, 5000, 10000]
SYNTHETIC_NUMBERS = 25


@dataclasses.dataclass
class PreparedTable:
    """`frame` has float columns with NaN and category columns with string levels. `y` is numbers or class indices.
    `folds` holds pairs of training and test row indices."""

    name: str
    task: str
    frame: pd.DataFrame
    y: np.ndarray
    classes: int
    folds: list

    @property
    def regression(self):
        return self.task == "regression"

    def write(self, path):
        with open(path, "wb") as file:
            pickle.dump(self, file, protocol=pickle.HIGHEST_PROTOCOL)


def frame_of(columns):
    """Columns are renamed c0, c1, ..., because LightGBM refuses some characters."""
    return pd.DataFrame({f"c{i}": column if isinstance(column, np.ndarray) else pd.Categorical(column)
                         for i, column in enumerate(columns)})


def folds_of(y, regression):
    kind = KFold if regression else StratifiedKFold
    return list(kind(SPLITS, shuffle=True, random_state=SEED).split(np.zeros(len(y)), y))


def read_table(name, path, min_rows, max_rows):
    """The table, or a text that says why it is skipped. `max_rows` draws a sample of the rows; None: all rows."""
    table = table_of(name, path)
    if table.header[-1] != "target":
        return f"the last column is '{table.header[-1]}', not 'target'"
    if len(table.rows) <= min_rows:
        return f"{len(table.rows)} rows, not more than {min_rows}"
    frame, y = frame_of(columns_of(table.rows)), table.y
    if max_rows is not None and max_rows < len(y):
        sample = np.sort(np.random.default_rng(SEED).choice(len(y), max_rows, replace=False))
        frame, y = frame.iloc[sample].reset_index(drop=True), y[sample]
    return PreparedTable(name=name, task=table.task, frame=frame, y=y, classes=len(table.classes),
                         folds=folds_of(y, table.regression))


def skewed_levels(rng, rows, levels):
    """Indices of levels; low indices are frequent, high ones rare."""
    return (levels * rng.random(rows) ** 2).astype(np.int32)


def synthetic_table(name, rows):
    """`rows` training rows and a tenth as many test rows. Two classes that depend on numeric columns, on all category
    columns and on an interaction of both, with noise."""
    rng = np.random.default_rng(SEED)
    total = rows + max(1, rows // 10)
    columns, score = [], np.zeros(total)
    for _ in range(SYNTHETIC_NUMBERS):
        columns.append(rng.standard_normal(total, dtype=np.float32))
    score += columns[0] + np.sin(2 * columns[1]) + .5 * columns[2] * columns[3] + np.abs(columns[4]) - .8
    for levels in SYNTHETIC_LEVELS:
        codes = skewed_levels(rng, total, levels)
        score += rng.normal(scale=.6, size=levels)[codes]
        if levels == SYNTHETIC_LEVELS[0]:
            score += rng.normal(scale=.6, size=levels)[codes] * columns[5]
        columns.append(pd.Categorical.from_codes(codes, [f"level {i}" for i in range(levels)]))
    frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(columns)})
    y = (score + rng.logistic(scale=.5, size=total) > 0).astype(int)
    fold = np.arange(rows), np.arange(rows, total)
    return PreparedTable(name=name, task="binary", frame=frame, y=y, classes=2, folds=[fold])
