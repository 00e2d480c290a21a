#!/usr/bin/env python3
"""Prediction speed against ONNX Runtime on the same network, and against scikit-learn's and XGBoost's models.

    ./dev bench predict [--rows 1000000] [--seed 1] [--rounds 3] [--activations logistic,tanh,relu]

A network of 30 numeric inputs and 200 units is trained and written as an ONNX graph (Gemm, activation, Gemm, Sigmoid)
with the standardisation folded into the first Gemm, so that ONNX Runtime does no extra work. Predictions are compared
first, on every row; if they differ by more than 1e-5, nothing is timed.

Batches run on one thread and are timed by CPU time, which other processes disturb little (two threads: wall time).
Programs alternate over several rounds, and the fastest time of each counts. accrete's time is its C++ call
(build/release/bench_predict_timer) from raw float32 rows to probabilities in double, including standardisation,
missing values and link. ONNX Runtime's is session.run on a NumPy array, once with all rows in one call and once with
its fastest call size. scikit-learn's MLPClassifier (200 hidden units) and XGBoost (200 trees of depth 6) are
different models of the same data; they show what a user would get, not which code is faster. Single rows: accrete by
the C++ call, the others by their Python call, including its overhead.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  (after the thread counts are set)

from common import ACCRETE, BUILD, hardware  # noqa: E402

warnings.filterwarnings("ignore")

TIMER = os.environ.get("ACCRETE_PREDICT_TIMER", str(BUILD / "bench_predict_timer"))
INPUTS, UNITS, TRAINING_ROWS, TOLERANCE = 30, 200, 3000, 1e-5
OPERATORS = {"logistic": "Sigmoid", "tanh": "Tanh", "relu": "Relu"}


def make_data(rows, seed, scratch):
    """float32 inputs, each with its own mean and scale."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, INPUTS), dtype=np.float32)
    x = (x * rng.uniform(0.5, 5, INPUTS) + rng.uniform(-10, 10, INPUTS)).astype(np.float32)
    z = np.sin(x[:, 0] / 2) + x[:, 1] * x[:, 2] / 50 - x[:, 3] / 8 + 0.3 * rng.standard_normal(rows)
    y = (z > np.median(z)).astype(int)
    x.tofile(f"{scratch}/rows.f32")
    header = ",".join(f"x{c}" for c in range(INPUTS)) + ",target"
    table = np.column_stack([x[:TRAINING_ROWS], y[:TRAINING_ROWS]])
    np.savetxt(f"{scratch}/train.csv", table, delimiter=",", fmt="%.9g", header=header, comments="")
    return x, y


def train(activation, seed, scratch):
    path = f"{scratch}/{activation}.safetensors"
    command = [ACCRETE, "train", f"{scratch}/train.csv", "--target", "target", "--units", UNITS, "--units-per-step", 1,
               "--auto", "off", "--activation", activation, "--seed", seed, "-o", path, "--quiet"]
    subprocess.run(list(map(str, command)), check=True)
    return path


def tensors(path):
    """The tensors of a model file (docs/model-format.md)."""
    data = pathlib.Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    types = {"F32": np.float32, "F64": np.float64, "I64": np.int64}
    result = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = (8 + length + at for at in entry["data_offsets"])
            result[name] = np.frombuffer(data[begin:end], types[entry["dtype"]]).reshape(entry["shape"])
    return result


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
    """The largest difference from ONNX Runtime over batch and single-row calls; exits if it is too large."""
    out = f"{scratch}/predictions.f64"
    subprocess.run([TIMER, path, f"{scratch}/rows.f32", out], check=True)
    ours = np.fromfile(out).reshape(2, len(x), 2)[:, :, 1]
    os.remove(out)
    worst = float(np.abs(ours - run(x)[:, 0]).max())
    if not worst <= TOLERANCE:
        sys.exit(f"{path}: predictions differ by {worst:.3g}, more than {TOLERANCE:g}; nothing was timed")
    return worst


def cpu_seconds(call, repeats):
    """CPU seconds of each call after a warm-up call."""
    times = []
    for _ in range(repeats + 1):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return times[1:]


def in_calls_of(size, run, x):
    for first in range(0, len(x), size):
        run(x[first:first + size])


def row_times(call, x, count=3000):
    """Returns (p50, p99) in microseconds."""
    rows = [np.ascontiguousarray(x[i:i + 1]) for i in range(min(count, len(x)))]
    times = []
    for row in rows:
        start = time.perf_counter()
        call(row)
        times.append((time.perf_counter() - start) * 1e6)
    return np.quantile(times, 0.5), np.quantile(times, 0.99)


def ms(times):
    return f"{min(times) * 1e3:.0f} ({statistics.median(times) * 1e3:.0f}, {max(times) * 1e3:.0f})"


