"""The estimators' lists of parameters, made from the library's one list of them."""

import re

from accrete import _core

# What scikit-learn calls it, where it has a name of its own.
PYTHON_NAMES = {"units": "n_units", "seed": "random_state"}
LIBRARY_NAMES = {python: library for library, python in PYTHON_NAMES.items()}

# The library has one list of losses; an estimator takes those of its kind.
LOSSES = {True: "one of auto, logistic, softmax", False: "one of auto, squared, huber, quantile, poisson"}

# Those that the library does not have, or that mean something else here.
OWN = {
    "preset": (
        "{'default', 'paper'}",
        "where parameters that are None come from: the best known settings, or those of the paper's authors",
    ),
    "class_weight": (
        "dict, 'balanced' or None",
        "a weight for each class, by label; 'balanced': each class weighs the same in total",
    ),
    "early_stopping": (
        "bool",
        "keep a share of the rows out (validation_fraction, 0.1 unless given) and stop after `patience` units without "
        "improvement on them (100 unless given); the network is cut at its best",
    ),
    "warm_start": ("bool", "when fitted again with more n_units, keep the units that are there and grow the rest"),
    "random_state": (
        "int, RandomState instance or None",
        "every random draw follows from it; an int is the command line's --seed",
    ),
    "device": (
        "{'cpu', 'cuda', 'auto'}",
        "where the network grows; 'cuda' is an NVIDIA GPU, in a build that has CUDA (the wheel has none); 'auto' takes "
        "one where there is one, else the CPU with a warning. Settings are chosen there too, where rows are many",
    ),
    "n_jobs": ("int or None", "threads; None takes OMP_NUM_THREADS, else all; never changes the result"),
    "verbose": ("int", "1: a progress bar (tqdm's where it is installed)"),
}


def to_python(text):
    """A message of the library with its flags as Python's arguments: "--units-per-step 0" is "units_per_step=0"."""

    def rename(match):
        name = match.group(1).replace("-", "_")
        name = PYTHON_NAMES.get(name, name)
        return f"{name}={match.group(2)}" if match.group(2) else name

    return re.sub(r"--([a-z][a-z-]*)(?: ([^\s:;,]+)(?=:))?", rename, text)


def _defaults(presets, classes):
    values = {name: value for name, of_classes, value in presets if of_classes == classes}
    default, paper = values["default"], values["paper"]
    return default if default == paper else f"{default} (preset 'paper': {paper})"


def _sentence(text):
    return f"{text[0].upper()}{text[1:]}."


def parameter_section(names, classes):
    """The "Parameters" part of a docstring, for these parameters in their order."""
    library = {entry["name"]: entry for entry in _core.parameters()}
    lines = ["Parameters", "----------"]
    for name in names:
        entry = library.get(LIBRARY_NAMES.get(name, name))
        if name in OWN:
            kind, summary = OWN[name]
            lines += [f"{name} : {kind}", f"    {_sentence(summary)}"]
            continue
        lines.append(f"{name} : {entry['kind']} or None, default None: {_defaults(entry['presets'], classes)}")
        allowed = LOSSES[classes] if name == "loss" else entry["range"]
        lines.append(f"    {_sentence(entry['summary'])} {_sentence(allowed)}")
    return "\n".join("    " + line if line else line for line in lines)
