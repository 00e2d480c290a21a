"""Files of `accrete export --onnx` pass the checker of ONNX and predict in ONNX Runtime as accrete does.

Models of all tasks, losses and activations, with numbers, texts and missing values, are compared on 500 new rows: all
units, three prefixes and the dial. ACCRETE_COMMAND is the path of the command (default: build/release/accrete).
"""
import csv
import json
import os
import pathlib
import subprocess

import numpy as np
import onnx
import onnxruntime
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("ACCRETE_COMMAND", str(ROOT / "build/release/accrete"))
ROWS, TOLERANCE = 500, 1e-5
LOSSES = ["squared", "huber", "quantile", "poisson", "cross_entropy", "logistic", "softmax"]
ACTIVATIONS = ["logistic", "tanh", "relu"]
COLOURS = ["red", "green", "blue", "mauve", "Größe", "a,b \"c\""]
MISSING = ["", "NA", "n/a", "?", "NaN", "Null", "none"]


def accrete(*words, fails=False):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)
    assert (done.returncode != 0) == fails, f"{words}\n{done.stdout}{done.stderr}"
    return done.stderr if fails else done.stdout


def write_csv(path, columns):
    """Writes numbers with the digits of single precision; NaN and None are missing values."""
    def field(value):
        if isinstance(value, str):
            return value
        return "" if value is None or np.isnan(value) else format(float(value), ".9g")

    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([field(value) for value in row] for row in zip(*columns.values()))


def read_predictions(path, numbers):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    if numbers:
        return None, np.array(rows, dtype=np.float64)
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=np.float64)


def make_inputs(rng, rows, missing=False, texts=False):
    """Columns with means and deviations of all scales, and a signal to predict."""
    z = rng.standard_normal((rows, 6))
    columns = {"plain": z[:, 0], "year": 2020 + 5 * z[:, 1], "far": 1e8 + 300 * z[:, 2], "tiny": 1e-9 * (z[:, 3] - 3),
               "offset": -4e5 + 0.5 * z[:, 4], "wide": 1e12 * z[:, 5]}
    columns = {name: values.astype(np.float32) for name, values in columns.items()}
    signal = np.sin(2 * z[:, 0]) + z[:, 1] * z[:, 2] / 2 + 0.3 * z[:, 3] + 0.2 * z[:, 4]
    if missing:
        for name in ("plain", "far", "wide"):
            columns[name][rng.random(rows) < 0.1] = np.nan
    if texts:
        of = rng.choice(len(COLOURS), rows, p=[0.6, 0.2, 0.1, 0.05, 0.04, 0.01])
        columns["colour"] = np.array(COLOURS, dtype=object)[of]
        columns["label"] = np.array(["x", "y"], dtype=object)[(rng.random(rows) < 0.003).astype(int)]
        columns["code"] = np.array([f"{value:03d}" for value in rng.integers(0, 12, rows)], dtype=object)
        signal = signal + of / 3
        for name in ("colour", "code"):
            columns[name][rng.random(rows) < 0.08] = ""
    return columns, signal


def make_target(rng, signal, loss, targets=1, words=False, size=1.0):
    noise = 0.2 * rng.standard_normal(len(signal))
    if loss == "poisson":
        return {"y": rng.poisson(np.exp(1 + signal / 2)).astype(np.float64)}
    if loss == "cross_entropy":
        return {"y": 1 / (1 + np.exp(-signal - noise))}
    if loss == "logistic":
        of = (signal + noise > np.median(signal)).astype(int)
        return {"y": np.array(["no", "yes, or so"] if words else ["0", "1"], dtype=object)[of]}
    if loss == "softmax":
        of = np.digitize(signal + noise, np.quantile(signal, [0.25, 0.5, 0.75]))
        return {"y": np.array(["a", "b", "c c", "ü"] if words else ["-3", "0", "7", "12"], dtype=object)[of]}
    return {f"y{t}" if targets > 1 else "y": size * (signal * (t + 1) + noise + 3) for t in range(targets)}


def feed_of(session, columns):
    """The inputs of the graph."""
    names = [value.name for value in session.get_inputs()]
    feed = {"units": np.array([0])} if names[-1] == "units" and "units" not in columns else {}
    if "X" in names and "X" not in columns:
        return feed | {"X": np.column_stack(list(columns.values())).astype(np.float32)}
    for name, values in columns.items():
        name = name if name in names else name + "_"
        feed[name] = values.reshape(-1, 1) if values.dtype == object else values.reshape(-1, 1).astype(np.float32)
    return feed


