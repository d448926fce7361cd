"""What `make bench` measures of a page are the times of that page: each is at least what the page takes by design."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from bench.painting import Traced, best_of, first_paint, long_tasks
from tests.heavy.browser.opening import Opener
from tests.heavy.browser.pages import busy, button, page


def clicked(shown: Page) -> Traced:
    """Return what was traced while the button was clicked."""
    return long_tasks(shown, shown.get_by_role("button").click)


def test_a_long_task(opened: Opener) -> None:
    """A click that takes 200 ms is a task of 200 ms, and is painted after that time."""
    traced = clicked(opened(page(button(busy(200)))))
    assert traced.longest >= 200
    assert traced.to_paint >= 200
    assert traced.longest == max(traced.tasks)


def test_a_key(opened: Opener) -> None:
    """A key is an input like a click."""
    shown = opened(page(f"<h1>A page</h1><script>onkeydown = () => {{ {busy(150)} }}</script>"))
    assert long_tasks(shown, lambda: shown.keyboard.press("j")).to_paint >= 150


def test_the_wheel(opened: Opener) -> None:
    """Tasks while a page is scrolled are seen; the wheel is no input that waits for a paint."""
    tall = "<style>main { height: 9000px }</style>"
    script = f"<script>onscroll = () => {{ {busy(120)} }}</script>"
    shown = opened(page(f"<h1>A page</h1>{script}", tall))

    def scrolled() -> None:
        shown.mouse.wheel(0, 500)
        shown.wait_for_function("scrollY > 400")

    traced = long_tasks(shown, scrolled)
    assert traced.longest >= 120
    assert traced.to_paint == 0


def test_another_page(opened: Opener) -> None:
    """Tasks of a page beside it are not counted: all of its own together are shorter than the one of the other."""
    shown = opened(page(button("")))
    other = opened(page(button(busy(2000))))
    traced = long_tasks(shown, other.get_by_role("button").click)
    assert sum(traced.tasks) < 2000


def test_first_paint(opened: Opener) -> None:
    """The first paint waits for a script before the text."""
    assert first_paint(opened(page(f"<script>{busy(400)}</script><p>Text</p>"))) >= 400


def test_best_of() -> None:
    """The least of as many measurements as are asked for is returned."""
    times: Iterator[float] = iter([3.0, 1.0, 2.0, 0.0])
    assert best_of(3, lambda: next(times)) == 1.0
    assert list(times) == [0.0]
