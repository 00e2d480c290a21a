"""The network elsewhere: C, ONNX, torch, a picture. What each export computes is tested in depth beside the exporters;
here, that Python's verbs reach them.
"""

import ctypes
import subprocess

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


@pytest.fixture(scope="module")
def fitted(three_classes):
    X, y = three_classes
    return BoostedNetworkClassifier(n_units=24, random_state=0).fit(X, y)


def test_to_c(fitted, three_classes, tmp_path):
    X, _ = three_classes
    fitted.to_c(tmp_path / "tree-model.h", units=16)
    (tmp_path / "m.c").write_text('#include "tree-model.h"\nint call(const float* x, float* out) { return tree_model_predict(x, 8, out); }\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "m.so", tmp_path / "m.c", "-lm"], check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    out = np.empty(3, np.float32)
    row = np.ascontiguousarray(X[0])
    pointer = ctypes.POINTER(ctypes.c_float)
    assert library.call(row.ctypes.data_as(pointer), out.ctypes.data_as(pointer)) == 0
    np.testing.assert_allclose(out, fitted.predict_proba(X[:1], units=8)[0], atol=1e-5)


def test_to_onnx(fitted, three_classes, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    X, _ = three_classes
    fitted.to_onnx(tmp_path / "m.onnx", units=16)
    label, probabilities = runtime.InferenceSession(tmp_path / "m.onnx").run(None, {"X": X})
    np.testing.assert_allclose(probabilities, fitted.predict_proba(X, units=16), atol=1e-5)
    np.testing.assert_array_equal(label, fitted.predict(X, units=16))
    fitted.to_onnx(tmp_path / "dial.onnx", dial=True)
    session = runtime.InferenceSession(tmp_path / "dial.onnx")
    for units in (8, 16, 24):
        cut = session.run(["probabilities"], {"X": X, "units": np.array([units], np.int64).reshape(session.get_inputs()[1].shape)})[0]
        np.testing.assert_allclose(cut, fitted.predict_proba(X, units=units), atol=1e-5)


@pytest.mark.parametrize("units", [None, 8])
@pytest.mark.parametrize("task", ["two", "three", "number", "poisson"])
@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
def test_to_torch(task, activation, units, request):
    torch = pytest.importorskip("torch")
    X, y = request.getfixturevalue({"two": "spirals", "three": "three_classes"}.get(task, "waves"))
    X = X.copy()
    X[::9, 1] = np.nan
    X[:, 0] += 3000
    if task in ("two", "three"):
        fitted = BoostedNetworkClassifier(n_units=24, activation=activation, random_state=0).fit(X, y)
        expected = fitted.predict_proba(X, units=units)
    else:
        loss = "poisson" if task == "poisson" else None
        fitted = BoostedNetworkRegressor(n_units=24, activation=activation, loss=loss, random_state=0).fit(X, y)
        expected = fitted.predict(X, units=units)[:, None]
    module = fitted.to_torch(units=units)
    assert isinstance(module, torch.nn.Sequential)
    with torch.no_grad():
        got = np.array(module(torch.tensor(X.tolist())).tolist())
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_plot_curve(fitted, three_classes, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = three_classes
    axes = fitted.plot_curve(X, y)
    line = axes.get_lines()[0]
    np.testing.assert_allclose(line.get_ydata(), fitted.loss_curve_)
    assert line.get_xdata()[-1] == 24
    axes.figure.savefig(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 5000
