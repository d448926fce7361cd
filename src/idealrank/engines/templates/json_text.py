"""JSON templates: in a string of the template a value is escaped as JSON is; outside, it is a JSON value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from idealrank.engines.templates.places import Filters, Pieces, Place, Template, as_text, filled, pieces
from idealrank.errors import UsageError

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_TOKEN = re.compile(r'\{\{[^{}]*\}\}|\\.|"', re.DOTALL)


def inside(value: Any) -> str:
    r"""Return a value as it stands within a JSON string.

    Examples
    --------
    >>> print(inside('12" pipe'))
    12\" pipe
    """
    return json.dumps(as_text(value), ensure_ascii=False)[1:-1]


def outside(value: Any) -> str:
    """Return a value as JSON: a number as a number, a text with its quotes, null for nothing.

    A text that is a number of JSON is one, and a text that is a list of numbers is that list: a table of text has no
    others.

    Examples
    --------
    >>> outside(2.0), outside("red"), outside("0.5"), outside("007"), outside(None), outside(True)
    ('2', '"red"', '0.5', '"007"', 'null', 'true')
    >>> outside([0.1, 2]), outside("[0.1, 2]"), outside("[sic]")
    ('[0.1, 2]', '[0.1, 2]', '"[sic]"')
    """
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or value != value:
        return "null"
    if isinstance(value, (bool, int, float)):
        return as_text(value) if isinstance(value, (bool, int)) or value.is_integer() else json.dumps(value)
    if isinstance(value, str) and (_NUMBER.fullmatch(value) or _is_vector(value)):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_vector(text: str) -> bool:
    """Whether a text is a list of numbers in JSON."""
    if not (text.startswith("[") and text.endswith("]")):
        return False
    try:
        items = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return False
    return bool(items) and all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in items)


def compiled(template: Template, filters: Filters) -> Pieces:
    """Return a template's pieces.

    Raises
    ------
    UsageError
        If the template is not JSON; the message gives the line.
    """
    quoted = set(_quoted(template.text))
    places = [(place, inside if place.begin in quoted or place.made else outside) for place in template.places(filters)]
    _refuse_bare(template, [place for place, _ in places], quoted)
    parts = pieces(template.text, places)
    _checked(template, parts, [place for place, _ in places])
    return parts


def _quoted(text: str) -> Iterator[int]:
    """Yield where the places within strings begin."""
    within = False
    for token in _TOKEN.finditer(text):
        if token[0] == '"':
            within = not within
        elif within and token[0].startswith("{{"):
            yield token.start()


def _refuse_bare(template: Template, places: list[Place], quoted: set[int]) -> None:
    bare = next((place for place in places if place.made and place.begin not in quoted), None)
    if bare is not None:
        raise UsageError(
            f"{template.at(bare.begin)}: this is text, and stands outside of a JSON string. Put it between quotes."
        )


def _checked(template: Template, parts: Pieces, places: list[Place]) -> None:
    sample: dict[str, Any] = dict.fromkeys((place.name for place in places), 1)
    try:
        document = json.loads(filled(parts, sample))
    except ValueError as error:
        raise UsageError(f"{_said(template, error)} Places stand for whole values, or in strings.") from None
    if not isinstance(document, dict):
        raise UsageError(f"{template.at(0)}: a request is a JSON object, {{…}}.")


def _said(template: Template, error: ValueError) -> str:
    line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
    what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return f"{template.origin or template.name} line {line}: not JSON: {what}."


class _Any(dict[str, Any]):
    """A value for every name."""

    def __missing__(self, name: str) -> int:
        return 1


def document(template: Template, filters: Filters) -> dict[str, Any]:
    """Return a template as JSON, with 1 in every place."""
    found: dict[str, Any] = json.loads(filled(compiled(template, filters), _Any()))
    return found


def with_more(template: Template, more: Sequence[str]) -> Template:
    """Return a template with further members at the beginning of its object."""
    if not more:
        return template
    head, _, tail = template.text.partition("{")
    comma = "" if tail.lstrip().startswith("}") else ","
    gap = "" if tail[:1].isspace() else " "
    return replace(template, text=f"{head}{{{', '.join(more)}{comma}{gap}{tail}")
