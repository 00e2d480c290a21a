"""Torch networks with a boosted head. Needs torch.

>>> import torch, accrete.torch
>>> backbone = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU())
>>> x, y = torch.randn(200, 4), torch.randint(3, (200,))
>>> net = accrete.torch.BoostedHead(backbone, n_units=40, units_per_step=4, random_state=0).fit(x, y)
>>> net(x[:2]).shape, net(x[:2], units=8).shape      # probabilities with all units, and with the first 8
(torch.Size([2, 3]), torch.Size([2, 3]))
"""

import contextlib
import os
import warnings
from collections.abc import Iterator
from typing import Optional

import numpy as np
import torch
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, r2_score
from torch import nn

from accrete import _core
from accrete._base import FitInterrupted
from accrete._classifier import BoostedNetworkClassifier
from accrete._examples import count_examples, make_batches
from accrete._extract import FeatureRows, compute_features, free_memory
from accrete._feature_file import FeatureFile
from accrete._frozen import HALF, Frozen, device_of
from accrete._grown import GrownHead, Joined, JoinedDial, JoinedPrefix
from accrete._head_settings import for_features, has_learned
from accrete._model import steps_for
from accrete._onnx import export
from accrete._program import export_program
from accrete._regressor import BoostedNetworkRegressor
from accrete._state import read_state, write_state

__all__ = ["BoostedHead"]

_ESTIMATORS = {"classes": BoostedNetworkClassifier, "regression": BoostedNetworkRegressor}
_DEFAULTS = {"n_units": 500, "auto": False}


