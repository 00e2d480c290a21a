"""Fits across ranks, through a communicator of mpi4py or an object with its methods Get_rank, Get_size, allgather."""

import contextlib

import numpy as np

from accrete import _core


class Ranks:
    """Exchanges values between ranks. A rank that fails reports its error in the others' next gather."""

    def __init__(self, comm):
        missing = [name for name in ("Get_rank", "Get_size", "allgather") if not hasattr(comm, name)]
        if missing:
            raise TypeError(f"comm={comm!r}: must be a communicator of mpi4py, and has no {missing[0]}")
        self._comm = comm
        self._failed = False
        self.rank, self.size = comm.Get_rank(), comm.Get_size()

    def gather(self, value):
        """The values of all ranks, in rank order. Raises RuntimeError if a rank has failed."""
        parts = self._comm.allgather((None, value))
        for rank, (error, _) in enumerate(parts):
            if error is not None:
                self._failed = True
                raise RuntimeError(f"rank {rank} has failed: {error}")
        return [part for _, part in parts]

    @contextlib.contextmanager
    def reporting_errors(self):
        """Raises an inner error here, and as RuntimeError on the ranks that did not fail themselves."""
        try:
            yield
            self.gather(None)  # no rank returns while another can still fail
        except BaseException as error:
            if not self._failed:
                self._failed = True
                self._comm.allgather((f"{type(error).__name__}: {error}", None))
            raise

    def first(self, value):
        """The value of rank 0, on all ranks."""
        return self.gather(value)[0]

    def unique(self, values):
        """The distinct values of all ranks, sorted."""
        return np.unique(np.concatenate(self.gather(np.unique(values))))

    def check_same(self, settings):
        """Raises ValueError on all ranks if a rank's setting differs from rank 0's."""
        first, *others = (dict(part) for part in self.gather(settings))
        for rank, other in enumerate(others, 1):
            for name in sorted(first.keys() | other.keys()):
                mine, theirs = first.get(name), other.get(name)
                if mine != theirs:
                    raise ValueError(f"{name}: rank {rank} has {theirs} and rank 0 {mine}; it must be the same on all")


class SingleRank:
    """The only rank of a fit in one process."""

    rank, size = 0, 1

    def first(self, value):
        return value

    def unique(self, values):
        return np.unique(values)

    def check_same(self, settings):
        """Does nothing, because there is no other rank."""


class Shared:
    """Mixin: the ranks of the current fit."""

    _ranks = SingleRank()

    @contextlib.contextmanager
    def _sharing(self, comm):
        """Sets _ranks to those of the communicator within the context; None: this process alone."""
        if comm is None:
            yield
            return
        ranks = Ranks(comm)
        if ranks.size == 1:
            yield
            return
        self._ranks = ranks
        try:
            with ranks.reporting_errors():
                ranks.check_same([("the version of accrete", _core.version())])
                yield
        finally:
            del self._ranks

    def _shared_ranks(self):
        """The ranks, or None if there is only one."""
        return None if self._ranks.size == 1 else self._ranks
