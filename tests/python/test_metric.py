"""Early stopping and searches that look at a metric."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV

FIXED = dict(n_units=60, units_per_step=2, learning_rate=0.5, auto=False, random_state=0)


def test_keeps_the_prefix_with_the_best_auc(spirals):
    X, y = spirals
    noisy = np.where(np.random.default_rng(1).random(len(y)) < 0.2, 1 - y, y)
    train, valid = slice(0, 200), slice(200, 300)
    clf = BoostedNetworkClassifier(metric="auc", **FIXED).fit(X[train], noisy[train], eval_set=(X[valid], noisy[valid]))
    whole = BoostedNetworkClassifier(**FIXED).fit(X[train], noisy[train])
    scores = [roc_auc_score(noisy[valid], p[:, 1]) for p in whole.staged_predict_proba(X[valid])]
    assert clf.n_iter_ == 1 + int(np.argmax(scores))


def test_a_search_scores_three_classes_by_auc(three_classes):
    X, y = three_classes
    split = np.arange(0, len(y), 2), np.arange(1, len(y), 2)
    clf = BoostedNetworkClassifier(**{**FIXED, "n_units": 20})
    search = BoostedNetworkSearchCV(clf, {"n_units": [20]}, cv=[split], scoring="auc").fit(X, y)
    assert search.scorer_ == "auc" and 0.6 < search.best_score_ <= 1.0


def test_a_search_scores_by_the_metric_of_the_estimator(waves):
    X, y = waves
    search = BoostedNetworkSearchCV(BoostedNetworkRegressor(metric="mae", **FIXED), {"n_units": [10, 20]}, cv=2)
    assert search.fit(X, y).scorer_ == "mae"


@pytest.mark.parametrize(
    "metric, message",
    [
        ("auc", "needs a validation set"),
        ("acu", "did you mean 'auc'"),
        ("roc_auc", "did you mean 'auc'"),
        ("rmse", "is not for classification; use one of loss, accuracy"),
    ],
)
def test_refuses_a_metric_without_a_validation_set_mistyped_or_of_numbers(spirals, metric, message):
    with pytest.raises(ValueError, match=message):
        BoostedNetworkClassifier(metric=metric).fit(*spirals)


def test_suggests_a_preset(spirals):
    with pytest.raises(ValueError, match="did you mean 'default'"):
        BoostedNetworkClassifier(preset="defualt").fit(*spirals)


def test_verbose_shows_the_choice_and_the_fit(waves, capfd):
    X, y = np.repeat(waves[0], 4, axis=0), np.repeat(waves[1], 4)
    X = X + np.random.default_rng(0).normal(0, 1e-3, X.shape)
    BoostedNetworkRegressor(n_units=100, verbose=1, random_state=0, n_jobs=1).fit(X, y)
    shown = capfd.readouterr().err
    assert "trying settings on held-out rows" in shown and "units, loss" in shown
    shares = [int(text.split("%")[0].split()[-1]) for text in shown.split("\r") if "%" in text]
    assert shares == sorted(shares) and shares[-1] > 90


def test_growing_and_warm_starts_keep_the_prefix_that_eval_metric_prefers(spirals):
    X, y = spirals
    calls = []

    def longer_is_worse(truth, probabilities):
        calls.append(len(truth))
        return float(len(calls))

    fixed = dict(units_per_step=4, auto=False, random_state=0)
    for warm in (False, True):
        fitted = BoostedNetworkClassifier(n_units=8, warm_start=warm, **fixed).fit(X, y)
        fitted.set_params(eval_metric=longer_is_worse)
        calls.clear()
        if warm:
            fitted.set_params(n_units=40).fit(X, y, eval_set=(X, y))
        else:
            fitted.grow(X, y, 40, eval_set=(X, y))
        assert calls and fitted.n_units_ < 40
