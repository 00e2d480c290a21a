"""A model as a torch module. Imports torch, so it is imported only when that is asked for."""

import numpy as np
import torch
from torch import nn


# What a feature is.
NUMBER, LEVEL, GAP, BIN = range(4)


def _features(entry):
    """Of an input: what each of its features is, what it is subtracted and divided by, its level, its knots."""
    features = []
    if entry["kind"] == "numeric":
        features.append((NUMBER, entry["mean"], entry["scale"], -1.0, 0.0, 1.0))
        ends = zip(entry["bin_means"], entry["bin_scales"], entry["knots"], entry["knots"][1:])
        features += [(BIN, mean, scale, -1.0, low, high) for mean, scale, low, high in ends]
    for level, share in enumerate(entry["shares"]):
        deviation = np.sqrt(share * (1.0 - share))
        features.append((LEVEL, share, 1e24 if share >= 1 else deviation or 1.0, float(level), 0.0, 1.0))
    if entry["indicator"]:
        features.append((GAP, 0.0, 1.0, -1.0, 0.0, 1.0))
    return features


class Encode(nn.Module):
    """Raw inputs to the features that the network sees: standardised, gaps (NaN) marked, categories one-hot, bins cut.

    A column that holds a category is given as the place of its level in ``levels``; any other number is a level not
    seen in training.
    """

    def __init__(self, inputs):
        super().__init__()
        every = [(place, *feature) for place, entry in enumerate(inputs) for feature in _features(entry)]
        for part, name in enumerate(("sources", "kinds", "means", "scales", "levels", "lows", "highs")):
            kind = torch.long if name in ("sources", "kinds") else torch.float64
            self.register_buffer(name, torch.tensor([feature[part] for feature in every], dtype=kind))

    def forward(self, x):
        # In double, as the library does: a mean that is large beside the scale would take float's digits.
        raw = x.to(torch.float64)[:, self.sources]
        gaps = torch.isnan(raw)
        cut = ((raw - self.lows) / (self.highs - self.lows)).clamp(0.0, 1.0)
        numbers = torch.where(self.kinds == BIN, cut, raw)
        hot = (raw == self.levels).to(torch.float64)
        values = torch.where(self.kinds == LEVEL, hot, torch.where(gaps, self.means, numbers))
        scaled = (values - self.means) / self.scales
        return torch.where(self.kinds == GAP, gaps.to(torch.float64), scaled).to(torch.float32)


class Exp(nn.Module):
    def forward(self, x):
        return torch.exp(x)


class Scale(nn.Module):
    """shift + scale * score, in the target's units."""

    def __init__(self, shift, scale):
        super().__init__()
        self.register_buffer("shift", torch.tensor(shift, dtype=torch.float64))
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float64))

    def forward(self, x):
        return self.shift + self.scale * x.to(torch.float64)


ACTIVATIONS = {"logistic": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU}


def _linear(weights, bias):
    layer = nn.Linear(weights.shape[1], weights.shape[0])
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(np.array(weights, dtype=np.float32)))
        layer.bias.copy_(torch.from_numpy(np.array(bias, dtype=np.float32)))
    return layer


def _link(core):
    if core.classes:
        return nn.Softmax(dim=1)
    if core.loss == "poisson":
        return Exp()
    return Scale(core.target_shift, core.target_scale)


def to_torch(core):
    """encoder, hidden layer, activation, output layer, link."""
    output, bias = core.output_weights.T, core.prefix_bias[-1]
    if len(core.classes) == 2 and core.outputs == 1:
        # A sigmoid is a softmax of two scores, the first of them 0.
        output, bias = np.vstack([np.zeros_like(output), output]), np.array([0.0, bias[0]])
    hidden, activation = _linear(core.hidden_weights, core.hidden_bias), ACTIVATIONS[core.activation]()
    return nn.Sequential(Encode(core.inputs), hidden, activation, _linear(output, bias), _link(core))
