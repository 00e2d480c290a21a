"""Conversion of arrays, data frames and Arrow tables to the library's table of columns.

A column is numeric (NaN is a missing value) or text (codes into levels, -1 is a missing value), as in a CSV file.
Categories of pandas and Arrow are always text; strings are text unless all of them are numbers. None, NaN, nulls and
the empty string are missing values; words such as "NA" are not. Dates become texts such as "2024-05-01 13:45:10",
which a fit expands to numbers.

The kind of a column is "" (any), "numeric" or "text", as a model expects it, "formatted" (numbers, or texts that the
model reads in a format of its own) or "skip" (left out).

Equal values give equal tables for all kinds of frames. pandas frames are converted column by column, all others through
the Arrow C stream interface, which needs neither pandas nor pyarrow.
"""

import datetime
import numbers

import numpy as np

from accrete._core import ArrowFrame, Table


def is_frame(X):
    """Whether X has named, typed columns, unlike an array."""
    if hasattr(X, "iloc"):  # pandas: a Series has __arrow_c_stream__ too, but is not a frame
        return hasattr(X, "dtypes") and hasattr(X, "columns")
    return isinstance(X, ArrowFrame) or hasattr(X, "__arrow_c_stream__")


def read_frame(X):
    """A frame that can be read repeatedly; some Arrow streams can be consumed only once."""
    return X if hasattr(X, "iloc") or isinstance(X, ArrowFrame) else ArrowFrame(X)


def column_names(X):
    """The names of a frame's columns as strings, in order. Raises ValueError for duplicates."""
    names = [str(name) for name in X.columns] if hasattr(X, "iloc") else read_frame(X).names
    if len(set(names)) < len(names):
        duplicates = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"X: column names must be unique; duplicates: {_join_names(duplicates)}")
    return names


def _join_names(names):
    more = ", ..." if len(names) > 10 else ""
    return ", ".join(repr(str(name)) for name in names[:10]) + more


def check_names(known, names):
    """Raises ValueError unless the names are the known ones, in the same order."""
    known, names = dict.fromkeys(known), dict.fromkeys(names)
    if list(names) == list(known):
        return
    message = "The feature names should match those that were passed during fit"
    missing = [name for name in known if name not in names]
    unknown = [name for name in names if name not in known]
    if missing:
        message += f"; missing: {_join_names(missing)}"
    if unknown:
        message += f"; not seen at fit: {_join_names(unknown)}"
    if not missing and not unknown:
        message += f", in the same order: {_join_names(list(known))}"
    raise ValueError(message)


def row_count(X):
    return X.shape[0] if hasattr(X, "shape") else len(X)


def text_of(value):
    """A label or category as a CSV file would contain it; a whole float as an integer."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _convert_cell(value):
    """Converts a cell that is not a str, float, int, bool or None.

    Returns None for a missing value, a text, (number, text), or NotImplemented for unsupported types.
    """
    if isinstance(value, bytes):
        return value.decode()
    if type(value).__name__ in ("NAType", "NaTType"):  # pandas.NA, pandas.NaT
        return None
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return None if np.isnat(value) else NotImplemented
    if isinstance(value, datetime.datetime):  # also pandas.Timestamp
        if value.utcoffset() is not None:
            value = value.astimezone(datetime.timezone.utc)
        return _date_text(value.isoformat(" "))
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (numbers.Number, np.bool_)):  # NumPy scalars, Decimal, Fraction
        try:
            return (float(value), text_of(value)) if value == value else None
        except OverflowError:
            return (np.inf, text_of(value))
        except TypeError:  # complex
            return NotImplemented
    return NotImplemented


def _date_text(text):
    """The text of a date, without the time if it is midnight, as in Arrow tables."""
    return text[:10] if text[10:19] == " 00:00:00" else text[:19]


def _add_dates(table, name, column):
    """Adds a pandas column of datetime64 as text, converted to UTC if it has a time zone."""
    if column.dt.tz is not None:
        column = column.dt.tz_convert("UTC")
    texts = column.dt.strftime("%Y-%m-%d %H:%M:%S").to_numpy(dtype=object)
    cells = [_date_text(text) if isinstance(text, str) else None for text in texts]
    table.add_objects(name, cells, "text", _convert_cell)


def _add_numbers(table, name, values, kind):
    """Adds a NumPy array of numbers or bools, as text if the model expects categories."""
    if kind != "text":
        if values.dtype not in (np.float32, np.float64):
            values = values.astype(np.float64)
        table.add_numbers(name, values)
        return
    if values.dtype == np.float16:
        values = values.astype(np.float32)
    if values.dtype == np.float32:  # tolist() converts to double, which has more digits
        cells = [None if value != value else text_of(value) for value in values]
    else:
        cells = values.tolist()
    table.add_objects(name, cells, kind, _convert_cell)


def _add_categories(table, name, categorical):
    """Adds a pandas Categorical as text. Categories with equal texts are merged; the empty text is a missing value."""
    codes, code_of_category = {}, []
    categories = categorical.categories
    # tolist() converts single precision to double, which has more digits.
    for category in categories.to_numpy() if categories.dtype == np.float32 else categories.tolist():
        text = text_of(category)
        code_of_category.append(codes.setdefault(text, len(codes)) if text else -1)
    code_of_category.append(-1)  # pandas' code for a missing value is -1, the index of this entry
    table.add_text(name, np.array(code_of_category, dtype=np.int32)[categorical.codes], list(codes))


def _add_pandas(table, name, column, kind):
    import pandas as pd

    dtype = column.dtype
    if kind == "formatted" and not isinstance(dtype, pd.ArrowDtype):
        kind = "numeric" if dtype.kind in "biuf" else "text"
    if dtype.kind == "M" and not isinstance(dtype, pd.ArrowDtype):
        _add_dates(table, name, column)
    elif isinstance(dtype, pd.CategoricalDtype):
        if kind == "numeric":
            table.add_objects(name, column.to_numpy(dtype=object).tolist(), kind, _convert_cell)
        else:
            _add_categories(table, name, column.array)
    elif isinstance(dtype, pd.ArrowDtype):
        frame = ArrowFrame(column.reset_index(drop=True).to_frame("0"))
        table.add_arrow(frame, [name], [kind])
    elif dtype.kind in "biuf":
        plain = column.to_numpy()
        if plain.dtype.kind not in "biuf":  # a nullable type with nulls
            if kind == "text":
                table.add_objects(name, plain.tolist(), kind, _convert_cell)
                return
            plain = column.to_numpy(dtype=np.float64, na_value=np.nan)
        _add_numbers(table, name, plain, kind)
    elif dtype == np.dtype(object) or isinstance(dtype, pd.StringDtype):
        table.add_objects(name, column.to_numpy(dtype=object).tolist(), kind, _convert_cell)
    else:  # periods, intervals, time differences, complex numbers
        raise ValueError(f"X: column {name!r} holds {dtype}; convert it to numbers or text first")


def frame_table(X, names, kinds=None):
    """A table of a frame's columns under these names; kinds: those that a model expects, if given."""
    kinds = [kind or "" for kind in kinds or [None] * len(names)]
    table = Table("X")
    if not hasattr(X, "iloc"):
        table.add_arrow(read_frame(X), list(names), kinds)
        return table
    _check_width(X, names)
    for position, (name, kind) in enumerate(zip(names, kinds)):
        if kind != "skip":
            _add_pandas(table, name, X.iloc[:, position], kind)
    return table


