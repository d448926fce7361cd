"""How large a page may be, and how long it may take."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.opening import Opener
from tests.browser.rendered import charts, press, query_rows, ready
from tests.browser.timing import Traced, best_of, first_paint, long_tasks
from tests.browser.worlds import crowd, thousand

VENDOR = Path(str(files("idealrank.reports.page"))) / "vendor"
PAGE_BYTES = 1_200_000
LIBRARY_BYTES = 200_000
TRIES = 5
TASK, SORTED, PAINTED = 100, 300, 1000
"""Milliseconds: of a task while the table is scrolled, from a key to the paint after it, to the first paint."""


def test_a_thousand_queries_are_small() -> None:
    """A report on 1,000 queries, three systems and ten results each, all with titles, is below 1.2 MB."""
    report = thousand()
    assert (len(report.queries["id"]), len(report.systems), report.depth) == (1000, 3, 10)
    titles = report.documents["title"]
    assert None not in titles
    assert {len(title.split()) for title in titles} == set(range(4, 10))
    assert all(set(each["returned"]) == {10} for each in report.lists["systems"].values())
    assert len(report.to_html().encode()) < PAGE_BYTES


def test_the_chart_library_is_small() -> None:
    """The library that draws charts is at most 200 KB, has the checksum noted for it, and is in the page."""
    library = VENDOR / "uPlot.iife.min.js"
    noted = dict(reversed(line.split()) for line in (VENDOR / "SHA256SUMS").read_text("utf-8").splitlines())
    assert library.stat().st_size <= LIBRARY_BYTES
    assert hashlib.sha256(library.read_bytes()).hexdigest() == noted[library.name]
    assert library.read_text("utf-8") in thousand().to_html()


def test_a_thousand_queries_are_painted_at_once(opened: Opener) -> None:
    """The first paint of that report comes within a second."""
    html = thousand().to_html()
    assert best_of(3, lambda: first_paint(opened(html))) < PAINTED


@pytest.fixture(scope="module")
def page(shared: Opener) -> Page:
    """A report on 20,000 queries and two systems, with its charts drawn."""
    shown = ready(shared(crowd().to_html()))
    charts(shown)
    assert len(crowd().queries["id"]) == 20_000
    return shown


def least(page: Page, act: Callable[[], object], what: Callable[[Traced], float]) -> float:
    """Return the least of some measurements of an act, such as the time from its key to the paint."""
    return best_of(TRIES, lambda: what(long_tasks(page, act)))


def test_twenty_thousand_queries(page: Page) -> None:
    """A page of 20,000 queries draws its charts, counts its queries, and shows the last, the greatest gain."""
    assert page.locator("#count").text_content() == "20000 of 20000 queries"
    assert page.locator("[data-chart=differences] canvas").count() == 1
    page.locator("#grid").press("Control+End")
    values = crowd().values["nDCG@10"]
    most = max(after - before for after, before in zip(values["sys1"], values["sys0"], strict=True))
    assert page.locator("[role=row]:has(.active) .gain").text_content() == f"▲ +{most:.4f}"


def test_scrolling_twenty_thousand_queries(page: Page) -> None:
    """While the table of 20,000 queries is scrolled by the wheel and by keys no task takes 100 ms."""
    grid = page.locator("#grid")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    grid.focus()

    def scrolled() -> None:
        for _ in range(10):
            page.mouse.wheel(0, 3000)
            page.wait_for_timeout(20)
        press(page, "PageDown", "PageDown", "Control+End", "Control+Home")

    assert least(page, scrolled, lambda traced: traced.longest) < TASK
    page.mouse.wheel(0, 50_000)
    page.wait_for_function("() => document.querySelector('#grid').scrollTop > 10000")


@pytest.mark.parametrize("column", ["query", "value:sys0", "difference"])
def test_sorting_twenty_thousand_queries(column: str, page: Page) -> None:
    """From the key that sorts 20,000 queries by texts or by numbers to the paint of the rows it takes below 300 ms."""
    heads = page.locator("[role=columnheader]").evaluate_all("all => all.map((head) => head.dataset.key)")
    page.locator("#grid").focus()
    press(page, "Control+Home", "Home", "ArrowUp", *["ArrowRight"] * heads.index(column))
    before = page.locator(f"[data-key='{column}']").get_attribute("aria-sort")
    assert least(page, lambda: press(page, "Enter"), lambda traced: traced.to_paint) < SORTED
    assert page.locator(f"[data-key='{column}']").get_attribute("aria-sort") not in ("none", before)


def test_filtering_twenty_thousand_queries(page: Page) -> None:
    """From each letter typed into the filter to the paint of what is left it takes below 300 ms."""
    press(page, "/")

    def typed() -> None:
        page.keyboard.type("q0123")
        page.locator("#filter").evaluate("field => field.select()")
        press(page, "Delete")

    assert least(page, typed, lambda traced: traced.to_paint) < SORTED
    page.keyboard.type("q0123")
    assert {key for key, _ in query_rows(page)} == {f"q0123{digit}" for digit in range(10)}


def test_opening_one_of_twenty_thousand_queries(page: Page) -> None:
    """A query of such a report is there, and the next follows a key, within 300 ms."""
    page.locator("#filter").fill("")
    page.locator("#grid").focus()
    press(page, "Control+Home", "Enter")
    page.locator("#query .arithmetic").wait_for()
    assert least(page, lambda: press(page, "j"), lambda traced: traced.to_paint) < SORTED
