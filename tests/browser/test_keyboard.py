"""Everything on the page is done by keys alone: no test here moves or clicks a mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.opening import Opener
from tests.browser.rendered import focused, press, query_rows, ready
from tests.report.worlds import SHOP, shop

ROW = """() => {
    const id = document.querySelector("#grid").getAttribute("aria-activedescendant");
    return document.getElementById(id)?.closest("[role=row]").dataset.query ?? "";
}"""
MOST = 60


@pytest.fixture(scope="module")
def shown(shared: Opener) -> Page:
    """The shop's report."""
    return shared(shop().to_html())


@pytest.fixture
def page(shown: Page) -> Iterator[Page]:
    """The report as it is when it has just been opened."""
    shown.evaluate("localStorage.clear()")
    shown.goto(shown.url.partition("#")[0])
    shown.reload()
    yield ready(shown)


def tab_to(page: Page, wanted: str, key: str = "Tab") -> int:
    """Press Tab until something has the keyboard; return how often."""
    for times in range(1, MOST):
        press(page, key)
        if focused(page) == wanted:
            return times
    raise AssertionError(f"{wanted} is not reached by {MOST} times {key}")


def in_view(page: Page, selector: str) -> bool:
    """Wait until the middle of an element is where a reader sees it, below the bar."""
    script = """selector => {
        const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return middle > document.getElementById("bar").getBoundingClientRect().bottom && middle < innerHeight;
    }"""
    page.wait_for_function(script, arg=selector, timeout=3000)
    return True


def row(page: Page) -> str:
    """Return the query of the active row of the table; "" for the heading."""
    return str(page.evaluate(ROW))


def to_grid(page: Page) -> list[str]:
    """Go to the table by Tab; return its queries in order."""
    order = [key for key, _ in query_rows(page)]
    tab_to(page, "#grid")
    return order


def opened_query(page: Page) -> str:
    """Wait until the query of the address is drawn and return it."""
    page.wait_for_function(
        "() => document.querySelector('#query .id')?.textContent === decodeURIComponent(location.hash.slice(3))"
    )
    return str(page.locator("#query .id").text_content())


def test_the_first_key_leads_to_the_queries(page: Page) -> None:
    """Tab after the page has opened is at the link that skips the head; Enter goes to the queries."""
    press(page, "Tab")
    assert focused(page) == "a#queries"
    assert page.locator(".skip").evaluate("skip => skip.getBoundingClientRect().top >= 0")
    press(page, "Enter")
    assert (focused(page), in_view(page, "#filter")) == ("#queries", True)
    assert tab_to(page, "#filter") == 1


def test_the_filter_is_reached_by_tab_and_by_slash(page: Page) -> None:
    """Tab from the beginning comes to the filter in the end; "/" goes there at once and writes nothing."""
    tab_to(page, "#filter")
    page.reload()
    ready(page)
    press(page, "/")
    assert (focused(page), page.locator("#filter").input_value()) == ("#filter", "")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("FJALLRAVEN KANKEN", {"q22"}),
        ("fjällräven", {"q19", "q22"}),
        ("q4", {"q40", "q41"}),
        ("zzz", set()),
    ],
)
def test_the_filter_looks_for_id_and_text(typed: str, found: set[str], page: Page) -> None:
    """Typing leaves the queries whose id or text holds it, in any case, with or without accents; their number is said."""
    press(page, "/")
    page.keyboard.type(typed)
    assert {key for key, _ in query_rows(page) if key != "q04"} == found
    assert page.locator("#count").text_content() == f"{len(query_rows(page))} of 41 queries"
    tab_to(page, "#clear")
    press(page, "Enter")
    assert len(query_rows(page)) == 41


def test_outcome_and_segment_are_chosen_by_keys(page: Page) -> None:
    """The outcome "better" leaves the wins of the verdict, a segment its queries; both together what is in both."""
    table = (SHOP / "queries.csv").read_text("utf-8").splitlines()[1:]
    brands = {line.split(",")[0] for line in table if ",brand," in line}
    tab_to(page, "#outcome")
    press(page, "ArrowDown")
    wins = {key for key, cells in query_rows(page) if cells["difference"].startswith("▲")}
    assert len(wins) == len(query_rows(page)) == 23
    tab_to(page, "#segment-segment")
    page.keyboard.type("brand")
    assert {key for key, _ in query_rows(page)} == wins & brands


