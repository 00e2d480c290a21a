"""Programs of torch.export. Needs torch."""

import torch


def export_program(module, example):
    """Exports a module with one input of dynamic first dimension. Raises RuntimeError before PyTorch 2.5."""
    if not hasattr(torch, "export") or not hasattr(torch.export, "Dim") or not hasattr(torch.export.Dim, "AUTO"):
        raise RuntimeError(f"export: needs PyTorch 2.5 or later, this is {torch.__version__}; use script instead")
    if len(example) < 2:
        raise ValueError("example: torch.export needs a batch of at least two examples")
    shapes = ({0: torch.export.Dim.AUTO},)
    with torch.no_grad():
        # Not strict: the hook of a cut is Python, which the strict mode cannot follow.
        return torch.export.export(module, (example,), dynamic_shapes=shapes, strict=False)