def category_names(X, names):
    """The names of the pandas columns of categorical type, whatever their values."""
    if not hasattr(X, "iloc"):
        return []
    return [name for name, dtype in zip(names, X.dtypes) if type(dtype).__name__ == "CategoricalDtype"]


def array_table(X, names, kinds=None):
    """A table of a two-dimensional array's columns; see frame_table."""
    table = Table("X")
    kinds = [kind or "" for kind in kinds or [None] * len(names)]
    if X.ndim != 2:
        raise ValueError(f"X: Expected 2D array, got {X.ndim}D array instead")
    _check_width(X, names)
    if X.dtype.kind in "fiub" and "text" not in kinds:
        if "skip" in kinds:
            used = [position for position, kind in enumerate(kinds) if kind != "skip"]
            X, names = X[:, used], [names[position] for position in used]
        if X.dtype not in (np.float32, np.float64):
            X = X.astype(np.float64)
        table.add_matrix(list(names), X)
        return table
    if X.dtype.kind not in "fiubOSU":
        raise ValueError(f"X holds {X.dtype}; convert it to numbers or text first")
    for position, (name, kind) in enumerate(zip(names, kinds)):
        column = X[:, position]
        if kind == "skip":
            continue
        if column.dtype.kind in "fiub":
            _add_numbers(table, name, column, kind)
        else:
            table.add_objects(name, column.tolist(), kind, _convert_cell)
    return table


def is_sparse(X):
    """Whether X is a matrix or array of scipy.sparse."""
    return hasattr(X, "tocsr") and hasattr(X, "nnz")


def sparse_table(X, names, kinds=None):
    """A table of a sparse matrix's columns; see frame_table. Absent entries are the number 0."""
    _check_width(X, names)
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X holds {X.dtype}; convert it to numbers first")
    X = X.tocsr()
    if kinds is not None and "skip" in kinds:
        used = [position for position, kind in enumerate(kinds) if kind != "skip"]
        X, names = X[:, used], [names[position] for position in used]
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    with np.errstate(over="ignore"):
        values = X.data.astype(np.float32)
    finite = np.isfinite(values)
    if not finite.all():
        entry = int(np.argmin(finite))
        row = int(np.searchsorted(X.indptr, entry, side="right")) - 1
        what = "NaN" if np.isnan(values[entry]) else "infinity or a value too large for dtype('float32')"
        raise ValueError(f"X is sparse and contains {what}, first in row {row}, column {names[X.indices[entry]]!r}")
    table = Table("X")
    table.add_sparse(list(names), X.indptr, X.indices, values)
    return table


def make_table(X, names, kinds=None):
    """A table of a frame, a sparse matrix or an array; see frame_table."""
    if is_frame(X):
        return frame_table(X, names, kinds)
    if is_sparse(X):
        return sparse_table(X, names, kinds)
    return array_table(np.asarray(X), names, kinds)


def _check_width(X, names):
    if X.shape[1] != len(names):
        raise ValueError(f"X has {X.shape[1]} columns, expected {len(names)}")


def check_finite(table):
    """Raises ValueError if a number of the table is infinite in single precision."""
    found = table.first_infinity()
    if found is not None:
        refuse_infinity(*found)


def refuse_infinity(row, column):
    raise ValueError(
        f"X contains infinity or a value too large for dtype('float32'), first in row {row} (counting from 0), "
        f"column {column!r}"
    )
