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
suppress_warnings = [
    "toc.not_included"
]  # pages of examples are reached by links; tests/heavy/site checks those of docs
myst_heading_anchors = 6
nitpicky = True

html_theme = "furo"
html_static_path = [str(HERE / "static")]
templates_path = [str(HERE / "templates")]
html_css_files = ["site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("ranking.js", "search.js", "sidebar.js")]
html_copy_source = False
html_use_index = False
smartquotes = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks_icon = "#"
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {
        "color-brand-primary": "#0b5f6b",
        "color-brand-content": "#0b5f6b",
        "color-brand-visited": "#0b5f6b",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7fd0da",
        "color-brand-content": "#7fd0da",
        "color-brand-visited": "#7fd0da",
    },
}


_WIDE = re.compile(r'(<pre|<div class="table-wrapper[^"]*")(>)')
_PICTURE = re.compile(r'<img [^>]*src="([^"]+)"[^>]*>')
VARIANTS = {"": "light wide", "-dark": "dark wide", "-narrow": "light narrow", "-narrow-dark": "dark narrow"}
"""What a picture is called that has been taken for other screens, and the classes by which one of them is shown."""
_DOORS = re.compile(r"(?:<p><strong><a .*?</p>\n){2,}", re.DOTALL)


def navigation(_: Any, page: str, source: list[str]) -> None:
    """Give the start page the sections, as the navigation shows them."""
    if page == START:
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:caption: {section.title}\n\n" + "\n".join(section.pages) + "\n```\n"
            for section in SECTIONS
        )


def finish(_: Any, page: str, __: str, context: dict[str, Any], ___: Any) -> None:
    """Let keys scroll what is too wide and open pictures, lay out the doors, and lead to the page's Markdown."""
    if "body" in context:
        body = _WIDE.sub(r'\1 tabindex="0"\2', context["body"])
        body = _PICTURE.sub(_opened, body)
        body = _DOORS.sub(r'<div class="door-list">\g<0></div>', body) if page == START else body
        context["body"] = f'{body}<p class="twin"><a href="{page.rpartition("/")[2]}.md">This page as Markdown</a></p>'


def _opened(match: re.Match[str]) -> str:
    """Let a picture lead to itself; of one that was taken for several screens the page has each, and shows one."""
    image, address = match[0], match[1]
    name = Path(address).stem
    if not (HERE.parent / f"{name}-dark.png").is_file():
        return f'<a href="{address}">{image}</a>'
    addresses = {kind: address if not kind else address.replace(f"_images/{name}", name + kind) for kind in VARIANTS}
    return "".join(
        f'<a class="{shown}" href="{addresses[kind]}">{image.replace(address, addresses[kind])}</a>'
        for kind, shown in VARIANTS.items()
    )


def levelled(_: Any, __: str, ___: str, context: dict[str, Any], ____: Any) -> None:
    """Give the sections of the navigation the level of heading that Furo leaves out."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> None:
    """Connect the above, and leave out Sphinx's own search, which wants every word of a question."""
    app.connect("source-read", navigation)
    app.connect("html-page-context", finish)
    app.connect("html-page-context", levelled, priority=900)
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
