#!/usr/bin/env python3
"""Requests per second and latency of `accrete serve` against MLServer, and under four times the load it can take.

    ./dev bench serve [--seconds 5] [--units 200] [--peer mlserver] [--overload-seconds 60] [--latency-ms 2]

Throughput: wrk sends the same JSON, one matrix of 1 or 64 rows and 21 columns, over 1, 16 and 256 connections. The peer
is MLServer with ONNX Runtime on the exported network, one thread per session; the replies are compared first.

Half load: one row per request at half of the largest rate, at fixed times whether or not earlier ones were answered; a
request's time counts from when it was due.

Overload: a large network answers binary requests of 256 rows. First wrk measures how many requests per second it can
take with all units. Then requests are sent at four times that rate, in the same way, to a server with a latency
budget. Here the server has half of the cores and the load generator the others; before, they share all. Everything runs
on this computer and stops by itself.
"""
import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request

import numpy as np

from common import ACCRETE, hardware, head, make_data, progress, read_rows, row
from support.serving import (
    Message,
    OpenLoop,
    accrete_server,
    binary_body,
    binary_headers,
    free_port,
    json_body,
    run,
    send_small,
    split_cores,
    stopping,
    wait_until_ready,
    wrk,
)

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, LOAD_ROWS = 21, 256


@contextlib.contextmanager
def mlserver(model, scratch):
    run(ACCRETE, "export", model, "--onnx", f"{scratch}/model.onnx")
    folder = pathlib.Path(scratch, "mlserver")
    folder.mkdir(exist_ok=True)
    port = free_port()
    settings = {"host": "127.0.0.1", "http_port": port, "grpc_port": free_port(), "metrics_port": free_port(),
                "parallel_workers": 0, "debug": False}
    parameters = {"uri": f"{scratch}/model.onnx"}
    model_settings = {"name": "model", "implementation": "mlserver_onnx.OnnxModel", "parameters": parameters}
    (folder / "settings.json").write_text(json.dumps(settings))
    (folder / "model-settings.json").write_text(json.dumps(model_settings))
    program = pathlib.Path(sys.executable).with_name("mlserver")
    environment = dict(os.environ, PYTHONPATH=str(HERE / "support"))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with stopping(subprocess.Popen([program, "start", folder], env=environment, **quiet)) as process:
        wait_until_ready(f"http://127.0.0.1:{port}/v2/models/model/ready", process)
        yield port, process


def ask(port, body):
    url = f"http://127.0.0.1:{port}/v2/models/model/infer"
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.loads(reply.read())["outputs"][-1]["data"]


def show(milliseconds):
    return "-" if milliseconds != milliseconds else f"{milliseconds:.3g}"


def measure_throughput(options, model, rows, scratch):
    servers = [("accrete", lambda: accrete_server(model))]
    if options.peer == "mlserver":
        servers.append(("MLServer, ONNX Runtime", lambda: mlserver(model, scratch)))
    bodies = {count: json_body(rows[:count]) for count in (1, 64)}
    answers = {}
    head("server", "rows", "connections", "requests/s", "p50, ms", "p99, ms", "failed")
    for name, start in servers:
        with start() as (port, _):
            answers[name] = np.ravel(ask(port, bodies[64]))[-64:]
            expected = next(iter(answers.values()))
            if np.abs(answers[name] - expected).max() > 1e-5:
                raise SystemExit(f"bench: {name} predicts something else; nothing is timed")
            for count, body in bodies.items():
                for connections in (1, 16, 256):
                    rate, median, tail, failed = wrk(port, body, scratch, connections, options.seconds)
                    row(name, count, connections, f"{rate:.0f}", show(median), show(tail), failed)


def measure_half_load(options, model, rows, scratch):
    """One row per request at half of the rate that wrk reached with 16 connections."""
    body = json_body(rows[:1])
    with accrete_server(model) as (port, _):
        rate = wrk(port, body, scratch, 16, options.seconds)[0] / 2
        result = send_small(port, Message(body), rate, 2 * options.seconds, scratch)
    print("\nOne row per request at half of the rate of 16 connections, sent at fixed times:\n")
    head("requests/s", "answered", "failed", "p50, ms", "p99, ms")
    row(f"{rate:.0f}", result["answered"], result["failed"], show(result["p50"]), show(result["p99"]))


def measure_overload(options, data, rows, scratch):
    model = f"{scratch}/large.safetensors"
    progress(f"training {options.large_units} units")
    run(ACCRETE, "train", data, "--units", options.large_units, "--units-per-step", 100, "--max-iter", 1,
        "--auto", "off", "--quiet", "-o", model)
    body, json_size = binary_body((rows * LOAD_ROWS)[:LOAD_ROWS])
    headers = binary_headers(json_size)
    cores = split_cores()
    with accrete_server(model, cores=cores) as (port, _):
        full, *_ = wrk(port, body, scratch, 16, options.seconds, headers)
    print(f"\n{options.large_units} units, {LOAD_ROWS} rows: {full:.0f} requests/s with all units. "
          f"Budget {options.latency_ms} ms, {options.overload_seconds} s each:\n")
    head("load", "requests/s", "answered", "failed", "p50, ms", "p99, ms", "mean units", "within the budget")
    for load in (0.5, 4.0):
        flags = ["--latency", f"{options.latency_ms}ms", "--min-units", 100]
        with accrete_server(model, *flags, cores=cores) as (port, _):
            loop = OpenLoop(port, [Message(body, headers)])
            asyncio.run(loop.run(load * full, options.overload_seconds))
        tail = loop.milliseconds(0.99)
        row(f"{load} x", f"{load * full:.0f}", len(loop.seconds), loop.failed, show(loop.milliseconds(0.5)), show(tail),
            f"{statistics.mean(loop.units):.0f}", "yes" if tail <= options.latency_ms else "NO")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=5, help="of each wrk run")
    parser.add_argument("--units", type=int, default=200)
    parser.add_argument("--peer", choices=("mlserver", "none"), default="mlserver")
    parser.add_argument("--overload-seconds", type=int, default=60, help="0: no overload test")
    parser.add_argument("--latency-ms", type=float, default=2)
    parser.add_argument("--large-units", type=int, default=10_000)
    options = parser.parse_args()
    if not shutil.which("wrk"):
        raise SystemExit("bench: wrk not found (Debian package wrk)")
    print(f"{hardware()}; load average before: {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as scratch:
        data = make_data("waveform", 1000, scratch)
        rows = [[float(cell) for cell in cells[:COLUMNS]] for cells in read_rows(data)[1]]
        model = f"{scratch}/model.safetensors"
        run(ACCRETE, "train", data, "--units", options.units, "--units-per-step", 10, "--max-iter", 4, "--auto",
            "off", "--quiet", "-o", model)
        measure_throughput(options, model, rows, scratch)
        measure_half_load(options, model, rows, scratch)
        if options.overload_seconds:
            measure_overload(options, data, rows, scratch)


if __name__ == "__main__":
    main()
