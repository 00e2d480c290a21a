"""Wrong arguments, rows and files raise the errors of scikit-learn, with messages that name the argument."""

import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"n_units": 0}, "n_units=0: must be a whole number"),
        ({"n_units": 2.5}, "n_units=2.5"),
        ({"units_per_step": "many"}, "units_per_step=many"),
        ({"learning_rate": 0}, "learning_rate=0: must be above 0"),
        ({"learning_rate": float("nan")}, "learning_rate=nan"),
        ({"subsample": [1]}, "subsample="),
        ({"activation": "swish"}, "activation=swish: must be one of"),
        ({"n_units": 2, "units_per_step": 4}, "n_units"),
        ({"preset": "good"}, "preset"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"patience": 10}, "patience=10"),
        ({"random_state": "x"}, "seed"),
        ({"verbose": "x"}, "verbose='x'"),
        ({"random_state": -1}, "random_state=-1"),
        ({"loss": "squared"}, "loss"),
        ({"loss": "softmax", "objective": "nearest"}, "objective=nearest"),
    ],
)
def test_rejects_wrong_parameters(arguments, message, spirals):
    with pytest.raises(ValueError, match=message):
        BoostedNetworkClassifier(**arguments).fit(*spirals)


def test_rejects_use_before_fit(spirals):
    X, _ = spirals
    for call in ("predict", "predict_proba", "save", "to_onnx", "to_c", "truncate"):
        with pytest.raises(NotFittedError):
            getattr(BoostedNetworkClassifier(), call)(X if "predict" in call else "x")
    with pytest.raises(NotFittedError):
        BoostedNetworkRegressor().grow(X, X[:, 0], n_units=4)
    with pytest.raises(NotFittedError):
        next(BoostedNetworkClassifier().staged_predict(X))


def test_rejects_wrong_rows(spirals):
    X, y = spirals
    estimator = BoostedNetworkClassifier(n_units=4)
    infinite = X.copy()
    infinite[7, 1] = np.inf
    huge = X.astype(np.float64)
    huge[7, 1] = 1e300
    with pytest.raises(ValueError, match="infinity.*row 7"):
        estimator.fit(infinite, y)
    with pytest.raises(ValueError, match="too large.*row 7"):
        estimator.fit(huge, y)
    with pytest.raises(ValueError, match="one class"):
        estimator.fit(X, np.zeros(len(y)))
    with pytest.raises(ValueError, match="inconsistent"):
        estimator.fit(X, y[:-1])
    with pytest.raises(ValueError, match="[Ss]ample.weight"):
        estimator.fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(ValueError, match="[Nn]egative"):
        estimator.fit(X, y, sample_weight=-np.ones(len(y)))
    estimator.fit(X, y)
    for rows in (infinite, huge):
        with pytest.raises(ValueError, match="infinity"):
            estimator.predict(rows)
    with pytest.raises(ValueError, match="3 features"):
        estimator.predict(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="class 5"):
        estimator.grow(X, np.where(y == 1, 5, 0), n_units=8)
    with pytest.raises(ValueError, match="n_units=4: the model already has 4"):
        estimator.grow(X, y, n_units=4)


def test_rejects_damaged_files(spirals, tmp_path):
    """Neither crashes nor hangs. A flipped bit of a weight may go unnoticed; the model still predicts."""
    X, y = spirals
    good = BoostedNetworkClassifier(n_units=8, random_state=0).fit(X, y).model_.to_bytes()
    path = tmp_path / "m.safetensors"
    rng = np.random.default_rng(0)
    for length in [0, 1, 7, 8, 9, *rng.integers(10, len(good), 60).tolist(), len(good) - 1]:
        path.write_bytes(good[:length])
        with pytest.raises(OSError, match="m.safetensors"):
            accrete.load(path)
    for _ in range(400):
        place, bit = int(rng.integers(len(good))), int(rng.integers(8))
        flipped = bytearray(good)
        flipped[place] ^= 1 << bit
        path.write_bytes(bytes(flipped))
        try:
            model = accrete.Model.load(path)
        except OSError:
            continue
        assert model.predict(X).shape[0] == len(X)
    with pytest.raises(OSError, match="nowhere"):
        accrete.load(tmp_path / "nowhere.safetensors")


