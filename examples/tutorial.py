# %% [markdown]
# # accrete in ten minutes
#
# A neural network grown a few units at a time: each step fits a small block of hidden units to what is still
# unexplained. All blocks stand as one ordinary network with one hidden layer. Because the units were added in order of use, you can
# switch off the last ones at prediction time, with no retraining: the network has a dial.
#
# Run this file as a script, or cell by cell in any editor that knows `# %%`. Pictures go to the folder `tutorial`.

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

pictures = pathlib.Path("tutorial")
pictures.mkdir(exist_ok=True)

# %% [markdown]
# ## A first network
#
# Handwritten digits, 64 pixels each. No scaling, no encoding: the network standardises what it sees and keeps the numbers
# for that with it.

# %%
X, Xt, y, yt = train_test_split(*load_digits(return_X_y=True), test_size=0.5, random_state=0)
clf = BoostedNetworkClassifier(n_units=200, random_state=0).fit(X, y)
print(f"{clf.n_units_} units in {clf.n_iter_} steps; test accuracy {clf.score(Xt, yt):.3f}")

# %% [markdown]
# ## The dial
#
# `units=` uses the first units alone. One network, trained once; take the size that fits your latency.

# %%
for units in (4, 20, 60, 200):
    print(f"{units:4d} units: test accuracy {np.mean(clf.predict(Xt, units=units) == yt):.3f}")

clf.plot_curve(Xt, yt).figure.savefig(pictures / "curve.png", dpi=120)

# %% [markdown]
# `staged_predict_proba` walks through every size in one pass, `truncate` makes a cut permanent, `grow` goes on where
# training stopped: cut to 100 units and grown to 200 again it is, bit for bit, what it was.

# %%
small = copy.deepcopy(clf).truncate(100)
small.grow(X, y, n_units=200)
assert np.array_equal(small.predict_proba(Xt), clf.predict_proba(Xt))
small.truncate(60)
print(f"cut to {small.n_units_} units: test accuracy {small.score(Xt, yt):.3f}")

# %% [markdown]
# ## How many units?
#
# Keep some rows out and let them say. The network is cut where they were predicted best.

# %%
stopped = BoostedNetworkClassifier(n_units=800, early_stopping=True, patience=80, random_state=0).fit(X, y)
print(f"stopped early: {stopped.n_units_} units, test accuracy {stopped.score(Xt, yt):.3f}")

# %% [markdown]
# ## Categories and gaps
#
# A data frame needs no preparation: text and categorical columns become one-hot inside the model, gaps are marked and
# filled with the mean. The same columns at prediction time; a category never seen before is no error.

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
ax.set_xlabel("how much it moves the prediction (share)")
figure.savefig(pictures / "importances.png", dpi=120)

# %% [markdown]
# ## With scikit-learn's tools
#
# The estimators are scikit-learn's in every respect: pipelines, searches, cross-validation, cloning, pickling.

# %%
Xf, yf = make_friedman1(400, noise=0.5, random_state=0)
scores = cross_val_score(BoostedNetworkRegressor(n_units=200, random_state=0), Xf, yf, cv=5)
print(f"friedman: R2 {scores.mean():.3f} +- {scores.std():.3f}")
search = GridSearchCV(
    BoostedNetworkRegressor(n_units=100, random_state=0), {"alpha": [0.01, 0.1, 1.0], "units_per_step": [2, 4]}, cv=3
)
search.fit(Xf, yf)
print(f"best of the grid: {search.best_params_}, R2 {search.best_score_:.3f}")

# %% [markdown]
# ## Out of Python
#
# One file for Python, C++ and the command line; ONNX for ONNX Runtime; one C header for a microcontroller.

# %%
clf.save(pictures / "digits.safetensors")
again = accrete.load(pictures / "digits.safetensors")
assert np.array_equal(again.predict(Xt), clf.predict(Xt))
clf.to_onnx(pictures / "digits.onnx", units=80)
clf.to_c(pictures / "digits.h", units=20)
for file in sorted(pictures.iterdir()):
    print(f"{file}: {file.stat().st_size:,} bytes")

# %% [markdown]
# On the command line the same file goes on: `accrete inspect tutorial/digits.safetensors`. Every parameter is described
# by `help(BoostedNetworkClassifier)` and in docs/parameters.md.
