from typing import Any, Literal, TypeAlias

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, _Path

__all__ = ["get_default_pip_requirements", "load_model", "log_model", "save_model"]

_Estimator: TypeAlias = BoostedNetworkClassifier | BoostedNetworkRegressor
_Method: TypeAlias = Literal["predict", "predict_proba", "predict_log_proba"]

FLAVOR_NAME: str
METHODS: tuple[str, ...]

def get_default_pip_requirements() -> list[str]: ...
def save_model(
    estimator: _Estimator,
    path: _Path,
    predict_method: _Method = "predict",
    mlflow_model: Any = None,
    **kwargs: Any,
) -> None: ...
def log_model(estimator: _Estimator, name: str = "model", **kwargs: Any) -> Any: ...
def load_model(model_uri: _Path, dst_path: str | None = None) -> _Estimator: ...
