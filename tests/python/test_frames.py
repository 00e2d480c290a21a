"""Equal rows give the same model, byte for byte, from all frames, object arrays and CSV files."""

import csv
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROWS = 120
TOWNS = ["Oslo", "Bergen", "Tromsø, far to the north", "Å"]


def sample():
    """Columns of all common types with missing values; 'code' has categories that look like numbers."""
    draw = np.random.default_rng(5)
    columns = {
        "size": draw.normal(size=ROWS).tolist(),
        "count": [int(v) for v in draw.integers(-5, 5, ROWS)],
        "open": [bool(v) for v in draw.random(ROWS) < 0.5],
        "town": [TOWNS[v] for v in draw.integers(0, 4, ROWS)],
        "digits": [str(v) for v in draw.integers(0, 9, ROWS)],
        "code": [("7", "12", "3")[v] for v in draw.integers(0, 3, ROWS)],
    }
    for name, step in (("size", 7), ("count", 11), ("open", 13), ("town", 5), ("digits", 17), ("code", 9)):
        columns[name][::step] = [None] * len(columns[name][::step])
    columns["town"][1] = ""  # a missing value too
    labels = ["yes" if (v or 0) > 0 else "no" for v in columns["size"]]
    return columns, np.array(labels)


class OnlyArrow:
    """A frame that has only __arrow_c_stream__."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def pandas_plain(columns):
    frame = pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})
    return frame.assign(code=frame["code"].astype("category"))


def pandas_nullable(columns):
    kinds = ["Float64", "Int64", "boolean", "string", object, "category"]
    return pd.DataFrame({name: pd.Series(columns[name], dtype=kind) for name, kind in zip(columns, kinds)})


def pandas_integer_categories(columns):
    frame = pandas_plain(columns)
    numbers = [None if v is None else int(v) for v in columns["code"]]
    return frame.assign(code=pd.Series(pd.Categorical(numbers, categories=[99, 12, 7, 3])))


def pandas_of_arrow(columns):
    return arrow_table(columns).to_pandas(types_mapper=pd.ArrowDtype)


def polars_frame(columns):
    return pl.DataFrame(columns).with_columns(pl.col("code").cast(pl.Categorical))


def polars_enum(columns):
    return pl.DataFrame(columns).with_columns(pl.col("code").cast(pl.Enum(["x", "3", "7", "12"])))


def arrow_table(columns):
    table = pa.table(columns)
    position = table.column_names.index("code")
    return table.set_column(position, "code", table["code"].dictionary_encode())


def arrow_chunks(columns):
    """Chunks with different dictionaries, each a slice of a longer array."""
    padded = {name: [values[0], *values, values[1]] for name, values in columns.items()}
    parts = [{name: values[a : b + 2] for name, values in padded.items()} for a, b in ((0, 50), (50, ROWS))]
    return pa.concat_tables([arrow_table(part).combine_chunks().slice(1, len(part["code"]) - 2) for part in parts])


def arrow_large(columns):
    kinds = {"town": pa.large_string(), "digits": pa.large_string()}
    large = pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns.items()})
    codes = pa.array([None if v is None else int(v) for v in columns["code"]], pa.uint8()).dictionary_encode()
    return large.set_column(5, "code", codes)


FRAMES = [
    pandas_plain,
    pandas_nullable,
    pandas_integer_categories,
    pandas_of_arrow,
    polars_frame,
    polars_enum,
    arrow_table,
    arrow_chunks,
    arrow_large,
    lambda columns: arrow_table(columns).combine_chunks().to_batches()[0],
    lambda columns: arrow_table(columns).to_reader(),
    lambda columns: OnlyArrow(polars_frame(columns)),
]


def classifier(**more):
    return BoostedNetworkClassifier(n_units=8, random_state=3, n_jobs=1, **more)


@pytest.fixture(scope="module")
def fitted():
    columns, labels = sample()
    return classifier().fit(pandas_plain(columns), labels)


@pytest.mark.parametrize("frame", FRAMES)
def test_every_frame_gives_the_same_model(frame, fitted):
    columns, labels = sample()
    other = classifier().fit(frame(columns), labels)
    assert other.model_.to_bytes() == fitted.model_.to_bytes()
    assert list(other.feature_names_in_) == list(columns)
    assert other.n_features_in_ == len(columns)
    expected = fitted.predict_proba(pandas_plain(columns))
    np.testing.assert_array_equal(fitted.predict_proba(frame(columns)), expected)
    np.testing.assert_array_equal(accrete.Model(fitted.model_).predict(frame(columns)), expected)


def test_numbered_columns_have_no_names_after_loading(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 3)))
    fitted = classifier().fit(frame, np.arange(40) % 2)
    fitted.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert not hasattr(fitted, "feature_names_in_") and not hasattr(loaded, "feature_names_in_")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(loaded.predict_proba(frame), fitted.predict_proba(frame))


def test_detects_text_columns(fitted):
    kinds = {entry["name"]: entry["kind"] for entry in fitted.model_.inputs}
    assert [name for name in kinds if kinds[name] == "text"] == ["town", "code"]
    levels = {entry["name"]: entry["levels"] for entry in fitted.model_.inputs}
    assert levels["code"] == ["12", "3", "7"] and sorted(levels["town"]) == sorted(TOWNS)


@pytest.mark.parametrize("dtype", [object, np.float32, np.int16])
def test_arrays_give_the_same_model(dtype):
    columns, labels = sample()
    if dtype is object:
        columns["code"] = [None if v is None else f"c{v}" for v in columns["code"]]
    else:
        columns = {name: [v or 0 for v in columns[name]] for name in ("size", "count")}
        columns["size"] = np.round(columns["size"]).tolist()
    array = np.array(list(columns.values()), dtype=object).T.astype(dtype)
    array_model = classifier().fit(array, labels)
    assert not hasattr(array_model, "feature_names_in_")
    frames = [pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)]
    names = {name: f"x{position}" for position, name in enumerate(columns)}
    named = [frames[0].rename(columns=names), frames[1].rename(names), frames[2].rename_columns(list(names.values()))]
    for frame in named:
        assert classifier().fit(frame, labels).model_.to_bytes() == array_model.model_.to_bytes()


def command():
    packaged = pathlib.Path(accrete.__file__).with_name("bin") / "accrete"
    return os.environ.get("ACCRETE_COMMAND", packaged if packaged.is_file() else None)


@pytest.mark.skipif(command() is None, reason="needs the command")
def test_the_command_line_gives_the_same_model(tmp_path, fitted):
    columns, labels = sample()
    with open(tmp_path / "rows.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([*columns, "target"])
        for *row, label in zip(*columns.values(), labels):
            out.writerow([*(int(v) if isinstance(v, bool) else v for v in row), label])
    words = "--target target --categorical code --units 8 --seed 3 --threads 1 -q -o model.safetensors".split()
    subprocess.run([command(), "train", "rows.csv", *words], cwd=tmp_path, check=True)
    assert (tmp_path / "model.safetensors").read_bytes() == fitted.model_.to_bytes()
    again = accrete.load(tmp_path / "model.safetensors")
    frame = polars_frame(columns)
    np.testing.assert_array_equal(again.predict_proba(frame), fitted.predict_proba(frame))


def test_names_of_targets_are_kept():
    columns, _ = sample()
    y = np.arange(ROWS) % 17 + 0.5
    models = [
        BoostedNetworkRegressor(n_units=4, random_state=0).fit(frame, target).model_.to_bytes()
        for frame, target in (
            (pandas_plain(columns), pd.Series(y, name="price")),
            (polars_frame(columns), pl.Series("price", y)),
        )
    ]
    assert models[0] == models[1]


def test_accepts_unseen_levels_and_missing_values(fitted):
    columns, _ = sample()
    columns = {name: values[:4] for name, values in columns.items()}
    columns["town"] = ["Rome", None, "Å", ""]
    columns["code"] = ["1000", "7", None, "12"]
    predictions = [fitted.predict_proba(frame(columns)) for frame in (pandas_plain, polars_frame, arrow_table)]
    assert np.isfinite(predictions[0]).all()
    for prediction in predictions[1:]:
        np.testing.assert_array_equal(prediction, predictions[0])


def test_polars_needs_neither_pyarrow_nor_pandas():
    program = (
        "import sys, polars, accrete\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('pyarrow', 'pandas'): raise ImportError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "X = polars.DataFrame({'a': ['x', 'y', None, 'z'] * 9, 'b': range(36)})\n"
        "clf = accrete.BoostedNetworkClassifier(n_units=4, random_state=0).fit(X, [0, 1, 1, 0] * 9)\n"
        "assert clf.predict(X).shape == (36,)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
