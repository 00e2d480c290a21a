"""Quantiles, calibrated intervals and sets, from Python and in the exports."""

import ctypes
import subprocess

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

FIXED = dict(n_units=32, auto=False, learning_rate=0.3, random_state=0)


@pytest.fixture(scope="module")
def noisy():
    """Noise that grows with the second column: training rows and new rows."""
    rng = np.random.default_rng(8)
    X = rng.uniform(-1, 1, size=(1500, 2)).astype(np.float32)
    y = 10 * X[:, 0] + (1.5 + X[:, 1]) * rng.normal(size=1500)
    return X[:700], y[:700], X[700:], y[700:]


@pytest.fixture(scope="module")
def quantiles(noisy):
    X, y, *_ = noisy
    return BoostedNetworkRegressor(quantiles=[0.1, 0.4, 0.5, 0.6, 0.9], bins=4, **FIXED).fit(X, y)


def test_quantiles_are_columns_that_do_not_cross(noisy, quantiles):
    _, _, X, y = noisy
    for units in (4, 16, 32):
        assert np.all(np.diff(quantiles.predict(X, units=units), axis=1) >= 0)
    shares = (y[:, None] <= quantiles.predict(X)).mean(axis=0)
    np.testing.assert_allclose(shares, [0.1, 0.4, 0.5, 0.6, 0.9], atol=0.08)


def test_exports_give_the_same_quantiles(noisy, quantiles, tmp_path):
    X = noisy[2][:200]
    expected = quantiles.predict(X)
    quantiles.to_c(tmp_path / "m.h")
    program = "int call(const float* x, float* out) { return m_predict(x, 0, out); }"
    (tmp_path / "m.c").write_text(f'#include "m.h"\n{program}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "m.so", tmp_path / "m.c", "-lm"], check=True)
    call, pointer = ctypes.CDLL(str(tmp_path / "m.so")).call, ctypes.POINTER(ctypes.c_float)
    out = np.empty((len(X), 5), np.float32)
    for row, to in zip(np.ascontiguousarray(X), out):
        assert call(row.ctypes.data_as(pointer), to.ctypes.data_as(pointer)) == 0
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-3)
    runtime = pytest.importorskip("onnxruntime")
    quantiles.to_onnx(tmp_path / "m.onnx")
    (values,) = runtime.InferenceSession(tmp_path / "m.onnx").run(None, {"X": X})
    np.testing.assert_allclose(values, expected, rtol=1e-4, atol=1e-3)


def test_intervals_have_the_coverage(noisy):
    X, y, fresh, truth = noisy
    model = BoostedNetworkRegressor(interval=0.8, **FIXED).fit(X, y)
    assert model.predict(fresh).shape == truth.shape and model.score(fresh, truth) > 0.8
    for units in (8, None):
        low, high = model.predict_interval(fresh, units=units).T
        assert 0.7 < np.mean((low <= truth) & (truth <= high)) < 0.9
    width = high - low
    assert width[fresh[:, 1] > 0.5].mean() > 1.2 * width[fresh[:, 1] < -0.5].mean()


def test_sets_have_the_coverage(three_classes):
    X, y = three_classes
    labels = np.array(["low", "middle", "high"])[y]
    model = BoostedNetworkClassifier(interval=0.9, calibration_fraction=0.4, **FIXED).fit(X[:180], labels[:180])
    sets = model.predict_set(X[180:])
    assert sets.dtype == bool and sets.shape == (60, 3) and sets.any(axis=1).all()
    assert sets[np.arange(60), np.searchsorted(model.classes_, labels[180:])].mean() > 0.75


def test_a_saved_model_keeps_its_intervals(noisy, tmp_path, run):
    X, y, fresh, _ = noisy
    model = BoostedNetworkRegressor(interval=0.9, **FIXED).fit(X, y)
    model.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded.predict_interval(fresh), model.predict_interval(fresh))
    np.savetxt(tmp_path / "x.csv", fresh[:20], delimiter=",", header="x0,x1", comments="")
    lines = run("predict", tmp_path / "m.safetensors", tmp_path / "x.csv", "--interval").split()
    assert lines[0] == "prediction,lower,upper"
    rows = np.array([line.split(",") for line in lines[1:]], dtype=float)
    np.testing.assert_allclose(rows[:, 1:], model.predict_interval(fresh[:20]), rtol=1e-5)
    np.testing.assert_allclose(rows[:, 0], model.predict(fresh[:20]), rtol=1e-5)


def test_exports_say_that_they_have_no_intervals(noisy, three_classes, tmp_path):
    X, y, *_ = noisy
    model = BoostedNetworkRegressor(interval=0.8, **FIXED).fit(X, y)
    low, high = model.predict_interval(X[:1])[0]
    correction = model.model_.predict_rows(X[:1], model.n_iter_)[0, 0] - low
    interval = "an interval of coverage 0.8 is from the first to the last quantile"
    note = f"no intervals: {interval}, widened by {correction:.2f}"
    note = note[:-1]  # the last digit may be rounded differently
    model.to_c(tmp_path / "m.h")
    assert note in (tmp_path / "m.h").read_text()
    model.to_onnx(tmp_path / "m.onnx")
    assert note.encode() in (tmp_path / "m.onnx").read_bytes()
    clf = BoostedNetworkClassifier(interval=0.8, **FIXED).fit(*three_classes)
    clf.to_c(tmp_path / "c.h")
    assert "// Predicts no sets: a set of coverage 0.8 has all classes of probability" in (tmp_path / "c.h").read_text()
    clf = BoostedNetworkClassifier(**FIXED).fit(*three_classes)
    clf.to_c(tmp_path / "c.h")
    assert "no sets" not in (tmp_path / "c.h").read_text()


def test_refuses_what_cannot_be(noisy, waves):
    X, y, *_ = noisy
    with pytest.raises(ValueError, match="interval=0.99 needs at least 99"):
        BoostedNetworkRegressor(interval=0.99, **FIXED).fit(X[:100], y[:100])
    with pytest.raises(ValueError, match="ascending"):
        BoostedNetworkRegressor(quantiles=[0.9, 0.1], **FIXED).fit(X, y)
    with pytest.raises(ValueError, match="has no intervals"):
        BoostedNetworkRegressor(**FIXED).fit(X, y).predict_interval(X)
    assert np.isfinite(cross_val_score(BoostedNetworkRegressor(interval=0.8, **FIXED), *waves, cv=2)).all()
