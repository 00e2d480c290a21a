"""The common base of the two estimators: fitting, growing and predicting."""

import inspect
import math
import numbers
import time
import warnings
import zlib
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from accrete import _core
from accrete._documentation import parameter_section
from accrete._fitted import Fitted
from accrete._frames import column_names, is_frame, is_sparse, refuse_infinity, row_count
from accrete._inputs import Inputs
from accrete._model import check_exit, predict, steps_for
from accrete._pickles import Pickled
from accrete._progress import Callbacks, Observer
from accrete._ranks import Shared
from accrete._model import array_names
from accrete._settings import Settings
from accrete._warn import warn

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        pass

    def with_callbacks(method):
        return method


_last_interrupt = [-math.inf]


class FitInterrupted(KeyboardInterrupt):
    """Ctrl-C ended a fit whose prefix the estimator keeps."""


def _warn_of_interrupt(text):
    """Warns about a fit that Ctrl-C stopped; raises FitInterrupted if the last one was less than 3 s ago.

    A second Ctrl-C thus ends a search or cross-validation that the fit is part of.
    """
    now = time.monotonic()
    repeated, _last_interrupt[0] = now - _last_interrupt[0] < 3.0, now
    if repeated:
        raise FitInterrupted(text)
    warnings.warn(f"{text} (press Ctrl-C again at once to stop everything)", stacklevel=2)


