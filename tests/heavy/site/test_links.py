"""Links, anchors and pictures of the site lead somewhere, and none to a server that a page would need."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.heavy.site.building import pages

OUTSIDE = ("https://", "http://")


class Read(HTMLParser):
    """The anchors of a page, where it leads, and what it loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.leads: list[str] = []
        self.loads: list[str] = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep the id and the address of an element."""
        values = {name: value or "" for name, value in attributes}
        self.anchors.add(values.get("id", ""))
        if tag == "a":
            self.leads.append(values.get("href", "#"))
        else:
            self.loads += [values[name] for name in ("src", "href") if name in values]


def test_links_and_anchors(site: Path) -> None:
    """Every link of every page leads to a file of the site, and to an anchor where it names one."""
    read = {site / f"{name}.html": Read(site / f"{name}.html") for name in pages(site)}
    broken = []
    for file, page in read.items():
        for link in [*page.leads, *page.loads]:
            if link.startswith(OUTSIDE):
                continue
            path, _, anchor = unquote(link).partition("#")
            target = (file.parent / path.partition("?")[0]).resolve() if path else file
            there = target.is_file() and (target not in read or anchor in read[target].anchors)
            broken += [] if there or (not path and file.name and link.startswith("#svg-")) else [f"{file.name}: {link}"]
    assert broken == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """No page and no style loads a font, a script, a style or a picture from another place."""
    assert [one for name in pages(site) for one in Read(site / f"{name}.html").loads if one.startswith(OUTSIDE)] == []
    assert [style.name for style in site.rglob("*.css") if "url(http" in style.read_text("utf-8")] == []


@pytest.mark.parametrize("ending", ["_sources", "objects.inv", "genindex.html", ".buildinfo"])
def test_what_nobody_reads(ending: str, site: Path) -> None:
    """The site contains nothing that only a generator reads."""
    assert not (site / ending).exists()
