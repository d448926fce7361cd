"""How large a page may be, and how little of it is drawn at a time. How long it takes is measured by `make bench`.

What is promised for 20,000 queries is tried on a quarter of them by `make test`, on all by `make test-all`.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.amounts import tried
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import charts, press, query_rows, ready
from tests.heavy.browser.worlds import crowd, thousand

ROWS = 100
"""Rows of the table in the page at a time, at most."""

NODES = 5000
"""Elements in the page of a report on 1,000 queries when it is first painted, at most."""


def test_a_thousand_queries_are_painted_at_once(opened: Opener) -> None:
    """That report is read before its script runs, and has few elements: the first paint waits for neither queries."""
    html = thousand().to_html()
    shown = opened(html, java_script_enabled=False)
    assert shown.locator("h1").is_visible()
    assert shown.locator("*").count() < NODES
    assert ready(opened(html)).locator("*").count() < NODES


def many() -> int:
    """Return how many queries are very many."""
    return tried(20_000)


@pytest.fixture(scope="module")
def page(shared: Opener) -> Page:
    """The report on very many queries and two systems, with its charts drawn."""
    shown = ready(shared(crowd(many()).to_html()))
    charts(shown)
    return shown


def test_twenty_thousand_queries(page: Page) -> None:
    """A page of 20,000 queries draws its charts, counts its queries, and shows the last, the greatest gain."""
    assert page.locator("#count").text_content() == f"{many():,} of {many():,} queries"
    assert page.locator("[data-chart=differences] canvas").count() == 1
    page.locator("#grid").press("Control+End")
    values = crowd(many()).values["nDCG@10"]
    most = max(after - before for after, before in zip(values["sys1"], values["sys0"], strict=True))
    assert page.locator("[role=row]:has(.active) .gain").text_content() == f"▲ +{most:.3f}"


def drawn(page: Page) -> int:
    """Return how many rows of the table stand in the page, shown or hidden."""
    return page.locator("#grid [role=row]").count()


def test_scrolling_twenty_thousand_queries(page: Page) -> None:
    """However far the table of 20,000 queries is scrolled, by the wheel or by keys, few of its rows are in the page."""
    grid = page.locator("#grid")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    grid.focus()
    for keys in (("PageDown", "PageDown"), ("Control+End",), ("Control+Home",)):
        press(page, *keys)
        assert drawn(page) < ROWS
    page.mouse.wheel(0, 50_000)
    page.wait_for_function("() => document.querySelector('#grid').scrollTop > 10000")
    assert drawn(page) < ROWS


@pytest.mark.parametrize("column", ["query", "value:sys0", "difference"])
def test_sorting_twenty_thousand_queries(column: str, page: Page) -> None:
    """A key sorts 20,000 queries by texts or by numbers; again few rows are in the page."""
    heads = page.locator("[role=columnheader]").evaluate_all("all => all.map((head) => head.dataset.key)")
    page.locator("#grid").focus()
    press(page, "Control+Home", "Home", "ArrowUp", *["ArrowRight"] * heads.index(column))
    before = page.locator(f"[data-key='{column}']").get_attribute("aria-sort")
    press(page, "Enter")
    assert page.locator(f"[data-key='{column}']").get_attribute("aria-sort") not in ("none", before)
    assert drawn(page) < ROWS


def test_filtering_twenty_thousand_queries(page: Page) -> None:
    """Letters typed into the filter leave the queries whose id begins so."""
    press(page, "/")
    page.keyboard.type("q0123")
    assert {key for key, _ in query_rows(page)} == {f"q0123{digit}" for digit in range(10)}


def test_opening_one_of_twenty_thousand_queries(page: Page) -> None:
    """A query of such a report is there, and the next follows a key."""
    page.locator("#filter").fill("")
    page.locator("#grid").focus()
    press(page, "Control+Home", "Enter")
    page.locator("#query .arithmetic").wait_for()
    first = page.locator("#query .id").text_content()
    press(page, "j")
    page.wait_for_function("first => document.querySelector('#query .id')?.textContent !== first", arg=first)
