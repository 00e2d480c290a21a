"""accrete.torch.BoostedHead: a frozen backbone with a head equals the estimator on the features."""

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402
from boosted_heads import SETTINGS, Net, dense, features_of, fitted, images, outputs  # noqa: E402, F401  (fixtures)

from accrete.torch import BoostedHead  # noqa: E402


# Equality with the estimator.


def test_every_prefix_equals_the_estimator_on_the_features(fitted, images):
    x, y = images
    net = Net()
    # In the loader's batches, because a convolution may round differently in batches of another size.
    features = np.concatenate([features_of(nn.Sequential(net.conv, net.dense), part) for part in x.split(50)])
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
def test_equals_the_estimator_for_all_tasks_and_activations(task, bins, activation, dense):
    rng = np.random.default_rng(1)
    x = torch.tensor(rng.normal(size=(200, 4)), dtype=torch.float32)
    signal = np.sin(2 * x[:, 0].numpy()) + x[:, 1].numpy()
    y = {"two": signal > 0, "three": np.digitize(signal, [-0.5, 0.5]), "number": 1000 + 3 * signal,
         "poisson": rng.poisson(np.exp(signal)), "targets": np.stack([signal, 50 * signal + 7], axis=1)}[task]
    classes = task in ("two", "three")
    settings = {**SETTINGS, "activation": activation, "bins": bins}
    if task == "poisson":
        settings["loss"] = "poisson"
    # Features far from 0, where single precision is coarse.
    far = nn.Sequential(dense, nn.Linear(10, 10))
    nn.init.eye_(far[1].weight)
    nn.init.constant_(far[1].bias, 3000.0)
    net = BoostedHead(far, task="classes" if classes else "regression", **settings).fit(x, y)
    features = features_of(far, x)
    for units in (None, 4, 13):
        found = net.estimator_.predict_proba(features, units) if classes else net.estimator_.predict(features, units)
        # Absolute for probabilities and rates, relative to the spread for other targets.
        spread = np.std(y, axis=0) if task in ("number", "targets") else 1.0
        difference = np.abs(outputs(net, x, units) - found.reshape(len(x), -1))
        assert (difference / np.maximum(spread, np.abs(found.reshape(len(x), -1)))).max() < 1e-5
    assert net.predict(x).shape == y.shape


def test_uses_parameters_chosen_by_the_fit(images):
    x, y = images
    net = BoostedHead(Net(), cut="dense", random_state=0, n_units=40, auto=True, early_stopping=True)
    net.fit(x, y)
    features = features_of(nn.Sequential(net.features.backbone.conv, net.features.backbone.dense), x)
    np.testing.assert_allclose(outputs(net, x), net.estimator_.predict_proba(features), atol=1e-5)


def test_text_labels_keep_their_order(dense):
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


def test_floating_point_targets_select_regression(dense, waves):
    X, y = waves
    net = BoostedHead(dense, **SETTINGS).fit((X, y))
    alone = BoostedNetworkRegressor(**SETTINGS).fit(features_of(dense, torch.tensor(X)), y)
    np.testing.assert_allclose(net.predict(X), alone.predict(features_of(dense, torch.tensor(X))), rtol=1e-5)
    assert outputs(net, torch.tensor(X)).shape == (len(X), 1) and not hasattr(net, "classes_")
    whole = BoostedHead(dense, task="regression", **SETTINGS).fit(X, np.round(y).astype(int))
    assert whole.score(X, y) > 0.5


def test_grow_adds_units(dense, three_classes):
    X, y = three_classes
    X = X[:, :4]
    short = BoostedHead(dense, **{**SETTINGS, "n_units": 12}).fit(X, y)
    before = outputs(short, torch.tensor(X))
    assert short.grow(X, y, n_units=24) is short and short.n_units_ == 24
    long = BoostedHead(dense, **SETTINGS).fit(X, y)
    np.testing.assert_array_equal(outputs(short, torch.tensor(X)), outputs(long, torch.tensor(X)))
    np.testing.assert_array_equal(outputs(short, torch.tensor(X), 12), before)


def test_uses_eval_set_and_sample_weight(dense, three_classes):
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
def test_units_out_of_range_give_the_errors_of_the_estimator(fitted, images, units):
    x = images[0][:2]
    with pytest.raises(ValueError) as theirs:
        fitted.estimator_.predict(np.zeros((2, 12), dtype=np.float32), units=units)
    with pytest.raises(ValueError) as ours:
        fitted(x, units=units)
    assert str(ours.value) == str(theirs.value)


