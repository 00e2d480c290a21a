"""BoostedNetworkRegressor."""

from collections.abc import Iterator

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from accrete._base import BoostedNetwork, with_callbacks
from accrete._frames import row_count
from accrete._inputs import refuse_dates, unused_name
from accrete._model import steps_for


class BoostedNetworkRegressor(RegressorMixin, BoostedNetwork):
    """A neural network grown by gradient boosting, for one or more numeric targets.

    Each boosting step adds a block of ``units_per_step`` hidden units that lowers the loss at the current scores. All
    blocks together are one network with a single hidden layer. Any prefix of it is a model too: ``units=`` predicts
    with the first units.

    {parameters}

    Attributes
    ----------
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the input columns; only if X was a data frame.
    n_units_ : int
        Number of hidden units of the fitted network.
    n_iter_ : int
        Number of boosting steps of the fitted network.
    loss_curve_ : ndarray
        Training loss after 0, 1, 2, ... steps, in the target's units.
    validation_curve_ : ndarray
        Validation loss after 0, 1, 2, ... steps; empty without a validation set.
    choice_ : dict
        Candidates that were compared on held-out rows, if parameters were chosen automatically.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean squared change of the predictions when an input is replaced by that of another row; sums to 1.

    Examples
    --------
    >>> from accrete import BoostedNetworkRegressor
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> reg = BoostedNetworkRegressor(n_units=40, random_state=0).fit(X, y)
    >>> bool(reg.score(X, y) > 0.5)
    True
    >>> reg.predict(X[:2], units=8).shape           # only the first 8 units
    (2,)
    """

    def __init__(
        self,
        *,
        n_units=None,
        units_per_step=None,
        learning_rate=None,
        first_rate=None,
        subsample=None,
        feature_fraction=None,
        activation=None,
        bins=None,
        loss=None,
        objective=None,
        solver=None,
        alpha=None,
        max_iter=None,
        joint_iter=None,
        tolerance=None,
        tolerance_floor=None,
        gain_tolerance=None,
        gauss_newton=None,
        standardise_target=None,
        rescale_residual=None,
        huber_delta=None,
        quantile=None,
        quantiles=None,
        monotonic_cst=None,
        interaction_cst=None,
        batch_size=None,
        solver_rate=None,
        momentum=None,
        group_weight=None,
        early_stopping=False,
        validation_fraction=None,
        interval=None,
        calibration_fraction=None,
        patience=None,
        metric=None,
        eval_metric=None,
        auto=None,
        time_limit=None,
        ignore=None,
        preset="default",
        warm_start=False,
        random_state=None,
        device="cpu",
        n_jobs=None,
        verbose=0,
        keep_on_interrupt=False,
    ):
        self.n_units = n_units
        self.units_per_step = units_per_step
        self.learning_rate = learning_rate
        self.first_rate = first_rate
        self.subsample = subsample
        self.feature_fraction = feature_fraction
        self.activation = activation
        self.bins = bins
        self.loss = loss
        self.objective = objective
        self.solver = solver
        self.alpha = alpha
        self.max_iter = max_iter
        self.joint_iter = joint_iter
        self.tolerance = tolerance
        self.tolerance_floor = tolerance_floor
        self.gain_tolerance = gain_tolerance
        self.gauss_newton = gauss_newton
        self.standardise_target = standardise_target
        self.rescale_residual = rescale_residual
        self.huber_delta = huber_delta
        self.quantile = quantile
        self.quantiles = quantiles
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.batch_size = batch_size
        self.solver_rate = solver_rate
        self.momentum = momentum
        self.group_weight = group_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.interval = interval
        self.calibration_fraction = calibration_fraction
        self.patience = patience
        self.metric = metric
        self.eval_metric = eval_metric
        self.auto = auto
        self.time_limit = time_limit
        self.ignore = ignore
        self.preset = preset
        self.warm_start = warm_start
        self.random_state = random_state
        self.device = device
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.keep_on_interrupt = keep_on_interrupt

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @with_callbacks
    def fit(
        self, X, y, sample_weight=None, eval_set=None, init_score=None, callback=None, comm=None
    ) -> "BoostedNetworkRegressor":
        """Fit the network.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows. NaN and None are missing values; text columns are categories.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Target values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        eval_set : tuple (X, y), default=None
            Validation set; the network is truncated to its best prefix on it. With init_score: (X, y, init_score).
        init_score : array-like of shape (n_samples,), default=None
            Added to the score of each row, in the target's units; for loss='poisson', the logarithm of the exposure.
            Only for one target.
        callback : callable, default=None
            Called after each step with the progress, which has the attributes ``step``, ``units``, ``train_loss`` and
            ``validation_loss`` (None without a validation set). False as its result stops the fit.
        comm : mpi4py communicator, default=None
            Ranks that call fit together, such as ``MPI.COMM_WORLD``, each with its part of the rows, in the order of
            the ranks; all get the model of one process with all rows. ``eval_set`` is the same on all. The callback of
            rank 0 decides.

        Returns
        -------
        self
        """
        with self._calling(callback):
            return self._fit_or_restore(X, y, sample_weight, eval_set, init_score, comm)

    def _check_X_y(self, X, y, known=False):
        """X and y in the library's form."""
        X = self._check_X(X, fitting=not known)
        if not known:
            names = list(y.columns) if hasattr(y, "columns") else [getattr(y, "name", None)]
            self._target_names = [name if isinstance(name, str) else None for name in names]
        return X, self._check_y(y, row_count(X), known=known)

    def predict(self, X, units: int | None = None, init_score=None, exit: bool = False) -> np.ndarray:
        """Predict target values.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to predict.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.
        init_score : array-like of shape (n_samples,) or float, default=None
            Added to the score of each row, as in fit. Required if fit had one; 0 predicts without an offset.
        exit : bool, default=False
            Stop each row once its prediction is settled, with the thresholds that `dial` found.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
            With ``quantiles``: one column per quantile, ascending in every row. With ``interval``: the median.
        """
        return self._values(self._predictions(X, units, init_score, exit))

    def predict_interval(self, X, units: int | None = None) -> np.ndarray:
        """Predict intervals that contain the target with probability ``interval``.

        The probability is over the draw of calibration rows and new rows from the same distribution, for any data and
        any number of units.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to predict.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Lower and upper ends.
        """
        predictions = self._predictions(X, units)
        return self.model_.intervals_of(predictions, steps_for(self.model_, units))

    def staged_predict(self, X, init_score=None) -> Iterator[np.ndarray]:
        """Predict target values after each step, in one pass over the units.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to predict.
        init_score : array-like of shape (n_samples,) or float, default=None
            Added to the score of each row, as in fit. Required if fit had one; 0 predicts without an offset.

        Yields
        ------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        for predictions in self._staged_predictions(X, init_score):
            yield self._values(predictions)

    def _check_y(self, y, rows, known=False):
        """The targets as an array of shape (rows, targets)."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        refuse_dates(y)
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        check_consistent_length(np.empty((rows, 1)), y)
        return y.reshape(rows, -1)

    def _original_y(self, y):
        """A single target as a vector, as in scikit-learn."""
        return y[:, 0] if y.shape[1] == 1 else y

    def _values(self, predictions):
        """The predictions that predict returns: the median if the model was fitted for an interval."""
        if self.model_.predicts_median:
            return predictions[:, self.model_.point_column]
        return self._original_y(predictions)

    def score(self, X, y, sample_weight=None, init_score=None, units: int | None = None) -> float:
        """The coefficient of determination R², of the level nearest to the median if there are several quantiles.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Test rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            True values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        init_score : array-like of shape (n_samples,) or float, default=None
            Added to the score of each row, as in fit. Required if fit had one; 0 predicts without an offset.
        units : int, default=None
            Use only the first ``units`` units, rounded down to a whole step. None uses all.

        Returns
        -------
        float
        """
        check_is_fitted(self, "model_")
        predictions = self._predictions(X, units, init_score)
        if self.model_.quantiles:
            predictions = predictions[:, self.model_.point_column]
        return r2_score(y, predictions, sample_weight=sample_weight)

    def _as_given(self, y, predictions):
        """Converts targets and predictions to the form of eval_metric."""
        return y, predictions

    def _task(self):
        return "regression"

    def _add_target(self, table, y, names=None):
        """Adds the target columns and returns a list of their names."""
        if names is None:
            names = []
            for column in range(y.shape[1]):
                given = self._target_names[column] if column < len(self._target_names) else None
                name = given or ("target" if y.shape[1] == 1 else f"target{column}")
                names.append(unused_name(name, [*table.names, *names]))
        if y.shape[1] != len(names):
            raise ValueError(f"y has {y.shape[1]} columns, expected {len(names)}")
        for column, name in enumerate(names):
            table.add_target(name, y[:, column])
        return list(names)
