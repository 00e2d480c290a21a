"""How much each input moves the predictions, from the model alone."""

import numpy as np

from accrete._core import Table

ROWS, CELLS, WIDEST = 1000, 300_000, 1e38


def _draw(entry, rng, rows):
    """Values of an input as the training rows had them: numbers by mean and deviation, levels by their shares."""
    if entry["kind"] == "numeric":
        spread = 0.0 if entry["scale"] >= 1e24 else entry["scale"]  # a column that never varied
        return np.clip(entry["mean"] + spread * rng.standard_normal(rows), -WIDEST, WIDEST).astype(np.float32)
    edges = np.cumsum(entry["shares"])
    codes = np.searchsorted(edges, rng.random(rows), side="right").astype(np.int32)
    codes[codes >= len(edges)] = -1
    return codes


def _predictor(core, inputs, columns, threads):
    """predict() with the columns as they are at the time."""
    if core.all_numeric:
        matrix = np.ascontiguousarray(np.stack(columns, axis=1))

        def predict(place=None):
            if place is not None:
                matrix[:, place] = np.roll(columns[place], 1)
            moved = core.predict_rows(matrix, core.steps, threads)
            if place is not None:
                matrix[:, place] = columns[place]
            return moved

        return predict

    def predict(place=None):
        table = Table("drawn rows")
        for at, (entry, column) in enumerate(zip(inputs, columns)):
            column = np.roll(column, 1) if at == place else column
            if entry["kind"] == "numeric":
                table.add_numbers(entry["name"], column)
            else:
                table.add_text(entry["name"], column, entry["levels"])
        return core.predict_table(table, core.steps, threads)

    return predict


def importances(core, threads=0):
    """Shares that sum to 1: the mean squared change of the predictions when one input is taken from another row."""
    rng = np.random.default_rng(0)
    inputs = core.inputs
    rows = int(np.clip(CELLS // len(inputs), 100, ROWS))
    predict = _predictor(core, inputs, [_draw(entry, rng, rows) for entry in inputs], threads)
    scale = np.maximum(np.asarray(core.target_scale or [1.0]), 1e-300)
    before = predict() / scale
    moved = np.array([np.mean((predict(place) / scale - before) ** 2) for place in range(len(inputs))])
    total = moved.sum()
    return moved / total if total > 0 else moved
