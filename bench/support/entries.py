"""The entries of the accuracy comparison, each on one thread and, except for XGBoost 500, with its own defaults.

SVM has no log loss: scikit-learn's probabilities cost a cross-validation within every fit and are not what it decides
by. Its larger cache only makes it faster. MLP and SVM get standardised inputs and, in regression, a standardised
target, because they do not work without. Libraries that handle missing numbers get NaN; the others get the column
means.
"""
import importlib

PRESETS = {"accrete": "default", "accrete paper": "paper"}

# entry -> module, class name without Classifier or Regressor, parameters, name of the seed parameter
MODELS = {
    "LightGBM": ("lightgbm", "LGBM", {"n_jobs": 1, "verbose": -1}, "random_state"),
    "XGBoost": ("xgboost", "XGB", {"n_jobs": 1}, "random_state"),
    "HistGB": ("sklearn.ensemble", "HistGradientBoosting", {}, "random_state"),
    "XGBoost 500": ("xgboost", "XGB", {"n_jobs": 1, "n_estimators": 500, "learning_rate": .05, "max_depth": 6,
                                       "subsample": .8}, "random_state"),
    "MLP": ("sklearn.neural_network", "MLP", {"max_iter": 200}, "random_state"),
    "RandomForest": ("sklearn.ensemble", "RandomForest", {"n_estimators": 500, "n_jobs": 1}, "random_state"),
    "CatBoost": ("catboost", "CatBoost", {"thread_count": 1, "verbose": False, "allow_writing_files": False},
                 "random_seed"),
    "SVM": ("sklearn.svm", "SV", {"C": 1.0, "gamma": "scale", "cache_size": 1000}, None),
}
SCALED = {"MLP", "SVM"}
IMPUTED = SCALED | {"RandomForest"}
WITHOUT_PROBABILITIES = {"SVM"}

# In the order in which they run on a fold: the slowest last.
ENTRIES = [*PRESETS, *MODELS]


def version_of(entry):
    """Name and version of the package of an entry."""
    package = MODELS[entry][0].split(".")[0]
    return f"{package} {importlib.import_module(package).__version__}"


def make(entry, regression, seed):
    """A new estimator, including the preprocessing of its inputs."""
    module, name, parameters, seed_name = MODELS[entry]
    suffix = ("R" if regression else "C") if entry == "SVM" else ("Regressor" if regression else "Classifier")
    seeded = {seed_name: seed} if seed_name else {}
    model = getattr(importlib.import_module(module), name + suffix)(**parameters, **seeded)
    return prepared(model, regression, entry in SCALED) if entry in IMPUTED else model


def prepared(model, regression, scaled):
    """The model with mean imputation and, if `scaled`, standardised inputs and target."""
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    steps = [SimpleImputer(keep_empty_features=True)] + ([StandardScaler()] if scaled else [])
    pipeline = make_pipeline(*steps, model)
    if regression and scaled:
        return TransformedTargetRegressor(pipeline, transformer=StandardScaler())
    return pipeline
