#!/usr/bin/env python3
"""Error, time and memory on sparse text-like rows beside logistic regression, LightGBM and XGBoost.

    ./dev bench sparse [--rows 100000] [--columns 20000] [--words 20] [--seed 0] [--only NAME,...]

Documents are drawn from topics over a vocabulary whose words follow Zipf's law, as counts of words in a CSR matrix.
`topics`: the class is the topic of most words, which a linear model can learn. `pairs`: a document has two topics of
eight, and the class depends on the pair, which it cannot. A fifth of the rows are held out.

Every entry runs in a process of its own with one thread, so that its peak memory is its own. Seconds are of processor
time. "data" is a process that only makes the rows.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp

from common import hardware, head, row

SETS = ("topics", "pairs")
TOPICS = 8


def documents(kind, rows, columns, words, seed):
    """Counts of words as a CSR matrix, and labels."""
    rng = np.random.default_rng(seed)
    frequency = 1.0 / np.arange(3, columns + 3)  # Zipf's law without the commonest words
    topics = [rng.permutation(columns) for _ in range(TOPICS)]  # each topic has its own order of words
    first, second = rng.integers(0, TOPICS, rows), rng.integers(0, TOPICS, rows)
    drawn = np.searchsorted(np.cumsum(frequency / frequency.sum()), rng.random((rows, words)))
    drawn = np.minimum(drawn, columns - 1)
    source = rng.random((rows, words))
    share = 0.5 if kind == "pairs" else 0.7
    topic = np.where(source < share, first[:, None], second[:, None])
    if kind == "topics":
        topic = np.where(source > 0.9, rng.integers(0, TOPICS, (rows, words)), topic)
    indices = np.stack(topics)[topic, drawn]
    X = sp.csr_array((np.ones(rows * words, np.float32), indices.ravel(), np.arange(rows + 1) * words),
                     shape=(rows, columns))
    X.sum_duplicates()
    class_of_pair = rng.integers(0, 4, (TOPICS, TOPICS))
    low, high = np.minimum(first, second), np.maximum(first, second)
    return X, class_of_pair[low, high] if kind == "pairs" else first % 4


def make(name, seed):
    if name.startswith("accrete"):
        import accrete
        return accrete.BoostedNetworkClassifier(preset=name.split()[1], random_state=seed, n_jobs=1)
    if name == "logistic regression":
        from sklearn.linear_model import LogisticRegressionCV
        return LogisticRegressionCV(Cs=[0.01, 0.1, 1.0], cv=3, max_iter=200, random_state=seed, n_jobs=1)
    if name == "LightGBM":
        import lightgbm
        return lightgbm.LGBMClassifier(n_jobs=1, random_state=seed, verbose=-1)
    import xgboost
    return xgboost.XGBClassifier(n_jobs=1, random_state=seed)


ENTRIES = ("data", "accrete fast", "accrete default", "logistic regression", "LightGBM", "XGBoost")


def run_entry(args):
    X, y = documents(args.set, args.rows, args.columns, args.words, args.seed)
    test = np.arange(args.rows) % 5 == 0
    result = {}
    if args.entry != "data":
        train_X, test_X = X[~test], X[test]
        model = make(args.entry, args.seed)
        start = time.process_time()
        model.fit(train_X, y[~test])
        fitted = time.process_time()
        error = float(np.mean(model.predict(test_X) != y[test]))
        result = {"error": error, "fit": fitted - start, "predict": time.process_time() - fitted}
    result["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(result))


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=20_000)
    parser.add_argument("--words", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--set", help=argparse.SUPPRESS)
    parser.add_argument("--entry", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    args = parse()
    if args.entry:
        return run_entry(args)
    print(f"{args.rows:,} rows x {args.columns:,} columns, {args.words} words per row; {hardware()}, one thread\n")
    chosen = args.only.split(",") if args.only else ENTRIES
    for kind in SETS:
        print(f"{kind}\n")
        head("", "error %", "fit s", "predict s", "peak MiB")
        for name in chosen:
            words = [sys.executable, "-W", "ignore", __file__, *sys.argv[1:], "--set", kind, "--entry", name]
            done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
            if done.returncode != 0:
                row(name, done.stderr.strip().splitlines()[-1], "", "", "")
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            cells = [""] * 3
            if "fit" in found:
                cells = [f"{100 * found['error']:.1f}", f"{found['fit']:.1f}", f"{found['predict']:.2f}"]
            row(name, *cells, f"{found['peak']:.0f}")
        print()


if __name__ == "__main__":
    main()
