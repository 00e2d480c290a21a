#!/usr/bin/env python3
"""Requests per second and latency of `accrete serve` against MLServer, and under four times the load it can take.

    ./dev bench serve [--seconds 5] [--units 200] [--peer mlserver] [--overload-seconds 60] [--latency-ms 50]

Throughput: wrk sends the same JSON, one matrix of 1 or 64 rows and 21 columns, over 1, 16 and 256 connections. The peer
is MLServer with ONNX Runtime on the exported network, one thread per session; the replies are compared first.

Overload: a large network answers binary requests of 256 rows. First wrk measures how many requests per second it can
take with all units. Then requests are sent at four times that rate, at fixed times whether or not earlier ones were
answered, to a server with a latency budget; a request's time counts from when it was due. Everything runs on this
computer, the load generator too, and stops by itself.
"""
import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy as np

from common import ACCRETE, hardware, head, make_data, progress, read_rows, row

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS, LOAD_ROWS, CONNECTIONS = 21, 256, 64


def run(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_ready(url, process, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=1):
            return
        time.sleep(0.1)
    raise SystemExit(f"bench: no server at {url}")


@contextlib.contextmanager
def stopping(process):
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def accrete_server(model, *flags):
    port = free_port()
    words = [ACCRETE, "serve", f"model={model}", "--port", str(port), "--log", "none", "--quiet", *map(str, flags)]
    with stopping(subprocess.Popen(words)) as process:
        wait_until_ready(f"http://127.0.0.1:{port}/v2/health/ready", process)
        yield port


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
        yield port


def json_body(rows):
    tensor = {"name": "rows", "shape": [len(rows), COLUMNS], "datatype": "FP32", "data": rows}
    return json.dumps({"inputs": [tensor], "outputs": [{"name": "probabilities"}]})


def ask(port, body):
    url = f"http://127.0.0.1:{port}/v2/models/model/infer"
    request = urllib.request.Request(url, data=body.encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.loads(reply.read())["outputs"][-1]["data"]


def wrk(port, body, scratch, connections, seconds, headers=()):
    """Requests per second, median and 99th percentile in milliseconds, and failed requests."""
    pathlib.Path(scratch, "body").write_bytes(body if isinstance(body, bytes) else body.encode())
    script = f'local file = io.open("{scratch}/body", "rb")\nwrk.method = "POST"\nwrk.body = file:read("*a")\n'
    for name, value in [("Content-Type", "application/json"), *headers]:
        script += f'wrk.headers["{name}"] = "{value}"\n'
    pathlib.Path(scratch, "post.lua").write_text(script)
    url = f"http://127.0.0.1:{port}/v2/models/model/infer"
    words = ["wrk", "-t", min(2, connections), "-c", connections, "-d", f"{seconds}s", "--timeout", "30s", "--latency"]
    text = subprocess.run([*map(str, words), "-s", f"{scratch}/post.lua", url], check=True, capture_output=True,
                          text=True, timeout=seconds + 60).stdout
    unit = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}

    def percentile(level):
        found = re.search(rf"(?m)^\s+{level}%\s+([\d.]+)\s*(us|ms|s|m)\s*$", text)
        return float(found[1]) * unit[found[2]] if found else float("nan")

    failed = sum(int(n) for n in re.findall(r"Non-2xx or 3xx responses: (\d+)", text))
    for counts in re.findall(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text):
        failed += sum(map(int, counts))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), percentile(50), percentile(99), failed


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
        with start() as port:
            answers[name] = np.ravel(ask(port, bodies[64]))[-64:]
            expected = next(iter(answers.values()))
            if np.abs(answers[name] - expected).max() > 1e-5:
                raise SystemExit(f"bench: {name} predicts something else; nothing is timed")
            for count, body in bodies.items():
                for connections in (1, 16, 256):
                    rate, median, tail, failed = wrk(port, body, scratch, connections, options.seconds)
                    row(name, count, connections, f"{rate:.0f}", show(median), show(tail), failed)


