"""Pruning of Optuna trials."""

import doctest
import warnings

import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

optuna = pytest.importorskip("optuna")
optuna.logging.set_verbosity(optuna.logging.WARNING)

import accrete.optuna
from accrete.optuna import PruningCallback

FIXED = dict(n_units=20, units_per_step=2, auto=False, random_state=0, validation_fraction=0.25)


def study_of(pruner, **kwargs):
    return optuna.create_study(pruner=pruner, sampler=optuna.samplers.RandomSampler(seed=0), **kwargs)


class AfterUnits(optuna.pruners.BasePruner):
    """Prunes every trial after the first once it has this many units."""

    def __init__(self, units):
        self.units = units

    def prune(self, study, trial):
        return trial.number > 0 and trial.last_step >= self.units


def test_example_runs():
    result = doctest.testmod(accrete.optuna)
    assert result.attempted > 0 and result.failed == 0


def test_reports_the_validation_loss_by_units(waves):
    fits = []

    def objective(trial):
        fits.append(BoostedNetworkRegressor(**FIXED).fit(*waves, callback=PruningCallback(trial)))
        return fits[-1].validation_curve_.min()

    study = study_of(optuna.pruners.NopPruner())
    study.optimize(objective, n_trials=1)
    reported = study.trials[0].intermediate_values
    assert list(reported) == list(range(2, 21, 2))
    assert list(reported.values()) == pytest.approx(fits[0].validation_curve_[1:].tolist())


def test_prunes_and_leaves_no_half_fitted_estimator(waves):
    fits = []

    def objective(trial):
        fits.append(BoostedNetworkRegressor(**FIXED))
        fits[-1].fit(*waves, callback=PruningCallback(trial))
        return fits[-1].validation_curve_.min()

    study = study_of(AfterUnits(6))
    study.optimize(objective, n_trials=3)
    states = [trial.state.name for trial in study.trials]
    assert states == ["COMPLETE", "PRUNED", "PRUNED"]
    assert [trial.last_step for trial in study.trials] == [20, 6, 6]
    assert [hasattr(fitted, "model_") for fitted in fits] == [True, False, False]
    assert set(vars(fits[1])) == set(BoostedNetworkRegressor().get_params())


def test_a_median_pruner_ends_hopeless_trials(waves):
    def objective(trial):
        rate = trial.suggest_categorical("learning_rate", [1.0, 0.001])
        reg = BoostedNetworkRegressor(**FIXED, learning_rate=rate, first_rate=0)
        return reg.fit(*waves, callback=PruningCallback(trial)).validation_curve_.min()

    study = study_of(optuna.pruners.MedianPruner(n_startup_trials=1, n_warmup_steps=4))
    for rate in (1.0, 0.001):
        study.enqueue_trial({"learning_rate": rate})
    study.optimize(objective, n_trials=2)
    assert study.trials[1].state.name == "PRUNED" and study.trials[1].last_step < 20


def test_reports_another_value_at_an_interval(spirals):
    X, y = spirals

    def accuracy(progress):
        probabilities = accrete.Model(progress.snapshot()).predict(X)
        return (probabilities.argmax(axis=1) == y).mean()

    def objective(trial):
        callback = PruningCallback(trial, value=accuracy, interval=5)
        clf = BoostedNetworkClassifier(**FIXED).fit(X, y, callback=callback)
        return clf.score(X, y)

    study = study_of(optuna.pruners.NopPruner(), direction="maximize")
    study.optimize(objective, n_trials=1)
    assert list(study.trials[0].intermediate_values) == [10, 20]


def test_misuse_is_named(waves):
    trial = study_of(None).ask()
    no_validation = BoostedNetworkRegressor(**{**FIXED, "validation_fraction": None})
    with pytest.raises(ValueError, match="needs a validation set"):
        no_validation.fit(*waves, callback=PruningCallback(trial))
    with pytest.raises(ValueError, match="interval=0"):
        PruningCallback(trial, interval=0)
    with pytest.raises(ValueError, match="the study maximises"):
        PruningCallback(study_of(None, direction="maximize").ask())


def test_works_with_a_fixed_trial(waves):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        callback = PruningCallback(optuna.trial.FixedTrial({}))
    assert BoostedNetworkRegressor(**FIXED).fit(*waves, callback=callback).n_units_ > 0
