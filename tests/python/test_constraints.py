"""Monotone columns and interaction groups: forms of the arguments, and what holds for every prefix."""

import ctypes
import subprocess

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV

NAMES = ["age", "price, net", "c", "d"]


@pytest.fixture(scope="module")
def rows():
    """Numbers whose target rises and falls with each column, and acts on pairs of them."""
    rng = np.random.default_rng(6)
    X = rng.normal(size=(250, 4)).astype(np.float32)
    X[rng.random(250) < 0.1, 0] = np.nan
    x = np.nan_to_num(X)
    return X, np.sin(2 * x[:, 0]) - x[:, 1] ** 2 + x[:, 0] * x[:, 2] + x[:, 2] * x[:, 3]


def swept(X, column, values=200):
    """Each of the first rows with all values of a column, ascending."""
    rows = np.repeat(X[:40], values, axis=0)
    rows[:, column] = np.tile(np.linspace(-4, 4, values, dtype=np.float32), 40)
    return rows


def largest_fall(predictions, values=200):
    """Of any value below an earlier one of its row, as a share of the range."""
    by_row = np.asarray(predictions, dtype=np.float64).reshape(-1, values)
    return np.max(np.maximum.accumulate(by_row, axis=1) - by_row) / np.ptp(by_row)


@pytest.mark.parametrize("bins", [0, 8, 64])
def test_every_prefix_is_monotone(rows, bins):
    X, y = rows
    fitted = BoostedNetworkRegressor(monotonic_cst=[1, -1, 0, 0], n_units=24, auto=False, bins=bins).fit(X, y)
    for column, sign in ((0, 1), (1, -1)):
        for predictions in list(fitted.staged_predict(swept(X, column)))[1:]:
            assert largest_fall(sign * predictions) == 0
        assert largest_fall(sign * fitted.predict(swept(X, column))) == 0
    free = BoostedNetworkRegressor(n_units=24, auto=False, bins=bins).fit(X, y)
    assert largest_fall(free.predict(swept(X, 0))) > 1e-2


def test_the_probability_of_the_second_class_is_monotone(rows):
    X, y = rows
    fitted = BoostedNetworkClassifier(monotonic_cst=[1, 0, 0, 0], n_units=24, auto=False).fit(X, y > 0)
    assert largest_fall(fitted.predict_proba(swept(X, 0))[:, 1]) == 0
    with pytest.raises(ValueError, match="monotonic_cst=x0:\\+: supports regression and two classes"):
        fitted.fit(X, np.digitize(y, [-1, 1]))


def test_forms_of_the_same_constraint_give_the_same_model(rows):
    import pandas as pd

    X, y = rows
    frame = pd.DataFrame(X, columns=NAMES)

    def fit(**constraints):
        return BoostedNetworkRegressor(n_units=12, auto=False, random_state=0, **constraints).fit(frame, y)

    forms = [
        {"age": 1, "price, net": -1},
        {"age": 1.0, "price, net": -1, "c": 0},
        [1, -1, 0, 0],
        np.array([1, -1, 0, 0]),
        {0: 1, 1: -1},
        {np.int64(0): 1, "price, net": -1},
        'age:+,"price, net":-',
    ]
    models = {fit(monotonic_cst=form).model_.to_bytes() for form in forms}
    assert len(models) == 1
    assert dict(fit(monotonic_cst=forms[0]).model_.parameters)["monotone"] == 'age:+,"price, net":-'
    forms = [[{"age", "price, net"}], [["price, net", "age"]], [{0, 1}], [(1, 0), {2, 3}], [{"age", 1}, []]]
    models = [fit(interaction_cst=form) for form in forms]
    assert len({largest_interaction(model, frame, 0, 2) < 1e-5 for model in models}) == 1
    assert dict(models[0].model_.parameters)["interactions"] == 'age,"price, net"'
    none = fit(interaction_cst="no_interactions")
    assert dict(none.model_.parameters)["interactions"] == "none"
    assert largest_interaction(none, frame, 2, 3) < 1e-5 < 1e-2 < largest_interaction(models[0], frame, 2, 3)


def test_positions_are_for_arrays_and_names_come_first(rows):
    import pandas as pd

    X, y = rows

    def constraint(X, value):
        fitted = BoostedNetworkRegressor(n_units=8, auto=False, monotonic_cst=value).fit(X, y)
        return dict(fitted.model_.parameters)["monotone"]

    assert constraint(X, {2: 1}) == constraint(X, {"x2": 1}) == "x2:+"
    numbered = pd.DataFrame(X, columns=[3, 2, 1, 0])
    assert constraint(numbered, {3: -1}) == "3:-"  # the column named 3, which is the first


def largest_interaction(fitted, frame, one, other):
    """The largest mixed second difference between two columns, as a share of the range."""
    values = np.nan_to_num(frame.to_numpy())
    moved = np.roll(values, 1, axis=0)

    def predict(*columns):
        mixed = values.copy()
        mixed[:, columns] = moved[:, columns]
        return fitted.predict(type(frame)(mixed, columns=frame.columns))

    start = predict()
    return np.max(np.abs(start - predict(one) - predict(other) + predict(one, other))) / np.ptp(start)


