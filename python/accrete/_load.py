"""Estimators from model files."""

import os

from accrete._classifier import BoostedNetworkClassifier
from accrete._model import read_boosted_model
from accrete._regressor import BoostedNetworkRegressor


def load(path: str | os.PathLike):
    """Read a fitted estimator from a model file.

    Parameters
    ----------
    path : str or path-like
        A file written by ``save`` or by the command line.

    Returns
    -------
    BoostedNetworkClassifier or BoostedNetworkRegressor
        A fitted estimator. A file stores class labels as text: labels that are all numbers become numbers (integers if
        all are whole), False and True become bools, others stay strings. Use a pickle to preserve other types.

    Raises
    ------
    OSError
        If the file cannot be read or is not a valid model file.
    ValueError
        If the model was not made by boosting.
    """
    return make_estimator(read_boosted_model(path))


def make_estimator(model):
    """The fitted estimator for a compiled model."""
    kind = BoostedNetworkRegressor if model.task == "regression" else BoostedNetworkClassifier
    return kind._from_model(model)
