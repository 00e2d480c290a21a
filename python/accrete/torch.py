"""Deep networks with a grown head. Needs torch.

>>> import torch, accrete.torch
>>> backbone = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU())
>>> x, y = torch.randn(200, 4), torch.randint(3, (200,))
>>> net = accrete.torch.BoostedHead(backbone, n_units=40, units_per_step=4, random_state=0).fit(x, y)
>>> net(x[:2]).shape, net(x[:2], units=8).shape      # probabilities by all units, and by the first 8
(torch.Size([2, 3]), torch.Size([2, 3]))
"""

import os
import warnings
from collections.abc import Iterator
from typing import Optional

import numpy as np
import torch
from torch import nn

from accrete._classifier import BoostedNetworkClassifier
from accrete._examples import batches_of, count_of
from accrete._frozen import Frozen, compute, free_memory, place_of
from accrete._grown import Cut, Dialled, GrownHead, Joined
from accrete._load import read_state, written_state
from accrete._model import steps_for
from accrete._regressor import BoostedNetworkRegressor

__all__ = ["BoostedHead"]

_KINDS = {"classes": BoostedNetworkClassifier, "regression": BoostedNetworkRegressor}
_DEFAULTS = {"n_units": 500, "auto": False}


class BoostedHead(nn.Module):
    """A torch module with a network grown on top of it, as one torch module.

    The backbone is frozen: it is put into evaluation mode and kept there, also by ``train()``, it is run without
    gradients in ``fit``, and its parameters (and their ``requires_grad``) stay as they are. It is not copied.

    Parameters
    ----------
    backbone : torch.nn.Module
        Maps a batch to N x F features. They are computed where its parameters are.
    cut : str or None
        The submodule of the backbone whose output is taken instead, such as "classifier.3".
    task : {'auto', 'classes', 'regression'}
        'auto': regression where targets are floating point numbers, else classes.
    feature_batch : int
        Examples at a time where they come as one array or tensor.
    feature_memory : int or None
        Features of more bytes go into a temporary file that is mapped; None: half of the memory that is free.
    **parameters :
        Those of BoostedNetworkClassifier or BoostedNetworkRegressor, with their defaults but for n_units=500 and
        auto=False, as `accrete deep boost` has them; no warm_start, for ``grow`` goes on.

    Attributes
    ----------
    estimator_ : BoostedNetworkClassifier or BoostedNetworkRegressor
        What was fitted to the features.
    classes_ : ndarray
        The labels; columns of the output are in their order.
    n_units_ : int
        Hidden units of the head.
    features, head : torch.nn.Module
        The frozen part, and the grown one.
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
        if task != "auto" and task not in _KINDS:
            raise ValueError(f"task={task!r}: must be one of auto, {', '.join(_KINDS)}")
        if isinstance(feature_batch, bool) or not isinstance(feature_batch, int) or feature_batch < 1:
            raise ValueError(f"feature_batch={feature_batch!r}: must be a whole number of at least 1")
        self.features = Frozen(backbone, cut)
        self.register_module("head", None)
        self.task, self.feature_batch, self.feature_memory = task, feature_batch, feature_memory
        self.settings = {**_DEFAULTS, **parameters}
        self._example = None
        self._check_settings()

    def _check_settings(self):
        """Before hours of work and not after them."""
        if "warm_start" in self.settings:
            raise TypeError("warm_start: call grow, which keeps the units that are there and goes on")
        kinds = [_KINDS[self.task]] if self.task in _KINDS else list(_KINDS.values())
        errors = []
        for kind in kinds:
            try:
                kind(**self.settings)._settings()
            except (TypeError, ValueError) as error:
                errors.append(error)
        if len(errors) == len(kinds):
            raise errors[0]

    # Fitting.

    def fit(self, data, y=None, sample_weight=None, eval_set=None) -> "BoostedHead":
        """Grows the head. ``data`` is a loader of batches (x, y), or a pair (X, y), or X with y beside it.

        Weights go with X and y, whose order they share. eval_set is one more of ``data``, to find the best number of
        units on.
        """
        features, targets = self._examples(data, y, sample_weight)
        task = self.task
        if task == "auto":
            task = "regression" if targets.dtype.kind == "f" else "classes"
        estimator = _KINDS[task](**self.settings)
        held_out = None if eval_set is None else self._examples(eval_set)
        return self._keep(estimator.fit(features, targets, sample_weight=sample_weight, eval_set=held_out))

    def grow(self, data, y=None, *, n_units: int, sample_weight=None, eval_set=None) -> "BoostedHead":
        """Goes on until the head has ``n_units`` units; those that are there stay as they are."""
        self._fitted()
        features, targets = self._examples(data, y, sample_weight)
        held_out = None if eval_set is None else self._examples(eval_set)
        return self._keep(self.estimator_.grow(features, targets, n_units, sample_weight, held_out))

    def _examples(self, data, y=None, sample_weight=None):
        batches, paired = batches_of(data, y, self.feature_batch)
        if sample_weight is not None and not paired:
            raise ValueError("sample_weight: goes with X and y; a loader may give examples in any order")
        limit = self.feature_memory
        if limit is None:
            free = free_memory()
            limit = None if free is None else free // 2
        return compute(self.features, self._noted(batches), limit, count_of(data), self.settings.get("verbose", 0))

    def _noted(self, batches):
        """Keeps what an example looks like, for tracing."""
        for x, y in batches:
            self._example = (tuple(x.shape[1:]), x.dtype)
            yield x, y

    def _keep(self, estimator):
        self.estimator_ = estimator
        head = GrownHead(estimator.model_, getattr(estimator, "_places", None))
        self.head = head.to(place_of(self.features)).train(self.training)
        return self

    def _fitted(self):
        if self.head is None:
            from sklearn.exceptions import NotFittedError

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
        """N x classes probabilities or N x targets values by the first ``units`` units (rounded down to a step)."""
        head = self._fitted()
        steps_for(self.estimator_.model_, units)
        return head(self.features(x), None if units is None else int(units))

    def predict(self, X, units: Optional[int] = None) -> np.ndarray:
        """The most probable class of each example, or its values. X is one tensor or array, taken in batches."""
        self._fitted()
        place, parts = place_of(self.head), []
        with torch.no_grad():
            for x, _ in batches_of(X, None, self.feature_batch, targets=False)[0]:
                parts.append(self(x.to(place), units).cpu().numpy())
        return self._labelled(np.concatenate(parts))

    def score(self, data, y=None, units: Optional[int] = None) -> float:
        """The share of right classes, or R²; ``data`` as in fit."""
        from sklearn.metrics import accuracy_score, r2_score

        self._fitted()
        features, targets = self._examples(data, y)
        judge = accuracy_score if hasattr(self.estimator_, "classes_") else r2_score
        return float(judge(targets, self.estimator_.predict(features, units)))

    def staged(self, x: torch.Tensor) -> Iterator[torch.Tensor]:
        """What forward gives after each step, the backbone being run once."""
        head = self._fitted()
        features = self.features(x)
        for end in head.ends[1:]:
            yield head(features, end)

    def _labelled(self, outputs):
        if hasattr(self.estimator_, "classes_"):
            return self.classes_[np.argmax(outputs, axis=1)]
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    # Elsewhere.

    def script(self, example: Optional[torch.Tensor] = None) -> torch.jit.ScriptModule:
        """The joined network as TorchScript, which runs and is saved without accrete: forward(x, units=None).

        A backbone that torch.jit.script does not take, or that is cut, is traced with the example (a batch; made of
        zeros when not given).
        """
        head = self._fitted()
        with warnings.catch_warnings(), torch.no_grad():
            # TorchScript is what joined networks are; that PyTorch 2 has a successor for it is not the user's doing.
            warnings.filterwarnings("ignore", "`torch.jit", FutureWarning)
            warnings.filterwarnings("ignore", "`torch.jit", DeprecationWarning)
            if self.features.cut is None and example is None:
                try:
                    return torch.jit.script(Joined(self.features.backbone, head).eval())
                except Exception:  # of many kinds, one for each thing that it cannot compile
                    pass
            traced = torch.jit.trace(self.features, self._some(example))
            return torch.jit.script(Joined(traced, head).eval())

    def _some(self, example):
        if example is None:
            if self._example is None:
                raise ValueError("example: give a batch to trace with; a loaded state does not hold one")
            shape, dtype = self._example
            example = torch.zeros(2, *shape, dtype=dtype)  # one would be taken for a size that stays
        return example.to(place_of(self.features))

    def to_onnx(self, path: str | os.PathLike, example=None, units: Optional[int] = None, dial: bool = False) -> None:
        """Writes the joined network as an ONNX file: x in, "probabilities" or "variable" out, any number of examples.

        ``units`` cuts it for good; with ``dial`` they are an optional input of it, which needs the package onnx.
        """
        from accrete._onnx import export

        head = self._fitted()
        steps_for(self.estimator_.model_, units)
        if dial and units is not None:
            raise ValueError("units, dial: one or the other")
        if dial and self.n_units_ == 0:
            raise ValueError("dial: the head has no units")
        joined = Dialled(self.features, head) if dial else Cut(self.features, head, units)
        export(joined.eval(), self._some(example), path, dial)

    def get_extra_state(self) -> torch.Tensor:
        """The model, so that a state dictionary can be loaded by a BoostedHead that was never fitted."""
        written = b"" if self.head is None else written_state(self.estimator_)
        return torch.from_numpy(np.frombuffer(written, dtype=np.uint8).copy())

    def set_extra_state(self, state: torch.Tensor) -> None:
        if state.numel() > 0:
            self._keep(read_state(state.cpu().numpy().tobytes()))
