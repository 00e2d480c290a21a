"""A program that uses the public interface with types; test_types.py checks it with mypy --strict."""

import numpy as np
import numpy.typing as npt

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor, BoostedNetworkSearchCV, Model
from accrete.optuna import PruningCallback

Floats = npt.NDArray[np.float64]


def loss(y: Floats, score: Floats) -> tuple[Floats, Floats, Floats]:
    return (y - score) ** 2, 2 * (score - y), np.full_like(score, 2.0)


def main(X: Floats, y: Floats, labels: list[str], path: str, trial: object) -> float:
    classifier = BoostedNetworkClassifier(n_units=8, preset="fast", class_weight={"a": 2.0}, random_state=0)
    probabilities: Floats = classifier.fit(X, labels, callback=lambda progress: progress.units < 8).predict_proba(X)
    classifier.grow(X, labels, n_units=12).truncate(units=8).save(path)
    steps: list[int] = [len(stage) for stage in classifier.staged_predict_proba(X)]

    regressor = BoostedNetworkRegressor(loss=loss, monotonic_cst={"age": 1}, quantiles=None, device="cpu")
    regressor.fit(X, y, eval_set=(X, y), callback=PruningCallback(trial, interval=2))
    lower: Floats = regressor.predict_interval(X, units=4)[:, 0]
    accrete.check_loss(loss, y)

    search = BoostedNetworkSearchCV(regressor, {"n_units": [4, 8]}, cv=3).fit(X, y)
    names: list[str] = Model.load(path).inputs
    estimator = accrete.load(path)
    return search.best_score_ + float(lower[0]) + float(probabilities[0, 0]) + estimator.n_units_ + len(names + steps)
