"""From what users hold (arrays, data frames, Arrow tables) to the library's table of columns.

A column is either numbers (NaN is a gap) or text (codes into levels, -1 is a gap), as in a CSV file. A pandas or Arrow
category is text whatever it holds; so are strings that are not numbers. Gaps are None, NaN, a frame's own nulls and the
empty string; a word such as "NA" is not.

The same values give the same table from every kind of frame: pandas comes in column by column, everything else through
the Arrow C stream interface, which needs neither pandas nor pyarrow.
"""

import numbers

import numpy as np

from accrete._core import ArrowRows, Table


def is_frame(X):
    """Whether X has named, typed columns, rather than being an array of one type."""
    if hasattr(X, "iloc"):  # of pandas, whose Series is no frame though it speaks Arrow too
        return hasattr(X, "dtypes") and hasattr(X, "columns")
    return isinstance(X, ArrowRows) or hasattr(X, "__arrow_c_stream__")


def held(X):
    """A frame that can be read again and again: some Arrow streams can be read only once."""
    return X if hasattr(X, "iloc") or isinstance(X, ArrowRows) else ArrowRows(X)


def column_names(X):
    """The names of a frame's columns as texts, in order. Raises ValueError where two are alike."""
    names = [str(name) for name in X.columns] if hasattr(X, "iloc") else held(X).names
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"X: the column names must differ from each other; more than once: {_listed(twice)}")
    return names


def _listed(names):
    more = ", ..." if len(names) > 10 else ""
    return ", ".join(repr(str(name)) for name in names[:10]) + more


def refuse_other_names(known, names):
    """Raises ValueError unless the names are the known ones, in the same order."""
    known, names = dict.fromkeys(known), dict.fromkeys(names)
    if list(names) == list(known):
        return
    message = "The feature names should match those that were passed during fit"
    missing = [name for name in known if name not in names]
    unknown = [name for name in names if name not in known]
    if missing:
        message += f"; missing: {_listed(missing)}"
    if unknown:
        message += f"; not seen at fit: {_listed(unknown)}"
    if not missing and not unknown:
        message += f", in the same order: {_listed(list(known))}"
    raise ValueError(message)


def row_count(X):
    return X.shape[0] if hasattr(X, "shape") else len(X)


def text_of(value):
    """A label or category as a CSV file would spell it; a whole float as the integer it is."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _unusual(value):
    """A cell that is no str, float, int, bool or None: None for a gap, a text, (number, text), or NotImplemented."""
    if isinstance(value, bytes):
        return value.decode()
    if type(value).__name__ in ("NAType", "NaTType"):  # pandas.NA, pandas.NaT
        return None
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return None if np.isnat(value) else NotImplemented
    if isinstance(value, (numbers.Number, np.bool_)):  # NumPy's, Decimal, Fraction
        try:
            return (float(value), text_of(value)) if value == value else None
        except OverflowError:
            return (np.inf, text_of(value))
        except TypeError:  # complex
            return NotImplemented
    return NotImplemented


def _refuse(name, what):
    raise ValueError(f"X: column {name!r} holds {what}; make numbers or text of it first")


def _add_numbers(table, name, values, kind):
    """A NumPy array of numbers or bools. The names of categories may come as numbers too."""
    if kind != "text":
        if values.dtype not in (np.float32, np.float64):
            values = values.astype(np.float64)
        table.add_numbers(name, values)
        return
    if values.dtype == np.float16:
        values = values.astype(np.float32)
    if values.dtype == np.float32:  # a list would hold them as doubles, with more digits
        cells = [None if value != value else text_of(value) for value in values]
    else:
        cells = values.tolist()
    table.add_objects(name, cells, kind, _unusual)


def _add_categories(table, name, categorical):
    """Categories are text whatever they are. Two that are spelt alike are one, and an empty one is a gap."""
    codes, spread = {}, []
    categories = categorical.categories
    # A list would hold single precision as doubles, with more digits.
    for category in categories.to_numpy() if categories.dtype == np.float32 else categories.tolist():
        text = text_of(category)
        spread.append(codes.setdefault(text, len(codes)) if text else -1)
    spread.append(-1)  # pandas' own code for a gap is -1, which finds this
    table.add_text(name, np.array(spread, dtype=np.int32)[categorical.codes], list(codes))


def _add_pandas(table, name, column, kind):
    import pandas as pd

    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if kind == "numeric":
            table.add_objects(name, column.to_numpy(dtype=object).tolist(), kind, _unusual)
        else:
            _add_categories(table, name, column.array)
    elif isinstance(dtype, pd.ArrowDtype):
        rows = ArrowRows(column.reset_index(drop=True).to_frame("0"))
        table.add_arrow(rows, [name], [kind])
    elif dtype.kind in "biuf":
        plain = column.to_numpy()
        if plain.dtype.kind not in "biuf":  # a nullable type, some of it null
            if kind == "text":
                table.add_objects(name, plain.tolist(), kind, _unusual)
                return
            plain = column.to_numpy(dtype=np.float64, na_value=np.nan)
        _add_numbers(table, name, plain, kind)
    elif dtype == np.dtype(object) or isinstance(dtype, pd.StringDtype):
        table.add_objects(name, column.to_numpy(dtype=object).tolist(), kind, _unusual)
    else:  # dates, periods, intervals, complex numbers
        _refuse(name, dtype)


def frame_table(X, names, kinds=None):
    """A table of a frame's columns under these names; kinds, where given, are those a model expects."""
    kinds = [kind or "" for kind in kinds or [None] * len(names)]
    table = Table("X")
    if not hasattr(X, "iloc"):
        table.add_arrow(held(X), list(names), kinds)
        return table
    _check_width(X, names)
    for position, (name, kind) in enumerate(zip(names, kinds)):
        _add_pandas(table, name, X.iloc[:, position], kind)
    return table


def array_table(X, names, kinds=None):
    """A table of a two-dimensional array's columns."""
    table = Table("X")
    kinds = [kind or "" for kind in kinds or [None] * len(names)]
    if X.ndim != 2:
        raise ValueError(f"X: Expected 2D array, got {X.ndim}D array instead")
    _check_width(X, names)
    if X.dtype.kind in "fiub" and "text" not in kinds:
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        table.add_matrix(list(names), X)
        return table
    if X.dtype.kind not in "fiubOSU":
        raise ValueError(f"X holds {X.dtype}; make numbers or text of it first")
    for position, (name, kind) in enumerate(zip(names, kinds)):
        column = X[:, position]
        if column.dtype.kind in "fiub":
            _add_numbers(table, name, column, kind)
        else:
            table.add_objects(name, column.tolist(), kind, _unusual)
    return table


def _check_width(X, names):
    if X.shape[1] != len(names):
        raise ValueError(f"X has {X.shape[1]} columns; expected are {len(names)}")


def refuse_infinity(table):
    place = table.first_infinity()
    if place is not None:
        row, column = place
        raise ValueError(
            f"X contains infinity or a value too large for dtype('float32'), the first in row {row}, column {column!r}"
        )