def test_rejects_damaged_pickles(spirals):
    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=8, random_state=0).fit(X, y)
    packed = pickle.dumps(fitted)
    start = packed.index(fitted.model_.to_bytes()[:100])
    damaged = packed[: start + 20] + b"!" * 6 + packed[start + 26 :]
    with pytest.raises((OSError, pickle.UnpicklingError)):
        pickle.loads(damaged)


def test_a_failed_write_leaves_no_file(spirals, tmp_path):
    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=4).fit(X, y)
    for write in (fitted.save, fitted.to_c, fitted.to_onnx):
        with pytest.raises(OSError):
            write(tmp_path / "no such folder" / "m")
    assert list(tmp_path.iterdir()) == []


def test_names_the_argument_of_bad_weights():
    X, y = np.arange(40.0).reshape(-1, 1), np.arange(40) % 2
    weights = np.ones(40)
    weights[3] = 1e39  # infinite in single precision
    expected = r"row 3 \(counting from 0\), column 'sample_weight': a weight must be a number"
    with pytest.raises(ValueError, match=expected):
        BoostedNetworkClassifier(n_units=4, auto=False).fit(X, y, sample_weight=weights)


def test_names_the_argument_that_holds_text(waves):
    X, y = waves
    text = np.where(np.arange(len(y)) == 3, "high", "1.5")
    for argument in ("init_score", "sample_weight"):
        with pytest.raises(ValueError, match=f"^{argument}: must be an array of numbers, one per row: .*'high'"):
            BoostedNetworkRegressor(n_units=4, auto=False).fit(X, y, **{argument: text})
    fitted = BoostedNetworkRegressor(n_units=4, auto=False).fit(X, y, init_score=y)
    with pytest.raises(ValueError, match="^init_score: must be an array of numbers"):
        fitted.predict(X, init_score=[{}] * len(y))


@pytest.mark.parametrize("value, shown", [(None, "None"), ("low", "'low'"), ([1, 2], r"\[1, 2\]")])
def test_names_a_metric_that_returns_no_number(value, shown, waves):
    X, y = waves
    estimator = BoostedNetworkRegressor(n_units=8, auto=False, early_stopping=True, eval_metric=lambda *_: value)
    with pytest.raises(ValueError, match=f"^eval_metric: must return a number; it returned {shown}$"):
        estimator.fit(X, y)


def test_names_what_a_loss_function_returned(waves):
    X, y = waves
    with pytest.raises(ValueError, match="must return a gradient of numbers; it returned NoneType"):
        BoostedNetworkRegressor(n_units=8, auto=False, loss=lambda y, f: (f, None, f)).fit(X, y)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_names_the_row_of_a_missing_label(spirals, missing):
    X, y = spirals
    labels = np.where(np.asarray(y) == y[0], "a", "b").astype(object)
    labels[3] = missing
    with pytest.raises(ValueError, match=r"y: the label of row 3 \(counting from 0\) is missing"):
        BoostedNetworkClassifier(n_units=4).fit(X, labels)


def test_rejects_several_validation_sets(spirals):
    X, y = spirals
    with pytest.raises(ValueError, match="eval_set: must be one validation set, got a list of 2"):
        BoostedNetworkClassifier(n_units=4, auto=False).fit(X, y, eval_set=[(X, y), (X, y)])


def test_names_the_cell_of_an_infinity_to_predict(spirals):
    X, y = spirals
    fitted = BoostedNetworkClassifier(n_units=4, auto=False).fit(X, y)
    infinite = X.copy()
    infinite[7, 1] = np.inf
    with pytest.raises(ValueError, match=r"row 7 \(counting from 0\), column 'x1'"):
        fitted.predict(infinite)


