"""The blocks of the README and of the guides run as written, in order, in an empty folder.

A block after a comment ``<!-- not run: REASON -->`` is left out, and so is a Python block whose packages are missing.
Blocks of one page share variables and files.
"""

import importlib.util
import os
import re
import subprocess
import sys
import warnings

import pytest
from conftest import ROOT

BLOCK = re.compile(r"^(<!-- not run: [^\n]+ -->\n+)?```(sh|python|json (\S+))\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = [
    *("README", "command-line", "companions", "constraints", "custom", "early_exit", "explain", "intervals"),
    *("model-format", "onnx", "plain-methods", "python", "report", "search", "sparse", "weights"),
]
OPTIONAL = "mlflow", "onnxruntime", "optuna", "pyarrow", "safetensors", "shap"
NOT_RUN = {
    "accuracy": "benchmarks",
    "c": "needs an installed library",
    "compare": "takes a minute",
    "deep": "needs PyTorch; test_boosted_head_exports.py runs its first block",
    "experiments": "takes hours",
    "gpu": "needs a GPU",
    "scale": "needs MPI",
}


def page(name):
    return (ROOT / f"{name}.md" if name == "README" else ROOT / "docs" / f"{name}.md").read_text()


def blocks(name):
    """(language or file name, text) of the blocks that run."""
    return [(file or language, text) for skip, language, file, text in BLOCK.findall(page(name)) if not skip]


def lacks_a_package(text):
    """Whether the block imports an optional package that is not installed."""
    words = set(re.findall(r"\w+", text.replace(".safetensors", "")))  # a file name
    return any(name in words and importlib.util.find_spec(name) is None for name in OPTIONAL)


@pytest.fixture
def shell(command, tmp_path, monkeypatch):
    """The path with `accrete` and `python` in front, as after `pip install`."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, program in ("accrete", command), ("python", sys.executable):
        (tools / name).write_text(f'#!/bin/sh\nexec "{program}" "$@"\n')
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    (tmp_path / "page").mkdir()
    monkeypatch.chdir(tmp_path / "page")


@pytest.mark.parametrize("name", PAGES)
def test_the_blocks_of_a_page_run(name, shell):
    tried = subprocess.run(["accrete", "report"], text=True, capture_output=True)
    if name == "report" and "writes no pages" in tried.stderr:
        pytest.skip("the command of a wheel writes no pages")
    variables = {"__name__": "__main__"}
    run = 0
    for language, text in blocks(name):
        if language == "sh":
            done = subprocess.run(["sh", "-ec", text], text=True, capture_output=True)
            assert done.returncode == 0, text + done.stderr
        elif language == "python":
            if lacks_a_package(text):
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(text, f"{name}.md", "exec"), variables)
        else:
            with open(language, "w") as file:
                file.write(text)
        run += 1
    assert run > 0


def test_every_page_with_blocks_is_run_or_says_why_not():
    pages = {path.stem for path in (ROOT / "docs").glob("*.md") if blocks(path.stem)} | {"README"}
    assert pages == {*PAGES, *NOT_RUN}
