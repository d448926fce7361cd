"""Tabs, charts, colours and the measure are reached by keys alone: no test here moves or clicks a mouse."""

from __future__ import annotations

import csv

from playwright.sync_api import Page

from tests.heavy.browser.keys import MOST, opened_query, tab_to
from tests.heavy.browser.rendered import focused, press, query_rows, ready
from tests.reports.worlds import shop


def test_tabs_of_the_method(fresh: Page) -> None:
    """Arrows go through the tabs, around the ends, and each shows its panel alone."""
    names = ["decisions", "methods", "means", "ledger", "holes", "inputs"]
    fresh.locator("#tab-decisions").focus()
    for name in [*names[1:], names[0]]:
        press(fresh, "ArrowRight")
        assert focused(fresh) == f"#tab-{name}"
        assert [each for each in names if fresh.locator(f"#{each}").is_visible()] == [name]
        assert fresh.locator(f"#tab-{name}").get_attribute("aria-selected") == "true"
    press(fresh, "ArrowLeft")
    assert focused(fresh) == "#tab-inputs"


def test_a_link_leads_to_its_tab(fresh: Page) -> None:
    """The link of the checks opens the ledger, whichever tab was shown."""
    fresh.locator("#checks a").press("Enter")
    fresh.locator("#ledger").wait_for()
    assert fresh.locator("#decisions").is_hidden()


def test_enter_in_the_filter(fresh: Page) -> None:
    """Enter opens the one query that is left; where there are several it goes to the table."""
    press(fresh, "/")
    fresh.keyboard.type("bo")
    press(fresh, "Enter")
    assert focused(fresh) == "#grid"
    fresh.locator("#filter").fill("q28")
    fresh.locator("#filter").press("Enter")
    assert opened_query(fresh) == "q28"


def test_the_biggest_changes_are_links(fresh: Page) -> None:
    """Enter on the biggest loss opens its query; under RR, worse in three queries, the losses are those of RR."""
    first = fresh.locator("#losses a").first
    assert first.locator("bdi").text_content() == "torquill socket set"
    assert fresh.locator("#losses li").count() == fresh.locator("#gains li").count() == 5
    fresh.locator("#measure").select_option("RR")
    assert fresh.locator("#losses h2").text_content() == "Biggest losses in RR"
    assert fresh.locator("#losses li").count() == 3
    fresh.locator("#losses a").first.press("Enter")
    fresh.wait_for_selector("#query .arithmetic")
    assert fresh.locator("#query .id").text_content() == "q28"


def test_what_to_judge_is_copied(fresh: Page) -> None:
    """The button copies query, document, texts and an empty grade of each of the ten results."""
    fresh.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab_to(fresh, "#raters")
    press(fresh, "Enter")
    fresh.locator("#raters + [role=status]", has_text="copied").wait_for()
    rows = list(csv.reader(fresh.evaluate("navigator.clipboard.readText()").splitlines()))
    assert rows[0] == ["query_id", "doc_id", "query", "title", "grade"]
    wanted = shop().holes["to_judge"]
    assert [(row[0], row[1], row[2], row[4]) for row in rows[1:]] == [
        (row["query"], row["document"], row["text"], "") for row in wanted
    ]


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
    fresh.locator("[data-chart=differences]").scroll_into_view_if_needed()
    fresh.locator("[data-chart=differences] [role=slider]").wait_for(state="attached")
    fresh.locator("#charts").focus()
    for _ in range(MOST):
        press(fresh, "Tab")
        if fresh.evaluate("document.activeElement.closest('figure')?.dataset.chart") == "differences":
            break
    steps = fresh.locator("[data-chart=differences] [role=slider]")
    assert steps.get_attribute("aria-valuetext") == ("fjallraven, q19, bm25 0.000, hybrid 0.547, difference ▲ +0.547")
    press(fresh, "End")
    assert (steps.get_attribute("aria-valuenow"), steps.get_attribute("aria-valuemax")) == ("41", "41")
    assert str(steps.get_attribute("aria-valuetext")).startswith("torquill socket set, q28, bm25 0.943, hybrid 0.000")
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


def test_the_measure_is_chosen_by_keys(fresh: Page) -> None:
    """Another measure in the bar: the table has its values, the charts its name."""
    tab_to(fresh, "#measure")
    fresh.keyboard.type("RR")
    rows = dict(query_rows(fresh))
    assert rows["q28"]["difference"] == "▼ −1.000"
    assert fresh.locator("[data-key='value:bm25']").text_content() == "RRbm25"
    fresh.wait_for_function(
        "() => document.querySelector('[data-chart=differences] .chart-says').textContent.includes('RR of')"
    )
