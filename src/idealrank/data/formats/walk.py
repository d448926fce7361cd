"""Follows a plan through Python objects, as the core does through JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from idealrank.data.formats.plan import ANY, EACH, KEY, LOCAL, PLACE, ROOT, Path, Plan, Rows, Tables


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
    for kind in plan.rows:
        columns = tables.setdefault(kind.table, {})
        before = max(map(len, columns.values()), default=0)
        numbered = [
            (place, record)
            for place, document in enumerate(documents)
            for record in _records(kind, document, place + 1)
        ]
        records = [record for _, record in numbered]
        places.setdefault(kind.table, []).extend(place for place, _ in numbered)
        for name in dict.fromkeys(name for record in records for name in record):
            columns.setdefault(name, [None] * before)
        for values in columns.values():
            values.extend([None] * len(records))
        for place, record in enumerate(records, before):
            for name, value in record.items():
                columns[name][place] = value
    return tables, places


def _records(kind: Rows, document: Any, place: int) -> Iterable[dict[str, Any]]:
    plain = {name: place if path == (PLACE,) else None for name, path in kind.columns}
    yield from _inside(kind, document, kind.path, ROOT, plain)


def _inside(kind: Rows, value: Any, left: Path, way: Path, known: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the rows within a value; `known` are the cells that it shares with what is around it."""
    known = {**known, **_cells(kind, value, way, left)}
    if not left:
        yield {**known, **(_further(kind, value) if kind.further else {})}
        return
    step, rest = left[0], left[1:]
    if step not in (EACH, ANY):
        inner = value.get(step[1:]) if isinstance(value, Mapping) else None
        if inner is not None or not _many_ahead(rest):
            yield from _inside(kind, inner, rest, (*way, step), known)
        elif _has_value(known):
            yield dict(known)
        return
    empty = True
    for key, item in _items(value, step):
        mark = KEY if step == ANY else PLACE
        own = {name: key for name, place in kind.columns if place == (*way, step, mark)}
        for row in _inside(kind, item, rest, (*way, step), {**known, **own}):
            empty = False
            yield row
    if empty and not _many_ahead(rest) and _has_value(known):
        yield dict(known)


def _many_ahead(rest: Path) -> bool:
    return any(step in (EACH, ANY) for step in rest)


def _has_value(known: Mapping[str, Any]) -> bool:
    return any(value is not None for value in known.values())


def _items(value: Any, step: str) -> Iterable[tuple[Any, Any]]:
    if value is None:
        return ()
    if step == ANY:
        return value.items() if isinstance(value, Mapping) else ()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        return ((1, value),)
    return enumerate(value, 1)


def _cells(kind: Rows, value: Any, way: Path, left: Path) -> dict[str, Any]:
    """Return the cells whose path goes on from here without lying further on the way to the row."""
    cells: dict[str, Any] = {}
    for name, place in kind.columns:
        steps = place[len(way) :]
        if place[: len(way)] != way or (left and steps[:1] == left[:1] and steps) or _constant(place):
            continue
        if steps[:1] in ((KEY,), (PLACE,)) or cells.get(name) is not None:
            continue
        if (found := _at(value, steps)) is not None:
            cells[name] = found
    constants = {name: place[0][1:] for name, place in kind.columns if _constant(place) and not way}
    return constants | cells


def _constant(place: Path) -> bool:
    return bool(place) and place[0].startswith("=")


def _at(value: Any, steps: Path) -> Any:
    for step in steps:
        if step == LOCAL:
            return value.rpartition("::")[2] if isinstance(value, str) else value
        if step in (EACH, ANY):
            items = [item for _, item in _items(value, step)]
            value = next((item for item in items if item is not None), None)
        elif isinstance(value, Mapping):
            value = value.get(step[1:])
        else:
            return None
    return None if not steps and isinstance(value, (Mapping, list, tuple, set)) else value


def _further(kind: Rows, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    named = {place[-1][1:] for _, place in kind.columns if len(place) == len(kind.path) + 1}
    named |= {name for name, _ in kind.columns}
    return {str(key): item for key, item in value.items() if str(key) not in named and not _nested(item)}


def _nested(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, set, frozenset))
