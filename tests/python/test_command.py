"""Python and the command line give the same model, byte for byte, and read each other's files."""

import subprocess
import sys

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


def write_csv(path, X, y, names=None):
    names = names or [f"x{column}" for column in range(X.shape[1])]
    with open(path, "w") as file:
        print(*names, "target", sep=",", file=file)
        for row, label in zip(X, y):
            print(*("" if value != value else repr(float(value)) for value in row), label, sep=",", file=file)


CASES = {
    "default": ({}, []),
    "paper": ({"preset": "paper"}, ["--preset", "paper"]),
    "many settings": (
        {"units_per_step": 3, "learning_rate": 0.3, "subsample": 0.75, "activation": "tanh", "rescale_residual": False},
        "--units-per-step 3 --learning-rate 0.3 --subsample 0.75 --activation tanh --rescale-residual off".split(),
    ),
    "bins": ({"bins": 8}, ["--bins", "8"]),
    "early stopping": (
        {"validation_fraction": 0.2, "patience": 8},
        ["--validation-fraction", "0.2", "--patience", "8"],
    ),
}


@pytest.mark.parametrize("task", ["two", "three", "number"])
@pytest.mark.parametrize("case", CASES)
def test_python_and_command_give_the_same_bytes(case, task, request, run, tmp_path):
    X, y = request.getfixturevalue({"two": "spirals", "three": "three_classes", "number": "waves"}[task])
    X = X.astype(np.float64)
    X[5, 1] = np.nan
    arguments, flags = CASES[case]
    kind = BoostedNetworkRegressor if task == "number" else BoostedNetworkClassifier
    fitted = kind(n_units=24, random_state=5, **arguments).fit(X, y)
    write_csv(tmp_path / "d.csv", X, y)
    run("train", tmp_path / "d.csv", "--units", 24, "--seed", 5, *flags, "-o", tmp_path / "cli.safetensors")
    fitted.save(tmp_path / "python.safetensors")
    assert (tmp_path / "python.safetensors").read_bytes() == (tmp_path / "cli.safetensors").read_bytes()


def test_python_and_command_read_each_others_files(spirals, run, tmp_path):
    X, y = spirals
    write_csv(tmp_path / "d.csv", X, y)
    run("train", tmp_path / "d.csv", "--units", 12, "--bins", 0, "--seed", 1, "-o", tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert isinstance(loaded, BoostedNetworkClassifier) and loaded.n_units == 12 and loaded.random_state == 1
    assert loaded.classes_.tolist() == [0, 1] and loaded.bins == 0
    table = run("predict", tmp_path / "m.safetensors", tmp_path / "d.csv", "--proba", "--units", 8).splitlines()[1:]
    np.testing.assert_allclose(
        loaded.predict_proba(X, units=8), [[float(p) for p in line.split(",")[1:]] for line in table], atol=1e-12
    )
    model = accrete.Model.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(model.predict(X, units=8), loaded.predict_proba(X, units=8))
    with pytest.raises(ValueError, match="binary model.*BoostedNetworkRegressor"):
        BoostedNetworkRegressor.load(tmp_path / "m.safetensors")
    loaded.grow(X, y, n_units=24).save(tmp_path / "more.safetensors")
    assert "24" in run("inspect", tmp_path / "more.safetensors")


def test_growing_keeps_the_bins(waves, tmp_path):
    X, y = waves
    fitted = BoostedNetworkRegressor(n_units=8, bins=6, random_state=1, warm_start=True).fit(X, y)
    fitted.save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert loaded.bins == 6 and loaded.model_.inputs[0]["knots"] == fitted.model_.inputs[0]["knots"]
    fitted.set_params(n_units=16).fit(X, y)
    assert fitted.n_units_ == 16 and len(fitted.model_.inputs[0]["knots"]) == 7
    with pytest.raises(ValueError, match="bins=6, which cannot change"):
        fitted.set_params(n_units=24, bins=5).fit(X, y)
    with pytest.raises(ValueError, match="bins=300: must be a whole number, at least 0, at most 256"):
        BoostedNetworkRegressor(bins=300).fit(X, y)


def test_python_m_accrete_runs_the_command(command):
    version = subprocess.run([sys.executable, "-m", "accrete", "--version"], text=True, capture_output=True)
    assert version.returncode == 0 and version.stdout.strip() == f"accrete {accrete.__version__}"
    wrong = subprocess.run([sys.executable, "-m", "accrete", "trian"], text=True, capture_output=True)
    assert wrong.returncode == 2 and "trian" in wrong.stderr
