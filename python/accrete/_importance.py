"""How much each input moves the predictions, from the model alone."""

import numpy as np

from accrete._core import Table

ROWS = 1000


def _draw(entry, rng):
    """Values of an input as the training rows had them: numbers by mean and deviation, levels by their shares."""
    if entry["kind"] == "numeric":
        return (entry["mean"] + entry["scale"] * rng.standard_normal(ROWS)).astype(np.float32)
    edges = np.cumsum(entry["shares"])
    codes = np.searchsorted(edges, rng.random(ROWS), side="right").astype(np.int32)
    codes[codes >= len(edges)] = -1
    return codes


def _predict(core, columns, threads):
    table = Table("drawn rows")
    for entry, column in zip(core.inputs, columns):
        if entry["kind"] == "numeric":
            table.add_numbers(entry["name"], column)
        else:
            table.add_text(entry["name"], column, entry["levels"])
    return core.predict_table(table, core.steps, threads)


def importances(core, threads=0):
    """Shares that sum to 1: the mean squared change of the predictions when one input is taken from another row."""
    rng = np.random.default_rng(0)
    columns = [_draw(entry, rng) for entry in core.inputs]
    scale = np.maximum(np.asarray(core.target_scale or [1.0]), 1e-300)
    before = _predict(core, columns, threads) / scale
    moved = np.empty(len(columns))
    for place, column in enumerate(columns):
        columns[place] = np.roll(column, 1)
        moved[place] = np.mean((_predict(core, columns, threads) / scale - before) ** 2)
        columns[place] = column
    total = moved.sum()
    return moved / total if total > 0 else moved
