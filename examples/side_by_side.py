"""Compares accrete with two learners of scikit-learn on five data sets.

All have their default parameters and the same ten folds. Run: python examples/side_by_side.py
side_by_side.txt has the output on two cores of an x86 server.
"""

import warnings

from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_friedman1
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import KFold, StratifiedKFold, cross_validate
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

CLASSIFIERS = {
    "BoostedNetwork": BoostedNetworkClassifier(random_state=0),
    "MLP": make_pipeline(StandardScaler(), MLPClassifier(max_iter=1000, random_state=0)),
    "HistGradientBoosting": HistGradientBoostingClassifier(random_state=0),
}
REGRESSORS = {
    "BoostedNetwork": BoostedNetworkRegressor(random_state=0),
    "MLP": make_pipeline(StandardScaler(), MLPRegressor(max_iter=1000, random_state=0)),
    "HistGradientBoosting": HistGradientBoostingRegressor(random_state=0),
}
TASKS = {
    "breast cancer": (load_breast_cancer(return_X_y=True), True),
    "wine": (load_wine(return_X_y=True), True),
    "digits": (load_digits(return_X_y=True), True),
    "diabetes": (load_diabetes(return_X_y=True), False),
    "friedman": (make_friedman1(1000, noise=1.0, random_state=0), False),
}


def main():
    warnings.simplefilter("ignore")
    print("score: mean ± standard error of the mean over ten folds")
    print(f"{'data':14s} {'learner':21s} {'score':>15s} {'fit, s':>8s} {'predict, ms':>12s}")
    for name, ((X, y), classes) in TASKS.items():
        folds = (StratifiedKFold if classes else KFold)(10, shuffle=True, random_state=0)
        for learner, estimator in (CLASSIFIERS if classes else REGRESSORS).items():
            result = cross_validate(estimator, X, y, cv=folds)
            score = result["test_score"]
            label = "accuracy" if classes else "R2"
            error = score.std(ddof=1) / len(score) ** 0.5
            print(
                f"{name:14s} {learner:21s} {label:>8s} {score.mean():.3f}±{error:.3f}".ljust(58)
                + f"{result['fit_time'].mean():8.3f} {1e3 * result['score_time'].mean():12.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
