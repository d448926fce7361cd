"""Means by segment of the queries, and what a comparison found of its segments."""

from typing import Any

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.segments.attributes import Attribute, attributes
from idealrank.display.numbers import number
from idealrank.evaluation.mean_intervals import in_mean, mean_of, spread
from idealrank.evaluation.scores import Scores
from idealrank.reports.parts.shown_queries import ShownQueries


def segments(shown: ShownQueries, comparison: Comparison | None) -> dict[str, Any]:
    """Return how the segments are made, the segment of each query, means by segment, and the differences.

    Returns
    -------
    By attribute ``made`` and ``titles`` (words) and ``labels`` (Q,); ``means`` and ``differences`` are rows; all are
    empty where nothing tells queries apart.
    """
    scores = shown.scores
    names = comparison.segment if comparison is not None else ()
    shared = attributes(scores, names)
    return {
        "made": {attribute.name: attribute.made for attribute in shared},
        "titles": {attribute.name: _title(attribute) for attribute in shared},
        "labels": {a.name: [a.label(q) for q in shown.places.tolist()] for a in shared},
        "means": [row for attribute in shared for row in _means(scores, attribute)],
        "differences": [] if comparison is None else _differences(comparison),
    }


_TITLES = {"length": "words in the query", "digit": "contains a number", "results": "results from"}
"""What built-in attributes are called where a reader chooses one."""


def _title(attribute: Attribute) -> str:
    """Return what an attribute is called; a column of the table keeps its name."""
    return attribute.name if attribute.made.startswith("column ") else _TITLES.get(attribute.name, attribute.name)


def _differences(comparison: Comparison) -> list[dict[str, Any]]:
    """Return the rows of the segments that contain a paired query."""
    return [row for row in comparison.segments.table.rows() if row["queries"]] if comparison.segments.rows else []


def _means(scores: Scores, attribute: Attribute) -> list[dict[str, Any]]:
    made = []
    for name, mask in attribute.segments.items():
        for m, label in enumerate(scores.labels):
            for s, system in enumerate(scores.systems):
                keep = mask & in_mean(scores, s, m)
                if keep.any():
                    row = {"attribute": attribute.name, "segment": name, "measure": label, "system": system}
                    low, high = map(number, spread(scores, s, m, keep))
                    mean = number(mean_of(scores, s, m, keep))
                    made.append(row | {"queries": int(keep.sum()), "mean": mean, "low": low, "high": high})
    return made
