"""fit(comm=...): ranks with parts of the rows get the model of one process with all rows.

Ranks are threads here, with a communicator that has the methods of mpi4py's; the last test starts real ones.
"""

import os
import pickle
import shutil
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, _core


class Meeting:
    """Where threads meet: each leaves a value and takes those of all."""

    def __init__(self, size):
        self.size, self.values = size, [None] * size
        self.barrier = threading.Barrier(size, timeout=60)


class Communicator:
    def __init__(self, meeting, rank):
        self.meeting, self.rank = meeting, rank

    def Get_rank(self):
        return self.rank

    def Get_size(self):
        return self.meeting.size

    def allgather(self, value):
        self.meeting.values[self.rank] = pickle.dumps(value)
        self.meeting.barrier.wait()
        parts = [pickle.loads(part) for part in self.meeting.values]
        self.meeting.barrier.wait()
        return parts


def on_ranks(size, work):
    """What work(communicator, rank) returns or raises on each rank."""
    meeting, results = Meeting(size), [None] * size

    def run(rank):
        try:
            results[rank] = work(Communicator(meeting, rank), rank)
        except BaseException as error:
            results[rank] = error

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def parts_of(array, size):
    """Parts of different lengths."""
    ends = [len(array) * (rank + 1) ** 2 // size**2 for rank in range(size)]
    return [array[start:end] for start, end in zip([0, *ends], ends)]


def model_bytes(estimator):
    return estimator.model_.__getstate__()


def rows(count):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(count, 4))
    return X, X[:, 0] + X[:, 1] ** 2 + rng.normal(size=count)


SETTINGS = {"n_units": 8, "units_per_step": 4, "max_iter": 8, "auto": False, "random_state": 3}


def expect_same(make, size, X, y, weights):
    whole = make().fit(X, y, sample_weight=weights)
    parts = list(zip(*(parts_of(array, size) for array in (X, y, weights))))

    def fit(comm, rank):
        X_part, y_part, weight_part = parts[rank]
        return make().fit(X_part, y_part, sample_weight=weight_part, comm=comm)

    results = on_ranks(size, fit)
    for result in results:
        if isinstance(result, BaseException):
            raise result
        assert model_bytes(result) == model_bytes(whole)
    return whole, results


@pytest.mark.parametrize("count", [300, 20000])  # small tables are gathered
@pytest.mark.parametrize("size", [2, 3])
def test_regression_on_parts_gives_the_bytes_of_all_rows(size, count):
    X, y = rows(count)
    expect_same(lambda: BoostedNetworkRegressor(**SETTINGS), size, X, y, np.linspace(1, 2, count))


@pytest.mark.parametrize("count", [300, 20000])
def test_intervals_are_calibrated_on_the_rows_of_all_ranks(count):
    X, y = rows(count)
    whole, results = expect_same(
        lambda: BoostedNetworkRegressor(**SETTINGS, interval=0.8), 3, X, y, np.linspace(1, 2, count)
    )
    np.testing.assert_array_equal(results[1].predict_interval(X[:50]), whole.predict_interval(X[:50]))


def test_classes_are_those_of_all_ranks():
    X, y = rows(600)
    labels = np.where(y > 1.5, "large", np.where(y > 0, "middle", "small"))
    order = np.argsort(labels, kind="stable")  # no rank has all of them
    X, labels = X[order], labels[order]
    whole, results = expect_same(lambda: BoostedNetworkClassifier(**SETTINGS), 3, X, labels, np.ones(600))
    for result in results:
        assert result.classes_.tolist() == ["large", "middle", "small"]
        np.testing.assert_array_equal(result.predict_proba(X), whole.predict_proba(X))


