"""The page of `accrete demo`: its slider with scripts, its pictures without."""

import pytest
from conftest import accrete, embedded


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    accrete(folder, "demo", "--output-dir", "demo")
    return folder / "demo" / "demo.html"


def test_slider_moves_the_surface_and_the_curves(demo, open_page):
    page, sizes = open_page(demo), embedded(demo, "sizes")
    assert len(sizes) == 100
    pictures = []
    for units in (1, 10, 100):
        page.locator("#units").fill(str(units))
        words = "1 unit" if units == 1 else f"{units} units"
        assert page.locator("#dial output").text_content() == f"{words}: accuracy {sizes[units - 1]['accuracy']}"
        assert page.locator("#surface figcaption b").text_content() == words
        assert page.locator("#accuracy .here").count() == page.locator("#loss .here").count() == 1
        pictures.append(page.locator("#surface svg image").get_attribute("href"))
    assert len(set(pictures)) == 3


def test_every_field_shows_points_and_a_boundary(demo, open_page):
    page = open_page(demo)
    assert page.locator("figure .chart svg image").count() == 6
    for name in ("panel-1", "panel-100", "surface"):
        chart = page.locator(f"#{name} .chart > svg")
        assert chart.locator(".class-0").count() + chart.locator(".class-1").count() == 200
        assert len(chart.locator(".boundary").get_attribute("d")) > 100


@pytest.mark.parametrize("width", (360, 1280))
def test_nothing_overflows_the_page(demo, open_page, width):
    page = open_page(demo, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_page_is_complete_without_scripts(demo, open_page):
    page = open_page(demo, scripts=False)
    assert page.locator("#dial").is_hidden()
    assert page.locator("figure .chart img").count() == page.locator("figure").count() == 8
