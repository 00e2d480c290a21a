"""Frozen torch modules and the features they compute. Needs torch."""

import tempfile
import threading

import numpy as np
import torch
from torch import nn

from accrete._progress import make_bar


class Frozen(nn.Module):
    """A backbone in evaluation mode; gives its output, or that of the submodule ``cut``, as N x F features."""

    def __init__(self, backbone, cut=None):
        super().__init__()
        if not isinstance(backbone, nn.Module):
            raise TypeError(f"backbone: must be a torch.nn.Module, not {type(backbone).__name__}")
        self.backbone, self.cut = backbone.eval(), cut
        if cut is not None:
            self._cut_module()

    def _cut_module(self):
        if isinstance(self.backbone, torch.jit.ScriptModule):
            raise ValueError(
                "cut: Python cannot access submodules of a TorchScript module; cut it before compiling it, or use "
                "`accrete deep boost --cut`"
            )
        modules = dict(self.backbone.named_modules())
        modules.pop("")
        if self.cut not in modules:
            names = ", ".join(modules) if modules else "none"
            raise ValueError(f"cut={self.cut!r}: the backbone has no such module; it has {names}")
        return modules[self.cut]

    def train(self, mode=True):
        """Stays in evaluation mode, whatever the mode."""
        return super().train(False)

    def forward(self, x):
        return _check_features(self.backbone(x) if self.cut is None else self._output_at_cut(x))

    def _output_at_cut(self, x):
        outputs, thread = [], threading.get_ident()

        def record(module, inputs, output):
            if threading.get_ident() == thread:
                outputs.append(output)

        hook = self._cut_module().register_forward_hook(record)
        try:
            self.backbone(x)
        finally:
            hook.remove()
        if len(outputs) != 1:
            raise ValueError(f"cut={self.cut!r}: the backbone calls it {len(outputs)} times per batch; it must be once")
        return outputs[0]


def _check_features(features):
    if not isinstance(features, torch.Tensor):
        raise ValueError(f"the backbone returns a {type(features).__name__}; a head needs a tensor of N x F features")
    if features.dim() != 2:
        shape = " x ".join(str(size) for size in features.shape)
        raise ValueError(
            f"the backbone returns {features.dim()} dimensions ({shape}); a head needs N x F features "
            "(append nn.Flatten() to the backbone)"
        )
    return features


def free_memory():
    """Available memory in bytes, or None if the system does not tell."""
    try:
        with open("/proc/meminfo") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return None


class FeatureRows:
    """Collects batches of rows, in memory or, beyond ``limit`` bytes, in a temporary file."""

    def __init__(self, limit):
        self.limit, self.batches, self.file, self.count, self.width = limit, [], None, 0, None

    def add(self, rows):
        if self.width is None:
            self.width = rows.shape[1]
        if rows.shape[1] != self.width:
            raise ValueError(f"the backbone returns {rows.shape[1]} features, before it was {self.width}")
        self.count += len(rows)
        if self.file is None and self.limit is not None and 4 * self.count * self.width > self.limit:
            self.file = tempfile.TemporaryFile(prefix="accrete-features-")
            for batch in self.batches:
                batch.tofile(self.file)
            self.batches.clear()
        if self.file is None:
            self.batches.append(rows)
        else:
            rows.tofile(self.file)

    def array(self):
        """All rows; the batches are released."""
        if self.file is not None:
            self.file.flush()
            return np.memmap(self.file, dtype=np.float32, mode="r", shape=(self.count, self.width))
        rows, first = np.empty((self.count, self.width), dtype=np.float32), 0
        self.batches.reverse()
        while self.batches:  # releases each batch after copying it, so that memory holds the rows only once
            batch = self.batches.pop()
            rows[first : first + len(batch)] = batch
            first += len(batch)
        return rows


def device_of(module):
    """The device of a module's parameters and buffers."""
    for tensor in [*module.parameters(), *module.buffers()]:
        return tensor.device
    return torch.device("cpu")


def compute_features(frozen, batches, limit=None, total=None, verbose=0):
    """The features and targets of all batches (x, y); y may be None in all of them."""
    rows, targets, bar = FeatureRows(limit), [], None
    device = device_of(frozen)
    try:
        for number, (x, y) in enumerate(batches, start=1):
            with torch.no_grad():
                features = frozen(x.to(device)).to("cpu", torch.float32).contiguous().numpy()
            if not np.isfinite(features).all():
                raise ValueError(f"batch {number}: the backbone returns a feature that is not finite")
            if y is not None and len(y) != len(features):
                raise ValueError(f"batch {number}: {len(features)} examples, but {len(y)} targets")
            rows.add(features)
            targets.append(y)
            if verbose:
                bar = bar or make_bar(total, "example")
                bar.show(rows.count, f"{rows.width} features")
    finally:
        if bar is not None:
            bar.close()
    if rows.count == 0:
        raise ValueError("data: the loader has no batches")
    return rows.array(), None if targets[0] is None else np.concatenate(targets)
