"""The queries of a report, with their attributes and values."""

from __future__ import annotations

from typing import Any

from idealrank.display.numbers import numbers
from idealrank.reports.parts.shown_queries import ShownQueries


def queries(shown: ShownQueries) -> dict[str, Any]:
    """(Q,) ids, texts and weights, and every column of the queries table; None where there are none.

    `all` is the number of all queries, and `note` says which of them are shown.
    """
    scores = shown.scores
    ids = shown.of(scores.queries)
    others = [name for name in scores.table.attributes if name != scores.table.text]
    return {
        "all": len(scores.queries),
        "note": shown.note,
        "id": ids,
        "text": [scores.texts.get(key) for key in ids] if scores.texts else None,
        "weight": None if scores.weights is None else numbers(scores.weights[shown.places]),
        "attributes": {name: list(scores.table.values(name, ids)) for name in others},
    }


def values(shown: ShownQueries) -> dict[str, Any]:
    """(Q,) values by measure and system; None where the query is left out.

    Examples
    --------
    >>> import idealrank as ir
    >>> from idealrank.reports.parts.shown_queries import shown_queries
    >>> values(shown_queries(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]), None))
    {'RR': {'results': [1]}}
    """
    scores = shown.scores
    return {
        label: {system: numbers(scores.values[s, m, shown.places]) for s, system in enumerate(scores.systems)}
        for m, label in enumerate(scores.labels)
    }


def states(shown: ShownQueries) -> list[dict[str, Any]]:
    """One row per system and query with special handling; where not all queries are shown, of those that are."""
    ledger = shown.scores.ledger
    return (ledger if shown.all else ledger.at(shown.places)).exceptions.rows()
