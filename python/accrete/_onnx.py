"""A torch module as an ONNX file."""

import inspect
import os
import tempfile

import torch

OPSET = 13


def _write(module, arguments, path, names, outputs):
    # Tracing: the newer exporter needs packages of its own, and does not know hooks.
    older = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    axes = {names[0]: {0: "examples"}, outputs[0]: {0: "examples"}}
    with torch.no_grad():
        torch.onnx.export(module, arguments, path, input_names=names, output_names=outputs, dynamic_axes=axes,
                          opset_version=OPSET, **older)


def _default(path, units):
    """Makes the input "units" one that may be left out."""
    import onnx

    model = onnx.load(path)
    model.graph.initializer.append(onnx.helper.make_tensor("units", onnx.TensorProto.INT64, [1], [units]))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def export(module, example, path, dial):
    """Written beside the path and renamed. With ``dial`` the module takes a tensor of units after its example."""
    path = os.fspath(path)
    units = int(module.head.ends[-1])
    names = ["x", "units"] if dial else ["x"]
    outputs = ["probabilities" if module.head.link == "softmax" else "variable"]
    arguments = (example, torch.tensor([units], device=example.device)) if dial else (example,)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(path)), prefix=".accrete-") as folder:
        beside = os.path.join(folder, "network.onnx")
        _write(module, arguments, beside, names, outputs)
        if dial:
            _default(beside, units)
        os.replace(beside, path)
