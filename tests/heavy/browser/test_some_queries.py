"""A page that shows some of very many queries says so, and has no chart that would need all of them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from idealrank.reports.sections import shown_queries
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import ready
from tests.reports.worlds import shop


def test_some_queries(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count, the charts, and what is said of a query that is not on the page."""
    monkeypatch.setattr(shown_queries, "AT_HAND", 10)
    report = shop.__wrapped__()  # another than the tests share
    page = ready(opened(report.to_html()))
    expect(page.locator("#some-queries")).to_contain_text("10 of 41 queries are shown one by one")
    expect(page.locator("#queries")).to_contain_text("10 of 10 queries shown")
    for title in ("query by query", "Overlap"):
        expect(page.locator("#charts figure:visible").filter(has_text=title)).to_have_count(0)
    absent = next(query for query in report.scores.queries if query not in report.queries["id"])
    page.evaluate(f"location.hash = '#q={absent}'")
    expect(page.locator("#query")).to_contain_text("To see another query, add --queries ID")
    page.evaluate(f"location.hash = '#q={report.queries['id'][3]}'")
    expect(page.locator("#query .list")).not_to_have_count(0)
