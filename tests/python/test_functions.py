"""Losses and metrics that are Python functions, and offsets."""

import numpy as np
import pytest
from sklearn.base import clone

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV

FIXED = dict(n_units=24, units_per_step=4, learning_rate=0.3, auto=False, random_state=0)


def squared(y, score):
    error = score - y
    return 0.5 * error**2, error, np.ones_like(error)


def cauchy(y, score):
    error = score - y
    return np.log1p(error**2), 2 * error / (1 + error**2), 2 / (1 + error**2)


def test_a_function_gives_the_fit_of_the_same_loss(waves):
    X, y = waves
    own = BoostedNetworkRegressor(loss=squared, objective="projected", **FIXED).fit(X, y)
    listed = BoostedNetworkRegressor(loss="squared", objective="projected", standardise_target=False, **FIXED)
    difference = own.predict(X) - listed.fit(X, y).predict(X)
    assert np.sqrt(np.mean(difference**2)) < 0.1 * np.std(y)


def test_a_robust_function_ignores_outliers(waves):
    X, y = waves
    spoilt = np.where(np.arange(len(y)) % 15 == 0, y + 1000 * np.std(y), y)
    robust = BoostedNetworkRegressor(loss=cauchy, preset="fast", random_state=0).fit(X, spoilt)
    plain = BoostedNetworkRegressor(preset="fast", random_state=0).fit(X, spoilt)
    assert np.median(np.abs(robust.predict(X) - y)) < 0.1 * np.median(np.abs(plain.predict(X) - y))


def test_the_function_sees_all_rows_once_per_step(waves):
    X, y = waves
    calls = []

    def counted(targets, score):
        calls.append(len(score))
        return squared(targets, score)

    BoostedNetworkRegressor(loss=counted, **FIXED).fit(X, y)
    assert set(calls) == {len(y)} and len(calls) <= 4 * 6 + 10


def test_several_targets_have_columns(waves):
    X, y = waves
    both = np.column_stack([y, -2 * y])

    def sum_of_squares(targets, score):
        assert targets.shape == score.shape == both.shape
        value, gradient, curvature = squared(targets, score)
        return value.sum(axis=1), gradient, curvature

    model = BoostedNetworkRegressor(loss=sum_of_squares, **FIXED).fit(X, both)
    assert model.score(X, both) > 0.5


def test_a_saved_model_predicts_without_the_function(waves, tmp_path):
    X, y = waves
    fitted = clone(BoostedNetworkRegressor(loss=cauchy, **FIXED)).fit(X, y)
    fitted.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded.predict(X), fitted.predict(X))
    with pytest.raises(ValueError, match="loss=custom: needs the loss function"):
        loaded.grow(X, y, n_units=32)


@pytest.mark.parametrize(
    "result, message",
    [
        (lambda y, f: (f - y), "must return \\(value, gradient, curvature\\)"),
        (lambda y, f: (f, f[:3], f), "gradient of"),
        (lambda y, f: (f * np.nan, f, f), "gives the value nan for row 0 \\(counting from 0\\)"),
        (lambda y, f: 1 / 0, "division by zero"),
    ],
)
def test_a_wrong_function_is_named(waves, result, message):
    with pytest.raises((ValueError, ZeroDivisionError), match=message):
        BoostedNetworkRegressor(loss=result, **FIXED).fit(*waves)


def test_gradients_are_checked_on_request():
    y = np.linspace(-1, 2, 30)
    accrete.check_loss(cauchy, y)
    with pytest.raises(ValueError, match="derivative for row 0 .* but the slope of its value"):
        accrete.check_loss(lambda y, f: (cauchy(y, f)[0], -cauchy(y, f)[1], cauchy(y, f)[2]), y)


def test_a_classifier_refuses_a_function(spirals):
    with pytest.raises(ValueError, match="custom"):
        BoostedNetworkClassifier(loss=squared).fit(*spirals)


