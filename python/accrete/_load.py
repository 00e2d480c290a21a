"""A model file as an estimator."""

import decimal
import json
import os

import numpy as np

from accrete import _core
from accrete._model import read_model


def _typed(labels):
    """Labels as a model file spells them: numbers where all are, True and False where they are these, else texts."""
    if labels == ["False", "True"]:
        return np.array([False, True])
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        return np.array(labels)
    if all(number.is_integer() for number in numbers):
        wholes = [int(decimal.Decimal(label)) for label in labels]  # beyond 2^53 a float has other digits
        return np.array(wholes, dtype=_whole_type(wholes))
    return np.array(numbers if len(set(numbers)) == len(numbers) else labels)


def _whole_type(wholes):
    """NumPy left to itself makes floats of integers on both sides of 2^63."""
    for candidate in (np.int64, np.uint64):
        if np.iinfo(candidate).min <= min(wholes) and max(wholes) <= np.iinfo(candidate).max:
            return candidate
    return object


def load(path: str | os.PathLike):
    """The fitted estimator in a model file, whoever wrote it: ``save``, or the command line.

    Class labels are texts in a file. Labels that are all numbers come back as numbers (integers where they are whole),
    True and False as themselves, others as texts. A pickle keeps their types.
    """
    core = read_model(path)
    if core.method != "boosting":
        raise ValueError(f"{path}: made by the method '{core.method}'; only a grown network is an estimator")
    return estimator_of(core)


def estimator_of(core):
    """The fitted estimator around a grown model."""
    if core.task == "regression":
        from accrete._regressor import BoostedNetworkRegressor

        return BoostedNetworkRegressor._from_core(core)
    from accrete._classifier import BoostedNetworkClassifier

    return BoostedNetworkClassifier._from_core(core, _typed(core.classes))


def written_state(estimator):
    """A fitted estimator as bytes: a line with its labels, where they are texts, and then its model file."""
    labels = getattr(estimator, "classes_", np.array([])).tolist()
    texts = labels if all(isinstance(label, str) for label in labels) else []
    return json.dumps(texts).encode() + b"\n" + estimator.model_.to_bytes()


def read_state(state):
    texts, model = state.split(b"\n", 1)
    estimator, texts = estimator_of(_core.Model.from_bytes(model, "state dictionary")), json.loads(texts)
    if texts:
        estimator.classes_ = np.array(texts)
        estimator._places = estimator._places_in(estimator.model_)
    return estimator
