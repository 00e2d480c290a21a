"""Constraints on columns: from the forms of scikit-learn's HistGradientBoosting estimators to the library's text."""

import numbers

import numpy as np

# Estimator parameter -> the library's text for no constraint.
UNCONSTRAINED = {"monotonic_cst": "none", "interaction_cst": "all"}
SIGNS = {1: "+", -1: "-", 0: None}


def constraint_text(parameter, value, names):
    """The value of a parameter of UNCONSTRAINED as the library's text.

    `names` are the columns of X. Raises ValueError.
    """
    if isinstance(value, str) and value not in ("no_interactions", "pairwise"):
        return value  # already in the text form of command line and model files
    text = _monotone(value, names) if parameter == "monotonic_cst" else _interactions(value, names)
    return text or UNCONSTRAINED[parameter]


def quoted(name):
    """A name as quoted in the library's texts."""
    return '"' + str(name).replace('"', '""') + '"'


def _monotone(value, names):
    if isinstance(value, dict):
        entries = [(_column("monotonic_cst", column, names), sign) for column, sign in value.items()]
    elif isinstance(value, str) or not np.iterable(value):
        raise ValueError(f"monotonic_cst={value!r}: must be a dict, an array-like or None")
    else:
        entries = list(zip(names, value))
        if len(value) != len(names):
            raise ValueError(f"monotonic_cst: has {len(value)} entries, but X has {len(names)} columns")
    for name, sign in entries:
        if not isinstance(sign, numbers.Real) or sign not in SIGNS:
            raise ValueError(f"monotonic_cst: column {str(name)!r} has {sign!r}, which must be 1, -1 or 0")
    return ",".join(f"{quoted(name)}:{SIGNS[int(sign)]}" for name, sign in entries if sign != 0)


def _interactions(value, names):
    if isinstance(value, str):
        if value == "no_interactions":
            return "none"
        raise ValueError(f"interaction_cst={value!r}: must be 'no_interactions', a list of sets of columns or None")
    if not np.iterable(value) or any(isinstance(group, str) or not np.iterable(group) for group in value):
        raise ValueError(f"interaction_cst={value!r}: must be 'no_interactions', a list of sets of columns or None")
    groups = [[quoted(_column("interaction_cst", column, names)) for column in group] for group in value]
    return ";".join(",".join(sorted(group)) for group in groups if group)


def _column(parameter, column, names):
    """The name of a column given by name, or by position if no column has that name."""
    if str(column) in names or not isinstance(column, numbers.Integral) or isinstance(column, (bool, np.bool_)):
        return column
    if not 0 <= column < len(names):
        raise ValueError(f"{parameter}: column {column} is not one of the {len(names)} columns of X")
    return names[column]
