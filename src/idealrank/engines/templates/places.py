"""Places: where a template has {{query}}, {{k}} or another value, and by which words it is made."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idealrank.errors import UsageError, listed, nearest

_PLACE = re.compile(r"\{\{\s*([^{}|]*?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}")

Escape = Callable[[Any], str]
Filters = Mapping[str, Callable[[str], str]]


@dataclass(frozen=True)
class Place:
    """A place for a value.

    Attributes
    ----------
    name
        The value's name: query, k, a column of the queries, or a setting.
    made
        How the text of a value is made a part of the query language; None where it is taken as it is.
    begin, end
        Its characters in the template.
    """

    name: str
    made: Callable[[str], str] | None
    begin: int
    end: int

    def value(self, values: Mapping[str, Any]) -> Any:
        """Return the value that belongs here."""
        value = values[self.name]
        return value if self.made is None else self.made(as_text(value))


@dataclass(frozen=True)
class Template:
    """A request with places for values.

    Attributes
    ----------
    name
        Its name, which is the system's: the file's without its ending.
    text
        The whole text.
    origin
        The file it was read from; "" for one that an engine brings along.
    """

    name: str
    text: str
    origin: str = ""

    def places(self, filters: Filters) -> Iterator[Place]:
        """Yield the places in the order of the text.

        Raises
        ------
        UsageError
            If a place has no name, or asks for a filter there is not.
        """
        for found in _PLACE.finditer(self.text):
            name, made = found[1], found[2]
            if not name:
                raise UsageError(f"{self.at(found.start())}: {found[0]} names no value. Write {{{{query}}}}.")
            if made is not None and made not in filters:
                known = f" Known: {listed(filters)}." if filters else " This engine has none."
                raise UsageError(
                    f"{self.at(found.start())}: {found[0]}: there is no {made!r} to make a query with."
                    f"{nearest(made, filters)}{known}"
                )
            yield Place(name, filters[made] if made else None, found.start(), found.end())

    def at(self, place: int) -> str:
        """Return where a character is, for messages."""
        before = self.text[:place]
        line, column = before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
        return f"{self.origin or f'the template of {self.name}'} line {line}, column {column}"


def as_text(value: Any) -> str:
    """Return a value as text: nothing for None, 2 for 2.0; lists, true and false as JSON writes them."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


Pieces = tuple[str | tuple[Place, Escape], ...]


def pieces(text: str, places: Sequence[tuple[Place, Escape]], begin: int = 0, end: int | None = None) -> Pieces:
    """Return the texts between places, and the places with their escapes."""
    parts: list[str | tuple[Place, Escape]] = []
    at, end = begin, len(text) if end is None else end
    for place, escape in places:
        parts += [text[at : place.begin], (place, escape)]
        at = place.end
    return (*parts, text[at:end])


def names_of(parts: Pieces) -> frozenset[str]:
    """Return the names of the values that a text needs."""
    return frozenset(part[0].name for part in parts if not isinstance(part, str))


def filled(parts: Pieces, values: Mapping[str, Any]) -> str:
    """Return the text with every place filled."""
    return "".join(part if isinstance(part, str) else part[1](part[0].value(values)) for part in parts)
