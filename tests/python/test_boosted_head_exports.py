"""BoostedHead: TorchScript, ONNX, state dictionaries, interrupts and documentation."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402
from boosted_heads import SETTINGS, Net, dense, fitted, images, outputs  # noqa: E402, F401  (fixtures)

from accrete.torch import BoostedHead  # noqa: E402


def test_script_runs_without_accrete(fitted, images, tmp_path):
    x, _ = images
    scripted = fitted.script()
    torch.jit.save(scripted, tmp_path / "joined.pt")
    torch.save([x, torch.tensor(outputs(fitted, x)), torch.tensor(outputs(fitted, x, 9))], tmp_path / "expected.pt")
    code = """
import sys, torch
sys.modules["accrete"] = None
net = torch.jit.load("joined.pt")
x, full, prefix = torch.load("expected.pt")
assert not net.training
assert (net(x) - full).abs().max() < 1e-5 and (net(x, 9) - prefix).abs().max() < 1e-5
assert torch.equal(net(x, units=None), net(x)) and net(x[:1]).shape == (1, 3)
assert torch.equal(net(x, 0), net(x))
for units in (-1, 3, 25):
    try:
        net(x, units)
    except Exception as error:
        assert "units" in str(error), error
    else:
        raise SystemExit(f"accepted {units} units")
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_scripts_a_backbone_with_control_flow(dense, three_classes):
    class Conditional(nn.Module):
        def __init__(self):
            super().__init__()
            self.dense = dense

        def forward(self, x):
            if bool(x.sum() > 0):
                return self.dense(x)
            return self.dense(-x)

    X, y = three_classes
    x = torch.tensor(X[:, :4])
    net = BoostedHead(Conditional(), **SETTINGS).fit(x, y)
    scripted = net.script()
    for part in (x[x.sum(1) > 0], x[x.sum(1) < 0]):
        np.testing.assert_allclose(outputs(scripted, part, 8), outputs(net, part, 8), atol=1e-5)


def test_traces_a_backbone_that_differs_when_scripted(dense, three_classes):
    class Pair(nn.Module):  # like InceptionV3 of torchvision
        def __init__(self):
            super().__init__()
            self.dense = dense

        def forward(self, x):
            features = self.dense(x)
            if torch.jit.is_scripting():
                return features, features
            return features

    X, y = three_classes
    x = torch.tensor(X[:, :4])
    net = BoostedHead(Pair(), **SETTINGS).fit(x, y)
    np.testing.assert_allclose(outputs(net.script(), x, 8), outputs(net, x, 8), atol=1e-5)


def test_accepts_a_compiled_backbone(images):
    x, y = images
    net = Net().eval()
    compiled = torch.jit.trace(nn.Sequential(net.conv, net.dense), x[:2])
    joined = BoostedHead(compiled, **SETTINGS).fit(x, y)
    np.testing.assert_allclose(outputs(joined.script(), x, 8), outputs(joined, x, 8), atol=1e-6)
    with pytest.raises(ValueError, match="TorchScript"):
        BoostedHead(compiled, cut="0")


def test_loads_the_state_dict_of_another_head(fitted, images, tmp_path):
    x, _ = images
    torch.save(fitted.state_dict(), tmp_path / "state.pt")
    other = BoostedHead(Net(), cut="dense")
    for parameter in other.parameters():
        nn.init.zeros_(parameter)
    other.load_state_dict(torch.load(tmp_path / "state.pt"))
    np.testing.assert_array_equal(outputs(other, x, 8), outputs(fitted, x, 8))
    assert other.n_units_ == 24 and other.predict(x[:5]).tolist() == fitted.predict(x[:5]).tolist()
    with pytest.raises(ValueError, match="example"):
        other.script()
    assert outputs(other.script(x[:2]), x).shape == (240, 3)
    empty = BoostedHead(Net())
    empty.load_state_dict(BoostedHead(Net()).state_dict())
    assert empty.head is None


