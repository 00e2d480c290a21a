"""Early exit from Python: dial, then predict with exit=True."""

import ctypes
import subprocess

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

FIXED = dict(n_units=64, units_per_step=4, auto=False, max_iter=4, learning_rate=0.3, random_state=0)
PROMISE = dict(disagreement=0.01, confidence=0.9)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(4000, 4)).astype(np.float32)
    return X, 2 * X[:, 0] + np.sin(2 * X[:, 1]) + 0.5 * rng.normal(size=4000)


@pytest.fixture(scope="module")
def classifier(rows):
    X, score = rows
    y = np.digitize(score, [-1, 1]) * 10
    return BoostedNetworkClassifier(**FIXED).fit(X[:600], y[:600]).dial(X[600:2600], **PROMISE)


def test_rows_that_stop_keep_their_labels(rows, classifier):
    X = rows[0][2600:]
    full, early = classifier.predict(X), classifier.predict(X, exit=True)
    assert np.mean(full != early) < 0.03
    assert classifier.early_exit_["mean_units"] < 60
    np.testing.assert_array_equal(classifier.classes_[classifier.predict_proba(X, exit=True).argmax(1)], early)
    np.testing.assert_array_equal(
        np.log(classifier.predict_proba(X, exit=True)), classifier.predict_log_proba(X, exit=True)
    )


def test_predictions_are_those_of_a_prefix(rows, classifier):
    X = rows[0][2600:3000]
    early = classifier.predict_proba(X, exit=True)
    prefixes = [classifier.predict_proba(X, units=units) for units in [*classifier.early_exit_["units"], 64]]
    assert all(any(np.array_equal(row, prefix[i]) for prefix in prefixes) for i, row in enumerate(early))


def test_files_keep_the_thresholds(rows, classifier, tmp_path):
    classifier.save(tmp_path / "m.safetensors")
    X, expected = rows[0][2600:], classifier.predict_proba(rows[0][2600:], exit=True)
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert loaded.early_exit_ == classifier.early_exit_
    np.testing.assert_array_equal(loaded.predict_proba(X, exit=True), expected)
    model = accrete.Model.load(tmp_path / "m.safetensors")
    assert model.early_exit == classifier.early_exit_
    np.testing.assert_array_equal(model.predict(X, exit=True), expected)


def test_frames_give_the_same_as_arrays(rows):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(rows[0], columns=list("abcd"))
    model = BoostedNetworkRegressor(**FIXED).fit(X[:600], rows[1][:600]).dial(X[600:2000], **PROMISE, tolerance=1.0)
    assert model.early_exit_["tolerances"] == [1.0]
    early, full = model.predict(X[2000:], exit=True), model.predict(X[2000:])
    assert np.mean(np.abs(early - full) > 1.0) < 0.03
    assert model.early_exit_["mean_units"] < 64


def test_c_headers_stop_too(rows, classifier, tmp_path):
    X = np.ascontiguousarray(rows[0][2600:2800])
    classifier.to_c(tmp_path / "m.h")
    program = "int call(const float* x, float* out) { return m_predict_exit(x, out, 0); }"
    (tmp_path / "m.c").write_text(f'#include "m.h"\n{program}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "m.so", tmp_path / "m.c", "-lm"], check=True)
    call, pointer = ctypes.CDLL(str(tmp_path / "m.so")).call, ctypes.POINTER(ctypes.c_float)
    out = np.empty((len(X), 3), np.float32)
    for row, to in zip(X, out):
        assert call(row.ctypes.data_as(pointer), to.ctypes.data_as(pointer)) == 0
    np.testing.assert_allclose(out, classifier.predict_proba(X, exit=True), atol=1e-4)


def test_changes_of_the_network_drop_the_thresholds(rows, classifier):
    X, score = rows
    fresh = BoostedNetworkClassifier(**FIXED).fit(X[:600], score[:600] > 0)
    assert fresh.early_exit_ is None
    fresh.dial(X[600:2000], **PROMISE)
    assert fresh.early_exit_["rows"] == 1050
    fresh.truncate(32)
    assert fresh.early_exit_ is None


def test_says_what_is_wrong(rows, classifier):
    X, score = rows
    with pytest.raises(ValueError, match="exit=True and units"):
        classifier.predict(X, units=8, exit=True)
    with pytest.raises(ValueError, match="exit=True and init_score"):
        classifier.predict_proba(X, init_score=0, exit=True)
    with pytest.raises(ValueError, match="give at least 3993: .* at least 2995 others"):
        classifier.dial(X[:3000])
    with pytest.raises(ValueError, match="disagreement=2"):
        classifier.dial(X, disagreement=2)
    with pytest.raises(ValueError, match="tolerance: needs a regression model"):
        classifier.dial(X, **PROMISE, tolerance=1)
    with pytest.raises(ValueError, match="tolerance=0: must be positive"):
        classifier.dial(X, **PROMISE, tolerance=0)
    plain = BoostedNetworkRegressor(**FIXED).fit(X[:200], score[:200])
    with pytest.raises(ValueError, match="run dial on it first"):
        plain.predict(X, exit=True)
