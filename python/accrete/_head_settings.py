"""Settings of a boosted head for the features it gets. Needs numpy only."""

import numpy as np

# Chosen on training rows of CIFAR-10 and of two sets of text (docs/deep.md), 100 to 40,000 of them.
WIDE = 64  # features; fewer are like the columns of a table, for which the estimators' defaults are made
FULL_WIDTH = 256  # features from which on the penalty has its full weight
UNITS_PER_STEP = 20
HEAVIEST = 1100.0
HEAVIEST_PER_ROW = 4.5  # beyond that no weight is worth its penalty, and the head stays constant
ALL_FEATURES_BELOW = 4000  # rows


def head_alpha(rows, features, classes):
    """The L2 penalty for that many rows, features and classes.

    A step weighs the squared weights against the loss summed over the rows, and the loss has a curvature of p (1 - p)
    per row and class.
    """
    share = 1.0 / classes
    width = min(1.0, (features / FULL_WIDTH) ** 2)
    return float(f"{share * (1.0 - share) * min(HEAVIEST, HEAVIEST_PER_ROW * rows) * width:.3g}")


def for_features(settings, features, targets):
    """The settings with those that are not given chosen for classes and wide features.

    The features of a deep network are many, dense and alike: a step of few units on a part of them with a light penalty
    overfits. With `auto`, a preset or another solver, the estimator's own rules hold.
    """
    own_rules = settings.get("auto") or settings.get("preset") not in (None, "default")
    rows, width = features.shape
    if own_rules or settings.get("solver") not in (None, "lbfgs") or width < WIDE:
        return settings
    chosen = {
        "alpha": head_alpha(rows, width, max(2, len(np.unique(targets)))),
        "units_per_step": min(UNITS_PER_STEP, settings.get("n_units") or UNITS_PER_STEP),
        "activation": "tanh",
    }
    if rows < ALL_FEATURES_BELOW:
        chosen["feature_fraction"] = 1.0
    return {**chosen, **{name: value for name, value in settings.items() if value is not None}}


def has_learnt(estimator):
    """Whether the head lowered the training loss of the constant, as it does not under too heavy a penalty."""
    curve = estimator.loss_curve_
    return len(curve) < 2 or curve[-1] < 0.95 * curve[0]
