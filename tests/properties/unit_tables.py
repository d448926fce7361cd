"""Tables whose results are parts of documents, from which a given judged list must come out once they are rolled up."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.properties.ranked import Ranked
from tests.properties.tables import Columns, Row, Tables, rows, scattered, table

Part = tuple[float, float]
"""The rank and the score of a part."""


def _parts(queries: Sequence[Ranked], rng: random.Random, parts: Callable[[Row], Iterator[Part]]) -> Tables:
    """Judgments of documents, and each result as parts with a rank and a score; a column names the document."""
    whole = table(queries, scattered)
    found: Columns = {name: [] for name in ("query_id", "chunk_id", "source", "rank", "score")}
    for row in rows(queries, scattered):
        for number, (rank, score) in enumerate(parts(row) if row.place else ()):
            cells = (row.query, f"{row.doc}#{number}", row.doc, rank, score)
            for name, cell in zip(found, cells, strict=True):
                found[name].append(cell)
    return Tables(whole.judgments, found).shuffled(rng)


def as_returned(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """Each result once, by its own id, which has a part's number."""
    told, returned = table(queries, scattered, rank=lambda row: row.place)
    named = [{**each, "doc_id": [f"{doc}#0" for doc in each["doc_id"]]} for each in (told, returned)]
    return Tables(*named).shuffled(rng)


def in_parts(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The first part stands in the place of its document, up to two others anywhere behind."""

    def parts(row: Row) -> Iterator[Part]:
        yield row.place, -row.place
        for later in range(rng.randrange(3)):
            behind = row.place + rng.random() * row.last + later + 0.5
            yield behind, -behind

    return _parts(queries, rng, parts)


def by_first(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The ranks say the places; the scores say others, and so do their sums."""

    def parts(row: Row) -> Iterator[Part]:
        yield row.place, row.place * 5 % 11
        yield row.place + row.last, row.place * 7 % 13

    return _parts(queries, rng, parts)


def by_highest(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The highest score says the place; the ranks, the sum and the mean of the scores say others."""

    def parts(row: Row) -> Iterator[Part]:
        yield row.place * 5 % 11 + 20, 100.0 - row.place
        yield row.place * 7 % 11, 3.0 * row.place
        yield row.place * 3 % 11 + 40, 2.0 * row.place

    return _parts(queries, rng, parts)


def by_sum(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The sum of the scores says the place; the highest falls with it, and so does the mean of two."""

    def parts(row: Row) -> Iterator[Part]:
        many = 2 + (row.last - row.place)
        for number in range(many):
            yield number * row.last + row.place * 5 % 11, (200.0 - row.place) / many

    return _parts(queries, rng, parts)


def by_mean_of_two(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """The mean of the two highest scores says the place; the highest alone, and the sum, say others."""

    def parts(row: Row) -> Iterator[Part]:
        spread = 3.0 * row.place
        yield row.place * 5 % 11, 100.0 - row.place + spread
        yield row.place * 7 % 11 + 20, 100.0 - row.place - spread
        for number in range(row.place % 3):
            yield 40 + number, 10.0

    return _parts(queries, rng, parts)


def keeping_ranks(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """Unjudged results behind the first are other parts of documents that stand before."""
    whole = table(queries, scattered, rank=lambda row: row.place, grade=lambda row: row.grade)
    docs: list[Any] = []
    before: dict[str, list[str]] = {}
    for query, doc, grade in zip(*(whole.results[name] for name in ("query_id", "doc_id", "grade")), strict=True):
        seen = before.setdefault(query, [])
        docs.append(f"{rng.choice(seen)}#{len(docs)}" if grade is None and seen else f"{doc}#0")
        seen.append(docs[-1].partition("#")[0])
    results = {"query_id": whole.results["query_id"], "doc_id": docs, "rank": whole.results["rank"]}
    return Tables(whole.judgments, results).shuffled(rng)


def judged_in_parts(*shifts: float | None) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    """Parts are judged, with the grade of the document shifted by these."""

    def encode(queries: Sequence[Ranked], rng: random.Random) -> Tables:
        tables = in_parts(queries, rng)
        told: Columns = {name: [] for name in ("query_id", "doc_id", "grade")}
        for query, doc, grade in zip(*tables.judgments.values(), strict=True):
            for number, shift in enumerate(rng.sample(shifts, len(shifts))):
                cells = (query, f"{doc}#{number}", None if grade is None or shift is None else grade + shift)
                for name, cell in zip(told, cells, strict=True):
                    told[name].append(cell)
        return Tables(told, tables.results)

    return encode


UNIT_ENCODINGS: dict[str, Callable[[Sequence[Ranked], random.Random], Tables]] = {
    "unit=as_returned": as_returned,
    "unit=source": in_parts,
    "unit=before(#)": in_parts,
    "unit=match(…)": in_parts,
    "unit=map(…)": in_parts,
    "unit_grade=max": judged_in_parts(0.0, -1.0, -2.0, None),
    "unit_grade=raters": judged_in_parts(0.0, -1.0, 2.0, None),
    "roll_up=first": by_first,
    "roll_up=max": by_highest,
    "roll_up=sum": by_sum,
    "roll_up=mean(2)": by_mean_of_two,
    "counts=units": in_parts,
    "counts=returned": keeping_ranks,
}
"""For each answer about units, tables that say the same as the ranked lists under this answer only."""