def test_warnings_point_to_the_caller(spirals):
    X, y = spirals
    with pytest.warns(UserWarning) as found:
        BoostedNetworkClassifier(n_units=4, auto=False, alpha=1e9).fit(X, y)
    assert {entry.filename for entry in found} == {__file__}


def test_rejects_dates_as_targets(waves):
    X, _ = waves
    dates = np.datetime64("2026-01-01") + np.arange(len(X))
    for estimator, y in [(BoostedNetworkRegressor(), dates), (BoostedNetworkClassifier(), dates - dates[0])]:
        with pytest.raises(ValueError, match="y: the target is a date or a duration"):
            estimator.fit(X, y)


def test_errors_of_the_target_begin_with_y(waves):
    X, y = waves
    classes = y > np.median(y)
    with pytest.raises(ValueError, match="^y has weight 0 in all rows of the class 'False'$"):
        BoostedNetworkClassifier(n_units=4, auto=False).fit(X, classes, sample_weight=classes.astype(float))
    with pytest.raises(ValueError, match="^y goes from .* to .*; its size must be at most 1e100"):
        BoostedNetworkRegressor(n_units=4, auto=False).fit(X, y * 1e200)
    for texts in (("01", "1"), ("01", "1", "2")):
        with pytest.raises(ValueError, match="^y: two classes are the same number written differently; rename one$"):
            BoostedNetworkClassifier(n_units=4, auto=False).fit(X, np.array(texts)[np.arange(len(y)) % len(texts)])


def test_names_the_cause_of_weights_beyond_single_precision(waves):
    X, y = waves
    weights = np.full(len(y), 1e-46)
    with pytest.raises(ValueError, match="^sample_weight: all weights are 0 in single precision"):
        BoostedNetworkRegressor(n_units=4, auto=False).fit(X, y, sample_weight=weights)
    weights = np.where(np.arange(len(y)) == 0, 1e38, 1e-38)
    with pytest.raises(ValueError, match="'sample_weight' go from 1e-38 to 1e\\+38; the largest may be at most"):
        BoostedNetworkRegressor(n_units=4, auto=False).fit(X, y, sample_weight=weights)


def test_predictions_are_finite_or_refused(waves):
    X, y = waves
    fitted = BoostedNetworkRegressor(n_units=4, auto=False, activation="relu").fit(X, y)
    far = X.copy()
    far[2] = 1e38
    far[3] = -1e38
    for predict in (fitted.predict, fitted.contributions, accrete.Model(fitted.model_).predict):
        assert np.isfinite(predict(far)).all()
    poisson = BoostedNetworkRegressor(n_units=4, auto=False, loss="poisson").fit(X, np.abs(y), init_score=0.0)
    with pytest.raises(ValueError, match=r"^X: row 1 \(counting from 0\): the prediction overflows"):
        poisson.predict(X[:3], init_score=[0.0, 900.0, 0.0])


def test_a_compiled_model_needs_rows(waves):
    X, y = waves
    model = accrete.Model(BoostedNetworkRegressor(n_units=4, auto=False).fit(X, y).model_)
    with pytest.raises(ValueError, match=r"must be a 2D array of rows, not 1D.*reshape\(1, -1\)"):
        model.predict(X[0])
    assert len(model.predict(X[0].reshape(1, -1))) == 1


def test_warns_of_numbers_that_single_precision_makes_one():
    ids = np.column_stack([16777216.0 + np.arange(60) % 2, np.arange(60.0)])
    with pytest.warns(UserWarning, match="column 'x0' holds numbers near 1.68e.07, kept to 7 digits"):
        BoostedNetworkRegressor(n_units=4, auto=False).fit(ids, np.arange(60.0))
