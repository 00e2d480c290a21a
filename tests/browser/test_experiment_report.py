"""The page of `accrete experiment report`: its charts with scripts, its tables and pictures without."""

import json
import sqlite3

import pytest
from conftest import accrete, embedded

METHODS = ("gbnn", "deep", "adam", "lbfgs", "sgd", "adaboost")
SIDE = 80


def cell(mean):
    scores = [mean + (-1) ** fold * 0.01 for fold in range(10)]
    parts = [{"repeat": 0, "fold": f, "score": score, "settings": {"hidden": "12"}} for f, score in enumerate(scores)]
    return {"metric": "accuracy", "rows": 150, "seed": 0, "parts": parts}


def panels():
    values = [round((r + c) / (2 * SIDE), 2) for r in range(SIDE) for c in range(SIDE)]
    return [{"units": units, "accuracy": 0.8, "probability": values} for units in (1, 2, 3, 4, 100)]


def invented():
    """Results by experiment, task and method."""
    for t, task in enumerate(("iris", "wine", "digits")):
        for m, method in enumerate(METHODS):
            yield "table", task, method, cell(0.9 - 0.02 * ((m + t) % 6))
    for method in ("gbnn", "deep"):
        units = [300] if method == "deep" else [3, 6, 9]
        yield "curves", "tic-tac-toe", method, {"metric": "accuracy", "folds": 10, "settings": {}, "units": units,
                                                "mean": [0.9] * len(units), "se": [0.01] * len(units)}
        curve = {"units": [20, 40], "mean": [0.1, 0.2], "se": [0.01, 0.01]}
        yield "times", "power", method, {"folds": 3, "early": curve, "full": curve}
    for method in ("gbnn", "adam"):
        points = [[i % 10 - 5, i // 10 - 5, i % 2] for i in range(100)]
        yield "boundary", "ringnorm2d", method, {"limit": 5.0, "side": SIDE, "points": points, "panels": panels()}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments")
    rows = [f"{row % 3 + row / 100:.2f},{row % 7},{'abc'[row % 3]}" for row in range(60)]
    (folder / "iris.csv").write_text("\n".join(["x,y,target", *rows]) + "\n")
    arguments = ["--data", ".", "--tasks", "iris", "--methods", "deep", "--store", "s.sqlite"]
    accrete(folder, "experiment", "run", "table", *arguments)
    store = sqlite3.connect(folder / "s.sqlite")
    for experiment, task, method, document in invented():
        store.execute("INSERT OR REPLACE INTO result VALUES (?, 'quick', ?, ?, ?)",
                      (experiment, task, method, json.dumps(document)))
    store.commit()
    store.close()
    accrete(folder, "experiment", "report", "--store", "s.sqlite", "-o", "report")
    return folder / "report" / "report.html"


def test_rank_diagrams_are_drawn(report, open_page):
    page, charts = open_page(report), embedded(report, "charts")
    for name in ("ranks-quick-classification", "ranks-quick-all"):
        words = page.locator(f"#{name} svg text").all_text_contents()
        for leader in charts[name]["leaders"]:
            assert any(leader["name"] in word and leader["shown"] in word for word in words)
        assert page.locator(f"#{name} .group line").count() == len(charts[name]["groups"]) == 1


def test_fields_are_drawn_as_pictures_with_points(report, open_page):
    page = open_page(report)
    panels = page.locator(".panels figure")
    assert panels.count() == 10
    assert panels.locator("svg image").count() == 10
    for label in ("class-0", "class-1"):
        assert panels.first.locator(f".chart > svg .{label}").count() == 50
    size = page.evaluate("""async () => { const picture = new Image();
        picture.src = document.querySelector('.panels svg image').href.baseVal; await picture.decode();
        const canvas = document.createElement('canvas'); canvas.width = canvas.height = picture.width;
        const context = canvas.getContext('2d'); context.drawImage(picture, 0, 0);
        const at = (x, y) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3);
        return [picture.width, at(0, 0), at(picture.width - 1, picture.width - 1)]; }""")
    assert size[0] == SIDE
    assert size[1] == [0x44, 0x01, 0x54], "dark violet is 0"
    assert size[2][0] > 240 and size[2][2] < 60, "yellow is 1"


def test_five_panels_share_a_line(report, open_page):
    tops = [figure.bounding_box()["y"] for figure in open_page(report, 1400).locator(".panels figure").all()]
    assert len(set(tops[:5])) == len(set(tops[5:])) == 1 and tops[0] < tops[5]


@pytest.mark.parametrize("width", (360, 1400))
def test_nothing_overflows_the_page(report, open_page, width):
    page = open_page(report, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for figure in page.locator("figure").all():
        box = figure.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width


@pytest.mark.parametrize("width", (360, 1400))
def test_labels_of_a_rank_diagram_do_not_overlap(report, open_page, width):
    boxes = [text.bounding_box() for text in open_page(report, width).locator("#ranks-quick-all svg text").all()]
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
            along = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
            assert across <= 0 or along <= 3, (a, b)


def test_best_score_is_bold_and_shaded(report, open_page):
    best = open_page(report).locator("#table-quick .best")
    assert best.count() >= 3
    for entry in best.all():
        assert entry.locator("b").count() == 1
        assert entry.evaluate("cell => getComputedStyle(cell).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_page_is_complete_without_scripts(report, open_page):
    page = open_page(report, scripts=False)
    assert "90.00 (1.05)" in page.locator("#table-quick").text_content()
    pictures = page.locator("figure .chart img").all()
    assert len(pictures) == page.locator("figure").count() == 15
    for picture in pictures:
        box = picture.bounding_box()
        assert box["width"] > 150 and box["height"] > 80, "a picture that did not load has no size"
