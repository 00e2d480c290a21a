"""The types in the stubs of the package: mypy --strict accepts them, and they match the code."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import pytest

import accrete

pytest.importorskip("mypy")

HERE = pathlib.Path(__file__).parent


WRONG = {  # the error of each statement
    "accrete.BoostedNetworkClassifier(n_units='many')": "arg-type",
    "accrete.BoostedNetworkClassifier(preset='slow')": "arg-type",
    "accrete.BoostedNetworkRegressor(units=3)": "call-arg",
    "accrete.Model.load('a').predict([[0.0]], steps=3)": "call-arg",
    "accrete.load('a').to_c(3)": "arg-type",
}


def check(folder, *arguments):
    """Runs a module of mypy."""
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_strict_programs_can_use_the_package_and_wrong_types_are_errors(tmp_path):
    program = tmp_path / "wrong_program.py"
    program.write_text("\n".join(["import accrete", *WRONG]))
    result = check(tmp_path, "mypy", "--strict", HERE / "typed_program.py", program)
    *errors, summary = [line for line in result.stdout.splitlines() if ": note: " not in line]
    assert result.returncode == 1, result.stdout + result.stderr
    assert summary == f"Found {len(WRONG)} errors in 1 file (checked 2 source files)", result.stdout
    for line, (error, name) in enumerate(zip(errors, WRONG.values()), start=2):
        assert error.startswith(f"wrong_program.py:{line}: error: ") and error.endswith(f"  [{name}]"), result.stdout


def test_the_stubs_match_the_code(tmp_path, monkeypatch):
    stubs = tmp_path / "accrete"  # only the stubs: the modules without one have no types
    stubs.mkdir()
    for stub in pathlib.Path(accrete.__file__).parent.glob("*.pyi"):
        shutil.copy(stub, stubs)
    config, skipped = tmp_path / "mypy.ini", tmp_path / "skipped.txt"
    config.write_text("[mypy]\nignore_missing_imports = true\n")
    # stubtest does not know the functions of nanobind, which writes the stub of _core itself.
    missing = [name for name in ("mlflow", "optuna", "torch") if importlib.util.find_spec(name) is None]
    skipped.write_text("".join(f"accrete\\.{name}.*\n" for name in ["_core", *missing]))
    monkeypatch.setenv("MYPYPATH", str(tmp_path))
    options = "--concise", "--ignore-missing-stub", "--ignore-unused-allowlist", "--allowlist", skipped
    result = check(tmp_path, "mypy.stubtest", *options, "--mypy-config-file", config, "accrete")
    assert result.returncode == 0, result.stdout + result.stderr
