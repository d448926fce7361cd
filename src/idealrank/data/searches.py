"""The searches of a table: which rows of results belong to which search for a query, if there are several."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from idealrank._core import BadRow, Column, from_columns
from idealrank.arrays import Ints, Mask
from idealrank.data.formats.messages import quoted
from idealrank.data.ids import Keyed, codes, id_text
from idealrank.errors import DataError, option


@dataclass(frozen=True, eq=False)
class Searches:
    """The searches behind N rows of results; rows that are no results belong to none (-1).

    Attributes
    ----------
    query
        The query column.
    step
        (N,) the number of each row's step, as the table has it.
    place, made
        (N,) which search of its query it belongs to, counting from 1; how many searches the query has.
    """

    query: Column
    step: Ints
    place: Ints
    made: Ints

    @property
    def last(self) -> Mask:
        """(N,) which rows belong to the last search for their query."""
        last: Mask = (self.place == self.made) & (self.place > 0)
        return last

    @functools.cached_property
    def names(self) -> Column:
        """(N,) a name for the search of each row, such as t1/2 for step 2 of query t1."""
        pairs = zip(self.query.to_list(), self.step.tolist(), self.place.tolist(), strict=True)
        names = [None if query is None else search_name(id_text(query), step, at) for query, step, at in pairs]
        return from_columns(["search"], [names]).column(0)


def search_name(query: str, step: int, place: int = 1) -> str:
    """Name a search; rows that belong to none keep the name of their query.

    Examples
    --------
    >>> search_name("t1", 2)
    't1/2'
    """
    return f"{query}/{step}" if place > 0 else query


def searches_of(table: Keyed, rows: Mask, systems: Column | None) -> Searches | None:
    """Return the searches behind a table's rows; None if no query has more than one.

    Parameters
    ----------
    rows
        (N,) which rows are results, or say that a search returned none.
    systems
        The column of systems, if each has searches of its own.

    Raises
    ------
    DataError
        If a query has several searches, and the step of a row is missing or no whole number.
    """
    column = table.column("step")
    if column is None or not column.distinct(1) or not _has_several(table, column, rows, systems):
        return None
    step = whole_steps(table, column, rows)
    group = _query_groups(table, systems)
    place, made = np.full(len(rows), -1), np.zeros(len(rows), np.int64)
    place[rows], made[rows] = _places_in_group(group[rows], step[rows])
    return Searches(table.keys.query, step, place, made)


def _query_groups(table: Keyed, systems: Column | None) -> Ints:
    """(N,) a number for each query, and system if there are several."""
    query = codes(table.keys.query)
    if systems is None:
        return query
    system = codes(systems) + 1
    groups: Ints = query * (system.max(initial=0) + 1) + system
    return groups


def _has_several(table: Keyed, column: Column, rows: Mask, systems: Column | None) -> bool:
    pairs = np.column_stack((_query_groups(table, systems), codes(column)))[rows]
    several = len(np.unique(pairs, axis=0)) > len(np.unique(pairs[:, 0]))
    return several or bool(_is_partly_missing(pairs))


def _is_partly_missing(pairs: Ints) -> bool:
    """Whether a group (first column) has rows with a step and rows without one (second column, -1)."""
    missing = pairs[:, 1] < 0
    return len(np.intersect1d(pairs[missing, 0], pairs[~missing, 0])) > 0


def _places_in_group(group: Ints, step: Ints) -> tuple[Ints, Ints]:
    """Return which search of its group each row belongs to, from 1 on, and how many there are."""
    pairs, which = np.unique(np.column_stack((group, step)), axis=0, return_inverse=True)
    _, first, many = np.unique(pairs[:, 0], return_index=True, return_counts=True)
    place = np.arange(len(pairs)) - np.repeat(first, many) + 1
    return place[which.reshape(-1)], np.repeat(many, many)[which.reshape(-1)]


def whole_steps(table: Keyed, column: Column, rows: Mask) -> Ints:
    """(N,) the steps as whole numbers, 0 for rows that are not asked for.

    Raises
    ------
    DataError
        With the first row whose step is missing, or no whole number.
    """
    name = table.roles.names[table.roles.required("step")]
    try:
        steps = column.number(name).floats()
    except BadRow as bad:
        raise _step_error(table, bad.args[1], f"{name} {quoted(str(bad.args[3]))} is not a whole number") from None
    whole = np.abs(np.where(np.isnan(steps), np.inf, steps)) < _EXACT_BELOW
    wrong = rows & ~(whole & (np.where(whole, steps, 0) % 1 == 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        what = "is missing" if np.isnan(steps[row]) else f"{steps[row]:g} is not a whole number"
        raise _step_error(table, row, f"{name} {what}")
    return np.where(rows, steps, 0).astype(np.int64)


_EXACT_BELOW = 2.0**53
"""From here on two whole numbers may be the same float."""


def _step_error(table: Keyed, row: int, what: str) -> DataError:
    return DataError(
        f"{table.source.place(row)}: {what}, in a table with several steps per query. Number the searches of every "
        f"query in each row, such as 1, 2, 3, or name the column that does: {option('step', flag='step-col')}."
    )
