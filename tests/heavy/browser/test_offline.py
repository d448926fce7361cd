"""A report is opened from its file with the network cut, and is whole: `opened` fails by a request or an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

import idealrank as ir
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import charts, open_query, press, query_rows, ready, table_behind
from tests.reports.drawn_worlds import several_timed
from tests.reports.worlds import SHOP, alone, garden, hostile, several, shop


def evaluated() -> str:
    """The page of two systems that are not compared."""
    return ir.report(
        ir.evaluate(str(SHOP / "judgments.csv"), [str(SHOP / "bm25.csv"), str(SHOP / "hybrid.csv")])
    ).to_html()


PAGES: dict[str, Callable[[], str]] = {
    "compared": lambda: shop().to_html(),
    "alone": lambda: alone().to_html(),
    "twenty": lambda: several(20).to_html(),
    "evaluated": evaluated,
    "small": lambda: garden().to_html(),
    "hostile": lambda: hostile().to_html(),
    "timed": lambda: ir.report(ir.compare(several_timed(2), draws=100)).to_html(),
    "five timed": lambda: ir.report(several_timed(5)).to_html(),
}
DRAWN = {
    "compared": ["differences", "scatter", "segments", "curves", "strip", "overlap", "distribution"],
    "alone": ["values", "segments", "curves", "strip", "distribution"],
    "twenty": ["differences", "scatter", "curves", "strip", "overlap", "distribution"],
    "evaluated": ["values", "curves", "strip", "distribution"],
    "small": ["differences", "scatter", "segments", "curves", "strip", "overlap", "distribution"],
    "hostile": ["differences", "scatter", "segments", "curves", "strip", "overlap", "distribution"],
    "timed": ["differences", "scatter", "curves", "latency", "strip", "overlap", "distribution"],
    "five timed": ["differences", "scatter", "curves", "latency", "strip", "distribution"],
}


def seen(page: Page) -> list[str]:
    """Look at everything: all charts with their tables, all tabs, the first query of the table; name the charts."""
    figures = charts(page)
    for figure in figures.values():
        table_behind(figure)
    for tab in page.locator("[role=tab]").all():
        tab.press("Enter")
    press(page, "?", "Escape")
    open_query(page, query_rows(page)[0][0])
    return list(figures)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_to_its_file(name: str, opened: Opener) -> None:
    """With everything looked at there was no request, no error, no violation of the policy; each chart was drawn."""
    page = ready(opened(PAGES[name]()))
    assert seen(page) == DRAWN[name]
    assert page.locator("#notice").is_hidden()
    assert page.evaluate("performance.getEntriesByType('resource')") == []


def test_the_chart_of_latency(opened: Opener) -> None:
    """Its table has p95 and the mean of every system, with a dash where nothing bounds an end."""
    rows = table_behind(charts(ready(opened(PAGES["timed"]())))["latency"])
    assert rows[0] == ["System", "p95 (ms)", "low", "high", "RR", "low", "high"]
    assert [row[:2] + row[3:5] for row in rows[1:]] == [["s00", 114.5, "–", 1], ["s01", 115.5, "–", 0.5]]
