"""Queries are found, sorted, opened and walked by keys alone: no test here moves or clicks a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.heavy.browser.keys import MOST, in_view, opened_query, row, tab_to, to_grid
from tests.heavy.browser.rendered import focused, press, query_rows, ready
from tests.reports.worlds import SHOP, shop


def test_the_first_key_leads_to_the_queries(fresh: Page) -> None:
    """Tab after the page has opened is at the link that skips the head; Enter goes to the queries."""
    press(fresh, "Tab")
    assert focused(fresh) == "a#queries"
    assert fresh.locator(".skip").evaluate("skip => skip.getBoundingClientRect().top >= 0")
    press(fresh, "Enter")
    assert (focused(fresh), in_view(fresh, "#filter")) == ("#queries", True)
    assert tab_to(fresh, "#filter") == 1


def test_the_filter_is_reached_by_tab_and_by_slash(fresh: Page) -> None:
    """Tab from the beginning comes to the filter in the end; "/" goes there at once and writes nothing."""
    tab_to(fresh, "#filter")
    fresh.reload()
    ready(fresh)
    press(fresh, "/")
    assert (focused(fresh), fresh.locator("#filter").input_value()) == ("#filter", "")


@pytest.mark.parametrize(
    ("typed", "found"),
    [("FJALLRAVEN KANKEN", {"q22"}), ("fjällräven", {"q19", "q22"}), ("q4", {"q40", "q41"}), ("zzz", set())],
)
def test_the_filter_looks_for_id_and_text(typed: str, found: set[str], fresh: Page) -> None:
    """Typing leaves the queries whose id or text holds it, in any case, with or without accents, and counts them."""
    press(fresh, "/")
    fresh.keyboard.type(typed)
    assert {key for key, _ in query_rows(fresh) if key != "q04"} == found
    assert fresh.locator("#count").text_content() == f"{len(query_rows(fresh))} of 41 queries"
    tab_to(fresh, "#clear")
    press(fresh, "Enter")
    assert len(query_rows(fresh)) == 41


def test_outcome_and_segment_are_chosen_by_keys(fresh: Page) -> None:
    """The outcome "better" leaves the wins of the verdict, a segment its queries; both together what is in both."""
    table = (SHOP / "queries.csv").read_text("utf-8").splitlines()[1:]
    brands = {line.split(",")[0] for line in table if ",brand," in line}
    tab_to(fresh, "#outcome")
    press(fresh, "ArrowDown")
    wins = {key for key, cells in query_rows(fresh) if cells["difference"].startswith("▲")}
    assert len(wins) == len(query_rows(fresh)) == 23
    tab_to(fresh, "#segment-segment")
    fresh.keyboard.type("brand")
    assert {key for key, _ in query_rows(fresh)} == wins & brands


def test_a_column_is_sorted(fresh: Page) -> None:
    """On a heading Enter sorts upwards, then downwards, and `aria-sort` says so; one column at a time is sorted."""
    values = shop().values["nDCG@10"]["bm25"]
    by_value = [shop().queries["id"][place] for place in sorted(range(41), key=lambda place: values[place])]
    to_grid(fresh)
    assert fresh.locator("[data-key=difference]").get_attribute("aria-sort") == "ascending"
    press(fresh, "Control+Home", "ArrowUp", "ArrowRight", "Enter")
    head = fresh.locator("[data-key='value:bm25']")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [key for key, _ in query_rows(fresh)] == by_value
    press(fresh, "Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert [values[shop().queries["id"].index(key)] for key, _ in query_rows(fresh)] == sorted(values, reverse=True)
    assert fresh.locator("[aria-sort=ascending], [aria-sort=descending]").count() == 1
    assert fresh.locator(".active").get_attribute("data-key") == "value:bm25"


def test_rows_are_walked(fresh: Page) -> None:
    """Arrows go a row, Page Down a screen, Control and End to the last; the row is in view and is the one announced."""
    order = to_grid(fresh)
    assert row(fresh) == order[0]
    press(fresh, "ArrowDown", "ArrowDown", "ArrowUp")
    assert row(fresh) == order[1]
    press(fresh, "PageDown")
    assert order.index(row(fresh)) > 3
    press(fresh, "Control+End")
    assert (row(fresh), in_view(fresh, ".active")) == (order[-1], True)
    press(fresh, "End")
    assert fresh.locator(".active").get_attribute("id", timeout=1000) == fresh.locator("#grid").get_attribute(
        "aria-activedescendant"
    )
    press(fresh, "PageUp", "Control+Home")
    assert (row(fresh), in_view(fresh, ".active")) == (order[0], True)


def test_a_query_is_opened_walked_and_left(fresh: Page) -> None:
    """Enter opens a row's query with the keyboard at its heading; j and k go on and back; Escape leads to the row."""
    order = to_grid(fresh)
    press(fresh, "ArrowDown", "ArrowDown", "Enter")
    assert opened_query(fresh) == order[2]
    assert (focused(fresh), in_view(fresh, "#query-title")) == ("#query-title", True)
    press(fresh, "j")
    assert opened_query(fresh) == order[3]
    assert focused(fresh) == "#query-title"
    press(fresh, "k")
    fresh.wait_for_function("key => document.querySelector('#query .id').textContent === key", arg=order[2])
    press(fresh, "k")
    assert opened_query(fresh) == order[1]
    press(fresh, "Escape")
    fresh.wait_for_selector("#query", state="hidden")
    assert (focused(fresh), row(fresh), in_view(fresh, ".active")) == ("#grid", order[1], True)
    press(fresh, "Enter")
    assert opened_query(fresh) == order[1]


def test_the_ends_hold(fresh: Page) -> None:
    """Before the first query and after the last there is none: k and j stay."""
    order = to_grid(fresh)
    press(fresh, "Enter")
    assert opened_query(fresh) == order[0]
    press(fresh, "k")
    assert opened_query(fresh) == order[0]
    press(fresh, "Escape", "Control+End", "Enter")
    fresh.wait_for_function("key => document.querySelector('#query .id')?.textContent === key", arg=order[-1])
    press(fresh, "j")
    assert opened_query(fresh) == order[-1]
    assert fresh.locator("#next").get_attribute("aria-disabled") == "true"


def test_j_goes_in_the_order_of_the_table(fresh: Page) -> None:
    """After a filter and a sort, j goes to the next row of what is left."""
    press(fresh, "/")
    fresh.keyboard.type("bo")
    order = to_grid(fresh)
    assert 2 < len(order) < 41
    press(fresh, "Enter", "j")
    fresh.wait_for_function("key => document.querySelector('#query .id')?.textContent === key", arg=order[1])
    assert fresh.locator(".place").text_content() == f"2 of {len(order)}"


def test_lists_are_walked(fresh: Page) -> None:
    """Down and up go through a list, right to the same rank of the next."""
    to_grid(fresh)
    press(fresh, "ArrowDown", "ArrowDown", "Enter")
    assert opened_query(fresh) == "q12"
    for _ in range(MOST):
        press(fresh, "Tab")
        if focused(fresh) == "li":
            break
    press(fresh, "ArrowDown", "ArrowDown")
    item = fresh.locator("li:focus")
    assert item.get_attribute("data-rank") == "3"
    assert item.locator("xpath=ancestor::*[@data-list]").get_attribute("data-list") == "bm25"
    press(fresh, "ArrowRight")
    item = fresh.locator("li:focus")
    assert item.get_attribute("data-rank") == "3"
    assert item.locator("xpath=ancestor::*[@data-list]").get_attribute("data-list") == "hybrid"
