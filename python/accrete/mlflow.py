"""MLflow models of fitted estimators. Needs MLflow 3 (or mlflow-skinny 3) and pandas.

An MLflow model has the model file and a description of the class labels and columns, so no pickle is loaded.
"""

import json
import os
import pathlib
import sys
import tempfile

import mlflow
import mlflow.artifacts
import mlflow.pyfunc
from mlflow.models import Model, infer_signature

from accrete._base import BoostedNetwork
from accrete._core import version
from accrete._model import read_boosted_model
from accrete._state import describe, restore

__all__ = ["get_default_pip_requirements", "load_model", "log_model", "save_model"]

FLAVOR_NAME = "accrete"
METHODS = "predict", "predict_proba", "predict_log_proba"
_MODEL_FILE, _DESCRIPTION_FILE = "model.safetensors", "description.json"


def get_default_pip_requirements() -> list[str]:
    """The packages that a model needs in addition to MLflow."""
    return [f"accrete=={version()}"]


def save_model(estimator, path: str | os.PathLike, predict_method: str = "predict", mlflow_model=None, **kwargs):
    """Write a fitted estimator as an MLflow model.

    Parameters
    ----------
    estimator : BoostedNetworkClassifier or BoostedNetworkRegressor
        A fitted estimator.
    path : str or path-like
        The folder to write, which must be empty or not exist.
    predict_method : {'predict', 'predict_proba', 'predict_log_proba'}, default='predict'
        The method of the estimator that ``mlflow.pyfunc`` calls.
    mlflow_model : mlflow.models.Model, default=None
        The MLflow model that the estimator is added to.
    **kwargs
        Arguments of ``mlflow.pyfunc.save_model`` such as ``input_example``, ``signature``, ``metadata`` and
        ``pip_requirements``. The signature is inferred from the input example if it is not given. It has the parameter
        ``units``, the number of units to predict with; 0 is all.
    """
    _check(estimator, predict_method)
    description = {**describe(estimator), "predict_method": predict_method}
    _set_requirements(kwargs)
    _set_signature(kwargs, _Predictor(estimator, predict_method))
    mlflow_model = Model() if mlflow_model is None else mlflow_model
    mlflow_model.add_flavor(FLAVOR_NAME, accrete_version=version(), data=f"data/{FLAVOR_NAME}")
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / FLAVOR_NAME
        data.mkdir()
        estimator.save(data / _MODEL_FILE)
        (data / _DESCRIPTION_FILE).write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
        mlflow.pyfunc.save_model(
            os.fspath(path), loader_module=__name__, data_path=str(data), mlflow_model=mlflow_model, **kwargs
        )


def log_model(estimator, name: str = "model", **kwargs):
    """Log a fitted estimator as an MLflow model of the active run.

    Parameters
    ----------
    estimator : BoostedNetworkClassifier or BoostedNetworkRegressor
        A fitted estimator.
    name : str, default='model'
        The name of the model.
    **kwargs
        Arguments of ``save_model``, and of ``mlflow.models.Model.log`` such as ``registered_model_name``.

    Returns
    -------
    mlflow.models.model.ModelInfo
        Its ``model_uri`` is what ``load_model`` and ``mlflow.pyfunc.load_model`` take.
    """
    _check(estimator, kwargs.get("predict_method", "predict"))
    return Model.log(artifact_path=None, name=name, flavor=sys.modules[__name__], estimator=estimator, **kwargs)


def load_model(model_uri: str | os.PathLike, dst_path: str | None = None):
    """Read a fitted estimator from an MLflow model.

    Parameters
    ----------
    model_uri : str or path-like
        A folder, or an address such as ``runs:/RUN/model`` or ``models:/NAME/1``.
    dst_path : str, default=None
        A folder to which a remote model is downloaded; None uses a temporary one.

    Returns
    -------
    BoostedNetworkClassifier or BoostedNetworkRegressor
    """
    folder = pathlib.Path(mlflow.artifacts.download_artifacts(artifact_uri=os.fspath(model_uri), dst_path=dst_path))
    flavors = Model.load(str(folder)).flavors
    if FLAVOR_NAME not in flavors:
        raise ValueError(f"{os.fspath(model_uri)}: not written by accrete.mlflow; it has {', '.join(flavors)}")
    return _read(folder / flavors[FLAVOR_NAME]["data"])[0]


def _read(folder):
    """The estimator in a folder and its description."""
    description = json.loads((pathlib.Path(folder) / _DESCRIPTION_FILE).read_text(encoding="utf-8"))
    return restore(read_boosted_model(pathlib.Path(folder) / _MODEL_FILE), description), description


def _load_pyfunc(path):
    """Called by mlflow.pyfunc.load_model."""
    estimator, description = _read(path)
    return _Predictor(estimator, description["predict_method"])


class _Predictor:
    """The interface of mlflow.pyfunc."""

    def __init__(self, estimator, method):
        self.estimator, self.method = estimator, method

    def predict(self, data, params=None):
        units = (params or {}).get("units") or None
        return getattr(self.estimator, self.method)(data, units=units)

    def get_raw_model(self):
        return self.estimator


def _check(estimator, method):
    if not isinstance(estimator, BoostedNetwork):
        hint = "; pass its best_estimator_" if hasattr(estimator, "best_estimator_") else ""
        raise ValueError(f"estimator: must be an estimator of accrete, not {type(estimator).__name__}{hint}")
    if not hasattr(estimator, "model_"):
        raise ValueError(f"estimator: this {type(estimator).__name__} is not fitted")
    methods = [name for name in METHODS if hasattr(estimator, name)]
    if method not in methods:
        raise ValueError(f"predict_method={method!r}: must be one of {', '.join(methods)}")


def _set_requirements(kwargs):
    """Adds accrete; MLflow would infer requirements by loading the model in another process, which takes long."""
    if kwargs.get("conda_env") is None and kwargs.get("pip_requirements") is None:
        extra = kwargs.pop("extra_pip_requirements", None) or []
        extra = [f"-r {extra}"] if isinstance(extra, str) else list(extra)
        kwargs["pip_requirements"] = [*get_default_pip_requirements(), *extra]


def _set_signature(kwargs, predictor):
    """Infers the signature from the input example, if none is given; False means none."""
    example = kwargs.get("input_example")
    if kwargs.get("signature") is None and example is not None:
        data = example[0] if isinstance(example, tuple) else example  # the second item has parameters
        kwargs["signature"] = infer_signature(data, predictor.predict(data), params={"units": 0})
    elif kwargs.get("signature") is False:
        kwargs["signature"] = None
