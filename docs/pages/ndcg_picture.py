"""The picture of docs/what-is-ndcg.md: the list of one query beside the ideal list, drawn from what `explain` says."""

from __future__ import annotations

from collections.abc import Iterator

import idealrank as ir
from idealrank import Table
from pages.tables import ROOT

SHOP = ROOT / "examples" / "shop"
QUERY, MEASURE = "torch", "nDCG@5"

BAR, UNIT, TOP, LEFT, GAP = 60, 44, 88, 24, 64
"""Width of a bar, height of one grade, and what is around them, in pixels."""

FILL, EMPTY, INK, FAINT = "#0b6e4f", "#dcebe5", "#222222", "#555555"


def ndcg_picture() -> str:
    """Return the picture as SVG: each bar is as high as the gain, and filled as high as what it contributes."""
    found = ir.explain(SHOP / "judgments.csv", SHOP / "bm25.csv", MEASURE, QUERY, queries=SHOP / "queries.csv")
    steps = found.steps.take(range(5))
    highest = max(*steps["gain"], *found.ideal["gain"])
    wide = BAR * len(found.ideal)
    width, base = 2 * (LEFT + wide) + GAP, TOP + round(UNIT * highest)
    text = f"{found.total:.2f} / {found.normaliser:.2f} = {found.score:.2f}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{base + 64}" '
            f'viewBox="0 0 {width} {base + 64}" role="img" font-family="sans-serif">',
            f"<title>{MEASURE} of the query “{QUERY}”</title>",
            f'<rect width="{width}" height="{base + 64}" fill="#ffffff"/>',
            _text(LEFT, 28, f"{MEASURE} of the query “{QUERY}”: {text}", 16, INK, "bold"),
            *_list(LEFT, base, "returned", steps, found.total),
            *_list(LEFT + wide + GAP, base, "ideal", found.ideal, found.normaliser),
            "</svg>",
            "",
        ]
    )


def _list(x: int, base: int, name: str, steps: Table, total: float) -> Iterator[str]:
    """Draw one list: a bar per rank, its grade above it, and what it adds below."""
    yield _text(x, 56, f"{name}: {total:.2f}", 13, INK)
    columns = zip(steps["grade"], steps["gain"], steps["contribution"], strict=True)
    for place, (grade, gain, share) in enumerate(columns):
        left, high, filled = x + BAR * place, round(UNIT * gain), round(UNIT * share)
        yield f'<rect x="{left}" y="{base - high}" width="{BAR - 8}" height="{high}" fill="{EMPTY}"/>'
        yield f'<rect x="{left}" y="{base - filled}" width="{BAR - 8}" height="{filled}" fill="{FILL}"/>'
        yield f'<rect x="{left}" y="{base}" width="{BAR - 8}" height="1" fill="{INK}"/>'
        yield _text(left, base - high - 6, f"grade {grade:g}" if grade == grade else "unjudged", 12, FAINT)
        yield _text(left, base + 20, f"rank {place + 1}", 12, FAINT)
        yield _text(left, base + 40, f"+{share:.2f}", 13, INK)


def _text(x: int, y: int, text: str, size: int, fill: str, weight: str = "normal") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}">{text}</text>'
