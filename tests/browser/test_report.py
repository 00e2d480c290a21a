"""The page of `accrete report`: its slider with scripts, its tables and pictures without."""

import pytest
from conftest import embedded

KINDS = ("binary", "classes", "number", "many")


def move(page, place):
    slider = page.locator("#units")
    slider.fill(str(place))
    return slider


def shown(name, value):
    """A metric as the page writes it."""
    return f"{100 * value:.2f}\u00a0%" if name == "accuracy" else f"{float(f'{value:.4g}'):g}"


def cells(page, figure):
    return page.locator(f"#{figure} .cell").evaluate_all(
        "cells => cells.map(cell => Number(cell.querySelector('text').textContent || 0))")


def transforms(page, figure):
    return page.locator(f"#{figure} path.point[transform]").evaluate_all(
        "points => points.map(point => point.getAttribute('transform'))")


@pytest.mark.parametrize("kind", KINDS)
def test_slider_moves_the_metrics(reports, open_page, kind):
    page, model = open_page(reports[kind]), embedded(reports[kind], "model")
    assert page.locator("#dial").is_visible()
    for place in (0, len(model["prefixes"]) // 2, len(model["prefixes"]) - 1):
        move(page, place)
        prefix = model["prefixes"][place]
        texts = page.locator("#metrics tbody tr td:last-child").all_text_contents()
        assert texts == [shown(name, value) for name, value in zip(model["metrics"], prefix["metrics"])]
        assert page.locator("#dial output").text_content().startswith(f"{prefix['units']} of ")
        assert page.locator("#metrics thead th:last-child").text_content() == f"first {prefix['units']} units"


@pytest.mark.parametrize("kind", ("binary", "classes", "many"))
def test_slider_moves_the_confusion_matrix(reports, open_page, kind):
    page, prefixes = open_page(reports[kind]), embedded(reports[kind], "model")["prefixes"]
    for place in (0, len(prefixes) - 1):
        move(page, place)
        assert cells(page, "confusion") == [count for row in prefixes[place]["confusion"] for count in row]


@pytest.mark.parametrize("kind", KINDS)
def test_slider_moves_the_point_on_the_curve(reports, open_page, kind):
    page, model = open_page(reports[kind]), embedded(reports[kind], "model")
    places = []
    for place in (0, len(model["prefixes"]) - 1):
        move(page, place)
        prefix = model["prefixes"][place]
        point = page.locator("#curve path.point[transform] title").last.text_content()
        value = prefix["metrics"][model["main"]] * (100 if model["metrics"][model["main"]] == "accuracy" else 1)
        assert f"units used {prefix['units']}, " in point
        assert point.endswith(f" {float(f'{value:.4g}'):g}")
        places.append(transforms(page, "curve")[-1])
    assert places[0] != places[1]


def test_slider_moves_the_predictions(reports, open_page):
    page = open_page(reports["number"])
    before = transforms(page, "predicted-0")
    move(page, 0)
    after = transforms(page, "predicted-0")
    assert len(before) == len(after) == 601  # and the one of the legend
    assert before != after


def test_slider_moves_the_calibration(reports, open_page):
    page, prefixes = open_page(reports["binary"]), embedded(reports["binary"], "model")["prefixes"]
    for place in (0, len(prefixes) - 1):
        move(page, place)
        drawn = page.locator("#calibration .chart > svg path.point").count()
        assert drawn == sum(rows > 0 for _, _, rows in prefixes[place]["calibration"])


def test_slider_reacts_to_the_keyboard(reports, open_page):
    page, prefixes = open_page(reports["binary"]), embedded(reports["binary"], "model")["prefixes"]
    page.locator("#units").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#dial output").text_content().startswith(f"{prefixes[-2]['units']} of ")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", (360, 1400))
def test_nothing_overflows_the_page(reports, open_page, kind, width):
    page = open_page(reports[kind], width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for figure in page.locator("figure").all():
        box = figure.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_axes_do_not_overlap(reports, open_page, kind):
    for width in (360, 1400):
        page = open_page(reports[kind], width)
        for axis in page.locator("g.axis").all():
            boxes = [text.bounding_box() for text in axis.locator("text").all()]
            for a, b in zip(boxes, boxes[1:]):
                across = min(a["x"] + a["width"], b["x"] + b["width"]) - max(a["x"], b["x"])
                along = min(a["y"] + a["height"], b["y"] + b["height"]) - max(a["y"], b["y"])
                assert across <= 0 or along <= 4, (width, a, b)  # boxes include space above and below the letters


def test_names_are_escaped(reports, open_page):
    page = open_page(reports["many"])
    assert page.locator("figcaption b").count() == page.locator("b").count()
    assert '<b>0</b> & "Müller"' in page.locator("#facts").text_content()
    assert "11 others" in page.locator("#confusion").text_content()


@pytest.mark.parametrize("kind", KINDS)
def test_page_is_complete_without_scripts(reports, open_page, kind):
    page, model = open_page(reports[kind], scripts=False), embedded(reports[kind], "model")
    assert page.locator("#dial").is_hidden()
    last = model["prefixes"][-1]["metrics"]
    texts = page.locator("#metrics tbody td").all_text_contents()
    assert texts == [shown(name, value).replace("\u00a0", " ") for name, value in zip(model["metrics"], last)]
    figures = page.locator("figure").count()
    assert figures == page.locator("figure details table").count() >= 5
    pictures = page.locator("figure .chart img").all()
    assert len(pictures) == figures
    for picture in pictures:
        box = picture.bounding_box()
        assert box["width"] > 200 and box["height"] > 100, "a picture that did not load has no size"
