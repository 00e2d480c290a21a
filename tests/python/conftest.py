"""Fixtures of the tests of the Python package."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def command():
    """The path of the command: $ACCRETE_COMMAND, or the one in the package."""
    import accrete

    path = os.environ.get("ACCRETE_COMMAND")
    return pathlib.Path(path) if path else pathlib.Path(accrete.__file__).with_name("bin") / "accrete"


@pytest.fixture(scope="session")
def run(command):
    """A function that runs the command and returns its standard output."""

    def call(*words):
        done = subprocess.run([command, *map(str, words)], text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session")
def spirals():
    """Two classes that are not linearly separable: float32 X, y of 0 and 1."""
    rng = np.random.default_rng(3)
    angle = rng.uniform(0.5, 3.0, 300)
    side = rng.integers(0, 2, 300)
    X = np.stack([angle * np.cos(2 * angle + np.pi * side), angle * np.sin(2 * angle + np.pi * side)], axis=1)
    return (X + rng.normal(0, 0.15, X.shape)).astype(np.float32), side


@pytest.fixture(scope="session")
def three_classes():
    """Three classes of five numeric features."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(240, 5)).astype(np.float32)
    return X, np.digitize(X[:, 0] * X[:, 1] + 0.5 * X[:, 2], [-0.4, 0.4])


@pytest.fixture(scope="session")
def waves():
    """Regression with one target."""
    rng = np.random.default_rng(5)
    X = rng.uniform(-2, 2, size=(300, 4)).astype(np.float32)
    return X, 40 + 10 * np.sin(2 * X[:, 0]) + 5 * X[:, 1] ** 2 + rng.normal(0, 0.3, 300)
