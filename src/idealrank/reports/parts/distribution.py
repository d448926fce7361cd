"""How the values of queries are distributed: how many are in each bin."""

from typing import Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.numbers import numbers
from idealrank.display.table import Table
from idealrank.evaluation.scores import Scores

BINS = 20

_BARELY = 1e-9
"""So far below the beginning of a bin, in bins, a value still lies in it: values are sums of rounded numbers."""


def distribution(scores: Scores, measure: str | None = None) -> Table:
    """Count the queries by value: the columns low and high of each bin, and the count of each system.

    A bin contains its low end; the last one also its high end. Queries that are left out are not counted.

    Parameters
    ----------
    measure
        One of the measures; None: the first.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])
    >>> table = distribution(scores)
    >>> table["low"][1], table["results"][0], table["results"][-1], sum(table["results"])
    (0.05, 1, 1, 2)
    """
    m = 0 if measure is None else scores.place_of(measure)
    edges, counts = histogram(scores, m)
    columns: dict[str, Any] = {"low": edges[:-1], "high": edges[1:]} | dict(zip(scores.systems, counts, strict=True))
    return Table(columns, "distribution", {"fingerprint": scores.measures[m].fingerprint})


def histogram(scores: Scores, m: int) -> tuple[Floats, Ints]:
    """(B + 1,) edges of the bins and (S, B) counts for the measure in a place.

    The bins go from the lowest to the highest value the measure declares; where it declares none, or values lie
    beyond, over the values of all systems.
    """
    edges = _edges(scores, m)
    return edges, np.array([_counts(scores.values[s, m], edges) for s in range(len(scores.systems))], np.int64)


def _edges(scores: Scores, m: int) -> Floats:
    low, high = _range(scores, m)
    low, high = (low, high) if low < high else (low - 0.5, low + 0.5)
    return low + (high - low) * np.arange(BINS + 1) / BINS


def _range(scores: Scores, m: int) -> tuple[float, float]:
    declared, values = scores.measures[m].definition.properties, scores.values[:, m]
    values = values[np.isfinite(values)]
    ends = [end for end in (declared.lowest, declared.highest) if np.isfinite(end)]
    reach = np.concatenate((values, ends)) if len(values) or ends else np.zeros(1)
    return float(reach.min()), float(reach.max())


def _counts(values: Floats, edges: Floats) -> Ints:
    finite = values[np.isfinite(values)]
    place = np.floor((finite - edges[0]) / (edges[-1] - edges[0]) * BINS + _BARELY).astype(np.int64)
    return np.bincount(np.minimum(place, BINS - 1), minlength=BINS)


def _spread(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out the mean, which counts each query once: that of the measure is among the means."""
    return {name: value for name, value in row.items() if name != "mean"}


def distributions(scores: Scores) -> dict[str, Any]:
    """Return ``{measure: {"edges": (B + 1,), "counts": {system: (B,)}, "describe": rows}}``."""
    described = scores.describe().rows()
    parts = {}
    for m, label in enumerate(scores.labels):
        edges, counts = histogram(scores, m)
        parts[label] = {
            "edges": edges.tolist(),
            "counts": {system: numbers(each) for system, each in zip(scores.systems, counts, strict=True)},
            "describe": [_spread(row) for row in described if row["measure"] == label],
        }
    return parts
