"""The dial: prefixes, stages, truncating and growing."""

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


@pytest.fixture(scope="module")
def fitted(three_classes):
    X, y = three_classes
    return BoostedNetworkClassifier(n_units=40, units_per_step=4, auto=False, random_state=0).fit(X, y)


def test_stages_equal_the_prefixes(fitted, three_classes):
    X, _ = three_classes
    stages = list(fitted.staged_predict_proba(X))
    assert len(stages) == fitted.n_iter_ == 10
    for step, stage in enumerate(stages, start=1):
        np.testing.assert_allclose(stage, fitted.predict_proba(X, units=4 * step), atol=1e-6)
    labels = list(fitted.staged_predict(X))
    np.testing.assert_array_equal(labels[-1], fitted.predict(X))


def test_units_are_rounded_down_to_a_step(fitted, three_classes):
    X, _ = three_classes
    np.testing.assert_array_equal(fitted.predict_proba(X, units=11), fitted.predict_proba(X, units=8))


@pytest.mark.parametrize("units", [0, -1, 41, 2.5, True, "8"])
def test_rejects_units_out_of_range(fitted, three_classes, units):
    X, _ = three_classes
    with pytest.raises(ValueError, match="units"):
        fitted.predict(X, units=units)


def test_a_truncated_and_regrown_network_is_the_same(fitted, three_classes):
    from sklearn.base import clone

    X, y = three_classes
    short = clone(fitted).set_params(n_units=20).fit(X, y)
    assert short.n_units_ == 20
    np.testing.assert_array_equal(short.predict_proba(X), fitted.predict_proba(X, units=20))
    assert short.grow(X, y, n_units=40) is short
    np.testing.assert_array_equal(short.predict_proba(X), fitted.predict_proba(X))
    assert short.truncate(20) is short and short.n_units_ == 20
    np.testing.assert_array_equal(short.predict_proba(X), fitted.predict_proba(X, units=20))


def test_warm_start_adds_units(fitted, three_classes):
    X, y = three_classes
    warm = BoostedNetworkClassifier(n_units=20, units_per_step=4, auto=False, random_state=0, warm_start=True).fit(X, y)
    warm.set_params(n_units=40).fit(X, y)
    np.testing.assert_array_equal(warm.predict_proba(X), fitted.predict_proba(X))


def test_early_stopping_truncates_to_the_best_prefix(three_classes):
    X, y = three_classes
    noisy = np.where(np.random.default_rng(0).random(len(y)) < 0.3, (y + 1) % 3, y)
    stopped = BoostedNetworkClassifier(n_units=400, early_stopping=True, patience=40, random_state=0).fit(X, noisy)
    curve = stopped.validation_curve_
    assert stopped.n_units_ < 400
    assert np.argmin(curve) == stopped.n_iter_ < len(curve) - 1


def test_eval_set_determines_the_number_of_units(waves):
    X, y = waves
    rng = np.random.default_rng(1)
    noisy = y + rng.normal(0, 8, len(y))
    fitted = BoostedNetworkRegressor(n_units=200, patience=40, learning_rate=0.3, auto=False, random_state=0)
    fitted.fit(X[:200], noisy[:200], eval_set=(X[200:], noisy[200:]))
    assert 0 < fitted.n_units_ < 200
    best = fitted.validation_curve_.min()
    assert np.mean((fitted.predict(X[200:]) - noisy[200:]) ** 2) == pytest.approx(best, rel=0.05) or best > 0
    with pytest.raises(ValueError, match="eval_set"):
        fitted.fit(X, y, eval_set=X)


def test_predicts_several_targets(waves):
    X, y = waves
    Y = np.stack([y, -2 * y + X[:, 2]], axis=1)
    fitted = BoostedNetworkRegressor(n_units=80, random_state=0).fit(X, Y)
    assert fitted.predict(X).shape == Y.shape
    assert fitted.score(X, Y) > 0.9
    assert next(fitted.staged_predict(X)).shape == Y.shape


def test_has_loss_curves_and_importances(waves):
    X, y = waves
    fitted = BoostedNetworkRegressor(n_units=60, units_per_step=3, random_state=0).fit(X, y)
    assert len(fitted.loss_curve_) == fitted.n_iter_ + 1 == 21
    assert fitted.loss_curve_[-1] < 0.2 * fitted.loss_curve_[0]
    importances = fitted.feature_importances_
    assert importances.shape == (4,) and importances.sum() == pytest.approx(1.0)
    assert importances[:2].min() > importances[2:].max()


def test_class_weights_shift_predictions(spirals):
    X, y = spirals
    rare = np.flatnonzero(y == 1)[:20]
    rows = np.concatenate([np.flatnonzero(y == 0), rare])
    hard = X[rows] + np.random.default_rng(0).normal(0, 1.0, (len(rows), 2))
    plain = BoostedNetworkClassifier(n_units=12, random_state=0).fit(hard, y[rows])
    balanced = BoostedNetworkClassifier(n_units=12, random_state=0, class_weight="balanced").fit(hard, y[rows])
    given = BoostedNetworkClassifier(n_units=12, random_state=0, class_weight={0: 1, 1: 50}).fit(hard, y[rows])
    share = [np.mean(m.predict(hard) == 1) for m in (plain, balanced, given)]
    assert share[0] < share[1] <= share[2]
    with pytest.raises(ValueError, match="class_weight"):
        BoostedNetworkClassifier(class_weight="equal").fit(hard, y[rows])


@pytest.mark.parametrize("tqdm", [True, False])
def test_verbose_shows_a_progress_bar(tqdm, waves, capfd, monkeypatch):
    import sys

    if not tqdm:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    X, y = waves
    BoostedNetworkRegressor(n_units=8, units_per_step=2, random_state=0, verbose=1).fit(X, y)
    shown = capfd.readouterr().err
    assert "8 units, loss" in shown and "100" in shown and "%" in shown
    BoostedNetworkRegressor(n_units=8, units_per_step=2, random_state=0).fit(X, y)
    assert capfd.readouterr().err == ""


def test_score_takes_the_dial(spirals):
    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=40, auto=False, random_state=0).fit(X, y)
    for units in (8, 40):
        assert fitted.score(X, y, units=units) == (fitted.predict(X, units=units) == y).mean()
