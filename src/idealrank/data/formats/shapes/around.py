"""A list of documents in a document, and what is around it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from idealrank.data.formats.plan import Path
from idealrank.data.roles import ALIASES, fold

_QUERY = ALIASES["query"]
_TEXT = (frozenset({"query"}), *ALIASES["text"])


@dataclass(frozen=True)
class Found:
    """A list of documents in a document.

    Attributes
    ----------
    table
        judgments, results, or "" for either.
    place
        Path of its rows.
    columns
        The cells of a row that are known.
    further
        Whether its other values are columns, too.
    """

    table: str
    place: Path
    columns: tuple[tuple[str, Path], ...]
    further: bool


@dataclass(frozen=True)
class Around:
    """What is around a list: plain values with their names and paths, and the keys on the way."""

    values: tuple[tuple[str, Path, Any], ...] = ()
    keys: tuple[Path, ...] = ()
    several: bool = False
    """Whether there are several of the outer keys, so that they tell systems apart."""

    def cells(self, own: Collection[str]) -> tuple[tuple[str, Path], ...]:
        """Return the columns that each row of the list shares, but for those it has of its own.

        Names that are not clear away from their object become those of the query: ``id`` and ``text``.
        """
        cells = {self._name(name): place for name, place, _ in self.values}
        asked = any(fold(name) in tier for name in (*cells, *own) for tier in (*_QUERY, *_TEXT))
        # The innermost key is the query, unless the query has a name; the key before it is the system.
        names = [] if asked else ["query_id"]
        if self.several and len(self.keys) == len(names) + 1:
            names.append("system")
        cells |= dict(zip(names, reversed(self.keys), strict=False))
        return tuple((name, place) for name, place in cells.items() if name not in own)

    def _name(self, name: str) -> str:
        names = [fold(other) for other, _, _ in self.values]
        if fold(name) == "id" and not any(other in tier for other in names for tier in _QUERY):
            return "query_id"
        texts = any(other in tier for other in names for tier in _TEXT)
        return "query" if fold(name) in ("text", "input") and not texts else name
