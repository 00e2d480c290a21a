"""The types of the public interface. Its tests compare every signature here with the one in the code."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, RegressorMixin
from typing_extensions import Self

from accrete import mlflow as mlflow
from accrete import optuna as optuna
from accrete import torch as torch

__version__: str
__all__: list[str]

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class _Progress(Protocol):
    """What a callback gets after each step."""

    @property
    def step(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def train_loss(self) -> float: ...
    @property
    def validation_loss(self) -> float | None: ...
    @property
    def fraction(self) -> float: ...
    @property
    def seconds_left(self) -> float: ...

_Array: TypeAlias = npt.NDArray[Any]
_Floats: TypeAlias = npt.NDArray[np.float64]
_Rows: TypeAlias = npt.ArrayLike | _ArrowStream
_GroupWeight: TypeAlias = str | int | Mapping[Any, Mapping[Any, float]]
_EvalSet: TypeAlias = tuple[_Rows, npt.ArrayLike] | tuple[_Rows, npt.ArrayLike, npt.ArrayLike]
_Callback: TypeAlias = Callable[[_Progress], bool | None]
_Path: TypeAlias = str | os.PathLike[str]
_Loss: TypeAlias = Callable[[_Floats, _Floats], tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike]]
_Metric: TypeAlias = Callable[[_Array, _Floats], float]
_MonotonicCst: TypeAlias = Mapping[str, int] | npt.ArrayLike
_InteractionCst: TypeAlias = Literal["no_interactions"] | Sequence[Sequence[str | int] | set[str] | set[int]]
_Preset: TypeAlias = Literal["fast", "default", "best", "paper"]
_Device: TypeAlias = Literal["cpu", "cuda", "auto"]
_RandomState: TypeAlias = int | np.random.RandomState | None

class _BoostedNetwork(BaseEstimator):  # type: ignore[misc]
    """The methods and attributes that both estimators have."""

    n_features_in_: int
    feature_names_in_: _Array
    @property
    def n_units_(self) -> int: ...
    @property
    def n_iter_(self) -> int: ...
    @property
    def loss_curve_(self) -> _Floats: ...
    @property
    def validation_curve_(self) -> _Floats: ...
    @property
    def choice_(self) -> dict[str, Any]: ...
    @property
    def feature_importances_(self) -> _Floats: ...
    def fit(
        self,
        X: _Rows,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        eval_set: _EvalSet | None = None,
        init_score: npt.ArrayLike | None = None,
        callback: _Callback | None = None,
        comm: Any | None = None,
    ) -> Self: ...
    def grow(
        self,
        X: _Rows,
        y: npt.ArrayLike,
        n_units: int,
        sample_weight: npt.ArrayLike | None = None,
        eval_set: _EvalSet | None = None,
        init_score: npt.ArrayLike | None = None,
        callback: _Callback | None = None,
    ) -> Self: ...
    @property
    def early_exit_(self) -> dict[str, Any] | None: ...
    def dial(
        self, X: _Rows, disagreement: float = 0.001, confidence: float = 0.95, tolerance: float | None = None
    ) -> Self: ...
    def truncate(self, units: int) -> Self: ...
    def predict(
        self, X: _Rows, units: int | None = None, init_score: npt.ArrayLike | None = None, exit: bool = False
    ) -> _Array: ...
    def staged_predict(self, X: _Rows, init_score: npt.ArrayLike | None = None) -> Iterator[_Array]: ...
    def score(
        self,
        X: _Rows,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        init_score: npt.ArrayLike | None = None,
        units: int | None = None,
    ) -> float: ...
    def contributions(self, X: _Rows, units: int | None = None) -> _Floats: ...
    def explain(self, X: _Rows, units: int | None = None) -> Any: ...
    def save(self, path: _Path) -> None: ...
    @classmethod
    def load(cls, path: _Path) -> Self: ...
    def to_onnx(self, path: _Path, units: int | None = None, dial: bool = False) -> None: ...
    def to_c(self, path: _Path, units: int | None = None, name: str | None = None) -> None: ...
    def to_torch(self, units: int | None = None) -> Any: ...
    def plot_curve(
        self,
        X: _Rows | None = None,
        y: npt.ArrayLike | None = None,
        ax: Any = None,
        init_score: npt.ArrayLike | float | None = None,
    ) -> Any: ...
    def curve_table(self) -> Any: ...

class BoostedNetworkClassifier(ClassifierMixin, _BoostedNetwork):  # type: ignore[misc]
    classes_: _Array
    def __init__(
        self,
        *,
        n_units: int | None = None,
        units_per_step: int | None = None,
        learning_rate: float | None = None,
        first_rate: float | None = None,
        subsample: float | None = None,
        feature_fraction: float | None = None,
        activation: str | None = None,
        bins: int | None = None,
        loss: str | None = None,
        objective: str | None = None,
        solver: str | None = None,
        alpha: float | None = None,
        max_iter: int | None = None,
        joint_iter: int | None = None,
        tolerance: float | None = None,
        tolerance_floor: float | None = None,
        gain_tolerance: float | None = None,
        gauss_newton: bool | None = None,
        rescale_residual: bool | None = None,
        prior_start: bool | None = None,
        monotonic_cst: _MonotonicCst | None = None,
        interaction_cst: _InteractionCst | None = None,
        batch_size: int | None = None,
        solver_rate: float | None = None,
        momentum: float | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        group_weight: _GroupWeight | None = None,
        early_stopping: bool = False,
        validation_fraction: float | None = None,
        interval: float | None = None,
        calibration_fraction: float | None = None,
        patience: int | None = None,
        metric: str | None = None,
        eval_metric: _Metric | None = None,
        auto: bool | None = None,
        time_limit: float | None = None,
        ignore: str | Sequence[str | int] | None = None,
        preset: _Preset = "default",
        warm_start: bool = False,
        random_state: _RandomState = None,
        device: _Device = "cpu",
        n_jobs: int | None = None,
        verbose: int = 0,
        keep_on_interrupt: bool = False,
    ) -> None: ...
    def predict_proba(
        self, X: _Rows, units: int | None = None, init_score: npt.ArrayLike | None = None, exit: bool = False
    ) -> _Floats: ...
    def predict_log_proba(
        self, X: _Rows, units: int | None = None, init_score: npt.ArrayLike | None = None, exit: bool = False
    ) -> _Floats: ...
    def predict_set(self, X: _Rows, units: int | None = None) -> npt.NDArray[np.bool_]: ...
    def staged_predict_proba(self, X: _Rows, init_score: npt.ArrayLike | None = None) -> Iterator[_Floats]: ...

class BoostedNetworkRegressor(RegressorMixin, _BoostedNetwork):  # type: ignore[misc]
    def __init__(
        self,
        *,
        n_units: int | None = None,
        units_per_step: int | None = None,
        learning_rate: float | None = None,
        first_rate: float | None = None,
        subsample: float | None = None,
        feature_fraction: float | None = None,
        activation: str | None = None,
        bins: int | None = None,
        loss: str | _Loss | None = None,
        objective: str | None = None,
        solver: str | None = None,
        alpha: float | None = None,
        max_iter: int | None = None,
        joint_iter: int | None = None,
        tolerance: float | None = None,
        tolerance_floor: float | None = None,
        gain_tolerance: float | None = None,
        gauss_newton: bool | None = None,
        standardise_target: bool | None = None,
        rescale_residual: bool | None = None,
        huber_delta: float | None = None,
        quantile: float | None = None,
        quantiles: Sequence[float] | _Array | str | None = None,
        monotonic_cst: _MonotonicCst | None = None,
        interaction_cst: _InteractionCst | None = None,
        batch_size: int | None = None,
        solver_rate: float | None = None,
        momentum: float | None = None,
        group_weight: _GroupWeight | None = None,
        early_stopping: bool = False,
        validation_fraction: float | None = None,
        interval: float | None = None,
        calibration_fraction: float | None = None,
        patience: int | None = None,
        metric: str | None = None,
        eval_metric: _Metric | None = None,
        auto: bool | None = None,
        time_limit: float | None = None,
        ignore: str | Sequence[str | int] | None = None,
        preset: _Preset = "default",
        warm_start: bool = False,
        random_state: _RandomState = None,
        device: _Device = "cpu",
        n_jobs: int | None = None,
        verbose: int = 0,
        keep_on_interrupt: bool = False,
    ) -> None: ...
    def predict_interval(self, X: _Rows, units: int | None = None) -> _Floats: ...

class BoostedNetworkSearchCV(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    best_params_: dict[str, Any]
    best_score_: float
    best_estimator_: BoostedNetworkClassifier | BoostedNetworkRegressor
    best_index_: int
    cv_results_: dict[str, Any]
    units_: npt.NDArray[np.int64]
    scorer_: str
    n_splits_: int
    def __init__(
        self,
        estimator: BoostedNetworkClassifier | BoostedNetworkRegressor,
        param_grid: Mapping[str, Sequence[object] | _Array],
        *,
        cv: Any = 5,
        scoring: str | None = None,
        refit: bool = True,
        device: _Device | None = None,
    ) -> None: ...
    def fit(
        self,
        X: _Rows,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        init_score: npt.ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: _Rows, units: int | None = None, init_score: npt.ArrayLike | None = None) -> _Array: ...
    def predict_proba(self, X: _Rows, units: int | None = None, init_score: npt.ArrayLike | None = None) -> _Floats: ...
    def score(
        self,
        X: _Rows,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        init_score: npt.ArrayLike | None = None,
    ) -> float: ...

class Model:
    def __init__(self, core: Any) -> None: ...
    @classmethod
    def load(cls, path: _Path) -> Model: ...
    def save(self, path: _Path) -> None: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def units(self) -> int: ...
    @property
    def early_exit(self) -> dict[str, Any] | None: ...
    def predict(self, X: _Rows, units: int | None = None, exit: bool = False) -> _Floats: ...

def check_loss(loss: _Loss, y: npt.ArrayLike) -> None: ...
def load(path: _Path) -> BoostedNetworkClassifier | BoostedNetworkRegressor: ...
