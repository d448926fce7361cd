"""One segment: what a system changes on its queries, against another, under one measure."""

import math
from dataclasses import dataclass, replace

import numpy as np

from idealrank.arrays import Floats, Mask, exact_sum
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pairing
from idealrank.comparison.segments.drawn_test import LEAST, MOST, OF_MEANS, drawn_p
from idealrank.evaluation.bounds import difference_bounds
from idealrank.statistics.intervals import Interval
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
        Of the segment's mean (`drawn_p`), or of the comparison's test where that is about wins and losses or there
        are more than 200 queries; corrected for false discovery over all segments of the table. NaN for fewer than 5.
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
    given = None if pairing.weights is None else weights
    p, span, note = _evidence(d, given, kept, paired, methods)
    span = span.within(difference_bounds(scores, m))
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
        p=p,
        corrected=math.nan,
        contribution=exact_sum(weights[kept] * d[kept]) / mass,
        wins=int((turn * d[kept] > 0).sum()),
        ties=int((d[kept] == 0).sum()),
        losses=int((turn * d[kept] < 0).sum()),
        note=note,
    )


def _mean(values: Floats, weights: Floats) -> float:
    return sampled(values, weights).mean if len(values) else math.nan


def _evidence(
    d: Floats, weights: Floats | None, kept: Mask, paired: Mask, methods: Methods
) -> tuple[float, Interval, str]:
    """Test the differences; where all are the same they have no spread, and only the flips of their signs tell."""
    ours, ours_weights = d[kept], None if weights is None else weights[kept]
    if len(ours) < 2:
        return math.nan, UNKNOWN, "one query: no interval" if len(ours) else "no query with a value in both"
    sample = sampled(ours, ours_weights)
    span, note = methods.interval_of(ours, ours_weights), ""
    if sample.is_shift:
        span, note = UNKNOWN, "equal differences: no interval, p by sign flips"
    if sample.n < LEAST:
        return math.nan, span, f"fewer than {LEAST} queries: no test"
    if sample.is_shift:
        return replace(methods, test="randomisation").test_of(ours, ours_weights).p, span, note
    if methods.test not in OF_MEANS or sample.n > MOST:
        return methods.test_of(ours, ours_weights).p, span, note
    every = sampled(d[paired], None if weights is None else weights[paired])
    return drawn_p(ours, ours_weights, every, methods.seed, methods.draws), span, note
