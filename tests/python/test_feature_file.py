"""BoostedHead.fit(feature_file=...): features that survive an interruption."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.utils.data import DataLoader, TensorDataset  # noqa: E402

from accrete.torch import BoostedHead  # noqa: E402

SETTINGS = {"n_units": 8, "units_per_step": 4, "random_state": 0, "feature_batch": 20}


class Counting(nn.Module):
    """Six features; counts its examples, and stops after some of them as Ctrl-C would."""

    def __init__(self, seed=0, stop_after=None):
        super().__init__()
        torch.manual_seed(seed)
        self.dense, self.seen, self.stop_after = nn.Linear(4, 6), 0, stop_after

    def forward(self, x):
        if self.stop_after is not None and self.seen >= self.stop_after:
            raise KeyboardInterrupt
        self.seen += len(x)
        return torch.tanh(self.dense(x))


@pytest.fixture
def rows():
    torch.manual_seed(1)
    x = torch.randn(130, 4)
    return x, (x[:, 0] > 0).long()


def test_a_stopped_fit_continues_with_the_same_bytes(rows, tmp_path):
    whole, broken = tmp_path / "whole.bin", tmp_path / "broken.bin"
    net = BoostedHead(Counting(), **SETTINGS).fit(*rows, feature_file=whole)
    with pytest.raises(KeyboardInterrupt):
        BoostedHead(Counting(stop_after=60), **SETTINGS).fit(*rows, feature_file=broken)
    assert broken.stat().st_size == 60 * 6 * 4
    backbone = Counting()
    continued = BoostedHead(backbone, **SETTINGS).fit(*rows, feature_file=broken)
    assert backbone.seen == 70
    for ending in ("", ".journal"):
        assert (tmp_path / f"broken.bin{ending}").read_bytes() == (tmp_path / f"whole.bin{ending}").read_bytes()
    np.testing.assert_array_equal(continued.predict(rows[0]), net.predict(rows[0]))
    # A second head needs no backbone at all; a loader of the same batches has the same features.
    backbone = Counting(stop_after=0)
    BoostedHead(backbone, **SETTINGS).fit(DataLoader(TensorDataset(*rows), batch_size=20), feature_file=broken)
    assert backbone.seen == 0


def test_features_equal_those_without_a_file(rows, tmp_path):
    features, _ = BoostedHead(Counting(), **SETTINGS)._compute_features(*rows)
    stored, _ = BoostedHead(Counting(), **SETTINGS)._compute_features(*rows, feature_file=tmp_path / "f.bin")
    np.testing.assert_array_equal(stored, features)


def test_the_validation_set_has_its_own_file(rows, tmp_path):
    x, y = rows
    for _ in range(2):
        BoostedHead(Counting(), **SETTINGS).fit(x[:90], y[:90], eval_set=(x[90:], y[90:]), feature_file=tmp_path / "f")
    assert (tmp_path / "f").stat().st_size == 90 * 24 and (tmp_path / "f.eval").stat().st_size == 40 * 24


def test_features_of_something_else_are_refused(rows, tmp_path):
    x, y = rows
    path = tmp_path / "f.bin"
    BoostedHead(Counting(), **SETTINGS).fit(x, y, feature_file=path)

    def refused(match, backbone, *data):
        with pytest.raises(ValueError, match=match):
            BoostedHead(backbone, **SETTINGS).fit(*data, feature_file=path)

    refused("was written for another network; delete it and .*journal' to start over", Counting(seed=5), x, y)
    refused("for other examples .batch 1; a loader must not shuffle", Counting(), x + 1, y)
    refused("for other examples", Counting(), DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True))
    refused("for more examples", Counting(), x[:100], y[:100])
    before = path.read_bytes()
    path.with_name("f.bin.journal").write_text("{}\n")
    refused("is damaged, or is not a journal of features", Counting(), x, y)
    path.with_name("f.bin.journal").unlink()
    refused("exists and is not a file of features", Counting(), x, y)
    assert path.read_bytes() == before


def test_what_a_crash_left_is_computed_again(rows, tmp_path):
    path, journal = tmp_path / "f.bin", tmp_path / "f.bin.journal"
    BoostedHead(Counting(), **SETTINGS).fit(*rows, feature_file=path)
    data, lines = path.read_bytes(), journal.read_bytes()
    for left, text, computed in [
        (data, lines[:-4], 10),  # killed while writing a line
        (data[:1000], lines, 90),  # lines are there, features are not
        (data[:500] + bytes(100) + data[600:], lines, 110),  # bytes that the system had not written
    ]:
        path.write_bytes(left)
        journal.write_bytes(text)
        backbone = Counting()
        BoostedHead(backbone, **SETTINGS).fit(*rows, feature_file=path)
        assert (backbone.seen, path.read_bytes(), journal.read_bytes()) == (computed, data, lines)


PROGRAM = """
import sys, time, torch, accrete.torch
class Slow(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.dense = torch.nn.Linear(4, 6)
    def forward(self, x):
        time.sleep(float(sys.argv[2]))
        return torch.tanh(self.dense(x))
torch.manual_seed(1)
x = torch.randn(130, 4)
net = accrete.torch.BoostedHead(Slow(), n_units=8, units_per_step=4, random_state=0, feature_batch=1)
net.fit(x, (x[:, 0] > 0).long(), feature_file=sys.argv[1])
"""


def test_a_killed_process_continues_with_the_same_bytes(tmp_path):
    def run(name, seconds):
        return subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path / name), str(seconds)])

    assert run("whole.bin", 0).wait() == 0
    for number in (signal.SIGINT, signal.SIGKILL):
        path = tmp_path / "broken.bin"
        before = path.stat().st_size if path.exists() else 0
        process = run("broken.bin", 0.05)
        while process.poll() is None and not (path.exists() and path.stat().st_size > before + 200):
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait() != 0
        assert path.stat().st_size < 130 * 24
    assert run("broken.bin", 0).wait() == 0
    for ending in ("", ".journal"):
        assert (tmp_path / f"broken.bin{ending}").read_bytes() == (tmp_path / f"whole.bin{ending}").read_bytes()


def test_an_unwritable_file_is_one_error(rows, tmp_path):
    with pytest.raises(OSError, match="no/such"):
        BoostedHead(Counting(), **SETTINGS).fit(*rows, feature_file=tmp_path / "no/such/f.bin")
