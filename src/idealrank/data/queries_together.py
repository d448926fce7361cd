"""Queries that several columns name together, such as a language and a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed, codes, could_be_numbers
from idealrank.data.roles import KNOWN, Roles, fold
from idealrank.errors import NoColumnError, either, listed, quoted_option

_MOST = 1000
"""Values of a column that may tell queries apart."""


def by_columns_together(
    table: Source, columns: Mapping[str, str | tuple[str, ...] | None]
) -> tuple[Source, dict[str, str | tuple[str, ...] | None]]:
    """Return a table whose query is named by several columns, if several were chosen, and the names of the columns.

    Raises
    ------
    NoColumnError
        If one of them is missing, or the table has no names of columns.
    """
    names = columns.get("query")
    if not isinstance(names, tuple):
        return table, dict(columns)
    if table.nameless or table.frame.format == "dicts":
        raise NoColumnError(
            f"{table.name}: the query cannot be named by {listed(names)}, as its columns have no names. Give a table "
            "whose first line names them."
        )
    places = []
    for name in names:
        place = Roles(table.name, table.frame.names, {"query": name}).find("query")
        assert place is not None
        places.append(place)
    return replace(table, together=tuple(places)), {**columns, "query": " + ".join(names)}


def that_tells_apart(table: Keyed, group: Ints, rows: Ints) -> str:
    """Return the first column of words without a role that differs wherever rows are in one group; "" for none."""
    for place, name in enumerate(table.roles.names):
        if fold(name) in KNOWN or place in table.roles.chosen.values() or place in table.source.together:
            continue
        if table.source.frame.nested(place) is not None or name in table.source.unfit:
            continue
        column = table.source.frame.column(place)
        if not 1 < len(column.distinct(_MOST)) < _MOST or could_be_numbers(column, name):
            continue
        values = codes(column)[rows]
        if len(np.unique(np.column_stack((group, values)), axis=0)) == len(rows):
            return name
    return ""


def way_by(table: Keyed, name: str) -> str:
    """Say how to name queries by their column and another one."""
    key = table.roles.key
    if key is None or table.form:
        return ""
    names = (name, table.roles.names[key])
    typed = " ".join(quoted_option("query-col", one) for one in names)
    return f" If {name} and {names[1]} name the query together: {either(f'query={list(names)!r}', typed)}."


def way_of_repeated(table: Keyed, pairs: Ints) -> str:
    """Say how to read rows that repeat a query and a document, if another column tells them apart; "" otherwise."""
    if table.form or table.roles.chosen.get("query") is not None:
        return ""
    apart = that_tells_apart(table, pairs, np.arange(len(pairs)))
    return way_by(table, apart) if apart else ""
