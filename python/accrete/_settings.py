"""From an estimator's parameters to what the library is told."""

import numbers
import os

import numpy as np
from sklearn.utils import check_random_state

from accrete import _core
from accrete._documentation import LIBRARY_NAMES, OWN, to_python

DEFAULT_FRACTION, DEFAULT_PATIENCE = 0.1, 100
DEVICES = "cpu", "cuda", "auto"


def _text(value):
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


class Settings:
    """The part of an estimator that knows its parameters."""

    def _settings(self):
        """The parameters that are given, as the library takes them: (name, text). Raises ValueError."""
        settings = []
        for name, value in self.get_params(deep=False).items():
            if value is None or name in OWN:
                continue
            library = LIBRARY_NAMES.get(name, name)
            try:
                if not isinstance(value, (str, numbers.Real, np.bool_)):
                    raise ValueError(f"{name}={value!r}: must be a number or a text, or None")
                _core.check_parameter(library, _text(value))
            except ValueError as error:
                raise ValueError(to_python(str(error))) from None
            settings.append((library, _text(value)))
        return settings

    def _seed(self):
        if isinstance(self.random_state, numbers.Integral) and not isinstance(self.random_state, bool):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _threads(self):
        if self.n_jobs is None:
            asked = os.environ.get("OMP_NUM_THREADS", "")
            return int(asked) if asked.isdigit() else 0
        if not isinstance(self.n_jobs, numbers.Integral) or self.n_jobs == 0:
            raise ValueError(f"n_jobs={self.n_jobs!r}: must be None, or a whole number other than 0")
        cores = os.cpu_count() or 1
        return max(1, cores + 1 + int(self.n_jobs)) if self.n_jobs < 0 else min(int(self.n_jobs), 4 * cores)

    def _goes_on(self):
        """Whether a fit is a warm start, with units to add."""
        if not (self.warm_start and hasattr(self, "model_") and self.n_units is not None):
            return False
        self._settings()
        return int(self.n_units) > self.model_.units

    def _request(self, held_out):
        request = _core.Request()
        presets = list(dict.fromkeys(name for name, _, _ in _core.parameters()[0]["presets"]))
        if self.preset not in presets:
            raise ValueError(f"preset={self.preset!r}: must be one of {', '.join(presets)}")
        request.preset = self.preset
        request.threads = self._threads()
        if self.device not in DEVICES:
            raise ValueError(f"device={self.device!r}: must be one of {', '.join(DEVICES)}")
        request.device = self.device
        settings = dict(self._settings())
        if self.early_stopping:
            settings.setdefault("patience", str(DEFAULT_PATIENCE))
            if not held_out:
                settings.setdefault("validation_fraction", str(DEFAULT_FRACTION))
        if held_out:
            settings.pop("validation_fraction", None)
        elif "patience" in settings and settings["patience"] != "0" and "validation_fraction" not in settings:
            raise ValueError(
                f"patience={self.patience}: needs rows to validate on: validation_fraction, early_stopping or eval_set"
            )
        settings["seed"] = str(self._seed())
        request.settings = list(settings.items())
        return request

    def _planned_steps(self, request, there=0):
        """None where the number of units, or of those of a step, is for the fit to find out."""
        given = dict(request.settings)
        both_given = "units" in given and "units_per_step" in given
        for entry in _core.parameters():
            for preset, of_classes, value in entry["presets"]:
                if preset == request.preset and of_classes == self._classes:
                    given.setdefault(entry["name"], value)
        if given["auto"] == "on" and not both_given:
            return None
        return max(0, int(float(given["units"])) - there) // int(float(given["units_per_step"]))
