"""Batches from data loaders, tensors and arrays. Needs torch."""

import re

import numpy as np
import torch


def _is_array(value):
    return isinstance(value, (torch.Tensor, np.ndarray))


def _targets(y):
    return y.detach().cpu().numpy() if isinstance(y, torch.Tensor) else np.asarray(y)


def _slices(X, y, size):
    for start in range(0, len(X), size):
        rows = slice(start, start + size)
        yield torch.as_tensor(X[rows]), None if y is None else y[rows]


def _numbered(loader):
    """Numbered batches; explains torch's error if images of a batch differ in size, the most frequent one here."""
    batches, number = iter(loader), 0
    while True:
        number += 1
        try:
            batch = next(batches)
        except StopIteration:
            return
        except RuntimeError as error:
            found = re.search(r"equal size, but got (\[.*?\]) at entry 0 and (\[.*?\])", str(error))
            if not found:
                raise
            raise ValueError(
                f"batch {number} of the loader: examples of {found[1]} and {found[2]}; make them one size in the "
                "transform of the data set"
            ) from error
        yield number, batch


def _loader_batches(loader):
    for number, batch in _numbered(loader):
        if not isinstance(batch, (tuple, list)) or len(batch) != 2 or not _is_array(batch[0]):
            raise ValueError(
                f"batch {number} of the loader: must be a pair (x, y) with a tensor x; stack several inputs into one, "
                "or wrap the loader"
            )
        yield torch.as_tensor(batch[0]), _targets(batch[1])


def make_batches(data, y, size, targets=True):
    """An iterator of batches (x, y), and whether data is X with y rather than a loader. Raises ValueError."""
    if y is None and isinstance(data, tuple) and len(data) == 2 and _is_array(data[0]):
        data, y = data
    if not _is_array(data):
        if y is not None or not targets:
            raise ValueError("X: must be a tensor or an array")
        if not hasattr(data, "__iter__"):
            raise ValueError(f"data: must be a loader of batches (x, y) or a pair (X, y), not {type(data).__name__}")
        return _loader_batches(data), False
    if y is None and targets:
        raise ValueError("y: required with X")
    if data.ndim == 0 or len(data) == 0:
        raise ValueError("X: must have at least one example")
    if y is not None:
        y = _targets(y)
        if len(y) != len(data):
            raise ValueError(f"X has {len(data)} examples, y has {len(y)}")
    return _slices(data, y, size), True


def count_examples(data):
    """The number of examples, or None for a loader without a length."""
    if isinstance(data, tuple) and data and _is_array(data[0]):
        return len(data[0])
    try:
        return len(data if _is_array(data) else data.dataset)
    except (AttributeError, TypeError):
        return None
