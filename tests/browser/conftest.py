"""Pages made by the command, opened in Debian's Chromium. ACCRETE_COMMAND names the command, CHROMIUM the browser."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

COMMAND = os.environ.get("ACCRETE_COMMAND", "accrete")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def accrete(folder, *words):
    subprocess.run([COMMAND, *words], cwd=folder, check=True, capture_output=True)


def embedded(page, name):
    """The JSON with that id in the file, read without a browser."""
    pattern = rf'<script type="application/json" id="{name}">(.*?)</script>'
    return json.loads(re.search(pattern, page.read_text()).group(1))


def many_classes(path, rows, seed):
    """Thirty classes on a grid of two columns, with names that need escaping."""
    state = seed
    lines = ["across,up,kind"]
    for row in range(rows):
        state = (1103515245 * state + 12345) % 2**31
        k = row % 30
        a, b = k % 6 + state % 100 / 200, k // 6 + state // 100 % 100 / 200
        lines.append(f'{a:.3f},{b:.3f},"<b>{k}</b> & ""Müller"""')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """A report of each task."""
    folder = tmp_path_factory.mktemp("reports")
    accrete(folder, "data", "make", "tic-tac-toe", "-o", "binary.csv")
    accrete(folder, "data", "make", "waveform", "-n", "600", "-o", "classes.csv")
    accrete(folder, "data", "make", "friedman1", "-n", "600", "-o", "number.csv")
    many_classes(folder / "many.csv", 900, 1)
    for kind in ("binary", "classes", "number", "many"):
        accrete(folder, "train", f"{kind}.csv", "--units", "60", "--auto", "off", "-o", f"{kind}.safetensors")
        accrete(folder, "report", f"{kind}.safetensors", f"{kind}.csv", "--repeats", "2", "-o", f"{kind}.html")
    return {kind: Path(folder, f"{kind}.html") for kind in ("binary", "classes", "number", "many")}


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser):
    """open_page(path, width=1200, scripts=True): opens a page from disk. The test fails if a script raises an error or
    the page requests anything."""
    contexts, errors = [], []

    def refuse(request):
        if not request.url.startswith(("file:", "data:")):
            errors.append(f"asked for {request.url}")

    def open_from_disk(path, width=1200, scripts=True):
        context = browser.new_context(viewport={"width": width, "height": 900}, java_script_enabled=scripts)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", refuse)
        page.goto(path.as_uri())
        return page

    yield open_from_disk
    for context in contexts:
        context.close()
    assert errors == []