def binary_body(rows):
    """The JSON and the tensor of a request, and the length of the JSON."""
    data = np.asarray(rows, np.float32).tobytes()
    tensor = {"name": "rows", "shape": [len(rows), COLUMNS], "datatype": "FP32",
              "parameters": {"binary_data_size": len(data)}}
    text = json.dumps({"inputs": [tensor], "parameters": {"binary_data_output": True}}).encode()
    return text + data, len(text)


class OpenLoop:
    """Sends requests at fixed times over a pool of connections."""

    def __init__(self, port, body, json_size):
        self.port = port
        self.message = (f"POST /v2/models/model/infer HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
                        f"Inference-Header-Content-Length: {json_size}\r\n\r\n").encode() + body
        self.seconds, self.units, self.failed = [], [], 0

    async def worker(self, due):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while (at := await due.get()) is not None:
            try:
                writer.write(self.message)
                header = await reader.readuntil(b"\r\n\r\n")
                size = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", header)[1])
                body = await reader.readexactly(size)
                if not header.startswith(b"HTTP/1.1 200"):
                    raise OSError(header[:40])
                self.seconds.append(time.perf_counter() - at)
                self.units.append(int(re.search(rb'"units":(\d+)', body)[1]))
            except (OSError, asyncio.IncompleteReadError):
                self.failed += 1
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.close()

    async def run(self, rate, seconds):
        due = asyncio.Queue()
        workers = [asyncio.create_task(self.worker(due)) for _ in range(CONNECTIONS)]
        start = time.perf_counter()
        for i in range(int(rate * seconds)):
            at = start + i / rate
            if (delay := at - time.perf_counter()) > 0:
                await asyncio.sleep(delay)
            due.put_nowait(at)
        for _ in workers:
            due.put_nowait(None)
        await asyncio.gather(*workers)


def measure_overload(options, data, rows, scratch):
    model = f"{scratch}/large.safetensors"
    progress(f"training {options.large_units} units")
    run(ACCRETE, "train", data, "--units", options.large_units, "--units-per-step", 100, "--max-iter", 1,
        "--auto", "off", "--quiet", "-o", model)
    body, json_size = binary_body((rows * LOAD_ROWS)[:LOAD_ROWS])
    with accrete_server(model) as port:
        headers = [("Inference-Header-Content-Length", json_size)]
        full, *_ = wrk(port, body, scratch, 16, options.seconds, headers)
    print(f"\n{options.large_units} units, {LOAD_ROWS} rows: {full:.0f} requests/s with all units. "
          f"Budget {options.latency_ms} ms, {options.overload_seconds} s each:\n")
    head("load", "requests/s", "answered", "failed", "p50, ms", "p99, ms", "mean units", "within the budget")
    for load in (0.5, 4.0):
        flags = ["--latency", f"{options.latency_ms}ms", "--min-units", 100]
        with accrete_server(model, *flags) as port:
            loop = OpenLoop(port, body, json_size)
            asyncio.run(loop.run(load * full, options.overload_seconds))
        times = np.sort(loop.seconds) * 1e3
        tail = times[int(0.99 * (len(times) - 1))]
        row(f"{load} x", f"{load * full:.0f}", len(times), loop.failed, show(statistics.median(times)), show(tail),
            f"{statistics.mean(loop.units):.0f}", "yes" if tail <= options.latency_ms else "NO")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=5, help="of each wrk run")
    parser.add_argument("--units", type=int, default=200)
    parser.add_argument("--peer", choices=("mlserver", "none"), default="mlserver")
    parser.add_argument("--overload-seconds", type=int, default=60, help="0: no overload test")
    parser.add_argument("--latency-ms", type=float, default=50)
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
        if options.overload_seconds:
            measure_overload(options, data, rows, scratch)


if __name__ == "__main__":
    main()
