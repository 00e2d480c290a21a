from accrete import mlflow as mlflow
from accrete import optuna as optuna
from accrete import torch as torch
from accrete._classifier import BoostedNetworkClassifier as BoostedNetworkClassifier
from accrete._functions import check_loss as check_loss
from accrete._load import load as load
from accrete._model import Model as Model
from accrete._regressor import BoostedNetworkRegressor as BoostedNetworkRegressor
from accrete._search import BoostedNetworkSearchCV as BoostedNetworkSearchCV

__version__: str
__all__: list[str]
