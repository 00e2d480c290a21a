"""Exports to C and ONNX and the plot, from Python. Other tests check the exporters in depth."""

import ctypes
import subprocess

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier


@pytest.fixture(scope="module", params=[0, 5], ids=["plain", "bins"])
def fitted(three_classes, request):
    X, y = three_classes
    return BoostedNetworkClassifier(n_units=24, bins=request.param, random_state=0).fit(X, y)


def test_c_export_predicts_the_same(fitted, three_classes, tmp_path):
    X, _ = three_classes
    fitted.to_c(tmp_path / "tree-model.h", units=16)
    (tmp_path / "m.c").write_text(
        '#include "tree-model.h"\nint call(const float* x, float* out) { return tree_model_predict(x, 8, out); }\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", "-o", tmp_path / "m.so", tmp_path / "m.c", "-lm"], check=True)
    library = ctypes.CDLL(str(tmp_path / "m.so"))
    out = np.empty(3, np.float32)
    row = np.ascontiguousarray(X[0])
    pointer = ctypes.POINTER(ctypes.c_float)
    assert library.call(row.ctypes.data_as(pointer), out.ctypes.data_as(pointer)) == 0
    np.testing.assert_allclose(out, fitted.predict_proba(X[:1], units=8)[0], atol=1e-5)


def test_onnx_export_predicts_the_same(fitted, three_classes, tmp_path, capfd):
    runtime = pytest.importorskip("onnxruntime")
    X, _ = three_classes
    fitted.to_onnx(tmp_path / "m.onnx", units=16)
    label, probabilities = runtime.InferenceSession(tmp_path / "m.onnx").run(None, {"X": X})
    np.testing.assert_allclose(probabilities, fitted.predict_proba(X, units=16), atol=1e-5)
    np.testing.assert_array_equal(label, fitted.predict(X, units=16))
    fitted.to_onnx(tmp_path / "dial.onnx", dial=True)
    capfd.readouterr()
    session = runtime.InferenceSession(tmp_path / "dial.onnx")
    assert capfd.readouterr().err == "", "ONNX Runtime warns"
    for units in (8, 16, 24):
        prefix = session.run(["probabilities"], {"X": X, "units": np.array([units])})[0]
        np.testing.assert_allclose(prefix, fitted.predict_proba(X, units=units), atol=1e-5)


def test_plot_curve_draws_the_loss(fitted, three_classes, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = three_classes
    axes = fitted.plot_curve(X, y)
    line = axes.get_lines()[0]
    np.testing.assert_allclose(line.get_ydata(), fitted.loss_curve_)
    assert line.get_xdata()[-1] == 24
    axes.figure.savefig(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 5000


@pytest.mark.parametrize("score", [False, True])
def test_plot_curve_has_its_legend_inside_the_axes(fitted, three_classes, score):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(3.2, 2.4))
    fitted.plot_curve(*(three_classes if score else (None, None)), ax=ax)
    figure.canvas.draw()
    (legend,) = [axes.get_legend() for axes in figure.axes if axes.get_legend()]
    box, frame = legend.get_window_extent(), ax.get_window_extent()
    assert frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
    plt.close(figure)
