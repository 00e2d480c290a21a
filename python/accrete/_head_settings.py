"""Settings of a boosted head for the features it reads. Needs numpy only."""

import numpy as np

# Tuned on training rows of CIFAR-10 and of two text data sets (docs/deep.md), 100 to 40,000 of them.
WIDE = 64  # fewer features are like table columns, for which the estimators' defaults are made
FULL_WIDTH = 256  # number of features from which the penalty has its full weight
MANY_ROWS = 4000  # from here on a step can afford more weights
HEAVIEST = 1100.0
HEAVIEST_PER_ROW = 1.9  # above this no weight is worth its penalty, and the head stays constant
LIGHTEST = 0.25  # share of the heaviest penalty that remains for many rows


def head_alpha(rows, features, classes):
    """The L2 penalty for this number of rows, features and classes.

    A step weighs the squared weights against the loss summed over the rows, and the loss has a curvature of p (1 - p)
    per row and class.
    """
    curvature = (1.0 - 1.0 / classes) / classes
    width = min(1.0, (features / FULL_WIDTH) ** 2)
    heavy = min(HEAVIEST * curvature, HEAVIEST_PER_ROW * rows * curvature**0.5)
    return float(f"{heavy * max(LIGHTEST, min(1.0, MANY_ROWS / rows)) * width:.3g}")


def for_features(settings, features, targets):
    """The settings, with defaults for classes and wide features filled in.

    The features of a deep network are many, dense and alike: a step of few units on a part of them with a light penalty
    overfits. With `auto`, a preset or another solver, the estimator's own rules hold.
    """
    own_rules = settings.get("auto") or settings.get("preset") not in (None, "default")
    rows, width = features.shape
    if own_rules or settings.get("solver") not in (None, "lbfgs") or width < WIDE:
        return settings
    if rows < MANY_ROWS:
        chosen = {"units_per_step": 20, "activation": "tanh", "feature_fraction": 1.0}
    else:
        chosen = {"units_per_step": 50, "activation": "relu", "learning_rate": 0.2}
    chosen["units_per_step"] = min(chosen["units_per_step"], settings.get("n_units") or 50)
    chosen["alpha"] = head_alpha(rows, width, max(2, len(np.unique(targets))))
    return {**chosen, **{name: value for name, value in settings.items() if value is not None}}


def has_learnt(estimator):
    """Whether the head's training loss is below the constant's; not so if the penalty is too heavy."""
    curve = estimator.loss_curve_
    return len(curve) < 2 or curve[-1] < 0.97 * curve[0]
