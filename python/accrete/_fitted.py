"""What a fitted estimator can do besides predicting: say what it came to, be cut, be written."""

import os

import numpy as np
from sklearn.utils.validation import check_is_fitted

from accrete import _core
from accrete._documentation import LIBRARY_NAMES, OWN
from accrete._importance import importances
from accrete._model import path_of, steps_for


class Fitted:
    """The part of an estimator around its model, model_."""

    def __sklearn_is_fitted__(self):
        return hasattr(self, "model_")

    def _fitted(self, name):
        if not hasattr(self, "model_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r} before fit")
        return self.model_

    @property
    def n_units_(self) -> int:
        """Hidden units of the fitted network."""
        return self._fitted("n_units_").units

    @property
    def n_iter_(self) -> int:
        """Boosting steps of the fitted network."""
        return self._fitted("n_iter_").steps

    @property
    def loss_curve_(self) -> np.ndarray:
        """Training loss after 0, 1, 2, ... steps."""
        model = self._fitted("loss_curve_")
        return model.train_loss[: model.steps + 1]

    @property
    def validation_curve_(self) -> np.ndarray:
        """Loss of rows held out after 0, 1, 2, ... steps, also of those after the best; empty where none were."""
        return self._fitted("validation_curve_").validation_loss

    @property
    def choice_(self) -> dict:
        """How parameters that were not given were chosen: `parts` of the rows, each held out once, `held_out_rows` in
        all, and `trials`, best first, each with its `parameters`, its best number of `units` and the `loss` there. The
        network is longer than that, as far as it is as good within a fiftieth."""
        return self._fitted("choice_").choice

    @property
    def feature_importances_(self) -> np.ndarray:
        """How much each input moves the predictions, as shares that sum to 1: over rows drawn from what the model
        knows of its inputs (mean and deviation, shares of levels), the mean squared change when one input is taken from
        another row. Needs no data, and says nothing of inputs that move together.
        """
        return importances(self._fitted("feature_importances_"), self._threads())

    # Elsewhere.

    def save(self, path: str | os.PathLike) -> None:
        """Writes the model file that ``accrete.load`` and the command line read."""
        check_is_fitted(self, "model_")
        self.model_.save(path_of(path))

    @classmethod
    def load(cls, path):
        """The fitted estimator in a model file. Raises ValueError where it is of the other kind."""
        from accrete._load import load

        estimator = load(path)
        if not isinstance(estimator, cls):
            raise ValueError(f"{os.fspath(path)}: holds a {type(estimator).__name__}, not a {cls.__name__}")
        return estimator

    @classmethod
    def _restored(cls, core):
        """An estimator around a model, with the parameters the model was made with."""
        estimator = cls(bins=0)  # older files do not say
        known = estimator.get_params(deep=False)
        kinds = {entry["name"]: entry["kind"] for entry in _core.parameters()}
        read = {"int": int, "float": float, "bool": lambda text: text == "on", "str": str}
        for library, text in core.parameters:
            name = next((python for python, same in LIBRARY_NAMES.items() if same == library), library)
            if name == "class_weight" and name in known:
                estimator.class_weight = "balanced" if text == "balanced" else None
            elif name in known and (name not in OWN or name == "random_state"):
                setattr(estimator, name, read[kinds[library]](text))
        estimator.model_ = core
        estimator._target_names = list(core.targets)
        names = [entry["name"] for entry in core.inputs]
        estimator.n_features_in_ = len(names)
        if names != [f"x{column}" for column in range(len(names))]:
            estimator.feature_names_in_ = np.array(names, dtype=object)
        return estimator

    def _prefix(self, units):
        check_is_fitted(self, "model_")
        return self.model_ if units is None else self.model_.cut(steps_for(self.model_, units))

    def to_onnx(self, path: str | os.PathLike, units: int | None = None, dial: bool = False) -> None:
        """Writes the network as an ONNX file (opset 13); with ``dial``, the units are an optional input of it."""
        _core.write_file(path_of(path), self._prefix(units).to_onnx(dial))

    def to_c(self, path: str | os.PathLike, units: int | None = None, name: str | None = None) -> None:
        """Writes the network as one C99 header that needs no library but math.h."""
        path = path_of(path)
        text = self._prefix(units).to_c(_core.c_name(path) if name is None else name)
        _core.write_file(path, text.encode())

    def to_torch(self, units: int | None = None):
        """The network as a ``torch.nn.Sequential`` with the same outputs."""
        from accrete._torch import to_torch

        return to_torch(self._prefix(units))

    def plot_curve(self, X=None, y=None, ax=None):
        """Loss (and the score on X, y where they are given) over the number of units; returns matplotlib's axes."""
        from accrete._plot import plot_curve

        check_is_fitted(self, "model_")
        return plot_curve(self, X, y, ax)

    def truncate(self, units: int):
        """Drops every unit after the first ``units`` (rounded down to a whole step), for good."""
        check_is_fitted(self, "model_")
        self.model_ = self.model_.cut(steps_for(self.model_, units))
        return self
