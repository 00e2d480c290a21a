#!/usr/bin/env python3
"""How fast accrete predicts, against ONNX Runtime on the very same network, and against other people's models.

    ./dev bench predict [--rows 1000000] [--seed 1] [--rounds 3] [--activations logistic,tanh,relu]

A network of 30 numeric inputs and 200 units is trained, then written as an ONNX graph (Gemm, activation, Gemm, Sigmoid)
with the standardisation folded into the first Gemm, so that ONNX Runtime has no step that accrete has not. Predictions
are compared first, on every row: beyond 1e-5 nothing is timed.

Batches run on one thread each, and their times are those of the processor, not of the clock on the wall: a busy machine
harms neither side then (the column for two threads is the clock's). What else runs on a core that is shared still does:
the programs take turns, round after round, and are compared by the fastest times of each. accrete's time is that of its C++ call (build/release/bench_predict_timer) from raw
float32 rows to probabilities in double: standardising, missing values and link included. ONNX Runtime's is session.run
from a NumPy array, once with all rows in one call and once in the size of call that suits it best. scikit-learn's
MLPClassifier (200 hidden units) and XGBoost (200 trees of depth 6) are other models of the same data: they say what a
user would get, not who computes faster. One row: accrete through the C++ call, the others through their Python call,
whose overhead is part of what they show.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (after the threads are settled)

warnings.filterwarnings("ignore")

HERE = pathlib.Path(__file__).resolve().parent.parent
ACCRETE = os.environ.get("ACCRETE", str(HERE / "build/release/accrete"))
TIMER = os.environ.get("ACCRETE_PREDICT_TIMER", str(HERE / "build/release/bench_predict_timer"))
INPUTS, UNITS, TRAINING_ROWS, TOLERANCE = 30, 200, 3000, 1e-5
OPERATORS = {"logistic": "Sigmoid", "tanh": "Tanh", "relu": "Relu"}


def make_data(rows, seed, scratch):
    """Inputs with means and spreads of their own, in single precision."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, INPUTS), dtype=np.float32)
    x = (x * rng.uniform(0.5, 5, INPUTS) + rng.uniform(-10, 10, INPUTS)).astype(np.float32)
    z = np.sin(x[:, 0] / 2) + x[:, 1] * x[:, 2] / 50 - x[:, 3] / 8 + 0.3 * rng.standard_normal(rows)
    y = (z > np.median(z)).astype(int)
    x.tofile(f"{scratch}/rows.f32")
    head = ",".join(f"x{c}" for c in range(INPUTS)) + ",target"
    table = np.column_stack([x[:TRAINING_ROWS], y[:TRAINING_ROWS]])
    np.savetxt(f"{scratch}/train.csv", table, delimiter=",", fmt="%.9g", header=head, comments="")
    return x, y


def train(activation, seed, scratch):
    path = f"{scratch}/{activation}.safetensors"
    command = [ACCRETE, "train", f"{scratch}/train.csv", "--target", "target", "--units", UNITS, "--units-per-step", 1,
               "--auto", "off", "--activation", activation, "--seed", seed, "-o", path, "--quiet"]
    subprocess.run(list(map(str, command)), check=True)
    return path


