"""Parameters that a fit chooses on held-out rows."""

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


def test_reports_and_uses_the_best_trial(spirals):
    X, y = spirals
    fitted = BoostedNetworkClassifier(random_state=0).fit(X, y)
    choice = fitted.choice_
    losses = [trial["loss"] for trial in choice["trials"]]
    assert losses == sorted(losses[:1]) + losses[1:] and losses[0] == min(losses)
    assert fitted.validation_curve_.min() == pytest.approx(losses[0])
    assert fitted.n_units_ >= choice["trials"][0]["units"]
    end = min(fitted.n_iter_, len(fitted.validation_curve_) - 1)
    assert fitted.validation_curve_[end] <= 1.02 * losses[0], "within 2 % of the best"
    used = dict(fitted.model_.parameters)
    for name, value in choice["trials"][0]["parameters"].items():
        assert float(used[name]) == value
    assert fitted.alpha is None, "the parameters of the estimator do not change"


def test_does_not_choose_given_parameters(waves):
    X, y = waves
    fitted = BoostedNetworkRegressor(alpha=2.0, bins=4, n_units=24, random_state=0).fit(X, y)
    assert fitted.choice_["trials"] == [] and fitted.n_units_ == 24
    half = BoostedNetworkRegressor(alpha=2.0, n_units=24, random_state=0).fit(X, y)
    assert {name for trial in half.choice_["trials"] for name in trial["parameters"]} == {"bins"}
    off = BoostedNetworkRegressor(auto=False, random_state=0).fit(X, y)
    assert off.choice_["trials"] == [] and off.n_units_ == 800


def test_a_time_limit_gives_a_usable_model(waves):
    X, y = waves
    fitted = BoostedNetworkRegressor(time_limit=0.05, random_state=0).fit(X, y)
    assert fitted.n_units_ >= 4 and np.isfinite(fitted.predict(X)).all()
    with pytest.raises(ValueError, match="time_limit=-1"):
        BoostedNetworkRegressor(time_limit=-1).fit(X, y)


def test_saves_the_choice_in_the_model_file(spirals, tmp_path):
    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, y)
    fitted.save(tmp_path / "m.safetensors")
    assert accrete.load(tmp_path / "m.safetensors").choice_ == fitted.choice_