def time_accrete(path, scratch):
    timer = subprocess.run([TIMER, path, f"{scratch}/rows.f32"], check=True, capture_output=True, text=True)
    ours = json.loads(timer.stdout)
    if ours["units"] != UNITS:
        sys.exit(f"{path}: {ours['units']} units instead of {UNITS}")
    return ours


def merge_rounds(before, now):
    """Batch times of all rounds; single-row times of the fastest round."""
    if before is None:
        return now
    for units, times in now["batch_s"].items():
        times += before["batch_s"][units]
        now["row_ns"][units] = min(now["row_ns"][units], before["row_ns"][units])
    now["batch_2_threads_s"] += before["batch_2_threads_s"]
    return now


def time_networks(options, x, scratch):
    """Times accrete and ONNX Runtime on a network of each activation; returns the data of the tables."""
    results = {}
    for activation in options.activations.split(","):
        path = train(activation, options.seed, scratch)
        run = onnx_session(path, activation)
        difference = compare(path, run, x, scratch)
        ours, one_call, sizes = None, [], {256: [], 1024: [], 4096: []}
        for _ in range(options.rounds):
            ours = merge_rounds(ours, time_accrete(path, scratch))
            one_call += cpu_seconds(lambda: run(x), 2)
            for size, times in sizes.items():
                times += cpu_seconds(lambda: in_calls_of(size, run, x), 2)
        best = min(sizes, key=lambda size: min(sizes[size]))
        results[activation] = {"difference": difference, "ours": ours, "onnx": one_call, "onnx_best": sizes[best],
                               "best_size": best, "onnx_row": row_times(run, x)}
    return results


def other_models(x, y):
    """name -> prediction call"""
    import xgboost
    from sklearn.neural_network import MLPClassifier
    mlp = MLPClassifier((UNITS,), max_iter=30).fit(x[:TRAINING_ROWS], y[:TRAINING_ROWS])
    trees = xgboost.XGBClassifier(n_estimators=200, max_depth=6, n_jobs=1).fit(x[:TRAINING_ROWS], y[:TRAINING_ROWS])
    booster = trees.get_booster()
    return {"scikit-learn MLPClassifier, 200 units": mlp.predict_proba, "XGBoost, 200 trees": booster.inplace_predict}


def print_batches(results, other_times, rows):
    print(f"{rows} rows on one thread: CPU milliseconds, min (median, max)\n")
    print("| program | activation | ms | rows/s | relative to accrete |\n|---|---|---|---|---|")
    for activation, r in results.items():
        ours = r["ours"]["batch_s"][str(UNITS)]
        lines = [("accrete", ours), ("ONNX Runtime, one call", r["onnx"]),
                 (f"ONNX Runtime, calls of {r['best_size']}", r["onnx_best"])]
        for name, times in lines:
            print(f"| {name} | {activation} | {ms(times)} | {rows / min(times):.3g} | {min(times) / min(ours):.2f} |")
    fastest = min(min(r["ours"]["batch_s"][str(UNITS)]) for r in results.values())
    for name, (times, _) in other_times.items():
        print(f"| {name} | | {ms(times)} | {rows / min(times):.3g} | {min(times) / fastest:.2f} (vs fastest) |")


def print_units(results, rows):
    print("\naccrete by number of units used: milliseconds per batch; nanoseconds per single row (p50, p99)\n")
    counts = list(next(iter(results.values()))["ours"]["batch_s"])
    print("| activation | " + " | ".join(f"{c} units" for c in counts) + " | all units, 2 threads |")
    print("|---|" + "---|" * (len(counts) + 1))
    for activation, r in results.items():
        cells = [f"{ms(r['ours']['batch_s'][c])}; {r['ours']['row_ns'][c][0]:.0f}, {r['ours']['row_ns'][c][1]:.0f}"
                 for c in counts]
        print(f"| {activation} | " + " | ".join(cells) + f" | {ms(r['ours']['batch_2_threads_s'])} |")


def print_rows(results, other_times):
    clock = next(iter(results.values()))["ours"]["clock_ns"]
    print(f"\none row: microseconds. accrete: the C++ call, including about {clock:.0f} ns for reading the "
          "clock; others: their Python call\n")
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
        parser.error(f"--rows {options.rows}: must be at least {TRAINING_ROWS}, the training rows")
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: must be at least 1")
    print(f"hardware: {hardware()}; seed {options.seed}; {INPUTS} inputs, {UNITS} units, float32 rows\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        x, y = make_data(options.rows, options.seed, scratch)
        results = time_networks(options, x, scratch)
        other_times = {name: (cpu_seconds(lambda: call(x), 3), row_times(call, x))
                       for name, call in other_models(x, y).items()}
    worst = max(r["difference"] for r in results.values())
    print(f"largest difference from ONNX Runtime, batch and single rows: {worst:.2g} (allowed {TOLERANCE:g})\n")
    print_batches(results, other_times, options.rows)
    print_units(results, options.rows)
    print_rows(results, other_times)


if __name__ == "__main__":
    main()
