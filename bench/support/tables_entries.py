"""Entries of the benchmark `tables`: estimators with native categories, and the data frame that each library gets."""
import importlib

import numpy as np
import pandas as pd

from support.tables import number

PRESETS = {"accrete fast": "fast", "accrete default": "default", "accrete best": "best"}
CUDA = ", CUDA"  # suffix of the entries that fit on a GPU

# entry -> module, class name without Classifier or Regressor, parameters, name of the thread and seed parameters
PEERS = {
    "XGBoost 500": ("xgboost", "XGB", {"n_estimators": 500, "learning_rate": .05, "max_depth": 6, "subsample": .8,
                                       "enable_categorical": True}, "n_jobs", "random_state"),
    "LightGBM": ("lightgbm", "LGBM", {"verbose": -1}, "n_jobs", "random_state"),
    "CatBoost": ("catboost", "CatBoost", {"verbose": False, "allow_writing_files": False}, "thread_count",
                 "random_seed"),
}

# accrete and its peers alternate, so that a load of the hardware that changes slowly affects both.
ENTRIES = [entry for pair in zip(PRESETS, PEERS) for entry in pair]
MISSING_LEVEL = "(missing)"


def with_cuda(entries):
    """The entries, each of accrete's followed by the same on a GPU."""
    return [name for entry in entries for name in ([entry, entry + CUDA] if entry in PRESETS else [entry])]


def is_accrete(entry):
    return entry.removesuffix(CUDA) in PRESETS


def version_of(entry):
    package = "accrete" if is_accrete(entry) else PEERS[entry][0]
    return f"{package} {importlib.import_module(package).__version__}"


def make(entry, regression, threads, seed, columns=(), **parameters):
    """A new estimator. `columns`: names of the category columns, which only CatBoost has to be told."""
    kind = "Regressor" if regression else "Classifier"
    if is_accrete(entry):
        import accrete
        device = "cuda" if entry.endswith(CUDA) else "cpu"
        return getattr(accrete, "BoostedNetwork" + kind)(preset=PRESETS[entry.removesuffix(CUDA)], device=device,
                                                         n_jobs=threads, random_state=seed, **parameters)
    module, name, own, threads_name, seed_name = PEERS[entry]
    categories = {"cat_features": list(columns)} if entry == "CatBoost" else {}
    model = getattr(importlib.import_module(module), name + kind)
    return model(**own | categories | {threads_name: threads, seed_name: seed} | parameters)


def category_columns(frame):
    return [name for name in frame.columns if isinstance(frame[name].dtype, pd.CategoricalDtype)]


def frames(entry, frame, train, test):
    """Training and test rows as the library of the entry takes them. Levels that do not occur in the training rows
    are unseen: XGBoost and LightGBM get them as missing values, because they require the same levels in both frames."""
    rows = frame.iloc[train], frame.iloc[test]
    parts = {}
    for name in frame.columns:
        one, other = (part[name] for part in rows)
        if isinstance(one.dtype, pd.CategoricalDtype):
            one, other = (part.cat.remove_unused_categories() for part in (one, other))
            convert = accrete_categories if is_accrete(entry) else \
                catboost_categories if entry == "CatBoost" else shared_categories
            one, other = convert(one, other)
        parts[name] = one, other
    return tuple(pd.DataFrame({name: pair[i] for name, pair in parts.items()}) for i in (0, 1))


def accrete_categories(train, test):
    """Text. If all training levels are numbers, categories, because text would become a numeric column."""
    if all(number(level) is not None for level in train.cat.categories):
        return train, test
    return train.astype(object), test.astype(object)


def catboost_categories(train, test):
    """Categories with a level for missing values, which CatBoost refuses."""
    return tuple(part.cat.add_categories(MISSING_LEVEL).fillna(MISSING_LEVEL) for part in (train, test))


def shared_categories(train, test):
    levels = train.cat.categories
    if len(levels) == 0:  # all values are missing
        return tuple(pd.Series(np.nan, index=part.index) for part in (train, test))
    return train, test.cat.set_categories(levels)
