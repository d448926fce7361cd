"""What a notebook shows, drawn in a cell as narrow as cells are: nothing overflows, and names stay in sight."""

from __future__ import annotations

import functools

import pytest

import idealrank as ir
from tests.comparison.pairs import shop
from tests.comparison.worlds import random_world
from tests.heavy.browser.opening import Opener

WIDTHS = (600, 900, 1440)
THEMES = {
    # The rules of JupyterLab 4 that meet our tables, with the colours of its themes.
    "light": ":root { --jp-layout-color0: #ffffff; --jp-content-font-color1: #000000; --stripe: #f5f5f5 }",
    "dark": ":root { --jp-layout-color0: #111111; --jp-content-font-color1: #ffffff; --stripe: #212121 }",
    "vscode": ":root { --vscode-editor-background: #1e1e1e; --vscode-editor-foreground: #cccccc; --stripe: none }",
}
GROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 17, 17)", "vscode": "rgb(30, 30, 30)"}
RULES = """
body { margin: 0; font: 14px sans-serif; background: var(--jp-layout-color0, var(--vscode-editor-background)) }
.cell { margin-left: 90px; overflow: auto }
td, th { padding: .5em; white-space: normal } table { table-layout: fixed }
tbody tr:nth-child(even) { background: var(--stripe) }
"""


def notebook(theme: str) -> str:
    """Return a page of cells with all that is wide."""
    cells = "".join(f'<div class="cell">{html}</div>' for html in faces())
    return f"<!doctype html><style>{THEMES[theme]}{RULES}</style>{cells}"


@functools.cache
def faces() -> list[str]:
    """What a notebook shows of values that are wide."""
    judgments, runs = random_world(1, queries=10, systems=8)
    long = {f"a_search_service_with_reranking_{name}": run for name, run in runs.items()}
    scores = ir.evaluate(judgments, long, ["nDCG@10", "P@10", "R@100", "RR", "AP"])
    values = [
        shop(),
        scores,
        ir.compare(scores),
        ir.leaderboard(scores),
        scores.explain("AP", "q000", scores.systems[0]),
    ]
    return [*(each._repr_html_() for each in values), ir.plot(shop())._repr_mimebundle_()["text/html"]]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows(width: int, theme: str, opened: Opener) -> None:
    """No cell scrolls sideways at any width: tables do within themselves, and plots fit."""
    page = opened(notebook(theme), viewport={"width": width, "height": 800})
    assert page.evaluate("[...document.querySelectorAll('.cell')].map((e) => e.scrollWidth - e.clientWidth)") == [0] * 6
    image = page.locator("img").bounding_box()
    assert image is not None
    assert image["width"] == min(width - 90, 715)


@pytest.mark.parametrize("theme", THEMES)
def test_the_first_column_stays(theme: str, opened: Opener) -> None:
    """A wide table that is scrolled keeps its first column where it was, above the others, on the notebook's ground."""
    page = opened(notebook(theme), viewport={"width": 600, "height": 800})
    cell = page.locator(".cell").nth(1)
    first, second = (cell.locator(f"tbody tr:nth-child(2) td:nth-child({place})") for place in (1, 2))
    before = [each.bounding_box() for each in (first, second)]
    cell.locator("div").first.evaluate("(e) => { e.scrollLeft = 120 }")
    after = [each.bounding_box() for each in (first, second)]
    assert after[0] == before[0]
    assert after[1]["x"] == before[1]["x"] - 120  # type: ignore[index]
    x, y = after[1]["x"] + 60, after[1]["y"] + 8  # type: ignore[index]
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).cellIndex", [x, y]) == 0
    assert first.evaluate("(e) => getComputedStyle(e).backgroundColor") == GROUNDS[theme]
