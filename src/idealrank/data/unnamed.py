"""The third of three columns without names: the grade in judgments, the rank or the score in results."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.formats.head import NUMBER
from idealrank.data.formats.source import Source
from idealrank.data.roles import Roles


def unnamed_roles(table: Source, value: str) -> list[str]:
    """Name the columns of a table without names.

    Parameters
    ----------
    value
        ``grade`` or ``score``; a score is a rank if the numbers of every query are 1, 2, 3 … in order.
    """
    names = list(table.frame.names)
    if NUMBER in names:
        names[names.index(NUMBER)] = "rank" if value == "score" and are_ranks(table) else value
    return names


def roles_as_scores(table: Source, roles: Roles) -> Roles:
    """Return the roles of results with the third of three columns without names as their scores."""
    if NUMBER not in table.frame.names or not table.headerless_form:
        return roles
    return Roles(table.name, ["score" if name == NUMBER else name for name in table.frame.names], {})


def counts_rows(table: Source) -> bool:
    """Whether no third of three columns without names says anything else than the ranks of each query, from 1."""
    return NUMBER not in table.frame.names or not table.headerless_form or are_ranks(table)


def are_ranks(table: Source) -> bool:
    """Whether the third column counts the rows of each query from 1."""
    return bool((_third_column(table) == places_in_query(table.frame.column(0).codes()[0])).all())


def why_not_grades(table: Source) -> str:
    """Why the third column does not look like grades: ``ranks`` or ``fractions``; "" if it does."""
    numbers = _third_column(table)
    if are_ranks(table) and numbers.max(initial=0) > 1:
        return "ranks"
    return "fractions" if (numbers != np.floor(numbers)).any() else ""


def are_grades(table: Source) -> bool:
    """Whether the third column looks like grades: few different whole numbers, which do not count the rows."""
    return not why_not_grades(table) and len(np.unique(_third_column(table))) <= MOST_GRADES


MOST_GRADES = 11
"""Different grades there are at most, as on a scale from 0 to 10."""


def _third_column(table: Source) -> Floats:
    numbers = table.number(table.frame.names.index(NUMBER))
    assert numbers is not None
    return numbers.floats()


def places_in_query(query: Ints) -> Floats:
    """(N,) the place of each row among those of its query, from 1."""
    order = np.argsort(query, kind="stable")
    starts = np.flatnonzero(np.diff(query[order], prepend=-2))
    lengths = np.diff(np.append(starts, len(query)))
    places = np.empty(len(query))
    places[order] = np.arange(len(query)) - np.repeat(starts, lengths) + 1
    return places
