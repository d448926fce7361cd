"""The page where every query gains or stays: it proposes what there is, and begins with the largest gain."""

from __future__ import annotations

import functools

import idealrank as ir
from tests.heavy.browser.opening import PHONE, Opener, printed
from tests.heavy.browser.rendered import ready

QUERIES = [f"q{i}" for i in range(9)]


@functools.cache
def gains() -> str:
    """Return a page: q0 had nothing and gains 1, the others gain 1/2 except q8, which has nothing in either."""
    judgments = {query: {"d": 1, "x": 0} for query in QUERIES}
    old = {query: {"x": 2.0, "d": 1.0} for query in QUERIES[1:-1]}
    new = {query: {"d": 3.0, "x": 2.0, "u": 1.0} for query in QUERIES[:-1]}
    return ir.report(ir.compare(judgments, {"old": old, "new": new}, ["RR"])).to_html()


def test_what_next(opened: Opener) -> None:
    """No losses are offered where there are none, but the queries without results: q0 of the old, q8 of both."""
    page = ready(opened(gains()))
    said = page.locator(".said").inner_text()
    assert "No query loses." in said
    assert "biggest losses" not in said
    assert page.locator(".said a[href='#ledger']").inner_text() == "See the 2 queries without results"


def test_the_largest_gain_is_first(opened: Opener) -> None:
    """The table of queries begins with the largest change, and says in words what became of a query."""
    page = ready(opened(gains()))
    assert page.locator(".grid-body [aria-rowindex='2']").inner_text().startswith("q0")
    assert "old: no results, counts 0" in page.locator("#grid").inner_text()
    assert "no_results=" not in page.locator("#grid").inner_text()


def test_paper_has_the_gains(opened: Opener) -> None:
    """On paper are the lists of the largest gains, no link that needs a screen and no line above the number."""
    page = ready(opened(gains()))
    page.locator(".worst section").first.wait_for(state="attached")
    printed(page)
    assert page.locator(".worst section").count() == 5
    assert page.locator(".figures").evaluate("each => getComputedStyle(each).borderTopWidth") == "0px"


def test_both_means_are_on_a_phone(opened: Opener) -> None:
    """On a phone the table of measures shows both means below the change, and is not cut: 7 of 9 queries have 1/2."""
    page = ready(opened(gains(), **PHONE))
    assert page.locator("#measures .both").inner_text() == "0.389 → 0.889"
    assert page.locator("#measures .wide").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert page.locator("#bar .names").is_visible()
