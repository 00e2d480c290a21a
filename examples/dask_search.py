"""Search parameters on a dask cluster: the fits run on its workers, the results are those of one process.

    pip install accrete 'dask[distributed]'
    python dask_search.py                          two worker processes on this machine
    python dask_search.py tcp://scheduler:8786     the workers of a cluster, which need the same packages
"""

import sys

import joblib
from distributed import Client, LocalCluster
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV

from accrete import BoostedNetworkClassifier, BoostedNetworkSearchCV

CLASSIFIER = BoostedNetworkClassifier(preset="paper", auto=False, random_state=0)


def search(client):
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    print(f"{len(client.scheduler_info()['workers'])} workers")
    with joblib.parallel_config("dask"):
        # One fit scores all numbers of units: 2 x 3 fits.
        ours = BoostedNetworkSearchCV(CLASSIFIER, {"learning_rate": [0.25, 0.5], "n_units": [10, 20, 40]}, cv=3)
        ours.fit(X, y)
        # scikit-learn's search knows nothing of prefixes: 2 x 2 x 3 fits.
        grid = GridSearchCV(CLASSIFIER, {"learning_rate": [0.25, 0.5], "n_units": [20, 40]}, cv=3)
        grid.fit(X, y)
    print(f"BoostedNetworkSearchCV  {ours.best_params_}  accuracy {ours.best_score_:.3f}")
    print(f"GridSearchCV            {grid.best_params_}  accuracy {grid.best_score_:.3f}")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1].startswith("tcp://"):
        with Client(sys.argv[1]) as connected:
            search(connected)
    else:
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as own:
            search(own)
