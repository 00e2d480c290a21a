"""The page of `accrete serve`: form, dial, invalid values, a narrow screen, tokens."""

import contextlib
import json
import re
import subprocess
import urllib.request

import pytest
from conftest import COMMAND, accrete
from playwright.sync_api import expect


@contextlib.contextmanager
def serving(folder, *words):
    words = [COMMAND, "serve", *words, "--port", "0", "--json", "--log", "none"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline() + process.stdout.readline().rstrip(",\n") + "}")["url"]
    finally:
        process.terminate()
        assert process.wait(timeout=30) == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explorer")
    rows = [f"{i % 10},{'red' if i % 3 else 'blue'},{'yes' if i % 10 > 4 and i % 3 else 'no'}" for i in range(200)]
    (folder / "shop.csv").write_text("\n".join(["size,<b>colour</b>,bought", *rows]) + "\n")
    accrete(folder, "data", "make", "friedman1", "-n", "200", "-o", "number.csv")
    for name in ("shop", "number"):
        flags = ["--units", "30", "--units-per-step", "2", "--auto", "off", "-o", f"{name}.safetensors"]
        accrete(folder, "train", f"{name}.csv", *flags)
    return folder


@pytest.fixture(scope="module")
def server(folder):
    with serving(folder, "shop.safetensors", "number.safetensors") as url:
        yield url


@pytest.fixture
def open_explorer(browser):
    """open_explorer(url, width=1200): the test fails if a script raises an error or another host is asked."""
    contexts, errors = [], []

    def open_url(url, width=1200):
        def refuse(request):
            if not request.url.startswith((url, "data:")):
                errors.append(f"asked for {request.url}")

        context = browser.new_context(viewport={"width": width, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", refuse)
        page.goto(url)
        return page

    yield open_url
    for context in contexts:
        context.close()
    assert errors == []


def open_shop(open_explorer, server, width=1200):
    page = open_explorer(server, width)
    page.locator("#model").select_option(label="shop, version 1")
    expect(page.locator("#title")).to_have_text("shop")
    return page


def label(server, size, colour, units):
    tensors = [
        {"name": "size", "shape": [1], "datatype": "FP64", "data": [size]},
        {"name": "<b>colour</b>", "shape": [1], "datatype": "BYTES", "data": [colour]},
    ]
    body = json.dumps({"inputs": tensors, "parameters": {"units": units}}).encode()
    reply = json.load(urllib.request.urlopen(f"{server}/v2/models/shop/infer", data=body))
    return reply["outputs"][0]["data"][0]


def test_prediction_follows_the_form(open_explorer, server):
    page = open_shop(open_explorer, server)
    assert page.locator("#columns label").all_text_contents() == ["size", "<b>colour</b>"]
    for size, colour in ((9, "red"), (1, "blue"), (9, "blue")):
        page.locator("#column-0").fill(str(size))
        page.locator("#column-1").select_option(colour)
        expect(page.locator("#prediction")).to_contain_text(re.compile(f"^{label(server, size, colour, 30)}"))
        expect(page.locator("#contributions svg")).to_have_count(1)
    assert page.locator("#probabilities tr").count() == 2


def test_slider_is_the_dial(open_explorer, server):
    page = open_shop(open_explorer, server)
    expect(page.locator("#prediction")).to_contain_text("with 30 units")
    page.locator("#units").fill("1")
    expect(page.locator("#prediction")).to_contain_text("with 2 units")
    expect(page.locator("#dial output")).to_contain_text("of 30")
    expect(page.locator("#curve .here")).to_have_count(1)


def test_invalid_input_is_marked_and_missing_is_allowed(open_explorer, server):
    page = open_shop(open_explorer, server)
    page.locator("#column-0").fill("much")
    expect(page.locator("#problem")).to_have_text("size: 'much' is not a number")
    expect(page.locator("#column-0")).to_have_attribute("aria-invalid", "true")
    page.locator("#column-0").fill("1e300")
    expect(page.locator("#problem")).to_contain_text("infinite")
    page.locator("#column-0").fill("")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#column-0")).to_have_attribute("aria-invalid", "false")


def test_numbers_are_predicted_too(open_explorer, server):
    page = open_explorer(server)
    page.locator("#model").select_option(label="number, version 1")
    expect(page.locator("#title")).to_have_text("number")
    expect(page.locator("#prediction")).to_contain_text(re.compile(r"^-?\d"))
    assert page.locator("#columns input").count() == 10


@pytest.mark.parametrize("width", (360, 1280))
def test_nothing_overflows_the_page(open_explorer, server, width):
    page = open_shop(open_explorer, server, width)
    expect(page.locator("#contributions svg")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_page_asks_for_the_token(open_explorer, folder, tmp_path):
    (tmp_path / "token").write_text("secret\n")
    with serving(folder, "shop.safetensors", "--token-file", str(tmp_path / "token")) as url:
        page = open_explorer(url)
        expect(page.locator("#login")).to_be_visible()
        page.locator("#token").fill("secret")
        page.locator("#login button").click()
        expect(page.locator("#title")).to_have_text("shop")
        expect(page.locator("#login")).to_be_hidden()
