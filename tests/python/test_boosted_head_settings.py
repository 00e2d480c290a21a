"""BoostedHead: the settings it chooses for wide features."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

from accrete import BoostedNetworkClassifier  # noqa: E402
from accrete._head_settings import for_features  # noqa: E402
from accrete.torch import BoostedHead  # noqa: E402


def settings_for(settings, rows, features, classes):
    return for_features(BoostedNetworkClassifier, settings, np.zeros((rows, features)), np.arange(rows) % classes)


def default_alpha(rows, features, classes):
    return settings_for({}, rows, features, classes)["alpha"]


def embeddings(rows, features=256, classes=4, noise=1.0, seed=0):
    """Dense redundant features like those of a deep network: few directions tell the class, many do not."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    means = np.random.default_rng(99).normal(size=(classes, 8))
    mixing = np.random.default_rng(98).normal(size=(8, features)) / 3
    hidden = means[y] + noise * rng.normal(size=(rows, 8))
    X = hidden @ mixing + rng.normal(size=(rows, features))
    return torch.tensor(np.maximum(X, 0), dtype=torch.float32), torch.tensor(y)


def parameters(net):
    return dict(net.estimator_.model_.parameters)


def test_wide_features_get_heavy_penalties_and_large_steps():
    x, y = embeddings(120)
    found = parameters(BoostedHead(nn.Identity(), n_units=60, random_state=0).fit(x, y))
    assert float(found["alpha"]) == pytest.approx(default_alpha(120, 256, 4)) and default_alpha(120, 256, 4) > 50
    assert (found["units_per_step"], found["activation"], found["feature_fraction"]) == ("20", "tanh", "1")


def test_given_settings_are_kept():
    x, y = embeddings(120)
    given = {"alpha": 2.0, "units_per_step": 5, "activation": "relu", "feature_fraction": 0.3}
    found = parameters(BoostedHead(nn.Identity(), n_units=20, random_state=0, **given).fit(x, y))
    assert (float(found["alpha"]), found["units_per_step"], found["activation"]) == (2.0, "5", "relu")
    assert float(found["feature_fraction"]) == 0.3


@pytest.mark.parametrize("settings", [{"auto": True}, {"preset": "paper"}, {"solver": "adam"}])
def test_other_rules_of_the_estimator_hold(settings):
    assert settings_for(settings, 500, 300, 3) is settings


def test_an_alpha_of_none_is_not_given():
    x, y = embeddings(120)
    found = parameters(BoostedHead(nn.Identity(), n_units=20, alpha=None, random_state=0).fit(x, y))
    assert float(found["alpha"]) == pytest.approx(default_alpha(120, 256, 4))


def test_few_features_have_the_defaults_of_the_estimator():
    settings = {"n_units": 500, "auto": False}
    assert settings_for(settings, 500, 63, 3) is settings
    assert settings_for(settings, 500, 64, 3)["units_per_step"] == 20


def test_the_default_is_better_than_that_of_tables_on_few_labels():
    x, y = embeddings(100)
    test_x, test_y = embeddings(2000, seed=1)
    wide = BoostedHead(nn.Identity(), n_units=200, random_state=0).fit(x, y).score(test_x, test_y)
    table = {"alpha": 0.1, "units_per_step": 4, "activation": "relu", "feature_fraction": 0.5}
    plain = BoostedHead(nn.Identity(), n_units=200, random_state=0, **table).fit(x, y).score(test_x, test_y)
    assert wide > plain + 0.01


def test_a_penalty_that_stops_all_learning_is_lightened():
    x, y = embeddings(300, classes=2, noise=60.0)
    net = BoostedHead(nn.Identity(), n_units=40, random_state=0).fit(x, y)
    curve = net.estimator_.loss_curve_
    assert curve[-1] < 0.97 * curve[0]
    assert float(parameters(net)["alpha"]) < default_alpha(300, 256, 2)
    # A given penalty is not changed.
    alpha = 1000.0
    fixed = BoostedHead(nn.Identity(), n_units=40, alpha=alpha, random_state=0).fit(x, y)
    assert float(parameters(fixed)["alpha"]) == alpha
