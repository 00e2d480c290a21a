"""A model by itself: load, predict at any number of units, save. Needs NumPy alone."""

import errno
import os

import numpy as np

from accrete import _core
from accrete._frames import array_table, column_names, frame_table, held, is_frame, refuse_other_names


class Model:
    """A trained network with its encoder and its link, as a model file holds it.

    ``accrete.load(path)`` gives an estimator; this is what serves predictions where scikit-learn is not wanted.

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
        """The model in a file written by either ``save`` or the command line. Raises OSError."""
        return cls(read_model(path))

    def save(self, path: str | os.PathLike) -> None:
        """Writes beside the path and renames: the path holds the old file or the whole new one."""
        self._core.save(path_of(path))

    @property
    def classes(self) -> list[str]:
        """The labels as texts; empty for regression."""
        return list(self._core.classes)

    @property
    def inputs(self) -> list[str]:
        """The names of the columns it predicts from, in order."""
        return [entry["name"] for entry in self._core.inputs]

    @property
    def units(self) -> int:
        return self._core.units

    def predict(self, X, units: int | None = None) -> np.ndarray:
        """rows x classes probabilities, or rows x targets values, from the first ``units`` units.

        The columns of a frame must have the names in ``inputs``, those of an array are taken in that order.
        """
        if is_frame(X):
            X = held(X)
            names = column_names(X)
            if not self._unnamed or sorted(names) == sorted(self.inputs):
                refuse_other_names(self.inputs, names)
        return predict(self._core, X, units)

    @property
    def _unnamed(self):
        """Whether it was trained on an array, so that its columns have no names but their places."""
        return self.inputs == [f"x{column}" for column in range(len(self._core.inputs))]

    def __repr__(self):
        core = self._core
        return f"<accrete.Model: {core.task}, {len(core.inputs)} inputs, {core.units} {core.activation} units>"


def path_of(path):
    path = os.fsdecode(path)
    if "\0" in path:
        raise ValueError("the path has a null character in it")
    return path


def read_model(path):
    """The compiled model in a file. Raises OSError, FileNotFoundError where there is none."""
    path = path_of(path)
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return _core.Model.load(path)


def table_for(core, X):
    """X as the columns that the model knows, matched by place."""
    inputs = core.inputs
    names, kinds = [entry["name"] for entry in inputs], [entry["kind"] for entry in inputs]
    if is_frame(X):
        return frame_table(X, names, kinds)
    return array_table(np.asarray(X), names, kinds)


def steps_for(core, units):
    if units is None:
        return core.steps
    if isinstance(units, bool) or not isinstance(units, (int, np.integer)) or not 1 <= units < 2**31:
        raise ValueError(f"units={units!r}: must be a whole number of at least 1, or None for all")
    return core.steps_for(int(units))


def predict(core, X, units=None, threads=0):
    steps = steps_for(core, units)
    if core.all_numeric and isinstance(X, np.ndarray) and X.dtype.kind in "fiub":
        # Already float32 and row-major: read in place.
        return core.predict_rows(np.ascontiguousarray(X, dtype=np.float32), steps, threads)
    return core.predict_table(table_for(core, X), steps, threads)