def open_session(path):
    onnx.checker.check_model(onnx.load(path), full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def expect_equal(result, labels, values, size=1.0):
    """Compares the result of a session with the labels and values of accrete."""
    outputs = result[-1]
    assert outputs.dtype == np.float32 and outputs.shape == values.shape
    difference = np.abs(outputs - values) / np.maximum(size, np.abs(values))
    assert difference.max() <= TOLERANCE
    if labels is not None:
        # Labels of ties within rounding may differ; they are rare.
        top = np.sort(values, axis=1)
        clear = top[:, -1] - top[:, -2] > 2 * TOLERANCE
        assert clear.mean() > 0.99
        expected = [label for label, is_clear in zip(labels, clear) if is_clear]
        assert [str(label) for label in result[0][clear]] == expected


class Trained:
    """A trained model, rows to compare on, and the comparison with its export."""

    def __init__(self, folder, loss, activation="tanh", seed=1, size=1.0, rows=300, targets=1, words=False, flags=(),
                 **inputs):
        rng = np.random.default_rng(seed)
        self.folder, self.loss, self.size, self.predictions = folder, loss, size, {}
        columns, signal = make_inputs(rng, rows, **inputs)
        target = make_target(rng, signal, loss, targets, words, size)
        self.rows, _ = make_inputs(rng, ROWS, **inputs)
        for name, values in self.rows.items():
            unseen = rng.random(ROWS)
            if values.dtype == object:
                values[unseen < 0.05] = "never seen"
                values[unseen > 0.95] = rng.choice(np.array(MISSING, dtype=object), ROWS)[unseen > 0.95]
            else:
                values[unseen < 0.02] = np.nan  # also in columns without missing values in training
        write_csv(folder / "train.csv", {**columns, **target})
        write_csv(folder / "rows.csv", self.rows)
        self.model = folder / "m.safetensors"
        accrete("train", folder / "train.csv", "--target", ",".join(target), "--loss", loss, "--activation", activation,
                "--units", 24, "--units-per-step", 3, "--max-iter", 20, "--auto", "off", "--threads", 1,
                "--task", {"logistic": "binary", "softmax": "multiclass"}.get(loss, "regression"), *flags,
                "-o", self.model, "--quiet",
                *(["--categorical", "code"] if "code" in self.rows else []))

    def export(self, *flags):
        accrete("export", self.model, "--onnx", self.folder / "m.onnx", "--quiet", *flags)
        return open_session(self.folder / "m.onnx")

    def predict(self, units=None):
        if units not in self.predictions:  # several graphs are compared with the same prediction
            classes = self.loss in ("logistic", "softmax")
            out = self.folder / "p.csv"
            accrete("predict", self.model, self.folder / "rows.csv", "-o", out, "--threads", 1, "--quiet",
                    *(["--proba"] if classes else []), *(["--units", units] if units else []))
            self.predictions[units] = read_predictions(out, not classes)
        return self.predictions[units]

    def compare(self, session, units=None, dial=None):
        feed = feed_of(session, self.rows)
        if dial is not None:
            feed["units"] = np.array([dial], dtype=np.int64)
        expect_equal(session.run(None, feed), *self.predict(units), self.size)

    def compare_all(self):
        self.compare(self.export())
        for units in (3, 10, 21):
            self.compare(self.export("--units", units), units)
        dial = self.export("--dial")
        for units in (0, 24):
            self.compare(dial, dial=units)
        for units, whole_steps in (3, 3), (5, 3), (10, 10), (23, 21):
            self.compare(dial, whole_steps, dial=units)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("loss", LOSSES)
def test_equals_accrete_on_numbers(tmp_path, loss, activation):
    Trained(tmp_path, loss, activation).compare_all()


@pytest.mark.parametrize("loss", LOSSES)
def test_equals_accrete_on_texts_and_missing_values(tmp_path, loss):
    Trained(tmp_path, loss, missing=True, texts=True, words=True).compare_all()


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_equals_accrete_on_missing_numbers(tmp_path, activation):
    Trained(tmp_path, "squared", activation, missing=True).compare_all()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("bins", [2, 16])
@pytest.mark.parametrize("mixed", [False, True], ids=["numbers", "mixed"])
def test_equals_accrete_with_bins(tmp_path, loss, bins, mixed):
    Trained(tmp_path, loss, flags=("--bins", bins), missing=mixed, texts=mixed, words=mixed).compare_all()


@pytest.mark.parametrize("loss", ["squared", "huber", "quantile"])
def test_equals_accrete_with_several_targets(tmp_path, loss):
    Trained(tmp_path, loss, targets=3, missing=True, texts=loss == "huber").compare_all()


@pytest.mark.parametrize("size", [1e-7, 1e7])
@pytest.mark.parametrize("flags", [(), ("--standardise-target", "off")], ids=["standardised", "raw"])
def test_equals_accrete_for_targets_of_any_scale(tmp_path, size, flags):
    Trained(tmp_path, "squared", size=size, flags=flags).compare_all()


@pytest.mark.parametrize("loss", ["squared", "softmax"])
def test_equals_accrete_with_the_paper_preset(tmp_path, loss):
    Trained(tmp_path, loss, "logistic", flags=("--preset", "paper"), texts=True).compare_all()


def test_equals_accrete_on_generated_data(tmp_path):
    accrete("data", "make", "tic-tac-toe", "-o", tmp_path / "t.csv")
    accrete("train", tmp_path / "t.csv", "--target", "target", "--units", 30, "-o", tmp_path / "m.safetensors", "-q")
    accrete("predict", tmp_path / "m.safetensors", tmp_path / "t.csv", "--proba", "-o", tmp_path / "p.csv", "-q")
    accrete("export", tmp_path / "m.safetensors", "--onnx", tmp_path / "m.onnx", "-q")
    session = open_session(tmp_path / "m.onnx")
    with open(tmp_path / "t.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    feed = {}
    for value in session.get_inputs():
        column = [row[value.name] for row in table] if value.name != "X" else None
        kind = object if value.type == "tensor(string)" else np.float32
        feed[value.name] = (np.array(column, dtype=kind).reshape(-1, 1) if column else np.array(
            [[row[name] for name in row if name != "target"] for row in table], dtype=np.float32))
    expect_equal(session.run(None, feed), *read_predictions(tmp_path / "p.csv", False))


def test_equals_accrete_on_text_only(tmp_path):
    rng = np.random.default_rng(2)
    colour = rng.choice(np.array(COLOURS, dtype=object), 200)
    write_csv(tmp_path / "t.csv", {"": colour, "y": np.array([len(c) for c in colour]) + rng.random(200)})
    accrete("train", tmp_path / "t.csv", "--units", 6, "--units-per-step", 2, "-o", tmp_path / "m.safetensors", "-q")
    accrete("predict", tmp_path / "m.safetensors", tmp_path / "t.csv", "-o", tmp_path / "p.csv", "-q")
    for flags in ((), ("--dial",)):
        accrete("export", tmp_path / "m.safetensors", "--onnx", tmp_path / "m.onnx", "-q", *flags)
        session = open_session(tmp_path / "m.onnx")
        name, *others = [value.name for value in session.get_inputs()]
        feed = {name: colour.reshape(-1, 1), **{units: np.array([0]) for units in others}}
        expect_equal(session.run(None, feed), *read_predictions(tmp_path / "p.csv", True))


def test_takes_other_spellings_of_a_number_as_accrete_does(tmp_path):
    zones = np.array(["1", "2", "2.50", "x"] * 50, dtype=object)
    target = np.array([{"1": 0.0, "2": 5.0, "2.50": 7.0, "x": 9.0}[zone] for zone in zones])
    write_csv(tmp_path / "t.csv", {"zone": zones, "y": target + np.arange(200) / 1000})
    accrete("train", tmp_path / "t.csv", "--units", 6, "--units-per-step", 2, "-o", tmp_path / "m.safetensors", "-q")
    accrete("export", tmp_path / "m.safetensors", "--onnx", tmp_path / "m.onnx", "-q")
    others = np.array(["1.0", "01", "1.", "2.00", "2.5", "02.5", "x", "3"], dtype=object)
    write_csv(tmp_path / "o.csv", {"zone": others})
    accrete("predict", tmp_path / "m.safetensors", tmp_path / "o.csv", "-o", tmp_path / "p.csv", "-q")
    predictions = open_session(tmp_path / "m.onnx").run(None, {"zone": others.reshape(-1, 1)})
    expect_equal(predictions, *read_predictions(tmp_path / "p.csv", True))
    assert abs(predictions[0][0, 0] - predictions[0][7, 0]) > 0.5  # "3" is not seen in training


def test_dial_clamps_out_of_range_units(tmp_path):
    trained = Trained(tmp_path, "squared", texts=True, missing=True)
    dial = trained.export("--dial")
    for units in (25, 10**15, 0, -4, -10**15):
        trained.compare(dial, dial=units)
    for units in (1, 2):
        trained.compare(dial, 3, dial=units)
    prefix = trained.export("--dial", "--units", 12)
    trained.compare(prefix, 12)
    trained.compare(prefix, 12, dial=24)
    trained.compare(prefix, 6, dial=8)


def test_accepts_one_row_and_no_rows(tmp_path):
    trained = Trained(tmp_path, "softmax", texts=True, missing=True)
    for flags in ((), ("--dial",)):
        session = trained.export(*flags)
        feed = feed_of(session, trained.rows)
        full = session.run(None, feed)
        units = {name: feed.pop(name) for name in ["units"] if name in feed}
        one = session.run(None, units | {name: values[7:8] for name, values in feed.items()})
        assert one[0][0] == full[0][7] and np.allclose(one[1][0], full[1][7], atol=1e-6)
        none = session.run(None, units | {name: values[:0] for name, values in feed.items()})
        assert none[0].shape == (0,) and none[1].shape == (0, 4)


@pytest.mark.parametrize("loss", ["squared", "poisson", "logistic", "softmax"])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("bins", [0, 4])
def test_infinity_gives_nan(tmp_path, loss, activation, bins):
    """accrete raises an error; a graph cannot, so it must give NaN."""
    flags = "--feature-fraction", 1, "--bins", bins  # a weight of 0 would give NaN too
    trained = Trained(tmp_path, loss, activation, flags=flags)
    session = trained.export()
    feed = feed_of(session, trained.rows)
    before = session.run(None, feed)[-1]
    feed["X"][3, 0], feed["X"][8, 4] = np.inf, -np.inf
    after = session.run(None, feed)[-1]
    assert np.isnan(after[[3, 8]]).all()
    others = np.setdiff1d(np.arange(ROWS), [3, 8])
    assert (after[others] == before[others]).all()


def test_has_metadata_and_names(tmp_path):
    trained = Trained(tmp_path, "softmax", texts=True, words=True)
    session = trained.export("--dial")
    meta = session.get_modelmeta()
    assert meta.producer_name == "accrete" and meta.graph_name == "accrete"
    facts = meta.custom_metadata_map
    assert accrete("--version").strip().endswith(facts["accrete_version"])
    assert (facts["task"], facts["units"]) == ("multiclass", "24")
    assert json.loads(facts["classes"]) == ["a", "b", "c c", "ü"]
    assert json.loads(facts["targets"]) == ["y"] and json.loads(facts["inputs"]) == list(trained.rows)
    # "label" is an output, so the input is renamed and documents its column.
    renamed = [n if n != "label" else "label_" for n in trained.rows]
    assert [value.name for value in session.get_inputs()] == [*renamed, "units"]
    model = onnx.load(tmp_path / "m.onnx")
    assert next(value for value in model.graph.input if value.name == "label_").doc_string == "label"
    assert not session.get_overridable_initializers()
    assert [(value.name, value.type) for value in session.get_outputs()] == [
        ("label", "tensor(string)"), ("probabilities", "tensor(float)")]
    assert {opset.domain: opset.version for opset in model.opset_import} == {"": 13, "ai.onnx.ml": 2}


def test_dial_slices_the_weights(tmp_path):
    """No node of the graph computes the units after the prefix."""
    Trained(tmp_path, "squared").export("--dial")
    model = onnx.load(tmp_path / "m.onnx")
    del model.graph.output[:]
    model.graph.output.append(onnx.helper.make_tensor_value_info("hidden", onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    rows = np.zeros((2, 6), dtype=np.float32)
    assert session.run(None, {"X": rows, "units": np.array([7])})[0].shape == (2, 6)


def test_documentation_example_runs(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs/onnx.md").read_text(encoding="utf-8")
    commands, script = (page.split(f"```{kind}\n")[1].split("```")[0] for kind in ("sh", "python"))
    subprocess.run(f'accrete() {{ "{COMMAND}" "$@"; }}\nset -e\n{commands}', shell=True, check=True, cwd=tmp_path,
                   capture_output=True)
    monkeypatch.chdir(tmp_path)
    exec(script, {})
    assert capsys.readouterr().out.startswith("['")


def test_rejects_an_input_beyond_single_precision(tmp_path):
    rng = np.random.default_rng(3)
    write_csv(tmp_path / "t.csv", {"x": 1e33 * rng.random(50), "y": rng.random(50)})
    accrete("train", tmp_path / "t.csv", "--units", 4, "-o", tmp_path / "m.safetensors", "-q")
    error = accrete("export", tmp_path / "m.safetensors", "--onnx", tmp_path / "m.onnx", fails=True)
    assert "'x'" in error and "1e+30" in error and error.count("\n") == 1
    assert not (tmp_path / "m.onnx").exists()
