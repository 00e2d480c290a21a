"""A server under load for a long time: no request fails, no answer is wrong, and memory does not grow.

  ./dev reliability serve soak [--minutes 60]
      Half of the load that the server can take. Every 10 s the model file is replaced by another model, or by a broken
      file, which must be refused.
  ./dev reliability serve overload [--minutes 10] [--latency-ms 2]
      Four times the load that the server can take with all units, and a latency budget. The server has half of the
      cores, this script the others.

Every reply is compared with what `accrete predict` answers for the units that the reply says it used. Requests are sent
at fixed times, whether or not earlier ones were answered. Exits with 1 if a rule is broken.
"""
import argparse
import array
import asyncio
import csv
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from common import ACCRETE, head, make_data, progress, read_rows, row
from support import serving

COLUMNS = 21
REPLACE_SECONDS = 10.0
MAX_GROWTH = 4.0  # MiB in the second half; a model of the soak has about one


class Known(serving.Message):
    """A request whose answer is known for every number of units."""

    def __init__(self, body, headers, answers):
        super().__init__(body, headers)
        self.answers = answers  # units: probabilities as bytes, row by row

    def is_right(self, units, body):
        if not self.headers:  # JSON
            body = array.array("d", json.loads(body)["outputs"][0]["data"]).tobytes()
        return units in self.answers and body.endswith(self.answers[units])


def predict(model, data, scratch, units):
    """Probabilities of the rows of a file by `accrete predict`, as bytes per row."""
    path = f"{scratch}/predicted.csv"
    serving.run(ACCRETE, "predict", model, data, "--proba", "--units", units, "--quiet", "-o", path)
    with open(path, newline="") as file:
        _, *rows = csv.reader(file)
    return [array.array("d", map(float, cells[-3:])).tobytes() for cells in rows]


def train(data, units, scratch):
    model = f"{scratch}/{units}.safetensors"
    progress(f"training {units} units")
    serving.run(ACCRETE, "train", data, "--units", units, "--units-per-step", 100, "--max-iter", 1, "--auto", "off",
                "--quiet", "-o", model)  # fmt: skip
    return model


def messages(data, answers, sizes):
    """A request of each size: one row as JSON, more as binary tensors. answers: units: bytes of all rows."""
    rows = [[float(cell) for cell in cells[:COLUMNS]] for cells in read_rows(data)[1]]
    made, first = [], 0
    for size in sizes:
        if first + size > len(rows):
            first = 0
        expected = {units: b"".join(known[first : first + size]) for units, known in answers.items()}
        asked = rows[first : first + size]
        if size == 1:
            body, headers = serving.json_body(asked), []
        else:
            body, json_size = serving.binary_body(asked)
            headers = serving.binary_headers(json_size)
        made.append(Known(body, headers, expected))
        first += size
    return made


def capacity(model, sent, scratch, seconds, cores=None):
    """Requests per second with all units, for a mixture of messages that are sent equally often."""
    with serving.accrete_server(model, cores=cores) as (port, _):
        rates = [serving.wrk(port, each.body, scratch, 16, seconds, each.headers)[0] for each in sent]
    return statistics.harmonic_mean(rates)


class Replacer:
    """Replaces the model file by the other model again and again, every fourth time by a broken file."""

    def __init__(self, path, models):
        self.path, self.models, self.good, self.broken = path, models, 0, 0

    def place(self, content):
        new = f"{self.path}.new"
        pathlib.Path(new).write_bytes(content)
        os.replace(new, self.path)

    async def run(self):
        contents = [pathlib.Path(model).read_bytes() for model in self.models]
        damaged = [contents[0][:1000], b"", b"no model", contents[1][:-100]]
        turn = 0
        while True:
            await asyncio.sleep(REPLACE_SECONDS)
            turn += 1
            if turn % 4 == 0:
                self.place(damaged[self.broken % len(damaged)])
                self.broken += 1
            else:
                self.good += 1
                self.place(contents[self.good % 2])


