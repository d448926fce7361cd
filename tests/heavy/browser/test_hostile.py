"""Text that tries to be more than text is shown as it is, and nothing of it runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import charts, open_query, query_rows, ready, table_behind
from tests.reports.worlds import HOSTILE, hostile


@pytest.fixture(scope="module")
def page(shared: Opener) -> Iterator[Page]:
    """The page of hostile texts, with all charts drawn; nothing has run in the end."""
    shown = ready(shared(hostile().to_html()))
    for figure in charts(shown).values():
        table_behind(figure)
    yield shown
    assert shown.evaluate("[typeof window.hacked, ({}).polluted]") == ["undefined", None]


def test_nothing_became_an_element(page: Page) -> None:
    """The page has the scripts it was made with, and no element that the texts name."""
    open_query(page, HOSTILE[0])
    assert page.locator("script").count() == 2 + len(hostile().to_dict())
    assert page.locator("img, iframe, object, embed, b[onfocus], [onfocus], [onerror], [autofocus]").count() == 0
    assert page.locator("a[href]:not([href^='#'])").count() == 0


def test_every_query_is_a_row(page: Page) -> None:
    """Each query stands in the table with its text, its id and its segments."""
    rows = dict(query_rows(page))
    assert set(rows) == set(HOSTILE)
    for place, key in enumerate(HOSTILE):
        assert rows[key]["query"] == f"{key}</b>{key}"
        assert rows[key]["segment:<i>"] == rows[key]["segment:__proto__"] == HOSTILE[place % 6]


@pytest.mark.parametrize("key", HOSTILE, ids=range(len(HOSTILE)))
def test_every_query_opens_by_its_link(key: str, page: Page) -> None:
    """The link of a query leads to it: its text is the heading, its id and its documents are below it, unchanged."""
    page.evaluate("location.hash = '#queries'")
    links = page.locator("#grid [data-query] a")
    page.evaluate("link => { location.hash = link }", _link(links.all(), key))
    page.wait_for_function("key => document.querySelector('#query .id')?.textContent === key", arg=key)
    chosen = page.locator("#query")
    assert chosen.locator("h2").text_content() == f"{key}</b>"
    shown = chosen.locator(f"[data-list='a {HOSTILE[0]}'] li").all()
    assert [item.locator(".title").text_content() for item in shown] == [HOSTILE[10], HOSTILE[4], HOSTILE[6]]
    assert [item.locator(".named .hidden bdi").all_text_contents() for item in shown] == [
        [HOSTILE[1]],
        [HOSTILE[0]],
        [],
    ]
    assert page.evaluate("typeof window.hacked") == "undefined"


def _link(links: list[object], key: str) -> str:
    found = [link for link in links if link.locator("small bdi").text_content() == key]  # type: ignore[attr-defined]
    return str(found[0].get_attribute("href"))  # type: ignore[attr-defined]


def test_segments_are_chosen_by_any_name(page: Page) -> None:
    """A segment called like a tag, or like what every object of JavaScript inherits, filters like any other."""
    for name in ("<i>", "__proto__"):
        field = page.locator("#queries label").filter(has=page.locator("option", has_text="quoted")).locator("select")
        assert field.count() == 2
        choice = field.nth(0 if name == "<i>" else 1)
        choice.select_option(HOSTILE[1])
        assert {key for key, _ in query_rows(page)} == {HOSTILE[1], HOSTILE[7]}
        page.locator("#clear").press("Enter")
    assert len(query_rows(page)) == len(HOSTILE)


def test_the_filter_takes_text_as_text(page: Page) -> None:
    """Signs that mean something to a pattern, a tag or an address are looked for as they stand."""
    for wanted, found in [("</script>", 2), (".*", 0), ("%41", 1), ("__PROTO__", 1), ("[", 0)]:
        page.locator("#filter").fill(wanted)
        assert len([key for key, _ in query_rows(page)]) == found, wanted
    page.locator("#filter").fill("")


def test_ten_thousand_letters_keep_to_the_width(page: Page) -> None:
    """A title and an id of 10 kB do not make the page wider than its window."""
    open_query(page, HOSTILE[10])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
