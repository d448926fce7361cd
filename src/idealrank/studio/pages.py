"""The pages of the studio: templates, and how they write numbers, names and addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, pass_context
from jinja2.runtime import Context

from idealrank.comparison.comparison import Comparison
from idealrank.errors import visible_lines
from idealrank.reports.page import page
from idealrank.reports.page.markup import minus
from idealrank.reports.report import report
from idealrank.reports.types import PARTS
from idealrank.studio.project import Look

Address = Mapping[str, Any]


def environment() -> Environment:
    """Return what renders the studio's templates, and the parts that it has in common with the report's page."""
    made = page.environment(PackageLoader("idealrank.studio"))
    made.filters["number"] = lambda value: "–" if value != value else minus(f"{value:,.12g}")
    made.filters["lines"] = visible_lines
    made.globals["address"] = address
    made.globals["link"] = link
    return made


def address(path: str, look: Look | Address | None = None, **more: Any) -> str:
    """Return an address of the studio: a path, what is looked at, and more; what is None or "" is left out."""
    given = look.parameters if isinstance(look, Look) else dict(look or {})
    asked = {key: str(value) for key, value in {**given, **more}.items() if value not in (None, "")}
    return f"{path}?{urlencode(asked)}" if asked else path


_PAGES = {"changes": "/queries", "queries": "/queries", "ledger": "/queries", "holes": "/grade"}
"""Where a part of the report is in the studio; all others are in the report itself."""


@pass_context
def link(context: Context, part: str, query: str = "") -> str:
    """Return where a part of the report is in the studio, or where a query is."""
    look = context["look"]
    if query:
        return address("/query", look, q=query)
    return address(_PAGES[part], look) if part in _PAGES else f"{address('/report.html', look)}#{part}"


class Sections(Mapping[str, Any]):
    """The sections of a report, each made when it is asked for."""

    def __init__(self, comparison: Comparison) -> None:
        self._report = report(comparison)

    def __getitem__(self, part: str) -> Any:
        return getattr(self._report, part)

    def __iter__(self) -> Iterator[str]:
        return iter(PARTS)

    def __len__(self) -> int:
        return len(PARTS)
