"""Frozen torch modules. Needs torch."""

import copy
import inspect
import threading

import torch
from torch import nn

HALF = (torch.float16, torch.bfloat16)


class Frozen(nn.Module):
    """A backbone in evaluation mode; gives its output, or that of the submodule ``cut``, as N x F features.

    Features in half precision become float32. Of a module of torch.compile, the original is ``backbone``: its names,
    its state and its exports are those of a module that is not compiled.
    """

    def __init__(self, backbone, cut=None):
        super().__init__()
        if not isinstance(backbone, nn.Module):
            raise TypeError(f"backbone: must be a torch.nn.Module, not {type(backbone).__name__}")
        original = getattr(backbone, "_orig_mod", None)
        _check_inputs(backbone if original is None else original)
        self.backbone, self.cut = (backbone if original is None else original).eval(), cut
        # In a tuple to hide it from the submodules. A cut needs hooks, which compiled code does not call.
        self._compiled = () if original is None or cut is not None else (backbone.eval(),)
        if cut is not None:
            self._cut_module()

    def __getstate__(self):
        """Compiled code cannot be pickled; the original module takes its place."""
        return {**self.__dict__, "_compiled": ()}

    def plain(self):
        """A copy of this module in float32 and without compiled code, for exports; itself if it is one already."""
        if not self._compiled and dtype_of(self.backbone) not in HALF:
            return self
        plain = Frozen(self.backbone, self.cut)
        return copy.deepcopy(plain).float() if dtype_of(self.backbone) in HALF else plain

    def _cut_module(self):
        if isinstance(self.backbone, torch.jit.ScriptModule):
            raise ValueError(
                "cut: Python cannot access submodules of a TorchScript module; cut it before compiling it, or use "
                "`accrete deep boost --cut`"
            )
        modules = dict(self.backbone.named_modules())
        modules.pop("")
        if self.cut not in modules:
            names = ", ".join(modules) if modules else "none"
            raise ValueError(f"cut={self.cut!r}: the backbone has no such module; it has {names}")
        return modules[self.cut]

    def train(self, mode=True):
        """Ignores the mode and stays in evaluation mode."""
        return super().train(False)

    def forward(self, x):
        dtype = dtype_of(self.backbone)
        if dtype is not None and x.is_floating_point() and x.dtype != dtype:
            x = x.to(dtype)
        if self.cut is not None:
            return _check_features(self._output_at_cut(x))
        return _check_features(self._compiled[0](x) if self._compiled else self.backbone(x))

    def _output_at_cut(self, x):
        outputs, thread = [], threading.get_ident()

        def record(module, inputs, output):
            if threading.get_ident() == thread:
                outputs.append(output)

        hook = self._cut_module().register_forward_hook(record)
        try:
            self.backbone(x)
        finally:
            hook.remove()
        if len(outputs) != 1:
            raise ValueError(
                f"cut={self.cut!r}: the backbone calls this module {len(outputs)} times per batch; it must be called "
                "once"
            )
        return outputs[0]


def _check_inputs(backbone):
    """Raises if forward needs more than one argument."""
    if isinstance(backbone, torch.jit.ScriptModule):
        return
    try:
        parameters = list(inspect.signature(backbone.forward).parameters.values())
    except (TypeError, ValueError):
        return
    needed = [p.name for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if len(needed) > 1:
        raise ValueError(
            f"the backbone takes {len(needed)} inputs ({', '.join(needed)}); a head needs one: wrap it in a module "
            "that takes one tensor and splits it"
        )


def _check_features(features):
    if not isinstance(features, torch.Tensor):
        raise ValueError(
            f"the backbone returns a {type(features).__name__}; a head needs a tensor of N x F features: wrap it in a "
            "module that returns one, or cut it"
        )
    if features.dim() != 2:
        shape = " x ".join(str(int(size)) for size in features.shape)
        raise ValueError(
            f"the backbone returns {features.dim()} dimensions ({shape}); a head needs N x F features "
            "(append nn.Flatten() to the backbone)"
        )
    return features.float() if features.dtype in HALF else features


def dtype_of(module):
    """The dtype of a module's floating-point parameters; None if it has none or several."""
    found = {parameter.dtype for parameter in module.parameters() if parameter.is_floating_point()}
    return found.pop() if len(found) == 1 else None


def device_of(module):
    """The device of a module's parameters and buffers."""
    for tensor in [*module.parameters(), *module.buffers()]:
        return tensor.device
    return torch.device("cpu")
