"""Sheets, charts, colours and the measure are reached by keys alone: no test here moves or clicks a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.keys import MOST, opened_query, tab_to, to_grid
from tests.browser.rendered import focused, press, query_rows, ready


@pytest.mark.parametrize("name", ["decisions", "ledger", "holes", "inputs", "methods"])
def test_a_sheet_opens_and_closes(name: str, fresh: Page) -> None:
    """Enter on a link of the bar opens its sheet with the keyboard in it; Escape closes it and leads back to it."""
    sheet = fresh.locator(f"dialog#{name}")
    tab_to(fresh, f"a#{name}")
    press(fresh, "Enter")
    assert sheet.evaluate("sheet => sheet.open && sheet.matches(':modal') && sheet.contains(document.activeElement)")
    press(fresh, "Escape")
    assert (sheet.evaluate("sheet => sheet.open"), focused(fresh)) == (False, f"a#{name}")
    press(fresh, "Enter")
    sheet.get_by_role("button", name="Close").focus()
    press(fresh, "Enter")
    assert (sheet.evaluate("sheet => sheet.open"), focused(fresh)) == (False, f"a#{name}")


def test_the_sheet_of_keys(fresh: Page) -> None:
    """The key "?" shows the keys, and so does its button; Escape closes them, and leaves the query that is open."""
    sheet = fresh.locator("dialog#keys")
    press(fresh, "?")
    assert sheet.is_visible()
    assert {"/", "j", "k", "Enter", "Esc", "?"} <= set(sheet.locator("kbd").all_text_contents())
    press(fresh, "Escape")
    assert sheet.is_hidden()
    tab_to(fresh, "#help")
    press(fresh, "Enter")
    assert sheet.is_visible()
    press(fresh, "j", "/")
    assert (fresh.evaluate("location.hash"), sheet.is_visible()) == ("", True)
    press(fresh, "Escape")
    assert (sheet.is_hidden(), focused(fresh)) == (True, "#help")


def test_a_chart_is_walked(fresh: Page) -> None:
    """Arrows go through the bars of the differences, each is said in words, and Enter opens its query."""
    fresh.locator("[data-chart=differences] [role=slider]").wait_for(state="attached")
    for _ in range(MOST):
        press(fresh, "Tab")
        if fresh.evaluate("document.activeElement.closest('figure')?.dataset.chart") == "differences":
            break
    steps = fresh.locator("[data-chart=differences] [role=slider]")
    assert steps.get_attribute("aria-valuetext") == (
        "fjallraven, q19, bm25 0.0000, hybrid 0.5466, difference ▲ +0.5466"
    )
    press(fresh, "End")
    assert (steps.get_attribute("aria-valuenow"), steps.get_attribute("aria-valuemax")) == ("41", "41")
    assert str(steps.get_attribute("aria-valuetext")).startswith("torquill socket set, q28, bm25 0.9434, hybrid 0.0000")
    assert fresh.locator(".chart-tip").is_visible()
    press(fresh, "ArrowLeft", "ArrowRight", "Enter")
    assert opened_query(fresh) == "q28"
    assert focused(fresh) == "#query-title"


def test_the_table_behind_a_chart(fresh: Page) -> None:
    """The numbers of a chart open and close by Enter."""
    for _ in range(MOST):
        press(fresh, "Tab")
        if focused(fresh) == "summary":
            break
    press(fresh, "Enter")
    fresh.locator(".chart-table").wait_for()
    press(fresh, "Enter")
    fresh.locator(".chart-table").wait_for(state="hidden")


def test_light_and_dark(fresh: Page) -> None:
    """The button changes to dark and back, and what was chosen holds when the page is opened again."""
    ground = "getComputedStyle(document.body).backgroundColor"
    light = fresh.evaluate(ground)
    tab_to(fresh, "#theme")
    press(fresh, "Enter")
    dark = fresh.evaluate(ground)
    assert dark != light
    fresh.reload()
    ready(fresh)
    assert fresh.evaluate(ground) == dark
    tab_to(fresh, "#theme")
    press(fresh, "Enter")
    assert fresh.evaluate(ground) == light


def test_back_and_forward(fresh: Page) -> None:
    """The browser's back and forward lead through the queries that were opened."""
    order = to_grid(fresh)
    press(fresh, "Enter")
    opened_query(fresh)
    press(fresh, "j")
    assert opened_query(fresh) == order[1]
    fresh.go_back()
    assert opened_query(fresh) == order[0]
    fresh.go_back()
    fresh.wait_for_selector("#query", state="hidden")
    fresh.go_forward()
    fresh.wait_for_selector("#query .arithmetic")
    assert opened_query(fresh) == order[0]


def test_the_measure_is_chosen_by_keys(fresh: Page) -> None:
    """Another measure in the bar: the table has its values, the charts its name."""
    tab_to(fresh, "#measure")
    fresh.keyboard.type("RR")
    rows = dict(query_rows(fresh))
    assert rows["q28"]["difference"] == "▼ -1.0000"
    assert fresh.locator("[data-key='value:bm25']").text_content() == "RRbm25"
    fresh.wait_for_function(
        "() => document.querySelector('[data-chart=differences] .chart-says').textContent.includes('RR of')"
    )
