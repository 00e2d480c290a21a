"""Spreads the fits of a search over a joblib backend with remote workers, such as dask's."""

from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import (
    LokyBackend,
    MultiprocessingBackend,
    SequentialBackend,
    ThreadingBackend,
    get_active_backend,
)

from accrete import _core

LOCAL = LokyBackend, MultiprocessingBackend, SequentialBackend, ThreadingBackend
PARTS_PER_SLOT = 4  # fits take different times; small parts keep all slots of the cluster busy until the end


def is_cluster_active():
    """Whether the active joblib backend has remote workers. On a single computer, the library's threads are faster."""
    return not isinstance(get_active_backend()[0], LOCAL)


def run_on_cluster(search, rows, fits):
    """The records of all fits of a search, run by the active joblib backend.

    search has what a worker needs to prepare the same fits; rows are the arguments of its fit.
    """
    parts = min(fits, PARTS_PER_SLOT * effective_n_jobs(None))
    results = Parallel()(delayed(_run_part)(search, *rows, index, parts) for index in range(parts))
    records = _core.Records()
    for version, part in results:
        if version != _core.version():
            raise RuntimeError(
                f"a worker runs accrete {version} and this process accrete {_core.version()}; install the same version"
            )
        records.update(part)
    return records


def _run_part(search, X, y, sample_weight, init_score, index, parts):
    """Runs on a worker; returns its version of accrete and the records of its fits."""
    return _core.version(), search._run_part(X, y, sample_weight, init_score, index, parts)
