"""Follows a plan through Python objects, as the core does through JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from idealrank.data.formats.plan import (
    ANY,
    EACH,
    KEY,
    LOCAL,
    NO_ANSWER,
    NULL,
    PLACE,
    ROOT,
    THERE,
    Path,
    Plan,
    Rows,
    Tables,
)

_OBJECT = "{}"
"""Behind a path: an object there is no cell, since its values are cells or rows."""

Cells = Mapping[str, Any]


def tables_of(plan: Plan, documents: Iterable[Any]) -> Tables:
    """Return the columns of each table of a plan.

    Examples
    --------
    >>> from idealrank.data.formats.plan import rows
    >>> plan = Plan("x", (rows("", "*[]", query_id="*@key", doc_id="+"),))
    >>> tables_of(plan, [{"q1": ["a", "b"]}])
    {'': {'query_id': ['q1', 'q1'], 'doc_id': ['a', 'b']}}
    """
    return followed(plan, documents)[0]


def followed(plan: Plan, documents: Iterable[Any]) -> tuple[Tables, dict[str, list[int]]]:
    """Return the columns of each table of a plan, and for each table the number of each row's document, from 0."""
    tables: Tables = {}
    places: dict[str, list[int]] = {}
    documents = list(documents)
    if plan.build is not None:
        return plan.build(documents), {}
    known = _known(plan)
    for kind in plan.rows:
        walk = _Walk(kind, known)
        numbered = [(place, row) for place, document in enumerate(documents) for row in walk.rows(document, place + 1)]
        _append(tables.setdefault(kind.table, {}), kind, [row for _, row in numbered])
        places.setdefault(kind.table, []).extend(place for place, _ in numbered)
    return tables, places


def _append(columns: dict[str, list[Any]], kind: Rows, rows: list[Cells]) -> None:
    """Put rows below the columns of a table; a further value that is nested is a cell only of a known column."""
    before = max(map(len, columns.values()), default=0)
    known = dict.fromkeys(name for name, _ in kind.columns)
    for place, row in enumerate(rows, before):
        for name, value in row.items():
            if name in known or not _nested(value):
                known.setdefault(name)
                values = columns.setdefault(name, [])
                values.extend([None] * (place - len(values)))
                values.append(value)
    for name in [*columns, *known]:
        values = columns.setdefault(name, [])
        values.extend([None] * (before + len(rows) - len(values)))


def _known(plan: Plan) -> frozenset[Path]:
    """Return every path that a plan names or passes, and where objects are no cells."""
    paths = [place for kind in plan.rows for place in (kind.path, *(place for _, place in kind.columns))]
    passed = {place[:end] for place in paths for end in range(len(place) + 1)}
    inside = {place[:-1] for place in passed if place[-1:] == (ANY,) or (place and place[-1].startswith("."))}
    return frozenset(passed | {(*place, _OBJECT) for place in (*inside, *(kind.path for kind in plan.rows))})


@dataclass(frozen=True)
class _Walk:
    """The way to one kind of rows."""

    kind: Rows
    known: frozenset[Path]

    def rows(self, document: Any, place: int) -> Iterator[Cells]:
        """Yield the rows of a document."""
        nothing = {name: None for name, _ in self.kind.columns}
        own: dict[str, Any] = {name: place for name, path in self.kind.columns if path == (PLACE,)}
        own |= {name: path[0][1:] for name, path in self.kind.columns if _constant(path)}
        return self._inside(document, ROOT, nothing, own)

    def _inside(self, value: Any, way: Path, outer: Cells, own: Cells) -> Iterator[Cells]:
        """Yield the rows within a value.

        Its innermost element, or the document, has cells of its `own`, and shares those of what is around it.
        """
        own = {**own, **self._cells(value, way)}
        left = self.kind.path[len(way) :]
        if not left:
            yield {**outer, **own, **(self._further(value) if self.kind.further else {})}
            return
        none = True
        for row in self._ahead(value, way, outer, own):
            none = False
            yield row
        innermost = not any(step in (EACH, ANY) for step in left[:-1])
        if none and innermost and any(cell is not None for cell in own.values()):
            yield {**outer, **own}

    def _ahead(self, value: Any, way: Path, outer: Cells, own: Cells) -> Iterator[Cells]:
        """Yield the rows a step further on the way."""
        step = self.kind.path[len(way)]
        ahead = (*way, step)
        if step not in (EACH, ANY):
            if isinstance(value, Mapping) and step[1:] in value:
                yield from self._inside(value[step[1:]], ahead, outer, own)
            return
        mark = KEY if step == ANY else PLACE
        named = [name for name, place in self.kind.columns if place == (*ahead, mark)]
        for key, item in _items(value, step):
            yield from self._inside(item, ahead, {**outer, **own}, dict.fromkeys(named, key))

    def _cells(self, value: Any, way: Path) -> dict[str, Any]:
        """Return the cells whose path goes on from here without lying further on the way to the row."""
        cells: dict[str, Any] = {}
        ahead = self.kind.path[: len(way) + 1]
        for name, place in self.kind.columns:
            steps = place[len(way) :]
            if place[: len(way)] != way or _constant(place) or steps[:1] in ((KEY,), (PLACE,)):
                continue
            if (ahead != way and place[: len(ahead)] == ahead) or cells.get(name) is not None:
                continue
            found = _at(value, steps)
            if found is not None and not self._leads_on(place, found):
                cells[name] = found
        return cells

    def _leads_on(self, place: Path, value: Any) -> bool:
        """Whether a value is no cell, since there is a path into it."""
        mark = _OBJECT if isinstance(value, Mapping) else EACH
        return _nested(value) and (*(place[:-1] if place[-1:] == (LOCAL,) else place), mark) in self.known

    def _further(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            return {}
        named = {name for name, _ in self.kind.columns}
        further = {str(key): item for key, item in value.items() if (*self.kind.path, f".{key}") not in self.known}
        return {name: item for name, item in further.items() if name not in named}


def _constant(place: Path) -> bool:
    return bool(place) and place[0].startswith("=")


def _items(value: Any, step: str) -> Iterable[tuple[Any, Any]]:
    if value is None:
        return ()
    if step == ANY:
        return value.items() if isinstance(value, Mapping) else ()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        return ((1, value),)
    return enumerate(value, 1)


def _at(value: Any, steps: Path) -> Any:
    for step in steps:
        if step == NULL:
            return NO_ANSWER if value is None else None
        if step == THERE:
            return None if value is None else True
        if step == LOCAL:
            return value.rpartition("::")[2] if isinstance(value, str) else value
        if step in (EACH, ANY):
            items = () if step == EACH and isinstance(value, Mapping) else _items(value, step)
            value = next((item for _, item in items if item is not None), None)
        elif isinstance(value, Mapping):
            value = value.get(step[1:])
        else:
            return None
    return value


def _nested(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, set, frozenset))
