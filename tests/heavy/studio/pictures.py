"""The pictures of the studio in the docs: ``python -m tests.heavy.studio.pictures`` takes them anew.

They are of the two engines of the example shop.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import expect

from tests.heavy.browser.chromium import executable, started
from tests.heavy.studio.serving import serving
from tests.studio.worlds import shop_project

DOCS = Path(__file__).parents[3] / "docs"
FIRST, GRADE = {"width": 1280, "height": 800}, {"width": 1280, "height": 640}
"""The sizes of the screen."""
WORDS = [[0, "irrelevant"], [1, "related"], [2, "fits"], [3, "exactly this"]]
GUIDELINE = "Would somebody who typed this be glad to see this product among the first results?"


def main() -> None:
    """Take both pictures."""
    with tempfile.TemporaryDirectory() as folder, started(executable(os.environ)) as browser:
        project = shop_project(str(Path(folder, "shop.studio.db")))
        project.store["scale"] = WORDS
        project.store["guideline"] = GUIDELINE
        with serving(project) as address:
            page = browser.new_page(viewport=FIRST)
            page.goto(f"{address}/?gain=exp2")
            expect(page.locator("#decisions select").first).to_be_visible()
            page.screenshot(path=DOCS / "studio-first.png")
            page.set_viewport_size(GRADE)
            page.context.add_cookies([{"name": "rater", "value": "ann", "url": address}])
            page.goto(f"{address}/grade")
            expect(page.locator("#countdown b").first).to_be_visible(timeout=30_000)
            page.screenshot(path=DOCS / "studio-grade.png")
        project.close()
    print("docs/studio-first.png\ndocs/studio-grade.png")


if __name__ == "__main__":
    main()
