"""The tutorial runs and writes its files."""

import ast
import os
import subprocess
import sys

import pytest
from conftest import ROOT


def test_tutorial_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "tutorial.py"],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )
    assert done.returncode == 0, done.stderr
    for name in ("curve.png", "importances.png", "interval.png", "digits.onnx", "digits.h", "digits.safetensors"):
        assert (tmp_path / "tutorial" / name).stat().st_size > 1000


def test_the_extra_all_brings_what_the_tutorial_imports():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    required = [*project["dependencies"], *project["optional-dependencies"]["all"]]
    packages = {word.split(">")[0].replace("scikit-learn", "sklearn") for word in required}
    imported = set()
    for node in ast.walk(ast.parse((ROOT / "examples" / "tutorial.py").read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        imported |= {name.split(".")[0] for name in names}
    assert imported - set(sys.stdlib_module_names) - packages == {"accrete"}


def test_the_example_of_distillation_runs(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "distil.py", tmp_path], text=True, capture_output=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    accuracy = {line[:28].strip(): float(line[28:37]) for line in done.stdout.splitlines()[1:5]}
    assert accuracy["64 units, distilled"] > accuracy["64 units, from the labels"] - 0.01
    assert (tmp_path / "student.h").stat().st_size > 1000


def test_the_example_of_a_pretrained_head_runs(tmp_path):
    pytest.importorskip("torch")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", ROOT / "examples" / "pretrained_head.py"],
        text=True,
        capture_output=True,
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    accuracies = [float(line.split()[-1]) for line in lines if line.startswith("accuracy with")]
    assert len(accuracies) == 3 and accuracies[-1] > 0.8
    differences = [float(line.split()[-1]) for line in lines if " differs by " in line]
    assert differences and max(differences) < 1e-4
    assert next(tmp_path.rglob("joined.pt")).stat().st_size > 1000
