"""BoostedNetworkClassifier."""

from collections.abc import Iterator

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score

from accrete._base import BoostedNetwork, with_callbacks
from accrete._frames import row_count
from accrete._labels import SAME_NUMBER, ClassLabels, parse_labels
from accrete._model import steps_for
from accrete._row_weights import class_weight_text


class BoostedNetworkClassifier(ClassifierMixin, ClassLabels, BoostedNetwork):
    """A neural network grown by gradient boosting, for two or more classes.

    Each boosting step adds a block of ``units_per_step`` hidden units that lowers the loss at the current scores. All
    blocks together are one network with a single hidden layer. Any prefix of it is a model too: ``units=`` predicts
    with the first units.

    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of input columns.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the input columns; only if X was a data frame.
    n_units_ : int
        Number of hidden units of the fitted network.
    n_iter_ : int
        Number of boosting steps of the fitted network.
    loss_curve_ : ndarray
        Training loss after 0, 1, 2, ... steps.
    validation_curve_ : ndarray
        Validation loss after 0, 1, 2, ... steps; empty without a validation set.
    choice_ : dict
        Candidates that were compared on held-out rows, if parameters were chosen automatically.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean squared change of the predictions when an input is replaced by that of another row; sums to 1.

    Examples
    --------
    >>> from accrete import BoostedNetworkClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, y)
    >>> bool(clf.score(X, y) > 0.95)
    True
    >>> clf.predict_proba(X[:2], units=8).shape     # only the first 8 units
    (2, 3)
    """

    _classes = True

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
        rescale_residual=None,
        prior_start=None,
        monotonic_cst=None,
        interaction_cst=None,
        batch_size=None,
        solver_rate=None,
        momentum=None,
        class_weight=None,
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
        self.rescale_residual = rescale_residual
        self.prior_start = prior_start
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.batch_size = batch_size
        self.solver_rate = solver_rate
        self.momentum = momentum
        self.class_weight = class_weight
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

    @with_callbacks
    def fit(
        self, X, y, sample_weight=None, eval_set=None, init_score=None, callback=None, comm=None
    ) -> "BoostedNetworkClassifier":
        """Fit the network.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows. NaN and None are missing values; text columns are categories.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        eval_set : tuple (X, y), default=None
            Validation set; the network is truncated to its best prefix on it. With init_score: (X, y, init_score).
        init_score : array-like of shape (n_samples,), default=None
            Added to the logit of the second class. Only for two classes.
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
        """X and y in the library's form; y must have known labels if the model is fitted."""
        X = self._check_X(X, fitting=not known)
        name = getattr(y, "name", None)
        self._target_name = name if isinstance(name, str) else None
        return X, self._check_y(y, row_count(X), known=known)

    def predict_proba(self, X, units: int | None = None, init_score=None, exit: bool = False) -> np.ndarray:
        """Predict class probabilities.

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
        ndarray of shape (n_samples, n_classes)
            Columns are in the order of ``classes_``.
        """
        return self._to_class_order(self._predictions(X, units, init_score, exit))

    def predict(self, X, units: int | None = None, init_score=None, exit: bool = False) -> np.ndarray:
        """Predict the most probable class.

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
        ndarray of shape (n_samples,)
        """
        probabilities = self.predict_proba(X, units, init_score, exit)
        return self.classes_[np.argmax(probabilities, axis=1)]

    def predict_set(self, X, units: int | None = None) -> np.ndarray:
        """Predict sets of classes that contain the true class with probability ``interval``.

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
        ndarray of bool of shape (n_samples, n_classes)
            True for every class of the set; columns are in the order of ``classes_``.
        """
        predictions = self._predictions(X, units)
        sets = self.model_.sets_of(predictions, steps_for(self.model_, units))
        return self._to_class_order(sets) > 0

    def predict_log_proba(self, X, units: int | None = None, init_score=None, exit: bool = False) -> np.ndarray:
        """Predict the logarithms of class probabilities.

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
        ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, units, init_score, exit))

    def score(self, X, y, sample_weight=None, init_score=None, units: int | None = None) -> float:
        """The accuracy.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Test rows.
        y : array-like of shape (n_samples,)
            True labels.
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
        predictions = self.predict(X, units=units, init_score=init_score)
        return float(accuracy_score(y, predictions, sample_weight=sample_weight))

    def staged_predict_proba(self, X, init_score=None) -> Iterator[np.ndarray]:
        """Predict class probabilities after each step, in one pass over the units.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to predict.
        init_score : array-like of shape (n_samples,) or float, default=None
            Added to the score of each row, as in fit. Required if fit had one; 0 predicts without an offset.

        Yields
        ------
        ndarray of shape (n_samples, n_classes)
        """
        for predictions in self._staged_predictions(X, init_score):
            yield self._to_class_order(predictions)

    def staged_predict(self, X, init_score=None) -> Iterator[np.ndarray]:
        """Predict the most probable class after each step, in one pass over the units.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to predict.
        init_score : array-like of shape (n_samples,) or float, default=None
            Added to the score of each row, as in fit. Required if fit had one; 0 predicts without an offset.

        Yields
        ------
        ndarray of shape (n_samples,)
        """
        for probabilities in self.staged_predict_proba(X, init_score):
            yield self.classes_[np.argmax(probabilities, axis=1)]

    def _settings(self):
        settings = super()._settings()
        if self.class_weight is not None:
            settings.append(("class_weight", class_weight_text(self.class_weight)))
        return settings

    def _set_outcome(self, outcome):
        super()._set_outcome(outcome)
        if len(outcome.model.classes) != len(self.classes_):
            raise ValueError(SAME_NUMBER)
        self._places = self._class_positions(outcome.model)

    def _fitted_attributes(self, model):
        return {**super()._fitted_attributes(model), "_places": self._class_positions(model)}

    @classmethod
    def _from_model(cls, model):
        estimator = super()._from_model(model)
        estimator.classes_ = parse_labels(model.classes)
        estimator._places = None  # the order of the file
        return estimator
