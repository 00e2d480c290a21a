"""The regressor."""

from collections.abc import Iterator

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_array, check_consistent_length

from accrete._base import BoostedNetwork, _free_name, with_callbacks
from accrete._frames import row_count


class BoostedNetworkRegressor(RegressorMixin, BoostedNetwork):
    """A neural network grown by gradient boosting, for one number per row or several.

    Step after step a block of ``units_per_step`` hidden units is fitted to what is still unexplained; all blocks stand
    as one ordinary network. Units are in order of use: ``units=`` at prediction time uses only the first of them.

    {parameters}

    Attributes
    ----------
    n_features_in_, feature_names_in_ :
        The inputs, as in every scikit-learn estimator.
    n_units_, n_iter_ : int
        Hidden units, and boosting steps, of the fitted network.
    loss_curve_, validation_curve_ : ndarray
        Loss after 0, 1, 2, ... steps, in the target's units.
    choice_ : dict
        What was tried on rows held out before the fit, and how it went; no trials where nothing was chosen.
    feature_importances_ : ndarray
        How much each input moves the predictions, as shares that sum to 1.

    Examples
    --------
    >>> from accrete import BoostedNetworkRegressor
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> reg = BoostedNetworkRegressor(n_units=40, random_state=0).fit(X, y)
    >>> bool(reg.score(X, y) > 0.5)
    True
    >>> reg.predict(X[:2], units=8).shape           # the dial: the first 8 units alone
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
        batch_size=None,
        solver_rate=None,
        momentum=None,
        early_stopping=False,
        validation_fraction=None,
        patience=None,
        auto=None,
        time_limit=None,
        preset="default",
        warm_start=False,
        random_state=None,
        device="cpu",
        n_jobs=None,
        verbose=0,
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
        self.batch_size = batch_size
        self.solver_rate = solver_rate
        self.momentum = momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.auto = auto
        self.time_limit = time_limit
        self.preset = preset
        self.warm_start = warm_start
        self.random_state = random_state
        self.device = device
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @with_callbacks
    def fit(self, X, y, sample_weight=None, eval_set=None) -> "BoostedNetworkRegressor":
        """Grows the network. y may have several columns. eval_set is a pair (X, y) of rows to find the best number of
        units on.
        """
        return self._or_as_before(lambda: self._checked_fit(X, y, sample_weight, eval_set))

    def _checked_fit(self, X, y, sample_weight, eval_set):
        going_on = self._goes_on()
        X, y = self._taken(X, y, known=going_on)
        if going_on:
            return self._go_on(X, y, sample_weight, eval_set)
        return self._fit(X, y, sample_weight, eval_set)

    def _taken(self, X, y, known=False):
        """X and y as the library takes them."""
        X = self._rows(X, fitting=not known)
        if not known:
            names = list(y.columns) if hasattr(y, "columns") else [getattr(y, "name", None)]
            self._target_names = [name if isinstance(name, str) else None for name in names]
        return X, self._target(y, row_count(X), known=known)

    def predict(self, X, units: int | None = None) -> np.ndarray:
        """The predicted values, from the first ``units`` units (rounded down to a whole step)."""
        return self._shaped(self._predictions(X, units))

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """predict after each step, in one pass over the units."""
        for predictions in self._stages(X):
            yield self._shaped(predictions)

    def _shaped(self, predictions):
        return predictions[:, 0] if predictions.shape[1] == 1 else predictions

    def _target(self, y, rows, known=False):
        """rows x targets numbers."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        check_consistent_length(np.empty((rows, 1)), y)
        y = y.reshape(rows, -1)
        return y

    def _as_given(self, y):
        return y[:, 0] if y.shape[1] == 1 else y

    def _task(self):
        return "regression"

    def _add_target(self, table, y, names=None):
        if names is None:
            names = []
            for column in range(y.shape[1]):
                given = self._target_names[column] if column < len(self._target_names) else None
                wanted = given or ("target" if y.shape[1] == 1 else f"target{column}")
                names.append(_free_name(wanted, [*table.names, *names]))
        if y.shape[1] != len(names):
            raise ValueError(f"y has {y.shape[1]} columns where {len(names)} are expected")
        for column, name in enumerate(names):
            table.add_target(name, y[:, column])
        return list(names)

    @classmethod
    def _from_core(cls, core):
        return cls._restored(core)
