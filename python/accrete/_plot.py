"""Loss curves."""

import numpy as np
from sklearn.metrics import accuracy_score, r2_score


def plot_curve(estimator, X=None, y=None, ax=None, init_score=None):
    """See Fitted.plot_curve."""
    import matplotlib.pyplot as plt

    model = estimator.model_
    units = np.array([0, *model.step_ends])
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    train = model.train_loss
    lines = ax.plot(units[: len(train)], train[: len(units)], label="training loss", color="tab:blue")
    validation = model.validation_loss[: len(units)]
    if len(validation):
        lines += ax.plot(units[: len(validation)], validation, label="validation loss", color="tab:orange")
    losses = np.concatenate([train[: len(units)], validation])
    if np.all(losses > 0) and losses.max() > 30 * losses.min():
        ax.set_yscale("log")
    ax.set_xlabel("units")
    ax.set_ylabel(f"{model.loss} loss")
    if X is not None and y is not None and len(units) > 1:
        lines += _plot_score(estimator, X, y, ax, units[1:], init_score)
    labels = [line.get_label() for line in lines]
    # On the topmost axes, so that no line crosses the legend.
    top = lines[-1].axes
    top.legend(lines, labels, loc="best", fontsize="small", framealpha=0.8)
    ax.spines["top"].set_visible(False)
    ax.margins(x=0.01)
    return ax


def _plot_score(estimator, X, y, ax, units, init_score):
    model = estimator.model_
    score, name = (accuracy_score, "accuracy") if model.classes else (r2_score, "R²")
    stages = estimator.staged_predict(X, init_score=init_score)
    values = [score(y, stage[:, model.point_column] if model.quantiles else stage) for stage in stages]
    right = ax.twinx()
    right.set_ylabel(f"{name} on the given rows")
    right.spines["top"].set_visible(False)
    right.yaxis.label.set_color("tab:green")
    right.tick_params(axis="y", colors="tab:green")
    best = int(np.argmax(values))
    label = f"{name}, best {values[best]:.3f} at {units[best]} units"
    return right.plot(units[: len(values)], values, label=label, color="tab:green", alpha=0.8)
