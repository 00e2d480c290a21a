"""The tables of the comparison of accuracy, as markdown."""
import math

from common import head, row
from support import store
from support.entries import PRESETS
from support.fits import SPLIT
from support.standings import CHOOSING, CONFIRMING, TASKS, Standings, critical_distance, latest_labels

CLASSES, REGRESSION = TASKS[:2], TASKS[2:]
HALVES = {"all": None, "choosing half": CHOOSING, "confirming half": CONFIRMING}
MEASURES = {"error": "error", "log_loss": "log loss", "rmse": "RMSE"}
NONE = "-"


def chosen(options):
    """The lines of the store that the options ask for."""
    lines = list(store.read(options.store).values())
    labels = {e: options.label for e in PRESETS} if options.label else latest_labels(lines)
    return [line for line in lines if line["entry"] in options.entries
            and (not options.only or line["data"] in options.only)
            and (line["fold"] == SPLIT or line["seed"] in options.seeds and line["fold"].endswith(f"/{options.folds}"))
            and line["label"] == store.label_of(line["entry"], labels.get(line["entry"]))]


def by_data_set(standings, title, tasks, measure, layout, entries=None, best=True):
    """One row a data set; the best in bold, with those that look the same."""
    names = [d for d in standings.names(tasks) if any(standings.values(d, e, measure) is not None
                                                      for e in entries or standings.entries)]
    if not names:
        return
    print(f"\n{title}\n")
    head("data", "rows", "folds", *(entries or standings.entries))
    for d in names:
        means = [standings.mean(d, e, measure) for e in entries or standings.entries]
        cells = [NONE if m is None else layout(m) for m in means]
        least = layout(min(m for m in means if m is not None))
        own = next(lines for lines in standings.found[d].values() if lines)
        row(d, own[0]["train_rows"] + own[0]["test_rows"], len(own),
            *(f"**{c}**" if best and c == least else c for c in cells))


def ratio_text(found):
    if found is None:
        return NONE
    value, error, count = found
    return f"{value:.3f}" + ("" if math.isnan(error) else f" ± {error:.3f}") + f" ({count})"


def print_ranks(standings):
    found = {half: standings.ranks(standings.names(within=names)) for half, names in HALVES.items()}
    found = {half: (ranks, count) for half, (ranks, count) in found.items() if count}
    if not found or len(standings.entries) < 2:
        return
    print("\nMean rank by error or RMSE, over data sets that every entry has been tried on; 1 is best\n")
    head("entry", *(f"{half} ({count})" for half, (_, count) in found.items()))
    first = next(iter(found.values()))[0]
    for entry in sorted(first, key=first.get):
        row(entry, *(f"{ranks[entry]:.2f}" for ranks, _ in found.values()))
    row("critical distance (Nemenyi, 0.05)",
        *(f"{critical_distance(len(ranks), count):.2f}" for ranks, count in found.values()))


def print_ratios(standings, against):
    for half, within in HALVES.items():
        classes, numbers = standings.names(CLASSES, within), standings.names(REGRESSION, within)
        columns = [(classes, "error"), (classes, "log_loss"), (numbers, "rmse")]
        if not any(standings.ratio(names, against, against, m) for names, m in columns):
            continue
        print(f"\nRatio to {against}, {half}: geometric mean over data sets ± standard error of its logarithm "
              f"(how many); above 1: {against} is better. Wins, ties and losses of the entry at two standard errors of "
              "the differences fold by fold\n")
        head("entry", "error", "log loss", "RMSE", "wins-ties-losses")
        for entry in standings.entries:
            if entry != against:
                row(entry, *(ratio_text(standings.ratio(names, entry, against, m)) for names, m in columns),
                    "-".join(map(str, standings.wins(classes + numbers, entry, against))))


def print_seconds(standings, against="XGBoost 500"):
    by_data_set(standings, "Seconds of a fit on one core", TASKS, "fit_s", "{:.3g}".format)
    if against in standings.entries:
        print(f"\nSeconds as a ratio to {against}: geometric mean ± standard error of its logarithm (how many)\n")
        head("entry", "fit", "prediction")
        for entry in standings.entries:
            ratios = [standings.ratio(standings.names(), entry, against, m) for m in ("fit_s", "predict_s")]
            row(entry, *map(ratio_text, ratios))


def print_dial(standings):
    """What is lost by stopping at a quarter of the units, which the dial of a finished network can do at any time."""
    own = [e for e in standings.entries if e in PRESETS]
    by_data_set(standings, "Units", TASKS, "units", "{:.0f}".format, own, best=False)
    for entry in own:
        parts = [(CLASSES, "error"), (CLASSES, "log_loss"), (REGRESSION, "rmse")]
        texts = [f"{MEASURES[m]} {ratio_text(standings.dial(standings.names(tasks), entry, m))}"
                 for tasks, m in parts]
        print(f"\nThe dial, {entry} at a quarter of its units over all of them: {', '.join(texts)}")


def print_out(lines):
    """Who has no result where, and why."""
    out = {}
    for line in lines:
        if line["status"] != "ok":
            out.setdefault((line["data"], line["entry"], line["status"], line["reason"]), []).append(line)
    for (data, entry, status, reason), them in sorted(out.items()):
        print(f"\n{entry} on {data}: {status} on {len(them)} of its folds ({reason})")


def report(options):
    lines = chosen(options)
    if not lines:
        print(f"nothing in {options.store} yet")
        return
    standings = Standings(lines, options.entries)
    versions = sorted({line["version"] for line in lines if line.get("version")})
    labels = sorted({line["label"] for line in lines if line["label"]})
    print("; ".join([*(f"accrete: {label}" for label in labels), *versions]))
    print_out(lines)
    by_data_set(standings, "Error, %", CLASSES, "error", lambda m: f"{100 * m:.2f}")
    by_data_set(standings, "RMSE", REGRESSION, "rmse", "{:.4g}".format)
    by_data_set(standings, "Log loss (SVM gives no probabilities)", CLASSES, "log_loss", "{:.4f}".format)
    print_seconds(standings)
    print_ranks(standings)
    print_ratios(standings, options.against)
    print_dial(standings)