def test_can_be_pickled(fitted, images, tmp_path):
    import inspect

    x, _ = images
    torch.save(fitted, tmp_path / "module.pt")
    options = {"weights_only": False} if "weights_only" in inspect.signature(torch.load).parameters else {}
    again = torch.load(tmp_path / "module.pt", **options)
    np.testing.assert_array_equal(outputs(again, x, 8), outputs(fitted, x, 8))
    assert again.to("cpu").double()(x.double()).dtype == torch.float64


@pytest.mark.parametrize("task", ["classes", "regression"])
def test_onnx_equals_forward(images, task, tmp_path):
    pytest.importorskip("onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    x, y = images
    y = y if task == "classes" else x[:, 0, 0, 0] * 5 + 100
    net = BoostedHead(Net(), cut="dense", **{**SETTINGS, "bins": 4}).fit(x, y)

    def run(path, rows, **more):
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        return session.run(["probabilities" if task == "classes" else "variable"], {"x": rows.numpy(), **more})[0]

    net.to_onnx(tmp_path / "all.onnx")
    net.to_onnx(tmp_path / "few.onnx", x[:3], units=10)
    net.to_onnx(tmp_path / "dial.onnx", dial=True)
    np.testing.assert_allclose(run(tmp_path / "all.onnx", x), outputs(net, x), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(run(tmp_path / "few.onnx", x[:7]), outputs(net, x[:7], 8), rtol=1e-5, atol=1e-5)
    for units, used in ((4, 4), (11, 8), (24, 24), (99, 24), (0, 24), (2, 4)):
        found = run(tmp_path / "dial.onnx", x, units=np.array([units]))
        np.testing.assert_allclose(found, outputs(net, x, used), rtol=1e-5, atol=1e-5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.onnx", "dial.onnx", "few.onnx"]
    with pytest.raises(ValueError, match="only one of them"):
        net.to_onnx(tmp_path / "no.onnx", units=8, dial=True)


def test_verbose_shows_both_bars(images, capfd):
    x, y = images
    BoostedHead(Net(), cut="dense", verbose=1, **SETTINGS).fit(DataLoader(TensorDataset(x, y), batch_size=50))
    shown = capfd.readouterr().err
    assert "12 features" in shown and "24 units, loss" in shown


def test_ctrl_c_keeps_the_head_so_far(tmp_path):
    code = """
import os, signal, threading
import torch
from accrete.torch import BoostedHead

signal.signal(signal.SIGINT, signal.default_int_handler)    # background jobs of a shell ignore SIGINT
class Backbone(torch.nn.Linear):
    def forward(self, x):
        threading.Timer(6.0, os.kill, (os.getpid(), signal.SIGINT)).start()   # during the fit of the head
        return super().forward(x)

x = torch.randn(500, 4)
net = BoostedHead(Backbone(4, 8), n_units=1_000_000, auto=False, feature_batch=500)
try:
    net.fit(x, x[:, 0] > 0)
except KeyboardInterrupt as error:
    assert "interrupted" in str(error) and 0 < net.n_units_ < 1_000_000
else:
    raise SystemExit("not interrupted")
net.features.backbone = torch.nn.Linear(4, 8)
assert net(x).shape == (500, 2)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=120)


def test_is_an_attribute_of_the_package():
    code = "import accrete; print(accrete.torch.BoostedHead.__name__)"
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stdout == "BoostedHead\n"


def test_docstring_examples_run():
    import doctest

    import accrete.torch

    result = doctest.testmod(accrete.torch)
    assert result.attempted > 0 and result.failed == 0


def test_defaults_of_few_features_equal_those_of_the_command(dense):
    assert BoostedHead(dense).settings == {"n_units": 500, "auto": False}
    assert BoostedHead(dense, n_units=8, auto=True).settings == {"n_units": 8, "auto": True}


def test_first_example_of_the_guide_runs(tmp_path):
    guide = pathlib.Path(__file__).resolve().parents[2] / "docs" / "deep.md"
    example = re.search(r"```python\n(.*?)```", guide.read_text(), re.DOTALL).group(1)
    command = [sys.executable, "-W", "ignore", "-c", example]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "joined.pt").is_file()
