#!/usr/bin/env python3
"""accrete's presets against XGBoost 500, LightGBM and CatBoost with native categories: errors, times, memory.

    ./dev bench tables DATA_DIR... [--tables NAME,...] [--entries NAME,...] [--folds 3] [--threads 1,all]
                       [--device cuda] [--synthetic ROWS] [--limit SECONDS] [--out FILE.json] [--baseline FILE.json]
    ./dev bench tables --out FILE.json        (only the report)

DATA_DIR holds tables as NAME.csv or NAME.csv.gz, target last and named `target`; those with more than --min-rows rows
are used. All entries see the same folds: the first --folds of ten, stratified by class, shuffled with seed 1. On a
fold, accrete and its peers alternate, and each fold starts with another entry.

Every library is called through its Python package. XGBoost 500 has 500 trees, rate 0.05, depth 6 and subsample 0.8;
LightGBM and CatBoost have their own defaults. accrete gets text columns as strings, the others as pandas categories;
the conversion to categories is not timed. Each fit runs in a process of its own after a small warm-up fit. Times are
of `fit` and of `predict_proba` (`predict` in regression) on the test rows, the median of five calls. One fit runs at
a time; other load slows fits with all threads out of proportion, so the report states the load average. --device cuda
adds accrete on a GPU.

--synthetic generates ROWS training rows with 25 numeric columns and 5 category columns of 10 to 10,000 levels; it is
not part of the means over tables. --out holds the finished fits, which are not repeated: use another file for another
version of accrete. --baseline names the --out of an earlier run, whose accrete default is compared too.
"""
import argparse
import json
import os
import pathlib
import signal
import sys
import tempfile
import time
import warnings

import numpy as np

import accrete
from accuracy import NAMES, cores, words
from common import commit, hardware, progress
from support import tables_fit
from support.tables import data_sets
from support.tables_data import SEED, SPLITS, read_table, synthetic_table
from support.tables_entries import CUDA, ENTRIES, PEERS, PRESETS, with_cuda
from support.tables_report import SYNTHETIC, report

KEY = ("data", "max_rows", "threads", "fold", "entry")


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="*", metavar="DATA_DIR")
    parser.add_argument("--tables", type=words, default=[], help="names of tables, comma-separated (default: all)")
    parser.add_argument("--entries", type=words, default=ENTRIES, help=f"of {', '.join(ENTRIES)}")
    parser.add_argument("--folds", type=int, default=3, help=f"1 to {SPLITS} (%(default)s)")
    parser.add_argument("--threads", type=words, default=["1"], help="1, all or 1,all (1)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--synthetic", type=int, metavar="ROWS")
    parser.add_argument("--min-rows", type=int, default=4000, help="skip tables that have no more rows (%(default)s)")
    parser.add_argument("--max-rows", type=int, help="draw that many rows of a larger table (default: all rows)")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which a fit is aborted (%(default)s)")
    parser.add_argument("--out", default="build/tables.json", help="file of finished fits (%(default)s)")
    parser.add_argument("--baseline", help="--out of an earlier run")
    parser.add_argument("--retry", action="store_true", help="repeat fits that failed or exceeded the limit")
    options = parser.parse_args()
    allowed = {"entries": ENTRIES, "threads": ["1", "all"]}
    for name, values in allowed.items():
        for value in getattr(options, name):
            if value not in values:
                parser.error(f"--{name}: unknown '{value}'; allowed: {', '.join(values)}")
    if not 1 <= options.folds <= SPLITS:
        parser.error(f"--folds {options.folds}: must be 1 to {SPLITS}")
    if options.synthetic is not None and options.synthetic < 1000:
        parser.error(f"--synthetic {options.synthetic}: must be at least 1000")
    for folder in options.data:
        if not os.path.isdir(folder):
            parser.error(f"{folder}: not a folder")
    return options


def problem_of(**parameters):
    """The error message of a small fit with these parameters, or None."""
    x = np.random.default_rng(SEED).normal(size=(100, 2))
    try:
        accrete.BoostedNetworkRegressor(n_units=8, n_jobs=1, random_state=SEED, **parameters).fit(x, x[:, 0])
    except ValueError as error:
        return str(error)
    return None


def available_entries(options):
    """The requested entries without the presets that this version of accrete does not have."""
    if options.device == "cuda" and (problem := problem_of(device="cuda")):
        sys.exit(f"--device cuda: {problem}")
    problems = {entry: problem_of(preset=PRESETS[entry]) for entry in options.entries if entry in PRESETS}
    for entry, problem in problems.items():
        if problem:
            progress(f"{entry}: skipped ({problem})")
    entries = [entry for entry in options.entries if not problems.get(entry)]
    return with_cuda(entries) if options.device == "cuda" else entries


