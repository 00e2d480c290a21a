"""Contributions of the columns to the scores of rows."""

import numpy as np

from accrete import _core
from accrete._frames import is_sparse
from accrete._model import steps_for


def contributions(estimator, X, units):
    """Values of shape (rows, columns of X, scores) and the baselines, with scores in the order of classes_."""
    X = estimator._check_X(X)
    model = estimator.model_
    steps = steps_for(model, units)
    names, found, baseline = _core.contributions(model, estimator._model_table(X), steps, estimator._threads())
    places = getattr(estimator, "_places", None)
    if places is not None and len(baseline) == 1:  # the score of the other of two classes
        found, baseline = -found, -baseline
    elif places is not None:
        found, baseline = found[:, :, places], baseline[places]
    columns = estimator._column_names()
    if list(names) == columns:
        return found, baseline
    values = np.zeros((len(found), len(columns), len(baseline)))  # ignored columns contribute 0
    values[:, [columns.index(name) for name in names]] = found
    return values, baseline


def explanation(estimator, X, units):
    """See Fitted.explain."""
    try:
        import shap
    except ImportError as error:
        raise ImportError("explain needs the package shap: pip install 'accrete[shap]'") from error
    values, baseline = contributions(estimator, X, units)
    names = None
    if len(baseline) == 1:
        values, baseline = values[:, :, 0], baseline[0]
    else:
        names = [str(name) for name in getattr(estimator, "classes_", estimator.model_.targets)]
    return shap.Explanation(
        values=np.ascontiguousarray(values),
        base_values=np.broadcast_to(baseline, (len(values), *np.shape(baseline))).copy(),
        data=X.toarray() if is_sparse(X) else np.asarray(X),
        feature_names=estimator._column_names(),
        output_names=names,
    )
