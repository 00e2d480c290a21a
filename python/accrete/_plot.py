"""The curve over the number of units. Imports matplotlib, so it is imported only when that is asked for."""

import numpy as np


def plot_curve(estimator, X=None, y=None, ax=None):
    import matplotlib.pyplot as plt

    core = estimator.model_
    units = np.array([0, *core.step_ends])
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    train = core.train_loss
    lines = ax.plot(units[: len(train)], train[: len(units)], label="training loss", color="tab:blue")
    validation = core.validation_loss[: len(units)]
    if len(validation):
        lines += ax.plot(units[: len(validation)], validation, label="loss of rows held out", color="tab:orange")
    positive = np.concatenate([train[: len(units)], validation])
    if np.all(positive > 0) and positive.max() > 30 * positive.min():
        ax.set_yscale("log")
    ax.set_xlabel("units used")
    ax.set_ylabel(f"{core.loss} loss")
    if X is not None and y is not None:
        lines += _plot_score(estimator, X, y, ax, units[1:])
    ax.legend(
        lines, [line.get_label() for line in lines], frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3
    )
    ax.spines["top"].set_visible(False)
    ax.margins(x=0.01)
    return ax


def _plot_score(estimator, X, y, ax, units):
    from sklearn.metrics import accuracy_score, r2_score

    score, name = (accuracy_score, "accuracy") if core_is_classifier(estimator) else (r2_score, "R²")
    values = [score(y, prediction) for prediction in estimator.staged_predict(X)]
    right = ax.twinx()
    right.set_ylabel(f"{name} on the rows given")
    right.spines["top"].set_visible(False)
    right.yaxis.label.set_color("tab:green")
    right.tick_params(axis="y", colors="tab:green")
    best = int(np.argmax(values))
    label = f"{name}, best {values[best]:.3f} at {units[best]} units"
    return right.plot(units[: len(values)], values, label=label, color="tab:green", alpha=0.8)


def core_is_classifier(estimator):
    return bool(estimator.model_.classes)
