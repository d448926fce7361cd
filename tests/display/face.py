"""Read what a notebook shows, as a notebook reads it."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import idealrank as ir

VOID = {"br", "hr", "img"}


class Face(HTMLParser):
    """The tables of a page as rows of cells, its text, and every tag with its attributes; tags must close in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell."""
        self.tags.append((tag, dict(attrs)))
        self._open += [] if tag in VOID else [tag]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened last."""
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Keep the text, and that of a cell."""
        self.text += data
        if "td" in self._open or "th" in self._open:
            self.tables[-1][-1][-1] += data


def face(value: Any) -> Face:
    """Return what a notebook shows of a value."""
    return Face(value._repr_html_())


def card_text(found: ir.Comparison) -> str:
    """Return the outcome, the headline and the summary of the only verdict, as its card says them."""
    verdict = found.verdict
    return f"{verdict.system}: {verdict.outcome}: {verdict.headline}. {' '.join(verdict.summary)}"


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    levels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
