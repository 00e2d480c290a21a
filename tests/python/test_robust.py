"""Failed fits, constant columns and targets, callbacks and files."""

import numpy as np
import pytest
from sklearn.base import clone

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


def test_a_failed_fit_restores_the_estimator(three_classes):
    import pandas as pd

    X, y = three_classes
    frame = pd.DataFrame(X, columns=list("abcde"))
    fitted = BoostedNetworkClassifier(n_units=8, random_state=0).fit(frame, y)
    before = fitted.predict_proba(frame)
    with pytest.raises(ValueError):
        fitted.fit(frame[list("edcba")], np.where(y == 0, "p", "q"), sample_weight=-np.ones(len(y)))
    assert fitted.classes_.tolist() == [0, 1, 2] and list(fitted.feature_names_in_) == list("abcde")
    np.testing.assert_array_equal(fitted.predict_proba(frame), before)


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_constant_column_has_no_effect(preset, spirals):
    X, y = spirals
    rows = np.column_stack([X, np.full(len(X), 5.0), np.full(len(X), np.nan)])
    fitted = BoostedNetworkClassifier(n_units=40, preset=preset, random_state=0).fit(rows, y)
    other = rows.copy()
    other[:, 2], other[:, 3] = 1e4, -300.0
    np.testing.assert_allclose(fitted.predict_proba(other), fitted.predict_proba(rows), atol=1e-9)
    assert fitted.feature_importances_[2:].tolist() == [0, 0]


def test_a_constant_target_is_predicted_exactly(waves, tmp_path):
    X, y = waves
    with pytest.warns(UserWarning, match="is 0.1 in every training row"):
        fitted = BoostedNetworkRegressor(random_state=0).fit(X, np.full(len(X), 0.1))
    assert fitted.n_units_ == 0 and set(fitted.predict(X)) == {0.1} and fitted.score(X, np.full(len(X), 0.1)) == 1
    assert fitted.feature_importances_.tolist() == [0] * X.shape[1]
    fitted.save(tmp_path / "m.safetensors")
    assert set(accrete.load(tmp_path / "m.safetensors").predict(X)) == {0.1}
    with pytest.warns(UserWarning, match="is 2 in every training row"):
        both = BoostedNetworkRegressor(n_units=40, random_state=0).fit(X, np.column_stack([np.full(len(X), 2.0), y]))
    np.testing.assert_allclose(both.predict(X)[:, 0], 2, atol=1e-6)
    assert np.corrcoef(both.predict(X)[:, 1], y)[0, 1] > 0.9


def test_targets_can_be_frames(waves, tmp_path):
    import pandas as pd
    import polars as pl

    X, y = waves
    for frame in (pd.DataFrame({"price": y, "area": -y}), pl.DataFrame({"price": y, "area": -y})):
        fitted = BoostedNetworkRegressor(n_units=8, random_state=0).fit(X, frame)
        assert fitted.model_.targets == ["price", "area"]
    assert BoostedNetworkRegressor(n_units=8).fit(X, pd.Series(y, name="price")).model_.targets == ["price"]
    named = BoostedNetworkClassifier(n_units=8).fit(X, pd.Series(y > 40, name="dear"))
    assert named.model_.targets == ["dear"]
    with pytest.raises(ValueError, match="2 columns, expected 1"):
        BoostedNetworkRegressor(n_units=8).fit(X, y, eval_set=(X, np.stack([y, y], axis=1)))


def test_a_warm_start_uses_the_current_parameters(three_classes):
    X, y = three_classes
    warm = BoostedNetworkClassifier(n_units=8, random_state=0, warm_start=True).fit(X, y)
    warm.set_params(n_units=16, learning_rate=0.9).fit(X, y)
    assert dict(warm.model_.parameters)["learning_rate"] == "0.9" and warm.n_units_ == 16
    with pytest.raises(ValueError, match="activation"):
        warm.set_params(n_units=24, activation="tanh").fit(X, y)
    other = np.where(y == 0, "p", "q")
    assert warm.set_params(n_units=8, activation=None).fit(X[:, :3], other).classes_.tolist() == ["p", "q"]


