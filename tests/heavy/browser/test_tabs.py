"""A tab that a test leaves is like a new one to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.heavy.browser.opening import opening, printed
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


def test_a_fault_is_that_of_the_test_that_has_the_tab(tabs: Tabs, tmp_path: Path) -> None:
    """What the page of one test does wrong, even later, is no fault of the page after it, and the other way round."""
    with pytest.raises(AssertionError, match="uncaught: first"), opening(tabs, tmp_path) as opened:
        opened(page("<script>setInterval(() => { throw new Error('first') }, 1)</script>"))
    with opening(tabs, tmp_path) as opened:
        opened(page(TEXT)).wait_for_timeout(50)
    with pytest.raises(AssertionError, match=r"^uncaught: second$"), opening(tabs, tmp_path) as opened:
        opened(page("<script>setTimeout(() => { throw new Error('second') })</script>"))
