"""The sections of a report that are drawn: distributions, curves over the cutoff, thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.numbers import numbers
from idealrank.display.table import Table
from idealrank.errors import UsageError, refuse_count
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.thresholds import RULES, SHARES, choose_rule, means_at_shares
from idealrank.evaluation.variants import means_under

# Distributions.


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
    edges = _bin_edges(scores, m)
    return edges, np.array([_count_per_bin(scores.values[s, m], edges) for s in range(len(scores.systems))], np.int64)


def _bin_edges(scores: Scores, m: int) -> Floats:
    low, high = _value_range(scores, m)
    low, high = (low, high) if low < high else (low - 0.5, low + 0.5)
    return low + (high - low) * np.arange(BINS + 1) / BINS


def _value_range(scores: Scores, m: int) -> tuple[float, float]:
    declared, values = scores.measures[m].definition.properties, scores.values[:, m]
    values = values[np.isfinite(values)]
    ends = [end for end in (declared.lowest, declared.highest) if np.isfinite(end)]
    reach = np.concatenate((values, ends)) if len(values) or ends else np.zeros(1)
    return float(reach.min()), float(reach.max())


def _count_per_bin(values: Floats, edges: Floats) -> Ints:
    finite = values[np.isfinite(values)]
    place = np.floor((finite - edges[0]) / (edges[-1] - edges[0]) * BINS + _BARELY).astype(np.int64)
    return np.bincount(np.minimum(place, BINS - 1), minlength=BINS)


def distributions(scores: Scores) -> dict[str, Any]:
    """Return ``{measure: {"edges": (B + 1,), "counts": {system: (B,)}, "describe": rows}}``."""
    described = scores.describe().rows()
    parts = {}
    for m, label in enumerate(scores.labels):
        edges, counts = histogram(scores, m)
        parts[label] = {
            "edges": edges.tolist(),
            "counts": {system: numbers(each) for system, each in zip(scores.systems, counts, strict=True)},
            "describe": [_without_mean(row) for row in described if row["measure"] == label],
        }
    return parts


def _without_mean(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out the mean, which counts each query once: that of the measure is among the means."""
    return {name: value for name, value in row.items() if name != "mean"}


# Curves over the cutoff.


DEPTH = 10
"""How deep lists are looked at where nothing else is asked for."""


def curve(scores: Scores, measure: str | None = None, depth: int = DEPTH) -> Table:
    """Return the mean of a measure at k = 1 to `depth`: the column k, and one a system.

    Every mean is taken under the measure's own decisions; only its cutoff is another.

    Parameters
    ----------
    measure
        One of the measures; None: the first. Its own cutoff does not matter.
    depth
        The last k.

    Raises
    ------
    UsageError
        If the measure takes no cutoff, or `depth` is no whole number from 1 up.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 1, "b": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, ["P@2"])
    >>> curve(scores, depth=3).to_dict()
    {'k': [1, 2, 3], 'results': [1.0, 0.5, 0.6666666666666666]}
    """
    m = 0 if measure is None else scores.place_of(measure)
    means = means_at(scores, m, depth)
    columns: dict[str, Any] = {"k": np.arange(1, depth + 1)} | dict(zip(scores.systems, means, strict=True))
    return Table(columns, "curve", {"fingerprint": replace(scores.measures[m], cutoff=None).fingerprint})


def means_at(scores: Scores, m: int, depth: int) -> Floats:
    """(S, K) mean of the measure in a place, cut at k = 1 to K, for each system.

    Raises
    ------
    UsageError
        As `curve`.
    """
    measure = scores.measures[m]
    if measure.definition.cutoff == "none":
        raise UsageError(
            f"{measure} takes no cutoff, so it has no curve over k. Name one that does, such as nDCG or P."
        )
    refuse_count("depth", depth, "how deep")
    return means_under(scores, [replace(measure, cutoff=k) for k in range(1, depth + 1)])


def curves(scores: Scores, depth: int) -> dict[str, Any]:
    """Return ``{measure: {"k", "systems": {system: (K,)}}}`` of the measures that take a cutoff and are no counts."""
    parts = {}
    for m, label in enumerate(scores.labels):
        definition = scores.measures[m].definition
        if definition.cutoff != "none" and definition.properties.direction != "count":
            means = zip(scores.systems, means_at(scores, m, depth), strict=True)
            parts[label] = {"k": list(range(1, depth + 1)), "systems": {name: numbers(each) for name, each in means}}
    return parts


# Thresholds of `overlap`.


def thresholds(scores: Scores) -> dict[str, Any] | None:
    """Return the means of the first measure that reads `overlap`, by share and system; None without spans.

    Returns
    -------
    measure, rule, meaning of the share; share: (N,) from 0, which is ``any``, to 1; systems: ``{system: (N,)}``.

    Examples
    --------
    >>> import idealrank as ir
    >>> thresholds(ir.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["RR"])) is None
    True
    """
    readers = [m for m, measure in enumerate(scores.measures) if "overlap" in measure.definition.decisions]
    if scores.setting.decisions.unit != "spans" or not readers:
        return None
    m = readers[0]
    rule = choose_rule(scores.measures[m])
    means = zip(scores.systems, means_at_shares(scores, m, rule), strict=True)
    systems = {system: numbers(each) for system, each in means}
    return {"measure": scores.labels[m], "rule": rule, "meaning": RULES[rule], "share": [*SHARES], "systems": systems}