def test_wrong_constraints_are_refused(rows):
    X, y = rows

    def refused(text, **constraints):
        with pytest.raises(ValueError, match=text):
            BoostedNetworkRegressor(n_units=8, **constraints).fit(X, y)

    refused("monotonic_cst: has 3 entries, but X has 4 columns", monotonic_cst=[1, 0, 0])
    refused("column 'x1' has 2, which must be 1, -1 or 0", monotonic_cst=[1, 2, 0, 0])
    refused("column 'x0' has 'up', which must be 1, -1 or 0", monotonic_cst={"x0": "up"})
    refused("monotonic_cst=7: must be a dict, an array-like or None", monotonic_cst=7)
    refused("monotonic_cst names the column 'age'", monotonic_cst={"age": 1})
    refused("cannot be used with objective=projected", monotonic_cst=[1, 0, 0, 0], objective="projected")
    refused("interaction_cst='pairwise': must be 'no_interactions'", interaction_cst="pairwise")
    refused("must be 'no_interactions', a list of sets", interaction_cst=[0, 1])
    refused("interaction_cst: column 4 is not one of the 4 columns of X", interaction_cst=[{0, 4}])
    refused("monotonic_cst: column 4 is not one of the 4 columns of X", monotonic_cst={4: 1})
    refused("monotonic_cst: column -1 is not one of the 4 columns of X", monotonic_cst={-1: 1})
    refused("names the column 'x0' twice", monotonic_cst={0: 1, "x0": 1})
    refused("interaction_cst names the column 'age'", interaction_cst=[{"age"}])
    with pytest.raises(ValueError, match="param_grid: monotonic_cst cannot be searched over"):
        BoostedNetworkSearchCV(BoostedNetworkRegressor(), {"monotonic_cst": [[1, 0, 0, 0]]}).fit(X, y)


def test_constraints_survive_warm_starts_files_and_searches(rows, tmp_path):
    X, y = rows
    fitted = BoostedNetworkRegressor(monotonic_cst=[1, 0, 0, 0], n_units=8, auto=False, warm_start=True, random_state=0)
    fitted.fit(X, y)
    fitted.n_units = 16
    grown = fitted.fit(X, y).model_
    whole = BoostedNetworkRegressor(monotonic_cst={"x0": 1}, n_units=16, auto=False, random_state=0).fit(X, y)
    assert grown.to_bytes() == whole.model_.to_bytes()
    fitted.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert loaded.monotonic_cst == "x0:+" and loaded.interaction_cst is None
    assert largest_fall(loaded.grow(X, y, n_units=32).predict(swept(X, 0))) == 0
    search = BoostedNetworkSearchCV(fitted.set_params(warm_start=False), {"alpha": [0.01, 0.1]}, cv=2).fit(X, y)
    assert largest_fall(search.predict(swept(X, 0))) == 0


def neighbours(X, values=2000):
    """Rows in which the first column has ten neighbouring floats at each of many places, ascending."""
    near = [np.linspace(-4, 4, values // 10, dtype=np.float32)]
    for _ in range(9):
        near.append(np.nextafter(near[-1], np.float32(9)))
    rows = np.repeat(X[:20], values, axis=0)
    rows[:, 0] = np.tile(np.sort(np.concatenate(near)), 20)
    return rows


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
@pytest.mark.parametrize("bins", [0, 8])
@pytest.mark.parametrize("classes", [False, True], ids=["number", "classes"])
def test_exports_are_monotone(rows, activation, bins, classes, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    X, y = rows
    estimator = BoostedNetworkClassifier if classes else BoostedNetworkRegressor
    fitted = estimator(monotonic_cst=[1, 0, 0, 0], n_units=24, auto=False, bins=bins, activation=activation)
    fitted.fit(X, y > 0 if classes else y)
    rows, outputs = neighbours(X), 2 if classes else 1
    fitted.to_onnx(tmp_path / "m.onnx")
    session = onnxruntime.InferenceSession(tmp_path / "m.onnx", providers=["CPUExecutionProvider"])
    assert largest_fall(session.run(None, {"X": rows})[-1][:, -1], 2000) == 0
    fitted.to_c(tmp_path / "m.h")
    (tmp_path / "m.c").write_text(
        '#include "m.h"\nvoid call(const float* x, float* y, int rows) {\n'
        "  for (int r = 0; r < rows; ++r) m_predict(x + 4 * r, 0, y + m_OUTPUTS * r);\n}\n"
    )
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", tmp_path / "m.so", tmp_path / "m.c", "-lm"], check=True)
    predictions, pointer = np.empty((len(rows), outputs), np.float32), ctypes.POINTER(ctypes.c_float)
    call = ctypes.CDLL(str(tmp_path / "m.so")).call
    call(rows.ctypes.data_as(pointer), predictions.ctypes.data_as(pointer), len(rows))
    expected = fitted.predict_proba(rows) if classes else fitted.predict(rows)[:, None]
    np.testing.assert_allclose(predictions, expected, atol=1e-4)
    assert largest_fall(predictions[:, -1], 2000) == 0
