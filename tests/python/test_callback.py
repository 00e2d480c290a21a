"""The callback argument of fit and grow."""

import pickle

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

FIXED = dict(n_units=20, units_per_step=2, auto=False, random_state=0)


def test_sees_every_step_with_its_losses(waves):
    X, y = waves
    seen = []
    reg = BoostedNetworkRegressor(**FIXED).fit(X[:200], y[:200], eval_set=(X[200:], y[200:]), callback=seen.append)
    assert [entry.step for entry in seen] == list(range(1, 11))
    assert [entry.units for entry in seen] == list(range(2, 21, 2))
    np.testing.assert_allclose([entry.validation_loss for entry in seen], reg.validation_curve_[1:])
    np.testing.assert_allclose([entry.train_loss for entry in seen][: reg.n_iter_], reg.loss_curve_[1:])


def test_has_no_validation_loss_without_a_validation_set(waves):
    seen = []
    BoostedNetworkRegressor(**FIXED).fit(*waves, callback=seen.append)
    assert len(seen) == 10 and all(entry.validation_loss is None for entry in seen)


@pytest.mark.parametrize("no", [False, np.False_])
def test_stops_a_fit(spirals, no):
    clf = BoostedNetworkClassifier(**FIXED).fit(*spirals, callback=lambda progress: no if progress.units >= 6 else None)
    assert clf.n_units_ == 6
    shorter = BoostedNetworkClassifier(**{**FIXED, "n_units": 6}).fit(*spirals)
    np.testing.assert_array_equal(clf.predict_proba(spirals[0]), shorter.predict_proba(spirals[0]))


def test_does_not_change_the_model(spirals):
    plain = BoostedNetworkClassifier(**FIXED).fit(*spirals)
    watched = BoostedNetworkClassifier(**FIXED).fit(*spirals, callback=lambda progress: True)
    assert watched.model_.to_bytes() == plain.model_.to_bytes()


def test_sees_the_steps_of_grow_and_of_a_warm_start(waves):
    seen = []
    reg = BoostedNetworkRegressor(**FIXED, warm_start=True).fit(*waves)
    reg.grow(*waves, n_units=24, callback=lambda progress: seen.append(progress.units))
    reg.set_params(n_units=28).fit(*waves, callback=lambda progress: seen.append(progress.units))
    assert seen == [22, 24, 26, 28]


def test_is_forgotten_after_the_fit(waves):
    class Held:
        def __call__(self, progress):
            self.called = True

        def __reduce__(self):
            raise AssertionError("the estimator keeps the callback")

    callback = Held()
    reg = BoostedNetworkRegressor(**FIXED).fit(*waves, callback=callback)
    assert callback.called
    pickle.dumps(reg)


def test_errors_propagate_and_leave_the_estimator_as_it_was(waves):
    def fail(progress):
        raise KeyError("boom")

    reg = BoostedNetworkRegressor(**FIXED)
    before = dict(vars(reg))
    with pytest.raises(KeyError, match="boom"):
        reg.fit(*waves, callback=fail)
    assert vars(reg) == before
    model = reg.fit(*waves).model_
    with pytest.raises(KeyError, match="boom"):
        reg.fit(waves[0][:, :2], waves[1], callback=fail)
    assert reg.model_ is model and reg.n_features_in_ == 4


def test_must_be_callable(waves):
    with pytest.raises(ValueError, match="callback=3: must be a function"):
        BoostedNetworkRegressor(**FIXED).fit(*waves, callback=3)
