"""The parameter device, mostly on machines without a GPU."""

import warnings

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV


def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def small(kind, device):
    return kind(n_units=4, units_per_step=2, auto=False, random_state=0, device=device)


@pytest.mark.parametrize("kind", [BoostedNetworkClassifier, BoostedNetworkRegressor])
def test_rejects_an_unknown_device(kind):
    with pytest.raises(ValueError, match="device='tpu': must be one of cpu, cuda, auto"):
        small(kind, "tpu").fit(*rows())


def test_a_search_rejects_an_unknown_device():
    with pytest.raises(ValueError, match="device='tpu'"):
        BoostedNetworkSearchCV(small(BoostedNetworkClassifier, "cpu"), {"alpha": [1]}, device="tpu").fit(*rows())


@pytest.mark.parametrize("kind", [BoostedNetworkClassifier, BoostedNetworkRegressor])
def test_cuda_works_or_says_why_not(kind):
    X, y = rows()
    try:
        fitted = small(kind, "cuda").fit(X, y)
    except ValueError as error:
        assert "no CUDA" in str(error) or "no NVIDIA GPU" in str(error)
        assert "\n" not in str(error)
    else:
        assert fitted.n_units_ == 4


def test_auto_falls_back_to_the_cpu():
    X, y = rows()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        fitted = small(BoostedNetworkClassifier, "auto").fit(X, y)
    if any("fits run on the CPU" in str(warning.message) for warning in seen):
        cpu = small(BoostedNetworkClassifier, "cpu").fit(X, y)
        assert np.array_equal(fitted.predict_proba(X), cpu.predict_proba(X))
    assert fitted.n_units_ == 4


def test_auto_works_in_a_search():
    X, y = rows()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        search = BoostedNetworkSearchCV(
            small(BoostedNetworkClassifier, "cpu"), {"alpha": [0.1, 1.0]}, cv=2, device="auto"
        ).fit(X, y)
    assert len(search.cv_results_["params"]) == 2
    assert len([warning for warning in seen if "fits run on the CPU" in str(warning.message)]) <= 1
