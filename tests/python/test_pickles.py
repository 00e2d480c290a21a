"""Pickles of estimators made by other versions of accrete."""

import copy
import json
import pickle
import re
import warnings

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor
from accrete._state import read_state, write_state

FIXED = dict(n_units=8, auto=False, random_state=0)


@pytest.fixture(scope="module")
def fitted(spirals):
    return BoostedNetworkClassifier(**FIXED).fit(spirals[0], np.array(["b", "a"])[spirals[1]])


def unpickle(state, kind=BoostedNetworkClassifier):
    """What pickle.loads does with this state."""
    estimator = kind.__new__(kind)
    estimator.__setstate__(pickle.loads(pickle.dumps(state)))
    return estimator


def newer_format(content):
    """The model file with a format version that no accrete reads yet."""
    changed = content.replace(b'"format_version":"1"', b'"format_version":"9"', 1)
    assert changed != content
    return changed


def test_the_state_records_the_version_and_the_model_file(fitted):
    state = fitted.__getstate__()
    assert state["_accrete_version"] == accrete.__version__
    assert state["model_"] == fitted.model_.to_bytes()
    assert not hasattr(pickle.loads(pickle.dumps(fitted)), "_accrete_version")


@pytest.mark.parametrize("version", ["0.0.9", "99.0.0", None])
def test_other_versions_are_read_if_the_format_is_known(fitted, spirals, version):
    state = fitted.__getstate__()
    state["_accrete_version"] = version
    if version is None:  # as before versions were recorded
        del state["_accrete_version"]
        state["model_"] = fitted.model_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = unpickle(state)
    np.testing.assert_array_equal(again.predict_proba(spirals[0]), fitted.predict_proba(spirals[0]))
    assert again.predict(spirals[0])[0] in ("a", "b")


def test_parameters_of_another_version_are_default_or_ignored(fitted):
    state = fitted.__getstate__()
    state.update(_accrete_version="99.0.0", depth=3)
    del state["device"], state["n_jobs"]
    with pytest.warns(UserWarning, match="pickled by accrete 99.0.0; accrete .* ignores its parameters depth$"):
        again = unpickle(state)
    assert again.device == "cpu" and again.n_jobs is None and again.n_units == 8
    assert "depth" not in again.get_params()


def test_an_unknown_format_is_one_line_with_both_versions(fitted):
    state = fitted.__getstate__()
    state.update(_accrete_version="99.0.0", model_=newer_format(state["model_"]))
    with pytest.raises(OSError) as error:
        unpickle(state)
    text = str(error.value)
    assert "\n" not in text and "pickle of a BoostedNetworkClassifier: made by accrete 99.0.0" in text
    assert f"accrete {accrete.__version__} cannot read (" in text and "format 9" in text
    assert "use save() and accrete.load()" in text


@pytest.mark.parametrize("change", [{"model_": {"layers": []}}, {"n_features_in_": None}])
def test_unknown_attributes_are_one_line_with_both_versions(fitted, change):
    state = {**fitted.__getstate__(), "_accrete_version": "99.0.0", **change}
    state = {name: value for name, value in state.items() if value is not None or name != "n_features_in_"}
    message = f"made by accrete 99.0.0, which accrete {re.escape(accrete.__version__)} cannot read"
    with pytest.raises(OSError, match=message):
        unpickle(state)


def test_a_damaged_pickle_of_this_version_does_not_blame_versions(fitted):
    state = fitted.__getstate__()
    state["model_"] = state["model_"][:-1]
    with pytest.raises(OSError) as error:
        unpickle(state)
    assert "made by" not in str(error.value)


def test_unfitted_estimators_are_pickled(waves):
    again = pickle.loads(pickle.dumps(BoostedNetworkRegressor(**FIXED)))
    assert again.get_params() == BoostedNetworkRegressor(**FIXED).get_params()
    assert again.fit(*waves).n_units_ == 8


def test_copies_share_or_copy_the_model(fitted, spirals):
    assert copy.copy(fitted).model_ is fitted.model_
    deep = copy.deepcopy(fitted)
    assert deep.model_ is not fitted.model_
    np.testing.assert_array_equal(deep.predict(spirals[0]), fitted.predict(spirals[0]))


def test_state_dictionaries_name_both_versions(fitted):
    header, content = write_state(fitted).split(b"\n", 1)
    record = json.loads(header)
    assert record == {"version": accrete.__version__, "classes": ["a", "b"]}
    old = json.dumps(record["classes"]).encode() + b"\n" + content
    assert read_state(old).classes_.tolist() == ["a", "b"]
    other = json.dumps({**record, "version": "99.0.0"}).encode() + b"\n"
    assert read_state(other + content).classes_.tolist() == ["a", "b"]
    with pytest.raises(OSError, match="state dictionary: made by accrete 99.0.0, which accrete"):
        read_state(other + newer_format(content))
