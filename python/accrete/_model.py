"""Models without scikit-learn: load, predict with any number of units, save. Needs only NumPy."""

import errno
import os

import numpy as np

from accrete import _core
from accrete._frames import check_names, column_names, is_frame, make_table, read_frame


class Model:
    """A fitted model with its encoder and link function.

    `accrete.load` returns a scikit-learn estimator; use this class to predict without scikit-learn.

    Examples
    --------
    >>> import accrete, tempfile, os
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.safetensors")
    >>> accrete.BoostedNetworkClassifier(n_units=12, random_state=0).fit(X, y).save(path)
    >>> model = accrete.Model.load(path)
    >>> model.predict(X[:2], units=4).shape
    (2, 3)
    """

    def __init__(self, core):
        self._core = core

    @classmethod
    def load(cls, path: str | os.PathLike) -> "Model":
        """Read a model file.

        Parameters
        ----------
        path : str or path-like
            A file written by ``save`` of any class of this package, or by the command line.

        Returns
        -------
        Model

        Raises
        ------
        OSError
            If the file cannot be read or is not a valid model file.
        """
        return cls(read_model(path))

    def save(self, path: str | os.PathLike) -> None:
        """Write a model file. The file is replaced atomically."""
        self._core.save(path_text(path))

    @property
    def classes(self) -> list[str]:
        """The class labels as strings; empty for regression."""
        return list(self._core.classes)

    @property
    def inputs(self) -> list[str]:
        """The names of the input columns, in order."""
        return list(model_columns(self._core))

    @property
    def units(self) -> int:
        """The number of hidden units."""
        return self._core.units

    @property
    def early_exit(self) -> dict | None:
        """The thresholds of early exit and what they guarantee; None if there are none."""
        return _core.early_exit_of(self._core)

    def predict(self, X, units: int | None = None, exit: bool = False) -> np.ndarray:
        """Predict probabilities or values.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The columns of a frame must have the names in ``inputs``; those of an array are taken in that order.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.
        exit : bool, default=False
            Stop each row once its prediction is settled, with the thresholds in the model file.

        Returns
        -------
        ndarray of shape (n_samples, n_classes) or (n_samples, n_targets)
        """
        check_exit(units, None, exit)
        if is_frame(X):
            X = read_frame(X)
            names = column_names(X)
            if not self._trained_on_array or sorted(names) == sorted(self.inputs):
                check_names(self.inputs, names)
        return predict(self._core, X, units, exit=exit)

    @property
    def _trained_on_array(self):
        return self.inputs == array_names(len(self.inputs))

    def __repr__(self):
        core = self._core
        return f"<accrete.Model: {core.task}, {len(self.inputs)} inputs, {core.units} {core.activation} units>"


def array_names(columns):
    """The names given to the columns of an array."""
    return [f"x{column}" for column in range(columns)]


def path_text(path):
    path = os.fsdecode(path)
    if "\0" in path:
        raise ValueError("the path contains a null character")
    return path


def read_model(path):
    """Reads a model file. Raises FileNotFoundError if it does not exist, OSError if it is invalid."""
    path = path_text(path)
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return _core.Model.load(path)


def read_boosted_model(path):
    """Reads a model file. Raises ValueError for the plain methods of the command line."""
    model = read_model(path)
    if model.method != "boosting":
        raise ValueError(
            f"{path}: made by the method '{model.method}'; an estimator needs a boosted network; use accrete.Model.load"
        )
    return model


def model_columns(model):
    """The columns that a model reads and their kinds; several inputs may be parts of one date column."""
    return {entry["column"]: "formatted" if entry["formatted"] else entry["kind"] for entry in model.inputs}


def prediction_table(model, X, names=None, more=()):
    """X as a table with the model's columns and `more`; `names` are those of X's columns (default: the model's)."""
    columns = {name: "" for name in more} | model_columns(model)
    names = list(columns) if names is None else names
    kinds = [columns.get(name, "skip") for name in names]
    table = make_table(X, names, kinds)
    table.apply_formats(model)
    return table


def steps_for(model, units):
    """The number of whole steps within the first `units` units; None means all."""
    if units is None:
        return model.steps
    if isinstance(units, bool) or not isinstance(units, (int, np.integer)) or not 1 <= units < 2**31:
        raise ValueError(f"units={units!r}: must be an integer of at least 1, or None for all")
    return model.steps_for(int(units))


def check_exit(units, init_score, exit):
    """Raises ValueError for arguments that cannot be combined with early exit."""
    if exit and units is not None:
        raise ValueError("exit=True and units cannot be used together: rows that do not stop use all units")
    if exit and init_score is not None:
        raise ValueError("exit=True and init_score cannot be used together")


def predict(model, X, units=None, threads=0, exit=False):
    """Predictions of a compiled model for an array or frame."""
    steps = steps_for(model, units)
    if model.reads_numbers and isinstance(X, np.ndarray) and X.dtype.kind in "fiub":
        if X.ndim != 2:
            raise ValueError(f"X: must be a 2D array of rows, not {X.ndim}D; for one row, pass X.reshape(1, -1)")
        # float32 in row-major order is read without a copy.
        rows = np.ascontiguousarray(X, dtype=np.float32)
        return _core.predict_exit_rows(model, rows, threads) if exit else model.predict_rows(rows, steps, threads)
    if exit:
        return _core.predict_exit_table(model, prediction_table(model, X), threads)
    return model.predict_table(prediction_table(model, X), steps, threads)
