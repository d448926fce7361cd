"""What the page of a report costs its reader: the first paint, scrolling, sorting, filtering, opening a query.

python bench/page.py   prints milliseconds as JSON, the least of some tries each
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from painting import Traced, best_of, first_paint, long_tasks
from playwright.sync_api import Page

from tests.heavy.browser.chromium import executable, started
from tests.heavy.browser.opening import Opener, opening
from tests.heavy.browser.rendered import charts, press, ready
from tests.heavy.browser.tabs import Tabs
from tests.heavy.browser.worlds import crowd, thousand

TRIES = 5
COLUMNS = ("query", "value:sys0", "difference")


def least(page: Page, act: Callable[[], object], what: Callable[[Traced], float]) -> float:
    """Return the least of some measurements of an act."""
    return best_of(TRIES, lambda: what(long_tasks(page, act)))


def to_paint(page: Page, act: Callable[[], object]) -> float:
    """Return the milliseconds from a key to the paint after it."""
    return least(page, act, lambda traced: traced.to_paint)


def scrolling(page: Page) -> float:
    """Return the longest task while the table is scrolled by the wheel and by keys."""
    grid = page.locator("#grid")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    grid.focus()

    def scrolled() -> None:
        for _ in range(10):
            page.mouse.wheel(0, 3000)
            page.wait_for_timeout(20)
        press(page, "PageDown", "PageDown", "Control+End", "Control+Home")

    return least(page, scrolled, lambda traced: traced.longest)


def sorting(page: Page, column: str) -> float:
    """Return the time from the key that sorts to the paint of the rows."""
    heads = page.locator("[role=columnheader]").evaluate_all("all => all.map((head) => head.dataset.key)")
    page.locator("#grid").focus()
    press(page, "Control+Home", "Home", "ArrowUp", *["ArrowRight"] * heads.index(column))
    return to_paint(page, lambda: press(page, "Enter"))


def filtering(page: Page) -> float:
    """Return the time from a letter typed into the filter to the paint of what is left, of the slowest letter."""
    press(page, "/")

    def typed() -> None:
        page.keyboard.type("q0123")
        page.locator("#filter").evaluate("field => field.select()")
        press(page, "Delete")

    return to_paint(page, typed)


def opening_a_query(page: Page) -> float:
    """Return the time from the key for the next query to its paint."""
    page.locator("#grid").focus()
    press(page, "Control+Home", "Enter")
    page.locator("#query .arithmetic").wait_for()
    return to_paint(page, lambda: press(page, "j"))


def measured(opened: Opener) -> Iterator[tuple[str, float]]:
    """Measure a report on 1,000 queries and three systems, then one on 20,000 queries and two."""
    html = thousand().to_html()
    yield "first paint", best_of(3, lambda: first_paint(opened(html)))
    page = ready(opened(crowd(20_000).to_html()))
    charts(page)
    yield "scrolling", scrolling(page)
    yield "sorting", max(sorting(page, column) for column in COLUMNS)
    yield "filtering", filtering(page)
    yield "opening", opening_a_query(page)


def main() -> None:
    """Print what was measured; nothing where there is no Chromium."""
    program = executable(os.environ)
    if not program:
        sys.exit("no Chromium on PATH")
    with (
        tempfile.TemporaryDirectory() as folder,
        started(program) as browser,
        opening(Tabs(browser), Path(folder)) as opened,
    ):
        print(json.dumps(dict(measured(opened))))


if __name__ == "__main__":
    main()
