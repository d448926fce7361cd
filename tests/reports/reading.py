"""An HTML page read by the standard library's parser: its elements with their attributes and text."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = frozenset({"meta", "br", "input", "img", "link", "hr", "wbr"})


@dataclass
class Element:
    """An element: name, attributes, the elements and texts in it."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text within."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        """Return the elements within that have this name and these attributes (`class_` holds one of its words)."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child] if child.has(tag, attributes) else []
                found += child.all(tag, **attributes)
        return found

    def one(self, tag: str = "", **attributes: str) -> Element:
        """Return the only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def has(self, tag: str, attributes: dict[str, str]) -> bool:
        """Say whether the element has this name and these attributes."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        words = self.attributes.get("class", "").split()
        return (not tag or self.tag == tag) and all(
            value in words if name == "class" else self.attributes.get(name) == value for name, value in wanted.items()
        )


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(html: str) -> Element:
    """Return the page; every element must be closed, in order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    (page,) = reader.open
    return page


def data_of(page: Element) -> dict[str, Any]:
    """Return the parts of the report that the page holds."""
    blocks = page.all("script", type="application/gzip")
    return {
        block.attributes["id"].removeprefix("part-"): json.loads(gzip.decompress(base64.b64decode(block.text)))
        for block in blocks
    }


def spaced(text: str) -> str:
    """Return a text with single spaces."""
    return re.sub(r"\s+", " ", text).strip()
