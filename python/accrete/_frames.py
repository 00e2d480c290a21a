"""From what users hold (arrays, data frames, Arrow tables) to the library's table of columns.

A column is either numbers (NaN is a gap) or text (codes into levels, -1 is a gap), as in a CSV file. A pandas or Arrow
category is text whatever it holds; so are strings that are not numbers.
"""

import numpy as np

from accrete._core import Table


def is_frame(X):
    """Whether X has named, typed columns, rather than being an array of one type."""
    return hasattr(X, "__arrow_c_stream__") or (hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns"))


def column_names(X):
    """The names of a frame's columns as texts, in order."""
    if hasattr(X, "columns") and not callable(X.columns) and not hasattr(X, "column_names"):
        names = [str(name) for name in X.columns]
    elif hasattr(X, "column_names"):
        names = [str(name) for name in X.column_names]
    else:
        names = Table.arrow_names(X)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"X: the column names must differ from each other; more than once: {', '.join(twice)}")
    return names


def row_count(X):
    if hasattr(X, "shape"):
        return X.shape[0]
    if hasattr(X, "num_rows"):
        return X.num_rows
    return len(X)


def text_of(value):
    """A label or category as a CSV file would spell it; a whole float as the integer it is."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _is_gap(value):
    return value is None or value != value  # NaN, NaT and pandas.NA are not equal to themselves, or not comparable


def _safe_is_gap(value):
    try:
        return bool(_is_gap(value))
    except TypeError:  # pandas.NA
        return True


def _numbers_of_objects(values):
    """Objects as numbers, gaps as NaN; raises ValueError or TypeError, as float() does, where one is none."""
    return np.array([np.nan if _safe_is_gap(value) else float(value) for value in values], dtype=np.float64)


def _codes_of_objects(values, where):
    levels, codes = {}, np.empty(len(values), dtype=np.int32)
    for row, value in enumerate(values):
        if _safe_is_gap(value) or (isinstance(value, str) and value == ""):
            codes[row] = -1
            continue
        if not isinstance(value, (str, bytes, bool, int, float, np.generic)):
            raise TypeError(f"{where}, row {row}: argument must be a string or a number, not {type(value).__name__!r}")
        codes[row] = levels.setdefault(text_of(value), len(levels))
    return codes, list(levels)


def add_objects(table, name, values, kind, where):
    """A column of Python objects: numbers where all are, text otherwise."""
    if kind != "text":
        try:
            table.add_numbers(name, _numbers_of_objects(values))
            return
        except (ValueError, TypeError):
            if kind == "numeric":
                raise
            if any(isinstance(value, (dict, list, tuple, set)) for value in values):
                raise
    table.add_text(name, *_codes_of_objects(values, where))


def _add_pandas(table, name, column, kind):
    import pandas as pd

    where = f"column {name!r}"
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and kind != "numeric":
        levels = [text_of(level) for level in dtype.categories]
        distinct = {level: code for code, level in enumerate(dict.fromkeys(levels))}
        spread = np.array([distinct[level] for level in levels] + [-1], dtype=np.int32)
        table.add_text(name, spread[column.cat.codes.to_numpy()], list(distinct))
    elif pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        if pd.api.types.is_complex_dtype(dtype):
            raise ValueError(f"X: {where}: Complex data not supported")
        if kind == "text":
            add_objects(table, name, column.to_numpy(dtype=object), kind, where)
            return
        plain = column.to_numpy()
        if plain.dtype not in (np.float32, np.float64):
            plain = column.to_numpy(dtype=np.float64, na_value=np.nan)
        table.add_numbers(name, plain)
    elif pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        raise ValueError(f"X: {where} holds {dtype}; make numbers or text of it first")
    else:
        add_objects(table, name, column.to_numpy(dtype=object), kind, where)


def frame_table(X, names, kinds=None):
    """A table of a frame's columns under these names; kinds, where given, are those a model expects."""
    kinds = kinds or [None] * len(names)
    if not hasattr(X, "iloc"):
        return Table.from_arrow(X, names, [kind or "" for kind in kinds])
    table = Table("X")
    for position, (name, kind) in enumerate(zip(names, kinds)):
        _add_pandas(table, name, X.iloc[:, position], kind)
    return table


def array_table(X, names, kinds=None):
    """A table of a two-dimensional array's columns."""
    table = Table("X")
    kinds = kinds or [None] * len(names)
    if X.dtype.kind in "fiub" and "text" not in kinds:
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        table.add_matrix(list(names), X)
        return table
    for position, (name, kind) in enumerate(zip(names, kinds)):
        column = X[:, position]
        if column.dtype.kind in "fiub" and kind != "text":
            table.add_numbers(name, column.astype(np.float64))
        else:
            add_objects(table, name, column.astype(object), kind, f"X, column {position}")
    return table


def refuse_infinity(table):
    place = table.first_infinity()
    if place is not None:
        row, column = place
        raise ValueError(
            f"X contains infinity or a value too large for dtype('float32'), the first in row {row}, column {column!r}"
        )
