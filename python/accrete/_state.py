"""The state of a fitted estimator that a model file lacks, and estimators as bytes for torch's state dictionaries."""

import json

import numpy as np

from accrete import _core
from accrete._load import make_estimator
from accrete._pickles import model_of_bytes


def describe(estimator):
    """The version, the class labels with their types and the columns of X, for JSON. Raises ValueError."""
    labels = getattr(estimator, "classes_", np.array([]))
    texts = labels.tolist()
    if labels.dtype.kind in "mM" or not all(isinstance(label, (str, bool, int, float)) for label in texts):
        raise ValueError("class labels must be strings, numbers or bools")
    return {
        "version": _core.version(),
        "classes": texts,
        "columns": estimator._column_names(),
        "named_columns": hasattr(estimator, "feature_names_in_"),
    }


def restore(model, description):
    """The fitted estimator of a compiled model with the description from `describe`."""
    estimator, labels = make_estimator(model), description["classes"]
    if labels and json.dumps(estimator.classes_.tolist()) != json.dumps(labels):  # 1 and 1.0 differ
        estimator._set_text_classes(labels)
    estimator._input_names = columns = description["columns"]
    estimator.n_features_in_ = len(columns)
    vars(estimator).pop("feature_names_in_", None)
    if description["named_columns"]:
        estimator.feature_names_in_ = np.array(columns, dtype=object)
    return estimator


def write_state(estimator):
    """One line of JSON with the version and the labels, if they are strings, followed by the model file."""
    labels = getattr(estimator, "classes_", np.array([])).tolist()
    texts = labels if all(isinstance(label, str) for label in labels) else []
    header = {"version": _core.version(), "classes": texts}
    return json.dumps(header).encode() + b"\n" + estimator.model_.to_bytes()


def read_state(state):
    """The estimator written by write_state."""
    header, content = state.split(b"\n", 1)
    header = json.loads(header)
    if isinstance(header, list):  # written by a version that stored only the labels
        header = {"version": None, "classes": header}
    estimator = make_estimator(model_of_bytes(content, "state dictionary", header["version"]))
    if header["classes"]:
        estimator._set_text_classes(header["classes"])
    return estimator
