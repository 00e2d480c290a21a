"""Conversion of cells to missing values, numbers and levels."""

import decimal
import math

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier
from accrete._frames import array_table

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.filterwarnings("ignore:the training loss went")


def classifier():
    return BoostedNetworkClassifier(n_units=8, random_state=3, n_jobs=1)


def test_words_such_as_na_are_levels():
    words = ["NA", "none", "NaN", "x", "", None] * 10
    for frame in (pd.DataFrame({"w": words}), pl.DataFrame({"w": words}), pa.table({"w": words})):
        model = classifier().fit(frame, np.arange(60) % 2).model_
        assert model.inputs[0]["levels"] == ["NA", "NaN", "none", "x"] and model.inputs[0]["indicator"]


def test_categories_have_the_same_text_in_all_frames():
    """Numbers and bools."""
    cases = [
        ([0.5, 1e-7, 3.0, 1e20, -0.0, 0.1], pa.float64()),
        ([0.1, 0.25, 7.0, 16777216.0], pa.float32()),
        ([True, False], pa.bool_()),
        ([-5, 0, 2**62], pa.int64()),
        ([2**64 - 1, 1], pa.uint64()),
        ([decimal.Decimal("1.50"), decimal.Decimal("-0.05"), decimal.Decimal("0.00")], pa.decimal128(9, 2)),
    ]
    for values, kind in cases:
        dictionary = pa.DictionaryArray.from_arrays(pa.array(list(range(len(values))) * 20), pa.array(values, kind))
        plain = np.array(values, dtype=np.float32) if kind == pa.float32() else values
        y = np.arange(len(values) * 20) % 2
        arrow_model = classifier().fit(pa.table({"c": dictionary}), y).model_
        categories = pd.Categorical.from_codes(dictionary.indices, plain)
        pandas_model = classifier().fit(pd.DataFrame({"c": categories}), y).model_
        assert arrow_model.to_bytes() == pandas_model.to_bytes(), arrow_model.inputs


def test_numbers_match_levels_of_digits():
    """Other tools often turn categories of digits into numbers."""
    names = ["1", "2", "30"] * 20
    y = [0, 1, 1] * 20
    clf = classifier().fit(pd.DataFrame({"c": pd.Categorical(names)}), y)
    expected = clf.predict_proba(pd.DataFrame({"c": names[:3]}))
    assert len(np.unique(expected[:, 0])) > 1
    numbers = np.array([1, 2, 30])
    for kind in (np.int8, np.uint64, np.float16, np.float32, np.float64):
        cells = numbers.astype(kind)
        for frame in (pd.DataFrame({"c": cells}), pl.DataFrame({"c": cells}), pa.table({"c": cells})):
            np.testing.assert_array_equal(clf.predict_proba(frame), expected)
        with pytest.warns(UserWarning, match="feature names"):
            np.testing.assert_array_equal(clf.predict_proba(cells[:, None]), expected)
    nullable = pd.DataFrame({"c": pd.array([1, 2, 30, None], dtype="Int64")})
    np.testing.assert_array_equal(clf.predict_proba(nullable)[:3], expected)


def test_reads_null_columns_and_half_floats():
    half = np.array([0.5, -2.0, 6e-8, math.nan] * 10, dtype=np.float16)
    for frame in (pd.DataFrame({"n": [None] * 40, "h": half}), pa.table({"n": pa.nulls(40), "h": half})):
        model = classifier().fit(frame, np.arange(40) % 2).model_
        assert [entry["indicator"] for entry in model.inputs] == [False, True]
        assert model.inputs[1]["mean"] == pytest.approx(np.nanmean(half.astype(float)))


def test_converts_objects_of_all_types():
    """Numbers of all types are numbers; next to words they become text as categories do."""
    missing = [None, math.nan, pd.NA, pd.NaT, np.float32("nan"), np.datetime64("NaT"), ""]
    values = [1, 2.5, True, np.int8(4), np.float32(0.5), np.bool_(False), decimal.Decimal("7.25"), b"8", "+9e0", " 10 "]
    table = array_table(np.array([*missing, *values], dtype=object)[:, None], ["v"])
    assert table.text_columns == []
    words = np.array([[value] for value in [*missing, *values, "word"]], dtype=object)
    column = classifier().fit(np.tile(words, (4, 1)), np.arange(4 * len(words)) % 2).model_.inputs[0]
    levels = ["1", "2.5", "True", "4", "0.5", "False", "7.25", "8", "+9e0", " 10 ", "word"]
    assert column["levels"] == sorted(levels) and column["indicator"]
    for text in ("1_000", "0x10", "nan(1)", "  ", "١"):  # float() accepts some of these
        assert array_table(np.array([[1], [text]], dtype=object), ["v"]).text_columns == ["v"]
    expected = r"column 'v', row 1 \(counting from 0\): argument must be a string or a number, not 'complex'"
    with pytest.raises(TypeError, match=expected):
        array_table(np.array([[1], [2j]], dtype=object), ["v"])
    with pytest.raises(ValueError, match="surrogates"):
        array_table(np.array([["\ud800"]], dtype=object), ["v"])
    assert array_table(np.array([[10**400]], dtype=object), ["v"]).first_infinity() == (0, "v")
