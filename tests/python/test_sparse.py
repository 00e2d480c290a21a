"""scipy.sparse matrices and arrays."""

import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse as sp

import accrete

FAST = {"n_units": 8, "max_iter": 4, "auto": False, "learning_rate": 0.5, "random_state": 0}


def problem(rows=200, columns=30, density=0.2, seed=0):
    """A sparse matrix whose second half mirrors the first, so that all means are 0, and two targets."""
    half = sp.random_array((rows // 2, columns), density=density, rng=np.random.default_rng(seed), format="csr")
    X = sp.vstack([half, -half], format="csr")
    dense = X.toarray()
    y = dense[:, 0] - dense[:, 1] * dense[:, 2] + 0.5 * np.abs(dense[:, 3])
    return X, y, np.digitize(y, [-0.1, 0.3])


@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array, sp.csr_matrix, sp.csc_matrix, sp.coo_array])
def test_all_formats_give_the_same_model(make):
    X, y, _ = problem()
    expected = accrete.BoostedNetworkRegressor(**FAST).fit(X, y)
    found = accrete.BoostedNetworkRegressor(**FAST).fit(make(X), y)
    np.testing.assert_array_equal(found.predict(make(X)), expected.predict(X))


def test_fits_and_predicts_as_dense_rows_do():
    X, y, labels = problem()
    dense = X.toarray()
    a, b = (accrete.BoostedNetworkRegressor(**FAST).fit(rows, y) for rows in (X, dense))
    np.testing.assert_allclose(a.predict(X), b.predict(dense), rtol=1e-3, atol=1e-4)
    a, b = (accrete.BoostedNetworkClassifier(**FAST).fit(rows, labels) for rows in (X, dense))
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(dense), atol=1e-3)
    np.testing.assert_array_equal(a.predict_proba(X), a.predict_proba(dense))
    np.testing.assert_allclose(b.predict_proba(X), b.predict_proba(dense), atol=1e-6)


def test_other_methods_take_sparse_rows():
    X, y, labels = problem()
    model = accrete.BoostedNetworkClassifier(**FAST)
    model.fit(X, labels, sample_weight=np.ones(len(labels)), eval_set=(X, labels))
    dense = X.toarray()
    for sparse_stage, dense_stage in zip(model.staged_predict_proba(X), model.staged_predict_proba(dense)):
        np.testing.assert_array_equal(sparse_stage, dense_stage)
    np.testing.assert_allclose(model.contributions(X[:5]), model.contributions(dense[:5]), atol=1e-9)
    np.testing.assert_array_equal(model.predict(X, units=4), model.predict(dense, units=4))
    assert model.score(X, labels) == model.score(dense, labels)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_grows_and_loads(tmp_path):
    X, y, _ = problem()
    grown = accrete.BoostedNetworkRegressor(**FAST).fit(X, y).grow(X, y, 16)
    at_once = accrete.BoostedNetworkRegressor(**{**FAST, "n_units": 16}).fit(X, y)
    np.testing.assert_array_equal(grown.predict(X), at_once.predict(X))
    path = tmp_path / "sparse.safetensors"
    grown.save(path)
    np.testing.assert_array_equal(accrete.load(path).predict(X), grown.predict(X))
    np.testing.assert_array_equal(accrete.Model.load(path).predict(X)[:, 0], grown.predict(X))


def test_ignores_columns_and_sums_duplicates():
    X, y, _ = problem()
    model = accrete.BoostedNetworkRegressor(**FAST, ignore=[0, 5]).fit(X, y)
    changed = X.tolil()
    changed[:, 0] = 3.0
    np.testing.assert_array_equal(model.predict(X), model.predict(changed.tocsr()))
    doubled = sp.csr_array(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape
    )
    np.testing.assert_array_equal(model.predict(X), model.predict(doubled))
    assert doubled.nnz == 2 * X.nnz  # the argument is not changed


def test_is_refused_in_one_line():
    X, y, _ = problem()
    bad = X.copy()
    bad.data[7] = np.nan
    row = int(np.searchsorted(bad.indptr, 7, side="right")) - 1
    with pytest.raises(ValueError, match=rf"sparse and contains NaN, first in row {row}, column 'x{bad.indices[7]}'$"):
        accrete.BoostedNetworkRegressor(**FAST).fit(bad, y)
    bad.data[7] = 1e60
    with pytest.raises(ValueError, match="contains infinity or a value too large"):
        accrete.BoostedNetworkRegressor(**FAST).fit(bad, y)
    with pytest.raises(ValueError, match="bins=8: needs dense columns, but all columns are sparse; use bins=0"):
        accrete.BoostedNetworkRegressor(**FAST, bins=8).fit(X, y)
    model = accrete.BoostedNetworkRegressor(**FAST).fit(X, y)
    with pytest.raises(ValueError, match="29 features, but"):
        model.predict(X[:, :29])
    with pytest.raises(ValueError, match="complex"):
        model.predict(X.astype(complex))


def test_chooses_settings_by_default():
    X, y, labels = problem(rows=400)
    model = accrete.BoostedNetworkClassifier(preset="fast", n_units=40, random_state=0).fit(X, labels)
    assert model.choice_["trials"]
    assert model.score(X, labels) > 0.8


def test_memory_does_not_grow_with_rows_times_columns():
    """The dense matrix would take 4 GB; the address space is limited to far less."""
    code = """
        import resource
        import numpy as np, scipy.sparse as sp
        import accrete
        X = sp.random_array((50_000, 20_000), density=1e-4, rng=np.random.default_rng(0), format="csr")
        y = np.asarray(X.sum(axis=1)).ravel() > 2.5
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        limit = 3 * 2**30
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        model = accrete.BoostedNetworkClassifier(preset="fast", n_units=8, max_iter=4, n_jobs=1, random_state=0)
        model.fit(X, y)
        model.predict_proba(X)
        for _ in model.staged_predict(X): pass
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) < 800_000  # kilobytes
