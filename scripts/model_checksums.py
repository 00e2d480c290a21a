"""Checksums of 45 models and their exports, to show that a refactoring changes no bit.

    python3 scripts/model_checksums.py build/release/accrete -o before.txt      # before the change
    python3 scripts/model_checksums.py build/release/accrete --compare before.txt

The fits cover presets, tasks, losses, objectives, solvers, activations, bins, weights, categories, missing values,
early stopping, growing, resuming and the plain methods, on generated tables. Run both on the same machine: bits differ
between instruction sets. Comments of exported C are left out of its checksum.
"""

import argparse
import concurrent.futures
import hashlib
import pathlib
import random
import re
import subprocess
import sys
import tempfile

SMALL = "--auto off --units 24 --seed 3".split()
AUTO = "--seed 5".split()


def write_mixed(path, rows, seed):
    """Numbers with gaps and long tails, categories with gaps, weights, and one target of each kind."""
    draw = random.Random(seed)
    colours, cities = ["red", "green", "blue", ""], [f"city {i}" for i in range(23)]
    lines = ["a,b,skewed,colour,city,weight,number,count,two,three"]
    for _ in range(rows):
        a, b, skewed = draw.gauss(0, 1), draw.uniform(-2, 2), draw.expovariate(0.2)
        colour, city = draw.choice(colours), draw.choice(cities)
        score = a * b + 0.1 * skewed + {"red": 1.0, "green": -1.0}.get(colour, 0.0) + 0.05 * int(city[5:])
        number = score + draw.gauss(0, 0.3)
        shown = "" if draw.random() < 0.1 else f"{a:.4f}"
        two = "yes" if number > 0.8 else "no"
        three = "low" if number < 0 else "middle" if number < 1.5 else "high"
        count = max(0, round(number + 2))
        weight = draw.choice([0, 1, 1, 2])
        lines.append(f"{shown},{b:.4f},{skewed:.3f},{colour},{city},{weight},{number:.4f},{count},{two},{three}")
    path.write_text("\n".join(lines) + "\n")


INPUTS = ["a", "b", "skewed", "colour", "city"]


def fits():
    """name -> (table, arguments of train)."""
    plan = {}
    mixed = {"number": [], "two": [], "three": []}
    for target in mixed:
        for preset in ("default", "paper"):
            plan[f"{target}-{preset}"] = (target, [*SMALL, "--preset", preset])
        plan[f"{target}-auto"] = (target, AUTO + ["--units", "40"])
        for activation in ("logistic", "tanh", "relu"):
            plan[f"{target}-{activation}-bins"] = (target, [*SMALL, "--activation", activation, "--bins", "8"])
        plan[f"{target}-weights"] = (f"{target}-weighted", [*SMALL, "--weight-column", "weight"])
        plan[f"{target}-adam"] = (target, [*SMALL, "--solver", "adam", "--max-iter", "5"])
        plan[f"{target}-validation"] = (
            target, [*SMALL, "--validation-fraction", "0.2", "--patience", "8", "--subsample", "0.7"])
    for loss in ("huber", "quantile"):
        plan[loss] = ("number", [*SMALL, "--loss", loss])
    plan["poisson"] = ("count", [*SMALL, "--loss", "poisson", "--task", "regression"])
    plan["two-residual"] = ("two", [*SMALL, "--objective", "residual"])
    plan["three-projected"] = ("three", [*SMALL, "--objective", "projected"])
    plan["two-balanced"] = ("two", [*SMALL, "--class-weight", "balanced"])
    plan["two-sgd"] = ("two", [*SMALL, "--solver", "sgd", "--max-iter", "5"])
    for name in ("friedman1", "waveform", "twonorm", "tic-tac-toe"):
        plan[f"{name}-auto"] = (name, AUTO + ["--units", "60"])
        plan[f"{name}-paper"] = (name, ["--preset", "paper", "--units", "30", "--seed", "1"])
    plan["wide-bins"] = ("friedman1", [*SMALL, "--bins", "64"])
    plan["several-targets"] = ("number-two-targets", [*SMALL, "--target", "number,count", "--task", "regression"])
    plan["network"] = ("three", "--method network --hidden 12,6 --max-iter 20 --seed 2".split())
    plan["adaboost"] = ("two", "--method adaboost --estimators 5 --max-iter 20 --seed 2".split())
    return plan


