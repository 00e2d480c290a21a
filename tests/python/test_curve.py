"""The curve of a fit as a table."""

import json
import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

NAMES = ["step", "units", "train_loss", "validation_loss"]
FIXED = dict(n_units=40, units_per_step=4, auto=False, random_state=0)


@pytest.fixture(params=["pandas", "arrays"])
def table_of(request, monkeypatch):
    """A function that calls curve_table with or without pandas."""

    def call(estimator):
        with monkeypatch.context() as context:
            if request.param == "arrays":
                context.setitem(sys.modules, "pandas", None)
            table = estimator.curve_table()
        assert hasattr(table, "iloc") == (request.param == "pandas") and list(table) == NAMES
        return table

    if request.param == "pandas":
        pytest.importorskip("pandas")
    return call


def test_has_a_row_for_each_prefix(spirals, table_of):
    clf = BoostedNetworkClassifier(**FIXED).fit(*spirals)
    table = table_of(clf)
    assert list(table["step"]) == list(range(11)) and list(table["units"]) == list(range(0, 41, 4))
    np.testing.assert_array_equal(table["train_loss"], clf.loss_curve_)
    assert np.isnan(table["validation_loss"]).all()


def test_ends_with_the_network_after_early_stopping(waves, table_of, run, tmp_path):
    X, y = waves
    noise = np.random.default_rng(0).normal(size=len(y))
    reg = BoostedNetworkRegressor(**FIXED).fit(X[:150], noise[:150], eval_set=(X[150:], noise[150:]))
    table = table_of(reg)
    assert reg.n_iter_ < 10 and len(table["step"]) == reg.n_iter_ + 1
    np.testing.assert_array_equal(table["validation_loss"], reg.validation_curve_[: reg.n_iter_ + 1])
    reg.save(tmp_path / "m.safetensors")
    printed = json.loads(run("inspect", tmp_path / "m.safetensors", "--json"))["curve"]
    for name in NAMES[1:]:
        np.testing.assert_allclose(table[name], [row[name] for row in printed])


def test_follows_truncate(waves, table_of):
    reg = BoostedNetworkRegressor(**FIXED).fit(*waves)
    assert list(table_of(reg.truncate(8))["units"]) == [0, 4, 8]


def test_needs_a_fit():
    with pytest.raises(NotFittedError):
        BoostedNetworkRegressor().curve_table()


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    _, axes = plt.subplots()
    yield axes
    plt.close("all")


def test_plots_the_score_of_quantiles_offsets_and_a_network_without_units(waves, axes):
    X, y = waves
    quantiles = BoostedNetworkRegressor(quantiles=[0.1, 0.5, 0.9], **FIXED).fit(X, y)
    assert len(quantiles.plot_curve(X, y, ax=axes).figure.axes) == 2
    offsets = BoostedNetworkRegressor(**FIXED).fit(X, y, init_score=y / 2)
    with pytest.raises(ValueError, match="init_score: required"):
        offsets.plot_curve(X, y, ax=axes)
    offsets.plot_curve(X, y, ax=axes, init_score=y / 2)
    with pytest.warns(UserWarning, match="units"):
        constant = BoostedNetworkRegressor(**FIXED).fit(X, y, eval_set=(X, -100 * y))
    assert constant.n_units_ == 0
    constant.plot_curve(X, y, ax=axes)
