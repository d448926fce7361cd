"""The pictures of docs/plots.md: each is drawn by the lines that stand above it on the page."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from functools import cache
from typing import Any

from pages.tables import DOCS, ROOT

_PART = re.compile(
    r"^```python\n(?P<code>.*?)^```$|^!\[[^\]]*\]\((?P<file>plots-[\w-]+\.svg)\)$", re.MULTILINE | re.DOTALL
)


@cache
def gallery() -> dict[str, str]:
    """Return the SVG of each picture, by its file: of the last `figure` that the page has made when it shows it."""
    names: dict[str, Any] = {}
    drawn: dict[str, str] = {}
    with contextlib.chdir(ROOT):  # the page names files from there
        for part in _PART.finditer((DOCS / "plots.md").read_text("utf-8")):
            if part["file"]:
                drawn[part["file"]] = _plain(names.pop("figure").file("svg").decode())
            else:
                with contextlib.redirect_stdout(io.StringIO()):
                    for example in doctest.DocTestParser().get_examples(part["code"]):
                        exec(compile(example.source, "docs/plots.md", "single"), names)
    return drawn


def _plain(svg: str) -> str:
    """Return a drawing without blanks at the ends of its lines, as every text in the repository is."""
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())
