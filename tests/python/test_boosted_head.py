"""accrete.torch.BoostedHead: a frozen torch module and a grown head are one, and the dial is the estimators'."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402

from accrete.torch import BoostedHead  # noqa: E402

SETTINGS = {"n_units": 24, "units_per_step": 4, "learning_rate": 0.3, "auto": False, "random_state": 0}


class Net(nn.Module):
    """Images of 8 x 8 to three scores, with everything that acts otherwise while training."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.conv = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
        self.dense = nn.Sequential(nn.Flatten(), nn.Linear(64, 12), nn.ReLU(), nn.Dropout(0.5))
        self.out = nn.Linear(12, 3)

    def forward(self, x):
        return self.out(self.dense(self.conv(x)))


@pytest.fixture(scope="module")
def images():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 240)
    x = rng.normal(size=(240, 1, 8, 8))
    for kind in range(3):
        x[y == kind, 0, 2 * kind : 2 * kind + 3] += 1.0
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


@pytest.fixture
def dense():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Dropout(0.4))


@pytest.fixture(scope="module")
def fitted(images):
    x, y = images
    loader = DataLoader(TensorDataset(x, y), batch_size=50)
    return BoostedHead(Net(), cut="dense", **SETTINGS).fit(loader)


def outputs(net, x, *units):
    with torch.no_grad():
        return np.array(net(x, *units).tolist())


def features_of(net, x):
    with torch.no_grad():
        return np.array(net.eval()(x).tolist(), dtype=np.float32)


# Equality.