def tensors(path):
    """The model file, read as docs/model-format.md says."""
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    types = {"F32": np.float32, "F64": np.float64, "I64": np.int64}
    found = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = (8 + length + at for at in entry["data_offsets"])
            found[name] = np.frombuffer(data[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return found


def onnx_session(path, activation):
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
    t = tensors(path)
    weight = t["hidden.weight"].astype(np.float64) / t["input.scale"]
    bias = t["hidden.bias"] - weight @ t["input.mean"]
    constants = {"W": weight.T, "b": bias, "V": t["output.weight"], "c": t["output.prefix_bias"][-1]}
    nodes = [helper.make_node("Gemm", ["x", "W", "b"], ["z"]), helper.make_node(OPERATORS[activation], ["z"], ["a"]),
             helper.make_node("Gemm", ["a", "V", "c"], ["s"]), helper.make_node("Sigmoid", ["s"], ["p"])]
    graph = helper.make_graph(
        nodes, "accrete", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, INPUTS])],
        [helper.make_tensor_value_info("p", TensorProto.FLOAT, [None, 1])],
        [numpy_helper.from_array(np.ascontiguousarray(v, np.float32), k) for k, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda rows: session.run(None, {"x": rows})[0]


def compare(path, run, x, scratch):
    """The largest difference from ONNX Runtime, over batch and single-row calls; ends the run when it is too large."""
    out = f"{scratch}/predictions.f64"
    subprocess.run([TIMER, path, f"{scratch}/rows.f32", out], check=True)
    ours = np.fromfile(out).reshape(2, len(x), 2)[:, :, 1]
    os.remove(out)
    worst = float(np.abs(ours - run(x)[:, 0]).max())
    if not worst <= TOLERANCE:
        sys.exit(f"{path}: predictions differ by {worst:.3g}; nothing was timed")
    return worst


def seconds_of(call, repeats):
    """Of the processor."""
    times = []
    for _ in range(repeats + 1):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return times[1:]  # the first warms up


def in_calls_of(size, run, x):
    for first in range(0, len(x), size):
        run(x[first:first + size])


def row_times(call, x, count=3000):
    """(p50, p99) in microseconds."""
    rows = [np.ascontiguousarray(x[i:i + 1]) for i in range(min(count, len(x)))]
    times = []
    for row in rows:
        start = time.perf_counter()
        call(row)
        times.append((time.perf_counter() - start) * 1e6)
    return np.quantile(times, 0.5), np.quantile(times, 0.99)


def show(times):
    return f"{min(times) * 1e3:.0f} ({statistics.median(times) * 1e3:.0f}, {max(times) * 1e3:.0f})"


def machine():
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        names = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
        model = names[0] if names else model
    git = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return f"{model}, {os.cpu_count()} cores; commit {git.stdout.strip() or 'unknown'}"


def time_ours(path, scratch):
    timer = subprocess.run([TIMER, path, f"{scratch}/rows.f32"], check=True, capture_output=True, text=True)
    ours = json.loads(timer.stdout)
    if ours["units"] != UNITS:
        sys.exit(f"{path}: {ours['units']} units where {UNITS} were wanted")
    return ours


def merged(before, now):
    """Batches of all rounds; single rows of the round in which they were fastest."""
    if before is None:
        return now
    for units, times in now["batch_s"].items():
        times += before["batch_s"][units]
        now["row_ns"][units] = min(now["row_ns"][units], before["row_ns"][units])
    now["batch_2_threads_s"] += before["batch_2_threads_s"]
    return now


def time_networks(options, x, scratch):
    """Ours and ONNX Runtime's on each network; returns what the tables after it need."""
    results = {}
    for activation in options.activations.split(","):
        path = train(activation, options.seed, scratch)
        run = onnx_session(path, activation)
        difference = compare(path, run, x, scratch)
        ours, whole, sizes = None, [], {256: [], 1024: [], 4096: []}
        for _ in range(options.rounds):
            ours = merged(ours, time_ours(path, scratch))
            whole += seconds_of(lambda: run(x), 2)
            for size, times in sizes.items():
                times += seconds_of(lambda: in_calls_of(size, run, x), 2)
        best = min(sizes, key=lambda size: min(sizes[size]))
        results[activation] = {"difference": difference, "ours": ours, "onnx": whole, "onnx_best": sizes[best],
                               "best_size": best, "onnx_row": row_times(run, x)}
    return results


def others(x, y):
    """name: (one call on many rows, times of one row)"""
    import xgboost
    from sklearn.neural_network import MLPClassifier
    mlp = MLPClassifier((UNITS,), max_iter=30).fit(x[:TRAINING_ROWS], y[:TRAINING_ROWS])
    trees = xgboost.XGBClassifier(n_estimators=200, max_depth=6, n_jobs=1).fit(x[:TRAINING_ROWS], y[:TRAINING_ROWS])
    booster = trees.get_booster()
    return {"scikit-learn MLPClassifier, 200 units": mlp.predict_proba, "XGBoost, 200 trees": booster.inplace_predict}


def print_batches(results, other_times, rows):
    print(f"{rows} rows, one thread: milliseconds of the processor, least (median, most), and how many times as long as accrete\n")
    print("| program | activation | ms | rows/s | times accrete's |\n|---|---|---|---|---|")
    for activation, r in results.items():
        ours = r["ours"]["batch_s"][str(UNITS)]
        lines = [("accrete", ours), ("ONNX Runtime, one call", r["onnx"]),
                 (f"ONNX Runtime, calls of {r['best_size']}", r["onnx_best"])]
        for name, times in lines:
            print(f"| {name} | {activation} | {show(times)} | {rows / min(times):.3g} | {min(times) / min(ours):.2f} |")
    fastest = min(min(r["ours"]["batch_s"][str(UNITS)]) for r in results.values())
    for name, (times, _) in other_times.items():
        print(f"| {name} | | {show(times)} | {rows / min(times):.3g} | {min(times) / fastest:.2f} (of the fastest) |")


def print_units(results, rows):
    print("\naccrete by the units switched on: milliseconds of the batch, nanoseconds of one row (p50, p99)\n")
    counts = list(next(iter(results.values()))["ours"]["batch_s"])
    print("| activation | " + " | ".join(f"{c} units" for c in counts) + " | all units, 2 threads |")
    print("|---|" + "---|" * (len(counts) + 1))
    for activation, r in results.items():
        cells = [f"{show(r['ours']['batch_s'][c])}; {r['ours']['row_ns'][c][0]:.0f}, {r['ours']['row_ns'][c][1]:.0f}"
                 for c in counts]
        print(f"| {activation} | " + " | ".join(cells) + f" | {show(r['ours']['batch_2_threads_s'])} |")


def print_rows(results, other_times):
    print("\none row: microseconds. accrete: the C++ call, a reading of the clock (about "
          f"{next(iter(results.values()))['ours']['clock_ns']:.0f} ns) included; the others: their Python call\n")
    print("| program | activation | p50 | p99 |\n|---|---|---|---|")
    for activation, r in results.items():
        p50, p99 = r["ours"]["row_ns"][str(UNITS)]
        print(f"| accrete | {activation} | {p50 / 1e3:.2f} | {p99 / 1e3:.2f} |")
        print(f"| ONNX Runtime | {activation} | {r['onnx_row'][0]:.1f} | {r['onnx_row'][1]:.1f} |")
    for name, (_, (p50, p99)) in other_times.items():
        print(f"| {name} | | {p50:.1f} | {p99:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--activations", default=",".join(OPERATORS))
    options = parser.parse_args()
    if options.rows < TRAINING_ROWS:
        parser.error(f"--rows {options.rows}: at least {TRAINING_ROWS}, which train the models")
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: at least 1")
    print(f"machine: {machine()}; seed {options.seed}; {INPUTS} inputs, {UNITS} units, float32 rows\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        x, y = make_data(options.rows, options.seed, scratch)
        results = time_networks(options, x, scratch)
        other_times = {name: (seconds_of(lambda: call(x), 3), row_times(call, x)) for name, call in others(x, y).items()}
    worst = max(r["difference"] for r in results.values())
    print(f"largest difference from ONNX Runtime, batch and single rows: {worst:.2g} (allowed {TOLERANCE:g})\n")
    print_batches(results, other_times, options.rows)
    print_units(results, options.rows)
    print_rows(results, other_times)


if __name__ == "__main__":
    main()
