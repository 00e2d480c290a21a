"""The report of the benchmark `tables`, as markdown: results per table, then ratios over tables."""
import statistics

from common import head, row
from support.standings import TASKS, Standings
from support.standings_report import CLASSES, NONE, REGRESSION, by_data_set, print_failures, ratio_text
from support.tables_entries import is_accrete

SYNTHETIC = "synthetic"  # first word of the synthetic tables' names; these are left out of the means
BASELINE = "baseline"
DEFAULT, XGBOOST, LIGHTGBM = "accrete default", "XGBoost 500", "LightGBM"


def flat(record):
    """The record with the metrics of a quarter of the units beside those of all units."""
    return {**record, **{f"quarter_{name}": value for name, value in record.get("quarter", {}).items()}}


def with_baseline(records, baseline):
    """Adds accrete's default of an earlier run, for the tables and folds that both have."""
    key = lambda r: tuple(r[name] for name in ("data", "fold", "threads", "max_rows"))
    known = {key(r) for r in records}
    return records + [{**r, "entry": BASELINE} for r in baseline if r["entry"] == DEFAULT and key(r) in known]


def real_tables(standings, tasks=TASKS):
    return [name for name in standings.names(tasks) if not name.startswith(SYNTHETIC)]


def print_tables(standings):
    own = [entry for entry in standings.entries if is_accrete(entry)]
    by_data_set(standings, "Error, %", CLASSES, "error", lambda m: f"{100 * m:.2f}")
    by_data_set(standings, "RMSE", REGRESSION, "rmse", "{:.4g}".format)
    by_data_set(standings, "Log loss", CLASSES, "log_loss", "{:.4f}".format)
    by_data_set(standings, "Fit time, seconds", TASKS, "fit_s", "{:.3g}".format)
    by_data_set(standings, "Predict time of the test rows, milliseconds", TASKS, "predict_s",
                lambda m: f"{1e3 * m:.3g}")
    by_data_set(standings, "Peak memory of the fit's process (RSS), MiB", TASKS, "peak_mib", "{:.0f}".format)
    by_data_set(standings, "Memory of that process before the fit (RSS), MiB", TASKS, "data_mib", "{:.0f}".format,
                best=False)
    by_data_set(standings, "Units", TASKS, "units", "{:.0f}".format, own, best=False)
    by_data_set(standings, "Error at a quarter of the units, %", CLASSES, "quarter_error",
                lambda m: f"{100 * m:.2f}", own, best=False)
    by_data_set(standings, "RMSE at a quarter of the units", REGRESSION, "quarter_rmse", "{:.4g}".format, own,
                best=False)


def largest_ratio(standings, entry, against, metric):
    """The largest entry / against on a real table, with the table's name."""
    ratios = [(standings.ratio([name], entry, against, metric), name) for name in real_tables(standings)]
    ratios = [(ratio[0], name) for ratio, name in ratios if ratio is not None]
    return "{:.3g} ({})".format(*max(ratios)) if ratios else NONE


def print_times(standings):
    kinds = {"classification": CLASSES, "regression": REGRESSION}
    columns = [(f"{word} / {against}, {kind}", metric, against, real_tables(standings, tasks))
               for word, metric, against in (("fit", "fit_s", XGBOOST), ("fit", "fit_s", LIGHTGBM),
                                             ("predict", "predict_s", XGBOOST))
               if against in standings.entries for kind, tasks in kinds.items()]
    if not columns:
        return
    print("\nRatios of times: geometric mean over tables ± standard error of the mean logarithm (number of tables)\n")
    head("entry", *(title for title, *_ in columns))
    for entry in standings.entries:
        row(entry, *(ratio_text(standings.ratio(names, entry, against, metric))
                     for _, metric, against, names in columns))
    peers = [peer for peer in (XGBOOST, LIGHTGBM) if peer in standings.entries]
    print("\nLargest ratio of fit times on any table\n")
    head("entry", *(f"/ {peer}" for peer in peers))
    for entry in standings.entries:
        row(entry, *(largest_ratio(standings, entry, peer, "fit_s") for peer in peers))


def print_synthetic(standings):
    for name in standings.names():
        if not name.startswith(SYNTHETIC):
            continue
        print(f"\n{name}: fit time and peak memory\n")
        head("entry", "fit, s", f"/ {XGBOOST}", f"/ {LIGHTGBM}", "peak, MiB")
        for entry in standings.entries:
            means = [standings.mean(name, entry, metric) for metric in ("fit_s", "peak_mib")]
            seconds, peak = (NONE if mean is None else f"{mean:.4g}" for mean in means)
            ratios = [standings.ratio([name], entry, peer, "fit_s") for peer in (XGBOOST, LIGHTGBM)]
            row(entry, seconds, *(ratio_text(ratio).split(" ")[0] for ratio in ratios), peak)


def print_errors(standings, against):
    classes, numbers = real_tables(standings, CLASSES), real_tables(standings, REGRESSION)
    columns = [(classes, "error"), (classes, "log_loss"), (numbers, "rmse")]
    print(f"\nRatios to {against}: geometric mean over tables ± standard error of the mean logarithm (number of "
          f"tables); above 1: {against} is better. Wins, ties and losses of the entry at two standard errors of the "
          "fold-by-fold differences\n")
    head("entry", "error", "log loss", "RMSE", "wins-ties-losses")
    for entry in standings.entries:
        if entry != against:
            row(entry, *(ratio_text(standings.ratio(names, entry, against, metric)) for names, metric in columns),
                "-".join(map(str, standings.wins(classes + numbers, entry, against))))


def print_dial(standings):
    own = [entry for entry in standings.entries if is_accrete(entry)]
    if not own:
        return
    print("\nThe dial: a quarter of the units relative to all of them\n")
    head("entry", "error", "log loss", "RMSE")
    for entry in own:
        row(entry, *(ratio_text(standings.dial(real_tables(standings, tasks), entry, metric)) for tasks, metric in
                     ((CLASSES, "error"), (CLASSES, "log_loss"), (REGRESSION, "rmse"))))


def report(records, entries, baseline=()):
    """Prints one section per number of threads."""
    if not records:
        print("no results yet")
        return
    records = [flat(r) for r in with_baseline(records, list(baseline))]
    current = [r for r in records if r["entry"] != BASELINE]
    versions = sorted({r["version"] for r in current if "version" in r})
    commits = sorted({r["commit"] for r in current if is_accrete(r["entry"])})
    print("; ".join(versions + [f"accrete at commit {', '.join(commits)}"] * bool(commits)))
    for threads in sorted({r["threads"] for r in records}):
        chosen = [r for r in records if r["threads"] == threads]
        count = max(r["thread_count"] for r in chosen)
        print(f"\n## {count} thread{'s' * (count > 1)}{' (all)' * (threads == 'all')}")
        loads = [r["load"] for r in chosen if r["entry"] != BASELINE]
        print(f"\nLoad average before the fits: median {statistics.median(loads):.1f}, largest {max(loads):.1f}")
        print_failures(chosen)
        standings = Standings(chosen, [*entries, BASELINE])
        print_tables(standings)
        print_synthetic(standings)
        if not real_tables(standings):
            continue
        print_times(standings)
        for against in (DEFAULT, BASELINE):
            if against in standings.entries:
                print_errors(standings, against)
        print_dial(standings)
