"""Export of torch modules to ONNX. Needs torch."""

import inspect
import os
import tempfile

import torch

OPSET = 13


def _write(module, arguments, path, names, outputs):
    # The tracing exporter: the newer one needs more packages and does not support hooks.
    tracing = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    axes = {names[0]: {0: "examples"}, outputs[0]: {0: "examples"}}
    with torch.no_grad():
        torch.onnx.export(module, arguments, path, input_names=names, output_names=outputs, dynamic_axes=axes,
                          opset_version=OPSET, **tracing)


def export(module, example, path, dial):
    """Writes the file atomically. With ``dial``, the module's second input is a tensor with the units."""
    path = os.fspath(path)
    units = int(module.head.ends[-1])
    names = ["x", "units"] if dial else ["x"]
    outputs = ["probabilities" if module.head.link == "softmax" else "variable"]
    arguments = (example, torch.tensor([units], device=example.device)) if dial else (example,)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(path)), prefix=".accrete-") as folder:
        temporary = os.path.join(folder, "network.onnx")
        _write(module, arguments, temporary, names, outputs)
        os.replace(temporary, path)