class BoostedNetwork(Settings, Inputs, Fitted, Callbacks, Shared, Pickled, CallbackSupportMixin, BaseEstimator):
    """Base class of BoostedNetworkClassifier and BoostedNetworkRegressor."""

    _classes = False
    # Attributes that fit sets and whose names do not end with an underscore.
    _private_fitted_attributes = ("_places", "_target_name", "_target_names", "_input_names")

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__doc__ and "{parameters}" in cls.__doc__:
            names = [name for name in inspect.signature(cls.__init__).parameters if name != "self"]
            cls.__doc__ = cls.__doc__.replace("{parameters}", parameter_section(names, cls._classes).lstrip())

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags

    # Fitting.

    def _fit_or_restore(self, X, y, sample_weight, eval_set, init_score, comm=None):
        """Fits; if that fails, restores the fitted attributes that were there before.

        A fit that Ctrl-C ended keeps the units it has.
        """
        with self._sharing(comm):
            return self._fit_or_restore_here(X, y, sample_weight, eval_set, init_score)

    def _fit_or_restore_here(self, X, y, sample_weight, eval_set, init_score):

        def fitted(name):
            return name.endswith("_") or name in self._private_fitted_attributes

        before = dict(vars(self))
        try:
            warm_start = self._is_warm_start()
            X, y = self._check_X_y(X, y, known=warm_start)
            return (self._fit_more if warm_start else self._fit)(X, y, sample_weight, eval_set, init_score)
        except FitInterrupted:
            raise
        except BaseException:
            for name in set(vars(self)) - set(before):
                if fitted(name):
                    delattr(self, name)
            vars(self).update({name: before[name] for name in before if fitted(name)})
            raise

    def _fit(self, X, y, sample_weight, eval_set, init_score):
        self._input_names = column_names(X) if is_frame(X) else array_names(X.shape[1])
        request = self._request(has_eval_set=eval_set is not None)
        self._ranks.check_same([*request.settings, ("preset", request.preset), ("task", self._task())])
        table = self._training_table(X)
        request.targets = self._add_target(table, y)
        request.task = self._task()
        request.weight_column = self._add_weights(table, X, y, sample_weight)
        request.offset_column = self._add_offsets(table, X, init_score)
        validation = self._validation_table(eval_set, table, request)
        observer = self._observer(X, self._original_y(y), self._planned_steps(request))
        fit = partial(_core.fit, ranks=self._shared_ranks())
        return self._run(observer, fit, table, request, validation)

    def _run(self, observer, function, *arguments):
        try:
            outcome = function(*arguments, observer=None if observer.idle else observer)
        finally:
            observer.close()
        self._set_outcome(outcome)
        observer.on_end()
        if outcome.stop == "interrupted":
            self._end_interrupted()
        return self

    def _observer(self, X, y, steps):
        """A progress bar if verbose, the callback of fit, and scikit-learn's callbacks if there are any."""
        verbose = self.verbose if self._ranks.rank == 0 else 0
        if not getattr(self, "_skl_callbacks", None):
            return Observer(verbose, callback=self._callback)
        context = self._init_callback_context(max_subtasks=steps)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)

        def on_step(progress):
            step = context.subcontext(task_name="step").call_on_fit_task_begin(estimator=self, X=X, y=y)
            return step.call_on_fit_task_end(
                estimator=self, X=X, y=y, reconstruction_attributes=lambda: self._fitted_attributes(progress.snapshot())
            )

        def on_end():
            context.call_on_fit_task_end(
                estimator=self, X=X, y=y, reconstruction_attributes=lambda: self._fitted_attributes(self.model_)
            )

        return Observer(verbose, on_step, on_end, self._callback)

    def _fitted_attributes(self, model):
        """The attributes of an estimator fitted with this model."""
        fitted = {name: value for name, value in vars(self).items() if name.endswith("_") and not name.startswith("_")}
        return {**fitted, "model_": model}

    def _set_outcome(self, outcome):
        self.model_ = outcome.model
        for note in outcome.notes if self._ranks.rank == 0 else ():
            warn(note)

    def _end_interrupted(self):
        text = f"the fit was interrupted after {self.model_.units} units, which are kept"
        if not self.keep_on_interrupt:
            raise FitInterrupted(text)
        _warn_of_interrupt(text)

    def grow(self, X, y, n_units: int, sample_weight=None, eval_set=None, init_score=None, callback=None, comm=None):
        """Add units to the fitted network.

        Growing to 100 units and then to 200 gives, bit for bit, the same model as 200 at once.

        Parameters
        ----------
        X, y : array-like
            The rows of the fit, or others. The existing units do not change.
        n_units : int
            The number of units of the larger network.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        eval_set : tuple (X, y), default=None
            Validation set; the network is truncated to its best prefix on it. With init_score: (X, y, init_score).
        init_score : array-like of shape (n_samples,), default=None
            Added to the score of each row, as in fit.
        callback : callable, default=None
            Called after each step with the progress, which has the attributes ``step``, ``units``, ``train_loss`` and
            ``validation_loss`` (None without a validation set). False as its result stops growing.
        comm : mpi4py communicator, default=None
            Grows across its ranks: X, y, sample_weight and init_score are this rank's rows, as in fit. The model is the
            same on all ranks before and after.

        Returns
        -------
        self
        """
        check_is_fitted(self, "model_")
        with self._sharing(comm):
            return self._grow_here(X, y, n_units, sample_weight, eval_set, init_score, callback)

    def _grow_here(self, X, y, n_units, sample_weight, eval_set, init_score, callback):
        if isinstance(n_units, bool) or not isinstance(n_units, numbers.Integral) or n_units < 1:
            raise ValueError(f"n_units={n_units!r}: must be an integer of at least 1")
        X = self._check_X(X)
        y = self._check_y(y, row_count(X), known=True)
        with self._calling(callback):
            return self._grow(X, y, int(n_units), sample_weight, eval_set, init_score)

    def _fit_more(self, X, y, sample_weight, eval_set, init_score):
        """A warm start: the new units use the current parameters."""
        self._check_flags()
        given = self._settings() + self._named_settings()
        is_validated = eval_set is not None or float(dict(self.model_.parameters).get("validation_fraction", 0)) > 0
        stops_early = self.early_stopping or (self.patience is not None and int(self.patience) > 0)
        if stops_early and not is_validated:
            name = "early_stopping" if self.early_stopping else "patience"
            raise ValueError(
                f"{name}: a warm start of a network that was fitted without a validation set needs eval_set"
            )
        settings = [setting for setting in given if setting[0] not in ("units", "validation_fraction")]
        return self._grow(X, y, int(self.n_units), sample_weight, eval_set, init_score, settings)

    def _grow(self, X, y, units, sample_weight, eval_set, init_score, settings=()):
        request = _core.Request()
        request.threads = self._threads()
        request.settings = [*settings, ("units", str(units))]
        units_per_step = (dict(self.model_.parameters) | dict(request.settings))["units_per_step"]
        self._add_functions(request)
        if self.eval_metric is not None and eval_set is not None:
            request.set_metric(self._validation_metric())
        self._ranks.check_same([*request.settings, ("the model", zlib.crc32(self.model_.__getstate__()))])
        table = self._model_table(X, more=self._weighing_columns())
        if self._ranks.size > 1:
            table.merge_levels(self._shared_ranks())
        request.targets = self._add_target(table, y, names=self.model_.targets)
        request.weight_column = self._add_weights(table, X, y, sample_weight)
        request.offset_column = self._add_offsets(table, X, self._model_offsets(X, init_score))
        validation = self._validation_table(eval_set, table, request)
        steps = (units - self.model_.units) // int(units_per_step)
        observer = self._observer(X, self._original_y(y), max(0, steps))
        grow = partial(_core.grow, ranks=self._shared_ranks())
        return self._run(observer, grow, self.model_, table, request, validation)

    # Predicting.

    def _predictions(self, X, units, init_score=None, exit=False):
        check_is_fitted(self, "model_")
        check_exit(units, init_score, exit)
        X = self._check_X(X)
        return self._with_offsets(self._predictions_of(X, units, exit), self._model_offsets(X, init_score))

    def _with_offsets(self, predictions, offsets):
        return predictions if offsets is None else self.model_.with_offsets(predictions, offsets)

    def _predictions_of(self, X, units, exit):
        plain = self.model_.reads_numbers and self.n_features_in_ == self.model_.input_count
        if plain and not is_frame(X) and not is_sparse(X) and X.dtype.kind == "f":
            return predict(self.model_, self._to_float32(X), units, self._threads(), exit)
        if exit:
            return _core.predict_exit_table(self.model_, self._model_table(X), self._threads())
        return self.model_.predict_table(self._model_table(X), steps_for(self.model_, units), self._threads())

    def _to_float32(self, X):
        with np.errstate(over="ignore"):
            narrow = np.ascontiguousarray(X, dtype=np.float32)
        if np.isinf(narrow).any():
            row, column = np.argwhere(np.isinf(narrow))[0]
            refuse_infinity(row, self._column_names()[column])
        return narrow

    def _staged_predictions(self, X, init_score):
        check_is_fitted(self, "model_")
        X = self._check_X(X)
        offsets = self._model_offsets(X, init_score)
        stages = _core.Stages(self.model_, self._model_table(X), self._threads())
        while (predictions := stages.next()) is not None:
            yield self._with_offsets(predictions, offsets)