def test_progress_outlives_the_callback_but_snapshot_does_not(waves):
    from accrete import _core

    X, y = waves
    table = _core.Table()
    table.add_matrix(["a", "b", "c", "d"], X)
    table.add_target("y", y)
    request = _core.Request()
    request.targets, request.task = ["y"], "regression"
    request.settings = [("units", "8"), ("seed", "0")]
    steps = []

    def observer(progress):
        steps.append(progress)
        assert progress.snapshot().units == progress.units

    _core.fit(table, request, observer=observer)
    assert [step.units for step in steps] == [2, 4, 6, 8]
    with pytest.raises(ValueError, match="snapshot"):
        steps[0].snapshot()


def test_errors_of_callbacks_propagate_unchanged(waves):
    pytest.importorskip("sklearn.callback")

    class CallbackError(ValueError):
        pass

    class Failing:
        def setup(self, estimator, context):
            pass

        def teardown(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context):
            raise CallbackError("--boom x: y")

    with pytest.raises(CallbackError, match="^--boom x: y$"):
        BoostedNetworkRegressor(n_units=8).set_callbacks(Failing()).fit(*waves)


def test_callbacks_receive_the_original_labels(three_classes):
    callback = pytest.importorskip("sklearn.callback")
    X, y = three_classes
    monitor = callback.ScoringMonitor(scoring="accuracy")
    words = np.array(["low", "mid", "high"])[y]
    fitted = BoostedNetworkClassifier(n_units=20, random_state=0).set_callbacks(monitor).fit(X, words)
    assert monitor.get_logs().data_as_pandas.accuracy.iloc[-1] == fitted.score(X, words)


def test_categories_are_not_rounded_to_single_precision(tmp_path):
    import pandas as pd

    rng = np.random.default_rng(0)
    ids = np.array([123456789, 123456790, 987654321])[rng.integers(0, 3, 200)]
    frame = pd.DataFrame({"id": pd.Categorical(ids), "z": rng.normal(size=200)})
    y = ids == 123456789
    fitted = BoostedNetworkClassifier(n_units=80, random_state=0).fit(frame, y)
    assert fitted.score(frame, y) == fitted.score(frame.astype(float).to_numpy(), y) == 1.0


def test_reports_missing_files_and_writes_through_links(waves, tmp_path):
    fitted = BoostedNetworkRegressor(n_units=4).fit(*waves)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        accrete.load(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="null"):
        fitted.save("a\0b")
    link = tmp_path / "link.h"
    (tmp_path / "real.h").write_text("old")
    link.symlink_to(tmp_path / "real.h")
    fitted.to_c(link)
    assert link.is_symlink() and "link_predict" in (tmp_path / "real.h").read_text()


def test_a_quantile_or_a_delta_implies_its_loss(waves):
    def loss_of(**parameters):
        return BoostedNetworkRegressor(n_units=8, auto=False, **parameters).fit(*waves).model_.loss

    assert loss_of(quantile=0.9) == loss_of(quantile=0.9, loss="quantile") == "quantile"
    assert loss_of(huber_delta=0.5) == "huber"
    for parameters, message in [
        ({"quantile": 0.9, "loss": "squared"}, "quantile=0.9 needs loss=quantile, not squared"),
        ({"quantile": 0.9, "quantiles": [0.1, 0.9]}, "quantile=0.9 cannot be used with quantiles"),
        ({"batch_size": 10}, "batch_size=10 needs solver=adam or sgd, not lbfgs"),
        ({"calibration_fraction": 0.3}, "calibration_fraction=0.3 needs interval"),
    ]:
        with pytest.raises(ValueError, match=message):
            loss_of(**parameters)


def test_a_loaded_model_fits_again(waves, tmp_path):
    fitted = BoostedNetworkRegressor(n_units=8, random_state=0).fit(*waves)
    fitted.save(tmp_path / "m.safetensors")
    again = clone(BoostedNetworkRegressor.load(tmp_path / "m.safetensors")).fit(*waves)
    assert again.model_.loss == "squared"
    with pytest.raises(ValueError, match="interval=0.9"):
        fitted.set_params(warm_start=True, n_units=16, interval=0.9).fit(*waves)


def test_a_target_outside_the_range_of_the_loss_is_named(waves):
    X, y = waves
    with pytest.raises(ValueError, match="^y: row 0 .*, column 'target': the target is -1; the poisson loss needs 0"):
        BoostedNetworkRegressor(n_units=8, loss="poisson").fit(X, np.full_like(y, -1.0) + (np.arange(len(y)) > 0))
