"""The page on paper: all of it on a light ground, without controls."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

import idealrank as ir
from tests.heavy.browser.grounds import DARK_FROM, LIGHT_FROM, ground
from tests.heavy.browser.opening import Opener, printed, sheets
from tests.heavy.browser.rendered import open_query, ready
from tests.reports.worlds import garden, shop


def test_the_paper_has_one_page(opened: Opener) -> None:
    """Summary, measures, losses, gains, and how it was made: one sheet of A4, one of Letter, and no charts."""
    page = ready(opened(shop().to_html()))
    assert page.locator(".made").is_hidden()
    assert sheets(printed(page)) == sheets(page.pdf(format="Letter")) == 1
    for hidden in ("#charts", "#queries", "#method", ".foot", ".worst"):
        assert page.locator(hidden).is_hidden(), hidden
    for shown in ("#losses li", "#gains li"):
        assert page.locator(shown).count() == 5
        assert page.locator(shown).first.is_visible()
    assert page.locator(".made").is_visible()


def test_twenty_systems_with_long_names_have_one_page(opened: Opener) -> None:
    """The table of all systems with their whole names, losses, gains, and how it was made; the matrix is not there."""
    names = [f"search_service_experiment_{i:02}_with_rerank_minilm" for i in range(20)]
    judged = {f"q{q}": {f"d{d}": d % 3 for d in range(10)} for q in range(30)}
    runs = {
        name: {query: {f"d{(d + q * i) % 10}": 10.0 - d for d in range(10)} for q, query in enumerate(judged)}
        for i, name in enumerate(names)
    }
    report = ir.report(ir.evaluate(judged, runs, ["nDCG@5", "P@5", "RR"]))
    page = ready(opened(report.to_html(), viewport={"width": 703, "height": 1000}))
    assert sheets(printed(page)) == sheets(page.pdf(format="Letter")) == 1
    assert page.locator("#pairs").is_hidden()
    assert sorted(page.locator("#measures tbody th").all_inner_texts()) == names
    assert page.evaluate("document.documentElement.scrollWidth") <= 703


def test_nothing_is_cut_on_the_right(opened: Opener) -> None:
    """On the text of A4 and of Letter, 186 and 192 mm, no part of the front reaches beyond the edge."""
    for width in (703, 725):
        page = ready(opened(shop().to_html(), viewport={"width": width, "height": 1000}))
        page.emulate_media(media="print")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        ends = "all => all.filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length"
        assert page.locator(".answer, #measures td, #changes li, .made dd").evaluate_all(ends) == 0


def test_the_paper_says_when_it_was_printed(opened: Opener) -> None:
    """The browser puts in the day, and that of the file; the bytes of the report know of no day."""
    page = ready(opened(shop().to_html()))
    printed(page)
    today = page.evaluate("new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })")
    assert page.locator("#printed").text_content() == f"{today} from a file of {today}"


def test_the_worst_lists_are_printed_on_request(opened: Opener) -> None:
    """Print everything has the lists of the five worst queries, too."""
    page = ready(opened(shop().to_html()))
    page.evaluate("document.documentElement.dataset.print = 'all'")
    printed(page)
    assert page.locator(".worst section").count() == 5
    assert page.locator(".worst section").first.is_visible()
    assert page.locator(".worst h3 bdi").first.text_content() == "torquill socket set"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_paper(scheme: Literal["light", "dark"], opened: Opener) -> None:
    """All of it on paper: summary, charts, queries, the chosen one, the method, on a light ground; no controls."""
    page = ready(opened(shop().to_html(), color_scheme=scheme))
    open_query(page, "q28")
    assert ground(page) > LIGHT_FROM or scheme == "dark"
    page.evaluate("document.documentElement.dataset.print = 'all'")
    pdf = printed(page)
    assert 3 <= sheets(pdf) <= 14
    assert ground(page) > 250
    for hidden in ("#bar", "#filter", "#grid", "#theme", "#copy", ".skip", "#adds", "figure summary"):
        assert not any(each.is_visible() for each in page.locator(hidden).all()), hidden
    for shown in (
        "h1",
        "#measures table",
        "#verdict .sentence",
        "#means table",
        "#query h2",
        "#query .arithmetic",
        ".paper table",
    ):
        assert page.locator(shown).first.is_visible(), shown
    assert page.locator(".paper tbody tr").count() == 41


def test_a_query_on_paper(opened: Opener) -> None:
    """Titles are whole; grades keep their ground; there are no lines, whose ends would lie elsewhere."""
    page = ready(opened(garden().to_html()))
    open_query(page, "q1")
    expect(page.locator(".between svg .line")).not_to_have_count(0)
    page.evaluate("document.documentElement.dataset.print = 'all'")
    page.evaluate(
        "for (const each of document.querySelectorAll('.list .title')) each.textContent = 'long words '.repeat(20)"
    )
    printed(page)
    assert not any(each.is_visible() for each in page.locator(".between svg").all())
    cut = "all => all.filter((each) => each.scrollHeight > each.clientHeight + 1).length"
    assert page.locator(".list .title").evaluate_all(cut) == page.locator(".list li").evaluate_all(cut) == 0
    assert page.locator(".move:visible").count() > 0
    exact = "all => new Set(all.map((each) => getComputedStyle(each).printColorAdjust)).size"
    for coloured in (".grade", ".chart-swatch", ".mark"):
        assert page.locator(coloured).first.evaluate("each => getComputedStyle(each).printColorAdjust") == "exact"
        assert page.locator(coloured).evaluate_all(exact) == 1


def test_dark_by_button_is_light_on_paper(opened: Opener) -> None:
    """Who chose dark prints on a light ground, too."""
    page = ready(opened(garden().to_html()))
    page.locator("#theme").press("Enter")
    assert ground(page) < DARK_FROM
    printed(page)
    assert ground(page) > 250
