"""Titles of documents lead to their addresses, those of the web alone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

import idealrank as ir
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import open_query, ready
from tests.reports.reading import read


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


PICTURES = {
    "id": ["a", "b", "c"],
    "title": ["Alpha", "Beta", "Gamma"],
    "image_url": ["https://shop.test/a.jpg", "http://shop.test/b.jpg", "javascript:alert(1)"],
}


def test_no_picture_is_loaded_unless_it_is_allowed(opened: Opener) -> None:
    """Without being asked for there is no picture in the data, none in the page, and none that the policy allows."""
    scores = ir.evaluate({"q": {"a": 1, "b": 0, "c": 0}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, ["RR"])
    report = ir.report(scores, documents=PICTURES)
    assert report.documents["picture"] is None
    html = report.to_html()
    assert "img-src data:;" in read(html).one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    assert open_query(opened(html), "q").locator("img").count() == 0


def test_pictures_that_are_allowed(browser: Browser, tmp_path: Path) -> None:
    """With pictures=True the one with an https address is asked for, when its query is opened; the others never are."""
    scores = ir.evaluate({"q": {"a": 1, "b": 0, "c": 0}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, ["RR"])
    report = ir.report(scores, documents=PICTURES, pictures=True)
    html = report.to_html()
    assert "img-src data: https:;" in read(html).one("meta", http_equiv="Content-Security-Policy").attributes["content"]
    assert "loads pictures of documents from the web" in read(html).one("footer").text
    file = tmp_path / "page.html"
    file.write_text(html, "utf-8")
    asked: list[str] = []
    page = browser.new_page()
    page.route("https://**", lambda route: route.abort())
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    ready(page)
    assert asked == [file.as_uri()]
    with page.expect_request("https://shop.test/a.jpg"):
        query = open_query(page, "q")
        query.locator("img").first.scroll_into_view_if_needed()
    assert query.locator(".list:not([data-list=ideal]) img").count() == 1
    assert query.locator("img").first.get_attribute("src") == "https://shop.test/a.jpg"
    assert {url for url in asked if url.startswith("http")} == {"https://shop.test/a.jpg"}
    page.close()
