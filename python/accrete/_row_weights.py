"""Weights of rows by class and by the values of a column, in the library's text form."""

import numbers

from accrete._constraints import quoted
from accrete._frames import text_of


def class_weight_text(value):
    """`class_weight` (a dict by label, or 'balanced') as text. Raises ValueError."""
    if isinstance(value, str) and value == "balanced":
        return value
    if not isinstance(value, dict):
        raise ValueError(f"class_weight={value!r}: must be a dict, 'balanced' or None")
    return _join("class_weight", value, ":") or "none"


def group_weight_text(value, names):
    """`group_weight` (a column, or a dict of one column) as text. `names` are the columns of X. Raises ValueError."""
    column = group_column(value, names)
    weights = value[next(iter(value))] if isinstance(value, dict) else "balanced"
    if isinstance(weights, dict):
        return f"{quoted(column)}:{_join('group_weight', weights, '=')}"
    if weights != "balanced":
        raise ValueError(f"group_weight: column {column!r} has {weights!r}, which must be a dict or 'balanced'")
    return quoted(column)


def group_column(value, names):
    """The name of the column that `group_weight` refers to. Raises ValueError."""
    column = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else value
    if isinstance(column, numbers.Integral) and not isinstance(column, bool) and -len(names) <= column < len(names):
        column = names[column]
    if not isinstance(column, str):
        raise ValueError(f"group_weight={value!r}: must be a column, a dict of one column or None")
    if column not in names:
        raise ValueError(f"group_weight: no column {column!r} in X")
    return column


def _join(parameter, weights, sign):
    for name, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, numbers.Real):
            raise ValueError(f"{parameter}: {name!r} has {weight!r}, which must be a number above 0")
    return ",".join(f"{quoted(text_of(name))}{sign}{float(weight)!r}" for name, weight in weights.items())
