"""Tables of spans and chunks, from which a given judged list must come out."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.properties.ranked import Ranked
from tests.properties.tables import Columns, Row, Tables, rows, scattered

Span = tuple[int, int]
SIZE = 10
"""Characters of a judged span; spans are far apart in one text."""


def _begin(row: Row) -> int:
    return 100 * int(row.doc)


def _tables(queries: Sequence[Ranked], rng: random.Random, chunk: Callable[[Row, Row | None], Span]) -> Tables:
    """Judge a span for each judged document, and return a chunk for each result; unjudged ones are of another text.

    `chunk` gets the result, and the best judged document of its query.
    """
    told: Columns = {name: [] for name in ("query_id", "doc_id", "begin", "end", "grade")}
    found: Columns = {name: [] for name in ("query_id", "doc_id", "begin", "end", "rank")}
    every = list(rows(queries, scattered))
    best: dict[str, Row] = {}
    for row in every:
        if (row.grade or 0) > (best[row.query].grade or 0 if row.query in best else 0):
            best[row.query] = row
    for row in every:
        if row.grade is not None:
            _add(told, (row.query, "text", _begin(row), _begin(row) + SIZE, row.grade))
        if row.place:
            text = "other" if row.grade is None else "text"
            _add(found, (row.query, text, *chunk(row, best.get(row.query)), row.place))
    return Tables(told, found).shuffled(rng)


def _add(columns: Columns, cells: tuple[object, ...]) -> None:
    for values, cell in zip(columns.values(), cells, strict=True):
        values.append(cell)


def shifted(begin: int, end: int) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    """Each chunk begins and ends so many characters after its span begins."""
    return lambda queries, rng: _tables(queries, rng, lambda row, _: (_begin(row) + begin, _begin(row) + end))


def _around_the_best(row: Row, best: Row | None) -> Span:
    """A chunk of grade 0 contains the best span and much else; others share 7 of 13 characters with their span."""
    if row.grade == 0 and best is not None:
        return _begin(best) - 20 - row.place, _begin(best) + SIZE + 20
    return _begin(row) + 3, _begin(row) + 13


def by_iou(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """Chunks that contain the best span count as nothing found, as they are so much longer."""
    return _tables(queries, rng, _around_the_best)


SPAN_ENCODINGS: dict[str, Callable[[Sequence[Ranked], random.Random], Tables]] = {
    "unit=spans": shifted(0, SIZE),
    "overlap=any": shifted(SIZE - 1, SIZE + 9),
    "overlap=span(0.5)": shifted(5, 40),
    "overlap=chunk(0.5)": shifted(3, 7),
    "overlap=iou(0.5)": by_iou,
}
"""For each answer about spans, tables that say the same as the ranked lists under this answer only."""