def test_eval_metric_decides_the_length(spirals):
    X, y = spirals
    labels = np.array(["no", "yes"])[y]
    seen = []

    def metric(y_true, y_pred):
        assert set(y_true) <= {"no", "yes"} and y_pred.shape == (len(y_true), 2)
        seen.append(np.mean(np.array(["no", "yes"])[y_pred.argmax(axis=1)] != y_true))
        return seen[-1]

    clf = BoostedNetworkClassifier(eval_metric=metric, **FIXED)
    clf.fit(X[:200], labels[:200], eval_set=(X[200:], labels[200:]))
    assert clf.n_iter_ == int(np.argmin(seen))
    assert np.mean(clf.predict(X[200:]) != labels[200:]) == min(seen)
    with pytest.raises(ValueError, match="eval_metric: needs a validation set"):
        BoostedNetworkClassifier(eval_metric=metric, **FIXED).fit(X, y)


def test_init_score_is_added_to_the_score(waves):
    X, y = waves
    offset = 3 * np.arange(len(y)) / len(y)
    fitted = BoostedNetworkRegressor(**FIXED).fit(X, y + offset, init_score=offset)
    plain = BoostedNetworkRegressor(**FIXED).fit(X, y)
    without = fitted.predict(X, init_score=0)
    assert np.sqrt(np.mean((without - plain.predict(X)) ** 2)) < 0.05 * np.std(y)
    np.testing.assert_allclose(fitted.predict(X, init_score=offset), without + offset)
    *_, last = fitted.staged_predict(X, init_score=offset)
    np.testing.assert_allclose(last, without + offset, rtol=1e-5)
    assert fitted.score(X, y + offset, init_score=offset) == pytest.approx(fitted.score(X, y, init_score=0), abs=0.1)
    with pytest.raises(ValueError, match="init_score: must have shape"):
        fitted.predict(X, init_score=offset[1:])


def test_init_score_of_the_fit_is_missed(waves, spirals, tmp_path):
    X, y = waves
    fitted = BoostedNetworkRegressor(**FIXED).fit(X, y, init_score=np.ones(len(y)))
    fitted.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded.predict(X, init_score=1), fitted.predict(X, init_score=np.ones(len(y))))
    clf = BoostedNetworkClassifier(**FIXED).fit(*spirals, init_score=np.ones(len(spirals[1])))
    for call in (loaded.predict, lambda X: loaded.score(X, y), lambda X: next(loaded.staged_predict(X)),
                 lambda X: loaded.grow(X, y, n_units=99), lambda X: clf.predict_proba(spirals[0]),
                 lambda X: clf.score(*spirals)):
        with pytest.raises(ValueError, match="init_score: required, because the model was fitted with it"):
            call(X)
    assert clf.score(*spirals, init_score=1) > 0.5


def test_search_takes_init_score(waves):
    X, y = waves
    offset = 30 * np.arange(len(y)) / len(y)
    search = BoostedNetworkSearchCV(BoostedNetworkRegressor(**FIXED), {"alpha": [0.01]}, cv=3)
    with_offset = search.fit(X, y + offset, init_score=offset)
    assert with_offset.best_score_ < np.std(y)
    assert with_offset.score(X, y + offset, init_score=offset) > 0.9


def test_init_score_of_classes_is_a_logit(spirals):
    X, y = spirals
    clf = BoostedNetworkClassifier(**FIXED).fit(X, y, init_score=np.full(len(y), 2.0))
    p, shifted = clf.predict_proba(X, init_score=0), clf.predict_proba(X, init_score=np.full(len(y), 2.0))
    np.testing.assert_allclose(np.log(shifted[:, 1] / shifted[:, 0]), np.log(p[:, 1] / p[:, 0]) + 2.0, rtol=1e-6)
    with pytest.raises(ValueError, match="eval_set: must be \\(X, y, init_score\\)"):
        BoostedNetworkClassifier(**FIXED).fit(X, y, init_score=np.zeros(len(y)), eval_set=(X, y))
