"""Columns that are dates, numbers in another format, identifiers, or ignored."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import accrete
from accrete import BoostedNetworkRegressor

ROWS = 80
DATES = [datetime.datetime(2024, 1, 1, 6, 30) + datetime.timedelta(days=11 * i, hours=i) for i in range(ROWS)]
Y = np.array([date.month + 0.1 * date.hour for date in DATES])


def regressor(**parameters):
    return BoostedNetworkRegressor(n_units=8, auto=False, random_state=0, **parameters)


def pandas_dates():
    return pd.DataFrame({"when": pd.to_datetime(DATES), "x": np.arange(ROWS) % 7.0})


def same_dates():
    """The same rows in all kinds of frames."""
    frame = pandas_dates()
    arrow = pa.table({"when": pa.array(DATES), "x": frame["x"]})
    yield "arrow", arrow
    yield "arrow in pandas", arrow.to_pandas(types_mapper=pd.ArrowDtype)
    yield "objects", pd.DataFrame({"when": np.array(DATES, dtype=object), "x": frame["x"]}).astype({"when": object})
    yield "text", frame.assign(when=[str(date) for date in DATES])
    local = frame["when"].dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    yield "time zone", frame.assign(when=local)
    yield "text with offsets", frame.assign(when=[time.isoformat() for time in local])
    objects = np.array(local.dt.to_pydatetime(), dtype=object)
    yield "objects with offsets", frame.assign(when=objects).astype({"when": object})


def test_expands_dates_alike_in_all_frames():
    fitted = regressor().fit(pandas_dates(), Y)
    assert [entry["name"] for entry in fitted.model_.inputs] == [
        "when days",
        "when year",
        "when month",
        "when weekday",
        "when hour",
        "x",
    ]
    expected = fitted.predict(pandas_dates())
    assert fitted.n_features_in_ == 2
    assert fitted.feature_importances_.shape == (2,)
    for name, frame in same_dates():
        np.testing.assert_array_equal(fitted.predict(frame), expected, err_msg=name)
        np.testing.assert_array_equal(regressor().fit(frame, Y).predict(frame), expected, err_msg=name)


def test_reads_days_without_times():
    days = pd.DataFrame({"day": pd.to_datetime([date.date() for date in DATES])})
    fitted = regressor().fit(days, Y)
    assert "day hour" not in [entry["name"] for entry in fitted.model_.inputs]
    for type_ in (pa.date32(), pa.date64()):
        table = pa.table({"day": pa.array([date.date() for date in DATES], type=type_)})
        np.testing.assert_array_equal(fitted.predict(table), fitted.predict(days))
    missing = days.copy()
    missing.loc[3, "day"] = pd.NaT
    assert np.isfinite(fitted.predict(missing)).all()


def test_dates_equal_those_of_the_command(tmp_path, run):
    frame = pandas_dates()
    frame.assign(y=Y).to_csv(tmp_path / "in.csv", index=False)
    path = tmp_path / "m.safetensors"
    run("train", tmp_path / "in.csv", "--units", 8, "--auto", "off", "--seed", 0, "--target", "y", "-o", path)
    loaded = accrete.load(path)
    assert list(loaded.feature_names_in_) == ["when", "x"]
    np.testing.assert_array_equal(loaded.predict(frame), regressor().fit(frame, Y).predict(frame))
    model = accrete.Model.load(path)
    assert model.inputs == ["when", "x"]
    np.testing.assert_array_equal(model.predict(frame)[:, 0], loaded.predict(frame))


def test_reads_formats_as_in_training():
    x = np.arange(ROWS) + 1000.5
    german = pd.DataFrame({"x": [f"{int(value) // 1000}.{int(value) % 1000:03},5" for value in x]})
    fitted = regressor().fit(german, x)
    assert [entry["kind"] for entry in fitted.model_.inputs] == ["numeric"]
    expected = fitted.predict(german)
    np.testing.assert_array_equal(fitted.predict(pd.DataFrame({"x": x})), expected)
    np.testing.assert_array_equal(fitted.predict(pa.table({"x": x})), expected)
    np.testing.assert_array_equal(fitted.predict(pa.table({"x": list(german["x"])})), expected)
    assert fitted.predict(pd.DataFrame({"x": ["1.050"]})) == fitted.predict(pd.DataFrame({"x": [1050.0]}))
    validated = regressor(early_stopping=True).fit(german, x, eval_set=(german, x))
    assert validated.validation_curve_[-1] < validated.validation_curve_[0]


def test_warns_of_text_that_is_nearly_numbers():
    cells = [str(i) for i in range(ROWS)]
    cells[7] = "-"
    expected = r"column 'x' is text because of '-' in row 7 \(counting from 0\); 79 of 80 values are numbers"
    with pytest.warns(UserWarning, match=expected):
        regressor().fit(pd.DataFrame({"x": cells}), Y)


def test_leaves_out_identifiers():
    frame = pandas_dates().assign(id=[f"id{i}" for i in range(ROWS)])
    with pytest.warns(UserWarning, match="column 'id' has a different text in each row and is left out"):
        fitted = regressor().fit(frame, Y)
    assert fitted.n_features_in_ == 3
    assert fitted.feature_importances_[2] == 0.0
    np.testing.assert_array_equal(fitted.predict(frame), regressor().fit(pandas_dates(), Y).predict(pandas_dates()))
    categories = frame.assign(id=pd.Categorical(frame["id"]))
    assert "id" in [entry["name"] for entry in regressor().fit(categories, Y).model_.inputs]


@pytest.mark.parametrize("frame", [lambda X: X, pd.DataFrame, lambda X: pa.table(dict(zip("abc", X.T)))])
def test_ignores_columns(frame):
    X = np.random.default_rng(0).normal(size=(ROWS, 3))
    rows, used = frame(X), [0, 2]
    fitted = regressor(ignore=[1]).fit(rows, Y)
    expected = regressor().fit(X[:, used], Y).predict(X[:, used])
    np.testing.assert_array_equal(fitted.predict(rows), expected)
    assert fitted.n_features_in_ == 3
    assert fitted.feature_importances_[1] == 0.0
    grown = regressor(ignore=[1]).fit(rows, Y).grow(rows, Y, 12)
    assert grown.n_units_ == 12


def test_refuses_to_ignore_unknown_columns():
    frame = pd.DataFrame({"age": np.arange(ROWS), "height": np.arange(ROWS)})
    with pytest.raises(ValueError, match="ignore: no column 'heigth' in X; did you mean 'height'?"):
        regressor(ignore=["heigth"]).fit(frame, Y)
    with pytest.raises(ValueError, match="no column is left"):
        regressor(ignore=["age", "height"]).fit(frame, Y)
    assert regressor(ignore="height").fit(frame, Y).model_.input_count == 1


def test_an_ignored_column_never_takes_the_place_of_an_argument():
    rng = np.random.RandomState(0)
    X = rng.normal(size=(200, 3))
    rest = dict(n_units=16, auto=False, random_state=0)
    frame = pd.DataFrame(X, columns=list("abc"))
    arguments = dict(sample_weight=rng.uniform(size=100), init_score=X[:100, 1])
    validation = (frame[100:], X[100:, 0], X[100:, 1])
    expected = accrete.BoostedNetworkRegressor(**rest).fit(frame[:100], X[:100, 0], eval_set=validation, **arguments)
    for name in ("target", "sample_weight", "init_score"):
        more = frame.assign(**{name: 1000.0 + np.arange(200)})
        fitted = accrete.BoostedNetworkRegressor(ignore=[name], **rest)
        fitted.fit(more[:100], X[:100, 0], eval_set=(more[100:], *validation[1:]), **arguments)
        np.testing.assert_array_equal(fitted.validation_curve_, expected.validation_curve_)
