"""Shared by the tests of accrete.torch.BoostedHead: a backbone, images and a fitted head."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402

from accrete.torch import BoostedHead  # noqa: E402

SETTINGS = {"n_units": 24, "units_per_step": 4, "learning_rate": 0.3, "auto": False, "random_state": 0}


class Net(nn.Module):
    """8 x 8 images to three scores, with layers that behave differently in training mode."""

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
