"""The picture of docs/chunks.md: one query's results under three units, drawn from what `explain` says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from xml.sax.saxutils import escape

import idealrank as ir
from pages.tables import ROOT

FOLDER = ROOT / "examples" / "manuals"
QUERY, MEASURES = "charge the torch", ("R@3", "nDCG@3")
UNITS = {"as_returned": "each chunk", "page": "pages", "source": "documents"}
"""The answers to `unit` that are drawn, and what is judged under each."""

WIDTH, ROW, TOP, LEFT = 264, 40, 96, 16
FILLS = {"earns": "#0b6e4f", "unjudged": "#ffffff", "repeat": "#ececec"}
INKS = {"earns": "#ffffff", "unjudged": "#333333", "repeat": "#767676"}


class Bar(NamedTuple):
    """One result: its rank among the units (0: none), its id, its kind, and what is said of it."""

    rank: int
    name: str
    kind: str
    said: str


def unit_picture() -> str:
    """Return the picture as SVG."""
    columns = [(unit, list(_bars(unit))) for unit in UNITS]
    height = TOP + ROW * max(len(bars) for _, bars in columns) + 16
    width = LEFT + WIDTH * len(columns)
    drawn = [line for place, (unit, bars) in enumerate(columns) for line in _column(LEFT + WIDTH * place, unit, bars)]
    title = f"The results of the query “{QUERY}” under three units"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif">',
            f"<title>{title}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            f'<text x="{LEFT}" y="28" font-size="16" font-weight="bold" fill="#222222">Query “{QUERY}”: six chunks, '
            "three units</text>",
            *drawn,
            "</svg>",
            "",
        ]
    )


def _bars(unit: str) -> Iterator[Bar]:
    found = _explained(unit, "nDCG@6")
    if unit == "as_returned":
        steps = found.steps
        for rank, name, grade in zip(steps["rank"], steps["doc"], steps["grade"], strict=True):
            yield Bar(rank, name, *(("earns", f"grade {grade:g}") if grade == grade else ("unjudged", "not judged")))
        return
    rank = 0
    for name, grade, credit in zip(*(found.parts[column] for column in ("unit", "grade", "credit")), strict=True):
        repeats = credit.startswith("repeats")
        rank += not repeats
        if repeats:
            yield Bar(0, name, "repeat", "again, earns nothing")
        else:
            yield Bar(rank, name, *(("earns", f"grade {grade:g}") if grade == grade else ("unjudged", "not judged")))


def _explained(unit: str, measure: str) -> ir.Explanation:
    return ir.explain(FOLDER / "judgments.csv", FOLDER / "results.csv", measure, QUERY, unit=unit)


def _column(x: int, unit: str, bars: list[Bar]) -> Iterator[str]:
    values = ", ".join(f"{name} {_explained(unit, name).score:.2f}" for name in MEASURES)
    yield f'<text x="{x}" y="58" font-size="13" fill="#222222">unit={unit}: {UNITS[unit]}</text>'
    yield f'<text x="{x}" y="78" font-size="13" fill="#555555">{values}</text>'
    for place, bar in enumerate(bars):
        y = TOP + ROW * place
        yield f'<text x="{x}" y="{y + 20}" font-size="13" fill="#222222">{bar.rank or "–"}</text>'
        yield (
            f'<rect x="{x + 18}" y="{y}" width="{WIDTH - 34}" height="{ROW - 8}" rx="4" fill="{FILLS[bar.kind]}" '
            'stroke="#767676"/>'
        )
        yield (
            f'<text x="{x + 28}" y="{y + 20}" font-size="13" fill="{INKS[bar.kind]}">{escape(bar.name)} · '
            f"{bar.said}</text>"
        )
