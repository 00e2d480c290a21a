"""Settings of a boosted head for the features it reads."""

import numpy as np

from accrete import _core


def for_features(estimator, settings, features, targets):
    """The settings of this class of estimator, with defaults for classes and wide features filled in.

    The rule is the library's, so the command `accrete deep boost` has the same defaults.
    """
    given = estimator(**settings)._settings()
    rows, width = features.shape
    preset = settings.get("preset") or "default"
    chosen = _core.wide_feature_settings(given, preset, rows, width, len(np.unique(targets)))
    return {**chosen, **{name: value for name, value in settings.items() if value is not None}} if chosen else settings


def has_learned(estimator):
    """Whether the head's training loss is below the constant's; not so if the penalty is too large."""
    return _core.has_learned(list(estimator.loss_curve_))