def test_a_column_is_sorted(page: Page) -> None:
    """On a heading Enter sorts upwards, then downwards, and `aria-sort` says so; one column at a time is sorted."""
    values = shop().values["nDCG@10"]["bm25"]
    by_value = [shop().queries["id"][place] for place in sorted(range(41), key=lambda place: values[place])]
    to_grid(page)
    assert page.locator("[data-key=difference]").get_attribute("aria-sort") == "ascending"
    press(page, "Control+Home", "ArrowUp", "ArrowRight", "Enter")
    head = page.locator("[data-key='value:bm25']")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [key for key, _ in query_rows(page)] == by_value
    press(page, "Enter")
    assert head.get_attribute("aria-sort") == "descending"
    assert [values[shop().queries["id"].index(key)] for key, _ in query_rows(page)] == sorted(values, reverse=True)
    assert page.locator("[aria-sort=ascending], [aria-sort=descending]").count() == 1
    assert page.locator(".active").get_attribute("data-key") == "value:bm25"


def test_rows_are_walked(page: Page) -> None:
    """Arrows go a row, Page Down a screen, Control and End to the last; the row is in view and is the one announced."""
    order = to_grid(page)
    assert row(page) == order[0]
    press(page, "ArrowDown", "ArrowDown", "ArrowUp")
    assert row(page) == order[1]
    press(page, "PageDown")
    assert order.index(row(page)) > 3
    press(page, "Control+End")
    assert (row(page), in_view(page, ".active")) == (order[-1], True)
    press(page, "End")
    assert page.locator(".active").get_attribute("id", timeout=1000) == page.locator("#grid").get_attribute(
        "aria-activedescendant"
    )
    press(page, "PageUp", "Control+Home")
    assert (row(page), in_view(page, ".active")) == (order[0], True)


def test_a_query_is_opened_walked_and_left(page: Page) -> None:
    """Enter opens a row's query with the keyboard at its heading; j and k go on and back; Escape leads back to the row."""
    order = to_grid(page)
    press(page, "ArrowDown", "ArrowDown", "Enter")
    assert opened_query(page) == order[2]
    assert (focused(page), in_view(page, "#query-title")) == ("#query-title", True)
    press(page, "j")
    assert opened_query(page) == order[3]
    assert focused(page) == "#query-title"
    press(page, "k")
    page.wait_for_function("key => document.querySelector('#query .id').textContent === key", arg=order[2])
    press(page, "k")
    assert opened_query(page) == order[1]
    press(page, "Escape")
    page.wait_for_selector("#query", state="hidden")
    assert (focused(page), row(page), in_view(page, ".active")) == ("#grid", order[1], True)
    press(page, "Enter")
    assert opened_query(page) == order[1]


def test_the_ends_hold(page: Page) -> None:
    """Before the first query and after the last there is none: k and j stay."""
    order = to_grid(page)
    press(page, "Enter")
    assert opened_query(page) == order[0]
    press(page, "k")
    assert opened_query(page) == order[0]
    press(page, "Escape", "Control+End", "Enter")
    page.wait_for_function("key => document.querySelector('#query .id')?.textContent === key", arg=order[-1])
    press(page, "j")
    assert opened_query(page) == order[-1]
    assert page.locator("#next").get_attribute("aria-disabled") == "true"


def test_j_goes_in_the_order_of_the_table(page: Page) -> None:
    """After a filter and a sort, j goes to the next row of what is left."""
    press(page, "/")
    page.keyboard.type("bo")
    order = to_grid(page)
    assert 2 < len(order) < 41
    press(page, "Enter", "j")
    page.wait_for_function("key => document.querySelector('#query .id')?.textContent === key", arg=order[1])
    assert page.locator(".place").text_content() == f"2 of {len(order)}"


@pytest.mark.parametrize("name", ["decisions", "ledger", "holes", "inputs", "methods"])
def test_a_sheet_opens_and_closes(name: str, page: Page) -> None:
    """Enter on a link of the bar opens its sheet with the keyboard in it; Escape closes it, and leads back to the link."""
    sheet = page.locator(f"dialog#{name}")
    tab_to(page, f"a#{name}")
    press(page, "Enter")
    assert sheet.evaluate("sheet => sheet.open && sheet.matches(':modal') && sheet.contains(document.activeElement)")
    press(page, "Escape")
    assert (sheet.evaluate("sheet => sheet.open"), focused(page)) == (False, f"a#{name}")
    press(page, "Enter")
    sheet.get_by_role("button", name="Close").focus()
    press(page, "Enter")
    assert (sheet.evaluate("sheet => sheet.open"), focused(page)) == (False, f"a#{name}")


