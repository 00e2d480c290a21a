"""The steps of `accrete dial` (accrete/boosting/dial.cpp) in NumPy, on recorded scores, for many splits."""
import math

import numpy as np

SHARES = 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4
FACTORS = [2 ** (i / 8) for i in range(80, -41, -1)]


def candidate_exits(ends):
    """Steps of the exits, from the units after each step."""
    steps = range(1, len(ends))
    allowed = [step for step in steps if ends[step - 1] % 16 == 0] or list(steps)
    exits = []
    for share in SHARES:
        nearest = min(allowed, key=lambda step: abs(ends[step - 1] - share * ends[-1]))
        if not exits or exits[-1] < nearest:
            exits.append(nearest)
    return exits


def p_value(wrong, rows, rate):
    """P(Binomial(rows, rate) <= wrong)."""
    log = [
        math.lgamma(rows + 1) - math.lgamma(k + 1) - math.lgamma(rows - k + 1) + k * math.log(rate)
        + (rows - k) * math.log1p(-rate)
        for k in range(wrong + 1)
    ]
    return min(1.0, sum(map(math.exp, log)))


class Evidence:
    """What every exit shows about every row, and what becomes of it."""

    def __init__(self, scores, units, classes):
        self.scores, self.units, self.classes = np.asarray(scores, float), units, classes
        if classes:
            self._compare_labels()

    def _compare_labels(self):
        scores = self.scores
        if scores.shape[2] == 1:
            scores = np.concatenate([-scores / 2, scores / 2], axis=2)
        labels = scores.argmax(2)
        exits, rows = np.arange(len(labels) - 1)[:, None], np.arange(labels.shape[1])
        ordered = np.partition(scores[:-1], -2, axis=2)
        self.shown = ordered[:, :, -1] - ordered[:, :, -2]
        self.differs = labels[:-1] != labels[-1]
        full = np.broadcast_to(scores[-1], scores[:-1].shape).copy()
        own = full[exits, rows, labels[:-1]]
        full[exits, rows, labels[:-1]] = -np.inf
        self.change = self.shown - (own - full.max(2))

    def _compare_values(self, learning):
        values = self.scores[:, :, 0]
        tolerance = 0.1 * values[-1, learning].std()
        moved = np.abs(np.diff(values[:-1], axis=0)) / tolerance
        self.shown = np.vstack([np.zeros(values.shape[1]), moved])
        self.change = np.abs(values[-1] - values[:-1]) / tolerance
        self.differs = self.change > 1

    def find_thresholds(self, rows, disagreement, confidence):
        """Thresholds for the exits, None if no row may stop. A quarter of the rows learns, the others test."""
        learning, testing = np.split(rows, [min(len(rows) // 4, 5_000)])
        if not self.classes:
            self._compare_values(learning)
        shown, change = self.shown[:, learning], self.change[:, learning]
        usual = np.zeros(len(shown)) if self.classes else np.maximum(np.median(shown, 1), 1e-300)
        if not self.classes:
            change = change / (shown + usual[:, None])
        scale = np.maximum(np.quantile(change, 0.99, axis=1), 0.1 * np.median(np.abs(change), axis=1))
        best = None
        for factor in FACTORS:
            thresholds = factor * scale if self.classes else 1 / (factor * scale) - usual
            if not self.classes:
                thresholds[0] = -1
            wrong = round(self.outcome(thresholds, testing)[0] * len(testing))
            if p_value(wrong, len(testing), disagreement) > 1 - confidence:
                break
            best = thresholds
        return best

    def outcome(self, thresholds, rows):
        """The share of the rows that stop with another prediction, and the mean number of units."""
        if thresholds is None:
            return 0.0, self.units[-1]
        shown, limits = self.shown[:, rows], np.asarray(thresholds)[:, None]
        stops = shown >= limits if self.classes else shown <= limits
        first = np.where(stops.any(0), stops.argmax(0), len(stops))
        differs = np.vstack([self.differs[:, rows], np.zeros((1, len(rows)), bool)])
        return differs[first, np.arange(len(rows))].mean(), self.units[first].mean()
