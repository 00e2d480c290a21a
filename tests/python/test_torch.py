"""to_torch gives the same outputs for all tasks and activations, with missing values, categories and bins."""

import numpy as np
import pytest

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

torch = pytest.importorskip("torch")


def outputs(module, rows):
    with torch.no_grad():
        return np.array(module(torch.tensor(rows.tolist())).tolist())


@pytest.mark.parametrize("units", [None, 8])
@pytest.mark.parametrize("task", ["two", "three", "number", "poisson"])
@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
@pytest.mark.parametrize("bins", [0, 6])
def test_has_the_outputs_of_the_estimator(task, activation, units, bins, request):
    X, y = request.getfixturevalue({"two": "spirals", "three": "three_classes"}.get(task, "waves"))
    X = X.copy()
    X[::9, 1] = np.nan
    X[:, 0] += 3000
    if task in ("two", "three"):
        fitted = BoostedNetworkClassifier(n_units=24, activation=activation, bins=bins, random_state=0).fit(X, y)
        expected = fitted.predict_proba(X, units=units)
    else:
        loss = "poisson" if task == "poisson" else None
        kind = BoostedNetworkRegressor
        fitted = kind(n_units=24, activation=activation, loss=loss, bins=bins, random_state=0).fit(X, y)
        expected = fitted.predict(X, units=units)[:, None]
    module = fitted.to_torch(units=units)
    assert isinstance(module, torch.nn.Sequential)
    np.testing.assert_allclose(outputs(module, X), expected, rtol=1e-5, atol=1e-5)


def test_categories_are_indices_of_levels(three_classes):
    X, y = three_classes
    rng = np.random.default_rng(0)
    words = np.array(["low", "high", "mid", None], dtype=object)
    mixed = X.astype(object)
    codes = rng.integers(0, 4, len(X))
    mixed[:, 3] = words[codes]
    y = np.where(codes == 1, 2, y)
    fitted = BoostedNetworkClassifier(n_units=24, bins=4, random_state=0).fit(mixed, y)
    levels = fitted.model_.inputs[3]["levels"]
    raw = X.copy()
    raw[:, 3] = [np.nan if word is None else levels.index(word) for word in words[codes]]
    np.testing.assert_allclose(outputs(fitted.to_torch(), raw), fitted.predict_proba(mixed), atol=1e-5)
    unseen, never = mixed[:5].copy(), raw[:5].copy()
    unseen[:, 3], never[:, 3] = "other", 99
    np.testing.assert_allclose(outputs(fitted.to_torch(), never), fitted.predict_proba(unseen), atol=1e-5)


def test_saves_a_module_with_several_targets(waves, tmp_path):
    X, y = waves
    Y = np.stack([y, 1000 * y], axis=1)
    fitted = BoostedNetworkRegressor(n_units=20, random_state=0).fit(X, Y)
    torch.save(fitted.to_torch(units=12).state_dict(), tmp_path / "m.pt")
    again = fitted.to_torch(units=12)
    again.load_state_dict(torch.load(tmp_path / "m.pt"))
    np.testing.assert_allclose(outputs(again, X), fitted.predict(X, units=12), rtol=1e-5)