def test_every_prefix_is_the_estimator_on_the_features(fitted, images):
    x, y = images
    net = Net()
    features = features_of(nn.Sequential(net.conv, net.dense), x)
    alone = BoostedNetworkClassifier(**SETTINGS).fit(features, y.numpy())
    assert isinstance(fitted, nn.Module) and fitted.n_units_ == 24
    np.testing.assert_array_equal(fitted.classes_, [0, 1, 2])
    np.testing.assert_allclose(outputs(fitted, x), alone.predict_proba(features), atol=1e-5)
    stages = [stage.detach().numpy() for stage in fitted.staged(x)]
    assert len(stages) == 6
    for units in range(4, 25):
        expected = alone.predict_proba(features, units=units)
        np.testing.assert_allclose(outputs(fitted, x, units), expected, atol=1e-5)
        np.testing.assert_allclose(stages[units // 4 - 1], expected, atol=1e-5)
        np.testing.assert_array_equal(fitted.predict(x, units=units), alone.predict(features, units=units))
    assert fitted.score(x, y) == pytest.approx(alone.score(features, y.numpy())) and fitted.score(x, y) > 0.8
    assert fitted.score((x, y), units=4) == pytest.approx(np.mean(fitted.predict(x, units=4) == y.numpy()))


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
@pytest.mark.parametrize("bins", [0, 5])
@pytest.mark.parametrize("task", ["two", "three", "number", "poisson", "targets"])
def test_tasks_and_activations(task, bins, activation, dense):
    rng = np.random.default_rng(1)
    x = torch.tensor(rng.normal(size=(200, 4)), dtype=torch.float32)
    signal = np.sin(2 * x[:, 0].numpy()) + x[:, 1].numpy()
    y = {"two": signal > 0, "three": np.digitize(signal, [-0.5, 0.5]), "number": 1000 + 3 * signal,
         "poisson": rng.poisson(np.exp(signal)), "targets": np.stack([signal, 50 * signal + 7], axis=1)}[task]
    classes = task in ("two", "three")
    settings = {**SETTINGS, "activation": activation, "bins": bins}
    if task == "poisson":
        settings["loss"] = "poisson"
    # Features far from zero, where single precision has few digits left.
    far = nn.Sequential(dense, nn.Linear(10, 10))
    nn.init.eye_(far[1].weight)
    nn.init.constant_(far[1].bias, 3000.0)
    net = BoostedHead(far, task="classes" if classes else "regression", **settings).fit(x, y)
    features = features_of(far, x)
    for units in (None, 4, 13):
        found = net.estimator_.predict_proba(features, units) if classes else net.estimator_.predict(features, units)
        # Of probabilities and rates as they are, of other targets relative to their spread.
        spread = np.std(y, axis=0) if task in ("number", "targets") else 1.0
        difference = np.abs(outputs(net, x, units) - found.reshape(len(x), -1))
        assert (difference / np.maximum(spread, np.abs(found.reshape(len(x), -1)))).max() < 1e-5
    assert net.predict(x).shape == y.shape


def test_what_is_chosen_by_the_fit_is_joined_too(images):
    x, y = images
    net = BoostedHead(Net(), cut="dense", random_state=0, n_units=40, auto=True, early_stopping=True)
    net.fit(x, y)
    features = features_of(nn.Sequential(net.features.backbone.conv, net.features.backbone.dense), x)
    np.testing.assert_allclose(outputs(net, x), net.estimator_.predict_proba(features), atol=1e-5)


def test_labels_that_are_texts_keep_their_order(dense):
    rng = np.random.default_rng(2)
    x = torch.tensor(rng.normal(size=(150, 4)), dtype=torch.float32)
    y = np.array(["10", "9", "100"])[np.digitize(x[:, 0].numpy(), [-0.4, 0.4])]
    pairs = [(row, label) for row, label in zip(x, y.tolist())]
    net = BoostedHead(dense, **SETTINGS).fit(DataLoader(pairs, batch_size=32))
    assert net.classes_.tolist() == ["10", "100", "9"] and net.score(x, y) > 0.9
    probabilities = net.estimator_.predict_proba(features_of(dense, x))
    np.testing.assert_allclose(outputs(net, x), probabilities, atol=1e-5)
    assert set(net.predict(x)) <= set(y) and np.mean(net.predict(x) == y) > 0.9
    other = BoostedHead(dense)
    other.load_state_dict(net.state_dict())
    assert other.classes_.tolist() == ["10", "100", "9"]
    np.testing.assert_array_equal(other.predict(x), net.predict(x))
    np.testing.assert_allclose(other.estimator_.predict_proba(features_of(dense, x)), probabilities)


def test_regression_by_itself_where_targets_are_floating(dense, waves):
    X, y = waves
    net = BoostedHead(dense, **SETTINGS).fit((X, y))
    alone = BoostedNetworkRegressor(**SETTINGS).fit(features_of(dense, torch.tensor(X)), y)
    np.testing.assert_allclose(net.predict(X), alone.predict(features_of(dense, torch.tensor(X))), rtol=1e-5)
    assert outputs(net, torch.tensor(X)).shape == (len(X), 1) and not hasattr(net, "classes_")
    whole = BoostedHead(dense, task="regression", **SETTINGS).fit(X, np.round(y).astype(int))
    assert whole.score(X, y) > 0.5


def test_grow_goes_on(dense, three_classes):
    X, y = three_classes
    X = X[:, :4]
    short = BoostedHead(dense, **{**SETTINGS, "n_units": 12}).fit(X, y)
    before = outputs(short, torch.tensor(X))
    assert short.grow(X, y, n_units=24) is short and short.n_units_ == 24
    long = BoostedHead(dense, **SETTINGS).fit(X, y)
    np.testing.assert_array_equal(outputs(short, torch.tensor(X)), outputs(long, torch.tensor(X)))
    np.testing.assert_array_equal(outputs(short, torch.tensor(X), 12), before)


def test_eval_set_and_weights(dense, three_classes):
    X, y = three_classes
    X, weights = X[:, :4], np.where(y == 0, 20.0, 1.0)
    plain = BoostedHead(dense, **SETTINGS).fit(X, y)
    heavy = BoostedHead(dense, **SETTINGS).fit(X, y, sample_weight=weights)
    assert np.mean(heavy.predict(X) == 0) > np.mean(plain.predict(X) == 0)
    rest = DataLoader(TensorDataset(torch.tensor(X[160:]), torch.tensor(y[160:])), batch_size=16)
    stopped = BoostedHead(dense, **{**SETTINGS, "n_units": 400, "patience": 20}).fit(X[:160], y[:160], eval_set=rest)
    assert stopped.n_units_ < 400 and len(stopped.estimator_.validation_curve_) > 1
    with pytest.raises(ValueError, match="sample_weight"):
        BoostedHead(dense, **SETTINGS).fit(rest, sample_weight=weights)


# The dial.


@pytest.mark.parametrize("units", [0, -1, 3, 25, 2.5, True, "8"])
def test_units_out_of_range_as_the_estimators_say(fitted, images, units):
    x = images[0][:2]
    with pytest.raises(ValueError) as theirs:
        fitted.estimator_.predict(np.zeros((2, 12), dtype=np.float32), units=units)
    with pytest.raises(ValueError) as ours:
        fitted(x, units=units)
    assert str(ours.value) == str(theirs.value)


def test_units_that_steps_left_undone(dense, three_classes):
    X, y = three_classes
    net = BoostedHead(dense, **{**SETTINGS, "n_units": 22}).fit(X[:, :4], y)
    x = torch.tensor(X[:, :4])
    assert net.n_units_ == 20
    np.testing.assert_array_equal(outputs(net, x, 22), outputs(net, x))
    np.testing.assert_array_equal(outputs(net.script(), x, 22), outputs(net, x))
    with pytest.raises(ValueError, match="23 units"):
        net(x, units=23)


def test_a_head_without_units(dense, waves):
    from accrete._grown import GrownHead

    X, y = waves
    net = BoostedHead(dense, **SETTINGS).fit(X, y)
    nothing = GrownHead(net.estimator_.model_.cut(0))
    constant = net.estimator_.model_.cut(0).predict_rows(np.zeros((3, 10), dtype=np.float32), 0)
    for head in (nothing, torch.jit.script(nothing)):
        np.testing.assert_allclose(outputs(head, torch.randn(3, 10)), constant, rtol=1e-6)


# Frozen.


def test_the_backbone_stays_as_it_is(images):
    x, y = images
    backbone = Net()
    for parameter in backbone.out.parameters():
        parameter.requires_grad_(False)
    before = {name: value.clone() for name, value in backbone.state_dict().items()}
    asked = [parameter.requires_grad for parameter in backbone.parameters()]
    net = BoostedHead(backbone, cut="dense", **SETTINGS).fit(x, y)
    for name, value in backbone.state_dict().items():
        assert torch.equal(value, before[name]), name
    assert [parameter.requires_grad for parameter in backbone.parameters()] == asked
    first = outputs(net, x)
    net.train()
    assert net.training and not any(module.training for module in backbone.modules())
    np.testing.assert_array_equal(outputs(net, x), first)
    for name, value in backbone.state_dict().items():
        assert torch.equal(value, before[name]), name
    assert not backbone.dense._forward_hooks


def test_a_fit_that_fails_leaves_what_was(fitted, images):
    x, y = images
    before = outputs(fitted, x)
    with pytest.raises(ValueError, match="one class"):
        fitted.fit(x, torch.zeros(len(x), dtype=torch.long))
    np.testing.assert_array_equal(outputs(fitted, x), before)


@pytest.mark.parametrize("limit", [0, 4000])
def test_features_in_a_mapped_file(fitted, images, limit, monkeypatch):
    from accrete import _frozen

    mapped = []
    memmap = np.memmap
    monkeypatch.setattr(_frozen.np, "memmap", lambda *a, **k: mapped.append(memmap(*a, **k)) or mapped[-1])
    x, y = images
    loader = DataLoader(TensorDataset(x, y), batch_size=50)
    net = BoostedHead(Net(), cut="dense", feature_memory=limit, **SETTINGS).fit(loader)
    assert len(mapped) == 1 and mapped[0].shape == (240, 12)
    np.testing.assert_array_equal(outputs(net, x), outputs(fitted, x))
    BoostedHead(Net(), cut="dense", feature_memory=240 * 12 * 4, **SETTINGS).fit(loader)
    assert len(mapped) == 1


# Wrong input.


def test_cut_lists_the_names_that_are_there():
    with pytest.raises(ValueError, match="cut='densest'.*conv.0.*dense.3.*out"):
        BoostedHead(Net(), cut="densest")


def test_cut_must_be_called_once(images):
    class Twice(Net):
        def forward(self, x):
            return self.out(self.dense[2](self.dense(self.conv(x))))

    class Never(Net):
        def forward(self, x):
            return self.dense(self.conv(x))

    with pytest.raises(ValueError, match="2 times"):
        BoostedHead(Twice(), cut="dense.2").fit(*images)
    with pytest.raises(ValueError, match="0 times"):
        BoostedHead(Never(), cut="out").fit(*images)


def test_wrong_features(images):
    x, y = images
    with pytest.raises(ValueError, match=r"4 dimensions \(240 x 4 x 4 x 4\).*N x F.*Flatten"):
        BoostedHead(Net(), cut="conv", feature_batch=1000).fit(x, y)

    class Pair(Net):
        def forward(self, x):
            return x, x

    with pytest.raises(ValueError, match="tuple"):
        BoostedHead(Pair()).fit(x, y)
    bad = x.clone()
    bad[100] = float("nan")
    with pytest.raises(ValueError, match="batch 3.*not finite"):
        BoostedHead(Net(), feature_batch=40).fit(bad, y)


@pytest.mark.parametrize("arguments, error, words", [
    ({"n_unit": 5}, TypeError, "n_unit"),
    ({"n_units": -5}, ValueError, "n_units=-5"),
    ({"solver": "newton"}, ValueError, "solver"),
    ({"task": "ranking"}, ValueError, "task='ranking'"),
    ({"feature_batch": 0}, ValueError, "feature_batch=0"),
    ({"warm_start": True}, TypeError, "grow"),
])
def test_wrong_arguments_are_refused_at_once(arguments, error, words):
    with pytest.raises(error, match=words):
        BoostedHead(Net(), **arguments)


def test_wrong_data(images):
    x, y = images
    net = BoostedHead(Net(), **SETTINGS)
    for data, words in (((x,), "batch 1"), ([], "no examples"), (x, "targets"), (5, "loader"), ([(x, y, y)], "pair")):
        with pytest.raises(ValueError, match=words):
            net.fit(data)
    with pytest.raises(ValueError, match="240 examples and y 3"):
        net.fit(x, y[:3])
    with pytest.raises(ValueError, match="batch 1 has 240 examples and 3"):
        net.fit([(x, y[:3])])
    with pytest.raises(ValueError, match="not fitted"):
        net(x)
    with pytest.raises(TypeError, match="Module"):
        BoostedHead(lambda x: x)


# Elsewhere.


def test_script_runs_without_accrete(fitted, images, tmp_path):
    x, _ = images
    scripted = fitted.script()
    torch.jit.save(scripted, tmp_path / "joined.pt")
    torch.save([x, torch.tensor(outputs(fitted, x)), torch.tensor(outputs(fitted, x, 9))], tmp_path / "expected.pt")
    code = """
import sys, torch
sys.modules["accrete"] = None
net = torch.jit.load("joined.pt")
x, every, few = torch.load("expected.pt")
assert not net.training
assert (net(x) - every).abs().max() < 1e-5 and (net(x, 9) - few).abs().max() < 1e-5
assert torch.equal(net(x, units=None), net(x)) and net(x[:1]).shape == (1, 3)
assert torch.equal(net(x, 0), net(x))
for units in (-1, 3, 25):
    try:
        net(x, units)
    except Exception as error:
        assert "units" in str(error), error
    else:
        raise SystemExit(f"{units} units were taken")
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_script_of_a_backbone_that_decides(dense, three_classes):
    class Decides(nn.Module):
        def __init__(self):
            super().__init__()
            self.dense = dense

        def forward(self, x):
            if bool(x.sum() > 0):
                return self.dense(x)
            return self.dense(-x)

    X, y = three_classes
    x = torch.tensor(X[:, :4])
    net = BoostedHead(Decides(), **SETTINGS).fit(x, y)
    scripted = net.script()
    for part in (x[x.sum(1) > 0], x[x.sum(1) < 0]):
        np.testing.assert_allclose(outputs(scripted, part, 8), outputs(net, part, 8), atol=1e-5)


def test_script_of_a_backbone_that_is_another_when_compiled(dense, three_classes):
    class Pair(nn.Module):  # as torchvision's InceptionV3
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


def test_a_compiled_backbone(images):
    x, y = images
    net = Net().eval()
    compiled = torch.jit.trace(nn.Sequential(net.conv, net.dense), x[:2])
    joined = BoostedHead(compiled, **SETTINGS).fit(x, y)
    np.testing.assert_allclose(outputs(joined.script(), x, 8), outputs(joined, x, 8), atol=1e-6)
    with pytest.raises(ValueError, match="TorchScript"):
        BoostedHead(compiled, cut="0")


def test_state_of_one_is_loaded_by_another(fitted, images, tmp_path):
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


def test_saved_whole(fitted, images, tmp_path):
    import inspect

    x, _ = images
    torch.save(fitted, tmp_path / "whole.pt")
    whole = {"weights_only": False} if "weights_only" in inspect.signature(torch.load).parameters else {}
    again = torch.load(tmp_path / "whole.pt", **whole)
    np.testing.assert_array_equal(outputs(again, x, 8), outputs(fitted, x, 8))
    assert again.to("cpu").double()(x.double()).dtype == torch.float64


@pytest.mark.parametrize("task", ["classes", "regression"])
def test_onnx(images, task, tmp_path):
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
    np.testing.assert_allclose(run(tmp_path / "dial.onnx", x), outputs(net, x), rtol=1e-5, atol=1e-5)
    for asked, given in ((4, 4), (11, 8), (24, 24), (99, 24), (0, 24), (2, 4)):
        found = run(tmp_path / "dial.onnx", x, units=np.array([asked]))
        np.testing.assert_allclose(found, outputs(net, x, given), rtol=1e-5, atol=1e-5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.onnx", "dial.onnx", "few.onnx"]
    with pytest.raises(ValueError, match="one or the other"):
        net.to_onnx(tmp_path / "no.onnx", units=8, dial=True)


def test_verbose_shows_both_bars(images, capfd):
    x, y = images
    BoostedHead(Net(), cut="dense", verbose=1, **SETTINGS).fit(DataLoader(TensorDataset(x, y), batch_size=50))
    shown = capfd.readouterr().err
    assert "12 features" in shown and "24 units, loss" in shown


def test_ctrl_c_leaves_a_head(tmp_path):
    code = """
import os, signal, threading, warnings
import torch
from accrete.torch import BoostedHead

class Backbone(torch.nn.Linear):
    def forward(self, x):
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()   # while the head grows
        return super().forward(x)

x = torch.randn(500, 4)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    net = BoostedHead(Backbone(4, 8), n_units=1_000_000, auto=False, feature_batch=500).fit(x, x[:, 0] > 0)
assert "interrupted" in str(caught[0].message) and 0 < net.n_units_ < 1_000_000
net.features.backbone = torch.nn.Linear(4, 8)
assert net(x).shape == (500, 2)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=120)


def test_reached_from_the_package():
    code = "import accrete; print(accrete.torch.BoostedHead.__name__)"
    assert subprocess.run([sys.executable, "-c", code], text=True, capture_output=True).stdout == "BoostedHead\n"


def test_the_example_in_the_description():
    import doctest

    import accrete.torch

    result = doctest.testmod(accrete.torch)
    assert result.attempted > 0 and result.failed == 0


def test_defaults_are_those_of_the_command(dense):
    assert BoostedHead(dense).settings == {"n_units": 500, "auto": False}
    assert BoostedHead(dense, n_units=8, auto=True).settings == {"n_units": 8, "auto": True}


def test_the_readmes_example_runs(tmp_path):
    readme = pathlib.Path(__file__).resolve().parents[2] / "README.md"
    blocks = [b for b in re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL) if "accrete.torch" in b]
    assert blocks
    for block in blocks:
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", block], cwd=tmp_path, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "joined.pt").is_file()