def make_tables(command, folder):
    mixed = folder / "mixed.csv"
    write_mixed(mixed, 900, seed=11)
    lines = [line.split(",") for line in mixed.read_text().splitlines()]

    def save(name, columns):
        places = [lines[0].index(c) for c in columns]
        (folder / f"{name}.csv").write_text("\n".join(",".join(line[p] for p in places) for line in lines) + "\n")

    for target in ("number", "count", "two", "three"):
        save(target, [*INPUTS, target])
        save(f"{target}-weighted", [*INPUTS, "weight", target])
    save("number-two-targets", [*INPUTS, "number", "count"])
    for name, rows in (("friedman1", 1500), ("waveform", 600), ("twonorm", 3000), ("tic-tac-toe", None)):
        size = [] if rows is None else ["-n", str(rows)]
        run([command, "data", "make", name, *size, "--seed", "4", "-o", folder / f"{name}.csv"])


def run(arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}\n{done.stderr}")


def checksum(path):
    data = path.read_bytes()
    if path.suffix == ".h":
        data = re.sub(rb"/\*.*?\*/|//[^\n]*", b"", data, flags=re.S)
        data = b"\n".join(line.rstrip() for line in data.splitlines() if line.strip())
    return hashlib.sha256(data).hexdigest()


def fit_one(command, folder, name, table, arguments):
    model = folder / f"{name}.safetensors"
    target = [] if "--target" in arguments else ["--target", table.split("-")[0]]
    if table in ("friedman1", "waveform", "twonorm", "tic-tac-toe"):
        target = ["--target", "target"]
    run([command, "train", folder / f"{table}.csv", *target, *arguments, "-o", model])
    found = {name: checksum(model)}
    if name in ("network", "adaboost"):
        return found
    identifier = re.sub(r"\W", "_", name)
    for suffix, flags in ((".h", ["--c"]), (".onnx", ["--onnx"]), (".dial.onnx", ["--dial", "--onnx"])):
        out = folder / f"{name}{suffix}"
        extra = ["--name", identifier] if suffix == ".h" else []
        run([command, "export", model, *flags, out, *extra])
        found[f"{name}{suffix}"] = checksum(out)
    if name.endswith("-default"):
        grown = folder / f"{name}-grown.safetensors"
        run([command, "grow", model, folder / f"{table}.csv", "--units", "32", "-o", grown])
        found[f"{name}-grown"] = checksum(grown)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the accrete command to test")
    parser.add_argument("-o", "--output", help="write the checksums to this file")
    parser.add_argument("--compare", help="compare with the checksums in this file; exit 1 when any differs")
    options = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(scratch)
        make_tables(options.command, folder)
        jobs = [pool.submit(fit_one, options.command, folder, name, *plan) for name, plan in fits().items()]
        for job in jobs:
            found.update(job.result())
    lines = [f"{digest}  {name}" for name, digest in sorted(found.items())]
    if options.output:
        pathlib.Path(options.output).write_text("\n".join(lines) + "\n")
    if options.compare:
        before = dict(reversed(line.split("  ", 1)) for line in pathlib.Path(options.compare).read_text().splitlines())
        differing = [name for name in sorted(before.keys() | found.keys()) if before.get(name) != found.get(name)]
        for name in differing:
            print(f"differs: {name}")
        print(f"{len(found) - len(differing)} of {len(found)} files identical ({len(fits())} fits)")
        return 1 if differing else 0
    if not options.output:
        print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
