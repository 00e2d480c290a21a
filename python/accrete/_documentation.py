"""The parameter sections of the estimators' docstrings, generated from the library's list of parameters."""

from accrete import _core
from accrete._parameters import ESTIMATOR_PARAMETERS, library_name

# The library lists all losses; an estimator accepts those of its task.
LOSSES = {
    True: "one of auto, logistic, softmax",
    False: "one of auto, squared, huber, quantile, poisson, cross_entropy; or a function",
}


def _describe_default(presets, classes):
    values = {name: value for name, for_classes, value in presets if for_classes == classes}
    default, paper = values["default"], values["paper"]
    return default if default == paper else f"{default} (preset 'paper': {paper})"


def _sentence(text):
    return f"{text[0].upper()}{text[1:]}."


def parameter_section(names, classes):
    """The "Parameters" section of a docstring, for these parameters in this order."""
    library = {entry["name"]: entry for entry in _core.parameters()}
    lines = ["Parameters", "----------"]
    for name in names:
        if name in ESTIMATOR_PARAMETERS:
            kind, summary = ESTIMATOR_PARAMETERS[name]
            lines += [f"{name} : {kind}", f"    {_sentence(summary)}"]
            continue
        entry = library[library_name(name)]
        allowed = LOSSES[classes] if name == "loss" else entry["range"]
        default = _describe_default(entry["presets"], classes)
        if entry["chosen"]:
            default = f"None chooses it for the data; with auto=False it is {default}."
        else:
            default = f"None uses {default}."
        lines.append(f"{name} : {entry['kind']}, default=None")
        lines.append(f"    {_sentence(entry['summary'])} {_sentence(allowed)} {default}")
    return "\n".join("    " + line if line else line for line in lines)
