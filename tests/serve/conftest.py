"""Servers started by the command, for clients that others wrote. ACCRETE_COMMAND names the command."""

import contextlib
import csv
import json
import os
import signal
import subprocess

import pytest

COMMAND = os.environ.get("ACCRETE_COMMAND", "accrete")

LETTERS = "a,b,,c".split(",")


def accrete(folder, *words):
    return subprocess.run([COMMAND, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def read_object(stream):
    """The indented JSON object that begins a stream, which stays open."""
    text = ""
    while not text.endswith("\n}\n"):
        line = stream.readline()
        assert line, "the server has ended"
        text += line
    return json.loads(text)


class Server:
    """A running server. Logs go to a file, so that no pipe fills up."""

    def __init__(self, folder, *words):
        self.log = folder / f"access-{os.urandom(4).hex()}.jsonl"
        words = [COMMAND, "serve", *words, "--port", "0", "--json", "--log", str(self.log)]
        self.process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
        started = read_object(self.process.stdout)
        self.url, self.models = started["url"], started["models"]
        self.address = self.url.removeprefix("http://")
        self.host, port = self.address.split(":")
        self.port = int(port)

    def records(self):
        *lines, _ = self.log.read_text().split("\n")  # the last line may not be complete yet
        return [json.loads(line) for line in lines]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=30)
        finally:
            self.process.kill()


@contextlib.contextmanager
def serving(folder, *words):
    server = Server(folder, *words)
    try:
        yield server
    finally:
        assert server.stop() == 0


def mixed_rows(path, rows):
    """Numbers with gaps, a category with gaps and a date; the class depends on all of them."""
    state, lines = 1, ["size,colour,when,kind"]
    for _ in range(rows):
        state = (1103515245 * state + 12345) % 2**31
        size, colour, month = state % 1000 / 100, LETTERS[state // 1000 % 4], state // 7 % 12 + 1
        kind = "big" if size + len(colour) + month / 6 > 6 else "small, or so"
        cell = "" if state % 11 == 0 else f"{size:.2f}"
        lines.append(f'{cell},{colour},2024-{month:02}-15,"{kind}"')
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Models of all tasks, with the CSV files they were trained on."""
    folder = tmp_path_factory.mktemp("serve")
    mixed_rows(folder / "mixed.csv", 400)
    accrete(folder, "data", "make", "friedman1", "-n", "300", "-o", "number.csv")
    accrete(folder, "data", "make", "waveform", "-n", "300", "-o", "waves.csv")
    for name, *more in (
        ("mixed",),
        ("number", "--interval", "0.8"),
        ("waves",),
    ):
        words = ["train", f"{name}.csv", "--units", "60", "--units-per-step", "3", "--max-iter", "4"]
        accrete(folder, *words, "--auto", "off", "-o", f"{name}.safetensors", *more)
    return folder


@pytest.fixture(scope="session")
def server(folder):
    with serving(folder, "mixed.safetensors", "number.safetensors", "waves.safetensors") as running:
        yield running


def read_csv(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def predicted(folder):
    """predicted(name, *flags): the rows that `accrete predict` writes."""

    def predict(name, *flags):
        accrete(folder, "predict", f"{name}.safetensors", f"{name}.csv", "-o", "predicted.csv", *flags)
        return read_csv(folder / "predicted.csv")

    return predict
