"""What is written about the package is true: its examples run, its lists are whole, its imports are few."""

import doctest
import inspect
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, _core
from accrete._documentation import OWN, PYTHON_NAMES


@pytest.mark.parametrize("name", ["accrete", "accrete._classifier", "accrete._regressor", "accrete._model"])
def test_examples_in_docstrings(name):
    __import__(name)
    result = doctest.testmod(sys.modules[name])
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("kind", [BoostedNetworkClassifier, BoostedNetworkRegressor])
def test_every_parameter_is_there_and_documented(kind):
    names = [name for name in inspect.signature(kind.__init__).parameters if name != "self"]
    for name in names:
        assert re.search(rf"^    {name} : ", kind.__doc__, re.MULTILINE), name
    library = {PYTHON_NAMES.get(entry["name"], entry["name"]) for entry in _core.parameters()}
    for_the_other = {"huber_delta", "quantile", "standardise_target"} if kind._classes else {"class_weight", "prior_start"}
    assert library - for_the_other - set(names) == set()
    assert set(names) - library == set(OWN) - {"class_weight", "random_state"}


def test_imports_are_few():
    code = "import sys, accrete; print(sorted(m for m in sys.modules if m.split('.')[0] in sys.argv[1:]))"
    heavy = ["sklearn", "scipy", "matplotlib", "pandas", "torch", "onnx", "tqdm", "joblib"]
    shown = subprocess.run([sys.executable, "-c", code, *heavy], text=True, capture_output=True, check=True)
    assert shown.stdout.strip() == "[]"
    served = "import sys, accrete; accrete.Model; print(sorted(m for m in sys.modules if m.split('.')[0] in sys.argv[1:]))"
    shown = subprocess.run([sys.executable, "-c", served, *heavy], text=True, capture_output=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_readmes_example_runs(tmp_path):
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    for block in blocks:
        if "accrete.torch" in block:  # test_boosted_head_elsewhere.py runs it
            continue
        done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr


def test_stubs_come_with_it():
    import pathlib

    here = pathlib.Path(accrete.__file__).parent
    for name in ("py.typed", "__init__.pyi", "_core.pyi"):
        assert (here / name).is_file(), name
