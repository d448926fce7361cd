"""Tables of several searches per query, from which a given judged list must come out under an answer to `steps`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from tests.properties.ranked import Ranked
from tests.properties.tables import Columns, Row, Tables, rows, scattered, table

Found = tuple[int, float]
"""The step and the rank at which a result comes back."""


def _searched(queries: Sequence[Ranked], rng: random.Random, found: Callable[[Row], Iterator[Found]]) -> Tables:
    """Judgments, and each result at every step and rank at which it comes back."""
    results: Columns = {name: [] for name in ("query_id", "step", "doc_id", "rank")}
    for row in rows(queries, scattered):
        for step, rank in found(row) if row.place else ():
            for name, cell in zip(results, (row.query, step, row.doc, rank), strict=True):
                results[name].append(cell)
    return Tables(table(queries, scattered).judgments, results).shuffled(rng)


def only(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The step is the same in all rows of a query."""
    return _searched(queries, rng, lambda row: iter([(int(row.query), row.place)]))


def united(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """Each search returns the next three places, and again, at any rank, what earlier ones returned."""

    def found(row: Row) -> Iterator[Found]:
        step, last = row.place // 3, row.last // 3
        yield 5 * step, row.place
        for later in range(step + 1, last + 1):
            if rng.random() < 0.5:
                yield 5 * later, rng.random() * 2 * row.last

    return _searched(queries, rng, found)


def last(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The last search returns the list, and one before it in another order."""
    return _searched(queries, rng, lambda row: iter([(3, row.place), (1, row.place * 5 % 11)]))


def each(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The first search returns the list, and the second the first half of it in another order."""

    def found(row: Row) -> Iterator[Found]:
        yield 1, row.place
        if row.place <= max(row.last // 2, 1):
            yield 2, row.place * 5 % 11

    return _searched(queries, rng, found)


STEP_ENCODINGS: dict[str, Callable[[Sequence[Ranked], random.Random], Tables]] = {
    "steps=one": only,
    "steps=union": united,
    "steps=last": last,
    "steps=each": each,
}
"""For each answer to `steps`, tables that say the same as the ranked lists under this answer only."""
