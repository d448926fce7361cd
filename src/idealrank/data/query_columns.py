"""Segments and frequencies of queries that stand beside their judgments or results."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from idealrank.data.ids import Keyed, id_text
from idealrank.data.queries import Queries
from idealrank.data.roles import ALIASES, fold

OF_QUERIES = ALIASES["weight"][0] | {"segment", "segments", "querysegment", "querytype"}
"""Names of columns that say something about the query, folded."""


Attributes = Mapping[str, Mapping[str, Any] | None]
"""By column of one table, the value of each query; None if a query has several."""


def queries_in(tables: Iterable[Keyed]) -> Queries:
    """Return the segments and frequencies in tables of judgments and results, by query.

    A column counts if it has one value for each query.
    """
    return queries_of(map(attributes_in, tables))


def queries_of(tables: Iterable[Attributes]) -> Queries:
    """Return the attributes that the tables know, each from the first that has one value for each query."""
    attributes: dict[str, Mapping[str, Any]] = {}
    for table in tables:
        for name, values in table.items():
            if values and name not in attributes:
                attributes[name] = values
    return Queries(attributes)


def attributes_in(table: Keyed) -> Attributes:
    """Return the columns of a table that say something about the query."""
    if table.form:
        return {}
    places = {name: place for place, name in enumerate(table.roles.names) if fold(name) in OF_QUERIES}
    return {name: _by_query(table, place) for name, place in places.items()}


def attributes_of_parts(parts: Sequence[Attributes]) -> Attributes:
    """Put together what the parts of a table say, each of which has all rows of its queries."""
    whole: dict[str, Mapping[str, Any] | None] = {}
    for name in dict.fromkeys(itertools.chain.from_iterable(parts)):
        known = [part.get(name, {}) for part in parts]
        several = any(values is None for values in known)
        whole[name] = None if several else dict(itertools.chain.from_iterable(v.items() for v in known if v))
    return whole


def _by_query(table: Keyed, place: int) -> dict[str, Any] | None:
    """Return the value of each query; None if a query has several."""
    column = table.source.column(place)
    assert column is not None
    values: dict[str, Any] = {}
    pairs = zip(table.keys.query.to_list(None), column.to_list(None), strict=True)
    for key, value in dict.fromkeys((key, value) for key, value in pairs if key is not None and value is not None):
        if values.setdefault(id_text(key), value) != value:
            return None
    return values
