"""Validation of X and sample_weight, and their conversion to tables."""

import contextlib
import difflib
import numbers

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_array, validate_data

from accrete._frames import (
    category_names,
    check_finite,
    check_names,
    column_names,
    is_frame,
    is_sparse,
    make_table,
    read_frame,
    row_count,
)
from accrete._model import array_names, model_columns, prediction_table
from accrete._row_weights import group_column
from accrete._warn import warn


def refuse_dates(y):
    """Raises ValueError for a target of dates or durations."""
    if np.asarray(y).dtype.kind in "mM":
        raise ValueError("y: the target is a date or a duration; pass a number, such as days since the first date")


def unused_name(name, used):
    """The name, with underscores appended until no other column has it."""
    while name in used:
        name += "_"
    return name


@contextlib.contextmanager
def naming(argument):
    """Adds the name of the argument to conversion errors that lack it."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if argument in str(error):
            raise
        reason = str(error).partition("\n")[0]
        raise ValueError(f"{argument}: must be an array of numbers, one per row: {reason}") from None


class Inputs:
    """Mixin that validates rows like scikit-learn and converts them to tables."""

    def _check_X(self, X, fitting=False):
        """X as a frame or a two-dimensional array. Sets n_features_in_ and feature_names_in_ if `fitting`."""
        if is_sparse(X):
            formats = ("csr", "csc")
            return validate_data(self, X, dtype=None, reset=fitting, accept_sparse=formats, ensure_all_finite=False)
        if isinstance(X, np.ma.MaskedArray):
            X = X.astype(np.float64).filled(np.nan)
        if not is_frame(X):
            return validate_data(self, X, dtype=None, reset=fitting, ensure_all_finite=False, ensure_min_samples=1)
        X = read_frame(X)
        names = column_names(X)  # raises a ValueError for duplicates, which validate_data reports in its own way
        if hasattr(X, "iloc"):
            validate_data(self, X, reset=fitting, skip_check_array=True)
        else:
            self._check_frame_names(names, fitting)
        if row_count(X) == 0:
            shape = f"(0, {self.n_features_in_})"
            raise ValueError(f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
        if len(names) == 0:
            raise ValueError("Found array with 0 feature(s) while a minimum of 1 is required.")
        return X

    def _check_frame_names(self, names, fitting):
        """Validates column names for frames other than pandas, as validate_data does for pandas."""
        if fitting:
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.array(names, dtype=object)
            return
        known = getattr(self, "feature_names_in_", None)
        if known is not None:
            check_names(known, names)
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                "as input"
            )

    def _training_table(self, X):
        """A table of validated rows for a new model."""
        if row_count(X) < 2:
            raise ValueError("X has 1 sample (n_samples=1), but at least 2 are required to fit")
        self._input_names = column_names(X) if is_frame(X) else array_names(X.shape[1])
        ignored = self._ignored_names()
        weighing = self._weighing_only()
        kinds = ["skip" if name in ignored and name not in weighing else "" for name in self._input_names]
        table = self._table(X, kinds)
        ranks = self._shared_ranks()
        if ranks is not None:
            table.merge_levels(ranks)
        notes = table.recognise(category_names(X, self._input_names) + weighing, ranks)
        for note in notes if self._ranks.rank == 0 else ():
            warn(note)
        if not table.names:
            raise ValueError("X: no column is left to predict from")
        return table

    def _weighing_only(self):
        """The column of group_weight in a list if it is otherwise ignored; else an empty list."""
        return [column for column in self._weighing_columns() if column in self._ignored_names()]

    def _weighing_columns(self):
        """The column of group_weight in a list; empty if there is none."""
        return [] if self.group_weight is None else [group_column(self.group_weight, self._column_names())]

    def _ignored_names(self):
        """The names of the columns in `ignore`. Raises ValueError for one that X does not have."""
        names, ignored = self._input_names, set()
        is_one = isinstance(self.ignore, (str, numbers.Integral))
        given = [] if self.ignore is None else [self.ignore] if is_one else self.ignore
        for column in given:
            if isinstance(column, numbers.Integral) and -len(names) <= column < len(names):
                column = names[column]
            if column not in names:
                close = difflib.get_close_matches(str(column), names, 1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise ValueError(f"ignore: no column {column!r} in X{hint}")
            ignored.add(column)
        return ignored

    def _table(self, X, kinds):
        table = make_table(X, self._input_names, kinds)
        check_finite(table)
        return table

    def _column_names(self):
        """The names of the columns of X, including ignored ones."""
        return getattr(self, "_input_names", None) or list(model_columns(self.model_))

    def _model_table(self, X, more=()):
        """A table of validated rows with the columns of the fitted model, and more."""
        table = prediction_table(self.model_, X, self._column_names(), more)
        check_finite(table)
        return table

    def _validation_table(self, eval_set, training, request):
        """A table of eval_set with the columns of the training table, or None."""
        if eval_set is None:
            return None
        if isinstance(eval_set, list) and len(eval_set) == 1:
            eval_set = eval_set[0]  # other boosting libraries take a list of pairs
        is_several = isinstance(eval_set, (list, tuple)) and len(eval_set) > 1
        if is_several and all(isinstance(pair, tuple) for pair in eval_set):
            raise ValueError(f"eval_set: must be one validation set, got a list of {len(eval_set)}")
        with_offsets = bool(request.offset_column)
        if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2 + with_offsets:
            wanted = "(X, y, init_score), because init_score is given" if with_offsets else "a pair (X, y)"
            raise ValueError(f"eval_set: must be {wanted}")
        X, y, *offsets = eval_set
        X = self._check_X(X)
        added = {*request.targets, request.weight_column, request.offset_column}
        known = {name: kind for name, kind in training.kinds if name not in added}
        self._input_names = self._column_names()
        table = self._table(X, [known.get(name, "skip") for name in self._input_names])
        table.apply_formats(training)
        self._add_target(table, self._check_y(y, row_count(X), known=True), names=request.targets)
        if with_offsets:
            table.add_numbers(request.offset_column, self._check_offsets(X, offsets[0]))
        return table

    def _add_offsets(self, table, X, init_score):
        """Adds a column of offsets and returns its name, or "" if there are none."""
        if init_score is None:
            return ""
        name = unused_name("init_score", table.names)
        table.add_numbers(name, self._check_offsets(X, init_score))
        return name

    def _check_offsets(self, X, init_score):
        """init_score as an array with one number per row."""
        if self._classes:
            self._refuse_reversed_classes("init_score")
        if isinstance(init_score, numbers.Real) and np.isfinite(init_score):
            return np.full(row_count(X), float(init_score))
        with naming("init_score"):
            offsets = check_array(init_score, ensure_2d=False, dtype=np.float64, input_name="init_score")
        if offsets.shape != (row_count(X),):
            raise ValueError(f"init_score: must have shape ({row_count(X)},), one number per row")
        return np.ascontiguousarray(offsets)

    def _model_offsets(self, X, init_score):
        """The offsets of rows for the fitted model, or None. Raises ValueError if they are missing but fit had some."""
        if init_score is not None:
            return self._check_offsets(X, init_score)
        if self.model_.offset_column:
            raise ValueError(
                "init_score: required, because the model was fitted with it; pass zeros to predict without an offset"
            )
        return None

    def _add_weights(self, table, X, y, sample_weight):
        """Adds a column of row weights and returns its name, or "" if there are no weights."""
        weights = self._row_weights(X, y, sample_weight)
        if weights is None:
            return ""
        name = unused_name("sample_weight", table.names)
        table.add_numbers(name, weights)
        return name

    def _row_weights(self, X, y, sample_weight):
        if sample_weight is None:
            return None
        shape_only = np.empty((row_count(X), 1))
        with naming("sample_weight"):
            weights = _check_sample_weight(sample_weight, shape_only, dtype=np.float64, ensure_non_negative=True)
        if not np.any(weights > 0):
            raise ValueError("sample_weight: at least one weight must be above 0")
        if np.max(weights) < float(np.finfo(np.float32).smallest_subnormal) / 2:
            raise ValueError("sample_weight: all weights are 0 in single precision, where numbers below 1e-45 become 0")
        return weights
