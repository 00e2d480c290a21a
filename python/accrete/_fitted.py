"""Attributes and exports of a fitted estimator."""

import os
import re

import numpy as np
from sklearn.utils.validation import check_is_fitted

from accrete import _core
from accrete._explain import contributions, explanation
from accrete._curve import curve_table
from accrete._constraints import UNCONSTRAINED
from accrete._importance import feature_importances
from accrete._model import model_columns, path_text, read_boosted_model, steps_for
from accrete._parameters import ESTIMATOR_PARAMETERS, PYTHON_NAMES
from accrete._plot import plot_curve


def _numbers(text):
    return None if text == "none" else [float(number) for number in text.split(",")]


def _are_positions(names):
    """Whether the names can be those of an array's columns, or of a frame whose columns are numbered.

    Some may be missing, because the fit ignored them.
    """
    digits = [name[1:] for name in names] if all(name.startswith("x") for name in names) else names
    if not all(re.fullmatch("0|[1-9][0-9]*", text) for text in digits):
        return False
    positions = [int(text) for text in digits]
    return positions == sorted(set(positions))


class Fitted:
    """Mixin around the fitted model, ``model_``."""

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _fitted_model(self, attribute):
        if not hasattr(self, "model_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {attribute!r} before fit")
        return self.model_

    @property
    def n_units_(self) -> int:
        """Number of hidden units of the fitted network."""
        return self._fitted_model("n_units_").units

    @property
    def n_iter_(self) -> int:
        """Number of boosting steps of the fitted network."""
        return self._fitted_model("n_iter_").steps

    @property
    def loss_curve_(self) -> np.ndarray:
        """Training loss after 0, 1, 2, ... steps."""
        model = self._fitted_model("loss_curve_")
        return model.train_loss[: model.steps + 1]

    @property
    def validation_curve_(self) -> np.ndarray:
        """Validation loss after 0, 1, 2, ... steps, including those after the best; empty without a validation set."""
        return self._fitted_model("validation_curve_").validation_loss

    @property
    def choice_(self) -> dict:
        """How the fit chose parameters that were not given.

        `parts` is the number of folds and `held_out_rows` the number of rows in all of them. `trials` lists the
        candidates, best first, each with its `parameters`, its best number of `units` and the held-out `loss` there.
        The network may have more units than that, as long as the loss is within 2 % of the best.
        """
        return self._fitted_model("choice_").choice

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean squared change of the predictions when an input is replaced by that of another row; sums to 1.

        The rows are random, drawn from the statistics in the model (mean and deviation, frequencies of levels), so no
        data is needed. Dependencies between inputs are ignored.
        """
        model = self._fitted_model("feature_importances_")
        importances = np.zeros(self.n_features_in_)
        places = {name: place for place, name in enumerate(self._column_names())}
        for entry, importance in zip(model.inputs, feature_importances(model, self._threads())):
            importances[places[entry["column"]]] += importance
        return importances

    # Explanations.

    def contributions(self, X, units: int | None = None) -> np.ndarray:
        """What each column of X contributes to the score of each row: integrated gradients in closed form.

        Together with a baseline, the score of the average training row, the contributions of a row add up to its score.
        That is the prediction of a regressor (its logarithm for ``loss="poisson"``), the log odds of the second of two
        classes, or one unnormalised log probability per class.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to explain.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.

        Returns
        -------
        ndarray of shape (n_samples, n_features) or (n_samples, n_features, n_scores)
            Three dimensions for more than two classes, in the order of ``classes_``, or for several targets.
        """
        check_is_fitted(self, "model_")
        values, baseline = contributions(self, X, units)
        return np.ascontiguousarray(values[:, :, 0]) if len(baseline) == 1 else values

    def explain(self, X, units: int | None = None):
        """Return ``contributions`` with their baseline as a ``shap.Explanation``, for the plots of shap. Needs shap.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to explain.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.

        Returns
        -------
        shap.Explanation
        """
        check_is_fitted(self, "model_")
        return explanation(self, X, units)

    # Files.

    def save(self, path: str | os.PathLike) -> None:
        """Write a model file that ``accrete.load`` and the command line read.

        Parameters
        ----------
        path : str or path-like
            The file, which is replaced atomically. The usual suffix is ``.safetensors``.
        """
        check_is_fitted(self, "model_")
        self.model_.save(path_text(path))

    @classmethod
    def load(cls, path: str | os.PathLike):
        """Read a fitted estimator of this class from a model file.

        Parameters
        ----------
        path : str or path-like
            A file written by ``save`` or by the command line.

        Returns
        -------
        estimator
            A fitted instance. See ``accrete.load`` for the types of class labels.

        Raises
        ------
        OSError
            If the file cannot be read or is not a valid model file.
        ValueError
            If the model is of another kind; ``accrete.load`` reads both kinds.
        """
        model = read_boosted_model(path)
        if (model.task != "regression") != cls._classes:
            raise ValueError(
                f"{os.fspath(path)}: holds a {model.task} model, which {cls.__name__} cannot load; use accrete.load"
            )
        return cls._from_model(model)

    @classmethod
    def _from_model(cls, model):
        """A fitted estimator with the parameters recorded in the model."""
        estimator = cls(bins=0)  # older files do not record bins and have none
        known = estimator.get_params(deep=False)
        kinds = {entry["name"]: entry["kind"] for entry in _core.parameters()}
        parse = {"int": int, "float": float, "bool": lambda text: text == "on", "str": str, "list of float": _numbers}
        for recorded, text in model.parameters:
            name = PYTHON_NAMES.get(recorded, recorded)
            if name == "class_weight" and name in known:
                estimator.class_weight = _core.class_weights(text)
            elif name == "group_weight":
                estimator.group_weight = _core.group_weights(text)
            elif name in UNCONSTRAINED:
                setattr(estimator, name, None if text == UNCONSTRAINED[name] else text)
            elif name in ("patience", "validation_fraction") and float(text) == 0:
                setattr(estimator, name, None)  # as not given, so that early_stopping can set it
            elif name in known and (name not in ESTIMATOR_PARAMETERS or name == "random_state"):
                setattr(estimator, name, parse[kinds[recorded]](text))
        estimator.model_ = model
        estimator._target_names = list(model.targets)
        names = list(model_columns(model))
        estimator.n_features_in_ = len(names)
        if not _are_positions(names):
            estimator.feature_names_in_ = np.array(names, dtype=object)
        return estimator

    def _prefix(self, units):
        check_is_fitted(self, "model_")
        return self.model_ if units is None else self.model_.cut(steps_for(self.model_, units))

    def to_onnx(self, path: str | os.PathLike, units: int | None = None, dial: bool = False) -> None:
        """Export the network as an ONNX file (opset 13).

        Parameters
        ----------
        path : str or path-like
            The file to write.
        units : int, default=None
            Export only the first ``units`` units, rounded down to a whole step.
        dial : bool, default=False
            Add the input ``units``, which selects the number of units at run time; 0 selects all.
        """
        _core.write_file(path_text(path), self._prefix(units).to_onnx(dial))

    def to_c(self, path: str | os.PathLike, units: int | None = None, name: str | None = None) -> None:
        """Export the network as a C99 header that needs only math.h.

        Parameters
        ----------
        path : str or path-like
            The file to write.
        units : int, default=None
            Export only the first ``units`` units, rounded down to a whole step.
        name : str, default=None
            Prefix of the C identifiers. None makes it from the path.
        """
        path = path_text(path)
        text = self._prefix(units).to_c(_core.c_name(path) if name is None else name)
        _core.write_file(path, text.encode())

    def to_torch(self, units: int | None = None):
        """Convert the network to a ``torch.nn.Sequential`` with the same outputs. Needs torch.

        Parameters
        ----------
        units : int, default=None
            Convert only the first ``units`` units, rounded down to a whole step.

        Returns
        -------
        torch.nn.Sequential
        """
        from accrete._torch import to_torch

        return to_torch(self._prefix(units))

    def plot_curve(self, X=None, y=None, ax=None, init_score=None):
        """Plot the loss over the number of units. Needs matplotlib.

        Parameters
        ----------
        X, y : array-like, default=None
            Rows on which the score is plotted too.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on; None makes a new figure.
        init_score : array-like of shape (n_samples,), default=None
            Added to the score of each row of X, as in ``predict``.

        Returns
        -------
        matplotlib.axes.Axes
        """
        check_is_fitted(self, "model_")
        return plot_curve(self, X, y, ax, init_score)

    def curve_table(self):
        """The losses of each prefix of the network, as `inspect --json` of the command prints them.

        Returns
        -------
        pandas.DataFrame or dict of ndarray
            The columns ``step``, ``units``, ``train_loss`` and ``validation_loss`` (NaN without a validation set), with
            a row for 0, 1, 2, ... steps. A dict if pandas is not installed.
        """
        check_is_fitted(self, "model_")
        return curve_table(self.model_)

    @property
    def early_exit_(self) -> dict | None:
        """The exits that `dial` found, or None: their units and thresholds, what they guarantee, the rows that tested
        them, how many of these got a different prediction, and the mean number of units they used."""
        return _core.early_exit_of(self._fitted_model("early_exit_"))

    def dial(self, X, disagreement: float = 0.001, confidence: float = 0.95, tolerance: float | None = None):
        """Find where rows may stop early, for ``predict(X, exit=True)``.

        At a few prefixes of the network, rows whose prediction is settled stop. Of new rows from the distribution of
        ``X``, at most the share ``disagreement`` then gets another label than from all units; ``confidence`` is the
        probability of that over the draw of ``X``.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows that were not used in fit: 3,993 for the default guarantee. They need no targets.
        disagreement : float, default=0.001
            Maximum share of the rows that get a different label. Regression: a different prediction.
        confidence : float, default=0.95
            Probability that the share is kept.
        tolerance : float, default=None
            Regression: a prediction counts as different if it changes by more, in units of the target. None is a tenth
            of the standard deviation of the predictions.

        Returns
        -------
        self
        """
        check_is_fitted(self, "model_")
        if tolerance is not None and not tolerance > 0:
            raise ValueError(f"tolerance={tolerance}: must be positive")
        table = self._model_table(self._check_X(X))
        guarantee = (float(disagreement), float(confidence))
        self.model_ = _core.find_exits(self.model_, table, guarantee, float(tolerance or 0.0), self._threads())
        return self

    def truncate(self, units: int):
        """Remove all units after the first ``units``, rounded down to a whole step.

        Parameters
        ----------
        units : int
            The number of units to keep.

        Returns
        -------
        self
        """
        check_is_fitted(self, "model_")
        self.model_ = self.model_.cut(steps_for(self.model_, units))
        return self
