"""Ctrl-C ends a fit after the current step; the estimator keeps the units so far."""

import contextlib
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score

from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor


@contextlib.contextmanager
def ctrl_c(after=0.3):
    """Sends SIGINT to this process once."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()


LONG = dict(n_units=1_000_000, auto=False, random_state=0, n_jobs=1)


def test_raises_and_keeps_the_units_so_far(waves):
    X, y = waves
    reg = BoostedNetworkRegressor(**LONG)
    with ctrl_c(), pytest.raises(KeyboardInterrupt, match="units, which are kept"):
        reg.fit(X, y)
    assert 0 < reg.n_units_ < 1_000_000
    assert reg.predict(X[:3]).shape == (3,)


def test_keeps_class_labels_in_order(spirals):
    X, y = spirals
    labels = np.array(["b", "a"])[y]
    clf = BoostedNetworkClassifier(**LONG)
    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        clf.fit(X, labels)
    assert list(clf.classes_) == ["a", "b"]
    assert clf.score(X, labels) > 0.5


def test_ends_a_cross_validation(waves):
    with ctrl_c(), pytest.raises(KeyboardInterrupt):
        cross_val_score(BoostedNetworkRegressor(**LONG), *waves, cv=2)


def test_warns_and_returns_if_asked_to(waves):
    X, y = waves
    reg = BoostedNetworkRegressor(**LONG, keep_on_interrupt=True)
    with ctrl_c(), pytest.warns(UserWarning, match="interrupted after"):
        reg.fit(X, y)
    assert 0 < reg.n_units_ < 1_000_000


def test_ends_while_settings_are_chosen(waves):
    X, y = np.repeat(waves[0], 20, axis=0), np.repeat(waves[1], 20)
    X = X + np.random.default_rng(0).normal(0, 1e-3, X.shape)
    reg = BoostedNetworkRegressor(random_state=0, n_jobs=1, preset="best")
    with ctrl_c(), pytest.raises(KeyboardInterrupt), pytest.warns(UserWarning, match="before all rows"):
        reg.fit(X, y)
    assert reg.n_units_ > 0


def test_other_threads_run_during_a_fit(waves):
    """A fit releases the GIL."""
    X, y = waves
    X, y = X.repeat(40, axis=0), y.repeat(40)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            done.wait(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    BoostedNetworkRegressor(n_units=100, random_state=0, n_jobs=1).fit(X, y)
    after = counted[0]
    done.set()
    thread.join()
    assert after - before > 10


SEARCH = """
import numpy as np
from accrete import BoostedNetworkClassifier, BoostedNetworkSearchCV
rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 10))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
search = BoostedNetworkSearchCV(BoostedNetworkClassifier(n_units=1_000_000, random_state=0), {"alpha": [0.1, 1]}, cv=5)
print("go", flush=True)
try:
    search.fit(X, y)
except KeyboardInterrupt:
    print("interrupted", hasattr(search, "cv_results_"), flush=True)
"""


def test_ctrl_c_stops_a_search(tmp_path):
    import time

    script = tmp_path / "search.py"
    script.write_text(SEARCH)
    child = subprocess.Popen([sys.executable, script], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == "go\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    rest, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    assert rest == "interrupted False\n"
