"""Statements: SQL templates, in which values are bound as parameters and never become text of the statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from idealrank.engines.templates.places import Filters, Place, Template, as_text
from idealrank.errors import UsageError

_TOKEN = re.compile(r"'(?:''|[^'])*'|\"(?:\"\"|[^\"])*\"|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$", re.DOTALL)


@dataclass(frozen=True)
class Statement:
    """A statement with marks where its parameters are bound."""

    text: str
    bound: tuple[tuple[str, Place], ...]

    def parameters(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of each parameter; a list as JSON text, which is how vectors are written in SQL."""
        return {name: _scalar(place.value(values)) for name, place in self.bound}


def _scalar(value: Any) -> Any:
    return as_text(value) if isinstance(value, (list, dict)) else value


def compiled(
    template: Template, filters: Filters, mark: Callable[[str], str], literal: Callable[[str], str] = str
) -> Statement:
    """Return a template as a statement.

    Parameters
    ----------
    mark
        Writes the place of a parameter, as :p0 or %(p0)s.
    literal
        Writes the text around it, where the marks ask for an escape.

    Raises
    ------
    UsageError
        If a place stands within quotes or a comment; the message gives its line.
    """
    spans = [found.span() for found in _TOKEN.finditer(template.text)]
    text, bound, at = "", [], 0
    for number, place in enumerate(template.places(filters)):
        if any(begin < place.begin < end for begin, end in spans):
            raise UsageError(
                f"{template.at(place.begin)}: {{{{{place.name}}}}} stands within quotes or a comment. Values are bound "
                "as parameters: write it without quotes."
            )
        text += literal(template.text[at : place.begin]) + mark(f"p{number}")
        bound.append((f"p{number}", place))
        at = place.end
    return Statement(text + literal(template.text[at:]), tuple(bound))
