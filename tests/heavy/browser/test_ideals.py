"""The ideal list beside a query: of all systems where it is one, else of each by name."""

from __future__ import annotations

import idealrank as ir
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import open_query

JUDGED = {"q": {"a": 3, "b": 2, "c": 1}}
RUNS = {"one": {"q": {"c": 2.0}}, "two": {"q": {"a": 3.0, "c": 2.0}}}


def titles(opened: Opener, measure: str) -> list[str]:
    """Open the query and return the headings of its sums and lists."""
    page = opened(ir.report(ir.compare(JUDGED, RUNS, [measure])).to_html())
    query = open_query(page, "q")
    return [*query.locator(".sum h3").all_inner_texts(), *query.locator(".list h3").all_inner_texts()]


def test_each_system_has_its_own_ideal(opened: Opener) -> None:
    """Under ideal=local each list is measured against its own best order: both ideals are there, by name."""
    found = titles(opened, "nDCG(ideal=local)@3")
    assert [text for text in found if text.startswith("ideal list")] == [
        "ideal list of one", "ideal list of two", "ideal list of two",
    ]  # fmt: skip


def test_all_systems_share_the_ideal_of_all_judged(opened: Opener) -> None:
    """Under ideal=global there is one ideal list, in the sums and beside the lists."""
    assert [text for text in titles(opened, "nDCG@3") if text.startswith("ideal list")] == ["ideal list", "ideal list"]
