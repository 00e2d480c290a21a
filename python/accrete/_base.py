"""What the two estimators share: rows to tables, fitting, growing, predicting."""

import inspect
import math
import numbers
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from accrete import _core
from accrete._documentation import parameter_section, to_python
from accrete._frames import array_table, column_names, frame_table, held, is_frame, refuse_infinity, refuse_other_names
from accrete._frames import row_count
from accrete._fitted import Fitted
from accrete._model import predict, steps_for, table_for
from accrete._progress import Observer
from accrete._settings import Settings

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        pass

    def with_callbacks(method):
        return method


_last_interrupt = [-math.inf]


def _interrupted(units):
    """Ctrl-C ends one fit; twice within a few seconds, whatever the fit is part of."""
    now = time.monotonic()
    again, _last_interrupt[0] = now - _last_interrupt[0] < 3.0, now
    if again:
        raise KeyboardInterrupt
    warnings.warn(
        f"fit was interrupted after {units} units; the model is usable as it is (Ctrl-C again at once stops all)",
        stacklevel=2,
    )


def _free_name(wanted, taken):
    while wanted in taken:
        wanted += "_"
    return wanted


class BoostedNetwork(Settings, Fitted, CallbackSupportMixin, BaseEstimator):
    """The base of both; see them."""

    _classes = False

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__doc__ and "{parameters}" in cls.__doc__:
            names = [name for name in inspect.signature(cls.__init__).parameters if name != "self"]
            cls.__doc__ = cls.__doc__.replace("{parameters}", parameter_section(names, cls._classes).lstrip())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    # Rows.

    def _rows(self, X, y=None, fitting=False):
        """X checked as scikit-learn checks it: a frame as it is, else an array of two dimensions."""
        if hasattr(X, "toarray") and hasattr(X, "nnz"):
            raise TypeError("Sparse data was passed for X, but dense data is required. Use '.toarray()' to convert.")
        if isinstance(X, np.ma.MaskedArray):
            X = X.astype(np.float64).filled(np.nan)
        if not is_frame(X):
            return validate_data(self, X, dtype=None, reset=fitting, ensure_all_finite=False, ensure_min_samples=1)
        X = held(X)
        if hasattr(X, "iloc"):
            validate_data(self, X, reset=fitting, skip_check_array=True)
        else:
            self._check_frame(column_names(X), fitting)
        if row_count(X) == 0:
            shape = f"(0, {self.n_features_in_})"
            raise ValueError(f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
        if len(column_names(X)) == 0:
            raise ValueError("Found array with 0 feature(s) while a minimum of 1 is required.")
        return X

    def _check_frame(self, names, fitting):
        """What validate_data does for pandas, for the frames that it does not know."""
        if fitting:
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.array(names, dtype=object)
            return
        known = getattr(self, "feature_names_in_", None)
        if known is not None:
            refuse_other_names(known, names)
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                "as input"
            )

    def _training_table(self, X):
        if row_count(X) < 2:
            raise ValueError("X has 1 sample (n_samples=1); a fit needs 2 at least")
        if is_frame(X):
            table = frame_table(X, column_names(X))
        else:
            table = array_table(X, [f"x{column}" for column in range(X.shape[1])])
        refuse_infinity(table)
        return table

    def _known_table(self, X):
        """The rows as columns of the fitted model."""
        table = table_for(self.model_, X)
        refuse_infinity(table)
        return table

    def _add_weight(self, table, X, y, sample_weight):
        """Adds the weights and returns their column's name, or "" for none."""
        weights = self._weights(X, y, sample_weight)
        if weights is None:
            return ""
        name = _free_name("weight", table.names)
        table.add_numbers(name, weights)
        return name

    def _weights(self, X, y, sample_weight):
        if sample_weight is None:
            return None
        stand_in = np.empty((row_count(X), 1))
        weights = _check_sample_weight(sample_weight, stand_in, dtype=np.float64, ensure_non_negative=True)
        if not np.any(weights > 0):
            raise ValueError("sample_weight: at least one must be above zero")
        return weights

    # Fitting.

    def _fit(self, X, y, sample_weight, eval_set):
        held_out = eval_set is not None
        request = self._request(held_out)
        table = self._training_table(X)
        request.targets = self._add_target(table, y)
        request.task = self._task()
        request.weight_column = self._add_weight(table, X, y, sample_weight)
        validation = self._validation_table(eval_set, table, request.targets) if held_out else None
        observer = self._observer(X, self._as_given(y), self._planned_steps(request))
        return self._run(observer, _core.fit, table, request, validation)

    def _run(self, observer, verb, *arguments):
        try:
            outcome = verb(*arguments, observer=None if observer.idle else observer)
        except _core.Refused as error:
            raise ValueError(to_python(str(error))) from None
        finally:
            observer.close()
        self._keep(outcome)
        observer.end()
        return self

    def _validation_table(self, eval_set, training, targets):
        if isinstance(eval_set, list) and len(eval_set) == 1:
            eval_set = eval_set[0]  # as other boosters take it
        if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2:
            raise ValueError("eval_set: must be a pair (X, y)")
        X, y = eval_set
        X = self._rows(X)
        inputs = training.names[: self.n_features_in_]
        kinds = ["text" if name in training.text_columns else "numeric" for name in inputs]
        table = (frame_table if is_frame(X) else array_table)(X, inputs, kinds)
        refuse_infinity(table)
        self._add_target(table, self._target(y, row_count(X), known=True), names=targets)
        return table

    def _observer(self, X, y, steps):
        """A bar where verbose asks for it, and scikit-learn's callbacks where some are set."""
        if not getattr(self, "_skl_callbacks", None):
            return Observer(self.verbose)
        context = self._init_callback_context(max_subtasks=steps)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)

        def tell(progress):
            step = context.subcontext(task_name="step").call_on_fit_task_begin(estimator=self, X=X, y=y)
            return step.call_on_fit_task_end(
                estimator=self, X=X, y=y, reconstruction_attributes=lambda: self._attributes(progress.snapshot())
            )

        def end():
            context.call_on_fit_task_end(
                estimator=self, X=X, y=y, reconstruction_attributes=lambda: self._attributes(self.model_)
            )

        return Observer(self.verbose, tell, end)

    def _attributes(self, core):
        """What makes a fitted estimator of one that is being fitted."""
        fitted = {name: value for name, value in vars(self).items() if name.endswith("_") and not name.startswith("_")}
        return {**fitted, "model_": core}

    def _or_as_before(self, fit):
        """A fit that fails leaves the estimator as it was."""
        before = dict(vars(self))
        try:
            return fit()
        except BaseException:
            for name in set(vars(self)) - set(before):
                if name.endswith("_") or name in self._kept:
                    delattr(self, name)
            vars(self).update({name: before[name] for name in before if name.endswith("_") or name in self._kept})
            raise

    _kept = ("_places", "_target_name", "_target_names")

    def _keep(self, outcome):
        self.model_ = outcome.model
        if outcome.stop == "interrupted":
            _interrupted(outcome.model.units)
        for note in outcome.notes:
            warnings.warn(to_python(note))

    def grow(self, X, y, n_units: int, sample_weight=None, eval_set=None):
        """Goes on until the network has ``n_units`` units: 100 and then on to 200 are, bit for bit, 200 at once.

        X and y are the rows it was fitted on, or others: the units that are there stay as they are.
        """
        check_is_fitted(self, "model_")
        if isinstance(n_units, bool) or not isinstance(n_units, numbers.Integral) or n_units < 1:
            raise ValueError(f"n_units={n_units!r}: must be a whole number of at least 1")
        X = self._rows(X)
        y = self._target(y, row_count(X), known=True)
        return self._grow(X, y, int(n_units), sample_weight, eval_set)

    def _go_on(self, X, y, sample_weight, eval_set):
        """A warm start: the parameters as they are now hold for the units to come."""
        given = [setting for setting in self._settings() if setting[0] not in ("units", "validation_fraction")]
        return self._grow(X, y, int(self.n_units), sample_weight, eval_set, given)

    def _grow(self, X, y, units, sample_weight, eval_set, settings=()):
        request = _core.Request()
        request.threads = self._threads()
        own = dict(self.model_.parameters)
        request.settings = [*settings, ("units", str(units))]
        planned = {"units_per_step": own["units_per_step"], **dict(request.settings)}
        table = self._known_table(X)
        self._add_target(table, y, names=self.model_.targets)
        request.weight_column = self._add_weight(table, X, y, sample_weight)
        validation = None
        if eval_set is not None:
            validation = self._validation_table(eval_set, table, self.model_.targets)
        steps = (units - self.model_.units) // int(planned["units_per_step"])
        observer = self._observer(X, self._as_given(y), max(0, steps))
        return self._run(observer, _core.grow, self.model_, table, request, validation)

    # Predicting.

    def _predictions(self, X, units):
        check_is_fitted(self, "model_")
        X = self._rows(X)
        if self.model_.all_numeric and not is_frame(X) and X.dtype.kind == "f":
            return predict(self.model_, self._finite(X), units, self._threads())
        return self.model_.predict_table(self._known_table(X), steps_for(self.model_, units), self._threads())

    @staticmethod
    def _finite(X):
        with np.errstate(over="ignore"):
            narrow = np.ascontiguousarray(X, dtype=np.float32)
        if np.isinf(narrow).any():
            raise ValueError("X contains infinity or a value too large for dtype('float32')")
        return narrow

    def _stages(self, X):
        check_is_fitted(self, "model_")
        stages = _core.Stages(self.model_, self._known_table(self._rows(X)), self._threads())
        while (predictions := stages.next()) is not None:
            yield predictions
