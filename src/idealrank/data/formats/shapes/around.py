"""What is around a list of documents in a document."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from idealrank.data.formats.plan import ANY, KEY, Path
from idealrank.data.roles import ALIASES, fold

OUTER = "the outer names are systems"
"""What is noted where the keys around the queries are taken for systems."""

_QUERY = ALIASES["query"]
_TEXT = (frozenset({"query"}), *ALIASES["text"])


@dataclass(frozen=True)
class Around:
    """What is around a list: plain values with their names and paths, and the keys on the way."""

    values: tuple[tuple[str, Path, Any], ...] = ()
    keys: tuple[Path, ...] = ()
    several: bool = False
    """Whether there are several of the outer keys, so that they tell systems apart."""
    chosen: str = ""
    """The list of documents that the user named."""

    def is_chosen(self, called: str) -> bool:
        """Whether the user named this list."""
        return bool(self.chosen) and fold(called) == fold(self.chosen)

    @property
    def asks(self) -> bool:
        """Whether the query's id or text is among the values."""
        return any(fold(name) in tier for name, _, _ in self.values for tier in (*_QUERY, *_TEXT))

    def cells(self, own: Collection[str]) -> tuple[tuple[str, Path], ...]:
        """Return the columns that each row of the list shares, but for those it has of its own.

        Names that are not clear away from their object become those of the query: ``id`` and ``text``.
        """
        names = self._names()
        cells = {names.get(name, name): place for name, place, _ in self.values}
        # A row's own question may be that of a document: of lists with a question around them, that one is asked.
        asked = any(fold(name) in tier for name in cells for tier in (*_QUERY, *_TEXT))
        asked = asked or any(fold(name) in tier for name in own for tier in (*_QUERY, *_TEXT[:1]))
        # The innermost key is the query, unless the query has a name; the key before it is the system.
        keyed = [] if asked else ["query_id"]
        if self.several and len(self.keys) == len(keyed) + 1:
            keyed.append("system")
        cells |= dict(zip(keyed, reversed(self.keys), strict=False))
        texts = frozenset().union(*_TEXT)
        return tuple((name, place) for name, place in cells.items() if name not in own or fold(name) in texts)

    def _names(self) -> dict[str, str]:
        """Return the new names of ``id`` and ``text`` where nothing else is the query's id and text.

        Those of an object with keys further in are those of a case or a run: the keys are the queries.
        """
        innermost = max((len(key) - len((ANY, KEY)) for key in self.keys), default=-1)
        folded = {name: fold(name) for name, place, _ in self.values if len(place) - 1 >= innermost}
        ids = any(name in tier for name in folded.values() for tier in _QUERY)
        texts = any(name in tier for name in folded.values() for tier in _TEXT)
        new = {} if ids else {name: "query_id" for name, plain in folded.items() if plain == "id"}
        return new | ({} if texts else {name: "query" for name, plain in folded.items() if plain in ("text", "input")})
