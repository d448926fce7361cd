"""Parameters: templates with a name=value on each line, and addresses with {{places}}; both are URL-encoded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from idealrank.engines.templates.places import Escape, Filters, Pieces, Template, as_text, filled, pieces
from idealrank.errors import UsageError

_LOCAL = re.compile(r"\{!(?:[^}'\"]|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")*\}")
_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")

Parameters = tuple[tuple[str, Pieces], ...]


def local(value: Any) -> str:
    r"""Return a value as it stands between quotes in Solr's local params.

    Examples
    --------
    >>> print(local("men's"))
    men\'s
    """
    return re.sub(r"(['\"\\$])", r"\\\1", as_text(value))


def first(value: Any) -> str:
    """Return a value that begins a parameter: Solr reads {! at its very beginning as local params, not after a blank.

    Examples
    --------
    >>> first("{!func}price"), first("red")
    (' {!func}price', 'red')
    """
    text = as_text(value)
    return f" {text}" if text.startswith("{!") else text


def compiled(template: Template, filters: Filters) -> Parameters:
    """Return the name and the pieces of each parameter; lines that begin with # say nothing.

    Raises
    ------
    UsageError
        If a line has no ``=``, or a value stands in local params without quotes; the message gives the line.
    """
    places, found, begin = list(template.places(filters)), [], 0
    for line in template.text.splitlines(keepends=True):
        end = begin + len(line.rstrip())
        if line.strip() and not line.lstrip().startswith("#"):
            name, equals, _ = line.partition("=")
            if not equals or not name.strip() or "{{" in name:
                raise UsageError(f"{template.at(begin)}: {line.strip()[:60]!r} is no parameter. Write name=value.")
            start = begin + len(name) + 1
            mine = [(p, _escape(template, start, end, p.begin)) for p in places if start <= p.begin < end]
            found.append((name.strip(), pieces(template.text, mine, start, end)))
        begin += len(line)
    if not found:
        raise UsageError(f"{template.at(0)}: there is no parameter. Write name=value on each line.")
    return tuple(found)


def _escape(template: Template, begin: int, end: int, place: int) -> Escape:
    """Return the escape for a place in a parameter: by where it stands in local params, or that it comes first."""
    for params in _LOCAL.finditer(template.text, begin, end):
        if params.start() < place < params.end():
            if any(q.start() < place < q.end() for q in _QUOTED.finditer(template.text, params.start(), params.end())):
                return local
            raise UsageError(
                f"{template.at(place)}: a value stands in local params without quotes. Write '{{{{query}}}}', or "
                "v=$qq with a parameter qq={{query}}."
            )
    return first if not template.text[begin:place].strip() else as_text


def encoded(parameters: Parameters, values: Mapping[str, Any]) -> str:
    """Return the parameters with their places filled, URL-encoded."""
    return urlencode([(name, filled(parts, values)) for name, parts in parameters])


def address(template: Template) -> Pieces:
    """Return the pieces of an address with places; values are percent-encoded."""
    return pieces(template.text, [(place, _percent) for place in template.places({})])


def _percent(value: Any) -> str:
    return quote(as_text(value), safe="")
