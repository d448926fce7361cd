"""The parts of a small page: ``python -m tests.heavy.browser.approve`` writes what was approved anew.

A part is written as a screen reader finds it: roles, names and texts, by Playwright.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import Locator, Page

from tests.approving import write
from tests.heavy.browser.chromium import executable, started
from tests.heavy.browser.opening import Opener, opening
from tests.heavy.browser.rendered import charts, open_query, ready, show_tab, table_behind
from tests.heavy.browser.tabs import Tabs
from tests.reports.worlds import garden

APPROVED = Path(__file__).with_name("approved")
PANELS = ("decisions", "methods", "means", "ledger", "holes", "inputs")
QUERY = "q1"
CHOSEN = (".query-steps", ".query-head", ".query-values", ".query-lists")


def parts(opened: Opener) -> dict[str, str]:
    """Open the report of the garden and return its parts by name."""
    page = ready(opened(garden().to_html()))
    found = {
        "summary": _read(page, "#summary"),
        "measures": _read(page, "#measures"),
        "changes": _read(page, "#changes"),
        "bar": _read(page, "#bar"),
        **{f"chart-{name}": _chart(figure) for name, figure in charts(page).items()},
        "queries": _read(page, "#queries"),
        **{f"method-{name}": show_tab(page, name).aria_snapshot() + "\n" for name in PANELS},
        "keys": _keys(page),
    }
    open_query(page, QUERY)
    chosen = _read(page, *(f"#query {each}" for each in CHOSEN))
    return found | {"query": chosen, "arithmetic": _read(page, "#query .arithmetic"), "foot": _read(page, ".foot")}


def _read(page: Page, *selectors: str) -> str:
    return "\n".join(page.locator(selector).aria_snapshot() for selector in selectors) + "\n"


def _chart(figure: Locator) -> str:
    table_behind(figure)
    return figure.aria_snapshot() + "\n"


def _keys(page: Page) -> str:
    page.keyboard.press("?")
    text = _read(page, "#keys")
    page.keyboard.press("Escape")
    return text


def main() -> None:
    """Write all parts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        started(executable(os.environ)) as browser,
        opening(Tabs(browser), Path(folder)) as opened,
    ):
        write(APPROVED, "yml", parts(opened))


if __name__ == "__main__":
    main()
