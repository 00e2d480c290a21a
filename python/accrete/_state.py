"""Fitted estimators as bytes, for the state dictionaries of torch modules."""

import json

import numpy as np

from accrete import _core
from accrete._load import make_estimator


def write_state(estimator):
    """One line of JSON with the labels, if they are strings, followed by the model file."""
    labels = getattr(estimator, "classes_", np.array([])).tolist()
    texts = labels if all(isinstance(label, str) for label in labels) else []
    return json.dumps(texts).encode() + b"\n" + estimator.model_.to_bytes()


def read_state(state):
    """The estimator that write_state wrote."""
    texts, content = state.split(b"\n", 1)
    estimator, texts = make_estimator(_core.Model.from_bytes(content, "state dictionary")), json.loads(texts)
    if texts:
        estimator._set_text_classes(texts)
    return estimator
