#!/usr/bin/env python3
"""Accuracy against boosted trees, random forest, MLP and SVM on the same folds, one core per fit: ranks and ratios.

    ./dev bench accuracy [DATA_DIR] [--only NAME,...] [--entries NAME,...] [--seeds 0,1] [--folds 10] [--jobs N]
    ./dev bench accuracy --report

DATA_DIR holds data sets as NAME.csv or NAME.csv.gz, target last and named `target`; without it, data is generated.
Folds are stratified by class; files with more than --split-above rows get one 70/30 split with seed 0 instead. Fit
times exclude reading and encoding for every entry. Finished fits are stored in --store and not repeated. Results of
accrete are stored under --label (default: the commit); the report shows those of the label, or else the latest. The
entries are defined in bench/support/entries.py.
"""
import argparse
import os
import sys
import tempfile
import time

from common import commit, hardware, progress
from support import store, workers
from support.entries import ENTRIES

# File name -> name of the data set; None: skip the file.
NAMES = {"covertype_subset": "covertype", "poker_train": "poker", "poker_test_subset": None}


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def words(text):
    return [word.strip() for word in text.split(",") if word.strip()]


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?")
    parser.add_argument("--only", type=words, default=[], help="names of data sets, comma-separated")
    parser.add_argument("--entries", type=words, default=ENTRIES, help=f"of {', '.join(ENTRIES)}")
    parser.add_argument("--seeds", type=lambda text: [int(word) for word in words(text)], default=[0, 1])
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--split-above", type=int, default=24000, metavar="ROWS")
    parser.add_argument("--jobs", type=int, default=cores(), help="fits at a time (default: the number of cores)")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which a fit is aborted")
    parser.add_argument("--store", default="build/accuracy.jsonl", help="file of finished fits (%(default)s)")
    parser.add_argument("--label", help="label of accrete's results (default: the commit)")
    parser.add_argument("--retry", action="store_true", help="repeat fits that failed or exceeded the limit")
    parser.add_argument("--report", action="store_true", help="only print the tables from the store")
    parser.add_argument("--against", default="accrete", help="the entry that others are compared with (%(default)s)")
    options = parser.parse_args()
    for entry in [*options.entries, options.against]:
        if entry not in ENTRIES:
            parser.error(f"unknown entry '{entry}'; allowed: {', '.join(ENTRIES)}")
    return options


def jobs_of(options, scratch):
    """All requested fits: cheap data sets first, and all entries of a fold before the next fold."""
    from support.fits import SPLIT, table_of
    from support.tables import data_sets
    tables = []
    for name, path in data_sets(options.data, scratch):
        name = NAMES.get(name, name)
        if name and (not options.only or name in options.only):
            table = table_of(name, path)
            tables.append((table.cost, name, path, len(table.rows)))
    for cost, name, path, rows in sorted(tables):
        if rows > options.split_above:
            folds = [(0, SPLIT)]
        else:
            folds = [(seed, f"{fold}/{options.folds}") for seed in options.seeds for fold in range(options.folds)]
        for seed, fold in folds:
            for entry in options.entries:
                yield {"data": name, "entry": entry, "seed": seed, "fold": fold,
                       "label": store.label_of(entry, options.label), "path": path, "cost": cost}


class TimeEstimate:
    """Estimates the remaining time from each entry's times so far, assuming that time grows with cost ** 0.7."""

    def __init__(self, jobs, parallel):
        self.left, self.done, self.parallel = list(jobs), 0, parallel
        self.total = len(self.left)
        self.spent = {}

    def count(self, job, seconds):
        self.left.remove(job)
        self.done += 1
        cost, took = self.spent.get(job["entry"], (0, 0))
        self.spent[job["entry"]] = cost + job["cost"] ** .7, took + seconds
        return f"{self.done}/{self.total}, about {self.rest() / 60:.0f} min left"

    def rest(self):
        cost, took = map(sum, zip(*self.spent.values()))
        by_entry = {entry: t / c for entry, (c, t) in self.spent.items()}
        return sum(job["cost"] ** .7 * by_entry.get(job["entry"], took / cost) for job in self.left) / self.parallel


def run(options, scratch):
    known = store.read(options.store)
    wanted = list(jobs_of(options, scratch))
    if not wanted:
        sys.exit("no data set found")
    missing = [job for job in wanted if (record := known.get(store.key_of(job))) is None
               or options.retry and record["status"] != "ok"]
    progress(f"{len(wanted)} fits, {len(wanted) - len(missing)} already in {options.store}")
    estimate = TimeEstimate(missing, options.jobs)
    for job, result, seconds in workers.run(missing, options.jobs, options.limit):
        record = {name: job[name] for name in store.KEY} | result | {"at": time.strftime("%Y-%m-%dT%H:%M:%S")}
        store.append(options.store, record)
        outcome = f"{result.get('rmse', result.get('error')):.4g}" if result["status"] == "ok" else \
            f"{result['status']}: {result['reason']}"
        status = estimate.count(job, seconds)
        progress(f"{status}: {job['data']}, seed {job['seed']}, fold {job['fold']}, {job['entry']}: "
                 f"{outcome} in {seconds:.2f} s")


def main():
    options = options_of()
    if not options.report:
        options.label = options.label or commit()
        with tempfile.TemporaryDirectory() as scratch:
            run(options, scratch)
    from support.standings_report import report
    print(f"hardware: {hardware()}\n")
    report(options)


if __name__ == "__main__":
    main()
