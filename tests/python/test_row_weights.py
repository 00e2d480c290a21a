"""Weights of rows by class and by the values of a column."""

import accrete
import numpy as np
import pytest
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV

pd = pytest.importorskip("pandas")

FIXED = dict(n_units=8, units_per_step=4, max_iter=4, auto=False, random_state=0)


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200), "group": rng.integers(3, size=200)})
    X["region"] = np.array(["north", "south", None], dtype=object)[rng.integers(3, size=200)]
    return X


def labels(X):
    return np.where(X["a"] + X["b"] > 0, "spam, certain", "ham")


def test_class_weight_is_a_sample_weight(frame):
    y = labels(frame)
    weight = np.where(y == "ham", 1.0, 5.0)
    by_class = BoostedNetworkClassifier(class_weight={"spam, certain": 5}, **FIXED).fit(frame, y)
    by_row = BoostedNetworkClassifier(**FIXED).fit(frame, y, sample_weight=weight)
    np.testing.assert_array_equal(by_class.predict_proba(frame), by_row.predict_proba(frame))
    half = np.linspace(0.5, 2.0, 200)
    both = BoostedNetworkClassifier(class_weight={"spam, certain": 5}, **FIXED).fit(frame, y, sample_weight=half)
    by_row = BoostedNetworkClassifier(**FIXED).fit(frame, y, sample_weight=np.float32(half) * weight)
    np.testing.assert_allclose(both.predict_proba(frame), by_row.predict_proba(frame), rtol=1e-5)
    numbers = (y == "ham").astype(int)
    by_class = BoostedNetworkClassifier(class_weight={0: 5.0}, **FIXED).fit(frame, numbers)
    by_row = BoostedNetworkClassifier(**FIXED).fit(frame, numbers, sample_weight=weight)
    np.testing.assert_array_equal(by_class.predict_proba(frame), by_row.predict_proba(frame))


@pytest.mark.parametrize("weight", [0.1, 1 / 3, 1.2345])
def test_weights_by_name_are_rounded_as_sample_weights(frame, weight):
    y = labels(frame)
    by_class = BoostedNetworkClassifier(class_weight={"ham": weight}, **FIXED).fit(frame, y)
    by_row = BoostedNetworkClassifier(**FIXED).fit(frame, y, sample_weight=np.where(y == "ham", weight, 1.0))
    np.testing.assert_array_equal(by_class.predict_proba(frame), by_row.predict_proba(frame))
    target = frame["a"] * frame["b"]
    by_group = BoostedNetworkRegressor(group_weight={"region": {"north": weight}}, **FIXED).fit(frame, target)
    north = np.where(frame["region"] == "north", weight, 1.0)
    by_row = BoostedNetworkRegressor(**FIXED).fit(frame, target, sample_weight=north)
    np.testing.assert_array_equal(by_group.predict(frame), by_row.predict(frame))


@pytest.mark.parametrize("ignore", [None, ["region"]])
def test_group_weight_is_a_sample_weight(frame, ignore):
    y = frame["a"] * frame["b"]
    weight = np.where(frame["region"] == "north", 4.0, 1.0)
    by_group = BoostedNetworkRegressor(group_weight={"region": {"north": 4}}, ignore=ignore, **FIXED).fit(frame, y)
    by_row = BoostedNetworkRegressor(ignore=ignore, **FIXED).fit(frame, y, sample_weight=weight)
    np.testing.assert_array_equal(by_group.predict(frame), by_row.predict(frame))
    by_group.grow(frame, y, n_units=12)
    by_row.grow(frame, y, n_units=12, sample_weight=weight)
    np.testing.assert_array_equal(by_group.predict(frame), by_row.predict(frame))


def test_a_column_alone_balances_its_values(frame):
    y = frame["a"] * frame["b"]
    weight = 200 / 3 / frame.groupby("group")["a"].transform("size").to_numpy()
    by_row = BoostedNetworkRegressor(**FIXED).fit(frame, y, sample_weight=weight)
    for column in ("group", 2, {"group": "balanced"}):
        fitted = BoostedNetworkRegressor(group_weight=column, **FIXED).fit(frame, y)
        np.testing.assert_allclose(fitted.predict(frame), by_row.predict(frame), rtol=1e-4, atol=1e-4)


def test_files_keep_weights(frame, tmp_path):
    y = labels(frame)
    fitted = BoostedNetworkClassifier(class_weight={"ham": 2}, group_weight={"region": {"south": 3}}, **FIXED)
    fitted.fit(frame, y).save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert loaded.class_weight == {"ham": 2.0} and loaded.group_weight == {"region": {"south": 3.0}}
    grown, again = loaded.grow(frame, y, n_units=12), fitted.grow(frame, y, n_units=12)
    np.testing.assert_array_equal(grown.predict_proba(frame), again.predict_proba(frame))
    fitted = BoostedNetworkClassifier(class_weight="balanced", group_weight="region", **FIXED).fit(frame, y)
    fitted.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert loaded.class_weight == "balanced" and loaded.group_weight == "region"


def test_search_weighs_rows(frame):
    y = labels(frame)
    estimator = BoostedNetworkClassifier(class_weight={"ham": 9}, group_weight="region", ignore=["region"], **FIXED)
    search = BoostedNetworkSearchCV(estimator, {"alpha": [0.1]}, cv=3, scoring="log_loss").fit(frame, y)
    plain = BoostedNetworkSearchCV(BoostedNetworkClassifier(ignore=["region"], **FIXED), {"alpha": [0.1]}, cv=3)
    plain.scoring = "log_loss"
    assert search.best_score_ != plain.fit(frame, y).best_score_


def test_refusals_name_what_there_is(frame):
    y = labels(frame)

    def refused(match, estimator=BoostedNetworkClassifier, target=y, **given):
        with pytest.raises(ValueError, match=match):
            estimator(**given, **FIXED).fit(frame, target)

    refused("class 'eggs' is unknown; allowed: ham, spam, certain", class_weight={"eggs": 2})
    refused("weight -1, which must be above 0", class_weight={"ham": -1})
    refused("'ham' has 'x', which must be a number", class_weight={"ham": "x"})
    refused("must be a dict, 'balanced' or None", class_weight="ham:5")
    refused("no column 'regoin' in X", group_weight="regoin")
    refused("value 'west' is unknown; allowed:", group_weight={"region": {"west": 2}})
    refused("must be a dict or 'balanced'", group_weight={"region": 3})
