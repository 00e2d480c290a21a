"""Searches on a dask cluster of two worker processes give the results of one process."""

import pathlib
import runpy

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, ShuffleSplit

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV, _core

joblib = pytest.importorskip("joblib")
distributed = pytest.importorskip("distributed")
EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "dask_search.py"


@pytest.fixture(scope="module")
def client():
    arguments = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**arguments) as cluster, distributed.Client(cluster) as connected:
        yield connected


def rows(count=120):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(count, 4))
    return X, (X[:, 0] + X[:, 1] ** 2 > 0.5).astype(int)


def paper(**given):
    return BoostedNetworkClassifier(preset="paper", **given)


def scores(search):
    return {name: values for name, values in search.cv_results_.items() if "score" in name}


def assert_same(spread, local):
    assert spread.best_params_ == local.best_params_
    for name, values in scores(local).items():
        if name not in ("mean_score_time", "std_score_time"):
            np.testing.assert_array_equal(values, scores(spread)[name], err_msg=name)


def test_grid_search_runs_on_the_workers(client):
    X, y = rows()
    grid = {"learning_rate": [0.1, 0.5], "n_units": [4, 8]}
    search = GridSearchCV(paper(random_state=3, auto=False), grid, cv=3)
    with joblib.parallel_config("dask"):
        spread = search.fit(X, y).best_estimator_
    local = GridSearchCV(paper(random_state=3, auto=False), grid, cv=3).fit(X, y)
    assert_same(search, local)
    np.testing.assert_array_equal(spread.predict_proba(X), local.best_estimator_.predict_proba(X))


@pytest.fixture
def found(monkeypatch):
    """For each search, how many fits came from the workers."""
    counts = []
    search = _core.search

    def counting(*arguments):
        outcome = search(*arguments)
        counts.append(outcome.found)
        return outcome

    monkeypatch.setattr(_core, "search", counting)
    return counts


@pytest.mark.parametrize("cv", [3, ShuffleSplit(3, random_state=0)])
def test_our_search_runs_on_the_workers(client, cv, found):
    X, y = rows()
    grid = {"learning_rate": [0.1, 0.5], "n_units": [4, 8], "subsample": [1, 0.5]}
    weights = np.linspace(1.0, 2.0, len(y))
    local = BoostedNetworkSearchCV(paper(random_state=3), grid, cv=cv).fit(X, y, sample_weight=weights)
    with joblib.parallel_config("dask"):
        spread = BoostedNetworkSearchCV(paper(random_state=3), grid, cv=cv).fit(X, y, sample_weight=weights)
    assert found == [0, 12], "4 x 3 fits"
    assert_same(spread, local)
    np.testing.assert_array_equal(spread.predict_proba(X), local.predict_proba(X))


@pytest.mark.parametrize("cv", [3, ShuffleSplit(3)])
def test_what_is_drawn_is_drawn_once(client, cv, found):
    """Seeds and splits differ from search to search; those of the workers are those of this process."""
    X, y = rows()
    search = BoostedNetworkSearchCV(BoostedNetworkRegressor(n_units=4), {"alpha": [0.1, 1.0]}, cv=cv)
    with joblib.parallel_config("dask"):
        search.fit(X, y.astype(float))
    assert found == [6]


def test_data_frames_reach_the_workers(client, found):
    pandas = pytest.importorskip("pandas")
    X, y = rows()
    frame = pandas.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "yes", "no")})
    labels = pandas.Series(np.where(y > 0, "up", "down"))
    search = BoostedNetworkSearchCV(paper(), {"n_units": [3, 6]}, cv=3)
    with joblib.parallel_config("dask"):
        search.fit(frame, labels)
    assert found == [3] and search.predict(frame)[0] in ("up", "down")


def test_an_error_of_a_worker_is_raised_here(client):
    X, y = rows()
    with joblib.parallel_config("dask"), pytest.raises(ValueError, match="cv=1"):
        BoostedNetworkSearchCV(paper(), {"alpha": [1]}, cv=1).fit(X, y)

    def loss(y, scores):
        raise ZeroDivisionError("of a loss")

    regressor = BoostedNetworkRegressor(loss=loss, n_units=4)
    with joblib.parallel_config("dask"), pytest.raises(ZeroDivisionError, match="of a loss"):
        BoostedNetworkSearchCV(regressor, {"alpha": [1.0]}, cv=2).fit(X, y.astype(float))


def test_refuses_a_worker_of_another_version(client):
    X, y = rows()
    client.run(lambda: setattr(__import__("accrete")._core, "version", lambda: "0.0.1"))
    try:
        with joblib.parallel_config("dask"), pytest.raises(RuntimeError, match="a worker runs accrete 0.0.1"):
            BoostedNetworkSearchCV(paper(), {"n_units": [3]}, cv=2).fit(X, y)
    finally:
        client.restart()


def test_the_example_runs(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "2 workers" in capsys.readouterr().out
