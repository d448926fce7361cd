"""The first screen in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

import idealrank as ir
from tests.heavy.browser.axe import axe_in_both
from tests.studio.worlds import SHOP


def _difference(**answers: str) -> str:
    tables = {name: SHOP / f"{name}.csv" for name in ("bm25", "hybrid")}
    found = ir.compare(SHOP / "judgments.csv", tables, ["nDCG@10"], queries=SHOP / "queries.csv", **answers)
    return f"{found['nDCG@10'].difference:+.3f}"


def test_a_flip_shows_the_number_of_the_library(page: Page) -> None:
    """A decision that is flipped gives the number compare gives, with the old one, a way back and the command line."""
    page.goto("/")
    expect(page.locator("#summary .big b")).to_have_text(_difference())
    page.get_by_label("gain How much").select_option("exp2")
    expect(page.locator("#card:not(.waits) .big b")).to_have_text(_difference(gain="exp2"))
    assert "gain=exp2" in page.url
    flips = page.locator(".flips")
    expect(flips).to_contain_text(_difference())
    expect(page.locator(".command code")).to_contain_text("--gain exp2")
    flips.get_by_role("link", name="Back to linear").click()
    expect(page.locator("#card:not(.waits) .big b")).to_have_text(_difference())
    page.go_back()
    expect(page.locator("#card:not(.waits) .big b")).to_have_text(_difference(gain="exp2"))
    page.reload()
    expect(page.locator("#card:not(.waits) .big b")).to_have_text(_difference(gain="exp2"))


def test_a_question_mark_shows_the_keys(page: Page) -> None:
    """The key that the button and the list of keys name opens the list; where one writes it is a letter."""
    page.goto("/")
    page.get_by_role("combobox", name="measure", exact=True).focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("Backspace")
    page.locator("#help").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_details_of_the_checks_are_a_page(page: Page) -> None:
    """What the card leads to is shown in the studio: nobody gets a file who asks for details."""
    page.goto("/")
    page.locator("#card").get_by_role("link", name="details").click()
    expect(page.locator("#queries")).to_contain_text("no results")


def test_names_and_numbers_are_whole_where_little_room_is(page: Page) -> None:
    """On a phone the values of a query are not cut off; a long name leaves room for the one beside it."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    expect(page.locator("#losing li")).to_have_count(5)
    assert page.locator("#losing .soft").evaluate_all(cut) == []
    names = page.locator("#summary .sides bdi")
    names.first.evaluate("name => { name.textContent = 'bm25_title-boost-3_stemming-english_minimum-match-2' }")
    assert names.last.evaluate_all(cut) == []
    rows = page.locator(".bar .links a").evaluate_all("all => new Set(all.map(one => one.offsetTop)).size")
    assert rows == 1


def test_the_first_screen_has_no_grave_fault_for_screen_readers(page: Page) -> None:
    """Axe finds nothing serious on the first screen, light or dark."""
    page.goto("/?gain=exp2")
    assert axe_in_both(page) == []


def test_a_flip_that_cannot_be_compared_leaves_the_numbers(page: Page) -> None:
    """A geometric mean has no difference of means: the page says so, keeps both means, and leads back."""
    page.goto("/")
    page.get_by_label("average How are").select_option("geometric")
    expect(page.locator("#card:not(.waits) .lead")).to_contain_text("average=geometric")
    tables = {name: SHOP / f"{name}.csv" for name in ("bm25", "hybrid")}
    found = ir.evaluate(SHOP / "judgments.csv", tables, ["nDCG@10"], average="geometric")
    expect(page.locator("#numbers")).to_contain_text(f"{found.means['hybrid'][0]:.3f}")
    page.get_by_role("link", name="Back to arithmetic").click()
    expect(page.locator("#summary .big b")).to_have_text(_difference())