class BoostedHead(nn.Module):
    """A torch module followed by a boosted network, as one torch module.

    The backbone is frozen and not copied: it stays in evaluation mode, also after ``train()``, ``fit`` runs it without
    gradients, and its parameters and their ``requires_grad`` do not change.

    Parameters
    ----------
    backbone : torch.nn.Module
        Maps a batch to N x F features, on the device of its parameters.
    cut : str, default=None
        Use the output of this submodule of the backbone instead, such as "classifier.3".
    task : {'auto', 'classes', 'regression'}, default='auto'
        'auto' is regression if the targets are floating-point numbers, otherwise classes.
    feature_batch : int, default=256
        Batch size for examples given as one array or tensor.
    feature_memory : int, default=None
        Features beyond this number of bytes go to a memory-mapped temporary file. None is half of the free memory.
    **parameters
        Parameters of BoostedNetworkClassifier or BoostedNetworkRegressor. The defaults are theirs, except n_units=500
        and auto=False, and for classes and 64 features or more an alpha by the number of rows, features and classes
        and larger steps. warm_start is not allowed; call ``grow``.

    Attributes
    ----------
    estimator_ : BoostedNetworkClassifier or BoostedNetworkRegressor
        The estimator that was fitted on the features.
    classes_ : ndarray of shape (n_classes,)
        The class labels, in the order of the output columns.
    n_units_ : int
        Number of hidden units of the head.
    features : torch.nn.Module
        The frozen backbone.
    head : torch.nn.Module
        The boosted network.
    """

    def __init__(
        self,
        backbone: nn.Module,
        *,
        cut: Optional[str] = None,
        task: str = "auto",
        feature_batch: int = 256,
        feature_memory: Optional[int] = None,
        **parameters,
    ):
        super().__init__()
        if task != "auto" and task not in _ESTIMATORS:
            raise ValueError(f"task={task!r}: must be one of auto, {', '.join(_ESTIMATORS)}")
        if isinstance(feature_batch, bool) or not isinstance(feature_batch, int) or feature_batch < 1:
            raise ValueError(f"feature_batch={feature_batch!r}: must be an integer of at least 1")
        self.features = Frozen(backbone, cut)
        self.register_module("head", None)
        self.task, self.feature_batch, self.feature_memory = task, feature_batch, feature_memory
        self.settings = {**_DEFAULTS, **parameters}
        self._example = None
        self._check_settings()

    def _check_settings(self):
        """Raises for invalid parameters before features are computed."""
        if "warm_start" in self.settings:
            raise TypeError("warm_start: not allowed; call grow to add units")
        estimators = [_ESTIMATORS[self.task]] if self.task in _ESTIMATORS else list(_ESTIMATORS.values())
        errors = []
        for estimator in estimators:
            try:
                estimator(**self.settings)._settings()
            except (TypeError, ValueError) as error:
                errors.append(error)
        if len(errors) == len(estimators):
            raise errors[0]

    # Fitting.

    def fit(self, data, y=None, sample_weight=None, eval_set=None, feature_file=None) -> "BoostedHead":
        """Fit the head.

        Parameters
        ----------
        data : iterable of batches (x, y), pair (X, y), tensor or array
            The training examples.
        y : tensor or array, default=None
            The targets, if ``data`` is X.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the examples; not allowed with a loader, whose order may vary.
        eval_set : same as data, default=None
            Validation set; the head is truncated to its best prefix on it.
        feature_file : str or path-like, default=None
            Keep the features of the training examples in this file, next to which there is a file ``.journal``. If
            computing them is stopped, the next call continues; if they are complete, it uses them. The backbone and the
            examples, in their order, must be the same. Those of ``eval_set`` go to ``feature_file`` + ".eval".

        Returns
        -------
        self
        """
        features, targets = self._compute_features(data, y, sample_weight, feature_file)
        task = self.task
        if task == "auto":
            task = "regression" if targets.dtype.kind == "f" else "classes"
        eval_file = None if feature_file is None else os.fspath(feature_file) + ".eval"
        validation = None if eval_set is None else self._compute_features(eval_set, feature_file=eval_file)
        settings = self.settings
        if task == "classes":
            settings = for_features(_ESTIMATORS[task], settings, features, targets)
        if self.settings.get("alpha") is not None or settings.get("alpha") is None:
            estimator = _ESTIMATORS[task](**settings)
            return self._keep(estimator, estimator.fit, features, targets, sample_weight, validation)
        for _ in range(_core.MAX_PENALTY_FITS):
            estimator = _ESTIMATORS[task](**settings)
            with warnings.catch_warnings(record=True) as caught:  # warnings of a discarded fit would mislead
                warnings.simplefilter("always")
                self._keep(estimator, estimator.fit, features, targets, sample_weight, validation)
            if has_learned(estimator):
                break
            settings = {**settings, "alpha": settings["alpha"] / 2}  # too large for what the features explain
        for warning in caught:
            warnings.warn(warning.message, stacklevel=2)
        return self

    def grow(self, data, y=None, *, n_units: int, sample_weight=None, eval_set=None) -> "BoostedHead":
        """Add units to the fitted head until it has ``n_units``. The other arguments are those of ``fit``."""
        self._fitted_head()
        features, targets = self._compute_features(data, y, sample_weight)
        validation = None if eval_set is None else self._compute_features(eval_set)
        return self._keep(self.estimator_, self.estimator_.grow, features, targets, n_units, sample_weight, validation)

    def _keep(self, estimator, fit, *arguments):
        """Fits and keeps the estimator, even if Ctrl-C ends the fit."""
        try:
            fit(*arguments)
        except FitInterrupted:
            self._set_estimator(estimator)
            raise
        return self._set_estimator(estimator)

    def _compute_features(self, data, y=None, sample_weight=None, feature_file=None):
        """Features and targets of all examples."""
        batches, in_order = make_batches(data, y, self.feature_batch)
        if sample_weight is not None and not in_order:
            raise ValueError("sample_weight: needs X and y; the order of a loader may vary")
        limit = self.feature_memory
        if limit is None:
            free = free_memory()
            limit = None if free is None else free // 2
        verbose = self.settings.get("verbose", 0)
        rows = FeatureRows(limit) if feature_file is None else FeatureFile(feature_file, self.features)
        with contextlib.closing(rows):
            return compute_features(self.features, self._record_shape(batches), rows, count_examples(data), verbose)

    def _record_shape(self, batches):
        """Stores shape and dtype of an example, for tracing."""
        for x, y in batches:
            self._example = (tuple(x.shape[1:]), x.dtype)
            yield x, y

    def _set_estimator(self, estimator):
        self.estimator_ = estimator
        head = GrownHead(estimator.model_, getattr(estimator, "_places", None))
        self.head = head.to(device_of(self.features)).train(self.training)
        return self

    def _fitted_head(self):
        if self.head is None:
            raise NotFittedError("this BoostedHead is not fitted yet; call fit first")
        return self.head

    @property
    def n_units_(self) -> int:
        return self.estimator_.n_units_

    @property
    def classes_(self) -> np.ndarray:
        return self.estimator_.classes_

    # Predicting.

    def forward(self, x: torch.Tensor, units: Optional[int] = None) -> torch.Tensor:
        """Compute probabilities or values.

        Parameters
        ----------
        x : torch.Tensor
            A batch of N examples.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.

        Returns
        -------
        torch.Tensor of shape (N, n_classes) or (N, n_targets)
        """
        self._fitted_head()
        steps_for(self.estimator_.model_, units)
        return self._apply_head(self.features(x), None if units is None else int(units))

    def _apply_head(self, features, units):
        # Autocast may compute the features; the head stays in single precision, in which it was fitted.
        kind = features.device.type
        with torch.autocast(kind, enabled=False) if kind in ("cpu", "cuda") else contextlib.nullcontext():
            return self.head(features, units)

    def predict(self, X, units: Optional[int] = None) -> np.ndarray:
        """Predict the most probable class or the values of each example.

        Parameters
        ----------
        X : tensor or array
            The examples; they are computed in batches.
        units : int, default=None
            As in ``forward``.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        self._fitted_head()
        device, outputs = device_of(self.head), []
        with torch.no_grad():
            for x, _ in make_batches(X, None, self.feature_batch, targets=False)[0]:
                outputs.append(self(x.to(device), units).cpu().numpy())
        return self._to_labels(np.concatenate(outputs))

    def score(self, data, y=None, units: Optional[int] = None) -> float:
        """Compute the accuracy or R² on ``data``, which is as in ``fit``."""
        self._fitted_head()
        features, targets = self._compute_features(data, y)
        score = accuracy_score if hasattr(self.estimator_, "classes_") else r2_score
        return float(score(targets, self.estimator_.predict(features, units)))

    def staged(self, x: torch.Tensor) -> Iterator[torch.Tensor]:
        """Yield the output of ``forward`` after each step; the backbone runs once."""
        head = self._fitted_head()
        features = self.features(x)
        for end in head.ends[1:]:
            yield self._apply_head(features, end)

    def _to_labels(self, outputs):
        if hasattr(self.estimator_, "classes_"):
            return self.classes_[np.argmax(outputs, axis=1)]
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    # Exports.

    def script(self, example: Optional[torch.Tensor] = None) -> torch.jit.ScriptModule:
        """Compile backbone and head as TorchScript, which runs without accrete: forward(x, units=None).

        Parameters
        ----------
        example : torch.Tensor, default=None
            A batch to trace the backbone with. None scripts the backbone if possible; otherwise, or with a cut, it
            traces with zeros.

        Returns
        -------
        torch.jit.ScriptModule
        """
        head = self._fitted_head()
        with warnings.catch_warnings(), torch.no_grad():
            # The user did not choose TorchScript, so its deprecation warnings do not help.
            warnings.filterwarnings("ignore", "`torch.jit", FutureWarning)
            warnings.filterwarnings("ignore", "`torch.jit", DeprecationWarning)
            features = self.features.plain()
            if features.cut is None and example is None:
                try:
                    return torch.jit.script(Joined(features.backbone, head).eval())
                except Exception:  # TorchScript raises many types of error for code that it cannot compile
                    pass
            traced = torch.jit.trace(features, self._example_batch(example))
            return torch.jit.script(Joined(traced, head).eval())

    def _example_batch(self, example):
        if example is None:
            if self._example is None:
                raise ValueError("example: a batch to trace with is required after loading a state dictionary")
            shape, dtype = self._example
            example = torch.zeros(2, *shape, dtype=dtype)  # tracing would fix a batch size of 1
        return example.to(device_of(self.features), torch.float32 if example.dtype in HALF else example.dtype)

    def export(self, example: Optional[torch.Tensor] = None, units: Optional[int] = None):
        """Export backbone and head as a program of torch.export, which runs without accrete. Needs PyTorch 2.5.

        Parameters
        ----------
        example : torch.Tensor, default=None
            A batch of at least two examples to trace with; None uses zeros.
        units : int, default=None
            Export only the first ``units`` units, rounded down to a whole step.

        Returns
        -------
        torch.export.ExportedProgram
            For any number of examples; ``torch.export.save`` writes it.
        """
        head = self._fitted_head()
        steps_for(self.estimator_.model_, units)
        joined = JoinedPrefix(self.features.plain(), head, None if units is None else int(units)).eval()
        return export_program(joined, self._example_batch(example))

    def to_onnx(self, path: str | os.PathLike, example=None, units: Optional[int] = None, dial: bool = False) -> None:
        """Export backbone and head as an ONNX file.

        The input is "x" with any number of examples, the output "probabilities" or "variable".

        Parameters
        ----------
        path : str or path-like
            The file to write.
        example : torch.Tensor, default=None
            A batch to trace with; None uses zeros.
        units : int, default=None
            Export only the first ``units`` units, rounded down to a whole step.
        dial : bool, default=False
            Add the input ``units``, which selects the number of units at run time; 0 selects all.
        """
        head = self._fitted_head()
        steps_for(self.estimator_.model_, units)
        if dial and units is not None:
            raise ValueError("units, dial: give only one of them")
        if dial and self.n_units_ == 0:
            raise ValueError("dial: the head has no units")
        features = self.features.plain()
        joined = JoinedDial(features, head) if dial else JoinedPrefix(features, head, units)
        export(joined.eval(), self._example_batch(example), path, dial)

    def get_extra_state(self) -> torch.Tensor:
        """The fitted estimator as bytes, so that load_state_dict works on a BoostedHead that is not fitted."""
        state = b"" if self.head is None else write_state(self.estimator_)
        return torch.from_numpy(np.frombuffer(state, dtype=np.uint8).copy())

    def set_extra_state(self, state: torch.Tensor) -> None:
        """Restore the estimator from get_extra_state."""
        if state.numel() > 0:
            self._set_estimator(read_state(state.cpu().numpy().tobytes()))
