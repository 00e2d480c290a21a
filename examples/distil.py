"""Distil an ensemble of trees into a network of 64 units, and that into a C header.

    python examples/distil.py [FOLDER]

The teacher is the mean of CatBoost and LightGBM, or of scikit-learn's boosted trees and random forest if they are not
installed. It labels rows that have no label, so the student sees more than the teacher did. The header is written to
FOLDER (default: a temporary folder).
"""

import pathlib
import sys
import tempfile
import time

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import accuracy_score, log_loss

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


def make_teachers():
    try:
        from catboost import CatBoostClassifier
        from lightgbm import LGBMClassifier
    except ImportError:
        return [HistGradientBoostingClassifier(random_state=0), RandomForestClassifier(random_state=0)]
    return [CatBoostClassifier(verbose=0, random_seed=0, allow_writing_files=False), LGBMClassifier(verbose=-1)]


def microseconds_per_row(predict, X):
    start = time.perf_counter()
    for row in X[:20]:
        predict(row.reshape(1, -1))
    return (time.perf_counter() - start) / 20 * 1e6


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    X, y = make_classification(12000, 12, n_informative=8, n_classes=3, n_clusters_per_class=2, random_state=0)
    X = X.astype(np.float32)
    labelled, unlabelled, test = slice(0, 2000), slice(2000, 10000), slice(10000, None)

    teachers = [teacher.fit(X[labelled], y[labelled]) for teacher in make_teachers()]

    def teach(rows):
        return np.mean([teacher.predict_proba(rows) for teacher in teachers], axis=0)

    # One network with an output per class, fitted to the teacher's probabilities.
    pool = np.vstack([X[labelled], X[unlabelled]])
    student = BoostedNetworkRegressor(loss="cross_entropy", n_units=64, random_state=0).fit(pool, teach(pool))
    alone = BoostedNetworkClassifier(n_units=64, random_state=0).fit(X[labelled], y[labelled])

    def student_probabilities(rows, units=None):
        scores = student.predict(rows, units=units)
        return scores / scores.sum(axis=1, keepdims=True)

    print(f"{'':28}{'accuracy':>9}{'log loss':>10}{'us per row':>12}")
    for name, predict in [
        ("teacher, " + " and ".join(type(t).__name__ for t in teachers)[:16], teach),
        ("64 units, from the labels", alone.predict_proba),
        ("64 units, distilled", student_probabilities),
        ("its first 16 units", lambda rows: student_probabilities(rows, units=16)),
    ]:
        p = predict(X[test])
        cost = microseconds_per_row(predict, X[test])
        print(f"{name:28}{accuracy_score(y[test], p.argmax(axis=1)):9.3f}{log_loss(y[test], p):10.3f}{cost:12.0f}")

    student.to_c(folder / "student.h")
    print(f"wrote {folder / 'student.h'}, {(folder / 'student.h').stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
