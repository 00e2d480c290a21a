"""Servers and load generators, shared by bench/serve.py and tests/reliability/serve.py. Standard library only."""
import array
import asyncio
import contextlib
import gc
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import time
import urllib.request

from common import ACCRETE, BUILD, progress

GENERATOR = BUILD / "bench_load_generator"
CONNECTIONS = 64
TIMER_SECONDS = 2e-3  # asyncio may wake up a millisecond late


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
    raise SystemExit(f"no server at {url}")


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


def split_cores():
    """The cores of this process in two halves, for a server and for its clients, which would be other computers.

    This process stays on the second; the first is for accrete_server. None where there is one core, or no choice.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) < 2:
        return None
    half = len(cores) // 2
    os.sched_setaffinity(0, cores[half:])
    return cores[:half]


@contextlib.contextmanager
def accrete_server(model, *flags, cores=None):
    """Runs a server of `model` under the name "model" on some cores; yields its port and its process."""
    port = free_port()
    words = [ACCRETE, "serve", f"model={model}", "--port", str(port), "--log", "none", "--quiet", *map(str, flags)]
    place = (lambda: os.sched_setaffinity(0, cores)) if cores else None
    with stopping(subprocess.Popen(words, preexec_fn=place)) as process:
        wait_until_ready(f"http://127.0.0.1:{port}/v2/health/ready", process)
        yield port, process


def json_body(rows):
    tensor = {"name": "rows", "shape": [len(rows), len(rows[0])], "datatype": "FP32", "data": rows}
    return json.dumps({"inputs": [tensor], "outputs": [{"name": "probabilities"}]}).encode()


def binary_body(rows):
    """The JSON and the tensor of a request, and the length of the JSON. The reply ends with the probabilities."""
    data = array.array("f", [value for row in rows for value in row]).tobytes()
    tensor = {"name": "rows", "shape": [len(rows), len(rows[0])], "datatype": "FP32",
              "parameters": {"binary_data_size": len(data)}}  # fmt: skip
    request = {"inputs": [tensor], "outputs": [{"name": "probabilities"}], "parameters": {"binary_data_output": True}}
    text = json.dumps(request).encode()
    return text + data, len(text)


def wrk(port, body, scratch, connections, seconds, headers=()):
    """Requests per second, median and 99th percentile in milliseconds, and failed requests."""
    pathlib.Path(scratch, "body").write_bytes(body)
    script = f'local file = io.open("{scratch}/body", "rb")\nwrk.method = "POST"\nwrk.body = file:read("*a")\n'
    for name, value in [("Content-Type", "application/json"), *headers]:
        script += f'wrk.headers["{name}"] = "{value}"\n'
    pathlib.Path(scratch, "post.lua").write_text(script)
    url = f"http://127.0.0.1:{port}/v2/models/model/infer"
    words = ["wrk", "-t", min(2, connections), "-c", connections, "-d", f"{seconds}s", "--timeout", "30s", "--latency"]
    text = subprocess.run([*map(str, words), "-s", f"{scratch}/post.lua", url], check=True, capture_output=True,
                          text=True, timeout=seconds + 60).stdout  # fmt: skip
    unit = {"us": 1e-3, "ms": 1.0, "s": 1e3, "m": 6e4}

    def percentile(level):
        found = re.search(rf"(?m)^\s+{level}%\s+([\d.]+)\s*(us|ms|s|m)\s*$", text)
        return float(found[1]) * unit[found[2]] if found else float("nan")

    failed = sum(int(n) for n in re.findall(r"Non-2xx or 3xx responses: (\d+)", text))
    for counts in re.findall(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text):
        failed += sum(map(int, counts))
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), percentile(50), percentile(99), failed


def binary_headers(json_size):
    return [("Inference-Header-Content-Length", json_size)]


class Message:
    """A request as it is sent."""

    def __init__(self, body, headers=()):
        self.body, self.headers = body, headers
        lines = [f"Content-Length: {len(body)}", *(f"{name}: {value}" for name, value in headers)]
        start = ["POST /v2/models/model/infer HTTP/1.1", "Host: x", *lines, "\r\n"]
        self.sent = "\r\n".join(start).encode() + body

    def is_right(self, units, body):
        """Whether the reply to this message is correct; implemented by subclasses."""
        return True


class OpenLoop:
    """Sends messages in turn, at fixed times whether or not earlier ones were answered, over a pool of connections.

    A request's time counts from when it was due. A request fails if its reply is not 200 or its connection breaks.
    """

    def __init__(self, port, messages):
        self.port, self.messages = port, messages
        self.seconds, self.units, self.failed, self.wrong = array.array("f"), array.array("i"), 0, 0
        self.errors = []  # the first ones

    async def worker(self, due):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while (item := await due.get()) is not None:
            at, message = item
            try:
                writer.write(message.sent)
                header = await reader.readuntil(b"\r\n\r\n")
                size = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", header)[1])
                body = await reader.readexactly(size)
                if not header.startswith(b"HTTP/1.1 200"):
                    raise OSError(f"{header[:40]} {body[:200]}")
                self.seconds.append(time.perf_counter() - at)
                self.units.append(int(re.search(rb'"units":(\d+)', body)[1]))
                self.wrong += not message.is_right(self.units[-1], body)
            except (OSError, asyncio.IncompleteReadError) as error:
                self.failed += 1
                self.errors = [*self.errors, str(error)][:3]
                writer.close()
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.close()

    async def run(self, rate, seconds):
        gc.collect()
        gc.disable()  # its pauses would count as the server's
        due = asyncio.Queue()
        workers = [asyncio.create_task(self.worker(due)) for _ in range(CONNECTIONS)]
        start = time.perf_counter()
        for i in range(int(rate * seconds)):
            at = start + i / rate
            while (delay := at - time.perf_counter()) > 0:
                await asyncio.sleep(delay - TIMER_SECONDS if delay > TIMER_SECONDS else 0)
            due.put_nowait((at, self.messages[i % len(self.messages)]))
        for _ in workers:
            due.put_nowait(None)
        await asyncio.gather(*workers)
        gc.enable()

    def milliseconds(self, share):
        """The time within which this share of the requests was answered."""
        ordered = sorted(self.seconds)
        return 1e3 * ordered[int(share * (len(ordered) - 1))] if ordered else float("nan")


def send_small(port, message, rate, seconds, scratch):
    """As OpenLoop, at tens of thousands per second: one message over and over, from bench/load_generator.cpp.

    Returns how many were answered and failed, and quantiles of their times in milliseconds: p50, p99, p999.
    """
    file = pathlib.Path(scratch, "message")
    file.write_bytes(message.sent)
    words = [GENERATOR, port, file, rate, seconds, CONNECTIONS]
    return json.loads(subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True).stdout)


class MemorySampler:
    """Samples the resident size of a server once a second, and prints the progress of the run."""

    def __init__(self, process, loop, seconds):
        self.process, self.loop, self.seconds, self.sizes = process, loop, seconds, []

    async def run(self):
        begin = shown = time.monotonic()
        while True:
            await asyncio.sleep(1.0)
            with open(f"/proc/{self.process.pid}/statm") as file:
                self.sizes.append(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20)
            if time.monotonic() - shown < 30.0:
                continue
            shown = time.monotonic()
            loop = self.loop
            progress(
                f"{shown - begin:.0f} of {self.seconds:.0f} s: {len(loop.seconds):,} answered, {loop.failed} failed, "
                f"{loop.wrong} wrong, {self.sizes[-1]:.1f} MiB, load average {os.getloadavg()[0]:.1f}"
            )

    def resident(self):
        """MiB after a warm-up, half-way and at the end: the median of a twentieth of the run each."""
        part = max(1, len(self.sizes) // 20)
        starts = part, len(self.sizes) // 2, len(self.sizes) - part
        return [statistics.median(self.sizes[start : start + part] or self.sizes) for start in starts]
