"""How far models and predictions differ between processors and devices.

  ./dev bench devices run FOLDER [--device cpu|cuda] [--models OTHER]     on each machine
  ./dev bench devices compare FOLDER OTHER

`run` makes data, fits one model per task with fixed settings, and writes models and the predictions of test rows to
FOLDER. With --models it also predicts with the models that another machine wrote to OTHER. `compare` prints the largest
difference of predictions by the same model files, and the test errors of the models that each machine fitted.
"""
import argparse
import csv
import json
import pathlib
import subprocess

from common import ACCRETE, head, row

FITS = {
    "ringnorm, two classes": ("ringnorm", []),
    "waveform, three classes": ("waveform", []),
    "friedman1, regression": ("friedman1", []),
    "friedman1, 64 bins": ("friedman1", ["--bins", "64"]),
    "houses, text and dates": ("houses", []),
    "tic-tac-toe, categories": ("tic-tac-toe", []),
}
SETTINGS = ["--auto", "off", "--units", "96", "--alpha", "1", "--seed", "1"]


def accrete(*words):
    return subprocess.run([ACCRETE, *map(str, words)], check=True, capture_output=True, text=True).stdout


def file_name(fit):
    return fit.replace(", ", "-").replace(" ", "_")


def predict(model, test, output):
    proba = [] if json.loads(accrete("inspect", model, "--json"))["task"] == "regression" else ["--proba"]
    accrete("predict", model, test, *proba, "-o", output, "-q")


def run(folder, device, models):
    folder.mkdir(parents=True, exist_ok=True)
    errors = {}
    for fit, (name, more) in FITS.items():
        data, base = folder / f"{name}.csv", folder / file_name(fit)
        target = "price" if name == "houses" else "target"
        if name == "tic-tac-toe":
            accrete("data", "make", name, "-o", data, "-q")
        else:
            accrete("data", "make", name, "-n", 3000, "--seed", 7, "-o", data, "-q")
        train, test = folder / f"{name}-train.csv", folder / f"{name}-test.csv"
        accrete("data", "split", data, "--target", target, "--train", train, "--test", test, "-q")
        model = f"{base}.safetensors"
        accrete("train", train, "--target", target, *SETTINGS, *more, "--device", device, "-o", model, "-q")
        metrics = json.loads(accrete("evaluate", model, test, "--json"))["results"][-1]
        errors[fit] = metrics.get("log_loss", metrics.get("rmse"))
        source = models / f"{file_name(fit)}.safetensors" if models else model
        predict(source, test, f"{base}-predictions.csv")
    (folder / "errors.json").write_text(json.dumps(errors, indent=1))


def numbers(path):
    with open(path, newline="") as file:
        cells = [line for line in csv.reader(file)][1:]
    kept = []
    for line in cells:
        values = []
        for cell in line:
            try:
                values.append(float(cell))
            except ValueError:
                pass  # a label
        kept.append(values)
    return [x for line in kept for x in line]


def compare(folder, other):
    errors = [json.loads((f / "errors.json").read_text()) for f in (folder, other)]
    head("fit", "largest difference of predictions, of their range", "test error", "of the other")
    for fit in FITS:
        a, b = (numbers(f / f"{file_name(fit)}-predictions.csv") for f in (folder, other))
        assert len(a) == len(b) > 0, fit
        apart = max(abs(x - y) for x, y in zip(a, b)) / (max(a) - min(a))
        row(fit, f"{apart:.1e}", f"{errors[0][fit]:.4g}", f"{errors[1][fit]:.4g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    runs = commands.add_parser("run")
    runs.add_argument("folder", type=pathlib.Path)
    runs.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    runs.add_argument("--models", type=pathlib.Path)
    both = commands.add_parser("compare")
    both.add_argument("folder", type=pathlib.Path)
    both.add_argument("other", type=pathlib.Path)
    given = parser.parse_args()
    if given.command == "run":
        run(given.folder, given.device, given.models)
    else:
        compare(given.folder, given.other)


if __name__ == "__main__":
    main()
