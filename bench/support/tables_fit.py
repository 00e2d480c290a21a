"""Fits one entry of the benchmark `tables` on one fold, in a process of its own that is killed at a time limit.

A process per fit isolates crashes, and gives the peak memory of one fit. Importing, reading and a warm-up fit on a
small table are not timed.
"""
import gc
import json
import os
import pickle
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from multiprocessing.connection import Connection

from common import HERE

PREPARE_LIMIT = 600  # seconds for importing, reading and the warm-up fit
CALLS = 5  # predictions are short, so that a single call is noisy
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def warm_up(entry, regression, threads, seed):
    """Starts threads, loads lazily imported modules and opens the GPU."""
    import numpy as np
    import pandas as pd

    from support.tables_entries import frames, is_accrete, make
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"c0": rng.normal(size=200), "c1": pd.Categorical(rng.choice(["a", "b", "c"], 200))})
    y = rng.normal(size=200) + frame["c0"].to_numpy()
    small = {"n_units": 8} if is_accrete(entry) else {"n_estimators": 10}
    rows = np.arange(200)
    x, x_test = frames(entry, frame, rows, rows)
    model = make(entry, regression, threads, seed, ["c1"], **small)
    model.fit(x, y if regression else (y > 0).astype(int)).predict(x_test)


def memory_mib(name):
    """VmRSS or VmHWM (the peak) of this process; None where /proc does not exist."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name + ":"))
    except OSError:
        return None


def reset_peak():
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass  # the peak then includes reading the table


def peak_mib():
    peak = memory_mib("VmHWM")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20 if peak is None else peak  # bytes on macOS


def predict(model, table, seen, rows, **units):
    """Values, or probabilities with one column per class of the table; and the seconds of the call."""
    import numpy as np
    start = time.perf_counter()
    predicted = (model.predict if table.regression else model.predict_proba)(rows, **units)
    seconds = time.perf_counter() - start
    if not table.regression:
        predicted, compact = np.zeros((len(rows), table.classes)), predicted
        predicted[:, seen] = compact
    return predicted, seconds


def fit(job, on_start):
    """The result of a job. Calls `on_start` when everything is prepared."""
    import numpy as np

    from support.fits import metrics
    from support.tables_entries import category_columns, frames, is_accrete, make, version_of
    with open(job["path"], "rb") as file:
        table = pickle.load(file)
    entry, threads, seed = job["entry"], job["thread_count"], job["seed"]
    train, test = table.folds[job["fold"]]
    x, x_test = frames(entry, table.frame, train, test)
    categories = category_columns(table.frame)
    table.frame = None
    # Some libraries require every class to occur, so classes are renumbered to those of the training rows.
    seen, y = (None, table.y[train]) if table.regression else np.unique(table.y[train], return_inverse=True)
    model = make(entry, table.regression, threads, seed, categories)
    warm_up(entry, table.regression, threads, seed)
    gc.collect()
    reset_peak()
    data_mib = memory_mib("VmRSS")
    on_start()
    start = time.perf_counter()
    model.fit(x, y)
    fit_s = time.perf_counter() - start
    result = {"task": table.task, "train_rows": len(train), "test_rows": len(test), "fit_s": fit_s,
              "peak_mib": peak_mib(), "data_mib": data_mib, "version": version_of(entry)}
    predictions = [predict(model, table, seen, x_test) for _ in range(CALLS)]
    result |= metrics(table, predictions[0][0], table.y[test])
    result["predict_s"] = statistics.median(seconds for _, seconds in predictions)
    if is_accrete(entry):
        first_step = -(-model.n_units_ // model.n_iter_)  # the shortest prefix
        quarter, _ = predict(model, table, seen, x_test, units=max(first_step, model.n_units_ // 4))
        result |= {"units": model.n_units_, "quarter": metrics(table, quarter, table.y[test])}
    return result


def receive(connection, process, limit, output):
    """(status, message of the child or reason for its absence)"""
    if not connection.poll(limit):
        return "too long", f"more than {limit:g} s"
    try:
        return "ok", connection.recv()
    except EOFError:
        code = process.wait()
        output.seek(0)
        tail = output.read().decode(errors="replace").strip()[-300:]
        how = f"was killed by signal {-code}" if code < 0 else f"exited with {code}"
        return "crashed", f"the process {how}" + (f": {tail}" if tail else "")


def run(job, limit):
    """Runs a job in a child process. The limit applies to the fit and its predictions."""
    read_end, write_end = os.pipe()
    environment = os.environ | {name: str(job["thread_count"]) for name in THREAD_VARIABLES}
    with tempfile.TemporaryFile() as output, Connection(read_end, writable=False) as connection:
        process = subprocess.Popen([sys.executable, "-W", "ignore", "-m", __spec__.name, json.dumps(job),
                                    str(write_end)], cwd=HERE / "bench", env=environment, pass_fds=[write_end],
                                   stdout=output, stderr=output, start_new_session=True)
        os.close(write_end)
        try:
            status, message = receive(connection, process, PREPARE_LIMIT, output)
            if status == "ok" and message is None:
                status, message = receive(connection, process, limit, output)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return message if status == "ok" else {"status": status, "reason": message}


def main():
    warnings.filterwarnings("ignore")
    job = json.loads(sys.argv[1])
    with Connection(int(sys.argv[2]), readable=False) as connection:
        try:
            connection.send({"status": "ok", **fit(job, lambda: connection.send(None))})
        except Exception as error:  # noqa: BLE001  # any exception of a library is its result
            connection.send({"status": "failed", "reason": f"{type(error).__name__}: {error}"[:500]})


if __name__ == "__main__":
    main()
