"""Conversion of an estimator's parameters to the arguments of a fit."""

import numbers
import os
import reprlib
from difflib import get_close_matches

import numpy as np
from sklearn.utils import check_random_state

from accrete import _core
from accrete._constraints import UNCONSTRAINED, constraint_text
from accrete._parameters import ESTIMATOR_PARAMETERS, library_name, preset_values, to_text
from accrete._row_weights import group_weight_text

DEFAULT_FRACTION, DEFAULT_PATIENCE = 0.1, 100
DEVICES = "cpu", "cuda", "auto"


def did_you_mean(given, names):
    """A hint for a mistyped name, worded as in the library; empty if no name is close."""
    close = get_close_matches(str(given).lower(), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def check_device(device):
    if device not in DEVICES:
        raise ValueError(f"device={device!r}: must be one of {', '.join(DEVICES)}{did_you_mean(device, DEVICES)}")
    return device


class Settings:
    """Mixin that checks parameters and converts them to requests."""

    def _settings(self):
        """The parameters that are not None, as (library name, text). Raises ValueError."""
        settings = []
        known = {entry["name"] for entry in _core.parameters()}
        for name, value in self.get_params(deep=False).items():
            # A subclass may have parameters of its own.
            if value is None or name in ESTIMATOR_PARAMETERS or library_name(name) not in known:
                continue
            if name == "loss" and callable(value):
                value = "custom"
            is_list = name == "quantiles" and isinstance(value, (list, tuple, np.ndarray))
            if not is_list and not isinstance(value, (str, numbers.Real, np.bool_)):
                raise ValueError(f"{name}={value!r}: must be a number, a string or None")
            _core.check_parameter(library_name(name), to_text(value))
            settings.append((library_name(name), to_text(value)))
        return settings

    def _named_settings(self):
        """Constraints and weights by column that are not None, as (library name, text). Raises ValueError."""
        settings = []
        for name in UNCONSTRAINED:
            value = getattr(self, name)
            if value is not None:
                if name == "monotonic_cst" and self._classes:
                    self._refuse_reversed_classes(name)
                text = constraint_text(name, value, self._column_names())
                _core.check_parameter(library_name(name), text)
                settings.append((library_name(name), text))
        if self.group_weight is not None:
            settings.append(("group_weight", group_weight_text(self.group_weight, self._column_names())))
        return settings

    def _seed(self):
        if isinstance(self.random_state, numbers.Integral) and not isinstance(self.random_state, bool):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def _threads(self):
        """The number of threads; 0 means all."""
        if self.n_jobs is None:
            threads = os.environ.get("OMP_NUM_THREADS", "")
            return int(threads) if threads.isdigit() else 0
        if not isinstance(self.n_jobs, numbers.Integral) or self.n_jobs == 0:
            raise ValueError(f"n_jobs={self.n_jobs!r}: must be a nonzero integer or None")
        cores = os.cpu_count() or 1
        return max(1, cores + 1 + int(self.n_jobs)) if self.n_jobs < 0 else min(int(self.n_jobs), 4 * cores)

    def _check_flags(self):
        for name in ("early_stopping", "warm_start", "keep_on_interrupt"):
            value = getattr(self, name)
            if not isinstance(value, (bool, np.bool_)):
                hint = "; patience sets the number of units without improvement" if name == "early_stopping" else ""
                raise ValueError(f"{name}={value!r}: must be True or False{hint}")

    def _check_verbose(self):
        if not isinstance(self.verbose, (numbers.Integral, bool, np.bool_)):
            raise ValueError(f"verbose={self.verbose!r}: must be an integer or a bool")

    def _is_warm_start(self):
        """Whether fit only adds units to the fitted network."""
        if not (self.warm_start and hasattr(self, "model_") and self.n_units is not None):
            return False
        self._settings()
        return int(self.n_units) > self.model_.units

    def _request(self, has_eval_set):
        """The arguments of a fit, except targets, task and weights."""
        request = _core.Request()
        presets = list(dict.fromkeys(name for name, _, _ in _core.parameters()[0]["presets"]))
        if self.preset not in presets:
            hint = did_you_mean(self.preset, presets)
            raise ValueError(f"preset={self.preset!r}: must be one of {', '.join(presets)}{hint}")
        request.preset = self.preset
        self._check_verbose()
        self._check_flags()
        request.threads = self._threads()
        request.device = check_device(self.device)
        settings = dict(self._settings() + self._named_settings())
        if float(settings.get("validation_fraction", 1)) == 0:
            del settings["validation_fraction"]
        if self.early_stopping:
            settings.setdefault("patience", str(DEFAULT_PATIENCE))
            if not has_eval_set:
                settings.setdefault("validation_fraction", str(DEFAULT_FRACTION))
        if has_eval_set:
            settings.pop("validation_fraction", None)
        elif "patience" in settings and settings["patience"] != "0" and "validation_fraction" not in settings:
            raise ValueError(
                f"patience={self.patience}: needs a validation set: validation_fraction, early_stopping or eval_set"
            )
        self._check_metric(settings, has_eval_set)
        if self.eval_metric is not None:
            if not has_eval_set and "validation_fraction" not in settings:
                raise ValueError("eval_metric: needs a validation set: validation_fraction, early_stopping or eval_set")
            request.set_metric(self._validation_metric())
        request.ignore = self._weighing_only()
        settings["seed"] = str(self._ranks.first(self._seed()))
        request.settings = list(settings.items())
        self._add_functions(request)
        return request

    def _check_metric(self, settings, has_eval_set):
        metric = settings.get("metric", "loss")
        if metric == "loss":
            return
        if metric == "f1":
            self._refuse_reversed_classes("metric='f1'")
        allowed = _core.metrics(self._classes)
        if metric not in allowed:
            task = "classification" if self._classes else "regression"
            raise ValueError(f"metric={metric!r}: is not for {task}; use one of loss, {', '.join(allowed)}")
        if not has_eval_set and "validation_fraction" not in settings:
            raise ValueError(
                f"metric={metric!r}: needs a validation set: validation_fraction, early_stopping or eval_set"
            )

    def _add_functions(self, request):
        """Adds a loss that is a function."""
        if callable(getattr(self, "loss", None)):
            request.set_loss(self.loss)

    def _validation_metric(self):
        """eval_metric in the form that the library calls."""
        if not callable(self.eval_metric):
            raise ValueError(f"eval_metric={self.eval_metric!r}: must be a function (y_true, y_pred) or None")

        def metric(y, predictions, weights):
            value = self.eval_metric(*self._as_given(y, predictions))
            try:
                return float(value)
            except (TypeError, ValueError):
                raise ValueError(f"eval_metric: must return a number; it returned {reprlib.repr(value)}") from None

        return metric

    def _planned_steps(self, request):
        """The number of steps of a fit, or None if the fit chooses it."""
        given = dict(request.settings)
        both_given = "units" in given and "units_per_step" in given
        values = preset_values(request.preset, self._classes) | given
        if values["auto"] == "on" and not both_given:
            return None
        return int(float(values["units"])) // int(float(values["units_per_step"]))
