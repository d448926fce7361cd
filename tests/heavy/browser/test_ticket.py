"""A query is taken elsewhere: as Markdown for a ticket; and its documents are read where they stand."""

from __future__ import annotations

import re
import shlex

from markdown_it import MarkdownIt
from playwright.sync_api import Page

import idealrank as ir
from tests.cli.terminal import run
from tests.heavy.browser.axe import axe_in_both
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import open_query, press, ready
from tests.reports.worlds import shop


def ticket(page: Page) -> str:
    """Press the button and return what it copies; a page that may not copy shows it."""
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.locator("#ticket").click()
    return page.locator("textarea[aria-label='This query as Markdown']").input_value()


def test_a_ticket_of_the_shop(opened: Opener) -> None:
    """It has the query, both values, a row per rank, and commands that print the values on it."""
    page = ready(opened(shop().to_html()))
    open_query(page, "q12")
    text = ticket(page)
    html = MarkdownIt().enable("table").render(text)
    assert "<h3>waterproof jacket women (q12)</h3>" in html
    assert "nDCG@10: bm25 <strong>0.922</strong> → hybrid <strong>0.659</strong> (▼ −0.262)" in html
    assert html.count("<tr>") == 11
    assert "cutoff=at_most_k" in html
    commands = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    assert len(commands) == 2
    for command, value in zip(commands, ("0.922", "0.659"), strict=True):
        printed = re.search(r"nDCG@10 = ([\d.]+)", run(*shlex.split(command)[1:]).out)
        assert printed is not None
        assert f"{float(printed[1]):.3f}" == value


def test_a_ticket_of_hostile_names(opened: Opener) -> None:
    """Whatever names hold, the table keeps its columns, nothing is HTML, and there is no command without files."""
    bad = "a|b\n<script>x</script> `c` **d** [e](http://f) _g_"
    judged = {bad: {bad: 1, "x": 0}}
    runs = {"one|two": {bad: {bad: 2.0, "x": 1.0}}, "<i>three": {bad: {"x": 2.0, bad: 1.0}}}
    page = ready(opened(ir.report(ir.compare(judged, runs, ["RR"])).to_html()))
    open_query(page, bad)
    text = ticket(page)
    html = MarkdownIt().enable("table").render(text)
    assert not [tag for tag in ("<script>", "<i>", "<a ", "<em>") if tag in html]
    assert html.count("<th") - html.count("<thead") == 6
    assert all(row.count("<td") == 6 for row in html.split("<tr>")[2:])
    assert "a|b &lt;script&gt;x&lt;/script&gt; `c` **d** [e](http://f) _g_" in html
    assert "idealrank explain" not in text


def test_documents_open_with_their_text(opened: Opener) -> None:
    """A click on a result, or Enter, shows the beginning of its text, and hides it again; the keys say so."""
    documents = {"id": ["a", "b"], "title": ["Alpha", "Beta"], "text": ["Of alpha. " * 100, None]}
    scores = ir.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 3.0, "b": 2.0}}, ["RR"])
    page = ready(opened(ir.report(scores, documents=documents).to_html()))
    query = open_query(page, "q")
    first, second = query.locator(".list").first.locator("li").all()
    assert first.locator(".text").is_hidden()
    first.focus()
    press(page, "Enter")
    assert first.locator(".text").inner_text().strip() == ("Of alpha. " * 100)[:600] + "…"
    assert first.locator(".text-of").get_attribute("aria-expanded") == "true"
    assert axe_in_both(page) == []
    first.locator(".title").click()
    assert first.locator(".text").is_hidden()
    assert second.locator(".text, .text-of").count() == 0
    press(page, "?")
    assert "show the text of the document" in page.locator("#keys").inner_text()


def test_without_texts_nothing_is_said_of_them(opened: Opener) -> None:
    """A report without a table of documents, or with titles alone, names no texts."""
    for documents in (None, {"id": ["a"], "title": ["Alpha"]}):
        scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 3.0}}, ["RR"])
        page = ready(opened(ir.report(scores, documents=documents).to_html()))
        query = open_query(page, "q")
        assert query.locator(".text, .text-of").count() == 0
        press(page, "?")
        assert "text of the document" not in page.locator("#keys").inner_text()
