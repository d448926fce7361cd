"""A column called id that is not the document's: it counts the rows, or it is that of the question beside it."""

from __future__ import annotations

import copy

import numpy as np

from idealrank.data.formats.source import Source
from idealrank.data.ids import could_be_numbers
from idealrank.data.roles import KNOWN, PART_IDS, Roles, fold
from idealrank.errors import NoColumnError


def without_row_numbers(table: Source, roles: Roles, place: int) -> Roles:
    """Return the roles of a table in which a column called id that only tells rows apart has none.

    Parameters
    ----------
    place
        The place of that column, which is taken for the document's.

    Raises
    ------
    NoColumnError
        If both the column called id and another could be the document's, or it could be that of the question.
    """
    if not _is_unique(table, place):
        return roles
    parts, named = document_candidates(roles)
    if parts and not all(_is_unique(table, part) for part in parts):
        others = copy.copy(roles)
        others.taken = roles.taken | {place}
        return others
    if parts or (named and _is_increasing(table, place)):
        other = roles.names[(parts or named)[0]]
        ways = f"{roles.suggest_naming_as('doc', other)}, or {roles.suggest_naming_as('doc', roles.names[place])}"
        raise NoColumnError(
            f"{roles.source}: id is different in every row, so it may count the rows, and {other} may be the document. "
            f"{roles.columns}. Say which: {ways}."
        )
    _refuse_id_of_question(table, roles, place)
    return roles


def document_candidates(roles: Roles) -> tuple[list[int], list[int]]:
    """Return the columns that may be the document's beside one called id: by known names, and by others in id."""
    parts = [i for i, name in enumerate(roles.names) if fold(name) in PART_IDS]
    named = [i for i, name in enumerate(roles.names) if fold(name).endswith("id") and fold(name) not in KNOWN]
    return parts, named


def _is_unique(table: Source, place: int) -> bool:
    """Whether every one of several rows has another value in a column."""
    rows = table.frame.rows
    return rows > 1 and table.frame.nested(place) is None and len(table.frame.column(place).codes()[1]) == rows


def _is_increasing(table: Source, place: int) -> bool:
    """Whether a column contains whole numbers that only grow."""
    column = table.frame.column(place)
    if not could_be_numbers(column, "id"):
        return False
    numbers = column.number("id", True).floats()
    return bool((np.diff(numbers) > 0).all() and (numbers % 1 == 0).all())


def _refuse_id_of_question(table: Source, roles: Roles, place: int) -> None:
    """Ask whether the id is the document's where each question has one row, and a list was not read."""
    text = roles.find("text") if roles.find("query") is None else None
    if text is None or not roles.unread or not roles.unread.lists or not _is_unique(table, text):
        return
    lists = roles.unread.lists
    raise NoColumnError(
        f"{roles.source}: every row has another {roles.names[text]}, so {roles.names[place]} may be its own id, and "
        f"the list {lists[0]}, which was not read, may contain the documents. {roles.columns}. Say which: "
        f"{roles.suggest_naming_as('doc', lists[0])}, or {roles.suggest_naming_as('doc', roles.names[place])}."
    )
