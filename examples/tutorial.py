# %% [markdown]
# # accrete in ten minutes
#
# A neural network is grown a few units at a time: each boosting step adds a small block of hidden units that lowers the
# loss at the current scores. All blocks together are one network with a single hidden layer. Any prefix of the network
# is a model too, so you can leave out the last units at prediction time, without retraining: the network has a dial.
#
# Run this file as a script, or cell by cell in an editor that supports `# %%`. Output goes to the folder `tutorial`.

# %%
import copy
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_digits, make_friedman1
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split

import accrete
from accrete import BoostedNetworkClassifier, BoostedNetworkRegressor

folder = pathlib.Path("tutorial")
folder.mkdir(exist_ok=True)

# %% [markdown]
# ## A first network
#
# Handwritten digits of 64 pixels. No scaling is needed: the model standardises its inputs.

# %%
X, Xt, y, yt = train_test_split(*load_digits(return_X_y=True), test_size=0.5, random_state=0)
clf = BoostedNetworkClassifier(n_units=120, random_state=0).fit(X, y)
print(f"{clf.n_units_} units in {clf.n_iter_} steps; test accuracy {clf.score(Xt, yt):.3f}")

# %% [markdown]
# ## The dial
#
# `units=` predicts with the first units only. Train once, then choose the size that meets your latency.

# %%
for units in (4, 20, 60, 120):
    print(f"{units:4d} units: test accuracy {np.mean(clf.predict(Xt, units=units) == yt):.3f}")

clf.plot_curve(Xt, yt).figure.savefig(folder / "curve.png", dpi=120)

# %% [markdown]
# `staged_predict_proba` predicts with all sizes in one pass, `truncate` removes the last units, `grow` adds units.
# A network that is truncated to 60 units and grown to 120 is, bit for bit, the original.

# %%
small = copy.deepcopy(clf).truncate(60)
small.grow(X, y, n_units=120)
assert np.array_equal(small.predict_proba(Xt), clf.predict_proba(Xt))
small.truncate(40)
print(f"truncated to {small.n_units_} units: test accuracy {small.score(Xt, yt):.3f}")

# %% [markdown]
# ## How many units?
#
# Early stopping holds out rows and truncates the network to its best prefix on them.

# %%
stopped = BoostedNetworkClassifier(n_units=240, early_stopping=True, patience=40, random_state=0).fit(X, y)
print(f"stopped early: {stopped.n_units_} units, test accuracy {stopped.score(Xt, yt):.3f}")

# %% [markdown]
# ## Categories and missing values
#
# A data frame needs no preparation: the model encodes text and categorical columns as one-hot, and missing values as
# the mean and a 0/1 flag. Categories that were not seen in training are accepted.

# %%
rng = np.random.default_rng(0)
frame = pd.DataFrame(
    {
        "rooms": rng.integers(1, 7, 800).astype(float),
        "heating": pd.Categorical(rng.choice(["gas", "oil", "heat pump"], 800)),
        "district": rng.choice(["north", "south", "harbour"], 800),
    }
)
rent = 300 * frame["rooms"] + 150 * (frame["heating"] == "heat pump") + 200 * (frame["district"] == "harbour")
rent = rent + rng.normal(0, 60, 800)
frame.loc[rng.choice(800, 60, replace=False), "rooms"] = np.nan
reg = BoostedNetworkRegressor(n_units=100, early_stopping=True, random_state=0).fit(frame[:600], rent[:600])
print(f"rent: R2 on new rows {reg.score(frame[600:], rent[600:]):.3f}")

shares = pd.Series(reg.feature_importances_, index=reg.feature_names_in_).sort_values()
figure, ax = plt.subplots(figsize=(5, 2.2), layout="constrained")
shares.plot.barh(ax=ax, color="tab:blue")
ax.set_xlabel("feature importance")
figure.savefig(folder / "importances.png", dpi=120)

# %% [markdown]
# Contributions explain one prediction: what each column adds to that of the average row, exactly and without sampling.
# `reg.explain(frame)` returns the same for the plots of shap, if it is installed.

# %%
row = frame[600:601]
contributions = pd.Series(reg.contributions(row)[0], index=reg.feature_names_in_)
print(f"rent of {row.iloc[0].to_dict()}: {reg.predict(row)[0]:.0f}; compared with the average row:")
print(contributions.round().to_string())

# %% [markdown]
# ## Guarantees
#
# A rent never falls with more rooms: `monotonic_cst` holds that at every number of units, also where data are noisy.
# `interval=0.9` holds out rows to calibrate intervals that contain nine of ten new rents.

# %%
sure = BoostedNetworkRegressor(monotonic_cst={"rooms": 1}, interval=0.9, n_units=64, random_state=0)
sure.fit(frame[:600], rent[:600])
low, high = sure.predict_interval(frame[600:]).T
covered = ((low <= rent[600:]) & (rent[600:] <= high)).mean()
print(f"intervals contain {100 * covered:.0f} % of the new rents; their mean width is {(high - low).mean():.0f}")

flat = pd.DataFrame({"rooms": np.linspace(1, 6, 60), "heating": "gas", "district": "south"})
low, high = sure.predict_interval(flat).T
figure, ax = plt.subplots(figsize=(5, 3), layout="constrained")
ax.fill_between(flat["rooms"], low, high, color="tab:blue", alpha=0.2, label="90 % interval")
ax.plot(flat["rooms"], sure.predict(flat), color="tab:blue", label="median")
alike = frame[(frame["heating"] == "gas") & (frame["district"] == "south")]
ax.plot(alike["rooms"], rent[alike.index], ".", color="gray", label="rents")
ax.set(xlabel="rooms", ylabel="rent, gas heating in the south")
ax.legend()
figure.savefig(folder / "interval.png", dpi=120)

# %% [markdown]
# ## With scikit-learn's tools
#
# The estimators work with pipelines, searches, cross-validation, cloning and pickling. The preset `fast` spends less
# time on choosing settings, which counts where there are many fits.

# %%
Xf, yf = make_friedman1(400, noise=0.5, random_state=0)
scores = cross_val_score(BoostedNetworkRegressor(preset="fast", n_units=60, random_state=0), Xf, yf, cv=5)
error = scores.std(ddof=1) / len(scores) ** 0.5
print(f"friedman: R2 {scores.mean():.3f} ± {error:.3f} (standard error of the mean)")
grid = {"alpha": [0.1, 1.0], "units_per_step": [2, 4]}
search = GridSearchCV(BoostedNetworkRegressor(preset="fast", n_units=60, random_state=0), grid, cv=3)
search.fit(Xf, yf)
print(f"best of the grid: {search.best_params_}, R2 {search.best_score_:.3f}")

# %% [markdown]
# ## Out of Python
#
# A model file for Python, C++ and the command line; ONNX for ONNX Runtime; a C header for a microcontroller.

# %%
clf.save(folder / "digits.safetensors")
again = accrete.load(folder / "digits.safetensors")
assert np.array_equal(again.predict(Xt), clf.predict(Xt))
clf.to_onnx(folder / "digits.onnx", units=80)
clf.to_c(folder / "digits.h", units=20)
for file in sorted(folder.iterdir()):
    print(f"{file}: {file.stat().st_size:,} bytes")

# %% [markdown]
# The command line reads the same file: `accrete inspect tutorial/digits.safetensors`. For all parameters, see
# `help(BoostedNetworkClassifier)` or docs/parameters.md.
