"""What `make bench` measures of a page are the times of that page: each is at least what the page takes by design."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from bench.painting import Traced, best_of, long_tasks
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


def test_best_of() -> None:
    """The least of as many measurements as are asked for is returned."""
    times: Iterator[float] = iter([3.0, 1.0, 2.0, 0.0])
    assert best_of(3, lambda: next(times)) == 1.0
    assert list(times) == [0.0]
