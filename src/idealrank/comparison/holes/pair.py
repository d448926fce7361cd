"""One pair of systems under one measure, with the holes of its lists."""

import functools
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.holes.bounds import Bounds
from idealrank.comparison.holes.evidence import HoleRange
from idealrank.comparison.holes.holes import Holes
from idealrank.comparison.pairing import Key, Pairing
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, sampled


@dataclass(frozen=True, eq=False)
class HolesOfPair:
    """One pair of systems under one measure, and the holes of all systems."""

    pairing: Pairing
    key: Key
    contrast: Contrast
    holes: Holes

    @functools.cached_property
    def paired(self) -> Ints:
        """Places of the paired queries."""
        return np.flatnonzero(self.pairing.paired(*self.key))

    @functools.cached_property
    def paired_holes(self) -> Ints:
        """Places of the holes of paired queries."""
        return np.flatnonzero(np.isin(self.holes.query, self.paired))

    @functools.cached_property
    def share(self) -> Floats:
        """(Q,) the part each query has in the mean; 0 where it is not paired."""
        return self.pairing.share(*self.key)

    @functools.cached_property
    def seen_by_both(self) -> Holes:
        """The same holes, as these two systems see them."""
        return self.holes.of(*self.key.pair)

    @functools.cached_property
    def query_bounds(self) -> Bounds:
        """(Q,) lowest and highest difference of every query."""
        return self.holes.difference(*self.key.pair)

    @functools.cached_property
    def mean_range(self) -> HoleRange:
        """What the holes allow the mean difference to be."""
        count, bounds = len(self.paired_holes) + self.holes.unseen * len(self.paired), self.query_bounds
        if bounds.kind == "unknown":
            return HoleRange(count, why=bounds.why)
        low, high = (self.sample(ends).mean for ends in (bounds.low, bounds.high))
        return HoleRange(count, low, high, bounds.kind == "exact", bounds.why)

    def sample(self, d: Floats) -> Sample:
        """Return the paired of (Q,) differences, with their weights."""
        return sampled(d[self.paired], self.pairing.weights_of(self.paired))

    def gain(self, d: Floats) -> Interval:
        """Return the interval of the gain of (Q,) differences."""
        sample = self.sample(d)
        return self.gain_about(sample.mean, sample.error)

    def gain_about(self, mean: float, error: float) -> Interval:
        """Return the interval of the gain about a mean, as many standard errors wide as the corrected one."""
        half = self.contrast.wide * error if error else 0.0
        mean = -mean if self.contrast.direction == "lower" else mean
        return Interval(mean - half, mean + half, self.contrast.corrected.level, self.contrast.corrected.method)
