"""The search finds the page that answers a question."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.heavy.site.conftest import Opened
from tests.heavy.site.questions import QUESTIONS

FIRST = 3


def typed(page: Page, question: str, at_once: bool = False) -> list[str]:
    """Type a question into the search box, by keys or as pasted; return the pages it finds, in their order."""
    page.keyboard.press("/")
    page.keyboard.press("Control+a")
    page.wait_for_function("typeof PAGES != 'undefined'")
    (page.keyboard.insert_text if at_once else page.keyboard.type)(question)  # each key searches anew
    addresses = page.locator(".search-found a").evaluate_all("links => links.map(link => link.href)")
    return [address.rpartition("/")[2].partition(".html")[0] for address in addresses]


def test_questions(opened: Opened) -> None:
    """Each question has its page among the first three that are found."""
    page = opened("index")
    found = {question: typed(page, question, at_once=True)[:FIRST] for question in QUESTIONS}
    assert {question: pages for question, pages in found.items() if QUESTIONS[question] not in pages} == {}


def test_by_keys(opened: Opened) -> None:
    """A slash opens the search on any page, an arrow and Enter open what it found, at the part that answers."""
    page = opened("examples/shop/README")
    assert typed(page, "github actions gate")[0] == "gate"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/gate.html#in-github-actions")
    assert page.locator("#in-github-actions h2").is_visible()
    assert page.locator("dialog.search").is_hidden()


def test_by_touch(opened: Opened) -> None:
    """On a phone the search is in the head of the page, and closes again."""
    page = opened("gate", width=390)
    page.get_by_role("button", name="Search").first.click()
    page.get_by_role("searchbox").fill("bonferroni")
    page.locator(".search-found a").first.wait_for()
    page.get_by_role("button", name="Close").click()
    assert page.locator("dialog.search").is_hidden()


@pytest.mark.parametrize(("question", "said"), [("xyzzyx", "0 pages"), ("   ", ""), ("<b>", None)])
def test_nothing_to_find(question: str, said: str | None, opened: Opened) -> None:
    """A word that is nowhere finds nothing and says so; markup is text."""
    page = opened("index")
    found = typed(page, question)
    assert said is None or (found, page.locator("[role=status]").text_content()) == ([], said)
