"""Statistics over finished fits: means over the folds that every entry has finished, ranks, ratios, wins.

An entry that failed or exceeded the time limit on a fold has no result on that data set: it ranks last there, counts
as a loss and is left out of ratios.
"""
import numpy as np
from scipy import stats

from support.entries import PRESETS

# Fixed before any experiment: the default was developed on one half and confirmed on the other. Takes every second name
# of the alphabetical list within two classes, more classes, and regression.
DEVELOPMENT = ["australian", "breast_cancer", "german", "ilpd", "magic", "spambase",
               "covertype", "iris", "vehicle", "waveform",
               "boston", "energy_cooling", "power", "wine_white"]
CONFIRMATION = ["banknote", "diabetes", "hepatitis", "ionosphere", "sonar", "tic-tac-toe",
                "digits", "poker", "vowel", "wine",
                "concrete", "energy_heating", "wine_red"]
TASKS = ["binary", "multiclass", "regression"]


def latest_labels(records):
    """entry -> label of its last record, for accrete's entries"""
    return {record["entry"]: record["label"] for record in records if record["entry"] in PRESETS}


class Standings:
    """`results[data][entry]`: records on the folds that every entry has, in the same order; None if one failed."""

    def __init__(self, records, entries):
        self.entries = [e for e in entries if any(r["entry"] == e for r in records)]
        self.results, self.task = {}, {}
        for data in sorted({r["data"] for r in records}):
            here = [r for r in records if r["data"] == data]
            by_entry = {e: {(r["seed"], r["fold"]): r for r in here if r["entry"] == e} for e in self.entries}
            common = sorted(set.intersection(*(set(folds) for folds in by_entry.values() if folds)))
            succeeded = [r for r in here if r["status"] == "ok"]
            if common and succeeded:
                self.task[data] = succeeded[0]["task"]
                self.results[data] = {e: [folds[f] for f in common] for e, folds in by_entry.items() if folds}
        for results in self.results.values():
            for entry, own in results.items():
                if any(r["status"] != "ok" for r in own):
                    results[entry] = None

    def names(self, tasks=TASKS, within=None):
        return [d for task in TASKS if task in tasks for d in self.results
                if self.task[d] == task and (within is None or d in within)]

    def values(self, data, entry, metric):
        """One value per fold, or None."""
        own = self.results[data].get(entry)
        return None if not own or metric not in own[0] else np.array([r[metric] for r in own], float)

    def score(self, data):
        """The metric that ranks entries on this data set."""
        return "rmse" if self.task[data] == "regression" else "error"

    def mean(self, data, entry, metric):
        values = self.values(data, entry, metric)
        return None if values is None else float(values.mean())

    def positive_mean(self, data, entry, metric, part=None):
        """A mean above 0: errors count half a row more, because there may be none. `part`: as in dial()."""
        own = self.results[data].get(entry)
        own = own and [{**r, **r[part]} if part else r for r in own]
        if not own or metric not in own[0]:
            return None
        if metric == "error":
            return (sum(r["wrong"] for r in own) + .5) / (sum(r["test_rows"] for r in own) + 1)
        return float(np.mean([r[metric] for r in own]))

    def ratio(self, names, entry, against, metric):
        """Geometric mean over data sets of entry / against, standard error of its logarithm, number of data sets."""
        pairs = [(self.positive_mean(d, entry, metric), self.positive_mean(d, against, metric)) for d in names]
        return mean_ratio(pairs)

    def dial(self, names, entry, metric):
        """The same for the first quarter of an entry's units / all of them."""
        return mean_ratio([(self.positive_mean(d, entry, metric, "quarter"), self.positive_mean(d, entry, metric))
                           for d in names])

    def ranks(self, names):
        """entry -> mean rank over the data sets that every entry ran on; number of these data sets."""
        table = []
        for d in names:
            if len(self.results[d]) == len(self.entries):
                means = [self.mean(d, e, self.score(d)) for e in self.entries]
                table.append(stats.rankdata([np.inf if m is None else round(m, 12) for m in means]))
        return (dict(zip(self.entries, np.mean(table, axis=0))) if table else {}), len(table)

    def wins(self, names, entry, against):
        """Number of data sets where entry is better, equal or worse by two standard errors."""
        counts = [0, 0, 0]
        for d in names:
            if entry in self.results[d] and against in self.results[d]:
                counts[1 + self.sign(d, entry, against)] += 1
        return counts

    def sign(self, data, entry, against):
        """-1 if entry is better. Uses fold-by-fold differences; with a single split, the errors of both entries count
        as independent, which overestimates the standard error."""
        one, other = (self.values(data, e, self.score(data)) for e in (entry, against))
        if one is None or other is None:
            return int(one is None) - int(other is None)
        difference = one - other
        if len(difference) > 1:
            error = difference.std(ddof=1) / np.sqrt(len(difference))
        elif self.task[data] != "regression":
            rows = self.results[data][entry][0]["test_rows"]
            error = float(np.sqrt((one[0] * (1 - one[0]) + other[0] * (1 - other[0])) / rows))
        else:
            return 0
        return int(np.sign(difference.mean())) if abs(difference.mean()) > 2 * error else 0


def mean_ratio(pairs):
    logs = [np.log(one / other) for one, other in pairs if one is not None and other is not None]
    if not logs:
        return None
    error = np.std(logs, ddof=1) / np.sqrt(len(logs)) if len(logs) > 1 else np.nan
    return float(np.exp(np.mean(logs))), float(error), len(logs)


def critical_distance(entries, count, alpha=.05):
    """Nemenyi's critical distance between mean ranks of `entries` entries over `count` data sets."""
    q = stats.studentized_range.ppf(1 - alpha, entries, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(entries * (entries + 1) / (6 * count)))
