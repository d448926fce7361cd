"""How Sphinx makes the site of the staged pages; `docs/make_site.py` calls it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from website.sections import SECTIONS, START  # noqa: E402 (Sphinx reads this file alone)

project = "idealrank"
html_title = "idealrank"
extensions = ["myst_parser"]
root_doc = START
suppress_warnings = ["toc.not_included"]  # pages of examples are reached by links; tests/site checks those of docs
myst_heading_anchors = 6
nitpicky = True

html_theme = "furo"
html_static_path = [str(HERE / "static")]
templates_path = [str(HERE / "templates")]
html_css_files = ["site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("ranking.js", "search.js")]
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_permalinks_icon = "#"
html_theme_options = {"top_of_page_buttons": [], "navigation_with_keys": False}


def navigation(_: Any, page: str, source: list[str]) -> None:
    """Give the start page the sections, as the navigation shows them."""
    if page == START:
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:caption: {section.title}\n\n" + "\n".join(section.pages) + "\n```\n"
            for section in SECTIONS
        )


def finish(_: Any, page: str, __: str, context: dict[str, Any], ___: Any) -> None:
    """Let keys scroll what is too wide, and lead to the page's Markdown."""
    if body := context.get("body"):
        body = re.sub(r"<pre>|<div class=\"table-wrapper[^\"]*\"", lambda found: f'{found[0].rstrip(">")} tabindex="0"' + ">" * found[0].endswith(">"), body)
        name = page.rpartition("/")[2]
        context["body"] = f'{body}<p class="twin"><a href="{name}.md">This page as Markdown</a></p>'


def setup(app: Any) -> None:
    """Connect the above, and leave out Sphinx's own search, which wants every word of a question."""
    app.connect("source-read", navigation)
    app.connect("html-page-context", finish)
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
