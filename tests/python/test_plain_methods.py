"""Models of the plain methods, trained by the command: they predict but cannot be loaded as estimators."""

import csv

import numpy as np
import pytest

import accrete
from test_command import write_csv


@pytest.fixture(params=["network", "adaboost"])
def plain(request, run, three_classes, tmp_path):
    """Rows and the path of the model file."""
    X, y = three_classes
    write_csv(tmp_path / "d.csv", X, y)
    flags = ["--max-iter", 20] + (["--estimators", 5] if request.param == "adaboost" else ["--hidden", "12,7"])
    run("train", tmp_path / "d.csv", "--method", request.param, *flags, "-o", tmp_path / "m.safetensors")
    return X, tmp_path / "m.safetensors"


def test_predicts_as_the_command_does(plain, run, tmp_path):
    X, path = plain
    run("predict", path, tmp_path / "d.csv", "--proba", "-o", tmp_path / "p.csv")
    with open(tmp_path / "p.csv", newline="") as file:
        expected = np.array([[float(p) for p in row[1:]] for row in list(csv.reader(file))[1:]])
    np.testing.assert_array_equal(accrete.Model.load(path).predict(X), expected)


def test_has_no_dial(plain):
    X, path = plain
    model = accrete.Model.load(path)
    assert model.units == (19 if model._core.method == "network" else 15)
    with pytest.raises(ValueError, match="which has no dial: predictions use all (units|networks)"):
        model.predict(X, units=3)
    with pytest.raises(ValueError, match="needs a model of the method 'boosting'"):
        model._core.hidden_weights


def test_cannot_be_loaded_as_an_estimator(plain):
    with pytest.raises(ValueError, match="an estimator needs a boosted network; use accrete.Model.load"):
        accrete.load(plain[1])
