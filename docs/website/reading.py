"""Built pages go in; what the search reads comes out: every heading with the text below it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from website.sections import SECTIONS, START

LEVELS = ("h1", "h2", "h3", "h4")


def search_data(folder: Path, names: list[str]) -> str:
    """Return a script that gives the search every part of every page.

    A script, since a page that is opened from a file may not fetch one.
    """
    said = {page: answer for section in SECTIONS for page, answer in section.pages.items()}
    pages = [
        {"page": name, "answers": said.get(name, ""), "parts": list(_parts(folder, name))}
        for name in names
        if name != START
    ]
    return f"const PAGES = {json.dumps(pages, ensure_ascii=False, separators=(',', ':'))};\n"


def _parts(folder: Path, name: str) -> Iterator[tuple[str, str, str]]:
    reader = _Reader()
    reader.feed((folder / f"{name}.html").read_text("utf-8"))
    for anchor, heading, text in reader.parts:
        yield anchor, " ".join("".join(heading).split()), " ".join("".join(text).split())


class _Reader(HTMLParser):
    """Collects anchor, heading and text of each part of an article."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[tuple[str, list[str], list[str]]] = []
        self._inside = False
        self._anchor = ""
        self._place = 2
        self._silent = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Begin an article, a section, a heading, or a link that is no text."""
        values = dict(attributes)
        self._inside |= tag == "article"
        if tag == "section":
            self._anchor = values.get("id") or ""
        if tag in LEVELS and self._inside:
            self.parts.append((self._anchor, [], []))
            self._place = 1
        self._silent |= values.get("class") in ("headerlink", "twin")

    def handle_endtag(self, tag: str) -> None:
        """End them."""
        self._inside &= tag != "article"
        self._place = 2 if tag in LEVELS else self._place
        self._silent &= tag not in ("a", "p")
        if self.parts and tag in ("p", "td", "th", "li", "pre"):
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        """Keep the text of an article."""
        if self._inside and self.parts and not self._silent:
            self.parts[-1][self._place].append(data)  # type: ignore[union-attr]
