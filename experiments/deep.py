#!/usr/bin/env python3
"""The paper's deep experiments: a backbone alone, with a boosted head, and with a plain head of the same size.

  experiments/deep.py run --accrete build/deep/accrete --data DIR --work DIR [--device auto] [--jobs 3]
  experiments/deep.py report --work DIR --docs docs/deep

`run` writes one JSON file per task and seed to WORK and skips those that exist; `report` makes tables and curves from
these files. DIR holds covertype_subset.csv.gz, poker_train.csv and mnist/ with the four files of MNIST. Needs only
Python and, for the curves, gnuplot.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

GRID = {"learning_rate": [0.1, 1], "subsample": [0.25, 1], "units_per_step": [5, 15], "solver": ["lbfgs"]}
CARDS = "S1,C1,S2,C2,S3,C3,S4,C4,S5,C5"
# Plain stochastic gradient descent, 200 epochs.
DENSE = "--arch dense:100,100,100 --solver sgd --momentum 0 --learning-rate 0.01 --batch 32 --epochs 200"

TASKS = {
    "covertype": {"title": "Covertype", "train": DENSE, "paper": (88.24, 90.00), "units": 600},
    "poker": {"title": "Poker hand", "train": DENSE, "paper": (99.33, 99.45), "units": 600},
    "mnist": {"title": "MNIST", "train": "--arch cnn --solver adam --epochs 20", "paper": (99.46, 99.52), "units": 300},
}


class TaskRun:
    """One task with one seed, from data to results."""

    def __init__(self, task, seed, options):
        self.task, self.seed, self.options = task, seed, options
        self.folder = pathlib.Path(options.work) / f"{task}-{seed}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def call(self, arguments, output=None, threads=None):
        """Runs the command and returns its JSON; None if `output` exists already."""
        if output is not None and output.exists():
            return None
        arguments = [*arguments, "--json", "--threads", str(threads or self.options.threads)]
        done = subprocess.run([self.options.accrete, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{self.task}, seed {self.seed}: accrete {' '.join(arguments)}: {done.stderr.strip()}")
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def cached(self, name, arguments, threads=None):
        """The JSON of a command, stored as NAME.json in the folder of the run."""
        file = self.folder / f"{name}.json"
        if not file.exists():
            file.write_text(json.dumps(self.call(arguments, threads=threads)))
        return json.loads(file.read_text())

    def data(self):
        """Arguments that select the training data and the test data."""
        data = pathlib.Path(self.options.data)
        if self.task == "mnist":
            return [str(data / "mnist")], [str(data / "mnist")]
        train, test = self.folder / "train.csv", self.folder / "test.csv"
        if self.task == "covertype":
            self.call(["data", "split", str(data / "covertype_subset.csv.gz"), "--target", "target", "--test-fraction",
                       "0.3", "--seed", str(self.seed), "--train", str(train), "--test", str(test)], test)
            return [str(train), "--target", "target"], [str(test)]
        seed = str(1000 + self.seed)
        self.call(["data", "make", "poker", "--rows", "1000000", "--seed", seed, "-o", str(test)], test)
        return [str(data / "poker_train.csv"), "--target", "target", "--categorical", CARDS], [str(test)]

    def run(self):
        task, device = TASKS[self.task], self.options.device if self.task == "mnist" else "cpu"
        units = task["units"]
        train, test = self.data()
        path = {name: self.folder / name for name in ("backbone.pt", "joined.pt", "grid.json", "train_features.csv",
                                                      "test_features.csv", "plain.safetensors")}
        path["grid.json"].write_text(json.dumps(GRID))
        device_flags = ["--device", device]
        backbone = str(path["backbone.pt"])
        # The batches are too small for several threads.
        trained = self.cached("trained", ["deep", "train", *train, *task["train"].split(), "--seed", str(self.seed),
                                          "-o", backbone, *device_flags], threads=1)
        alone = self.cached("alone", ["deep", "evaluate", backbone, *test, *device_flags])
        boosted = self.cached("boosted", ["deep", "boost", backbone, *train[:1], "--units", str(units), "--auto", "off",
                                          "--grid", str(path["grid.json"]), "--folds", "2", "--seed", str(self.seed),
                                          "-o", str(path["joined.pt"]), *device_flags])
        lengths = range(30, units + 1, 30)
        curve = self.cached("curve", ["deep", "evaluate", str(path["joined.pt"]), *test, "--units",
                                      ",".join(map(str, lengths)), *device_flags])
        for part, source in (("train", train[:1]), ("test", test)):
            part_flags = ["--part", part] if os.path.isdir(source[0]) else []
            features = path[f"{part}_features.csv"]
            arguments = [backbone, *source, *part_flags, "-o", str(features), *device_flags]
            self.call(["deep", "features", *arguments], features)
        head = str(path["plain.safetensors"])
        plain = self.cached("plain", ["train", str(path["train_features.csv"]), "--method", "network", "--hidden",
                                      str(units), "--activation", "relu", "--solver", "adam", "--task", "multiclass",
                                      "--seed", str(self.seed), "-o", head])
        plain_score = self.cached("plain_score", ["evaluate", head, str(path["test_features.csv"])])
        result = {"task": self.task, "seed": self.seed, "trained": trained, "alone": alone, "boosted": boosted,
                  "curve": curve, "plain": plain, "plain_score": plain_score}
        (pathlib.Path(self.options.work) / f"{self.task}-{self.seed}.json").write_text(json.dumps(result))
        for name in ("train_features.csv", "test_features.csv"):
            path[name].unlink()
        return result


def run(options):
    options.threads = options.threads or max(1, (os.cpu_count() or 1) // options.jobs)
    runs = [(task, seed) for seed in options.seeds for task in options.tasks
            if not (pathlib.Path(options.work) / f"{task}-{seed}.json").exists()]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {pool.submit(lambda c: TaskRun(*c, options).run(), task_seed): task_seed for task_seed in runs}
        for future in concurrent.futures.as_completed(futures):
            task, seed = futures[future]
            if future.exception():
                failed += 1
                print(f"{task}, seed {seed}: {future.exception()}", file=sys.stderr, flush=True)
            else:
                line = summary(future.result())
                print(f"{task}, seed {seed}: backbone {line['alone']:.3f}, boosted head {line['boosted']:.3f}, "
                      f"plain head {line['plain']:.3f} percent; head {100 * line['fraction']:.0f} % of the time",
                      flush=True)
    return 1 if failed else 0


def summary(result):
    """Accuracies in percent and times in seconds."""
    head = result["boosted"]
    return {
        "alone": 100 * result["alone"]["results"][0]["accuracy"],
        "boosted": 100 * result["curve"]["results"][-1]["accuracy"],
        "plain": 100 * result["plain_score"]["results"][0]["accuracy"],
        "fraction": (head["feature_seconds"] + head["seconds"]) / result["trained"]["seconds"],
        "backbone_seconds": result["trained"]["seconds"],
        "head_seconds": head["feature_seconds"] + head["seconds"],
        "curve": [(r["units"], 100 * r["accuracy"]) for r in result["curve"]["results"]],
        "chosen": {name: head["parameters"][name] for name in GRID},
    }


def spread(values, digits=2):
    deviation = statistics.stdev(values) if len(values) > 1 else math.nan
    return f"{statistics.mean(values):.{digits}f} ({deviation:.{digits}f})"


def draw(title, rows, file):
    """Accuracy over units: one line per seed, and the backbone alone for comparison."""
    text = ['set terminal svg size 560,360 font "sans,12" background "white"', f'set output "{file}"',
            'set key below maxcols 2', f'set title "{title}"', 'set xlabel "units of the head"',
            'set ylabel "test accuracy, percent"', 'set grid lc rgb "#dddddd"']
    parts = []
    for place, (seed, row) in enumerate(rows):
        parts.append(f"'-' using 1:2 with lines lw 2 lc {place + 1} title 'boosted head, seed {seed}'")
    for place, (seed, row) in enumerate(rows):
        parts.append(f"{row['alone']} with lines dt 2 lc {place + 1} title '{'backbone alone' if not place else ''}'")
    text.append("plot " + ", ".join(parts))
    for _, row in rows:
        text += [f"{units} {accuracy}" for units, accuracy in row["curve"]] + ["e"]
    subprocess.run(["gnuplot"], input="\n".join(text) + "\n", text=True, check=True)


def report(options):
    docs = pathlib.Path(options.docs)
    docs.mkdir(parents=True, exist_ok=True)
    lines = ["| data | backbone alone | with a boosted head | with a plain head | gain, paired | the paper's |",
             "|---|---|---|---|---|---|"]
    times = ["| data | backbone, seconds | head, seconds | fraction | chosen |", "|---|---|---|---|---|"]
    table = ["task,seed,backbone,boosted_head,plain_head,backbone_seconds,head_seconds,chosen"]
    for name, task in TASKS.items():
        files = sorted(pathlib.Path(options.work).glob(f"{name}-*.json"))
        rows = [(r["seed"], summary(r)) for r in (json.loads(f.read_text()) for f in files)]
        if not rows:
            continue
        column = {key: [row[key] for _, row in rows] for key in
                  ("alone", "boosted", "plain", "fraction", "backbone_seconds", "head_seconds")}
        gain = spread([b - a for a, b in zip(column["alone"], column["boosted"])])
        lines.append(f"| {task['title']} | {spread(column['alone'])} | {spread(column['boosted'])} | "
                     f"{spread(column['plain'])} | {gain} | {task['paper'][0]:.2f} → {task['paper'][1]:.2f} |")
        chosen = "; ".join(sorted({", ".join(f"{k} {v}" for k, v in row["chosen"].items()) for _, row in rows}))
        times.append(f"| {task['title']} | {spread(column['backbone_seconds'], 0)} | "
                     f"{spread(column['head_seconds'], 1)} | {spread(column['fraction'])} | {chosen} |")
        for seed, row in rows:
            settings = " ".join(f"{k}={v}" for k, v in row["chosen"].items())
            table.append(f"{name},{seed},{row['alone']:.4f},{row['boosted']:.4f},{row['plain']:.4f},"
                         f"{row['backbone_seconds']:.2f},{row['head_seconds']:.2f},{settings}")
        with open(docs / f"{name}_curve.csv", "w") as out:
            out.write("seed,units,accuracy\n")
            for seed, row in rows:
                out.writelines(f"{seed},{units},{accuracy:.4f}\n" for units, accuracy in row["curve"])
        draw(task["title"], rows, docs / f"{name}.svg")
    (docs / "results.csv").write_text("\n".join(table) + "\n")
    print("\n".join([*lines, "", *times]))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("run", help="run the experiments")
    one.add_argument("--accrete", required=True, help="the command, built with -DACCRETE_DEEP=ON")
    one.add_argument("--data", required=True)
    one.add_argument("--work", required=True)
    one.add_argument("--device", default="auto", help="for the CNN; the small dense networks run on the CPU")
    one.add_argument("--tasks", type=lambda t: t.split(","), default=list(TASKS))
    one.add_argument("--seeds", type=lambda t: [int(s) for s in t.split(",")], default=[0, 1, 2])
    one.add_argument("--jobs", type=int, default=1, help="tasks at a time; they share the cores")
    one.add_argument("--threads", type=int, default=0, help="per task (default: an equal share of the cores)")
    two = commands.add_parser("report", help="write tables and curves")
    two.add_argument("--work", required=True)
    two.add_argument("--docs", required=True)
    options = parser.parse_args()
    return run(options) if options.command == "run" else report(options)


if __name__ == "__main__":
    sys.exit(main())
