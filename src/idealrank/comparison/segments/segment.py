"""One segment: what a system changes on its queries, against another, under one measure."""

import math
from dataclasses import dataclass, replace

import numpy as np

from idealrank.arrays import Floats, Mask, exact_sum
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pairing
from idealrank.statistics.intervals import Interval
from idealrank.statistics.paired_tests import Test
from idealrank.statistics.sample import sampled

UNKNOWN = Interval(math.nan, math.nan, math.nan, "")


@dataclass(frozen=True)
class Segment:
    """What a system changes on the queries of a segment.

    Attributes
    ----------
    system, baseline, measure
        What is compared with what.
    attribute, name
        Which segment: the value `name` of the attribute.
    queries
        Number of paired queries in it.
    share
        Their share of all weight; without weights, of all paired queries.
    baseline_mean, mean, difference
        (Weighted) means over its queries, and of their differences; NaN without queries.
    low, high
        Interval of the difference, for this segment alone; NaN where `note` says why.
    p, corrected
        Of the comparison's test; corrected for false discovery over all segments of the table. NaN for one query.
    contribution
        What its queries add to the difference of all: share times difference.
    wins, ties, losses
        Queries in which the system is better, equal and worse.
    note
        Why there is no interval; "" where there is one.
    """

    system: str
    baseline: str
    measure: str
    attribute: str
    name: str
    queries: int
    share: float
    baseline_mean: float
    mean: float
    difference: float
    low: float
    high: float
    p: float
    corrected: float
    contribution: float
    wins: int
    ties: int
    losses: int
    note: str


def segment(pairing: Pairing, methods: Methods, key: Key, attribute: str, name: str, mask: Mask) -> Segment:
    """Measure one segment; its p is not corrected yet."""
    pair, m = key
    scores, paired, d = pairing.scores, pairing.paired(pair, m), pairing.difference(pair, m)
    weights = np.ones(len(d)) if pairing.weights is None else pairing.weights
    kept = mask & paired
    mass = exact_sum(weights[paired])
    before, after = (_mean(scores.values[s, m, kept], weights[kept]) for s in pair)
    test, span, note = _evidence(d[kept], None if pairing.weights is None else weights[kept], methods)
    turn = -1 if scores.measures[m].definition.properties.direction == "lower" else 1
    return Segment(
        system=scores.systems[pair.system],
        baseline=scores.systems[pair.baseline],
        measure=scores.labels[m],
        attribute=attribute,
        name=name,
        queries=int(kept.sum()),
        share=exact_sum(weights[kept]) / mass,
        baseline_mean=before,
        mean=after,
        difference=_mean(d[kept], weights[kept]),
        low=span.low,
        high=span.high,
        p=math.nan if test is None else test.p,
        corrected=math.nan,
        contribution=exact_sum(weights[kept] * d[kept]) / mass,
        wins=int((turn * d[kept] > 0).sum()),
        ties=int((d[kept] == 0).sum()),
        losses=int((turn * d[kept] < 0).sum()),
        note=note,
    )


def _mean(values: Floats, weights: Floats) -> float:
    return sampled(values, weights).mean if len(values) else math.nan


def _evidence(d: Floats, weights: Floats | None, methods: Methods) -> tuple[Test | None, Interval, str]:
    """Test the differences; where all are the same they have no spread, and only the flips of their signs tell."""
    if len(d) < 2:
        return None, UNKNOWN, "one query: no interval" if len(d) else "no query with a value in both"
    sample = sampled(d, weights)
    if sample.is_constant and sample.mean:
        flips = replace(methods, test="randomisation").test_of(d, weights)
        return flips, UNKNOWN, "equal differences: no interval, p by sign flips"
    return methods.test_of(d, weights), methods.interval_of(d, weights), ""
