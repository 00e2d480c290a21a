"""Every setting of a grid, cross-validated: all fits in one go, on all cores or on a GPU."""

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
from accrete._documentation import LIBRARY_NAMES, OWN, to_python
from accrete._settings import DEVICES, _text


def _fitted_has(name):
    def check(search):
        return hasattr(getattr(search, "best_estimator_", search.estimator), name)

    return check


class BoostedNetworkSearchCV(MetaEstimatorMixin, BaseEstimator):
    """Grid search with cross-validation over a boosted network's parameters.

    One fit scores every number of units, since they are its prefixes: ``n_units`` in the grid costs the fits of its
    largest value alone. Nothing else is chosen meanwhile: fits are made with ``auto=False``.

    Parameters
    ----------
    estimator : BoostedNetworkClassifier or BoostedNetworkRegressor
        What is searched over; its own parameters hold where the grid has none. Its random_state draws folds and fits.
    param_grid : dict
        Names of parameters with a list of values each; every combination is tried.
    cv : int, splitter or iterable of splits, default 5
        A number of folds, which are drawn at random, stratified where there are classes; or, as scikit-learn has it,
        something that cuts the rows.
    scoring : str or None
        One of accuracy, auc, log_loss (classes) or rmse, mae, r2 (numbers); None: accuracy or rmse. Scores are as they
        are: of log_loss, rmse and mae the lowest is the best.
    refit : bool
        Fit the best setting to all rows at the end.
    device : {'cpu', 'cuda', 'auto'} or None
        Where the fits are done: 'cuda' does all of them at once on an NVIDIA GPU, 'cpu' one on each core. None: the
        estimator's.

    Attributes
    ----------
    best_params_ : dict
        The setting with the best mean.
    best_score_ : float
        That mean. It was chosen by, and is too good to be true: score rows that had no say.
    best_estimator_ :
        The estimator with these parameters and auto=False, fitted to all rows, where refit is True.
    best_index_ : int
        Its place in cv_results_.
    cv_results_ : dict
        As GridSearchCV has it: params, param_..., split0_test_score and so on, mean_test_score, std_test_score,
        rank_test_score.
    units_ : ndarray
        The numbers of units that were scored.
    scorer_, n_splits_ : str, int
        The metric, and the number of cuts.

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

    def fit(self, X, y, sample_weight=None) -> "BoostedNetworkSearchCV":
        """Tries every setting and, with refit, fits the best one to all rows."""
        if not isinstance(self.estimator, BoostedNetwork):
            raise TypeError("estimator: must be a BoostedNetworkClassifier or a BoostedNetworkRegressor")
        grid = self._grid()
        estimator = clone(self.estimator)
        if self.device is not None:
            estimator.device = self.device
        if estimator.device not in DEVICES:
            raise ValueError(f"device={estimator.device!r}: must be one of {', '.join(DEVICES)}")
        rows, target = estimator._taken(X, y)
        table = estimator._training_table(rows)
        request = self._request(estimator, grid)
        request.targets = estimator._add_target(table, target)
        request.task = estimator._task()
        request.weight_column = estimator._add_weight(table, rows, target, sample_weight)
        asked = self._asked(estimator, grid, dict(request.settings), X, estimator._as_given(target))
        try:
            outcome = _core.search(table, request, asked)
        except _core.Refused as error:
            raise ValueError(to_python(str(error))) from None
        for note in outcome.notes:
            warnings.warn(note, stacklevel=2)
        self._keep(outcome, grid, list(asked.units))
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**self.best_params_, auto=False)
            self.best_estimator_.fit(X, y, sample_weight=sample_weight)
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))
        return self

    # What is asked for.

    def _grid(self):
        """Names with their values, in the order that was given."""
        if not isinstance(self.param_grid, dict) or not self.param_grid:
            raise ValueError("param_grid: must be a dict of names with lists of values")
        known = self.estimator.get_params(deep=False)
        grid = {}
        for name, values in self.param_grid.items():
            if name not in known:
                raise ValueError(f"param_grid: {type(self.estimator).__name__} has no parameter {name!r}")
            if name in OWN and name != "class_weight":
                raise ValueError(f"param_grid: {name} cannot be searched over")
            if isinstance(values, (str, bytes)) or not np.iterable(values) or len(values := list(values)) == 0:
                raise ValueError(f"param_grid: {name} needs a list of values")
            for value in values:
                if not isinstance(value, (str, numbers.Real, np.bool_)):
                    raise ValueError(f"param_grid: {name}={value!r}: must be a number or a text")
            grid[name] = [value.item() if isinstance(value, np.generic) else value for value in values]
        units = grid.get("n_units", [])
        if any(isinstance(n, bool) or not isinstance(n, numbers.Integral) or n < 1 for n in units):
            raise ValueError("param_grid: n_units: must be whole numbers of at least 1")
        return grid

    def _request(self, estimator, grid):
        """What holds for every fit: what the grid has is left out."""
        request = estimator._request(held_out=False)
        searched = {LIBRARY_NAMES.get(name, name) for name in grid}
        request.settings = [(name, text) for name, text in request.settings if name not in searched]
        return request

    def _asked(self, estimator, grid, settings, X, y):
        asked = _core.SearchRequest()
        asked.axes = [
            (LIBRARY_NAMES.get(name, name), [_text(value) for value in values])
            for name, values in grid.items()
            if name != "n_units"
        ]
        if "n_units" in grid:
            asked.units = sorted(set(grid["n_units"]))
        else:
            asked.units = [int(settings.get("units") or _preset_units(estimator))]
        if self.scoring is not None:
            asked.metric = self.scoring
        asked.seed = int(settings["seed"])
        if isinstance(self.cv, numbers.Integral) and not isinstance(self.cv, bool):
            if self.cv < 2:
                raise ValueError(f"cv={self.cv}: must be at least 2")
            asked.folds = int(self.cv)
        else:
            cutter = check_cv(self.cv, y, classifier=estimator._classes)
            asked.splits = [(np.sort(train).tolist(), np.sort(test).tolist()) for train, test in cutter.split(X, y)]
            if not asked.splits:
                raise ValueError("cv: has no splits")
        self.n_splits_ = len(asked.splits) or asked.folds
        return asked

    # What came of it.

    def _keep(self, outcome, grid, units):
        """In the order of the grid, the last parameter changing fastest."""
        found = {(tuple(tried.settings), tried.units): np.array(tried.scores) for tried in outcome.tried}
        names = [name for name in grid if name != "n_units"]
        texts = {name: _canonical(name, grid[name]) for name in names}
        params, keys = [], []
        for point in product(*(grid[name] for name in names)):
            key = tuple((LIBRARY_NAMES.get(name, name), texts[name][value]) for name, value in zip(names, point))
            for count in units:
                params.append(dict(zip(names, point)) | ({"n_units": count} if "n_units" in grid else {}))
                keys.append((key, count))
        scores = np.array([found[key] for key in keys])
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

    # The best one at work.

    def _best(self):
        check_is_fitted(self, "cv_results_")
        if not hasattr(self, "best_estimator_"):
            raise AttributeError("refit=False: there is no best_estimator_ to ask; fit one with best_params_")
        return self.best_estimator_

    def predict(self, X, units: int | None = None) -> np.ndarray:
        """By the best estimator, as all that follow."""
        return self._best().predict(X, units)

    @available_if(_fitted_has("predict_proba"))
    def predict_proba(self, X, units: int | None = None) -> np.ndarray:
        return self._best().predict_proba(X, units)

    def score(self, X, y, sample_weight=None) -> float:
        """As the best estimator scores: accuracy, or R2."""
        return self._best().score(X, y, sample_weight)


def _preset_units(estimator):
    entry = next(entry for entry in _core.parameters() if entry["name"] == "units")
    wanted = (estimator.preset, estimator._classes)
    return next(value for name, classes, value in entry["presets"] if (name, classes) == wanted)


def _canonical(name, values):
    """Each value as the library writes it."""
    return {value: _core.canonical(LIBRARY_NAMES.get(name, name), _text(value)) for value in values}
