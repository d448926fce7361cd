"""What a link to a query says, and what the window is called."""

from __future__ import annotations

import itertools

from playwright.sync_api import Page

import idealrank as ir
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.rendered import open_query, press, ready
from tests.reports.worlds import garden, several


def looked_at(page: Page) -> tuple[str, str, str]:
    """Return the query, the measure and the system chosen."""
    page.locator("#query .arithmetic").wait_for()
    query = str(page.locator("#query .id").text_content())
    return query, page.locator("#measure").input_value(), page.locator("#system").input_value()


def test_a_link_keeps_measure_and_system(opened: Opener) -> None:
    """Chosen measure and system stand in the address and in every link; opened elsewhere it shows the same."""
    html = several(3).to_html()
    page = ready(opened(html))
    open_query(page, "q1")
    assert page.evaluate("location.hash") == "#q=q1"
    page.locator("#measure").select_option("P@3")
    page.locator("#system").select_option("s2")
    assert page.evaluate("location.hash") == "#q=q1&m=P%403&s=s2"
    for link in ("#link", "#next", "#grid a >> nth=0"):
        assert str(page.locator(link).get_attribute("href")).endswith("&m=P%403&s=s2")
    other = ready(opened(html, "#q=q1&m=P%403&s=s2"))
    assert looked_at(other) == ("q1", "P@3", "s2")
    assert other.locator("#query .arithmetic-title").text_content() == "How P@3 is calculated"
    other.evaluate("location.hash = '#q=q2'")
    other.locator("#query .id", has_text="q2").wait_for()
    assert looked_at(other) == ("q2", "RR", "s1")
    other.go_back()
    other.locator("#query .id", has_text="q1").wait_for()
    assert looked_at(other) == ("q1", "P@3", "s2")


def test_a_link_names_both_systems_of_a_pair(opened: Opener) -> None:
    """Where all pairs are compared, a link tells c against a from c against b; what it names wrongly is the usual."""
    judgments = {q: {"d": 1} for q in "xy"}
    runs = {name: {q: {"d": 1.0, "e": 2.0 * (name > "a")} for q in judgments} for name in "abc"}
    html = ir.report(ir.compare(judgments, runs, ["RR", "P@1"])).to_html()
    page = ready(opened(html))
    for baseline, system in itertools.permutations("abc", 2):
        page.locator("#system").select_option(system)
        page.locator("#against").select_option(baseline)
        open_query(page, "x")
        other = ready(opened(html, str(page.evaluate("location.hash"))))
        assert looked_at(other) == ("x", "RR", system)
        assert other.locator("#against").input_value() == baseline
        heads = other.locator("#query .list h3 bdi").all_text_contents()
        assert heads[:2] == [baseline, system]
    assert looked_at(ready(opened(html, "#q=x&m=AP&s=z")))[:2] == ("x", "RR")


def test_odd_ids_in_links(opened: Opener) -> None:
    """Ids and names with the signs of a link are kept apart from it."""
    key, name = "a&m=RR#b", "s&s=t"
    judgments = {key: {"d": 1}, "q": {"d": 1}}
    html = ir.report(ir.evaluate(judgments, {"one": judgments, name: judgments}, ["RR", "P@1"])).to_html()
    page = ready(opened(html))
    page.locator("#measure").select_option("P@1")
    page.locator("#system").select_option(name)
    open_query(page, key)
    other = ready(opened(html, str(page.evaluate("location.hash"))))
    assert looked_at(other) == (key, "P@1", name)


def test_the_window_is_called_by_its_query(opened: Opener) -> None:
    """The title of the window, and of what is printed, names the query that is open."""
    page = ready(opened(garden().to_html()))
    assert page.title() == "Garden"
    open_query(page, "q1")
    assert page.title() == "garden hose · Garden"
    press(page, "Escape")
    page.wait_for_function("() => document.title === 'Garden'")


def test_a_query_nobody_judged(opened: Opener) -> None:
    """The garden's q6 was returned and not judged: that is said; q7 nobody has heard of."""
    for key, said in (
        ("q6", "“q6” was returned, but not judged: it has no value."),
        ("q7", "No query called “q7” in this report."),
    ):
        page = ready(opened(garden().to_html(), f"#q={key}"))
        page.locator("#query h2").wait_for()
        assert page.locator("#query h2").text_content() == said
