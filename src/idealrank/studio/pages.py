"""The pages of the studio: templates, and how they write numbers, names and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from idealrank.comparison.comparison import Comparison
from idealrank.errors import plural, visible, visible_lines
from idealrank.reports.page import markup
from idealrank.reports.page.front import answer, front_table
from idealrank.reports.page.grades import raters
from idealrank.reports.report import report
from idealrank.reports.types import PARTS, RatersPart
from idealrank.studio.project import Look

Address = Mapping[str, Any]


def environment() -> Environment:
    """Return what renders the templates: all texts are escaped, and a name that is not known is an error."""
    made = Environment(
        loader=PackageLoader("idealrank.studio"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["short"] = lambda value, sign="": Markup(markup.short(_number(value), sign))
    made.filters["fixed"] = lambda value: Markup(markup.fixed(_number(value)))
    made.filters["change"] = lambda value, direction="higher": Markup(markup.change(_number(value), direction))
    made.filters["name"] = lambda text: Markup(markup.name(str(text)))
    made.filters["visible"] = visible
    made.filters["number"] = lambda value: "–" if value != value else markup.minus(f"{value:,.12g}")
    made.filters["lines"] = visible_lines
    made.filters["count"] = lambda number: f"{number:,}"
    made.globals["plural"] = plural
    made.globals["address"] = address
    return made


def _number(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def address(path: str, look: Look | Address | None = None, **more: Any) -> str:
    """Return an address of the studio: a path, what is looked at, and more; what is None or "" is left out."""
    given = look.parameters if isinstance(look, Look) else dict(look or {})
    asked = {key: str(value) for key, value in {**given, **more}.items() if value not in (None, "")}
    return f"{path}?{urlencode(asked)}" if asked else path


class _Parts(Mapping[str, Any]):
    """The parts of a report, each made when it is asked for."""

    def __init__(self, comparison: Comparison) -> None:
        self._report = report(comparison)

    def __getitem__(self, part: str) -> Any:
        return getattr(self._report, part)

    def __iter__(self) -> Iterator[str]:
        return iter(PARTS)

    def __len__(self) -> int:
        return len(PARTS)


def agreement_page(part: RatersPart, direction: str) -> Markup:
    """Return the report's part on raters."""
    parts: Any = {"grades": {"calibrations": [], "raters": part}, "measures": [{"direction": direction}]}
    return Markup(raters(parts))


_ANCHOR = re.compile(r'href="#(\w*)"(?: data-query="([^"]*)")?')


def card(comparison: Comparison, look: Look) -> tuple[Markup, Markup]:
    """Return the report's card, and its table of measures; what they lead to is a page of the studio."""
    parts: Any = _Parts(comparison)
    said, measures = (_ANCHOR.sub(lambda found: _link(found, look), each(parts)) for each in (answer, front_table))
    return Markup(said), Markup(measures)


_PAGES = {"changes": "/queries", "queries": "/queries", "ledger": "/queries", "holes": "/grade"}
"""Where a part of the report is in the studio; all others are in the report itself."""


def _link(found: re.Match[str], look: Look) -> str:
    if found[2] is not None:
        return f'href="{escape(address("/query", look, q=unescape(found[2])))}"'
    path = _PAGES.get(found[1], "/report.html")
    anchor = f"#{found[1]}" if path == "/report.html" else ""
    return f'href="{escape(address(path, look))}{anchor}"'
