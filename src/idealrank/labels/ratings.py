"""Ratings: who gave which grade to which document of which query, one row per rating."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.duplicates import first_equal
from idealrank.data.ids import id_text, natural_order
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.data.roles import fold, rater_names
from idealrank.errors import DataError, NoColumnError, either, nearest, option, plural


class Repeats(NamedTuple):
    """Pairs of a query and a document that one rater rated again: how many, and how many with the same grade."""

    ratings: int
    same: int


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who gave which grade to which document of which query.

    A rater's first rating of a document counts; later ones are in `repeats`. Rows are in the order of query, document
    and rater, whatever order they were read in.

    Attributes
    ----------
    name
        Where they were read from.
    queries, docs, raters
        The ids and the names, in natural order.
    query, doc, rater
        (N,) the place of each rating's query, document and rater.
    grade
        (N,) the grades.
    withheld
        How many ratings say ``cannot tell`` or ``later`` instead of a grade.
    repeats
        What each rater rated twice, by the place of the rater.
    segment
        (N,) the place of each rating's segment; empty if none was asked for.
    segments
        Their names.
    """

    name: str
    queries: tuple[str, ...]
    docs: tuple[str, ...]
    raters: tuple[str, ...]
    query: Ints
    doc: Ints
    rater: Ints
    grade: Floats
    withheld: Mapping[str, int] = field(default_factory=dict)
    repeats: Mapping[int, Repeats] = field(default_factory=dict)
    segment: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    segments: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.grade)

    @functools.cached_property
    def unit(self) -> Ints:
        """(N,) the number of each rating's query and document, in their order."""
        units: Ints = np.unique(self.query * (len(self.docs) + 1) + self.doc, return_inverse=True)[1]
        return units

    @functools.cached_property
    def first_of_unit(self) -> Ints:
        """(U,) the row of the first rating of each unit."""
        rows: Ints = np.unique(self.unit, return_index=True)[1]
        return rows

    def take(self, rows: Ints) -> Ratings:
        """Return some of the ratings; queries, documents and raters keep their places."""
        segment = self.segment[rows] if len(self.segment) else self.segment
        return Ratings(
            self.name, self.queries, self.docs, self.raters, self.query[rows], self.doc[rows], self.rater[rows],
            self.grade[rows], segment=segment, segments=self.segments,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"Ratings({self.name!r}, {plural(len(self), 'rating')} by {plural(len(self.raters), 'rater')})"


def read_ratings(source: Any, by: str | None = None) -> Ratings:
    """Read ratings: a table with a column of raters or a column for each, or judgments by rater.

    Parameters
    ----------
    source
        Anything `read_judgments` reads; or several of these, each of which is one rater unless it names its own:
        a list of files, called by their names, or ``{rater: judgments}``.
    by
        The column of the segments of the ratings, such as a language.

    Raises
    ------
    DataError
        If nothing tells raters apart, one rater gives a document two grades in one table by the column of raters, or
        no grade is there.
    """
    if isinstance(source, Ratings):
        return source
    parts = [_read_part(table, name, by) for name, table in _tables(source)]
    found = _join_parts(parts)
    if not len(found):
        raise DataError(f"{found.name}: no grade. Give at least one rating.")
    return found


def _tables(source: Any) -> list[tuple[str, Judgments]]:
    """Return the tables, each with the rater it is of; "" where the table says who rated."""
    if isinstance(source, Mapping) and source and all(_is_table(one) for one in source.values()):
        return [(str(name), read_judgments(one)) for name, one in source.items()]
    if not isinstance(source, Judgments) and isinstance(source, Sequence) and not isinstance(source, str):
        tables = [read_judgments(one) for one in source] if source and all(map(_is_table, source)) else []
        if tables:
            return [("" if table.raters else table.name, table) for table in tables]
    table = read_judgments(source)
    if not table.raters:
        raise DataError(
            f"{table.name}: nothing says who rated. Name the column of raters: {option('rater', flag='rater-col')}; "
            f"give each rater a column of grades, {either('grade=[…]', '--grade-col A --grade-col B')}; or each rater "
            "a file."
        )
    return [("", table)]


def _is_table(one: Any) -> bool:
    """Whether it is judgments, and not a row of them or the grades of a query."""
    if isinstance(one, Mapping):
        return all(isinstance(inner, Mapping | Sequence) and not isinstance(inner, str) for inner in one.values())
    tabular = ("__fspath__", "columns", "__arrow_c_stream__")
    return isinstance(one, str | Judgments) or any(hasattr(one, name) for name in tabular)


class _RatedTable(NamedTuple):
    """The ratings of one table: codes and their names, −1 where there is none."""

    name: str
    queries: list[str]
    docs: list[str]
    raters: list[str]
    segments: list[str]
    query: Ints
    doc: Ints
    rater: Ints
    segment: Ints
    grade: Floats
    withheld: Mapping[str, int]


def _read_part(table: Judgments, rater: str, by: str | None) -> _RatedTable:
    rows = table.rows_to_count()
    query, doc, grade = rows.query, rows.doc, rows.grade
    several = len(table.grades)
    segment, segments = _segments(table, by)
    if several > 1:
        names = list(rater_names([table.roles.names[place] for place in table.grades]))
        who = np.tile(np.arange(several), len(query) // several)
        segment = np.repeat(segment, several)
    elif (column := table.column("rater")) is not None:
        who, distinct = column.codes()
        names = [id_text(name) for name in distinct.to_list()]
        if "" in names:
            who = np.where(who == names.index(""), -1, who)
        _refuse_nameless(table, who, grade)
    else:
        names, who = [rater], np.zeros(len(query), np.int64)
    queries = [id_text(name) for name in rows.queries.to_list()]
    docs = [id_text(name) for name in rows.docs.to_list()]
    return _RatedTable(table.name, queries, docs, names, segments, query, doc, who, segment, grade, table.withheld())


def _refuse_nameless(table: Judgments, who: Ints, grade: Floats) -> None:
    bad = np.flatnonzero((who < 0) & ~np.isnan(grade))
    if len(bad):
        raise DataError(
            f"{table.source.place(int(bad[0]))}: a grade without a rater. Say who rated in each of the "
            f"{plural(len(bad), 'row')}, or leave them out."
        )


def _segments(table: Judgments, by: str | None) -> tuple[Ints, list[str]]:
    """(N,) the segment of each row of a table, and their names."""
    if by is None:
        return np.zeros(table.source.frame.rows, np.int64), [""]
    names = table.source.frame.names
    place = next((i for i, name in enumerate(names) if fold(name) == fold(by)), None)
    if place is None:
        raise NoColumnError(f"{table.name}: no column called {by!r}.{nearest(by, names)} {table.roles.columns}.")
    code, distinct = table.source.frame.column(place).codes()
    segments = [id_text(name) for name in distinct.to_list()]
    return np.where(code < 0, len(segments), code), [*segments, "(none)"]


def _join_parts(parts: Sequence[_RatedTable]) -> Ratings:
    """Put tables together: the same ids are the same queries, documents and raters."""
    queries, docs, raters = (
        natural_order(sorted({one for part in parts for one in getattr(part, name) if one}))[1]
        for name in ("queries", "docs", "raters")
    )
    segments = sorted({one for part in parts for one in part.segments})
    columns = [
        np.concatenate([_recode(getattr(part, codes), getattr(part, names), known) for part in parts])
        for codes, names, known in (
            ("query", "queries", queries),
            ("doc", "docs", docs),
            ("rater", "raters", raters),
            ("segment", "segments", segments),
        )
    ]
    grade = np.concatenate([part.grade for part in parts])
    there = ~np.isnan(grade)
    order = np.flatnonzero(there)[np.lexsort([column[there] for column in reversed(columns[:3])])]
    query, doc, rater, segment = (column[order] for column in columns)
    grade = grade[order]
    voice = (query * (len(docs) + 1) + doc) * (len(raters) + 1) + rater
    first = first_equal(voice)
    again = first != np.arange(len(voice))
    repeats = {
        int(place): Repeats(int(many), int(((grade == grade[first]) & again & (rater == place)).sum()))
        for place, many in zip(*np.unique(rater[again], return_counts=True), strict=True)
    }
    kept = ~again
    withheld: Counter[str] = Counter()
    for part in parts:
        withheld.update(part.withheld)
    return Ratings(
        ", ".join(dict.fromkeys(part.name for part in parts)), tuple(queries), tuple(docs), tuple(raters),
        query[kept], doc[kept], rater[kept], grade[kept], dict(withheld), repeats, segment[kept], tuple(segments),
    )  # fmt: skip


def _recode(codes: Ints, names: Sequence[str], known: Sequence[str]) -> Ints:
    """(N,) the place of each code's name among known ones; −1 stays."""
    place = {name: i for i, name in enumerate(known)}
    return np.array([*(place.get(name, -1) for name in names), -1], np.int64)[codes]
