"""Grid search with cross-validation."""

import math
import numbers
import warnings
from itertools import product

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.model_selection import check_cv
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from accrete import _core
from accrete._base import BoostedNetwork
from accrete._parameters import ESTIMATOR_PARAMETERS, library_name, preset_values, to_text
from accrete._settings import check_device
from accrete._spread import is_cluster_active, run_on_cluster


def _best_estimator_has(name):
    def check(search):
        return hasattr(getattr(search, "best_estimator_", search.estimator), name)

    return check


class BoostedNetworkSearchCV(MetaEstimatorMixin, BaseEstimator):
    """Grid search with cross-validation over the parameters of a boosted network.

    One fit scores all numbers of units, since they are prefixes of one network: ``n_units`` in the grid costs only the
    fits with its largest value. All fits have ``auto=False``. They run on the threads of this process, or on the
    workers of a cluster while its joblib backend is active: ``with joblib.parallel_config("dask"):``. Results are the
    same.

    Parameters
    ----------
    estimator : BoostedNetworkClassifier or BoostedNetworkRegressor
        Its parameters apply to all fits, except for those in the grid. Its random_state seeds folds and fits.
    param_grid : dict
        Lists of values by parameter name. All combinations are tried.
    cv : int, splitter or iterable of splits, default=5
        Number of random folds, stratified for classifiers; or a splitter or splits as in scikit-learn.
    scoring : str, default=None
        'accuracy', 'log_loss', 'auc', 'balanced_accuracy' or 'f1' for classifiers, 'rmse', 'mae', 'r2', 'mape' or
        'pinball' for regressors. None uses the estimator's metric if it has one, otherwise accuracy or rmse. Scores are
        not negated: lower is better for log_loss, rmse, mae, mape and pinball.
    refit : bool, default=True
        Fit the best candidate on all rows at the end.
    device : {'cpu', 'cuda', 'auto'}, default=None
        Where the fits run. 'cuda' runs all of them at once on an NVIDIA GPU, 'cpu' one per core. None uses the
        estimator's device.

    Attributes
    ----------
    best_params_ : dict
        The candidate with the best mean score.
    best_score_ : float
        Its mean score. It is optimistic, because it was used for the selection: evaluate on other rows.
    best_estimator_ : estimator
        The estimator with these parameters and auto=False, fitted on all rows; only if refit is True.
    best_index_ : int
        Index of the best candidate in cv_results_.
    cv_results_ : dict
        As in GridSearchCV: params, param_..., split0_test_score, ..., mean_test_score, std_test_score,
        rank_test_score.
    units_ : ndarray
        The numbers of units that were scored.
    scorer_ : str
        The metric.
    n_splits_ : int
        The number of folds or splits.

    Examples
    --------
    >>> from accrete import BoostedNetworkClassifier, BoostedNetworkSearchCV
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = {"learning_rate": [0.1, 0.5], "n_units": [8, 16, 24]}
    >>> search = BoostedNetworkSearchCV(BoostedNetworkClassifier(random_state=0), grid, cv=3).fit(X, y)
    >>> len(search.cv_results_["params"])               # from 2 x 3 fits
    6
    >>> bool(search.best_score_ > 0.9)
    True
    """

    def __init__(self, estimator, param_grid, *, cv=5, scoring=None, refit=True, device=None):
        self.estimator = estimator
        self.param_grid = param_grid
        self.cv = cv
        self.scoring = scoring
        self.refit = refit
        self.device = device

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        tags.target_tags, tags.input_tags = inner.target_tags, inner.input_tags
        return tags

    def fit(self, X, y, sample_weight=None, init_score=None) -> "BoostedNetworkSearchCV":
        """Score all candidates and, with refit, fit the best one on all rows.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Class labels or target values.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        init_score : array-like of shape (n_samples,), default=None
            Added to the score of each row, in training and in scoring.

        Returns
        -------
        self
        """
        if not isinstance(self.estimator, BoostedNetwork):
            raise TypeError("estimator: must be a BoostedNetworkClassifier or a BoostedNetworkRegressor")
        for name in ("best_estimator_", "classes_", "n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
        estimator = clone(self.estimator)
        table, request, search_request = self._prepare(estimator, X, y, sample_weight, init_score)
        records = None
        if is_cluster_active():
            rows = X, y, sample_weight, init_score
            points = math.prod(len(values) for _, values in search_request.axes)
            records = run_on_cluster(self._for_worker(request, search_request), rows, points * self.n_splits_)
        outcome = _core.search(table, request, search_request, records)
        for note in outcome.notes:
            warnings.warn(note, stacklevel=2)
        self._set_results(outcome, self._grid(), list(search_request.units))
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**self.best_params_, auto=False, metric=None)
            self.best_estimator_.fit(X, y, sample_weight=sample_weight, init_score=init_score)
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))
        return self

    # Arguments.

    def _prepare(self, estimator, X, y, sample_weight, init_score):
        """The table and the arguments of all fits. Sets n_splits_ and the attributes that the estimator's fit sets."""
        grid = self._grid()
        if self.device is not None:
            estimator.device = self.device
        check_device(estimator.device)
        rows, target = estimator._check_X_y(X, y)
        table = estimator._training_table(rows)
        request = self._request(estimator, grid)
        request.targets = estimator._add_target(table, target)
        request.task = estimator._task()
        request.weight_column = estimator._add_weights(table, rows, target, sample_weight)
        request.offset_column = estimator._add_offsets(table, rows, init_score)
        return table, request, self._search_request(
            estimator, grid, dict(request.settings), X, estimator._original_y(target)
        )

    def _for_worker(self, request, search_request):
        """A copy for workers, with the seed and the splits drawn by this process."""
        estimator = clone(self.estimator).set_params(random_state=int(dict(request.settings)["seed"]))
        if estimator.n_jobs is None:
            estimator.n_jobs = 1
        splits = [(np.asarray(train), np.asarray(test)) for train, test in search_request.splits]
        return type(self)(
            estimator, self.param_grid, cv=splits or self.cv, scoring=self.scoring, refit=False, device=self.device
        )

    def _run_part(self, X, y, sample_weight, init_score, index, parts):
        """The records of every parts-th fit, starting at index."""
        arguments = self._prepare(clone(self.estimator), X, y, sample_weight, init_score)
        return _core.search_part(*arguments, index, parts)

    def _grid(self):
        """The checked values by name, in the order given."""
        if not isinstance(self.param_grid, dict) or not self.param_grid:
            raise ValueError("param_grid: must be a dict of parameter names and lists of values")
        known = self.estimator.get_params(deep=False)
        grid = {}
        for name, values in self.param_grid.items():
            if name not in known:
                raise ValueError(f"param_grid: {type(self.estimator).__name__} has no parameter {name!r}")
            if name in ESTIMATOR_PARAMETERS and name != "class_weight":
                raise ValueError(f"param_grid: {name} cannot be searched over")
            if isinstance(values, (str, bytes)) or not np.iterable(values) or len(values := list(values)) == 0:
                raise ValueError(f"param_grid: {name} needs a list of values")
            for value in values:
                if not isinstance(value, (str, numbers.Real, np.bool_)):
                    raise ValueError(f"param_grid: {name}={value!r}: must be a number or a string")
            grid[name] = [value.item() if isinstance(value, np.generic) else value for value in values]
        units = grid.get("n_units", [])
        if any(isinstance(n, bool) or not isinstance(n, numbers.Integral) or n < 1 for n in units):
            raise ValueError("param_grid: n_units: must be integers of at least 1")
        return grid

    def _request(self, estimator, grid):
        """The arguments that all fits share; parameters of the grid are removed."""
        metric, estimator.metric = estimator.metric, None  # of the scores; the fits have no validation set
        request = estimator._request(has_eval_set=False)
        estimator.metric = metric
        searched = {library_name(name) for name in grid}
        request.settings = [(name, text) for name, text in request.settings if name not in searched]
        return request

    def _search_request(self, estimator, grid, settings, X, y):
        """The arguments of a search. Sets n_splits_."""
        request = _core.SearchRequest()
        request.axes = [
            (library_name(name), [to_text(value) for value in values])
            for name, values in grid.items()
            if name != "n_units"
        ]
        if "n_units" in grid:
            request.units = sorted(set(grid["n_units"]))
        else:
            request.units = [int(settings.get("units") or preset_values(estimator.preset, estimator._classes)["units"])]
        if self.scoring is not None:
            request.metric = self.scoring
        elif estimator.metric not in (None, "loss"):
            request.metric = estimator.metric
        request.seed = int(settings["seed"])
        if isinstance(self.cv, numbers.Integral) and not isinstance(self.cv, bool):
            if self.cv < 2:
                raise ValueError(f"cv={self.cv}: must be at least 2")
            request.folds = int(self.cv)
        else:
            splitter = check_cv(self.cv, y, classifier=estimator._classes)
            request.splits = [(np.sort(train).tolist(), np.sort(test).tolist()) for train, test in splitter.split(X, y)]
            if not request.splits:
                raise ValueError("cv: must give at least one split")
        self.n_splits_ = len(request.splits) or request.folds
        return request

    # Results.

    def _set_results(self, outcome, grid, units):
        """Sets cv_results_, in the order of the grid with the last parameter changing fastest, and the best ones."""
        scores_of = {(tuple(tried.settings), tried.units): np.array(tried.scores) for tried in outcome.tried}
        names = [name for name in grid if name != "n_units"]
        texts = {name: _canonical(name, grid[name]) for name in names}
        params, keys = [], []
        for point in product(*(grid[name] for name in names)):
            key = tuple((library_name(name), texts[name][value]) for name, value in zip(names, point))
            for count in units:
                params.append(dict(zip(names, point)) | ({"n_units": count} if "n_units" in grid else {}))
                keys.append((key, count))
        scores = np.array([scores_of[key] for key in keys])
        means = scores.mean(axis=1)
        order = np.where(np.isnan(means), np.inf, -means if outcome.higher_is_better else means)
        self.cv_results_ = {f"param_{name}": np.ma.array([p[name] for p in params], dtype=object) for name in grid}
        self.cv_results_["params"] = params
        for split in range(scores.shape[1]):
            self.cv_results_[f"split{split}_test_score"] = scores[:, split]
        self.cv_results_["mean_test_score"] = means
        self.cv_results_["std_test_score"] = scores.std(axis=1)
        self.cv_results_["rank_test_score"] = (1 + (order[None, :] < order[:, None]).sum(axis=1)).astype(np.int32)
        self.units_, self.scorer_ = np.array(units), outcome.metric
        best = outcome.tried[0]
        self.best_index_ = keys.index((tuple(best.settings), best.units))
        self.best_params_, self.best_score_ = params[self.best_index_], float(means[self.best_index_])

    # The best estimator.

    def _best(self):
        check_is_fitted(self, "cv_results_")
        if not hasattr(self, "best_estimator_"):
            raise AttributeError("refit=False: best_estimator_ is not available; fit an estimator with best_params_")
        return self.best_estimator_

    def predict(self, X, units: int | None = None, init_score=None) -> np.ndarray:
        """Predict with the best estimator; see its method."""
        return self._best().predict(X, units, init_score)

    @available_if(_best_estimator_has("predict_proba"))
    def predict_proba(self, X, units: int | None = None, init_score=None) -> np.ndarray:
        """Predict probabilities with the best estimator; see its method."""
        return self._best().predict_proba(X, units, init_score)

    def score(self, X, y, sample_weight=None, init_score=None) -> float:
        """Score the best estimator: accuracy or R²."""
        return self._best().score(X, y, sample_weight, init_score)


def _canonical(name, values):
    """Each value in the library's canonical form."""
    return {value: _core.canonical(library_name(name), to_text(value)) for value in values}
