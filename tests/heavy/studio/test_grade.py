"""Grading in a browser: by keys alone, two raters at once, and what the page says when something is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from idealrank.studio.project import StudioProject
from tests.heavy.browser.axe import axe_in_both


def _enter(page: Page, name: str) -> None:
    page.goto("/grade")
    page.get_by_role("textbox", name="your name").fill(name)
    page.keyboard.press("Enter")
    expect(page.locator("#rate")).to_be_visible()
    page.wait_for_load_state()


def _shown(page: Page) -> tuple[str, str]:
    form = page.locator("#rate")
    return form.locator("[name=q]").input_value(), form.locator("[name=doc]").input_value()


def _press(page: Page, key: str) -> None:
    _do(page, lambda: page.keyboard.press(key))


def _do(page: Page, action: Callable[[], None]) -> None:
    """Wait until the page shows something else; its token is another then."""
    before = page.locator("#rate [name=token]").input_value()
    action()
    page.wait_for_function("token => document.querySelector('#rate [name=token]')?.value !== token", arg=before)


def test_on_a_phone_the_result_comes_first(page: Page) -> None:
    """Query, result and all grades are in view; how far the verdict is, which may be long, comes after them."""
    page.set_viewport_size({"width": 390, "height": 844})
    _enter(page, "ana")
    page.locator("#countdown").evaluate("line => { line.textContent = 'Likely settled. '.repeat(40) }")
    tops = [page.locator(each).evaluate("one => one.getBoundingClientRect().top") for each in (".result", "#rate")]
    bottom = page.locator(".result").evaluate("one => one.getBoundingClientRect().bottom")
    assert 0 < tops[0] < bottom <= tops[1]
    expect(page.locator(".give").last).to_be_in_viewport(ratio=1)


def test_twenty_by_keys_alone(page: Page, project: StudioProject) -> None:
    """Every digit is saved before the next pair shows, undo takes one back and shows it, and the count goes down."""
    project.store["overlap"] = 0
    _enter(page, "ana")
    given: dict[tuple[str, str], float] = {}
    for number in range(20):
        pair = _shown(page)
        assert pair not in given
        _press(page, str(number % 4))
        given[pair] = float(number % 4)
        assert {(one.query, one.doc): one.grade for one in project.store.ratings()} == given
    expect(page.locator(".progress")).to_have_text("20 graded today, 89 left")
    _press(page, "u")
    assert _shown(page) == list(given)[-1]
    assert len(project.store.ratings()) == 19
    page.reload()
    assert _shown(page) == list(given)[-1]
    _press(page, "3")
    assert [one.grade for one in project.store.ratings()][-1] == 3.0
    # It draws all missing labels many times, and waits for the answer to the grade before: long on a busy machine.
    far = page.locator("#countdown .far")
    expect(far).to_contain_text(re.compile("^(Not settled|Likely|Settled)"), timeout=60_000)


def test_later_and_cannot_tell_by_keys(page: Page, project: StudioProject) -> None:
    """`s` puts off; `c` asks why, where digits are text, Esc goes back and Enter saves."""
    _enter(page, "ana")
    first = _shown(page)
    _press(page, "s")
    second = _shown(page)
    page.keyboard.press("c")
    page.keyboard.type("in 2 languages")
    page.keyboard.press("Escape")
    assert _shown(page) == second
    expect(page.locator(".confirming")).to_be_empty()
    page.keyboard.press("c")
    _press(page, "Enter")
    said = {(one.query, one.doc): (one.state, one.comment) for one in project.store.ratings()}
    assert said == {first: ("later", ""), second: ("cannot tell", "in 2 languages")}


def test_the_same_digit_twice_confirms(page: Page, project: StudioProject) -> None:
    """Where the project asks for it: the first press marks the button, another digit moves the mark."""
    project.store["confirm"] = True
    _enter(page, "ana")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator(".give.chosen")).to_have_attribute("data-key", "2")
    expect(page.locator(".confirming")).to_have_text("Press 2 once more to confirm.")
    assert project.store.ratings() == []
    _press(page, "2")
    assert [one.grade for one in project.store.ratings()] == [2.0]


def test_a_studio_that_does_not_answer(browser: Browser, address: str, project: StudioProject) -> None:
    """The page says so and keeps the pair; the same key later saves it once."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    _enter(page, "ana")
    pair = _shown(page)
    page.route("**/rate", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator("#trouble")).to_contain_text("The studio did not answer.")
    assert _shown(page) == pair
    page.unroute("**/rate")
    _press(page, "1")
    expect(page.locator("#trouble")).to_be_empty()
    assert [(one.query, one.doc, one.grade) for one in project.store.ratings()] == [(*pair, 1.0)]
    context.close()


@pytest.mark.parametrize("wide", [390, 1440])
def test_the_pages_have_no_grave_fault_for_screen_readers(page: Page, project: StudioProject, wide: int) -> None:
    """Axe finds nothing serious on the door, the queue, raters and a dispute; nothing is wider than the window."""
    project.store["guideline"] = "What fits the need exactly is 3.\nWhat helps somewhat is 1."
    page.set_viewport_size({"width": wide, "height": 844})
    page.goto("/door")
    assert axe_in_both(page) == []
    _enter(page, "ana")
    for path in ("/grade", "/raters", "/dispute?q=q05&doc=P1192", "/grade/scale"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert axe_in_both(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.locator("h1").count() == 1, path


def test_every_button_is_large_enough_for_a_thumb(page: Page) -> None:
    """At 390 px each button of the queue is 44 px high at least, and the grades are on the screen."""
    page.set_viewport_size({"width": 390, "height": 844})
    _enter(page, "ana")
    for button in page.locator("#rate button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["y"] + box["height"] <= 844
