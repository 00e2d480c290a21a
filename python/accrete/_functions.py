"""Losses that are Python functions."""

import numpy as np

from accrete import _core


def check_loss(loss, y) -> None:
    """Check the gradient of a loss function against differences of its values.

    Parameters
    ----------
    loss : callable
        A function ``loss(y, score)`` that returns ``(value, gradient, curvature)``, each with one entry per row, as
        ``BoostedNetworkRegressor(loss=...)`` takes it.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Targets to check it with.

    Raises
    ------
    ValueError
        Naming the first row where they differ.

    Examples
    --------
    >>> import numpy as np
    >>> def cauchy(y, score):
    ...     error = score - y
    ...     return np.log1p(error**2), 2 * error / (1 + error**2), 2 / (1 + error**2)
    >>> check_loss(cauchy, [0.5, 1.0, 3.0])
    """
    targets = np.ascontiguousarray(np.asarray(y, dtype=np.float64).reshape(len(y), -1))
    _core.check_loss(loss, targets, targets.shape[1])