async def load(loop, rate, seconds, *beside):
    tasks = [asyncio.create_task(task.run()) for task in beside]
    sending = asyncio.create_task(loop.run(rate, seconds))
    await asyncio.wait([sending, *tasks], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        if task.done() and not sending.done():
            task.result()  # raises: the server has ended
        task.cancel()
    await sending
    await asyncio.sleep(2.0)  # the server looks at the files twice a second


def counters(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as reply:
        text = reply.read().decode()
    return {name: int(value) for name, value in re.findall(r"(?m)^(accrete_reloads\w*) (\d+)$", text)}


def print_results(given, rate, loop, sampler, more):
    cells = {
        "minutes": f"{given.minutes:g}",
        "requests/s": f"{rate:.0f}",
        "requests": f"{len(loop.seconds) + loop.failed:,}",
        "failed": loop.failed,
        "wrong": loop.wrong,
        **more,
        **{name: f"{size:.1f}" for name, size in zip(("MiB at first", "half-way", "at the end"), sampler.resident())},
        **{f"p{level}, ms": f"{loop.milliseconds(level / 100):.3g}" for level in (50, 99)},
    }
    head(*cells)
    row(*cells.values())


def broken_rules(loop, sampler, requests):
    sizes = sampler.resident()
    rules = [
        (loop.failed > 0, f"{loop.failed} requests failed: {loop.errors}"),
        (loop.wrong > 0, f"{loop.wrong} replies are wrong"),
        (len(loop.seconds) + loop.failed != requests, f"{len(loop.seconds)} of {requests} requests were answered"),
        (sizes[2] > sizes[1] + MAX_GROWTH, f"the resident size grew from {sizes[1]:.1f} to {sizes[2]:.1f} MiB"),
    ]
    return [text for broken, text in rules if broken]


def soak(given, scratch):
    data = make_data("waveform", 1000, scratch)
    sizes = 8000, 9600  # large, so that this script takes little of the processor
    models = [train(data, units, scratch) for units in sizes]
    answers = {units: predict(model, data, scratch, units) for units, model in zip(sizes, models)}
    sent = messages(data, answers, [64, 1, 17, 256, 1, 128])
    rate = capacity(models[1], sent, scratch, given.wrk_seconds) / 2
    served = f"{scratch}/served.safetensors"
    replacer = Replacer(served, models)
    replacer.place(pathlib.Path(models[0]).read_bytes())
    with serving.accrete_server(served) as (port, process):
        loop = serving.OpenLoop(port, sent)
        sampler = serving.MemorySampler(process, loop, 60 * given.minutes)
        progress(f"{rate:.0f} requests/s for {given.minutes:g} minutes")
        asyncio.run(load(loop, rate, 60 * given.minutes, sampler, replacer))
        seen = counters(port)
    reloads, refused = seen["accrete_reloads_total"], seen["accrete_reloads_refused_total"]
    print_results(given, rate, loop, sampler, {"reloads": reloads, "refused": refused})
    rules = broken_rules(loop, sampler, int(rate * 60 * given.minutes))
    if (reloads, refused) != (replacer.good, replacer.broken):
        placed = f"{replacer.good} good and {replacer.broken} broken files"
        rules.append(f"of {placed}, {refused} were refused and {reloads} loaded")
    if len(set(loop.units)) != min(2, 1 + replacer.good):
        rules.append(f"replies came from models of {sorted(set(loop.units))} units")
    return rules


def overload(given, scratch):
    data = make_data("waveform", 1000, scratch)
    units, step = given.units, 100
    model = train(data, units, scratch)
    progress("predicting with every prefix")
    answers = {prefix: predict(model, data, scratch, prefix) for prefix in range(step, units + 1, step)}
    sent = messages(data, answers, [256] * 3)
    cores = serving.split_cores()
    full = capacity(model, sent[:1], scratch, given.wrk_seconds, cores)
    flags = ["--latency", f"{given.latency_ms}ms", "--min-units", step]
    with serving.accrete_server(model, *flags, cores=cores) as (port, process):
        loop = serving.OpenLoop(port, sent)
        sampler = serving.MemorySampler(process, loop, 60 * given.minutes)
        progress(f"{full:.0f} requests/s with all units; {4 * full:.0f} requests/s for {given.minutes:g} minutes")
        asyncio.run(load(loop, 4 * full, 60 * given.minutes, sampler))
    tail = loop.milliseconds(0.99)
    more = {"mean units": f"{statistics.mean(loop.units):.0f}", "budget, ms": f"{given.latency_ms:g}"}
    print_results(given, 4 * full, loop, sampler, more)
    rules = broken_rules(loop, sampler, int(4 * full * 60 * given.minutes))
    if tail > given.latency_ms:
        rules.append(f"p99 is {tail:.3g} ms, the budget {given.latency_ms:g} ms")
    return rules


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign", choices=["soak", "overload"])
    parser.add_argument("--minutes", type=float, help="default: 60, overload 10")
    parser.add_argument("--latency-ms", type=float, default=2)
    parser.add_argument("--units", type=int, default=10_000, help="of the network that is overloaded")
    parser.add_argument("--wrk-seconds", type=int, default=5, help="to find the load that the server can take")
    given = parser.parse_args()
    given.minutes = given.minutes or (60.0 if given.campaign == "soak" else 10.0)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            rules = (soak if given.campaign == "soak" else overload)(given, scratch)
        except subprocess.CalledProcessError as error:
            sys.exit(f"serve: {error}: {error.stderr}")
    for rule in rules:
        print(f"broken: {rule}", file=sys.stderr)
    sys.exit(1 if rules else 0)


if __name__ == "__main__":
    main()
