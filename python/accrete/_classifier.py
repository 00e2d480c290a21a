"""The classifier."""

from collections.abc import Iterator

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from accrete._base import BoostedNetwork, _free_name, with_callbacks
from accrete._frames import row_count, text_of


class BoostedNetworkClassifier(ClassifierMixin, BoostedNetwork):
    """A neural network grown by gradient boosting, for two classes or many.

    Step after step a block of ``units_per_step`` hidden units is fitted to what is still unexplained; all blocks stand
    as one ordinary network. Units are in order of use: ``units=`` at prediction time uses only the first of them.

    {parameters}

    Attributes
    ----------
    classes_ : ndarray
        The labels.
    n_features_in_, feature_names_in_ :
        The inputs, as in every scikit-learn estimator.
    n_units_, n_iter_ : int
        Hidden units, and boosting steps, of the fitted network.
    loss_curve_, validation_curve_ : ndarray
        Loss after 0, 1, 2, ... steps, of the training rows and of rows held out.
    choice_ : dict
        What was tried on rows held out before the fit, and how it went; no trials where nothing was chosen.
    feature_importances_ : ndarray
        How much each input moves the predictions, as shares that sum to 1.

    Examples
    --------
    >>> from accrete import BoostedNetworkClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = BoostedNetworkClassifier(n_units=40, random_state=0).fit(X, y)
    >>> bool(clf.score(X, y) > 0.95)
    True
    >>> clf.predict_proba(X[:2], units=8).shape     # the dial: the first 8 units alone
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
        batch_size=None,
        solver_rate=None,
        momentum=None,
        class_weight=None,
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
        self.rescale_residual = rescale_residual
        self.prior_start = prior_start
        self.batch_size = batch_size
        self.solver_rate = solver_rate
        self.momentum = momentum
        self.class_weight = class_weight
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

    @with_callbacks
    def fit(self, X, y, sample_weight=None, eval_set=None) -> "BoostedNetworkClassifier":
        """Grows the network. eval_set is a pair (X, y) of rows to find the best number of units on."""
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
        name = getattr(y, "name", None)
        self._target_name = name if isinstance(name, str) else None
        return X, self._target(y, row_count(X), known=known)

    def predict_proba(self, X, units: int | None = None) -> np.ndarray:
        """rows x classes probabilities, from the first ``units`` units (rounded down to a whole step)."""
        return self._in_order(self._predictions(X, units))

    def predict(self, X, units: int | None = None) -> np.ndarray:
        """The most probable class of each row, from the first ``units`` units."""
        probabilities = self.predict_proba(X, units)
        return self.classes_[np.argmax(probabilities, axis=1)]

    def predict_log_proba(self, X, units: int | None = None) -> np.ndarray:
        """The logarithm of predict_proba."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, units))

    def staged_predict_proba(self, X) -> Iterator[np.ndarray]:
        """predict_proba after each step, in one pass over the units."""
        for predictions in self._stages(X):
            yield self._in_order(predictions)

    def staged_predict(self, X) -> Iterator[np.ndarray]:
        """predict after each step, in one pass over the units."""
        for probabilities in self.staged_predict_proba(X):
            yield self.classes_[np.argmax(probabilities, axis=1)]

    def _as_given(self, codes):
        return self.classes_[codes]

    def _in_order(self, probabilities):
        """The library sorts labels that look like numbers as numbers; classes_ sorts texts as texts."""
        return probabilities if self._places is None else probabilities[:, self._places]

    def _target(self, y, rows, known=False):
        """Codes into classes_."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        y = column_or_1d(y, warn=True)
        check_consistent_length(np.empty((rows, 1)), y)
        check_classification_targets(y)
        if not known:
            self.classes_, codes = np.unique(y, return_inverse=True)
            if len(self.classes_) < 2:
                raise ValueError(f"y has only one class, {self.classes_[0]!r}; a classifier needs two at least")
            return codes.astype(np.int32)
        place = {label: code for code, label in enumerate(self.classes_.tolist())}
        unknown = [label for label in np.unique(y).tolist() if label not in place]
        if unknown:
            raise ValueError(f"y has the class {unknown[0]!r}, which the fitted model does not know")
        return np.array([place[label] for label in y.tolist()], dtype=np.int32)

    def _task(self):
        return "binary" if len(self.classes_) == 2 else "multiclass"

    def _add_target(self, table, codes, names=None):
        levels = self._levels()
        if len(set(levels)) < len(levels):
            raise ValueError("y: two classes are spelt alike as text; rename them")
        names = names or [_free_name(self._target_name or "target", table.names)]
        table.add_text(names[0], codes, levels)
        return list(names)

    def _weights(self, X, codes, sample_weight):
        weights = super()._weights(X, codes, sample_weight)
        if self.class_weight is None or isinstance(self.class_weight, str):
            return weights
        from sklearn.utils.class_weight import compute_sample_weight

        by_class = compute_sample_weight(self.class_weight, self.classes_[codes])
        return by_class if weights is None else weights * by_class

    def _settings(self):
        settings = super()._settings()
        if isinstance(self.class_weight, str):
            if self.class_weight != "balanced":
                raise ValueError(f"class_weight={self.class_weight!r}: must be a dict, 'balanced' or None")
            settings.append(("class_weight", "balanced"))
        return settings

    def _keep(self, outcome):
        super()._keep(outcome)
        if len(outcome.model.classes) != len(self.classes_):
            raise ValueError("y: some classes are the same number spelt in two ways; spell them alike")
        self._places = self._places_in(outcome.model)

    def _places_in(self, core):
        try:
            places = [core.classes.index(text) for text in self._levels()]
        except ValueError:  # a file that spells its labels otherwise: classes_ was made in its order
            return None
        return None if places == sorted(places) else places

    def _attributes(self, core):
        return {**super()._attributes(core), "_places": self._places_in(core)}

    def _levels(self):
        return [text_of(label) for label in self.classes_]

    @classmethod
    def _from_core(cls, core, classes):
        estimator = cls._restored(core)
        estimator.classes_ = np.asarray(classes)
        estimator._places = None
        return estimator
