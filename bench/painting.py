"""How long a page takes, as Chromium traced it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page

_CATEGORIES = ["-*", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
_BEGIN, _END = "long-tasks-begin", "long-tasks-end"
_PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
_FIRST = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


class Traced(NamedTuple):
    """What Chromium recorded while something was done with a page.

    Attributes
    ----------
    tasks
        Milliseconds of each task of the page's main thread, the longest first.
    to_paint
        Milliseconds from an input (key, pointer; not the wheel) to the paint after it, the longest; 0 without input.
    """

    tasks: tuple[float, ...]
    to_paint: float

    @property
    def longest(self) -> float:
        """Milliseconds of the longest task."""
        return self.tasks[0]


def long_tasks(page: Page, action: Callable[[], object]) -> Traced:
    """Do something with a page and return how long its main thread was busy without a pause, as Chromium traced it."""
    page.locator("html").count()  # Playwright puts its own script into the page when it first looks for something
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=_CATEGORIES)
    page.evaluate(f"performance.mark('{_BEGIN}')")
    action()
    page.evaluate(_PAINTED)
    page.evaluate(f"performance.mark('{_END}')")
    return _traced(json.loads(browser.stop_tracing())["traceEvents"])


def _traced(events: list[dict[str, Any]]) -> Traced:
    """Pick what the thread that set the marks did between them."""
    marks = {event["name"]: event for event in events if event["name"] in (_BEGIN, _END)}
    begin, end = marks[_BEGIN], marks[_END]
    within = [
        event
        for event in events
        if (event["pid"], event["tid"]) == (begin["pid"], begin["tid"]) and begin["ts"] <= event["ts"] <= end["ts"]
    ]
    tasks = [event["dur"] / 1000 for event in within if event["name"] == "RunTask" and event["ph"] == "X"]
    inputs = [
        event["args"]["data"]["duration"] for event in within if event["name"] == "EventTiming" and event["ph"] == "b"
    ]
    return Traced(tuple(sorted(tasks, reverse=True)), max(inputs, default=0.0))


def first_paint(page: Page) -> float:
    """Return the milliseconds from the call of the page to the first paint of text or a picture."""
    page.wait_for_function(f"{_FIRST} !== undefined")
    return float(page.evaluate(_FIRST))


def best_of(n: int, measure: Callable[[], float]) -> float:
    """Return the least of n measurements.

    Whatever else runs on the machine can make a measurement longer, never shorter: the least is the
    nearest to what the page itself takes, and does not grow where two cores are shared by many.
    """
    return min(measure() for _ in range(n))
