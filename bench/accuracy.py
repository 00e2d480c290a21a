#!/usr/bin/env python3
"""accrete's accuracy beside boosted trees, forest, MLP and SVM on the same folds, every fit on one core: ranks, ratios.

    ./dev bench accuracy [DATA_DIR] [--only NAME,...] [--entries NAME,...] [--seeds 0,1] [--folds 10] [--jobs N]
    ./dev bench accuracy --report

DATA_DIR holds data sets as NAME.csv or NAME.csv.gz, target last and named `target`; without it, data is generated.
Folds are stratified by class; files with more than --split-above rows get one 70/30 split by seed 0 instead. Seconds of
a fit exclude reading and encoding for all. Every finished fit is kept in --store and not done again; results of accrete
are kept under --label (the commit, unless given), and the report shows those of the label, or else the latest there.
Who takes part, and how, is in bench/support/entries.py.
"""
import argparse
import os
import sys
import tempfile
import time

from common import commit, machine, progress
from support import store, workers
from support.entries import ENTRIES

# Files that are parts of a data set go by its name; None: not taken.
NAMES = {"covertype_subset": "covertype", "poker_train": "poker", "poker_test_subset": None}


def cores():
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def words(text):
    return [word.strip() for word in text.split(",") if word.strip()]


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?")
    parser.add_argument("--only", type=words, default=[], help="data sets by name, with commas between")
    parser.add_argument("--entries", type=words, default=ENTRIES, help=f"of {', '.join(ENTRIES)}")
    parser.add_argument("--seeds", type=lambda text: [int(word) for word in words(text)], default=[0, 1])
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--split-above", type=int, default=24000, metavar="ROWS")
    parser.add_argument("--jobs", type=int, default=cores(), help="fits at a time (default: the cores)")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which a fit is given up")
    parser.add_argument("--store", default="build/accuracy.jsonl", help="file of finished fits (%(default)s)")
    parser.add_argument("--label", help="what results of accrete are kept under (default: the commit)")
    parser.add_argument("--retry", action="store_true", help="do again what failed or took too long")
    parser.add_argument("--report", action="store_true", help="only print the tables of what the store has")
    parser.add_argument("--against", default="accrete", help="the entry the others are compared with (%(default)s)")
    options = parser.parse_args()
    for entry in [*options.entries, options.against]:
        if entry not in ENTRIES:
            parser.error(f"no entry '{entry}'; there are {', '.join(ENTRIES)}")
    return options


def jobs_of(options, scratch):
    """All fits that are asked for, cheap data sets first, and on each fold the entries one after another."""
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
            places = [(0, SPLIT)]
        else:
            places = [(seed, f"{fold}/{options.folds}") for seed in options.seeds for fold in range(options.folds)]
        for seed, fold in places:
            for entry in options.entries:
                yield {"data": name, "entry": entry, "seed": seed, "fold": fold,
                       "label": store.label_of(entry, options.label), "path": path, "cost": cost}


class Clock:
    """How long the rest may take, roughly: by what each entry has taken so far, as if time grew with cost ** 0.7."""

    def __init__(self, jobs, at_once):
        self.left, self.done, self.at_once = list(jobs), 0, at_once
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
        return sum(job["cost"] ** .7 * by_entry.get(job["entry"], took / cost) for job in self.left) / self.at_once


def run(options, scratch):
    known = store.read(options.store)
    wanted = list(jobs_of(options, scratch))
    if not wanted:
        sys.exit("no data set to run on")
    missing = [job for job in wanted if (line := known.get(store.key_of(job))) is None
               or options.retry and line["status"] != "ok"]
    progress(f"{len(wanted)} fits, {len(wanted) - len(missing)} of them in {options.store}")
    clock = Clock(missing, options.jobs)
    for job, result, seconds in workers.run(missing, options.jobs, options.limit):
        line = {name: job[name] for name in store.KEY} | result | {"at": time.strftime("%Y-%m-%dT%H:%M:%S")}
        store.append(options.store, line)
        outcome = f"{result.get('rmse', result.get('error')):.4g}" if result["status"] == "ok" else \
            f"{result['status']}: {result['reason']}"
        progress(f"{clock.count(job, seconds)}: {job['data']}, seed {job['seed']}, fold {job['fold']}, {job['entry']}: "
                 f"{outcome} in {seconds:.2f} s")


def main():
    options = options_of()
    if not options.report:
        options.label = options.label or commit()
        with tempfile.TemporaryDirectory() as scratch:
            run(options, scratch)
    from support.standings_report import report
    print(f"machine: {machine()}\n")
    report(options)


if __name__ == "__main__":
    main()