def test_frames_with_texts_dates_and_missing_values():
    pandas = pytest.importorskip("pandas")
    X, y = rows(400)
    day = pandas.Timestamp("2024-01-01") + pandas.to_timedelta(np.arange(400) % 200, unit="D")
    frame = pandas.DataFrame(
        {
            "a": np.where(X[:, 0] > 1, np.nan, X[:, 0]),
            "b": np.array(["red", "green", "blue", "late"])[np.minimum(np.arange(400) // 120, 3)],
            "price": [f"{value:.2f} EUR" for value in X[:, 1]],
            "day": day.strftime("%Y-%m-%d"),
        }
    )
    target = pandas.Series(y, name="cost")
    expect_same(lambda: BoostedNetworkRegressor(**SETTINGS), 3, frame, target, np.ones(400))


def test_early_stopping_and_the_automatic_choice():
    X, y = rows(500)
    labels = (y > 0).astype(int)
    made = {"n_units": 40, "units_per_step": 2, "max_iter": 5, "early_stopping": True, "random_state": 1}
    expect_same(lambda: BoostedNetworkClassifier(**made), 2, X, labels, np.ones(500))


def labelled_frame(count):
    pandas = pytest.importorskip("pandas")
    X, y = rows(count)
    frame = pandas.DataFrame({"a": X[:, 0], "b": np.array(["red", "green", "blue"])[np.arange(count) * 3 // count]})
    return frame, np.where(y > 0, "high", "low")


@pytest.mark.parametrize("count", [400, 20000])
@pytest.mark.parametrize("warm_start", [False, True])
def test_growing_on_parts_gives_the_bytes_of_all_rows(count, warm_start):
    X, y = labelled_frame(count)
    settings = SETTINGS | {"random_state": 3, "warm_start": warm_start}

    def grown(X, y, comm, **weights):
        estimator = BoostedNetworkClassifier(**settings).fit(*first, sample_weight=all_weights)
        if warm_start:
            return estimator.set_params(n_units=16).fit(X, y, comm=comm, **weights)
        return estimator.grow(X, y, 16, comm=comm, **weights)

    first, all_weights = (X, y), np.linspace(1, 2, count)
    whole = grown(X, y, None, sample_weight=all_weights)
    assert whole.n_units_ == 16
    parts = list(zip(*(parts_of(array, 3) for array in (X, y, all_weights))))
    for result in on_ranks(3, lambda comm, rank: grown(*parts[rank][:2], comm, sample_weight=parts[rank][2])):
        if isinstance(result, BaseException):
            raise result
        assert model_bytes(result) == model_bytes(whole)


def test_growing_other_models_is_refused_on_all():
    X, y = rows(100)
    models = [BoostedNetworkRegressor(**SETTINGS | {"random_state": seed}).fit(X, y) for seed in (1, 2)]
    for result in on_ranks(2, lambda comm, rank: models[rank].grow(X, y, 16, comm=comm)):
        assert isinstance(result, ValueError) and "the model: rank 1 has" in str(result)


def test_a_seed_is_drawn_once():
    X, y = rows(200)
    parts = list(zip(parts_of(X, 2), parts_of(y, 2)))
    settings = SETTINGS | {"random_state": None}
    results = on_ranks(2, lambda comm, rank: BoostedNetworkRegressor(**settings).fit(*parts[rank], comm=comm))
    assert model_bytes(results[0]) == model_bytes(results[1])


def test_an_error_of_one_rank_is_raised_on_all():
    X, y = rows(200)
    parts = list(zip(parts_of(X, 3), parts_of(y, 3)))
    parts[1] = parts[1][0], parts[1][1][:-1]
    results = on_ranks(3, lambda comm, rank: BoostedNetworkRegressor(**SETTINGS).fit(*parts[rank], comm=comm))
    assert isinstance(results[1], ValueError)
    for rank in (0, 2):
        assert isinstance(results[rank], RuntimeError)
        assert "rank 1 has failed: ValueError: Found input variables" in str(results[rank])


def test_an_error_of_a_callback_is_raised_on_all():
    X, y = rows(200)
    parts = list(zip(parts_of(X, 2), parts_of(y, 2)))

    def fit(comm, rank):
        def callback(progress):
            if rank == 1:
                raise ZeroDivisionError("of a callback")

        return BoostedNetworkRegressor(**SETTINGS).fit(*parts[rank], comm=comm, callback=callback)

    results = on_ranks(2, fit)
    assert isinstance(results[1], ZeroDivisionError)
    assert "ZeroDivisionError: of a callback" in str(results[0])


def test_the_callback_of_rank_0_stops_all():
    X, y = rows(200)
    parts = list(zip(parts_of(X, 2), parts_of(y, 2)))

    def fit(comm, rank):
        callback = None if rank == 1 else lambda progress: progress.units < 4
        return BoostedNetworkRegressor(**SETTINGS).fit(*parts[rank], comm=comm, callback=callback)

    assert [result.n_units_ for result in on_ranks(2, fit)] == [4, 4]


def both(first, second, X=None, **changes):
    """What two ranks raise whose estimators or rows differ."""
    made = [BoostedNetworkRegressor(**SETTINGS | settings) for settings in (first, second)]
    rows_, y = rows(100)
    given = X or [rows_[:50], rows_[50:]]
    targets = [y[:50], y[50:]]
    return on_ranks(2, lambda comm, rank: made[rank].fit(given[rank], targets[rank], comm=comm, **changes))


def test_differences_between_ranks_are_refused_on_all():
    for result in both({}, {"learning_rate": 0.25}):
        assert isinstance(result, ValueError) and "learning_rate: rank 1 has 0.25 and rank 0 None" in str(result)
    X, _ = rows(100)
    for result in both({}, {}, [X[:50], X[50:, :3]]):
        assert isinstance(result, ValueError) and "X has 3 columns on rank 1 and 4 on rank 0" in str(result)
    texts = np.array([["a"], ["b"]] * 25, dtype=object)
    for result in both({}, {}, [X[:50, :1], texts]):
        assert "column 0 is 'x0' of texts on rank 1 and 'x0' of numbers on rank 0" in str(result)


def test_another_version_is_refused_on_all(monkeypatch):
    versions = iter(["0.1.0", "0.2.0"])
    monkeypatch.setattr(_core, "version", lambda: next(versions))
    for result in both({}, {}):
        assert isinstance(result, ValueError) and "the version of accrete: rank 1 has 0." in str(result)


def test_cuda_works_on_ranks_or_says_why_not():
    results = both({"device": "cuda"}, {"device": "cuda"})
    if isinstance(results[0], BaseException):
        for result in results:
            assert isinstance(result, ValueError) and "\n" not in str(result)
            assert "no CUDA" in str(result) or "no NVIDIA GPU" in str(result)
    else:
        assert model_bytes(results[0]) == model_bytes(results[1])


def squared(y, score):
    error = score - y
    return 0.5 * error**2, error, np.ones_like(error)


def test_what_takes_one_process_is_refused():
    for result in both({"loss": squared}, {"loss": squared}):
        assert isinstance(result, ValueError) and "not supported across ranks; fit in one process" in str(result)
    X, y = rows(50)
    with pytest.raises(TypeError, match="must be a communicator of mpi4py, and has no Get_rank"):
        BoostedNetworkRegressor(**SETTINGS).fit(X, y, comm=7)
    for result in both({"warm_start": True}, {"warm_start": True}):
        assert not isinstance(result, BaseException), "the first fit of a warm start is a fit"


def test_one_rank_is_one_process():
    X, y = rows(100)
    shared = BoostedNetworkRegressor(**SETTINGS).fit(X, y, comm=Communicator(Meeting(1), 0))
    assert model_bytes(shared) == model_bytes(BoostedNetworkRegressor(**SETTINGS).fit(X, y))


PROGRAM = """
    import sys
    import numpy as np
    from mpi4py import MPI
    from accrete import BoostedNetworkClassifier

    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20000, 4))
    y = (X[:, 0] + X[:, 1] ** 2 > 1).astype(int)
    own = np.array_split(np.arange(len(X)), comm.Get_size())[comm.Get_rank()]
    model = BoostedNetworkClassifier(n_units=8, units_per_step=4, max_iter=8, auto=False, random_state=0)
    if "fail" in sys.argv and comm.Get_rank() == 1:
        X[own[5], 2] = np.inf
    model.fit(X[own], y[own], comm=comm)
    model.save(f"rank{comm.Get_rank()}.safetensors")
    if comm.Get_rank() == 0:
        model.fit(X, y).save("one.safetensors")
"""


# Open MPI 4 and 5: more ranks than cores, and root, as in a container.
LAUNCHER = {
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def mpirun(folder, *arguments):
    pytest.importorskip("mpi4py")
    launcher = shutil.which("mpirun")
    if launcher is None:
        pytest.skip("no mpirun")
    (folder / "program.py").write_text(textwrap.dedent(PROGRAM))
    words = [launcher, "-np", "2", sys.executable, "-m", "mpi4py", "program.py", *arguments]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ | LAUNCHER)


def test_mpi4py(tmp_path):
    done = mpirun(tmp_path)
    assert done.returncode == 0, done.stderr
    one = (tmp_path / "one.safetensors").read_bytes()
    for rank in range(2):
        assert (tmp_path / f"rank{rank}.safetensors").read_bytes() == one


def test_mpi4py_ends_when_a_rank_fails(tmp_path):
    done = mpirun(tmp_path, "fail")
    assert done.returncode != 0
    assert "rank 1 has failed: ValueError: " in done.stderr
    assert not (tmp_path / "rank0.safetensors").exists()
