"""Pruning of Optuna trials during a fit. Needs optuna."""

from collections.abc import Callable

import optuna
from optuna.study import StudyDirection

__all__ = ["PruningCallback"]


class PruningCallback:
    """Report the validation loss to an Optuna trial after each step; raise ``optuna.TrialPruned`` if it is pruned.

    A callback for the ``callback`` argument of ``fit`` and ``grow``. A pruned fit leaves the estimator as it was.
    Optuna's step is the number of units, so that trials with other values of ``units_per_step`` can be compared;
    arguments of pruners such as ``n_warmup_steps`` count units too. No value is reported while a fit chooses
    parameters that are not given.

    Parameters
    ----------
    trial : optuna.Trial
        The trial of the objective function.
    value : callable, default=None
        Function of the progress that returns the value to report. None reports the validation loss.
    interval : int, default=1
        Report only every ``interval`` steps.

    Raises
    ------
    ValueError
        If the validation loss is reported to a study that maximises.

    Examples
    --------
    >>> import optuna
    >>> from accrete import BoostedNetworkRegressor
    >>> from accrete.optuna import PruningCallback
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> def objective(trial):
    ...     alpha = trial.suggest_float("alpha", 1e-4, 10, log=True)
    ...     reg = BoostedNetworkRegressor(n_units=40, alpha=alpha, auto=False, early_stopping=True, random_state=0)
    ...     reg.fit(X, y, callback=PruningCallback(trial))
    ...     return reg.validation_curve_.min()
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> study = optuna.create_study(pruner=optuna.pruners.MedianPruner(n_warmup_steps=8))
    >>> study.optimize(objective, n_trials=5)
    """

    def __init__(self, trial, value: Callable | None = None, interval: int = 1):
        if isinstance(interval, bool) or not isinstance(interval, int) or interval < 1:
            raise ValueError(f"interval={interval!r}: must be an integer of at least 1")
        directions = getattr(getattr(trial, "study", None), "directions", ())  # a FixedTrial has no study
        if value is None and StudyDirection.MAXIMIZE in directions:
            raise ValueError("the study maximises, but a validation loss must be minimised; set value=")
        self.trial, self.value, self.interval = trial, value or _validation_loss, interval

    def __call__(self, progress):
        if progress.step % self.interval:
            return
        self.trial.report(float(self.value(progress)), progress.units)
        if self.trial.should_prune():
            raise optuna.TrialPruned(f"pruned at {progress.units} units")


def _validation_loss(progress):
    if progress.validation_loss is None:
        raise ValueError("PruningCallback: needs a validation set: validation_fraction, early_stopping or eval_set")
    return progress.validation_loss
