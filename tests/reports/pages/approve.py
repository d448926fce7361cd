"""Pages as they are read: ``python -m tests.reports.pages.approve`` writes what was approved anew.

A page is written line by line: its parts by id, headings, sentences, rows of tables, and where a drawing has its lines.
The front of each page is there with the means; of the sheets behind it those that a world is about.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from pathlib import Path

import idealrank as ir
from tests.approving import write
from tests.reports.pages.worlds import WORLDS
from tests.reports.reading import Element, read, spaced

APPROVED = Path(__file__).with_name("approved")
READ = {"h1", "h2", "h3", "h4", "p", "li", "dt", "dd", "tr", "label"}
DRAWN = {"line": ("x1", "x2"), "circle": ("cx", "cy"), "path": ("d",)}
SHEETS = {
    "changed decisions": ("decisions",),
    "failed": ("ledger", "methods"),
    "only some queries": ("holes",),
    "two": ("ledger", "holes", "inputs"),
    "unjudged": ("holes",),
    **dict.fromkeys(("all pairs", "corrected by holm", "four pairs", "lower is better, six"), ("methods",)),
    **dict.fromkeys(("not corrected", "three pairs", "weight 0"), ("methods",)),
}
"""The sheets that a world is about."""


def text_of(name: str) -> str:
    """Return what the page of a world says without script; its hashes and the version are named elsewhere."""
    hidden = {"decisions", "inputs", "ledger", "holes", "methods"} - set(SHEETS.get(name, ()))
    found = "\n".join([*lines(read(WORLDS[name]().to_html()).one("main"), hidden), ""])
    return re.sub(r"(?<=SHA-256)\W*[0-9a-f]+…?", "", found).replace(f"idealrank {ir.__version__}", "idealrank")


def lines(element: Element, hidden: Container[str] = ()) -> Iterator[str]:
    """Yield the lines of an element, without the parts of these ids."""
    for child in element.children:
        if isinstance(child, str) or child.attributes.get("id") in hidden:
            continue
        if child.tag == "section" or child.attributes.get("role") == "tabpanel":
            yield f"\n# {child.attributes.get('id', '')}"
        if child.tag in READ:
            yield f"{child.tag}: {_words(child)}".rstrip()
        elif child.tag in DRAWN:
            places = (child.attributes.get(name, "") for name in DRAWN[child.tag])
            yield f"{child.tag} {child.attributes.get('class', '')} {' '.join(places)}"
        else:
            yield from lines(child, hidden)


def _words(element: Element) -> str:
    """Return the words of an element; cells stand between bars, with their shade and the places of what is drawn."""
    if element.tag != "tr":
        return spaced(element.text)
    cells = (each for each in element.children if isinstance(each, Element))
    return " | ".join(" ".join([spaced(cell.text), *_signs(cell)]).strip() for cell in cells)


def _signs(cell: Element) -> Iterator[str]:
    """Yield the shade of a cell, whether it is a gain or a loss, and its drawing."""
    for each in cell.all():
        words = set(each.attributes.get("class", "").split())
        yield from sorted(f"[{word}]" for word in words if word in ("gain", "loss") or word.startswith("shade"))
    yield from (f"({line})" for line in lines(cell) if line.startswith(tuple(DRAWN)))


def pages() -> dict[str, str]:
    """Return every page by the name of its world."""
    return {name: text_of(name) for name in WORLDS}


if __name__ == "__main__":
    write(APPROVED, "txt", pages())
