"""accrete: neural networks grown by gradient boosting, with a dial.

>>> from accrete import BoostedNetworkClassifier
>>> from sklearn.datasets import load_breast_cancer
>>> X, y = load_breast_cancer(return_X_y=True)
>>> clf = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, y)
>>> clf.predict_proba(X[:1], units=8).shape          # the first 8 units alone
(1, 2)

Importing accrete imports nothing but NumPy; scikit-learn, matplotlib, tqdm and torch come when what needs them is used.
"""

from accrete._core import version as _version

__version__ = _version()
__all__ = ["BoostedNetworkClassifier", "BoostedNetworkRegressor", "BoostedNetworkSearchCV", "Model", "load"]

_HOMES = {
    "BoostedNetworkClassifier": "accrete._classifier",
    "BoostedNetworkRegressor": "accrete._regressor",
    "BoostedNetworkSearchCV": "accrete._search",
    "Model": "accrete._model",
    "load": "accrete._load",
}


def __getattr__(name):
    from importlib import import_module

    if name == "torch":  # not listed, for torch may not be installed
        return import_module("accrete.torch")
    if name not in _HOMES:
        raise AttributeError(f"module 'accrete' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_HOMES])
