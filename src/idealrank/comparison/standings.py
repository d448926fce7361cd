"""Standings: the means of many systems, how far they are from the baseline, and which of them is the best."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from idealrank.arrays import SAME
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pair, Pairing, unpaired_error
from idealrank.evaluation.bounds import value_bounds
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import sampled

Contrasts = Mapping[Key, Contrast]


def against_baseline(pairing: Pairing, found: Contrasts) -> dict[int, Contrast]:
    """Return the contrast of each system with the baseline under the deciding measure, by its place."""
    return {pair.system: contrast for (pair, m), contrast in found.items() if m == 0 and pairing.baseline}


def best_of(pairing: Pairing, places: Sequence[int]) -> int:
    """Return the system with the best mean of the deciding measure: the baseline where it is as good, else the first.

    Against a baseline, means are those over the queries that both have a value for. Where only the other system's
    search failed, it counts with the worst value there is, so that failures help nobody to be chosen.
    """
    sign = -1.0 if pairing.scores.measures[0].definition.properties.direction == "lower" else 1.0
    heights = {s: sign * (_at_worst(pairing, s) if pairing.baseline else _mean(pairing, s, 0)) for s in places}
    highest = max(heights.values())
    best = [s for s in places if heights[s] >= highest - SAME]
    return next((s for s in best if pairing.scores.systems[s] == pairing.baseline), best[0])


def _at_worst(pairing: Pairing, s: int) -> float:
    """Return the difference of a system from the baseline, with the worst value where its search failed alone."""
    base = pairing.scores.systems.index(pairing.baseline)
    lower = pairing.scores.measures[0].definition.properties.direction == "lower"
    worst = value_bounds(pairing.scores, 0)[lower]
    before, after = pairing.scores.values[base, 0], pairing.scores.values[s, 0]
    failed = pairing.chosen & pairing.scores.unanswered[s, 0] & ~np.isnan(before)
    if not failed.any() or not np.isfinite(worst):
        return difference(pairing, s)
    changes = np.where(failed, worst, after) - before
    keep = np.flatnonzero(~np.isnan(changes) & (True if pairing.weights is None else pairing.weights > 0))
    return sampled(changes[keep], pairing.weights_of(keep)).mean


def difference(pairing: Pairing, s: int) -> float:
    """Return the difference of a system from the baseline under the deciding measure.

    Raises
    ------
    DataError
        If no query pairs.
    """
    pair = Pair(pairing.scores.systems.index(pairing.baseline), s)
    _, differences, weights = pairing.paired_differences(Key(pair, 0))
    if not len(differences):
        raise unpaired_error(pairing.baseline, pairing.scores.systems[s], pairing.scores.labels[0])
    return sampled(differences, weights).mean


def _mean(pairing: Pairing, s: int, m: int) -> float:
    values, weights = _values(pairing, s, m)
    return sampled(values, weights).mean


def _values(pairing: Pairing, s: int, m: int) -> Any:
    """Return the values of a system's queries, and their weights."""
    values = pairing.scores.values[s, m]
    keep = np.flatnonzero(~np.isnan(values) & (True if pairing.weights is None else pairing.weights > 0))
    return values[keep], pairing.weights_of(keep)


def standings(pairing: Pairing, found: Contrasts, places: Sequence[int], methods: Methods) -> dict[str, Any]:
    """Return columns, one row per system: the mean of each measure, and of the deciding one all that sets them apart.

    `low` and `high` are the interval of the mean of the deciding measure; `difference`, `corrected low`, `corrected
    high` and `corrected p` are of its difference from the baseline.
    """
    labels, known = pairing.scores.labels, against_baseline(pairing, found)
    columns: dict[str, Any] = {
        label: np.array([_mean(pairing, s, m) for s in places]) for m, label in enumerate(labels)
    }
    spans = [_span(pairing, s, methods) for s in places]
    columns |= {"low": np.array([each.low for each in spans]), "high": np.array([each.high for each in spans])}
    if not pairing.baseline:
        return columns
    rows = [_difference(known.get(s)) for s in places]
    return columns | {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _span(pairing: Pairing, s: int, methods: Methods) -> Interval:
    values, weights = _values(pairing, s, 0)
    return methods.interval_of(values, weights, bounds=value_bounds(pairing.scores, 0))


def _difference(of: Contrast | None) -> dict[str, float]:
    """Return the difference of a system from the baseline; NaN for the baseline itself."""
    names = ("difference", "corrected low", "corrected high", "corrected p")
    numbers = (np.nan,) * 4 if of is None else (of.difference, of.corrected.low, of.corrected.high, of.p)
    return dict(zip(names, numbers, strict=True))
