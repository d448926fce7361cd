"""The queries and documents of the rows of a table as numbers: what is counted of it needs no text for every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Floats, Ints
from idealrank.data.ids import Keyed, id_text


@dataclass(frozen=True, eq=False)
class RowsToCount:
    """Judgments or results to count.

    Attributes
    ----------
    query, doc
        (N,) the place of each row's id among the queries and the documents; −1 for no document.
    queries, docs
        The distinct ids.
    grade
        (N,) the grades of judgments, NaN where there is none; empty for results.
    raters, systems
        Their names.
    failed
        The queries whose search failed, each with its message.
    """

    query: Ints
    doc: Ints
    queries: Column
    docs: Column
    grade: Floats = field(default_factory=lambda: np.zeros(0))
    raters: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.query)


def ids_to_count(table: Keyed, doc: int) -> RowsToCount:
    """Return the ids of all rows.

    Raises
    ------
    DataError
        If a row names no query; the message gives its line.
    """
    (query, queries), (place, docs) = _places(table.keys.query), _places(table.source.ids(doc))
    nameless = np.flatnonzero(query < 0)
    if len(nameless):
        raise table.source.bad_row("missing_id", int(nameless[0]), "query", "", "", -1)
    return RowsToCount(query, place, queries, docs)


def _places(ids: Column) -> tuple[Ints, Column]:
    """(N,) the place of each id among the distinct ones, which follow; −1 for a missing one and for empty text."""
    place, distinct = ids.codes()
    empty, _ = distinct.among(from_columns(["id"], [[""]]).column(0))
    return (np.where(np.isin(place, empty), -1, place) if len(empty) else place), distinct


def places_among(ids: Column, known: Column) -> Ints:
    """(N,) the place of each id among known ones, by the text of both; −1 for an id that is none of them."""
    here, there = ids.among(known)
    place = np.full(len(ids), -1)
    place[here] = there
    return place


def names_in_order(column: Column, rows: Sequence[int] | Ints | None = None) -> tuple[str, ...]:
    """Return the distinct names of a column in some rows, or in all, in the order of their first row."""
    place, distinct = column.codes()
    place = place if rows is None else place[rows]
    named, first = np.unique(place[place >= 0], return_index=True)
    return tuple(filter(None, map(id_text, distinct.to_list(named[np.argsort(first)]))))
