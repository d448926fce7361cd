"""The pictures of the report in the docs: ``python -m tests.heavy.browser.pictures`` takes them anew.

They are of the comparison in ``docs/first-verdict.md``: the two engines of the example shop by nDCG@10. The head of
the report is taken four times, since the site shows it as its reader would see it: dark, and as on a telephone.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

import idealrank as ir
from tests.heavy.browser.chromium import executable, started
from tests.heavy.browser.opening import opening
from tests.heavy.browser.rendered import open_query, ready
from tests.heavy.browser.tabs import Tabs

ROOT = Path(__file__).parents[3]
SHOP = ROOT / "examples" / "shop"
QUERY = "q14"
"""A query whose order got worse."""

HEAD, LISTS = {"width": 1180, "height": 512}, {"width": 1180, "height": 860}
"""The sizes of the screen."""

TELEPHONE = {"viewport": {"width": 390, "height": 620}, "device_scale_factor": 2}
HEADS: dict[str, dict[str, Any]] = {
    "report-verdict": {"viewport": HEAD},
    "report-verdict-dark": {"viewport": HEAD, "color_scheme": "dark"},
    "report-verdict-narrow": TELEPHONE,
    "report-verdict-narrow-dark": {**TELEPHONE, "color_scheme": "dark"},
}
"""The pictures of the head by name, and the screens they are taken of."""


def shop_report() -> str:
    """Return the page that is looked at."""
    files = [SHOP / "bm25.csv", SHOP / "hybrid.csv"]
    scores = ir.evaluate(SHOP / "judgments.csv", files, ["nDCG@10", "RR"], queries=SHOP / "queries.csv")
    return ir.report(ir.compare(scores), documents=SHOP / "products.csv").to_html()


def _taken(page: Page, name: str) -> None:
    page.screenshot(path=ROOT / "docs" / f"{name}.png")
    print(f"docs/{name}.png")


def main() -> None:
    """Take all pictures."""
    html = shop_report()
    with (
        tempfile.TemporaryDirectory() as folder,
        started(executable(os.environ)) as browser,
        opening(Tabs(browser), Path(folder)) as opened,
    ):
        for name, screen in HEADS.items():
            _taken(ready(opened(html, **screen)), name)
        page = ready(opened(html, viewport=LISTS))
        open_query(page, QUERY)
        _taken(page, "report-query")


if __name__ == "__main__":
    main()
