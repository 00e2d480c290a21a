"""MLflow models: what pyfunc predicts is what the estimator predicts."""

import json

import numpy as np
import pytest

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

mlflow = pytest.importorskip("mlflow", minversion="3")
pd = pytest.importorskip("pandas")

import accrete.mlflow

FIXED = dict(n_units=8, units_per_step=2, auto=False, random_state=0)
pytestmark = pytest.mark.filterwarnings("ignore:Hint. Inferred schema contains integer:UserWarning")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"size": rng.normal(size=200), "count": rng.integers(0, 9, 200)})
    frame["colour"] = rng.choice(["red", "green", "blue"], 200)
    frame["id"] = [f"row {row}" for row in range(200)]
    frame.loc[::7, "size"] = np.nan
    return frame


@pytest.fixture(scope="module")
def signal(frame):
    return frame["count"] + 3 * (frame["colour"] == "red") + frame["size"].fillna(0)


LABELS = {
    "texts": np.array(["low", "high"]),
    "texts of numbers": np.array(["9", "10"]),
    "integers": np.array([3, -1]),
    "floats": np.array([2.0, 1.0]),
    "bools": np.array([False, True]),
}


@pytest.mark.parametrize("labels", LABELS)
def test_pyfunc_predicts_what_a_classifier_predicts(frame, signal, labels, tmp_path):
    y = LABELS[labels][(signal > signal.median()).astype(int)]
    clf = BoostedNetworkClassifier(**FIXED, ignore=["id"]).fit(frame, y)
    accrete.mlflow.save_model(clf, tmp_path / "model", input_example=frame[:5])
    model = mlflow.pyfunc.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(model.predict(frame), clf.predict(frame))
    again = accrete.mlflow.load_model(tmp_path / "model")
    assert again.classes_.dtype.kind == clf.classes_.dtype.kind and again.classes_.tolist() == clf.classes_.tolist()
    np.testing.assert_array_equal(again.predict_proba(frame), clf.predict_proba(frame))
    assert again.feature_names_in_.tolist() == list(frame.columns)


def test_pyfunc_predicts_what_a_regressor_predicts(waves, tmp_path):
    X, y = waves
    reg = BoostedNetworkRegressor(**FIXED).fit(X, np.stack([y, -y], axis=1))
    accrete.mlflow.save_model(reg, tmp_path / "model", input_example=X[:3])
    model = mlflow.pyfunc.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(model.predict(X), reg.predict(X))
    again = accrete.mlflow.load_model(tmp_path / "model")
    assert not hasattr(again, "feature_names_in_") and again.model_.to_bytes() == reg.model_.to_bytes()


def test_pyfunc_has_the_dial_and_probabilities(spirals, tmp_path):
    X, y = spirals
    clf = BoostedNetworkClassifier(**FIXED).fit(X, y)
    arguments = dict(input_example=X[:3], predict_method="predict_proba")
    accrete.mlflow.save_model(clf, tmp_path / "model", **arguments)
    model = mlflow.pyfunc.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(model.predict(X), clf.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X, params={"units": 4}), clf.predict_proba(X, units=4))


def test_a_model_has_signature_example_requirement_and_model_file(frame, signal, tmp_path):
    reg = BoostedNetworkRegressor(**FIXED).fit(frame[["size", "colour"]], signal)
    example = frame[["size", "colour"]][:4]
    accrete.mlflow.save_model(reg, tmp_path / "model", input_example=example, metadata={"purpose": "test"})
    written = mlflow.models.Model.load(str(tmp_path / "model"))
    assert written.signature.inputs.input_names() == ["size", "colour"] and written.metadata == {"purpose": "test"}
    assert written.flavors["accrete"]["accrete_version"] == accrete.__version__
    pd.testing.assert_frame_equal(written.load_input_example(str(tmp_path / "model")), example)
    requirements = (tmp_path / "model" / "requirements.txt").read_text().split()
    assert f"accrete=={accrete.__version__}" in requirements
    data = tmp_path / "model" / "data" / "accrete"
    assert sorted(path.name for path in data.iterdir()) == ["description.json", "model.safetensors"]
    assert json.loads((data / "description.json").read_text())["columns"] == ["size", "colour"]
    np.testing.assert_array_equal(accrete.load(data / "model.safetensors").predict(example), reg.predict(example))


def test_given_requirements_and_signature_are_used(waves, tmp_path):
    X, y = waves
    reg = BoostedNetworkRegressor(**FIXED).fit(X, y)
    accrete.mlflow.save_model(reg, tmp_path / "extra", extra_pip_requirements=["polars"])
    requirements = (tmp_path / "extra/requirements.txt").read_text().split()
    assert {"polars", f"accrete=={accrete.__version__}"} <= set(requirements)
    signature = mlflow.models.infer_signature(X[:2], y[:2])
    arguments = dict(pip_requirements=["accrete"], signature=signature, input_example=X[:2])
    accrete.mlflow.save_model(reg, tmp_path / "own", **arguments)
    assert "accrete" in (tmp_path / "own/requirements.txt").read_text().split()
    assert mlflow.models.Model.load(str(tmp_path / "own")).signature == signature


def test_logs_to_a_run_and_loads_from_it(waves, tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    try:
        X, y = waves
        reg = BoostedNetworkRegressor(**FIXED).fit(X, y)
        with mlflow.start_run():
            info = accrete.mlflow.log_model(reg, name="waves", input_example=X[:2])
        np.testing.assert_array_equal(mlflow.pyfunc.load_model(info.model_uri).predict(X), reg.predict(X))
        np.testing.assert_array_equal(accrete.mlflow.load_model(info.model_uri).predict(X), reg.predict(X))
    finally:
        mlflow.set_tracking_uri(before)


def test_misuse_is_named_and_writes_nothing(waves, tmp_path):
    path = tmp_path / "model"
    with pytest.raises(ValueError, match="not fitted"):
        accrete.mlflow.save_model(BoostedNetworkRegressor(), path)
    with pytest.raises(ValueError, match="must be an estimator of accrete, not dict"):
        accrete.mlflow.log_model({})
    reg = BoostedNetworkRegressor(**FIXED).fit(*waves)
    with pytest.raises(ValueError, match="predict_method='predict_proba': must be one of predict$"):
        accrete.mlflow.save_model(reg, path, predict_method="predict_proba")
    assert not path.exists()


def test_does_not_load_models_of_other_flavours(tmp_path):
    (tmp_path / "MLmodel").write_text("flavors:\n  sklearn: {}\n")
    with pytest.raises(ValueError, match="not written by accrete.mlflow; it has sklearn"):
        accrete.mlflow.load_model(tmp_path)
