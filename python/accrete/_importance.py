"""Feature importances computed from the model alone."""

import numpy as np

from accrete._core import Table

MAX_ROWS, MAX_CELLS, MAX_MAGNITUDE = 1000, 300_000, 1e38


def _draw(entry, rng, rows):
    """Random values of an input: normal with the training mean and deviation, or levels by frequency."""
    if entry["kind"] == "numeric":
        deviation = 0.0 if entry["scale"] >= 1e24 else entry["scale"]  # a constant column has a huge scale
        values = entry["mean"] + deviation * rng.standard_normal(rows)
        return np.clip(values, -MAX_MAGNITUDE, MAX_MAGNITUDE).astype(np.float32)
    edges = np.cumsum(entry["shares"])
    edges /= max(1.0, edges[-1] if len(edges) else 1.0)  # shares of rare levels are rounded up
    codes = np.searchsorted(edges, rng.random(rows), side="right").astype(np.int32)
    codes[codes >= len(edges)] = -1
    return codes


def _make_predict(model, inputs, columns, threads):
    """Returns predict(position): predictions with the column at `position` shifted by one row."""
    if model.all_numeric:
        matrix = np.ascontiguousarray(np.stack(columns, axis=1))

        def predict(position=None):
            if position is not None:
                matrix[:, position] = np.roll(columns[position], 1)
            predictions = model.predict_rows(matrix, model.steps, threads)
            if position is not None:
                matrix[:, position] = columns[position]
            return predictions

        return predict

    def predict(position=None):
        table = Table("random rows")
        for at, (entry, column) in enumerate(zip(inputs, columns)):
            column = np.roll(column, 1) if at == position else column
            if entry["kind"] == "numeric":
                table.add_numbers(entry["name"], column)
            else:
                table.add_text(entry["name"], column, entry["levels"])
        return model.predict_table(table, model.steps, threads)

    return predict


def feature_importances(model, threads=0):
    """The mean squared change of the predictions when an input is replaced by another row's; sums to 1."""
    rng = np.random.default_rng(0)
    inputs = model.inputs
    rows = int(np.clip(MAX_CELLS // len(inputs), 100, MAX_ROWS))
    predict = _make_predict(model, inputs, [_draw(entry, rng, rows) for entry in inputs], threads)
    scale = np.maximum(np.asarray(model.target_scale or [1.0]), 1e-300)
    before = predict() / scale
    changes = np.array([np.mean((predict(position) / scale - before) ** 2) for position in range(len(inputs))])
    total = changes.sum()
    return changes / total if total > 0 else changes
