"""Boosted networks as the head of a torch network: features in, probabilities or values out.

All modules are in single precision, which every device supports, and compile as TorchScript.
"""

from typing import List, Optional

import numpy as np
import torch
from torch import nn

from accrete._torch import BIN, NUMBER, features_of


def _float32(values):
    return torch.from_numpy(np.array(values, dtype=np.float32))


def _max_units(model):
    """The largest number of units that may be requested.

    It exceeds the units of the network if the requested number of units was not a multiple of a step.
    """
    ends = [0, *model.step_ends]
    requested = int(float(dict(model.parameters).get("units", 0)))
    step = ends[-1] - ends[-2] if len(ends) > 1 else 0
    return max(ends[-1], requested) if requested < ends[-1] + step else ends[-1]


class GrownHead(nn.Module):
    """The network of a model: forward(features, units).

    A standardised feature is (x - origin) / width; a bin is that, clamped to 0..1 and standardised again. The origin is
    the sum of two floats, since one would lose digits of features far from 0.
    """

    ends: List[int]

    def __init__(self, model, positions=None):
        super().__init__()
        self.activation: str = model.activation
        links = {"poisson": "exp", "cross_entropy": "sigmoid"}
        values = "sorted" if model.quantiles else links.get(model.loss, "scale")
        self.link: str = "softmax" if model.classes else values
        self.ends = [0, *(int(end) for end in model.step_ends)]  # units after 0, 1, 2, ... steps
        self.max_units: int = _max_units(model)
        self._set_encoder(model.columns)
        self._set_layers(model, positions)

    def _set_encoder(self, columns):
        features = features_of(columns)
        if any(kind not in (NUMBER, BIN) for _, kind, *_ in features):
            raise ValueError("the features of a head must be numbers without missing values")
        self.bins: bool = any(kind == BIN for _, kind, *_ in features)
        rows = []
        for _, kind, mean, scale, _, low, high in features:
            number = kind == NUMBER
            origin, width = (mean, scale) if number else (low, high - low)
            second = (0.0, 1.0, -np.inf, np.inf) if number else (mean, scale, 0.0, 1.0)
            rounded = float(np.float32(origin))
            rows.append((rounded, origin - rounded, width, *second))
        names = ("origins", "rests", "widths", "means", "scales", "floors", "ceilings")
        for name, values in zip(names, zip(*rows)):
            self.register_buffer(name, _float32(values))
        self.register_buffer("sources", torch.tensor([column for column, *_ in features], dtype=torch.long))

    def _set_layers(self, model, positions):
        output, bias = np.array(model.output_weights.T), np.array(model.prefix_bias)
        if len(model.classes) == 2 and model.outputs == 1:
            # A sigmoid is a softmax of two scores of which the first is 0.
            output, bias = np.vstack([np.zeros_like(output), output]), np.hstack([np.zeros_like(bias), bias])
        if positions is not None:
            output, bias = output[positions], bias[:, positions]
        self.register_buffer("hidden_weights", _float32(model.hidden_weights))
        self.register_buffer("hidden_bias", _float32(model.hidden_bias))
        self.register_buffer("output_weights", _float32(output))
        self.register_buffer("prefix_bias", _float32(bias))
        self.register_buffer("shift", _float32(model.target_shift))
        self.register_buffer("scale", _float32(model.target_scale))

    def forward(self, features: torch.Tensor, units: Optional[int] = None) -> torch.Tensor:
        steps = self.steps_for(units)
        end = self.ends[steps]
        hidden = self.hidden(features, self.hidden_weights[:end], self.hidden_bias[:end])
        return self.linked(torch.nn.functional.linear(hidden, self.output_weights[:, :end], self.prefix_bias[steps]))

    def steps_for(self, units: Optional[int]) -> int:
        """The number of whole steps within the first `units` units; None and 0 mean all."""
        steps = len(self.ends) - 1
        if units is not None and units != 0:
            if units < 0:
                raise ValueError(f"units={units}: must be an integer of at least 1, or None for all")
            if units > self.max_units:
                raise ValueError(f"{units} units requested; the model has {self.ends[steps]}")
            while self.ends[steps] > units:
                steps -= 1
            if steps == 0 and len(self.ends) > 1:
                raise ValueError(f"{units} units requested; the model's first step already has {self.ends[1]}")
        return steps

    def hidden(self, features: torch.Tensor, weights: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        features = features.to(self.origins.dtype)
        if self.bins:
            features = features[:, self.sources]
        encoded = (features - self.origins - self.rests) / self.widths
        if self.bins:
            clamped = torch.minimum(torch.maximum(encoded, self.floors), self.ceilings)
            encoded = (clamped - self.means) / self.scales
        sums = torch.nn.functional.linear(encoded, weights, bias)
        if self.activation == "logistic":
            return torch.sigmoid(sums)
        if self.activation == "tanh":
            return torch.tanh(sums)
        return torch.relu(sums)

    def linked(self, scores: torch.Tensor) -> torch.Tensor:
        if self.link == "softmax":
            return torch.softmax(scores, dim=1)
        if self.link == "exp":
            return torch.exp(scores)
        if self.link == "sigmoid":
            return torch.sigmoid(scores)
        values = self.shift + self.scale * scores
        return torch.sort(values, dim=1)[0] if self.link == "sorted" else values


class Joined(nn.Module):
    """A frozen backbone followed by a head: forward(x, units)."""

    def __init__(self, features, head):
        super().__init__()
        self.features, self.head = features, head

    def forward(self, x, units: Optional[int] = None) -> torch.Tensor:
        return self.head(self.features(x), units)


class JoinedPrefix(nn.Module):
    """Joined with a fixed number of units, for formats that only allow tensors as inputs."""

    def __init__(self, features, head, units):
        super().__init__()
        self.features, self.head, self.units = features, head, units

    def forward(self, x):
        return self.head(self.features(x), self.units)


class JoinedDial(nn.Module):
    """Joined with units as a tensor. Units below 1 or above the network's mean all, as in accrete's ONNX files."""

    def __init__(self, features, head):
        super().__init__()
        self.features, self.head = features, head
        self.register_buffer("ends", torch.tensor(head.ends[1:], dtype=torch.long, device=head.origins.device))

    def forward(self, x, units):
        head = self.head
        units = torch.where(units < 1, self.ends[-1:], units)
        steps = (self.ends <= units).sum().clamp(min=1).reshape(1)
        end = self.ends[steps - 1]
        chosen = torch.arange(end[0], device=units.device)
        hidden = head.hidden(self.features(x), head.hidden_weights[chosen], head.hidden_bias[chosen])
        scores = torch.nn.functional.linear(hidden, head.output_weights[:, chosen])
        return head.linked(scores + head.prefix_bias[steps])
