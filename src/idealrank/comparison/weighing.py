"""From the holes of the lists to what they may change: bounds, an estimate, and how few would turn the verdict."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from idealrank.comparison.contrast import Contrast
from idealrank.comparison.contrasting import Key
from idealrank.comparison.evidence import HoleEvidence, HoleRange
from idealrank.comparison.holes import Bounds, Holes
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.rule import Rule
from idealrank.comparison.statistics.chance import stream
from idealrank.comparison.statistics.intervals import Interval
from idealrank.comparison.statistics.sample import Sample, sampled
from idealrank.lists import Floats, Ints

IMPUTED = 20
"""So often all hole grades are drawn for the estimate."""

NAMED = 10
"""Queries named whose holes move the difference most."""

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Ground:
    """One pair of systems under one measure, and the holes of its lists."""

    pairing: Pairing
    pair: Pair
    m: int
    contrast: Contrast
    holes: Holes

    def sample(self, d: Floats) -> Sample:
        """Return the paired of (Q,) differences, with their weights."""
        weights = self.pairing.weights
        return sampled(d[self.kept], None if weights is None else weights[self.kept])

    @functools.cached_property
    def kept(self) -> Ints:
        """Places of the paired queries."""
        return np.flatnonzero(self.pairing.paired(self.pair, self.m))

    def span(self, mean: float, error: float) -> Interval:
        """Return the interval of the gain about a mean, as many standard errors wide as the corrected one."""
        half = self.contrast.wide * error if error else 0.0
        mean = -mean if self.contrast.direction == "lower" else mean
        return Interval(mean - half, mean + half, self.contrast.corrected.level, self.contrast.corrected.method)

    def gain(self, d: Floats) -> Interval:
        """Return the interval of the gain of (Q,) differences."""
        sample = self.sample(d)
        return self.span(sample.mean, sample.error)

    @functools.cached_property
    def bounds(self) -> Bounds:
        """Lowest and highest difference of every query."""
        return self.holes.difference(*self.pair)

    @property
    def worst(self) -> Floats:
        """(Q,) differences at their worst for the newcomer."""
        return self.bounds.high if self.contrast.direction == "lower" else self.bounds.low

    @property
    def best(self) -> Floats:
        """(Q,) differences at their best for the newcomer."""
        return self.bounds.low if self.contrast.direction == "lower" else self.bounds.high

    @functools.cached_property
    def range(self) -> HoleRange:
        """What the holes allow the mean difference to be."""
        count = len(self.holes.query) + self.holes.unseen * len(self.kept)
        if self.bounds.kind == "unknown":
            return HoleRange(count, why=self.bounds.why)
        low, high = (self.sample(ends).mean for ends in (self.bounds.low, self.bounds.high))
        return HoleRange(count, low, high, self.bounds.kind == "exact", self.bounds.why)


def hole_evidence(
    pairing: Pairing, contrasts: Mapping[Key, Contrast], found: Sequence[Holes], methods: Methods, rule: Rule
) -> dict[Pair, HoleEvidence]:
    """Return what the holes may change, for every pair of systems.

    Parameters
    ----------
    found
        The holes of all systems under each measure.
    """
    drawn = [_drawn(each, methods.seed) for each in found]
    evidence = {}
    for pair in pairing.pairs:
        grounds = [Ground(pairing, pair, m, contrasts[pair, m], each) for m, each in enumerate(found)]
        evidence[pair] = _weighed(grounds, drawn, rule)
    return evidence


def _drawn(found: Holes, seed: int) -> Floats | None:
    """(D, S, Q) values with hole grades drawn; None where there are no holes, or rates say nothing of them.

    Without a cutoff holes lie far beyond what was judged, and the few judged results there, found by other systems
    high up, say nothing about them.
    """
    if not found.query.size or found.measure.cutoff is None or found.measure.definition.by_subtopic:
        return None
    return np.stack(list(found.drawn(stream(seed, "holes"), IMPUTED)))


def _weighed(grounds: Sequence[Ground], drawn: Sequence[Floats | None], rule: Rule) -> HoleEvidence:
    ranges = tuple(ground.range for ground in grounds)
    read = [(g, d) for g, d in zip(grounds, drawn, strict=True) if g.m == 0 or g.contrast.direction != "count"]
    first, decide = grounds[0], [ground for ground, _ in read]
    estimated = tuple(_estimated(*both) for both in read)
    if not any(found.count for found in ranges) or not first.range.known:
        return HoleEvidence(ranges, estimated=estimated)
    return HoleEvidence(
        ranges,
        _gains(decide, lambda ground: ground.gain(ground.worst)),
        _gains(decide, lambda ground: ground.gain(ground.best)),
        estimated, _turning(first, rule, [ground.contrast.measure for ground in decide]), _worst_queries(first),
    )  # fmt: skip


def _gains(grounds: Sequence[Ground], end: Callable[[Ground], Interval]) -> tuple[Interval, ...]:
    """Return an interval a measure; one without bounds keeps the interval it has."""
    return tuple(end(ground) if ground.range.known else ground.contrast.gain for ground in grounds)


def _estimated(ground: Ground, drawn: Floats | None) -> Interval:
    """Return the interval of the gain over all drawings, their spread added to that of the queries.

    Mean and variance by Rubin (1987), Multiple Imputation for Nonresponse in Surveys, section 3.1: the mean of
    the drawings; the mean of their squared standard errors plus (1 + 1/D) times the variance of their means.
    """
    if drawn is None:
        return ground.contrast.gain
    a, b = ground.pair
    samples = [ground.sample(values[b] - values[a]) for values in drawn]
    means = np.array([sample.mean for sample in samples])
    within = float(np.mean([sample.error**2 for sample in samples]))
    error = math.sqrt(within + (1 + 1 / len(means)) * float(means.var(ddof=1)))
    return ground.span(float(means.mean()), error)


def _turning(first: Ground, rule: Rule, names: Sequence[str]) -> int | None:
    """Return so many holes as are enough to turn what the deciding measure says; None where all together do not.

    Queries go to their worst (of a SHIP; of a DON'T to their best) in the order of what a hole of theirs moves, until
    the outcome is another.
    """
    before = first.pairing.difference(first.pair, first.m)
    plain = rule.outcome([first.contrast.gain], names[:1])[0]
    ends = first.worst if plain == "SHIP" else first.best
    if plain == "CAN'T TELL":
        return None
    counts = first.holes.total[first.kept] + first.holes.unseen
    move = np.abs(ends - before)[first.kept] / np.maximum(counts, 1)
    order = first.kept[np.argsort(-move, kind="stable")]

    def turned(queries: int) -> bool:
        d = before.copy()
        d[order[:queries]] = ends[order[:queries]]
        return rule.outcome([first.gain(d)], names[:1])[0] != plain

    if not turned(len(order)):
        return None
    low, high = 0, len(order)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if turned(middle) else (middle, high)
    return int((first.holes.total[order[:high]] + first.holes.unseen).sum())


def _worst_queries(first: Ground) -> tuple[str, ...]:
    wide = first.bounds.high - first.bounds.low
    by_id = first.pairing.by_id
    order = by_id[np.argsort(-np.nan_to_num(wide)[by_id], kind="stable")]
    return tuple(first.pairing.scores.queries[q] for q in order[:NAMED] if wide[q] > 0)
