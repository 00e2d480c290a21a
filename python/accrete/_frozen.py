"""A torch module that is used as it is, and what it makes of examples: rows of features."""

import tempfile
import threading

import numpy as np
import torch
from torch import nn

from accrete._progress import bar_of


class Frozen(nn.Module):
    """A module's output, or that of the submodule named by ``cut``, as N x F numbers."""

    def __init__(self, backbone, cut=None):
        super().__init__()
        if not isinstance(backbone, nn.Module):
            raise TypeError(f"backbone: must be a torch.nn.Module, not {type(backbone).__name__}")
        self.backbone, self.cut = backbone.eval(), cut
        if cut is not None:
            self._part()

    def _part(self):
        if isinstance(self.backbone, torch.jit.ScriptModule):
            raise ValueError(
                "cut: the inside of a TorchScript module cannot be reached from Python; cut it before it is compiled, "
                "or with `accrete deep boost --cut`"
            )
        parts = dict(self.backbone.named_modules())
        parts.pop("")
        if self.cut not in parts:
            names = ", ".join(parts) if parts else "none"
            raise ValueError(f"cut={self.cut!r}: the backbone has no module of that name; it has {names}")
        return parts[self.cut]

    def train(self, mode=True):
        """Stays in evaluation mode: dropout off, normalisation by what was learnt."""
        return super().train(False)

    def forward(self, x):
        return checked(self.backbone(x) if self.cut is None else self._at_cut(x))

    def _at_cut(self, x):
        seen, here = [], threading.get_ident()

        def look(module, inputs, output):
            if threading.get_ident() == here:
                seen.append(output)

        hook = self._part().register_forward_hook(look)
        try:
            self.backbone(x)
        finally:
            hook.remove()
        if len(seen) != 1:
            raise ValueError(f"cut={self.cut!r}: the backbone calls it {len(seen)} times for a batch; it must be once")
        return seen[0]


def checked(features):
    if not isinstance(features, torch.Tensor):
        raise ValueError(f"the backbone gives a {type(features).__name__}; a head takes a tensor of N x F features")
    if features.dim() != 2:
        shape = " x ".join(str(size) for size in features.shape)
        raise ValueError(
            f"the backbone gives {features.dim()} dimensions ({shape}); a head takes N x F features "
            "(nn.Flatten() at its end makes two of more)"
        )
    return features


def free_memory():
    """Bytes that can be had without swapping, or nothing where the system does not say."""
    try:
        with open("/proc/meminfo") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return None


class Rows:
    """Batches of rows as they come, in memory or, beyond ``limit`` bytes, in a temporary file that goes with them."""

    def __init__(self, limit):
        self.limit, self.parts, self.file, self.count, self.width = limit, [], None, 0, None

    def add(self, rows):
        if self.width is None:
            self.width = rows.shape[1]
        if rows.shape[1] != self.width:
            raise ValueError(f"the backbone gives {rows.shape[1]} features where it gave {self.width} before")
        self.count += len(rows)
        if self.file is None and self.limit is not None and 4 * self.count * self.width > self.limit:
            self.file = tempfile.TemporaryFile(prefix="accrete-features-")
            for part in self.parts:
                part.tofile(self.file)
            self.parts.clear()
        if self.file is None:
            self.parts.append(rows)
        else:
            rows.tofile(self.file)

    def array(self):
        if self.file is not None:
            self.file.flush()
            return np.memmap(self.file, dtype=np.float32, mode="r", shape=(self.count, self.width))
        whole, at = np.empty((self.count, self.width), dtype=np.float32), 0
        self.parts.reverse()
        while self.parts:  # each goes as soon as it is copied, so that there are never two of all
            part = self.parts.pop()
            whole[at : at + len(part)] = part
            at += len(part)
        return whole


def place_of(module):
    """The device that a module's numbers are on."""
    for tensor in [*module.parameters(), *module.buffers()]:
        return tensor.device
    return torch.device("cpu")


def compute(frozen, batches, limit=None, total=None, verbose=0):
    """Features of all batches (x, y), and their targets; y may be None throughout."""
    rows, targets, bar = Rows(limit), [], None
    device = place_of(frozen)
    try:
        for number, (x, y) in enumerate(batches, start=1):
            with torch.no_grad():
                features = frozen(x.to(device)).to("cpu", torch.float32).contiguous().numpy()
            if not np.isfinite(features).all():
                raise ValueError(f"batch {number}: the backbone gives a feature that is not finite")
            if y is not None and len(y) != len(features):
                raise ValueError(f"batch {number} has {len(features)} examples and {len(y)} targets")
            rows.add(features)
            targets.append(y)
            if verbose:
                bar = bar or bar_of(total, "example")
                bar.show(rows.count, f"{rows.width} features")
    finally:
        if bar is not None:
            bar.close()
    if rows.count == 0:
        raise ValueError("there are no examples: the loader gives no batch")
    return rows.array(), None if targets[0] is None else np.concatenate(targets)
