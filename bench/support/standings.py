"""What the finished fits say: means on folds that all have finished, ranks, ratios, wins.

An entry that failed or ran too long on a fold has no result on that data set: it is last there where ranks are taken,
loses there where wins are counted, and is left out there of ratios.
"""
import numpy as np
from scipy import stats

from support.entries import PRESETS

# Fixed before any experiment, so that what is chosen by looking at one half can be confirmed on the other: every second
# name of the alphabetical list within two classes, more classes, and regression.
CHOOSING = ["australian", "breast_cancer", "german", "ilpd", "magic", "spambase",
            "covertype", "iris", "vehicle", "waveform",
            "boston", "energy_cooling", "power", "wine_white"]
CONFIRMING = ["banknote", "diabetes", "hepatitis", "ionosphere", "sonar", "tic-tac-toe",
              "digits", "poker", "vowel", "wine",
              "concrete", "energy_heating", "wine_red"]
TASKS = ["binary", "multiclass", "regression"]


def latest_labels(lines):
    """entry -> the label of its last line, for entries of accrete"""
    return {line["entry"]: line["label"] for line in lines if line["entry"] in PRESETS}


class Standings:
    """`found[data][entry]`: an entry's lines on the folds that all have, in the same order; None where it is out."""

    def __init__(self, lines, entries):
        self.entries = [e for e in entries if any(line["entry"] == e for line in lines)]
        self.found, self.task = {}, {}
        for data in sorted({line["data"] for line in lines}):
            here = [line for line in lines if line["data"] == data]
            by_entry = {e: {(li["seed"], li["fold"]): li for li in here if li["entry"] == e} for e in self.entries}
            common = sorted(set.intersection(*(set(places) for places in by_entry.values() if places)))
            good = [line for line in here if line["status"] == "ok"]
            if common and good:
                self.task[data] = good[0]["task"]
                self.found[data] = {e: [places[p] for p in common] for e, places in by_entry.items() if places}
        for results in self.found.values():
            for entry, own in results.items():
                if any(line["status"] != "ok" for line in own):
                    results[entry] = None

    def names(self, tasks=TASKS, within=None):
        return [d for task in TASKS if task in tasks for d in self.found
                if self.task[d] == task and (within is None or d in within)]

    def values(self, data, entry, measure):
        """One a fold, or None where there are none."""
        own = self.found[data].get(entry)
        return None if not own or measure not in own[0] else np.array([line[measure] for line in own], float)

    def score(self, data):
        """What counts on this data set."""
        return "rmse" if self.task[data] == "regression" else "error"

    def mean(self, data, entry, measure):
        values = self.values(data, entry, measure)
        return None if values is None else float(values.mean())

    def level(self, data, entry, measure, part=None):
        """A mean that has a logarithm: errors count half a row more, for there may be none. `part`: see the dial."""
        own = self.found[data].get(entry)
        own = own and [{**line, **line[part]} if part else line for line in own]
        if not own or measure not in own[0]:
            return None
        if measure == "error":
            return (sum(line["wrong"] for line in own) + .5) / (sum(line["test_rows"] for line in own) + 1)
        return float(np.mean([line[measure] for line in own]))

    def ratio(self, names, entry, against, measure):
        """Geometric mean over data sets of entry / against, the standard error of its logarithm, how many they are."""
        pairs = [(self.level(d, entry, measure), self.level(d, against, measure)) for d in names]
        return mean_ratio(pairs)

    def dial(self, names, entry, measure):
        """The same of the first quarter of an entry's units / all of them."""
        return mean_ratio([(self.level(d, entry, measure, "quarter"), self.level(d, entry, measure)) for d in names])

    def ranks(self, names):
        """entry -> mean rank over the data sets that every entry has been tried on; how many these are."""
        table = []
        for d in names:
            if len(self.found[d]) == len(self.entries):
                means = [self.mean(d, e, self.score(d)) for e in self.entries]
                table.append(stats.rankdata([np.inf if m is None else round(m, 12) for m in means]))
        return (dict(zip(self.entries, np.mean(table, axis=0))) if table else {}), len(table)

    def wins(self, names, entry, against):
        """Data sets on which entry is better than the other, neither, or worse, by two standard errors."""
        counts = [0, 0, 0]
        for d in names:
            if entry in self.found[d] and against in self.found[d]:
                counts[1 + self.sign(d, entry, against)] += 1
        return counts

    def sign(self, data, entry, against):
        """-1: entry is better. By the differences fold by fold; where there is one split only, as if the errors on its
        test rows were independent of each other, which makes the standard error larger than it is."""
        one, other = (self.values(data, e, self.score(data)) for e in (entry, against))
        if one is None or other is None:
            return int(one is None) - int(other is None)
        difference = one - other
        if len(difference) > 1:
            error = difference.std(ddof=1) / np.sqrt(len(difference))
        elif self.task[data] != "regression":
            rows = self.found[data][entry][0]["test_rows"]
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
    """Nemenyi: mean ranks of so many entries over `count` data sets that are closer than this may differ by chance."""
    q = stats.studentized_range.ppf(1 - alpha, entries, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(entries * (entries + 1) / (6 * count)))
