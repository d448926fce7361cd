"""Segments and frequencies of queries that stand beside their judgments or results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from idealrank.data.ids import Keyed, id_text
from idealrank.data.queries import Queries
from idealrank.data.roles import ALIASES, fold

_OF_QUERIES = ALIASES["weight"][0] | {"segment", "segments", "querysegment", "querytype"}
"""Names of columns that say something about the query, folded."""


def queries_in(tables: Iterable[Keyed]) -> Queries:
    """Return the segments and frequencies in tables of judgments and results, by query.

    A column counts if it has one value for each query.
    """
    attributes: dict[str, dict[str, Any]] = {}
    for table in tables:
        for place, name in enumerate(table.roles.names):
            if fold(name) in _OF_QUERIES and name not in attributes and not table.form:
                values = _by_query(table, place)
                attributes |= {name: values} if values else {}
    return Queries(attributes)


def _by_query(table: Keyed, place: int) -> dict[str, Any]:
    """Return the value of each query; nothing if a query has several."""
    column = table.source.column(place)
    assert column is not None
    values: dict[str, Any] = {}
    pairs = zip(table.keys.query.to_list(None), column.to_list(None), strict=True)
    for key, value in dict.fromkeys((key, value) for key, value in pairs if key is not None and value is not None):
        if values.setdefault(id_text(key), value) != value:
            return {}
    return values
