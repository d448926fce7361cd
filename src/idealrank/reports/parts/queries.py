"""The queries of a report, with their attributes and values."""

from __future__ import annotations

from typing import Any

from idealrank.display.numbers import numbers
from idealrank.evaluation.scores import Scores


def queries(scores: Scores) -> dict[str, Any]:
    """(Q,) ids, texts and weights, and every column of the queries table; None where there are none."""
    ids = scores.queries
    others = [name for name in scores.table.attributes if name != scores.table.text]
    return {
        "id": list(ids),
        "text": [scores.texts.get(key) for key in ids] if scores.texts else None,
        "weight": None if scores.weights is None else numbers(scores.weights),
        "attributes": {name: list(scores.table.values(name, ids)) for name in others},
    }


def values(scores: Scores) -> dict[str, Any]:
    """(Q,) values by measure and system; None where the query is left out.

    Examples
    --------
    >>> import idealrank as ir
    >>> values(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"]))
    {'RR': {'results': [1]}}
    """
    return {
        label: {system: numbers(scores.values[s, m]) for s, system in enumerate(scores.systems)}
        for m, label in enumerate(scores.labels)
    }
