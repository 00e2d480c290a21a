"""Features on disk, so that computing them can be stopped and continued. Needs torch.

FILE has the features as float32, row by row. FILE.journal has one line for the backbone, and one for each finished
batch, with checksums of its examples and features. What the journal does not list was not finished. The library has the
same for `accrete deep boost --feature-file`.
"""

import fcntl
import json
import os
import zlib

import numpy as np
import torch

_FORMAT = "accrete features 1"


def _tensor_sum(tensor, start=0):
    values = tensor.detach().cpu().contiguous().reshape(-1)
    return zlib.crc32(values.view(torch.uint8).numpy() if values.numel() else b"", start)


def checksum_of(frozen):
    """A checksum of the structure, the weights and the cut of a frozen backbone."""
    checksum = zlib.crc32(f"{frozen.backbone!r} {frozen.cut} {torch.is_autocast_enabled()}".encode())
    for name, value in frozen.backbone.state_dict().items():
        checksum = zlib.crc32(name.encode(), checksum)
        checksum = _tensor_sum(value, checksum) if isinstance(value, torch.Tensor) else checksum
    return checksum


class FeatureFile:
    """The features of a backbone, batch by batch. Raises ValueError if the file has those of something else."""

    def __init__(self, path, frozen):
        self.path, self.journal = os.fspath(path), os.fspath(path) + ".journal"
        self.rows, self.width, self._stored, self._next = 0, None, [], 0
        self._file = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise OSError(f"{self.path!r} is in use by another process") from None
        try:
            self._open(checksum_of(frozen))
        except BaseException:
            self._file.close()
            raise

    def _open(self, network):
        size = os.path.getsize(self.path)
        if not os.path.exists(self.journal):
            if size > 0:
                raise ValueError(f"{self.path!r} exists and is not a file of features: there is no {self.journal!r}")
            with open(self.journal + ".partial", "w") as file:
                file.write(json.dumps({"format": _FORMAT, "made_with": {"network": network}}) + "\n")
            os.replace(self.journal + ".partial", self.journal)
        with open(self.journal, "rb") as file:
            lines = [line for line in file if line.endswith(b"\n")]
        try:
            header = json.loads(lines[0])
            made_with = header["made_with"] if header["format"] == _FORMAT else None
            recorded = made_with["network"]
        except (IndexError, KeyError, TypeError, ValueError):
            raise ValueError(f"{self.journal!r} is damaged, or is not a journal of features") from None
        if recorded != network or set(made_with) != {"network"}:
            self._refuse("for another network")
        start, line_start = 0, len(lines[0])
        for line in lines[1:]:
            try:
                rows, width, inputs, features = map(int, line.split())
            except ValueError:
                break
            end = start + 4 * rows * width
            if rows < 1 or width < 1 or end > size:
                break
            self._stored.append((rows, width, inputs, features, start, line_start))
            start, line_start = end, line_start + len(line)
        self._end = start, line_start
        self._lines = None

    def read_next(self, x):
        """The features of the next batch, or None if the file does not have them."""
        if self._next == len(self._stored):
            return None
        rows, width, inputs, sum, start, line_start = self._stored[self._next]
        if rows != len(x) or inputs != _tensor_sum(x):
            self._refuse(f"for other examples (batch {self._next + 1}; a loader must not shuffle)")
        self._file.seek(start)
        features = np.fromfile(self._file, dtype=np.float32, count=rows * width).reshape(-1, width)
        if zlib.crc32(features) != sum:
            # The system lost bytes that were written before it stopped: these batches are computed again.
            del self._stored[self._next :]
            self._end = start, line_start
            return None
        self._next += 1
        self._count(features)
        return features

    def append(self, x, features):
        """Appends the features of the batch for which read_next had none."""
        self._count(features)
        if self._lines is None:
            os.truncate(self.path, self._end[0])
            os.truncate(self.journal, self._end[1])
            self._lines = open(self.journal, "ab")
            self._file.seek(self._end[0])
        # The journal may list a batch only after its features are in the file.
        self._file.write(features.tobytes())
        self._file.flush()
        self._lines.write(b"%d %d %d %d\n" % (*features.shape, _tensor_sum(x), zlib.crc32(features)))
        self._lines.flush()

    def _count(self, features):
        if self.width is not None and features.shape[1] != self.width:
            raise ValueError(f"the backbone returned {features.shape[1]} features; earlier batches had {self.width}")
        self.rows, self.width = self.rows + len(features), features.shape[1]

    def array(self):
        """All rows, mapped; call it after the last batch."""
        if self._next < len(self._stored):
            self._refuse("for more examples")
        return np.memmap(self.path, dtype=np.float32, mode="r", shape=(self.rows, self.width))

    def close(self):
        self._file.close()
        if self._lines is not None:
            self._lines.close()

    def _refuse(self, why):
        raise ValueError(f"{self.path!r} was written {why}; delete it and {self.journal!r} to start over")
