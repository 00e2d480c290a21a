"""Frames that cannot be used raise an error of one line that names the column."""

import datetime

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

FRAMES = [pd.DataFrame, pl.DataFrame, pa.table]
Y = np.arange(40) % 2


def classifier():
    return BoostedNetworkClassifier(n_units=4, random_state=0)


@pytest.fixture(scope="module")
def fitted():
    return classifier().fit(pd.DataFrame({"age": np.arange(40.0), "town": ["a", "b"] * 20}), Y)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "columns, named",
    [
        ({"age": [1.0]}, "town"),
        ({"town": ["a"]}, "age"),
        ({"age": [1.0], "city": ["a"]}, "city"),
        ({"age": [1.0], "town": ["a"], "more": [2]}, "more"),
        ({"town": ["a"], "age": [1.0]}, "order"),
    ],
)
def test_rejects_other_columns(frame, columns, named, fitted):
    with pytest.raises(ValueError, match=named):
        fitted.predict(frame(columns))
    with pytest.raises(ValueError, match=named):
        accrete.Model(fitted.model_).predict(frame(columns))


@pytest.mark.parametrize("frame", FRAMES)
def test_rejects_another_number_of_columns(frame):
    clf = classifier().fit(np.random.default_rng(0).normal(size=(40, 2)), Y)
    with pytest.raises(ValueError, match="3"):
        clf.predict(frame({"a": [1.0], "b": [1.0], "c": [1.0]}))
    with pytest.raises(ValueError, match="3"):
        accrete.Model(clf.model_).predict(frame({"a": [1.0], "b": [1.0], "c": [1.0]}))


@pytest.mark.parametrize("frame", FRAMES)
def test_rejects_text_in_a_numeric_column(frame, fitted):
    with pytest.raises(ValueError, match="column 'age', row 2 \\(counting from 0\\): 'old' is not a number"):
        fitted.predict(frame({"age": ["1", None, "old"], "town": ["a"] * 3}))
    fitted.predict(frame({"age": ["1", None, "2.5"], "town": ["a"] * 3}))
    categories = pd.DataFrame({"age": pd.Categorical(["1", None, "old"]), "town": ["a"] * 3})
    for X in (categories, pa.Table.from_pandas(categories)):
        with pytest.raises(ValueError, match="column 'age', row 2 \\(counting from 0\\): 'old' is not a number"):
            fitted.predict(X)
    numbers = categories[:2]
    np.testing.assert_array_equal(fitted.predict_proba(numbers), fitted.predict_proba(pa.Table.from_pandas(numbers)))


DAY = datetime.datetime(2024, 2, 29)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    "cells, type_name",
    [
        ([DAY.time()], "time"),
        ([datetime.timedelta(1)], "timedelta|durations"),
        ([[1, 2]], "list"),
        ([{"a": 1}], "dict|structs"),
    ],
)
def test_rejects_columns_that_are_neither_numbers_nor_text(frame, cells, type_name):
    with pytest.raises((ValueError, TypeError), match=f"column 'when'.*({type_name})"):
        classifier().fit(frame({"ok": [1.0] * 40, "when": cells * 40}), Y)


def test_error_tells_to_convert_the_column():
    with pytest.raises(ValueError, match="column 'when' holds times of day .*; convert it to numbers or text first"):
        classifier().fit(pa.table({"when": [DAY.time()] * 40}), Y)
    with pytest.raises(ValueError, match="convert it to numbers or text first"):
        classifier().fit(pd.DataFrame({"when": [DAY - DAY] * 40}), Y)
    with pytest.raises(ValueError, match="column 'when' holds times of day"):
        classifier().fit(pa.table({"when": pa.array([DAY.time()] * 40).dictionary_encode()}), Y)
    with pytest.raises(ValueError, match="datetime64"):
        classifier().fit(np.array([[DAY]] * 40, dtype="M8[s]"), Y)
    for period in (pd.period_range("2024", periods=40, freq="D"), pd.interval_range(0, 40)):
        with pytest.raises(ValueError, match="column 'p' holds (period|interval)"):
            classifier().fit(pd.DataFrame({"p": period}), Y)


def test_rejects_duplicate_names():
    numbered = classifier().fit(pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2))), Y)
    assert [entry["name"] for entry in numbered.model_.inputs] == ["0", "1"]
    assert not hasattr(numbered, "feature_names_in_")
    twice = np.ones((40, 2))
    for frame in (pd.DataFrame(twice, columns=["a", "a"]), pa.table([twice[:, 0], twice[:, 1]], names=["a", "a"])):
        with pytest.raises(ValueError, match="^X: column names must be unique; duplicates: 'a'$"):
            classifier().fit(frame, Y)


@pytest.mark.parametrize("frame", FRAMES)
def test_rejects_an_empty_frame(frame):
    with pytest.raises(ValueError, match="0 sample"):
        classifier().fit(frame({"a": np.array([], dtype=float)}), [])


def test_rejects_infinity_with_its_location():
    for frame in FRAMES:
        with pytest.raises(ValueError, match="infinity.*row 3 \\(counting from 0\\), column 'a'"):
            classifier().fit(frame({"a": [0.0, 1.0, 2.0, np.inf] * 10}), Y)


def test_rejects_a_single_column():
    for column in (pd.Series(np.arange(40.0)), pl.Series(np.arange(40.0)), pa.chunked_array([np.arange(40.0)])):
        with pytest.raises(ValueError, match="Expected (a )?2"):
            classifier().fit(column, Y)
