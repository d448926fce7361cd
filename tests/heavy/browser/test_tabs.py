"""A tab that a test leaves is like a new one to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.heavy.browser.opening import Opener, opening, printed
from tests.heavy.browser.pages import page
from tests.heavy.browser.tabs import Tabs

TELLS = """() => [localStorage.length, sessionStorage.length, location.hash, matchMedia("print").matches,
    matchMedia("(prefers-color-scheme: dark)").matches, document.querySelector("p").matches(":hover")]"""
TEXT = "<style>p { margin: 0; height: 400px }</style><p>Text</p>"


def test_nothing_is_kept(tabs: Tabs, tmp_path: Path) -> None:
    """What a page stored, how it was printed, its colours and the mouse on it are forgotten; the tab is the same."""
    with opening(tabs, tmp_path) as opened:
        first = opened(page(TEXT), at="#a")
        first.evaluate("localStorage.theme = sessionStorage.theme = 'dark'")
        first.mouse.move(200, 200)
        printed(first)
        first.emulate_media(color_scheme="dark", media="print")
        assert first.evaluate(TELLS) == [1, 1, "#a", True, True, True]
    with opening(tabs, tmp_path) as opened:
        second = opened(page(TEXT))
        assert second == first
        assert second.evaluate(TELLS) == [0, 0, "", False, False, False]
        second.evaluate("() => { onmousedown = (event) => { window.pressed = [event.clientX, event.clientY]; }; }")
        second.mouse.down()
        assert second.evaluate("pressed") == [0, 0]


def test_settings_and_scripts_have_tabs_of_their_own(tabs: Tabs, tmp_path: Path) -> None:
    """A tab is left to pages with its settings and its script alone."""
    settings = ({}, {"color_scheme": "dark"}, {"script": "window.early = 1"})
    with opening(tabs, tmp_path) as opened:
        taken = [opened(page(TEXT), **each) for each in settings]
    with opening(tabs, tmp_path) as opened:
        again = [opened(page(TEXT), **each) for each in settings]
        assert again == taken
        assert [each.evaluate("typeof early") for each in again] == ["undefined", "undefined", "number"]


def test_two_pages_of_a_test_stand_in_two_tabs(opened: Opener) -> None:
    """A tab that a test has is not left to its next page."""
    assert opened(page(TEXT)) != opened(page(TEXT))


def test_a_fault_is_that_of_the_test_that_has_the_tab(tabs: Tabs, tmp_path: Path) -> None:
    """What the page of one test does wrong, even later, is no fault of the page after it, and the other way round."""
    with pytest.raises(AssertionError, match="uncaught: first"), opening(tabs, tmp_path) as opened:
        opened(page("<script>setInterval(() => { throw new Error('first') }, 1)</script>"))
    with opening(tabs, tmp_path) as opened:
        opened(page(TEXT)).wait_for_timeout(50)
    with pytest.raises(AssertionError, match=r"^uncaught: second$"), opening(tabs, tmp_path) as opened:
        opened(page("<script>setTimeout(() => { throw new Error('second') })</script>"))


def test_a_closed_tab_is_not_left(tabs: Tabs, tmp_path: Path) -> None:
    """A page that a test closed itself is no tab for the next."""
    with opening(tabs, tmp_path) as opened:
        first = opened(page(TEXT))
        first.close()
    with opening(tabs, tmp_path) as opened:
        assert opened(page(TEXT)) != first
