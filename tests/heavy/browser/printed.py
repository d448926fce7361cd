"""What the command line prints, taken apart."""

from __future__ import annotations

import re
from typing import NamedTuple

WIDEST = 10_000
_COLOURS = re.compile(r"\x1b\[\d*m")


def tables(text: str) -> list[list[dict[str, str]]]:
    """Return the tables that a command drew on a terminal: those with a line below their heads."""
    lines = [_COLOURS.sub("", line) for line in text.splitlines()]
    starts = [at for at, line in enumerate(lines) if line.startswith("──")]
    return [_table(lines[at - 1], lines[at + 1 :]) for at in starts]


def _table(head: str, lines: list[str]) -> list[dict[str, str]]:
    names = re.split(r"\s{2,}", head.strip())
    rows = [re.split(r"\s{2,}", line.strip()) for line in _until_blank(lines)]
    whole = [row for row in rows if len(row) > 1]  # not the notes
    return [dict(zip(names, row + [""] * (len(names) - len(row)), strict=True)) for row in whole]


def _until_blank(lines: list[str]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    return lines[:end]


class Explained(NamedTuple):
    """What `idealrank explain` printed: its value, the steps of results and of the ideal list, and the quotient."""

    value: str
    steps: list[dict[str, str]]
    ideal: list[dict[str, str]]
    quotient: str


def explained(text: str) -> Explained:
    """Take apart what `idealrank explain` printed."""
    lines = text.splitlines()
    at = next((place for place, line in enumerate(lines) if line.lstrip().startswith("rank  ")), len(lines))
    rows = [
        line for line in _until_blank(lines[at:]) if "more result" not in line and not line.lstrip().startswith("──")
    ]
    cut = _width_of_results(lines[2], rows)
    return Explained(
        lines[0].rpartition(" = ")[2],
        _columns([row[:cut] for row in rows]),
        _columns([row[cut:] for row in rows]),
        next((line for line in lines if line.startswith("contributions")), ""),
    )


def _width_of_results(title: str, rows: list[str]) -> int:
    """Return where the ideal list begins beside the results."""
    if "ideal list" not in title or not rows:
        return WIDEST
    return title.index("ideal list")


def _columns(lines: list[str]) -> list[dict[str, str]]:
    head, *rows = (line.split() for line in lines or [""])
    return [dict(zip(head, row, strict=True)) for row in rows if row]
