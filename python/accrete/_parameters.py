"""Names and values of parameters in Python and in the library."""

import numpy as np

from accrete import _core

# Library name -> Python name, for parameters with another name in scikit-learn.
PYTHON_NAMES = _core.PYTHON_NAMES
LIBRARY_NAMES = {python: library for library, python in PYTHON_NAMES.items()}

# Parameters that only the estimators have, or that mean something else there: type and description.
ESTIMATOR_PARAMETERS = {
    "preset": (
        "{'fast', 'default', 'best', 'paper'}, default='default'",
        "source of the parameters that are None. 'fast', 'default' and 'best' choose what is None on held-out rows, "
        "with rising effort; 'paper' has the values of the paper",
    ),
    "monotonic_cst": (
        "dict of str or int to int, or array-like of int of shape (n_features), default=None",
        "columns in which the prediction is monotone. As the column rises, it never falls (1) or never rises (-1); 0 "
        "is no constraint. A dict has columns by name or position, an array-like one entry per column. For numbers and "
        "two classes (the probability of the second); the columns must be numbers",
    ),
    "interaction_cst": (
        "'no_interactions' or sequence of lists/tuples/sets of str or int, default=None",
        "groups of columns, by name or position; the prediction is a sum of functions of one group each. Columns that "
        "are not named form one more group. 'no_interactions': every column alone, an additive model",
    ),
    "class_weight": (
        "dict or 'balanced', default=None",
        "weight of each class, by label; classes that are not in it weigh 1. The fit is that of the same "
        "sample_weight, and both multiply. 'balanced' gives every class the same total weight in the loss; columns are "
        "still standardised with the weights before that",
    ),
    "group_weight": (
        "str, int or dict, default=None",
        "weights by the values of a column of X, given by name or position. The column alone gives each of its values "
        "the same total weight; {column: {value: weight}} gives weights, 1 for other values. They multiply with "
        "sample_weight. A column that is only for this goes into `ignore` too",
    ),
    "early_stopping": (
        "bool, default=False",
        "hold out `validation_fraction` of the rows (0.1 unless given) and stop after `patience` units without "
        "improvement of their loss (100 unless given). The network is truncated to its best prefix",
    ),
    "eval_metric": (
        "callable, default=None",
        "metric of the validation set that decides the length of the network: a function (y_true, y_pred) that "
        "returns a number, smaller is better. y_pred has class probabilities, one column per class, or values. Needs "
        "`validation_fraction`, `early_stopping` or `eval_set`",
    ),
    "ignore": (
        "list of str or int, default=None",
        "columns of X that are not used, by name or position",
    ),
    "warm_start": (
        "bool, default=False",
        "when fit is called again with a larger n_units, keep the fitted units and add the missing ones",
    ),
    "random_state": (
        "int, RandomState instance or None, default=None",
        "seed of all random draws. An int gives the same model as the command line with that seed",
    ),
    "device": (
        "{'cpu', 'cuda', 'auto'}, default='cpu'",
        "where the network is trained. 'cuda' is an NVIDIA GPU and needs a build with CUDA (wheels have none). 'auto' "
        "uses a GPU if there is one, otherwise the CPU with a warning",
    ),
    "n_jobs": (
        "int, default=None",
        "number of threads; -1 uses all cores. None uses OMP_NUM_THREADS if it is set, otherwise all cores. Does not "
        "change the result",
    ),
    "keep_on_interrupt": (
        "bool, default=False",
        "what Ctrl-C does to a fit. False raises KeyboardInterrupt; the estimator keeps the units fitted so far. True "
        "warns and returns the estimator with these units, unless Ctrl-C is pressed again within 3 seconds",
    ),
    "verbose": (
        "int, default=0",
        "if 1, show a progress bar over the choice of parameters and the fit (with tqdm if it is installed)",
    ),
}


def library_name(name):
    """The library's name for an estimator parameter."""
    return LIBRARY_NAMES.get(name, name)


def to_text(value):
    """A parameter value in the library's text form."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(to_text(float(number)) for number in value)
    return str(value)


def preset_values(preset, classes):
    """The values of a preset as text, by library name; `classes` selects those for classification."""
    return {
        entry["name"]: value
        for entry in _core.parameters()
        for name, for_classes, value in entry["presets"]
        if (name, for_classes) == (preset, classes)
    }