def test_accepts_requested_units_beyond_the_last_step(dense, three_classes):
    X, y = three_classes
    net = BoostedHead(dense, **{**SETTINGS, "n_units": 22}).fit(X[:, :4], y)
    x = torch.tensor(X[:, :4])
    assert net.n_units_ == 20
    np.testing.assert_array_equal(outputs(net, x, 22), outputs(net, x))
    np.testing.assert_array_equal(outputs(net.script(), x, 22), outputs(net, x))
    with pytest.raises(ValueError, match="23 units"):
        net(x, units=23)


def test_a_head_without_units_is_constant(dense, waves):
    from accrete._grown import GrownHead

    X, y = waves
    net = BoostedHead(dense, **SETTINGS).fit(X, y)
    nothing = GrownHead(net.estimator_.model_.cut(0))
    constant = net.estimator_.model_.cut(0).predict_rows(np.zeros((3, 10), dtype=np.float32), 0)
    for head in (nothing, torch.jit.script(nothing)):
        np.testing.assert_allclose(outputs(head, torch.randn(3, 10)), constant, rtol=1e-6)


# The frozen backbone.


def test_fit_does_not_change_the_backbone(images):
    x, y = images
    backbone = Net()
    for parameter in backbone.out.parameters():
        parameter.requires_grad_(False)
    before = {name: value.clone() for name, value in backbone.state_dict().items()}
    flags = [parameter.requires_grad for parameter in backbone.parameters()]
    net = BoostedHead(backbone, cut="dense", **SETTINGS).fit(x, y)
    for name, value in backbone.state_dict().items():
        assert torch.equal(value, before[name]), name
    assert [parameter.requires_grad for parameter in backbone.parameters()] == flags
    first = outputs(net, x)
    net.train()
    assert net.training and not any(module.training for module in backbone.modules())
    np.testing.assert_array_equal(outputs(net, x), first)
    for name, value in backbone.state_dict().items():
        assert torch.equal(value, before[name]), name
    assert not backbone.dense._forward_hooks


def test_a_failed_fit_keeps_the_fitted_head(fitted, images):
    x, y = images
    before = outputs(fitted, x)
    with pytest.raises(ValueError, match="one class"):
        fitted.fit(x, torch.zeros(len(x), dtype=torch.long))
    np.testing.assert_array_equal(outputs(fitted, x), before)


@pytest.mark.parametrize("limit", [0, 4000])
def test_large_features_go_to_a_mapped_file(fitted, images, limit, monkeypatch):
    from accrete import _extract

    mapped = []
    memmap = np.memmap
    monkeypatch.setattr(_extract.np, "memmap", lambda *a, **k: mapped.append(memmap(*a, **k)) or mapped[-1])
    x, y = images
    loader = DataLoader(TensorDataset(x, y), batch_size=50)
    net = BoostedHead(Net(), cut="dense", feature_memory=limit, **SETTINGS).fit(loader)
    assert len(mapped) == 1 and mapped[0].shape == (240, 12)
    np.testing.assert_array_equal(outputs(net, x), outputs(fitted, x))
    BoostedHead(Net(), cut="dense", feature_memory=240 * 12 * 4, **SETTINGS).fit(loader)
    assert len(mapped) == 1


# Wrong input.


def test_an_unknown_cut_lists_the_modules():
    with pytest.raises(ValueError, match="cut='densest'.*conv.0.*dense.3.*out"):
        BoostedHead(Net(), cut="densest")


def test_rejects_a_cut_that_is_not_called_once(images):
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


def test_rejects_wrong_features(images):
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


@pytest.mark.parametrize("arguments, error, message", [
    ({"n_unit": 5}, TypeError, "n_unit"),
    ({"n_units": -5}, ValueError, "n_units=-5"),
    ({"solver": "newton"}, ValueError, "solver"),
    ({"task": "ranking"}, ValueError, "task='ranking'"),
    ({"feature_batch": 0}, ValueError, "feature_batch=0"),
    ({"warm_start": True}, TypeError, "grow"),
])
def test_rejects_wrong_arguments_in_the_constructor(arguments, error, message):
    with pytest.raises(error, match=message):
        BoostedHead(Net(), **arguments)


def test_rejects_wrong_data(images):
    x, y = images
    net = BoostedHead(Net(), **SETTINGS)
    cases = ((x,), "batch 1"), ([], "no batches"), (x, "y: required"), (5, "loader"), ([(x, y, y)], "pair")
    for data, message in cases:
        with pytest.raises(ValueError, match=message):
            net.fit(data)
    with pytest.raises(ValueError, match="240 examples, y has 3"):
        net.fit(x, y[:3])
    with pytest.raises(ValueError, match="batch 1: 240 examples, but 3 targets"):
        net.fit([(x, y[:3])])
    with pytest.raises(ValueError, match="not fitted"):
        net(x)
    with pytest.raises(TypeError, match="Module"):
        BoostedHead(lambda x: x)
