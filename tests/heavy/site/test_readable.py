"""Every page is read in light and dark, on a screen and on a phone, without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.heavy.browser.axe import axe_in_both
from tests.heavy.site.building import pages
from tests.heavy.site.conftest import Opened

KINDS = (
    "index",  # the doors and a picture
    "gate",  # commands and YAML
    "decisions",  # a reference with tables; axe takes minutes on the longest
    "cli",  # long blocks of text
    "inputs",  # wide tables
    "chunks",  # a drawing
    "examples/shop/README",
)


@pytest.mark.parametrize("name", KINDS)
def test_axe(name: str, opened: Opened) -> None:
    """Axe finds nothing serious or critical, contrast included, in light and in dark."""
    page = opened(name)
    assert axe_in_both(page) == []


def test_axe_on_a_phone(opened: Opened) -> None:
    """Nor on a phone, where the navigation is folded away."""
    page = opened("gate", width=390)
    assert axe_in_both(page) == []


def test_axe_in_the_search(opened: Opened) -> None:
    """Nor while the search shows what it found."""
    page = opened("index")
    page.keyboard.press("/")
    page.keyboard.type("confidence interval")
    assert axe_in_both(page) == []


WIDTHS = (1440, 1024, 390)


def test_no_page_is_too_wide(opened: Opened, site: Path) -> None:
    """No page scrolls sideways, and every picture is there; each is opened without a request that leaves."""
    page = opened("index")
    assert [fault for name in pages(site) for fault in unfit(page, site / f"{name}.html")] == []


def unfit(page: Page, file: Path) -> list[str]:
    """Open a page; tell at which widths of the window it is wider, or a picture is not drawn."""
    page.goto(file.as_uri())
    return [f"{file.stem} at {width}" for width in WIDTHS if not fits(page, width)]


def fits(page: Page, width: int) -> bool:
    """Whether a page is as wide as a window of this width, and all its pictures are drawn."""
    page.set_viewport_size({"width": width, "height": 900})
    drawn = page.locator("article img").evaluate_all("all => all.every(one => one.complete && one.naturalWidth > 0)")
    return bool(drawn) and page.evaluate("document.documentElement.scrollWidth") <= width


def test_code_scrolls_in_itself(opened: Opened) -> None:
    """A block of code that is wider than a phone scrolls in its own box, also by keys."""
    block = opened("gate", width=390).locator("article pre").first
    assert block.evaluate("block => block.scrollWidth > block.clientWidth")
    block.focus()
    block.press("ArrowRight")
    assert block.evaluate("block => new Promise(done => setTimeout(() => done(block.scrollLeft), 300))") > 0


def test_output_fits_a_screen(opened: Opened) -> None:
    """A hundred columns of output fit into the text of a page on a screen."""
    block = opened("which-number").locator("article pre").first
    assert block.evaluate("block => block.scrollWidth <= block.clientWidth")


def test_the_navigation_shows_where_one_is(opened: Opened) -> None:
    """The entry of the open page is in view, also that of the last page."""
    entry = opened("glossary").locator(".sidebar-tree .current-page > .reference")
    box = entry.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 900


def test_wide_tables_scroll_under_their_first_column(opened: Opened) -> None:
    """On a phone a table that is too wide keeps its first column in view, and the page does not scroll sideways."""
    page = opened("measures", width=390)
    wide = "boxes => boxes.findIndex((each) => each.scrollWidth > each.clientWidth + 40)"
    table = page.locator(".table-wrapper").nth(page.locator(".table-wrapper").evaluate_all(wide))
    table.evaluate("each => each.scrollLeft = 200")
    left = "each => each.querySelector('td').getBoundingClientRect().left - each.getBoundingClientRect().left"
    assert abs(table.evaluate(left)) < 5  # the margin of the table in its box
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_buttons_of_a_phone_are_large(opened: Opened) -> None:
    """Menu, search, colours and contents are at least 40 pixels high and wide, and apart."""
    page, end = opened("measures", width=390), 0.0
    for name in (".nav-overlay-icon", ".header-search", ".theme-toggle-header .theme-toggle", ".toc-header-icon"):
        box = page.locator(f".mobile-header {name}").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40, (name, box)
        assert box["x"] >= end, name
        end = box["x"] + box["width"]


def test_the_first_screen(opened: Opened) -> None:
    """The first screen shows a report and what to type, and the doors lead to the first lesson and to Install."""
    page = opened("index")
    picture, command = page.locator("article img:visible").bounding_box(), page.locator("pre").first.bounding_box()
    assert picture is not None
    assert command is not None
    assert picture["y"] + picture["height"] < command["y"]
    assert command["y"] + command["height"] < 900
    doors = page.locator(".door-list a").evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    assert doors[:2] == ["first-verdict.html", "install.html"]


@pytest.mark.parametrize(("scheme", "width", "file"), [
    ("light", 1440, "report-verdict.png"),
    ("dark", 1440, "report-verdict-dark.png"),
    ("light", 390, "report-verdict-narrow.png"),
    ("dark", 390, "report-verdict-narrow-dark.png"),
])  # fmt: skip
def test_the_picture_that_fits(opened: Opened, scheme: str, width: int, file: str) -> None:
    """Of a picture that was taken for several screens one is seen: that of this width and these colours."""
    page = opened("index", width=width, color_scheme=scheme)
    assert page.locator("article img:visible").count() == 1
    assert page.locator("article img:visible").get_attribute("src").rpartition("/")[2] == file  # type: ignore[union-attr]
    page.evaluate("name => document.body.dataset.theme = name", "light" if scheme == "dark" else "dark")
    other = file.replace("-dark", "") if scheme == "dark" else file.replace(".png", "-dark.png")
    assert page.locator("article img:visible").get_attribute("src").rpartition("/")[2] == other  # type: ignore[union-attr]


def test_a_page_that_is_not_there(opened: Opened) -> None:
    """A server has a page to show in its place, which leads to the first page."""
    opened("404").get_by_role("link", name="first page").click()
