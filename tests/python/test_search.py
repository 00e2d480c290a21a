"""BoostedNetworkSearchCV gives the scores of separate fits, with the interface of scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import KFold, PredefinedSplit, StratifiedKFold, cross_val_score

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV


def rows(classes=2, count=90):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(count, 4))
    score = X[:, 0] + X[:, 1] ** 2
    return X, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def paper(**given):
    return BoostedNetworkClassifier(preset="paper", random_state=3, **given)


GRID = {"learning_rate": [0.1, 0.5], "n_units": [6, 3, 12], "subsample": [1, 0.5]}


def test_results_have_the_layout_of_grid_search():
    X, y = rows()
    search = BoostedNetworkSearchCV(paper(), GRID, cv=3).fit(X, y)
    results = search.cv_results_
    assert len(results["params"]) == 12
    assert search.n_splits_ == 3 and search.scorer_ == "accuracy"
    assert search.units_.tolist() == [3, 6, 12]
    assert {tuple(sorted(p)) for p in results["params"]} == {("learning_rate", "n_units", "subsample")}
    assert [p["n_units"] for p in results["params"]] == results["param_n_units"].tolist()
    splits = np.array([results[f"split{i}_test_score"] for i in range(3)])
    assert np.allclose(splits.mean(axis=0), results["mean_test_score"])
    assert np.allclose(splits.std(axis=0), results["std_test_score"])
    best = results["mean_test_score"].max()
    assert search.best_score_ == best
    assert results["rank_test_score"][search.best_index_] == 1
    assert search.best_params_ == results["params"][search.best_index_]
    np.testing.assert_array_equal(results["mean_test_score"] == best, results["rank_test_score"] == 1)


@pytest.mark.parametrize("splitter", [KFold(3, shuffle=True, random_state=0), StratifiedKFold(2)])
@pytest.mark.parametrize("classes", [2, 3])
def test_scores_match_separate_fits_on_the_same_splits(splitter, classes):
    """Scores are close but not equal, since the seeds of the initial weights differ."""
    X, y = rows(classes, 600)
    estimator = paper(n_units=30, subsample=1.0)
    search = BoostedNetworkSearchCV(estimator, {"learning_rate": [0.5]}, cv=splitter, refit=False).fit(X, y)
    scores = [search.cv_results_[f"split{i}_test_score"][0] for i in range(splitter.get_n_splits())]
    separate = cross_val_score(clone(estimator).set_params(learning_rate=0.5, auto=False), X, y, cv=splitter)
    assert search.n_splits_ == len(separate)
    assert np.allclose(scores, separate, atol=0.1)


def test_a_splitter_may_leave_rows_out():
    X, y = rows()
    fold = np.arange(90) % 3
    fold[:10] = -1  # in all training sets, never scored
    search = BoostedNetworkSearchCV(paper(), {"n_units": [3]}, cv=PredefinedSplit(fold), refit=False).fit(X, y)
    assert search.n_splits_ == 3
    for i in range(3):
        right = search.cv_results_[f"split{i}_test_score"][0] * np.sum(fold == i)
        assert abs(right - round(right)) < 1e-9


def test_a_prefix_scores_as_the_shorter_fit():
    X, y = rows()
    longer = BoostedNetworkSearchCV(paper(), {"n_units": [6, 12]}, cv=3, refit=False).fit(X, y)
    shorter = BoostedNetworkSearchCV(paper(), {"n_units": [6]}, cv=3, refit=False).fit(X, y)
    assert longer.cv_results_["split1_test_score"][0] == shorter.cv_results_["split1_test_score"][0]


def test_the_best_estimator_is_fitted_on_all_rows():
    X, y = rows()
    search = BoostedNetworkSearchCV(paper(), GRID, cv=3).fit(X, y)
    best = search.best_estimator_
    assert best.n_units_ == search.best_params_["n_units"]
    separate = paper(auto=False, **search.best_params_).fit(X, y)
    assert np.array_equal(search.predict_proba(X), separate.predict_proba(X))
    assert np.array_equal(search.predict(X), separate.predict(X))
    assert search.score(X, y) == separate.score(X, y)
    assert search.classes_.tolist() == [0, 1]
    assert is_classifier(search) and not is_regressor(search)


def test_lower_is_better_for_rmse():
    X, y = rows()
    estimator = BoostedNetworkRegressor(n_units=8, random_state=0)
    search = BoostedNetworkSearchCV(estimator, {"alpha": [0.01, 1e6]}, cv=3, scoring="rmse").fit(X, y.astype(float))
    means = search.cv_results_["mean_test_score"]
    assert search.best_score_ == means.min()
    assert search.best_params_ == {"alpha": 0.01}
    assert search.cv_results_["rank_test_score"].tolist() == [1, 2]
    assert is_regressor(search) and not hasattr(search, "predict_proba")


def test_results_do_not_depend_on_threads():
    X, y = rows()
    once, again = (
        BoostedNetworkSearchCV(paper(n_jobs=jobs), GRID, cv=3, refit=False).fit(X, y).cv_results_ for jobs in (1, 2)
    )
    assert np.array_equal(once["mean_test_score"], again["mean_test_score"])


def test_accepts_frames_weights_and_labels():
    pandas = pytest.importorskip("pandas")
    X, y = rows()
    frame = pandas.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "yes", "no")})
    labels = pandas.Series(np.where(y > 0, "up", "down"), name="way")
    weights = np.ones(90)
    search = BoostedNetworkSearchCV(paper(), {"n_units": [3, 6]}, cv=3).fit(frame, labels, sample_weight=weights)
    assert search.predict(frame)[0] in ("up", "down")
    assert search.best_estimator_.feature_names_in_.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({}, "must be a dict"),
        ({"depth": [3]}, "has no parameter 'depth'"),
        ({"alpha": []}, "alpha needs a list"),
        ({"alpha": "0.1"}, "alpha needs a list"),
        ({"alpha": [-1]}, "alpha=-1"),
        ({"n_units": [2.5]}, "n_units: must be integers"),
        ({"random_state": [1, 2]}, "cannot be searched over"),
        ({"auto": [True]}, "cannot be searched over"),
    ],
)
def test_rejects_a_wrong_grid(grid, message):
    with pytest.raises(ValueError, match=message):
        BoostedNetworkSearchCV(paper(), grid, cv=2).fit(*rows())


def test_warns_of_a_class_with_fewer_rows_than_folds():
    X, y = rows()
    y = np.where(np.arange(len(y)) < 2, "rare", np.where(y == y[0], "p", "q"))
    with pytest.warns(UserWarning, match="the class 'rare' has 2 rows, fewer than the 4 folds"):
        search = BoostedNetworkSearchCV(paper(), {"n_units": [3, 6]}, cv=4).fit(X, y)
    assert np.isfinite(search.best_score_) and "rare" in search.classes_


def test_rejects_wrong_arguments():
    X, y = rows()
    with pytest.raises(ValueError, match="cv=1"):
        BoostedNetworkSearchCV(paper(), {"alpha": [1]}, cv=1).fit(X, y)
    with pytest.raises(ValueError, match="rmse"):
        BoostedNetworkSearchCV(paper(), {"alpha": [1]}, cv=2, scoring="rmse").fit(X, y)
    with pytest.raises(TypeError, match="BoostedNetworkClassifier"):
        BoostedNetworkSearchCV(object(), {"alpha": [1]}).fit(X, y)
    with pytest.raises(ValueError, match="units"):
        BoostedNetworkSearchCV(paper(early_stopping=True), {"alpha": [1]}, cv=2).fit(X, y)
    search = BoostedNetworkSearchCV(paper(), {"n_units": [3]}, cv=2, refit=False).fit(X, y)
    with pytest.raises(AttributeError, match="refit=False"):
        search.predict(X)


def test_a_second_fit_keeps_nothing_of_the_first():
    pd = pytest.importorskip("pandas")
    X = np.random.RandomState(0).normal(size=(60, 4))
    y = (X[:, 0] > 0).astype(int)
    search = BoostedNetworkSearchCV(BoostedNetworkClassifier(n_units=8), {"alpha": [0.1]}, cv=2)
    search.fit(pd.DataFrame(X, columns=list("abcd")), y)
    search.set_params(refit=False).fit(X[:, :2], y)
    assert not hasattr(search, "feature_names_in_") and not hasattr(search, "best_estimator_")
    assert search.n_features_in_ == 2
