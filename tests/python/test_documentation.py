"""The documentation of the package: examples run, parameters are complete, imports are lazy."""

import doctest
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, _core
from accrete._parameters import ESTIMATOR_PARAMETERS, PYTHON_NAMES


@pytest.mark.parametrize("name", ["accrete", "accrete._classifier", "accrete._regressor", "accrete._model"])
def test_docstring_examples_run(name):
    __import__(name)
    result = doctest.testmod(sys.modules[name])
    assert result.attempted > 0 and result.failed == 0


@pytest.mark.parametrize("kind", [BoostedNetworkClassifier, BoostedNetworkRegressor])
def test_estimators_have_and_document_all_parameters(kind):
    names = [name for name in inspect.signature(kind.__init__).parameters if name != "self"]
    for name in names:
        assert re.search(rf"^    {name} : ", kind.__doc__, re.MULTILINE), name
    library = {PYTHON_NAMES.get(entry["name"], entry["name"]) for entry in _core.parameters()}
    classes_only = {"class_weight", "prior_start"}
    regression_only = {"huber_delta", "quantile", "quantiles", "standardise_target"}
    assert library - (regression_only if kind._classes else classes_only) - set(names) == set()
    shared = {"class_weight", "group_weight", "random_state", "monotonic_cst", "interaction_cst"}
    assert set(names) - library == set(ESTIMATOR_PARAMETERS) - shared


def test_importing_accrete_imports_only_numpy():
    heavy = ["sklearn", "scipy", "matplotlib", "pandas", "torch", "onnx", "tqdm", "joblib", "mlflow", "optuna"]
    for use in ("pass", "accrete.Model"):
        code = f"import sys, accrete; {use}; print(sorted({{m.split('.')[0] for m in sys.modules}} & {{*sys.argv}}))"
        shown = subprocess.run([sys.executable, "-c", code, *heavy], text=True, capture_output=True, check=True)
        assert shown.stdout.strip() == "[]"


def test_type_stubs_are_installed():
    package = pathlib.Path(accrete.__file__).parent
    for name in ("py.typed", "__init__.pyi", "_core.pyi"):
        assert (package / name).is_file(), name
