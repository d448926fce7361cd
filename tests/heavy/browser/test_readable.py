"""The page is read in light and dark, on a phone, by a screen reader, without script, in an old browser."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

import idealrank as ir
from tests.heavy.browser.axe import axe_in_both
from tests.heavy.browser.grounds import DARK_FROM, LIGHT_FROM, ground
from tests.heavy.browser.opening import PHONE, Opener
from tests.heavy.browser.rendered import charts, open_query, ready, show_tab, table_behind
from tests.reports.worlds import TWO_SETTINGS, alone, garden, hostile, several, shop, swept

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
SCREENS = {"desktop": DESKTOP, "phone": PHONE}
AXED: dict[str, Any] = {
    "compared": shop,
    "alone": alone,
    "twenty": lambda: several(20),
    "swept": lambda: swept(TWO_SETTINGS, hold_out=0.5),
    "line": lambda: swept({"q boost=1": 3, "q boost=2": 1, "q boost=4": 2}),
}


def whole(page: Page) -> Page:
    """Draw all charts, open the table behind one, and open a query."""
    ready(page)
    for figure in list(charts(page).values())[:1]:
        table_behind(figure)
    open_query(page, str(page.locator("#grid [data-query]").first.get_attribute("data-query")))
    return page


@pytest.mark.parametrize(
    ("name", "screen"),
    [
        ("compared", "desktop"),
        ("compared", "phone"),
        ("alone", "desktop"),
        ("twenty", "phone"),
        ("swept", "desktop"),
        ("swept", "phone"),
        ("line", "phone"),
    ],
)
def test_axe_finds_nothing_serious(name: str, screen: str, opened: Opener) -> None:
    """With all charts drawn and a query open there is nothing serious or critical, in light and dark."""
    html = AXED[name]().to_html()
    page = whole(opened(html, **SCREENS[screen]))
    assert axe_in_both(page) == []


def test_axe_finds_nothing_serious_in_tabs(opened: Opener) -> None:
    """Nor is there in any of the tabs of the method, nor in the sheet of keys."""
    page = ready(opened(shop().to_html()))
    for name in TABS:
        show_tab(page, name)
        assert axe_in_both(page, "#method") == [], name
    page.keyboard.press("?")
    assert axe_in_both(page) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_the_settings_fit_the_screen(screen: str, opened: Opener) -> None:
    """Neither a line, nor a matrix, nor a table of settings makes the page wider than the screen."""
    three = {f"q boost={boost} mode=or title={boost}": boost for boost in (1, 2, 3)}
    for report in (swept({f"q boost={i}": i for i in range(1, 10)}), swept(TWO_SETTINGS, hold_out=0.5), swept(three)):
        page = ready(opened(report.to_html(), **SCREENS[screen]))
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


TABS = ("decisions", "methods", "means", "ledger", "holes", "inputs")
SIZES = """() => {
    const found = {};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!node.data.trim() || !parent.checkVisibility()) continue;
        if (parent.closest(".hidden, option, script, style")) continue;
        const { fontSize, fontWeight } = getComputedStyle(parent);
        found[fontSize] = parent.outerHTML.slice(0, 99);
        found[`weight ${fontWeight}`] = parent.outerHTML.slice(0, 99);
    }
    return found;
}"""


@pytest.mark.parametrize(("screen", "huge"), [("desktop", "30px"), ("phone", "24px")])
def test_four_sizes_of_type_and_two_weights(screen: str, huge: str, opened: Opener) -> None:
    """With all charts, a query and every tab there are four sizes and two weights; nothing is below 12 pixels."""
    page = whole(opened(shop().to_html(), **SCREENS[screen]))
    for name in TABS:
        show_tab(page, name)
        found = page.evaluate(SIZES)
        assert set(found) == {huge, "17px", "14px", "12px", "weight 400", "weight 600"}, found


@pytest.mark.parametrize("name", ["compared", "twenty", "alone"])
def test_a_measure_is_one_line(name: str, opened: Opener) -> None:
    """Each measure, and each system of a league, is a row of at most 40 pixels."""
    html = {"compared": shop, "alone": alone, "twenty": lambda: several(20)}[name]().to_html()
    page = ready(opened(html, **DESKTOP))
    heights = page.locator("#measures tbody tr").evaluate_all("all => all.map((each) => each.offsetHeight)")
    assert heights
    assert max(heights) <= 40


def test_the_answer_is_on_the_first_screen(opened: Opener) -> None:
    """At 1280 by 800 the headline, what would settle it, the checks and the first measure need no scrolling."""
    page = ready(opened(shop().to_html(), **DESKTOP))
    for selector in ("h1", ".big", ".interval", ".to-judge", "#checks", "#measures tbody tr"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 800, selector


def test_the_bar_of_a_phone_is_one_row(opened: Opener) -> None:
    """Measure, colours and keys are in a menu; the bar takes less than a tenth of the screen."""
    page = ready(opened(shop().to_html(), **PHONE))
    assert page.locator("#bar").evaluate("bar => bar.offsetHeight") < 84
    assert page.locator("#measure").is_hidden()
    page.locator("#menu").press("Enter")
    assert page.locator("#measure").is_visible()
    assert page.locator("#menu").get_attribute("aria-expanded") == "true"


def test_lists_are_tabs_on_a_phone(opened: Opener) -> None:
    """One list at a time, that of the system first; a button shows another."""
    page = ready(opened(shop().to_html(), **PHONE))
    open_query(page, "q14")
    shown = "all => all.filter((each) => each.checkVisibility()).map((each) => each.dataset.list)"
    assert page.locator(".list").evaluate_all(shown) == ["hybrid"]
    page.locator(".list-tabs button", has_text="ideal list").press("Enter")
    assert page.locator(".list").evaluate_all(shown) == ["ideal"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_scheme_of_the_system(scheme: Literal["light", "dark"], opened: Opener) -> None:
    """The page is light or dark as the system is, with script and without."""
    for script in (True, False):
        page = opened(garden().to_html(), color_scheme=scheme, java_script_enabled=script)
        if script:
            assert ground(page) > LIGHT_FROM if scheme == "light" else ground(page) < DARK_FROM
        assert page.locator("#summary").is_visible()


@pytest.mark.parametrize("name", ["compared", "alone", "twenty", "hostile"])
def test_a_phone_is_not_scrolled_sideways(name: str, opened: Opener) -> None:
    """At 390 pixels nothing is wider than the screen, with a query open; wide tables scroll in a box of their own."""
    html = {"compared": shop, "alone": alone, "twenty": lambda: several(20), "hostile": hostile}[name]().to_html()
    page = whole(opened(html, **PHONE))
    assert page.evaluate("[document.documentElement.scrollWidth, visualViewport.width]") == [390, 390]
    page.evaluate("scrollTo(200, 0)")
    assert page.evaluate("scrollX") == 0


def test_names_are_not_broken_on_a_phone(opened: Opener) -> None:
    """A name that has room stands on one line; a table that goes on to the side has a shade at its edge."""
    judgments = {"q": {"d": 1}}
    runs = {name: {"q": {"d": 1.0}} for name in ("baseline-bm25", "hybrid-rerank")}
    html = ir.report(ir.evaluate(judgments, runs, ["nDCG@10", "P@10", "RR", "AP"])).to_html()
    page = ready(opened(html, "#q=q", **{**PHONE, "viewport": {"width": 375, "height": 812}}))
    box = page.locator("#query .query-values")
    assert box.evaluate("each => each.scrollWidth > each.clientWidth")
    lines = "all => all.map((each) => each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight))"
    assert [round(count) for count in box.locator("tbody th bdi").evaluate_all(lines)] == [1, 1]
    assert "local, local, scroll, scroll" in box.evaluate("each => getComputedStyle(each).backgroundAttachment")


def test_touched_targets_are_large(opened: Opener) -> None:
    """On a phone, links of the bar, buttons and fields are at least 24 pixels high, as WCAG 2.2 asks."""
    page = ready(opened(shop().to_html(), **PHONE))
    heights = page.locator("#bar a, #bar button, #bar select, #queries input, #queries select").evaluate_all(
        "all => all.filter((each) => each.offsetParent).map((each) => [each.id || each.hash, each.offsetHeight])"
    )
    assert len(heights) > 8
    assert [name for name, height in heights if height < 24] == []


def test_without_script(opened: Opener) -> None:
    """Verdict, means, decisions, ledger, inputs and methods are read without script; there are no dead controls."""
    page = opened(shop().to_html(), java_script_enabled=False)
    for shown in (
        "h1",
        "#measures table",
        "#verdict .sentence",
        "#means table",
        "#decisions code",
        "#ledger table",
        "#inputs code",
        "#methods p",
    ):
        assert page.locator(shown).first.is_visible(), shown
    for hidden in ("#charts", "#queries", "#query", ".tools", "#notice", "button", "a[href='#queries'].live"):
        assert not any(each.is_visible() for each in page.locator(hidden).all()), hidden
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_old_browser(opened: Opener) -> None:
    """A browser that cannot unpack the data says so in a sentence; verdict, means and sheets are there."""
    page = opened(garden().to_html(), script="delete window.DecompressionStream")
    page.locator("#notice").wait_for()
    assert str(page.locator("#notice").text_content()).startswith("This browser cannot unpack the data of this report")
    for hidden in ("#charts", "#queries", "#query", "a[href='#charts']", "a[href='#queries']"):
        assert not any(each.is_visible() for each in page.locator(hidden).all()), hidden
    assert page.locator("#summary").is_visible()
    page.locator("#checks a").press("Enter")
    page.locator("#ledger").wait_for()


def test_headings_are_in_order(opened: Opener) -> None:
    """No level of heading is left out on the way down, with a query open: a screen reader's table of contents."""
    page = whole(opened(shop().to_html()))
    levels = page.locator("h1, h2, h3, h4").evaluate_all(
        "all => all.filter((each) => each.offsetParent).map((each) => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_what_changes_is_told(opened: Opener) -> None:
    """The number of queries left by the filter stands in a place that is read out when it changes."""
    page = ready(opened(garden().to_html()))
    page.locator("#filter").fill("hose")
    assert page.locator("#count[role=status]").text_content() == "1 of 5 queries"
