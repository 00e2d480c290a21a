"""The contract of scikit-learn estimators: its checks, tools and callbacks."""

import os
import pickle
import warnings

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # must precede the import of SciPy, or a check is skipped

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


@parametrize_with_checks([BoostedNetworkClassifier(), BoostedNetworkRegressor()])
@pytest.mark.filterwarnings("ignore")
def test_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [
        BoostedNetworkClassifier(preset="paper", n_units=20, subsample=1.0),
        BoostedNetworkRegressor(preset="paper", n_units=20, units_per_step=2, subsample=1.0),
    ]
)
@pytest.mark.filterwarnings("ignore")
def test_passes_the_checks_with_the_paper_preset(estimator, check):
    check(estimator)


def test_works_in_a_pipeline_with_cross_validation(spirals):
    X, y = spirals
    pipeline = make_pipeline(StandardScaler(), BoostedNetworkClassifier(n_units=60, random_state=0))
    scores = cross_val_score(pipeline, X, y, cv=4)
    assert scores.mean() > 0.9


def test_works_in_a_parallel_grid_search(spirals):
    X, y = spirals
    search = GridSearchCV(
        BoostedNetworkClassifier(n_units=20, random_state=0), {"learning_rate": [0.1, 0.5]}, cv=3, n_jobs=2
    )
    search.fit(X, y)
    assert search.best_score_ > 0.8
    separate = clone(search.best_estimator_).fit(X, y)
    np.testing.assert_array_equal(separate.predict_proba(X), search.best_estimator_.predict_proba(X))


@pytest.mark.parametrize("module", ["pickle", "joblib"])
def test_pickling_preserves_the_model(module, spirals, tmp_path):
    import joblib

    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=16, random_state=0).fit(X, y)
    if module == "pickle":
        again = pickle.loads(pickle.dumps(fitted))
    else:
        joblib.dump(fitted, tmp_path / "m.joblib")
        again = joblib.load(tmp_path / "m.joblib")
    np.testing.assert_array_equal(fitted.predict_proba(X), again.predict_proba(X))
    assert again.model_.to_bytes() == fitted.model_.to_bytes()


def test_sample_weight_can_be_routed(spirals):
    import sklearn

    X, y = spirals
    weights = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = BoostedNetworkClassifier(n_units=8, random_state=0).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, estimator).fit(X, y, sample_weight=weights)
    scaled = StandardScaler().fit_transform(X)
    same = BoostedNetworkClassifier(n_units=8, random_state=0).fit(scaled, y, sample_weight=weights)
    other = BoostedNetworkClassifier(n_units=8, random_state=0).fit(scaled, y)
    np.testing.assert_array_equal(pipeline.predict_proba(X), same.predict_proba(scaled))
    assert np.abs(pipeline.predict_proba(X) - other.predict_proba(scaled)).max() > 1e-3


def test_callbacks_see_every_step_and_may_stop(spirals):
    pytest.importorskip("sklearn.callback")
    X, y = spirals
    seen = []

    class Stopper:
        def setup(self, estimator, context):
            seen.append(("setup", context.max_subtasks))

        def teardown(self, estimator, context):
            seen.append("teardown")

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            seen.append((context.task_name, fitted_estimator.score(X, y)))
            return context.task_name == "step" and fitted_estimator.n_units_ >= 12

    fitted = BoostedNetworkClassifier(n_units=40, units_per_step=4, random_state=0).set_callbacks(Stopper()).fit(X, y)
    assert seen[0] == ("setup", 10) and seen[-1] == "teardown"
    assert [entry[0] for entry in seen[1:-1]] == ["step", "step", "step", "fit"]
    assert fitted.n_units_ == 12
    assert seen[3][1] == fitted.score(X, y)


def test_fits_are_reproducible_and_do_not_change_the_data(three_classes):
    X, y = three_classes
    before = X.copy()
    first = BoostedNetworkClassifier(n_units=12, random_state=7).fit(X, y).model_.to_bytes()
    second = BoostedNetworkClassifier(n_units=12, random_state=7, n_jobs=1).fit(X, y).model_.to_bytes()
    other = BoostedNetworkClassifier(n_units=12, random_state=8).fit(X, y).model_.to_bytes()
    assert first == second != other
    np.testing.assert_array_equal(X, before)


class WithThreshold(BoostedNetworkClassifier):
    """A subclass with a parameter of its own."""

    def __init__(self, threshold=0.5, n_units=None):
        super().__init__(n_units=n_units, auto=False, random_state=0)
        self.threshold = threshold


def test_a_subclass_may_have_parameters_of_its_own(spirals):
    X, y = spirals
    fitted = clone(WithThreshold(threshold=0.3, n_units=8)).fit(X, y)
    assert fitted.threshold == 0.3 and fitted.n_units_ == 8


@pytest.mark.parametrize("name", ["early_stopping", "warm_start", "keep_on_interrupt"])
@pytest.mark.parametrize("value", ["False", "auto", 10, None])
def test_switches_must_be_true_or_false(spirals, name, value):
    with pytest.raises(ValueError, match=f"{name}=.*must be True or False"):
        BoostedNetworkClassifier(n_units=8, auto=False, **{name: value}).fit(*spirals)


def test_a_loaded_estimator_can_stop_early(spirals, tmp_path):
    X, y = spirals
    BoostedNetworkClassifier(n_units=8, auto=False, random_state=0).fit(X, y).save(tmp_path / "m.safetensors")
    loaded = accrete.load(tmp_path / "m.safetensors")
    assert len(clone(loaded).set_params(early_stopping=True).fit(X, y).validation_curve_) > 0
    with pytest.raises(ValueError, match="patience=5: needs a validation set"):
        clone(loaded).set_params(patience=5).fit(X, y)


def test_a_fraction_of_0_is_no_validation_set(spirals):
    with pytest.raises(ValueError, match="needs a validation set"):
        BoostedNetworkClassifier(n_units=8, auto=False, patience=5, validation_fraction=0).fit(*spirals)


@pytest.mark.parametrize("parameters", [{"early_stopping": True}, {"patience": 8}])
def test_a_warm_start_without_a_validation_set_refuses_to_stop_early(spirals, parameters):
    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=8, auto=False, random_state=0, warm_start=True).fit(X, y)
    fitted.set_params(n_units=40, **parameters)
    with pytest.raises(ValueError, match="needs eval_set"):
        fitted.fit(X, y)
    fitted.fit(X, y, eval_set=(X, y))


def test_predict_set_needs_a_fit(spirals):
    with pytest.raises(NotFittedError):
        BoostedNetworkClassifier().predict_set(spirals[0])


def test_a_loaded_estimator_takes_the_columns_of_its_fit_without_a_warning(spirals, tmp_path):
    pd = pytest.importorskip("pandas")
    X, y = spirals
    wide = np.column_stack([X, X[:, 0] * X[:, 1]])
    numbered = pd.DataFrame(X, columns=[10, 20])
    named = pd.DataFrame(X, columns=["b", "a"])
    for given, rows, ignore in ((wide, wide[:, [0, 2]], [1]), (numbered, numbered, None), (named, named, None)):
        BoostedNetworkClassifier(n_units=8, auto=False, ignore=ignore).fit(given, y).save(tmp_path / "m.safetensors")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            accrete.load(tmp_path / "m.safetensors").predict(rows)
    with pytest.warns(UserWarning, match="valid feature names"):
        accrete.load(tmp_path / "m.safetensors").predict(X)