def read_records(path):
    """key -> record"""
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return {tuple(record[name] for name in KEY): record for record in json.load(file)}


def write_records(path, records):
    """Replaces the file at once, so that an interruption leaves a complete one."""
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(f"{path}.new", "w") as file:
        json.dump(list(records.values()), file, indent=1)
    os.replace(f"{path}.new", path)


def tables_of(options, scratch):
    """Yields (name, number of folds, function that reads or generates the table)."""
    for folder in options.data:
        for file_name, path in data_sets(folder, scratch):
            name = NAMES.get(file_name, file_name)
            if name and (not options.tables or name in options.tables):
                yield name, options.folds, lambda n=name, p=path: read_table(n, p, options.min_rows, options.max_rows)
    if options.synthetic:
        name = f"{SYNTHETIC} {options.synthetic}"
        yield name, 1, lambda: synthetic_table(name, options.synthetic)


def jobs_of(options, entries, name, folds):
    """All fits on a table; each fold starts with another entry."""
    for threads in options.threads:
        for fold in range(folds):
            first = fold % len(entries)
            for entry in entries[first:] + entries[:first]:
                yield {"data": name, "max_rows": None if name.startswith(SYNTHETIC) else options.max_rows,
                       "threads": threads, "fold": fold, "entry": entry, "seed": SEED,
                       "thread_count": 1 if threads == "1" else cores()}


def earlier_timeout(job, records):
    """Whether the entry exceeded the limit on another fold of the table."""
    same = [name for name in KEY if name != "fold"]
    return any(record["status"] == "too long" and all(record[name] == job[name] for name in same)
               for record in records.values())


def outcome_of(result):
    if result["status"] != "ok":
        return f"{result['status']}: {result['reason']}"
    score = f"RMSE {result['rmse']:.4g}" if "rmse" in result else \
        f"error {100 * result['error']:.2f} %, log loss {result['log_loss']:.4f}"
    return f"{score}, fit {result['fit_s']:.2f} s, predict {1e3 * result['predict_s']:.1f} ms, " \
           f"peak {result['peak_mib']:.0f} MiB"


def run_table(options, jobs, records, path):
    for job in jobs:
        job["load"] = os.getloadavg()[0]
        if earlier_timeout(job, records):
            result = {"status": "too long", "reason": "not run: another fold exceeded the limit"}
        else:
            result = tables_fit.run({**job, "path": path}, options.limit)
        records[tuple(job[name] for name in KEY)] = \
            {**job, **result, "commit": options.commit, "at": time.strftime("%Y-%m-%dT%H:%M:%S")}
        write_records(options.out, records)
        progress(f"{job['data']}, threads {job['threads']}, fold {job['fold']}, {job['entry']}: {outcome_of(result)}")


def run(options, entries, records):
    if options.retry:
        for key in [key for key, record in records.items() if record["status"] != "ok"]:
            del records[key]
    with tempfile.TemporaryDirectory() as scratch:
        for name, folds, read in tables_of(options, scratch):
            jobs = list(jobs_of(options, entries, name, folds))
            missing = [job for job in jobs if tuple(job[key] for key in KEY) not in records]
            if len(missing) < len(jobs):
                progress(f"{name}: {len(jobs) - len(missing)} of {len(jobs)} fits already in {options.out}")
            if not missing:
                continue
            table = read()
            if isinstance(table, str):
                progress(f"{name}: skipped ({table})")
                continue
            path = f"{scratch}/table.pickle"
            table.write(path)
            del table
            run_table(options, missing, records, path)


def main():
    warnings.filterwarnings("ignore")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the default action would leave the child running
    options = options_of()
    options.commit = commit()
    records = read_records(options.out)
    if options.data or options.synthetic:
        run(options, available_entries(options), records)
    shown = [r for r in records.values() if r["data"].startswith(SYNTHETIC)
             or r["max_rows"] == options.max_rows and (not options.tables or r["data"] in options.tables)]
    print(f"hardware: {hardware()}" + f"; samples of {options.max_rows} rows" * bool(options.max_rows))
    baseline = read_records(options.baseline).values() if options.baseline else []
    entries = [e for e in with_cuda([*PRESETS, *PEERS]) if e.removesuffix(CUDA) in options.entries]
    report(shown, entries, baseline)


if __name__ == "__main__":
    main()
