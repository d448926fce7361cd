"""The mean of values under each way of filling and averaging them, without filling them."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.evaluation.means import SHAPES
from idealrank.judged_lists.meeting import Met
from idealrank.measures import Measure


class MeanShortcuts:
    """The mean of raw values under each answer about filling and averaging, computed from sums."""

    def __init__(self, met: Met, measure: Measure, raw: Floats) -> None:
        defined = ~np.isnan(answered := raw[met.with_results])
        self._values = answered if defined.all() else answered[defined]
        self._undefined = len(answered) - len(self._values)
        self._failed, self._listed = int(met.failed.sum()), met.named_but_empty
        self._empty = len(raw) - len(answered) - self._failed
        self._added = len(met.unjudged_queries)
        self._rounded = any(step.stage == "mean" for step in measure.decisions.rounding)
        self._from_sums = measure.definition.total == "mean" and not self._rounded
        self._sums: dict[str, float] = {}

    def mean(self, answer: Callable[[str], Any]) -> float | None:
        """The mean, except for the last digits; None if sums are not enough."""
        average = answer("average")
        if not self._from_sums:
            return None
        undefined = answer("no_relevant") or "0"
        ones, zeros = (self._undefined, 0) if undefined == "1" else (0, self._undefined if undefined == "0" else 0)
        zeros += {"skip": 0, "skip_missing": self._listed}.get(answer("no_results"), self._empty)
        zeros += self._failed if answer("failed") == "0" else 0
        zeros += self._added if answer("no_judgments") == "0" else 0
        if not (count := len(self._values) + zeros + ones):
            return math.nan
        if average == "median":
            return (self._smallest((count - 1) // 2, zeros, ones) + self._smallest(count // 2, zeros, ones)) / 2
        shape = SHAPES[average]
        if average not in self._sums:
            self._sums[average] = float(shape.of(self._values).sum())
        return shape.back((self._sums[average] + zeros * shape.zero + ones * shape.one) / count)

    @functools.cached_property
    def _sorted(self) -> Floats:
        return np.sort(self._values)

    def _smallest(self, place: int, zeros: int, ones: int) -> float:
        """The value at a place (from 0) after sorting all with the added zeros and ones."""
        for fill, many in ((0.0, zeros), (1.0, ones)):
            below = int(np.searchsorted(self._sorted, fill))
            if place < below:
                return float(self._sorted[place])
            if place < below + many:
                return fill
            place -= many
        return float(self._sorted[place])
