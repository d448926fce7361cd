"""Titles of documents lead to their addresses, those of the web alone."""

from __future__ import annotations

import idealrank as ir
from tests.browser.opening import Opener
from tests.browser.rendered import open_query


def test_a_title_leads_to_its_document(opened: Opener) -> None:
    """A title with an address of the web is a link that tells the page it goes to nothing; no other is a link."""
    documents = {
        "id": ["a", "b", "c"],
        "title": ["Alpha", "Beta", "Gamma"],
        "url": ["https://shop.test/a?x=1&y=<2>", "javascript:alert(1)", "/etc/passwd"],
    }
    scores = ir.evaluate({"q": {"a": 1, "b": 0, "c": 0}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, ["RR"])
    query = open_query(opened(ir.report(scores, documents=documents).to_html()), "q")
    links = query.locator(".list .address")
    assert set(links.all_inner_texts()) == {"Alpha"}
    assert links.first.get_attribute("href") == "https://shop.test/a?x=1&y=<2>"
    assert links.first.get_attribute("rel") == "noopener noreferrer"
    assert query.get_by_text("Beta").count()
