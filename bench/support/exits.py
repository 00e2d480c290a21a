"""The steps of `accrete dial` (accrete/boosting/dial.cpp) in NumPy, on recorded scores, for many splits."""
import math

import numpy as np

SHARES = 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4
GRID = [k / 64 for k in (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 56)]
FACTORS = [2 ** (i / 8) for i in range(80, -41, -1)]
CLASS_QUANTILE, VALUE_QUANTILE = 0.95, 0.99
MOVE_UNITS, MAX_EXITS, MIN_GAIN = 16, 8, 0.002


def candidate_exits(ends, classes):
    """Steps of the exits, from the units after each step; for classes a grid from which they are chosen."""
    steps = range(1, len(ends))
    allowed = [step for step in steps if ends[step - 1] % 16 == 0] or list(steps)
    exits = []
    for share in GRID if classes else SHARES:
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
    """The evidence of every exit about every row, and how its prediction changes afterwards."""

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

    def _scales(self, learning):
        """Scale per exit: a high quantile of the margin loss; for regression, relative to movement plus its median."""
        shown, change = self.shown[:, learning], self.change[:, learning]
        usual = np.zeros(len(shown)) if self.classes else np.maximum(np.median(shown, 1), 1e-300)
        if not self.classes:
            change = change / (shown + usual[:, None])
        level = CLASS_QUANTILE if self.classes else VALUE_QUANTILE
        return np.maximum(np.quantile(change, level, axis=1), 0.1 * np.median(np.abs(change), axis=1)), usual

    def _stops_at(self, thresholds, rows, exits):
        """Per row, the index in `exits` of the one where it stops; len(exits) if it does not stop."""
        stops_at = np.full(len(rows), len(exits))
        for position in reversed(range(len(exits))):
            shown, limit = self.shown[exits[position]][rows], thresholds[exits[position]]
            stops_at[shown >= limit if self.classes else shown <= limit] = position
        return stops_at

    def _factors(self, scales, rows):
        """The factors; of those at which no row stops, which are equivalent, only the last."""
        if not self.classes:
            return FACTORS
        largest = max(self.shown[exit][rows].max() / scale for exit, scale in enumerate(scales))
        return FACTORS[max(0, sum(factor > largest for factor in FACTORS) - 1) :]

    def _choose_exits(self, learning, scales, disagreement):
        """The exits that save more on the learning rows than it costs to pass other rows on."""
        every, chosen, best = list(range(len(scales))), [], None
        for factor in self._factors(scales, learning):
            if self.outcome(factor * scales, learning, every)[0] * len(learning) > max(1, disagreement * len(learning)):
                break
            best = factor * scales
        cost = self.units[-1]

        def cost_with(exits):
            stops = self._stops_at(best, learning, exits)
            return (self.units[[*exits, -1]][stops] + MOVE_UNITS * stops).mean()

        while best is not None and len(chosen) < min(MAX_EXITS, len(every)):
            tried = [sorted([*chosen, exit]) for exit in every if exit not in chosen]
            costs = [cost_with(exits) for exits in tried]
            if min(costs) >= cost - MIN_GAIN * self.units[-1]:
                break
            cost, chosen = min(costs), tried[int(np.argmin(costs))]
        return chosen

    def find_thresholds(self, rows, disagreement, confidence):
        """(thresholds, exits), None if no row may stop. A quarter of the rows learns, the others test."""
        learning, testing = np.split(rows, [min(len(rows) // 4, 5_000)])
        if not self.classes:
            self._compare_values(learning)
        scales, usual = self._scales(learning)
        exits = self._choose_exits(learning, scales, disagreement) if self.classes else list(range(len(scales)))
        best = None
        for factor in self._factors(scales, testing) if exits else ():
            thresholds = factor * scales if self.classes else 1 / (factor * scales) - usual
            if not self.classes:
                thresholds[0] = -1
            wrong = round(self.outcome(thresholds, testing, exits)[0] * len(testing))
            if p_value(wrong, len(testing), disagreement) > 1 - confidence:
                break
            best = thresholds, exits
        return best

    def outcome(self, thresholds, rows, exits):
        """The share of rows that stop with another prediction, and the mean number of units."""
        stops = self._stops_at(thresholds, rows, exits)
        differs = np.vstack([self.differs[np.ix_(exits, rows)], np.zeros((1, len(rows)), bool)])
        return differs[stops, np.arange(len(rows))].mean(), self.units[[*exits, -1]][stops].mean()
