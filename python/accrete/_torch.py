"""Models as torch modules. Needs torch."""

import numpy as np
import torch
from torch import nn


# Kinds of features.
NUMBER, LEVEL, GAP, BIN = range(4)


# The features of a group (data::FeatureGroup): kind, mean, scale, level, first and last boundary of the bin.
RENDERERS = {
    "standardised": lambda group: [(NUMBER, group["mean"], group["scale"], -1.0, 0.0, 1.0)],
    "bins": lambda group: [(BIN, mean, scale, -1.0, start, end) for start, end, mean, scale in group["bins"]],
    "one_hot": lambda group: [
        (LEVEL, mean, scale, float(level), 0.0, 1.0) for level, (mean, scale) in enumerate(group["levels"])
    ],
    "gap_flag": lambda group: [(GAP, 0.0, 1.0, -1.0, 0.0, 1.0)],
}


def features_of(columns):
    """All features in network order: the index of the column, followed by the tuple of RENDERERS."""
    return [
        (column, *feature)
        for column, groups in enumerate(columns)
        for group in groups
        for feature in RENDERERS[group["encoding"]](group)
    ]


class Encode(nn.Module):
    """Maps input columns to features: standardised numbers, bins, one-hot levels and gap flags.

    NaN is a missing value. A category is the index of its level; any other number is a level not seen in training.
    """

    def __init__(self, columns):
        super().__init__()
        features = features_of(columns)
        for position, name in enumerate(("sources", "kinds", "means", "scales", "levels", "lows", "highs")):
            dtype = torch.long if name in ("sources", "kinds") else torch.float64
            self.register_buffer(name, torch.tensor([feature[position] for feature in features], dtype=dtype))

    def forward(self, x):
        # In double, as in the library: single precision loses digits if the mean is much larger than the scale.
        raw = x.to(torch.float64)[:, self.sources]
        missing = torch.isnan(raw)
        ramps = ((raw - self.lows) / (self.highs - self.lows)).clamp(0.0, 1.0)
        numbers = torch.where(self.kinds == BIN, ramps, raw)
        one_hot = (raw == self.levels).to(torch.float64)
        values = torch.where(self.kinds == LEVEL, one_hot, torch.where(missing, self.means, numbers))
        scaled = (values - self.means) / self.scales
        return torch.where(self.kinds == GAP, missing.to(torch.float64), scaled).to(torch.float32)


class Exp(nn.Module):
    """The link of the poisson loss."""

    def forward(self, x):
        return torch.exp(x)


class Scale(nn.Module):
    """The identity link: shift + scale * score, in the target's units."""

    def __init__(self, shift, scale):
        super().__init__()
        self.register_buffer("shift", torch.tensor(shift, dtype=torch.float64))
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float64))

    def forward(self, x):
        return self.shift + self.scale * x.to(torch.float64)


class Sorted(nn.Module):
    """Quantiles in ascending order."""

    def forward(self, x):
        return torch.sort(x, dim=1).values


ACTIVATIONS = {"logistic": nn.Sigmoid, "tanh": nn.Tanh, "relu": nn.ReLU}


def _linear(weights, bias):
    layer = nn.Linear(weights.shape[1], weights.shape[0])
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(np.array(weights, dtype=np.float32)))
        layer.bias.copy_(torch.from_numpy(np.array(bias, dtype=np.float32)))
    return layer


def _link(model):
    if model.classes:
        return nn.Softmax(dim=1)
    if model.loss == "poisson":
        return Exp()
    if model.loss == "cross_entropy":
        return nn.Sigmoid()
    scale = Scale(model.target_shift, model.target_scale)
    return nn.Sequential(scale, Sorted()) if model.quantiles else scale


def to_torch(model):
    """A Sequential of encoder, hidden layer, activation, output layer and link."""
    output, bias = model.output_weights.T, model.prefix_bias[-1]
    if len(model.classes) == 2 and model.outputs == 1:
        # A sigmoid is a softmax of two scores of which the first is 0.
        output, bias = np.vstack([np.zeros_like(output), output]), np.array([0.0, bias[0]])
    hidden, activation = _linear(model.hidden_weights, model.hidden_bias), ACTIVATIONS[model.activation]()
    return nn.Sequential(Encode(model.columns), hidden, activation, _linear(output, bias), _link(model))
