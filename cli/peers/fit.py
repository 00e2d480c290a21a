"""Fits one learner of another library: run by `accrete compare` and `accrete cv` with the folder of a task.

python3 -c TEXT versions FILE    writes the installed versions as JSON
python3 -c TEXT FOLDER           reads task.json and *.f64, writes predictions.f64 and seconds.txt

Numbers keep missing values as NaN; a category is its code. Every learner has its library's defaults and one thread.
"""

import json
import os
import pathlib
import sys
import time
from importlib import metadata

os.environ["OMP_NUM_THREADS"] = "1"  # fits run side by side, one per thread


def write_versions(path):
    packages = {"scikit-learn": "sklearn", "xgboost": "xgboost", "lightgbm": "lightgbm"}
    known = metadata.packages_distributions()  # a module may come from a distribution of another name
    versions = {
        package: metadata.version(known[module][0]) for package, module in packages.items() if module in known
    }
    pathlib.Path(path).write_text(json.dumps(versions))


def make_learner(task, classes):
    name, seed = task["learner"], task["seed"] % 2**31
    if name == "trees":
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
        # Categories beyond 255 levels are read as numbers.
        return kind(categorical_features=[c for c, levels in task["categorical"] if levels <= 255], random_state=seed)
    if name == "forest":
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        return (RandomForestClassifier if classes else RandomForestRegressor)(random_state=seed, n_jobs=1)
    if name == "xgboost":
        from xgboost import XGBClassifier, XGBRegressor

        return (XGBClassifier if classes else XGBRegressor)(random_state=seed, n_jobs=1)
    from lightgbm import LGBMClassifier, LGBMRegressor

    return (LGBMClassifier if classes else LGBMRegressor)(random_state=seed, n_jobs=1, verbose=-1)


def run(folder):
    import numpy as np

    folder = pathlib.Path(folder)
    task = json.loads((folder / "task.json").read_text())

    def read(name, columns=1):
        values = np.fromfile(folder / f"{name}.f64")
        return values.reshape(-1, columns) if columns > 1 or name in ("train", "test") else values

    X, Xt, y, weights = read("train", task["columns"]), read("test", task["columns"]), read("target"), read("weights")
    known, y = (np.unique(y, return_inverse=True)) if task["classes"] else (None, y)
    extra = {}
    if task["learner"] == "lightgbm":
        extra["categorical_feature"] = [c for c, _ in task["categorical"]]
    learner = make_learner(task, bool(task["classes"]))
    start = time.perf_counter()
    learner.fit(X, y, sample_weight=weights, **extra)
    (folder / "seconds.txt").write_text(repr(time.perf_counter() - start))
    if task["classes"]:
        predictions = np.zeros((len(Xt), task["classes"]))
        predictions[:, known.astype(int)] = learner.predict_proba(Xt)
    else:
        predictions = learner.predict(Xt)
    np.asarray(predictions, dtype=np.float64).tofile(folder / "predictions.f64")


write_versions(sys.argv[2]) if sys.argv[1] == "versions" else run(sys.argv[1])
