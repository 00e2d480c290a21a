"""Ctrl-C stops a fit after the current step and keeps the model so far."""

import signal
import subprocess
import sys
import textwrap

SCRIPT = """
import sys, threading, warnings
import numpy as np
from accrete import BoostedNetworkRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(20000, 20)).astype(np.float32)
y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
class PrintStep:
    def setup(self, estimator, context): pass
    def teardown(self, estimator, context): pass
    def on_fit_task_begin(self, estimator, context): pass
    def on_fit_task_end(self, estimator, context):
        print("step", flush=True)
reg = BoostedNetworkRegressor(n_units=1_000_000, random_state=0).set_callbacks(PrintStep())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    reg.fit(X, y)
print("units", reg.n_units_, reg.predict(X[:3]).shape, [str(w.message) for w in caught], flush=True)
"""


def test_ctrl_c_keeps_the_model_so_far(tmp_path):
    script = tmp_path / "fit.py"
    script.write_text(textwrap.dedent(SCRIPT))
    child = subprocess.Popen([sys.executable, script], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == "step\n"
    child.send_signal(signal.SIGINT)
    rest, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    last = rest.splitlines()[-1]
    assert last.startswith("units ") and "(3,)" in last and "interrupted" in last
    assert 0 < int(last.split()[1]) < 1_000_000


def test_other_threads_run_during_a_fit(waves):
    """A fit releases the GIL."""
    import threading

    from accrete import BoostedNetworkRegressor

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
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    rest, errors = child.communicate(timeout=120)
    assert child.returncode == 0, errors
    assert rest == "interrupted False\n"
