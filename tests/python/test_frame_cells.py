"""What single cells become: gaps, numbers and the names of categories."""

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


def test_words_for_gaps_are_levels():
    words = ["NA", "none", "NaN", "x", "", None] * 10
    for frame in (pd.DataFrame({"w": words}), pl.DataFrame({"w": words}), pa.table({"w": words})):
        model = classifier().fit(frame, np.arange(60) % 2).model_
        assert model.inputs[0]["levels"] == ["NA", "NaN", "none", "x"] and model.inputs[0]["indicator"]


def test_spelling_of_categories():
    """As text, numbers and bools look alike whoever holds them."""
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
        of_arrow = classifier().fit(pa.table({"c": dictionary}), y).model_
        categories = pd.Categorical.from_codes(dictionary.indices, plain)
        of_pandas = classifier().fit(pd.DataFrame({"c": categories}), y).model_
        assert of_arrow.to_bytes() == of_pandas.to_bytes(), of_arrow.inputs


def test_numbers_stand_for_the_names_of_levels():
    """A category of digits often comes back as numbers from elsewhere."""
    names = ["1", "2", "30"] * 20
    y = [0, 1, 1] * 20
    clf = classifier().fit(pd.DataFrame({"c": pd.Categorical(names)}), y)
    expected = clf.predict_proba(pd.DataFrame({"c": names[:3]}))
    assert len(np.unique(expected[:, 0])) > 1
    numbers = np.array([1, 2, 30])
    for kind in (np.int8, np.uint64, np.float16, np.float32, np.float64):
        given = numbers.astype(kind)
        for frame in (pd.DataFrame({"c": given}), pl.DataFrame({"c": given}), pa.table({"c": given})):
            np.testing.assert_array_equal(clf.predict_proba(frame), expected)
        with pytest.warns(UserWarning, match="feature names"):
            np.testing.assert_array_equal(clf.predict_proba(given[:, None]), expected)
    nullable = pd.DataFrame({"c": pd.array([1, 2, 30, None], dtype="Int64")})
    np.testing.assert_array_equal(clf.predict_proba(nullable)[:3], expected)


def test_a_column_of_gaps_and_halves():
    half = np.array([0.5, -2.0, 6e-8, math.nan] * 10, dtype=np.float16)
    for frame in (pd.DataFrame({"n": [None] * 40, "h": half}), pa.table({"n": pa.nulls(40), "h": half})):
        model = classifier().fit(frame, np.arange(40) % 2).model_
        assert [entry["indicator"] for entry in model.inputs] == [False, True]
        assert model.inputs[1]["mean"] == pytest.approx(np.nanmean(half.astype(float)))


def test_objects_of_many_kinds():
    """Numbers of any make are numbers; among words they are spelt as categories are."""
    gaps = [None, math.nan, pd.NA, pd.NaT, np.float32("nan"), np.datetime64("NaT"), ""]
    values = [1, 2.5, True, np.int8(4), np.float32(0.5), np.bool_(False), decimal.Decimal("7.25"), b"8", "+9e0", " 10 "]
    column = np.array([*gaps, *values], dtype=object)[:, None]
    table = array_table(column, ["v"])
    assert table.text_columns == []
    words = np.array([[value] for value in [*gaps, *values, "word"]], dtype=object)
    of_words = classifier().fit(np.tile(words, (4, 1)), np.arange(4 * len(words)) % 2).model_.inputs[0]
    spelt = ["1", "2.5", "True", "4", "0.5", "False", "7.25", "8", "+9e0", " 10 ", "word"]
    assert of_words["levels"] == sorted(spelt) and of_words["indicator"]
    for no_number in ("1_000", "0x10", "nan(1)", "  ", "١"):  # Python's float would take some of these
        assert array_table(np.array([[1], [no_number]], dtype=object), ["v"]).text_columns == ["v"]
    with pytest.raises(TypeError, match="column 'v', row 1: argument must be a string or a number, not 'complex'"):
        array_table(np.array([[1], [2j]], dtype=object), ["v"])
    with pytest.raises(ValueError, match="surrogates"):
        array_table(np.array([["\ud800"]], dtype=object), ["v"])
    assert array_table(np.array([[10**400]], dtype=object), ["v"]).first_infinity() == (0, "v")
