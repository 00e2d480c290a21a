from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import numpy.typing as npt
import torch
from torch import nn

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, _Array, _Path

__all__ = ["BoostedHead"]

_Examples: TypeAlias = torch.Tensor | _Array | tuple[Any, Any] | Iterable[tuple[torch.Tensor, torch.Tensor]]

class BoostedHead(nn.Module):
    estimator_: BoostedNetworkClassifier | BoostedNetworkRegressor
    features: nn.Module
    head: nn.Module | None
    task: str
    feature_batch: int
    feature_memory: int | None
    settings: dict[str, Any]
    def __init__(
        self,
        backbone: nn.Module,
        *,
        cut: str | None = None,
        task: Literal["auto", "classes", "regression"] = "auto",
        feature_batch: int = 256,
        feature_memory: int | None = None,
        **parameters: Any,
    ) -> None: ...
    @property
    def n_units_(self) -> int: ...
    @property
    def classes_(self) -> _Array: ...
    def fit(
        self,
        data: _Examples,
        y: torch.Tensor | npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
        eval_set: _Examples | None = None,
        feature_file: _Path | None = None,
    ) -> BoostedHead: ...
    def grow(
        self,
        data: _Examples,
        y: torch.Tensor | npt.ArrayLike | None = None,
        *,
        n_units: int,
        sample_weight: npt.ArrayLike | None = None,
        eval_set: _Examples | None = None,
    ) -> BoostedHead: ...
    def forward(self, x: torch.Tensor, units: int | None = None) -> torch.Tensor: ...
    def predict(self, X: torch.Tensor | _Array, units: int | None = None) -> _Array: ...
    def score(
        self, data: _Examples, y: torch.Tensor | npt.ArrayLike | None = None, units: int | None = None
    ) -> float: ...
    def staged(self, x: torch.Tensor) -> Iterator[torch.Tensor]: ...
    def script(self, example: torch.Tensor | None = None) -> torch.jit.ScriptModule: ...
    def export(
        self, example: torch.Tensor | None = None, units: int | None = None
    ) -> torch.export.ExportedProgram: ...
    def to_onnx(
        self, path: _Path, example: torch.Tensor | None = None, units: int | None = None, dial: bool = False
    ) -> None: ...
    def get_extra_state(self) -> torch.Tensor: ...
    def set_extra_state(self, state: torch.Tensor) -> None: ...
