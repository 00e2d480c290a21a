"""Contributions of columns, and their explanation for the plots of shap."""

import sys

import numpy as np
import pandas
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


def frame(rows=120):
    rng = np.random.default_rng(3)
    X = pandas.DataFrame({"a": rng.standard_normal(rows), "b": rng.standard_normal(rows)})
    X["colour"] = rng.choice(["red", "green", "blue"], rows)
    X["noise"] = rng.standard_normal(rows)
    X.loc[::7, "b"] = np.nan
    return X


def regressor(X, **settings):
    y = 100 + 10 * X["a"] + 5 * (X["colour"] == "red") * X["b"].fillna(1)
    return BoostedNetworkRegressor(n_units=20, auto=False, random_state=0, **settings).fit(X, y)


@pytest.mark.parametrize("units", [None, 7])
def test_contributions_of_a_regressor_add_up_to_the_prediction(units):
    X = frame()
    model = regressor(X)
    values = model.contributions(X, units=units)
    assert values.shape == (120, 4)
    rest = model.predict(X, units=units) - values.sum(axis=1)
    assert np.ptp(rest) < 1e-3  # the baseline


@pytest.mark.parametrize("labels", [["no", "yes"], [9, 10], ["9", "10"]])
def test_contributions_of_two_classes_add_up_to_the_log_odds_of_the_second(labels):
    X = frame()
    y = np.array(labels)[(X["a"] > 0).astype(int)]
    model = BoostedNetworkClassifier(n_units=20, auto=False, random_state=0).fit(X, y)
    p = model.predict_proba(X)
    values = model.contributions(X)
    assert values.shape == (120, 4)
    assert np.ptp(np.log(p[:, 1] / p[:, 0]) - values.sum(axis=1)) < 1e-3


def test_contributions_of_several_classes_are_in_the_order_of_classes_():
    X = frame()
    y = np.array(["9", "10", "11"])[np.digitize(X["a"], [-0.5, 0.5])]  # sorted as text: 10, 11, 9
    model = BoostedNetworkClassifier(n_units=20, auto=False, random_state=0).fit(X, y)
    values = model.contributions(X)
    assert values.shape == (120, 4, 3)
    p = np.log(model.predict_proba(X))
    for k in range(3):
        rest = (p[:, k] - p[:, 0]) - (values[:, :, k] - values[:, :, 0]).sum(axis=1)
        assert np.ptp(rest) < 1e-3


def test_ignored_columns_contribute_nothing():
    X = frame()
    values = regressor(X, ignore=["noise"]).contributions(X)
    assert values.shape == (120, 4)
    assert not values[:, 3].any()
    assert values[:, 0].any()


def test_contributions_of_an_array_and_of_several_targets():
    X = frame()[["a", "noise"]].to_numpy()
    model = BoostedNetworkRegressor(n_units=12, auto=False, random_state=0).fit(X, np.c_[X[:, 0], X[:, 1] ** 2])
    values = model.contributions(X)
    assert values.shape == (120, 2, 2)
    assert np.all(np.ptp(model.predict(X) - values.sum(axis=1), axis=0) < 1e-3)


def test_explain_without_shap_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", None)
    X = frame()
    with pytest.raises(ImportError, match=r"accrete\[shap\]"):
        regressor(X).explain(X)


def test_explain_returns_what_the_plots_of_shap_take(tmp_path):
    shap = pytest.importorskip("shap")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    X = frame()
    model = regressor(X)
    explanation = model.explain(X)
    assert explanation.feature_names == ["a", "b", "colour", "noise"]
    assert np.allclose(explanation.base_values + explanation.values.sum(axis=1), model.predict(X), atol=1e-3)
    for number, draw in enumerate([shap.plots.bar, shap.plots.beeswarm]):
        draw(explanation, show=False)
        plt.savefig(tmp_path / f"{number}.png")
        plt.close("all")
    shap.plots.waterfall(explanation[0], show=False)
    plt.close("all")


def test_explain_of_several_classes_has_a_score_per_class():
    pytest.importorskip("shap")
    X = frame()
    y = np.array(["low", "middle", "top"])[np.digitize(X["a"], [-0.5, 0.5])]
    explanation = BoostedNetworkClassifier(n_units=12, auto=False, random_state=0).fit(X, y).explain(X)
    assert explanation.values.shape == (120, 4, 3)
    assert explanation.base_values.shape == (120, 3)
    assert list(explanation.output_names) == ["low", "middle", "top"]
