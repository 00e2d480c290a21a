"""Features computed by a frozen module for all examples. Needs torch."""

import tempfile

import numpy as np
import torch

from accrete._frozen import device_of
from accrete._progress import make_bar

# torch 1.13 has it only in torch.cuda.
OutOfMemoryError = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)


def free_memory():
    """Available memory in bytes, or None if the system does not report it."""
    try:
        with open("/proc/meminfo") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return None


class FeatureRows:
    """Collects batches of rows, in memory or, beyond ``limit`` bytes, in a temporary file."""

    def __init__(self, limit):
        self.limit, self.batches, self.file, self.rows, self.width = limit, [], None, 0, None

    def read_next(self, x):
        return None

    def append(self, x, rows):
        if self.width is None:
            self.width = rows.shape[1]
        if rows.shape[1] != self.width:
            raise ValueError(f"the backbone returned {rows.shape[1]} features; earlier batches had {self.width}")
        self.rows += len(rows)
        if self.file is None and self.limit is not None and 4 * self.rows * self.width > self.limit:
            self.file = tempfile.TemporaryFile(prefix="accrete-features-")
            for batch in self.batches:
                batch.tofile(self.file)
            self.batches.clear()
        if self.file is None:
            self.batches.append(rows)
        else:
            rows.tofile(self.file)

    def close(self):
        pass

    def array(self):
        """All rows; releases the batches."""
        if self.file is not None:
            self.file.flush()
            return np.memmap(self.file, dtype=np.float32, mode="r", shape=(self.rows, self.width))
        rows, first = np.empty((self.rows, self.width), dtype=np.float32), 0
        self.batches.reverse()
        while self.batches:  # releases each batch after copying it, so that memory holds the rows only once
            batch = self.batches.pop()
            rows[first : first + len(batch)] = batch
            first += len(batch)
        return rows


def _shape(x):
    return " x ".join(str(size) for size in x.shape[1:])


def _run(frozen, x):
    """The features of a batch; computed in halves if the device runs out of memory."""
    try:
        return frozen(x).to("cpu", torch.float32)
    except OutOfMemoryError:
        if len(x) == 1:
            raise MemoryError(f"{x.device} has too little memory for the features of one example") from None
    torch.cuda.empty_cache()
    middle = len(x) // 2
    return torch.cat([_run(frozen, x[:middle]), _run(frozen, x[middle:])])


class _Sizes:
    """Explains a backbone's error that is caused by examples of different sizes."""

    def __init__(self):
        self.first = None

    def run(self, frozen, x, number):
        self.first = _shape(x) if self.first is None else self.first
        try:
            with torch.no_grad():
                return _run(frozen, x)
        except (RuntimeError, AssertionError) as error:
            if _shape(x) != self.first:
                message = f"batch {number}: examples of {_shape(x)}, earlier ones of {self.first}; use one size"
                raise ValueError(message) from error
            raise


def compute_features(frozen, batches, rows, total=None, verbose=0):
    """The features and targets of all batches (x, y); y may be None in all of them.

    ``rows`` is FeatureRows or a FeatureFile, whose features are not computed again.
    """
    targets, bar = [], None
    device, sizes = device_of(frozen), _Sizes()
    try:
        for number, (x, y) in enumerate(batches, start=1):
            features = rows.read_next(x)
            if features is None:
                features = sizes.run(frozen, x.to(device), number).contiguous().numpy()
                if not np.isfinite(features).all():
                    raise ValueError(f"batch {number}: the backbone returns a feature that is not finite")
                rows.append(x, features)
            if y is not None and len(y) != len(features):
                raise ValueError(f"batch {number}: {len(features)} examples, but {len(y)} targets")
            targets.append(y)
            if verbose:
                bar = bar or make_bar(total, "example")
                bar.show(rows.rows, f"{rows.width} features")
    finally:
        if bar is not None:
            bar.close()
    if rows.rows == 0:
        raise ValueError("data: the loader has no batches")
    return rows.array(), None if targets[0] is None else np.concatenate(targets)
