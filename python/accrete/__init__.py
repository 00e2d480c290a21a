"""Neural networks grown by gradient boosting, as scikit-learn estimators.

>>> from accrete import BoostedNetworkClassifier
>>> from sklearn.datasets import load_breast_cancer
>>> X, y = load_breast_cancer(return_X_y=True)
>>> clf = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, y)
>>> clf.predict_proba(X[:1], units=8).shape          # only the first 8 units
(1, 2)

``import accrete`` imports only NumPy. scikit-learn, matplotlib, MLflow, Optuna, tqdm and torch are imported when they
are needed.
"""

from accrete._core import version as _version

__version__ = _version()
__all__ = [
    "BoostedNetworkClassifier",
    "BoostedNetworkRegressor",
    "BoostedNetworkSearchCV",
    "Model",
    "check_loss",
    "load",
]

_MODULES = {
    "BoostedNetworkClassifier": "accrete._classifier",
    "BoostedNetworkRegressor": "accrete._regressor",
    "BoostedNetworkSearchCV": "accrete._search",
    "Model": "accrete._model",
    "check_loss": "accrete._functions",
    "load": "accrete._load",
}
# Modules for optional packages, which __dir__ therefore does not list.
_COMPANIONS = ("mlflow", "optuna", "torch")


def __getattr__(name):
    from importlib import import_module

    if name in _COMPANIONS:
        return import_module(f"accrete.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module 'accrete' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_MODULES])
