"""The page is a place: its address says what is looked at, and back undoes one thing at a time."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from playwright.sync_api import Page

from tests.heavy.browser.opening import PHONE, Opener
from tests.heavy.browser.rendered import press, query_rows, ready
from tests.reports.worlds import shop

SEEN = """() => ({
    find: document.getElementById("filter").value,
    outcome: document.getElementById("outcome").value,
    segment: document.getElementById("segment-segment").value,
    measure: document.getElementById("measure").value,
    sorted: [...document.querySelectorAll("[aria-sort$=ending]")].map((each) => [each.dataset.key, each.ariaSort]),
    count: document.getElementById("count").textContent,
    query: document.querySelector("#query:not([hidden]) .id")?.textContent ?? "",
})"""


def seen(page: Page) -> dict[str, object]:
    """Return what the fields, the table and the open query show."""
    return dict(page.evaluate(SEEN))


def at(page: Page) -> str:
    """Return the address within the page, as people read it."""
    return unquote(str(page.evaluate("location.hash")))


def wander(page: Page) -> list[tuple[str, dict[str, object]]]:
    """Filter, sort, open, look under another measure; return the address and what was seen after each."""
    steps = [(at(page), seen(page))]

    def note() -> None:
        steps.append((at(page), seen(page)))

    press(page, "/")
    page.keyboard.type("or")
    note()
    page.locator("#outcome").select_option("loss")
    note()
    page.locator("#segment-segment").select_option("problem")
    note()
    page.locator("[data-key='value:bm25'] button").click()
    note()
    page.locator("[data-key='value:bm25'] button").click()
    note()
    page.locator("#grid [data-query]:not([hidden]) a").first.click()
    page.wait_for_selector("#query .arithmetic")
    note()
    page.locator("#measure").select_option("P@10")
    page.wait_for_function("document.querySelector('.arithmetic-title').textContent.includes('P@10')")
    note()
    return steps


def test_back_and_forward_take_one_step_each(fresh: Page) -> None:
    """Every change is a step, a word that is typed is one; back shows each again in turn, and forward, too."""
    fresh.evaluate("history.pushState(null, '', location.href)")  # what back would leave the report by
    steps = wander(fresh)
    assert [address for address, _ in steps] == [
        "",
        "#queries&find=or",
        "#queries&find=or&outcome=loss",
        "#queries&find=or&outcome=loss&in.segment=problem",
        "#queries&find=or&outcome=loss&in.segment=problem&sort=value:bm25",
        "#queries&find=or&outcome=loss&in.segment=problem&sort=-value:bm25",
        f"#q={steps[6][1]['query']}&find=or&outcome=loss&in.segment=problem&sort=-value:bm25",
        f"#q={steps[6][1]['query']}&m=P@10&find=or&outcome=loss&in.segment=problem&sort=-value:bm25",
    ]
    for step in reversed(steps[:-1]):
        fresh.evaluate("history.back()")
        fresh.wait_for_function("hash => decodeURIComponent(location.hash) === hash", arg=step[0])
        fresh.wait_for_function(
            "query => (document.querySelector('#query .id')?.textContent ?? '') === query", arg=step[1]["query"]
        )
        assert (at(fresh), seen(fresh)) == step
    for step in steps[1:]:
        fresh.evaluate("history.forward()")
        fresh.wait_for_function("hash => decodeURIComponent(location.hash) === hash", arg=step[0])
        fresh.wait_for_function(
            "query => (document.querySelector('#query .id')?.textContent ?? '') === query", arg=step[1]["query"]
        )
        assert (at(fresh), seen(fresh)) == step


def test_two_words_are_two_steps(fresh: Page) -> None:
    """What is typed after the field was left is a step of its own."""
    press(fresh, "/")
    fresh.keyboard.type("bo")
    press(fresh, "Tab", "Shift+Tab", "End")
    fresh.keyboard.type("ot")
    assert at(fresh) == "#queries&find=boot"
    fresh.evaluate("history.back()")
    fresh.wait_for_function("location.hash === '#queries&find=bo'")


def test_a_filtered_view_is_sent(opened: Opener) -> None:
    """An address copied from one page opens the same in another: rows, fields, order; at the table."""
    html = shop().to_html()
    page = ready(opened(html))
    page.locator("#outcome").select_option("gain")
    page.locator("#segment-segment").select_option("brand")
    page.locator("[data-key=query] button").click()
    other = ready(opened(html, str(page.evaluate("location.hash"))))
    assert seen(other) == seen(page)
    assert query_rows(other) == query_rows(page)
    assert 0 < len(query_rows(other)) < 41
    assert 0 <= other.locator("#queries").evaluate("each => each.getBoundingClientRect().top") < 100


def test_clear_is_undone(fresh: Page) -> None:
    """Clear takes all filters away in one step, the order stays; back brings them again."""
    fresh.locator("#outcome").select_option("gain")
    press(fresh, "/")
    fresh.keyboard.type("e")
    before = seen(fresh)
    fresh.locator("#clear").click()
    assert (at(fresh), seen(fresh)["count"]) == ("#queries", "41 of 41 queries")
    fresh.evaluate("history.back()")
    fresh.wait_for_function("location.hash.includes('gain')")
    assert seen(fresh) == before


def test_typing_keeps_the_keyboard(fresh: Page) -> None:
    """Deleting the last letter leads back to all queries, and the keyboard stays in the field."""
    press(fresh, "/")
    fresh.keyboard.type("a")
    press(fresh, "Backspace")
    assert fresh.evaluate("document.activeElement.id") == "filter"
    assert at(fresh) == "#queries"


def test_an_address_that_is_wrong(opened: Opener) -> None:
    """What an address names wrongly asks for nothing: outcome, segment, column and part; what is right still holds."""
    page = ready(opened(shop().to_html(), "#nowhere&find=jacket&outcome=better&in.segment=none&sort=-zzz&m=zzz&x=1"))
    found = seen(page)
    assert (found["find"], found["outcome"], found["segment"], found["measure"]) == ("jacket", "", "", "nDCG@10")
    assert found["sorted"] == [["difference", "ascending"]]
    assert [key for key, _ in query_rows(page)] == ["q12"], "waterproof jacket women alone is of a jacket"


def test_a_link_of_the_bar_keeps_what_is_looked_at(fresh: Page) -> None:
    """Charts and Method are reached with filter and query kept; Queries closes the query and keeps the filter."""
    fresh.locator("#outcome").select_option("gain")
    fresh.locator("#grid [data-query]:not([hidden]) a").first.click()
    fresh.wait_for_selector("#query .arithmetic")
    key = seen(fresh)["query"]
    fresh.locator(".links a[href='#charts']").click()
    assert at(fresh) == f"#charts&q={key}&outcome=gain"
    fresh.reload()
    ready(fresh)
    fresh.wait_for_selector("#query .arithmetic")
    assert (seen(fresh)["query"], seen(fresh)["outcome"]) == (key, "gain")
    assert 0 <= fresh.locator("#charts").evaluate("each => each.getBoundingClientRect().top") < 100
    fresh.locator(".links a[href='#queries']").click()
    assert at(fresh) == "#queries&outcome=gain"
    assert fresh.locator("#query").is_hidden()


@pytest.mark.parametrize("screen", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["screen", "phone"])
@pytest.mark.parametrize("part", ["charts", "agreement", "method", "holes"])
def test_a_part_opened_fresh_is_where_it_says(part: str, screen: dict[str, object], opened: Opener) -> None:
    """The heading of the part is at the top below the bar, at most 100 pixels down, and its tab is the one shown."""
    page = ready(opened(shop().to_html(), f"#{part}", **screen))
    page.wait_for_timeout(300)
    assert page.locator(f"#{part}").is_visible()
    top = page.locator("#method" if part == "holes" else f"#{part}").evaluate(
        "each => each.getBoundingClientRect().top"
    )
    bar = page.locator("#bar").evaluate("each => each.getBoundingClientRect().bottom")
    assert bar - 30 <= top <= bar + 60
