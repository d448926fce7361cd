"""Tables from which, under one answer of a read or list decision, a given judged list must come out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tests.properties.ranked import SERVES, Ranked

Columns = dict[str, list[Any]]


TELLING = ["nDCG@3", "AP", "RR", "Bpref", "ERR", "P@2", "Judged@3", "NumRet", "NumRel"]
"""Measures that between them see every rank, grade and hole."""


class Tables(NamedTuple):
    """Judgments and results as dicts of columns."""

    judgments: Columns
    results: Columns

    def shuffled(self, rng: random.Random) -> Tables:
        """The same rows in another order."""
        return Tables(_shuffled(self.judgments, rng), _shuffled(self.results, rng))

    def by_subtopic(self) -> Tables:
        """The same judgments, a row for each subtopic that a document of the grade serves."""
        rows = list(zip(*self.judgments.values(), strict=True))
        told = [(*row, f"s{subtopic}") for row in rows for subtopic in SERVES.get(row[-1], (0,))]
        columns = map(list, zip(*told, strict=True))
        return self._replace(judgments=dict(zip((*self.judgments, "subtopic"), columns, strict=True)))

    def of_spans(self) -> Tables:
        """The same judgments, of the only span in each document, and its only chunk."""
        rows = [len(table["doc_id"]) for table in self]
        spans = [{"begin": [0] * many, "end": [10] * many} for many in rows]
        return Tables(*(table | span for table, span in zip(self, spans, strict=True)))

    def with_ids(self, query: Callable[[str], Any], doc: Callable[[str], Any]) -> Tables:
        """The same rows with other ids."""
        return Tables(*(_renamed(table, query, doc) for table in self))


def _shuffled(table: Columns, rng: random.Random) -> Columns:
    order = list(range(len(next(iter(table.values())))))
    rng.shuffle(order)
    return {name: [values[i] for i in order] for name, values in table.items()}


def _renamed(table: Columns, query: Callable[[str], Any], doc: Callable[[str], Any]) -> Columns:
    return table | {
        "query_id": [query(key) for key in table["query_id"]],
        "doc_id": [doc(key) for key in table["doc_id"]],
    }


class Row(NamedTuple):
    """One result, or one judged document that was not returned (place 0)."""

    query: str
    doc: str
    place: int
    last: int
    grade: float | None
    span: int


def query_ids(queries: Sequence[Ranked]) -> list[str]:
    """The ids the tables give their queries."""
    return [str(100 + number) for number in range(len(queries))]


def rows(queries: Sequence[Ranked], name: Callable[[int], int]) -> Iterator[Row]:
    """Every result in rank order, then what was missed; `name` turns a place into the number of a document."""
    for key, query in zip(query_ids(queries), queries, strict=True):
        length = len(query.grades)
        for place, grade in enumerate(query.grades, 1):
            span = next((first for first, last in query.ties if first <= place <= last), place)
            yield Row(key, str(1000 + name(place)), place, length, grade, span)
        for number, grade in enumerate(query.missed):
            yield Row(key, str(5000 + number), 0, length, grade, 0)


def falling(place: int) -> int:
    """Later documents have smaller ids."""
    return 900 - place


def rising(place: int) -> int:
    """Later documents have greater ids."""
    return place


def scattered(place: int) -> int:
    """The order of ids has nothing to do with that of places."""
    return place * 577 % 997


def table(queries: Sequence[Ranked], name: Callable[[int], int], **columns: Callable[[Row], Any]) -> Tables:
    """Judgments, and results with these columns; some unjudged results are among the judgments, without a grade."""
    all_rows = list(rows(queries, name))
    told = [row for row in all_rows if row.grade is not None or (row.place and int(row.doc) % 2)]
    returned = [row for row in all_rows if row.place]
    judgments = {"query_id": [r.query for r in told], "doc_id": [r.doc for r in told], "grade": [r.grade for r in told]}
    results = {"query_id": [r.query for r in returned], "doc_id": [r.doc for r in returned]}
    return Tables(judgments, results | {key: [value(r) for r in returned] for key, value in columns.items()})


def _place(row: Row) -> int:
    return row.place


def _score(row: Row) -> float:
    return 100.0 - row.span


def _crosswise(row: Row) -> int:
    """Another order than that of places, and not its reverse either."""
    return row.place * 5 % 11


def _nearly(row: Row) -> float:
    """A score that contradicts the rank of the first two of three or more results."""
    return -float({1: 2, 2: 1}.get(row.place, row.place) if row.last > 2 else row.place)


def _by_auto(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    return table(queries, scattered, rank=_place, score=_nearly).shuffled(rng)


def _by_rank(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    return table(queries, scattered, rank=_place, score=_place).shuffled(rng)


def _by_score(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    return table(queries, scattered, rank=_crosswise, score=_score).shuffled(rng)


def _by_row(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    return table(queries, scattered, rank=_crosswise, score=_place)


def _gaps_to_close(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    return table(queries, scattered, rank=lambda row: row.place * row.place + 3).shuffled(rng)


def _gaps_to_keep(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    """Unjudged results are not in the table, save the last."""
    whole = table(queries, scattered, rank=_place, grade=lambda row: row.grade, last=lambda row: row.last)
    kept = [
        grade is not None or rank == last
        for grade, rank, last in zip(*(whole.results[name] for name in ("grade", "rank", "last")), strict=True)
    ]
    results = {
        name: [value for value, keep in zip(whole.results[name], kept, strict=True) if keep]
        for name in ("query_id", "doc_id", "rank")
    }
    return Tables(whole.judgments, results).shuffled(rng)


def _tied(name: Callable[[int], int]) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    return lambda queries, rng: table(queries, name, score=_score).shuffled(rng)


def _tied_as_given(queries: Sequence[Ranked], rng: random.Random) -> Tables:
    return table(queries, scattered, score=_score)


def _nearly_equal(sign: float, name: Callable[[int], int]) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    """Scores that differ within a span, too little for float32."""
    return lambda queries, rng: table(queries, name, score=lambda row: _score(row) + sign * row.place * 1e-10).shuffled(
        rng
    )


def _rated(*offsets: float | None) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    """Each grade spread over several raters."""

    def encode(queries: Sequence[Ranked], rng: random.Random) -> Tables:
        judgments, results = table(queries, scattered, rank=_place)
        grades = judgments.pop("grade")
        ratings: Columns = {f"rating_{n}": [] for n in range(1, len(offsets) + 1)}
        for grade in grades:
            order = rng.sample(offsets, len(offsets))
            for column, offset in zip(ratings.values(), order, strict=True):
                column.append(None if grade is None or offset is None else grade + offset)
        return Tables(judgments | ratings, results)

    return encode


def _judged_again(*shifts: float) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    """Every judgment several times, with its grade shifted by these."""

    def encode(queries: Sequence[Ranked], rng: random.Random) -> Tables:
        judgments, results = table(queries, scattered, score=_score)
        again: Columns = {name: [cell for cell in cells for _ in shifts] for name, cells in judgments.items()}
        grades = [cell if cell is None else cell + shift for cell in judgments["grade"] for shift in shifts]
        return Tables({**again, "grade": grades}, results)

    return encode


def _twice(
    true_first: bool | None, decoy_grade: float, decoy_score: float
) -> Callable[[Sequence[Ranked], random.Random], Tables]:
    """Every row a second time with another value, before or after the one that counts; None: either."""

    def doubled(values: Columns, decoy: Callable[[str, Any], Any], rng: random.Random) -> Columns:
        found: Columns = {name: [] for name in values}
        for cells in zip(*values.values(), strict=True):
            false = [decoy(name, cell) for name, cell in zip(values, cells, strict=True)]
            first = rng.random() < 0.5 if true_first is None else true_first
            for row in (cells, false) if first else (false, cells):
                for name, cell in zip(values, row, strict=True):
                    found[name].append(cell)
        return found

    def decoy(name: str, cell: Any) -> Any:
        shift = {"grade": decoy_grade, "score": decoy_score}.get(name, 0.0)
        return cell + shift if shift and cell is not None else cell

    def encode(queries: Sequence[Ranked], rng: random.Random) -> Tables:
        judgments, results = table(queries, scattered, score=_score)
        return Tables(doubled(judgments, decoy, rng), doubled(results, decoy, rng))

    return encode


ENCODINGS: dict[str, Callable[[Sequence[Ranked], random.Random], Tables]] = {
    "order_by=auto": _by_auto,
    "order_by=rank": _by_rank,
    "order_by=score": _by_score,
    "order_by=given": _by_row,
    "rank_gaps=close": _gaps_to_close,
    "rank_gaps=keep": _gaps_to_keep,
    "ties=docid_desc": _tied(falling),
    "ties=docid_asc": _tied(rising),
    "ties=given": _tied_as_given,
    "ties=average": _tied(scattered),
    "ties=best": _tied(scattered),
    "ties=worst": _tied(scattered),
    "score_precision=float64": _nearly_equal(-1.0, rising),
    "score_precision=float32": _nearly_equal(1.0, falling),
    "raters=median": _rated(0.0, -1.0, 2.0, None),
    "raters=mean": _rated(0.0, -1.0, 1.0, None),
    "raters=majority": _rated(0.0, 0.0, 1.0, 1.0, -1.0),
    "raters=max": _rated(0.0, -1.0, -2.0, None),
    "raters=min": _rated(0.0, 1.0, 2.0, None),
    "duplicates=error": _tied(scattered),
    "duplicates=first": _twice(True, 1.0, 50.0),
    "duplicates=last": _twice(False, 1.0, 50.0),
    "duplicates=max": _twice(None, -1.0, -50.5),
    "duplicates=mean": _judged_again(-1.0, 1.0),
    "duplicates=median": _judged_again(-1.0, 0.0, 2.0),
    "duplicates=majority": _judged_again(0.0, -1.0, 0.0, 1.0),
}
"""For each answer of a read or list decision, tables that say the same as the ranked lists under this answer only."""
