"""The tables of the accuracy comparison, as markdown."""
import math

from common import head, row
from support import store
from support.entries import PRESETS
from support.fits import SPLIT
from support.standings import CONFIRMATION, DEVELOPMENT, TASKS, Standings, critical_distance, latest_labels

CLASSES, REGRESSION = TASKS[:2], TASKS[2:]
HALVES = {"all": None, "development half": DEVELOPMENT, "confirmation half": CONFIRMATION}
METRICS = {"error": "error", "log_loss": "log loss", "rmse": "RMSE"}
NONE = "-"


def selected(options):
    """The records of the store that the options select."""
    records = list(store.read(options.store).values())
    labels = {e: options.label for e in PRESETS} if options.label else latest_labels(records)
    return [r for r in records if r["entry"] in options.entries
            and (not options.only or r["data"] in options.only)
            and (r["fold"] == SPLIT or r["seed"] in options.seeds and r["fold"].endswith(f"/{options.folds}"))
            and r["label"] == store.label_of(r["entry"], labels.get(r["entry"]))]


def by_data_set(standings, title, tasks, metric, format_value, entries=None, best=True):
    """One row per data set; the best in bold, with those that print the same."""
    names = [d for d in standings.names(tasks) if any(standings.values(d, e, metric) is not None
                                                      for e in entries or standings.entries)]
    if not names:
        return
    print(f"\n{title}\n")
    head("data", "rows", "folds", *(entries or standings.entries))
    for d in names:
        means = [standings.mean(d, e, metric) for e in entries or standings.entries]
        cells = [NONE if m is None else format_value(m) for m in means]
        best_cell = format_value(min(m for m in means if m is not None))
        own = next(records for records in standings.results[d].values() if records)
        row(d, own[0]["train_rows"] + own[0]["test_rows"], len(own),
            *(f"**{c}**" if best and c == best_cell else c for c in cells))


def ratio_text(ratio):
    if ratio is None:
        return NONE
    value, error, count = ratio
    return f"{value:.3f}" + ("" if math.isnan(error) else f" ± {error:.3f}") + f" ({count})"


def print_ranks(standings):
    by_half = {half: standings.ranks(standings.names(within=names)) for half, names in HALVES.items()}
    by_half = {half: (ranks, count) for half, (ranks, count) in by_half.items() if count}
    if not by_half or len(standings.entries) < 2:
        return
    print("\nMean rank by error or RMSE, over data sets that every entry ran on; 1 is best\n")
    head("entry", *(f"{half} ({count})" for half, (_, count) in by_half.items()))
    first = next(iter(by_half.values()))[0]
    for entry in sorted(first, key=first.get):
        row(entry, *(f"{ranks[entry]:.2f}" for ranks, _ in by_half.values()))
    row("critical distance (Nemenyi, 0.05)",
        *(f"{critical_distance(len(ranks), count):.2f}" for ranks, count in by_half.values()))


def print_ratios(standings, against):
    for half, within in HALVES.items():
        classes, numbers = standings.names(CLASSES, within), standings.names(REGRESSION, within)
        columns = [(classes, "error"), (classes, "log_loss"), (numbers, "rmse")]
        if not any(standings.ratio(names, against, against, m) for names, m in columns):
            continue
        print(f"\nRatio to {against}, {half}: geometric mean over data sets ± standard error of its logarithm "
              f"(number of data sets); above 1: {against} is better. Wins, ties and losses of the entry at two "
              "standard errors of the fold-by-fold differences\n")
        head("entry", "error", "log loss", "RMSE", "wins-ties-losses")
        for entry in standings.entries:
            if entry != against:
                row(entry, *(ratio_text(standings.ratio(names, entry, against, m)) for names, m in columns),
                    "-".join(map(str, standings.wins(classes + numbers, entry, against))))


def print_seconds(standings, against="XGBoost 500"):
    by_data_set(standings, "Fit time on one core, seconds", TASKS, "fit_s", "{:.3g}".format)
    if against in standings.entries:
        print(f"\nTimes relative to {against}: geometric mean ± standard error of its logarithm "
              "(number of data sets)\n")
        head("entry", "fit", "prediction")
        for entry in standings.entries:
            ratios = [standings.ratio(standings.names(), entry, against, m) for m in ("fit_s", "predict_s")]
            row(entry, *map(ratio_text, ratios))


def print_dial(standings):
    """Prints the loss of accuracy when predicting with the first quarter of the units."""
    own = [e for e in standings.entries if e in PRESETS]
    by_data_set(standings, "Units", TASKS, "units", "{:.0f}".format, own, best=False)
    for entry in own:
        parts = [(CLASSES, "error"), (CLASSES, "log_loss"), (REGRESSION, "rmse")]
        texts = [f"{METRICS[m]} {ratio_text(standings.dial(standings.names(tasks), entry, m))}"
                 for tasks, m in parts]
        print(f"\nThe dial, {entry} at a quarter of its units over all of them: {', '.join(texts)}")


def print_failures(records):
    """Entries without a result on some data set, and the reason."""
    failures = {}
    for r in records:
        if r["status"] != "ok":
            failures.setdefault((r["data"], r["entry"], r["status"], r["reason"]), []).append(r)
    for (data, entry, status, reason), folds in sorted(failures.items()):
        print(f"\n{entry} on {data}: {status} on {len(folds)} of its folds ({reason})")


def report(options):
    records = selected(options)
    if not records:
        print(f"no results in {options.store} yet")
        return
    standings = Standings(records, options.entries)
    versions = sorted({r["version"] for r in records if r.get("version")})
    labels = sorted({r["label"] for r in records if r["label"]})
    print("; ".join([*(f"accrete: {label}" for label in labels), *versions]))
    print_failures(records)
    by_data_set(standings, "Error, %", CLASSES, "error", lambda m: f"{100 * m:.2f}")
    by_data_set(standings, "RMSE", REGRESSION, "rmse", "{:.4g}".format)
    by_data_set(standings, "Log loss (SVM gives no probabilities)", CLASSES, "log_loss", "{:.4f}".format)
    print_seconds(standings)
    print_ranks(standings)
    print_ratios(standings, options.against)
    print_dial(standings)
