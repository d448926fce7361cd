"""What the holes of two systems may change: bounds of the difference, an estimate, and what would turn the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from idealrank.comparison.chance import stream
from idealrank.comparison.contrast import Contrast
from idealrank.comparison.evidence import NONE, HoleEvidence
from idealrank.comparison.holes import Holes, holes
from idealrank.comparison.intervals import Interval
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Pairing
from idealrank.comparison.rule import Rule, gains_of
from idealrank.comparison.sample import sampled
from idealrank.lists import Floats

IMPUTED = 50
"""So often all hole grades are drawn for the estimate."""

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Scale:
    """One pair under one measure: turns differences by query into the corrected interval of the gain."""

    pairing: Pairing
    pair: Pair
    m: int
    contrast: Contrast

    def gain(self, d: Floats) -> Interval:
        """Return the interval of (Q,) differences; as many standard errors wide as the corrected one."""
        sample = self.sample(d)
        return self.span(sample.mean, sample.error)

    def sample(self, d: Floats):  # type: ignore[no-untyped-def]
        keep = self.pairing.paired(self.pair, self.m)
        return sampled(d[keep], None if self.pairing.weights is None else self.pairing.weights[keep])

    def span(self, mean: float, error: float) -> Interval:
        """Return the interval about a mean with a standard error, turned so that more is better."""
        corrected, half = self.contrast.corrected, self.width * error
        low, high = (mean - half, mean + half) if self.contrast.direction != "lower" else (-mean - half, -mean + half)
        return Interval(low, high, corrected.level, corrected.method)

    @property
    def width(self) -> float:
        """Half the corrected interval, in standard errors of the difference."""
        return self.contrast.wide