def test_the_sheet_of_keys(page: Page) -> None:
    """ "?" shows the keys, and so does its button; Escape closes them, and leaves the query that is open."""
    sheet = page.locator("dialog#keys")
    press(page, "?")
    assert sheet.is_visible()
    assert {"/", "j", "k", "Enter", "Esc", "?"} <= set(sheet.locator("kbd").all_text_contents())
    press(page, "Escape")
    assert sheet.is_hidden()
    tab_to(page, "#help")
    press(page, "Enter")
    assert sheet.is_visible()
    press(page, "j", "/")
    assert (page.evaluate("location.hash"), sheet.is_visible()) == ("", True)
    press(page, "Escape")
    assert (sheet.is_hidden(), focused(page)) == (True, "#help")


def test_a_chart_is_walked(page: Page) -> None:
    """Arrows go through the bars of the differences, each is said in words, and Enter opens its query."""
    page.locator("[data-chart=differences] [role=slider]").wait_for(state="attached")
    for _ in range(MOST):
        press(page, "Tab")
        if page.evaluate("document.activeElement.closest('figure')?.dataset.chart") == "differences":
            break
    steps = page.locator("[data-chart=differences] [role=slider]")
    assert steps.get_attribute("aria-valuetext") == (
        "fjallraven, q19, bm25 0.0000, hybrid 0.5466, difference ▲ +0.5466"
    )
    press(page, "End")
    assert (steps.get_attribute("aria-valuenow"), steps.get_attribute("aria-valuemax")) == ("41", "41")
    assert str(steps.get_attribute("aria-valuetext")).startswith("torquill socket set, q28, bm25 0.9434, hybrid 0.0000")
    assert page.locator(".chart-tip").is_visible()
    press(page, "ArrowLeft", "ArrowRight", "Enter")
    assert opened_query(page) == "q28"
    assert focused(page) == "#query-title"


def test_the_table_behind_a_chart(page: Page) -> None:
    """The numbers of a chart open and close by Enter."""
    for _ in range(MOST):
        press(page, "Tab")
        if focused(page) == "summary":
            break
    press(page, "Enter")
    page.locator(".chart-table").wait_for()
    press(page, "Enter")
    page.locator(".chart-table").wait_for(state="hidden")


def test_light_and_dark(page: Page) -> None:
    """The button changes to dark and back, and what was chosen holds when the page is opened again."""
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    tab_to(page, "#theme")
    press(page, "Enter")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    ready(page)
    assert page.evaluate(ground) == dark
    tab_to(page, "#theme")
    press(page, "Enter")
    assert page.evaluate(ground) == light


def test_lists_are_walked(page: Page) -> None:
    """Down and up go through a list, right to the same rank of the next."""
    to_grid(page)
    press(page, "Enter")
    opened_query(page)
    for _ in range(MOST):
        press(page, "Tab")
        if focused(page) == "li":
            break
    press(page, "ArrowDown", "ArrowDown")
    where = "(({dataset, closest}) => [document.activeElement.closest('.list').dataset.list, dataset.rank])(document.activeElement)"
    assert page.evaluate(where) == ["bm25", "3"]


def test_back_and_forward(page: Page) -> None:
    """The browser's back and forward lead through the queries that were opened."""
    order = to_grid(page)
    press(page, "Enter")
    opened_query(page)
    press(page, "j")
    assert opened_query(page) == order[1]
    page.go_back()
    assert opened_query(page) == order[0]
    page.go_back()
    page.wait_for_selector("#query", state="hidden")
    page.go_forward()
    page.wait_for_selector("#query .arithmetic")
    assert opened_query(page) == order[0]


def test_the_measure_is_chosen_by_keys(page: Page) -> None:
    """Another measure in the bar: the table has its values, the charts its name."""
    tab_to(page, "#measure")
    page.keyboard.type("RR")
    rows = dict(query_rows(page))
    assert rows["q28"]["difference"] == "▼ -1.0000"
    assert page.locator("[data-key='value:bm25']").text_content() == "RRbm25"
    page.wait_for_function(
        "() => document.querySelector('[data-chart=differences] .chart-says').textContent.includes('RR of')"
    )
