"""A grown network as the last part of a torch network: rows of features in, probabilities or values out.

Everything is in single precision, which every device has, and compiles as TorchScript.
"""

from typing import List, Optional

import numpy as np
import torch
from torch import nn

from accrete._torch import BIN, NUMBER, _features


def _single(values):
    return torch.from_numpy(np.array(values, dtype=np.float32))


def _most_units(core):
    """The units that were asked for where whole steps left the last few undone, else those that are there."""
    ends = [0, *core.step_ends]
    asked = int(float(dict(core.parameters).get("units", 0)))
    step = ends[-1] - ends[-2] if len(ends) > 1 else 0
    return max(ends[-1], asked) if asked < ends[-1] + step else ends[-1]


class GrownHead(nn.Module):
    """The network of a model, with its dial: forward(features, units).

    A feature is (x - origin) / width, and for a bin that is held within 0..1 and standardised once more. The origin is
    kept as two numbers, for one of single precision would take the digits of features far from 0.
    """

    ends: List[int]

    def __init__(self, core, places=None):
        super().__init__()
        self.activation: str = core.activation
        self.link: str = "softmax" if core.classes else "exp" if core.loss == "poisson" else "scale"
        self.ends = [0, *(int(end) for end in core.step_ends)]  # units after 0, 1, 2, ... steps
        self.most: int = _most_units(core)
        self._keep_encoder(core.inputs)
        self._keep_layers(core, places)

    def _keep_encoder(self, inputs):
        every = [(place, *feature) for place, entry in enumerate(inputs) for feature in _features(entry)]
        if any(kind not in (NUMBER, BIN) for _, kind, *_ in every):
            raise ValueError("the features of a head must be numbers without gaps")
        self.bins: bool = any(kind == BIN for _, kind, *_ in every)
        rows = []
        for _, kind, mean, scale, _, low, high in every:
            number = kind == NUMBER
            first, width = (mean, scale) if number else (low, high - low)
            second = (0.0, 1.0, -np.inf, np.inf) if number else (mean, scale, 0.0, 1.0)
            near = float(np.float32(first))
            rows.append((near, first - near, width, *second))
        names = ("origins", "rests", "widths", "means", "scales", "floors", "ceilings")
        for name, values in zip(names, zip(*rows)):
            self.register_buffer(name, _single(values))
        self.register_buffer("sources", torch.tensor([place for place, *_ in every], dtype=torch.long))

    def _keep_layers(self, core, places):
        output, bias = np.array(core.output_weights.T), np.array(core.prefix_bias)
        if len(core.classes) == 2 and core.outputs == 1:
            # A sigmoid is a softmax of two scores, the first of them 0.
            output, bias = np.vstack([np.zeros_like(output), output]), np.hstack([np.zeros_like(bias), bias])
        if places is not None:
            output, bias = output[places], bias[:, places]
        self.register_buffer("hidden_weights", _single(core.hidden_weights))
        self.register_buffer("hidden_bias", _single(core.hidden_bias))
        self.register_buffer("output_weights", _single(output))
        self.register_buffer("prefix_bias", _single(bias))
        self.register_buffer("shift", _single(core.target_shift))
        self.register_buffer("scale", _single(core.target_scale))

    def forward(self, features: torch.Tensor, units: Optional[int] = None) -> torch.Tensor:
        steps = self.steps_for(units)
        end = self.ends[steps]
        hidden = self.hidden(features, self.hidden_weights[:end], self.hidden_bias[:end])
        return self.linked(torch.nn.functional.linear(hidden, self.output_weights[:, :end], self.prefix_bias[steps]))

    def steps_for(self, units: Optional[int]) -> int:
        """Whole steps within so many units, as Model.steps_for of the library counts them: 0 is all."""
        steps = len(self.ends) - 1
        if units is not None and units != 0:
            if units < 0:
                raise ValueError(f"units={units}: must be a whole number of at least 1, or None for all")
            if units > self.most:
                raise ValueError(f"{units} units were asked for; the model has {self.ends[steps]}")
            while self.ends[steps] > units:
                steps -= 1
            if steps == 0 and len(self.ends) > 1:
                raise ValueError(f"{units} units were asked for; the model's first step already has {self.ends[1]}")
        return steps

    def hidden(self, features: torch.Tensor, weights: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        features = features.to(self.origins.dtype)
        if self.bins:
            features = features[:, self.sources]
        encoded = (features - self.origins - self.rests) / self.widths
        if self.bins:
            held = torch.minimum(torch.maximum(encoded, self.floors), self.ceilings)
            encoded = (held - self.means) / self.scales
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
        return self.shift + self.scale * scores


class Joined(nn.Module):
    """A frozen network and a grown one, as one: forward(x, units)."""

    def __init__(self, features, head):
        super().__init__()
        self.features, self.head = features, head

    def forward(self, x, units: Optional[int] = None) -> torch.Tensor:
        return self.head(self.features(x), units)


class Cut(nn.Module):
    """The same at a number of units chosen for good, for formats whose graphs take tensors alone."""

    def __init__(self, features, head, units):
        super().__init__()
        self.features, self.head, self.units = features, head, units

    def forward(self, x):
        return self.head(self.features(x), self.units)


class Dialled(nn.Module):
    """The same with the units as a tensor: below 1 and beyond the network mean all, as in accrete's ONNX files."""

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
