#!/usr/bin/env python3
"""Heads on the features of pre-trained networks: boosted, logistic regression, MLP and XGBoost on the same rows.

  experiments/pretrained_heads.py run FEATURES.npz -o results.jsonl [--labels 100,1000,all] [--heads boosted,logistic]
  experiments/pretrained_heads.py report results.jsonl [...]

FEATURES.npz is made by experiments/pretrained_features.py. Every head is fitted on the same rows of the training part,
as many of each class, drawn by the seed; no head sees the test rows. The settings of logistic regression (C) and MLP
(alpha) are chosen by five-fold cross-validation on these rows, beyond 5,000 rows on one held-out fifth. The boosted
head is accrete.torch.BoostedHead with its defaults. `run` skips what the file has; `report` prints a table. Needs
scikit-learn, XGBoost and PyTorch.
"""

import argparse
import json
import pathlib
import statistics
import sys
import time
import warnings

import numpy as np

HEADS = ("boosted", "logistic", "mlp", "xgboost")


def draw_rows(labels, count, seed):
    """`count` rows, the same number of each class; all if there are not more."""
    if count >= len(labels):
        return np.arange(len(labels))
    rng, kinds = np.random.RandomState(seed), np.unique(labels)
    rows = [rng.permutation(np.flatnonzero(labels == kind))[: count // len(kinds)] for kind in kinds]
    return np.sort(np.concatenate(rows))


def search(pipeline, grid, rows, seed):
    from sklearn.model_selection import GridSearchCV, StratifiedKFold, StratifiedShuffleSplit

    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    if rows > 5000:
        folds = StratifiedShuffleSplit(1, test_size=0.2, random_state=seed)
    return GridSearchCV(pipeline, grid, cv=folds)


def make_head(name, rows, seed, settings):
    """An estimator with fit and predict."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if name == "boosted":
        import torch

        from accrete.torch import BoostedHead

        return BoostedHead(torch.nn.Identity(), random_state=seed, **settings)
    if name == "logistic":
        pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=200))
        grid = {"logisticregression__C": [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 0.1, 1.0]}
        return search(pipeline, grid, rows, seed)
    if name == "mlp":
        epochs = 100 if rows <= 1000 else 25
        pipeline = make_pipeline(StandardScaler(), MLPClassifier((500,), max_iter=epochs, random_state=seed))
        return search(pipeline, {"mlpclassifier__alpha": [1e-4, 1.0, 10.0]}, rows, seed)
    import xgboost

    return xgboost.XGBClassifier(n_estimators=100, tree_method="hist", random_state=seed)


def chosen_settings(head):
    if hasattr(head, "best_params_"):
        return head.best_params_
    if hasattr(head, "estimator_"):
        record = dict(head.estimator_.model_.parameters)
        return {name: record[name] for name in ("alpha", "units", "units_per_step", "feature_fraction", "activation")}
    return {}


def run(options):
    warnings.filterwarnings("ignore")
    data = np.load(options.features)
    name = options.name or pathlib.Path(options.features).stem
    F, y, test = data["F"].astype(np.float32), data["y"], data["test"]
    X, labels, rows_to_test, truth = F[~test], y[~test], F[test], y[test]
    output = pathlib.Path(options.output)
    lines = [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []
    done = {(line["features"], line["labels"], line["seed"], line["head"]) for line in lines}
    for count in options.labels:
        for seed in options.seeds:
            rows = draw_rows(labels, count or len(labels), seed)
            for kind in options.heads:
                title = kind + options.tag
                if (name, len(rows), seed, title) in done:
                    continue
                began = time.time()
                head = make_head(kind, len(rows), seed, options.settings).fit(X[rows], labels[rows])
                seconds = time.time() - began
                line = {"features": name, "labels": len(rows), "seed": seed, "head": title, "seconds": seconds,
                        "test": 100 * float(np.mean(head.predict(rows_to_test) == truth)),
                        "train": 100 * float(np.mean(head.predict(X[rows]) == labels[rows])),
                        "chosen": chosen_settings(head)}
                with open(output, "a") as file:
                    file.write(json.dumps(line) + "\n")
                print(f"{name}, {len(rows)} labels, seed {seed}, {title}: test {line['test']:.2f}, train "
                      f"{line['train']:.2f} percent, {seconds:.1f} s {line['chosen']}", flush=True)
    return 0


def spread(values):
    return f"{statistics.mean(values):.2f} ± {statistics.stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def report(options):
    """One row for each set of features and number of labels; differences are paired by seed."""
    table = {}
    for file in options.results:
        for line in map(json.loads, pathlib.Path(file).read_text().splitlines()):
            cell = table.setdefault((line["features"], line["labels"]), {})
            cell.setdefault(line["head"], {})[line["seed"]] = line["test"]
    heads = sorted({head for cell in table.values() for head in cell}, key=lambda head: (head != "boosted", head))
    print("| features | labels | " + " | ".join(heads) + " | boosted - best other, paired |")
    print("|---" * (len(heads) + 3) + "|")
    for (name, count), cell in sorted(table.items()):
        texts = [spread(list(cell[head].values())) if head in cell else "-" for head in heads]
        others = [head for head in cell if head != "boosted"]
        paired = "-"
        if "boosted" in cell and others:
            best = max(others, key=lambda head: statistics.mean(cell[head].values()))
            gains = [cell["boosted"][seed] - value for seed, value in cell[best].items() if seed in cell["boosted"]]
            paired = f"{spread(gains)} ({best})" if gains else "-"
        print(f"| {name} | {count:,} | " + " | ".join(texts) + f" | {paired} |")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run", help="fit and test heads")
    one.add_argument("features")
    one.add_argument("-o", "--output", required=True)
    one.add_argument("--name", help="of the features in the results (default: that of the file)")
    counts = one.add_argument("--labels", default=[100, 1000, 0])
    counts.type = lambda text: [0 if count == "all" else int(count) for count in text.split(",")]
    one.add_argument("--seeds", type=lambda t: [int(s) for s in t.split(",")], default=[0, 1, 2])
    one.add_argument("--heads", type=lambda t: t.split(","), default=list(HEADS))
    one.add_argument("--settings", type=json.loads, default={}, help="parameters of the boosted head, as JSON")
    one.add_argument("--tag", default="", help="appended to the name of the head in the results")
    two = commands.add_parser("report", help="print a table")
    two.add_argument("results", nargs="+")
    options = parser.parse_args()
    return run(options) if options.command == "run" else report(options)


if __name__ == "__main__":
    sys.exit(main())
