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


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """Runs a module of mypy; its cache is shared by the tests."""
    cache = tmp_path_factory.mktemp("mypy")

    def run(*arguments):
        command = [sys.executable, "-m", *map(str, arguments)]
        return subprocess.run(command, cwd=cache, capture_output=True, text=True)

    return run


def test_strict_programs_can_use_the_package(check):
    result = check("mypy", "--strict", HERE / "typed_program.py")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    "statement, error",
    [
        ("accrete.BoostedNetworkClassifier(n_units='many')", "arg-type"),
        ("accrete.BoostedNetworkClassifier(preset='slow')", "arg-type"),
        ("accrete.BoostedNetworkRegressor(units=3)", "call-arg"),
        ("accrete.Model.load('a').predict([[0.0]], steps=3)", "call-arg"),
        ("accrete.load('a').to_c(3)", "arg-type"),
    ],
)
def test_a_wrong_type_is_an_error(check, statement, error, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"import accrete\n{statement}\n")
    result = check("mypy", "--strict", program)
    assert result.returncode == 1 and f"[{error}]" in result.stdout, result.stdout + result.stderr


def test_the_stubs_match_the_code(check, tmp_path, monkeypatch):
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
    result = check("mypy.stubtest", *options, "--mypy-config-file", config, "accrete")
    assert result.returncode == 0, result.stdout + result.stderr
