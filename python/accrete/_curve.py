"""The losses of a fit as a table."""

import numpy as np


def curve_table(model):
    """See Fitted.curve_table."""
    rows = min(len(model.train_loss), model.steps + 1)  # early stopping keeps the losses of removed steps
    validation = np.full(rows, np.nan)
    known = model.validation_loss[:rows]
    validation[: len(known)] = known
    columns = {
        "step": np.arange(rows),
        "units": np.array([0, *model.step_ends])[:rows],
        "train_loss": np.array(model.train_loss[:rows]),
        "validation_loss": validation,
    }
    try:
        import pandas as pd
    except ImportError:
        return columns
    return pd.DataFrame(columns)
