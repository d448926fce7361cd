"""One pair of systems under one measure, with the holes of its lists."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.holes.bounds import Bounds
from idealrank.comparison.holes.evidence import HoleRange
from idealrank.comparison.holes.holes import Holes
from idealrank.comparison.pairing import Pair, Pairing
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, sampled


@dataclass(frozen=True, eq=False)
class HoleGround:
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
    def mine(self) -> Ints:
        """Places of the holes of paired queries."""
        return np.flatnonzero(np.isin(self.holes.query, self.kept))

    @functools.cached_property
    def share(self) -> Floats:
        """(Q,) the part each query has in the mean; 0 where it is not paired."""
        return self.pairing.share(self.pair, self.m)

    @functools.cached_property
    def of_pair(self) -> Holes:
        """The same holes, as these two systems see them."""
        return self.holes.of(*self.pair)

    @functools.cached_property
    def bounds(self) -> Bounds:
        """Lowest and highest difference of every query."""
        return self.holes.difference(*self.pair)

    @functools.cached_property
    def range(self) -> HoleRange:
        """What the holes allow the mean difference to be."""
        count = len(self.mine) + self.holes.unseen * len(self.kept)
        if self.bounds.kind == "unknown":
            return HoleRange(count, why=self.bounds.why)
        low, high = (self.sample(ends).mean for ends in (self.bounds.low, self.bounds.high))
        return HoleRange(count, low, high, self.bounds.kind == "exact", self.bounds.why)
