"""Which segments explain a change: the few that contain most of it, and in which it is larger beyond chance."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import SAME, Floats, Ints, Mask
from idealrank.comparison.methods import Methods
from idealrank.errors import plural
from idealrank.statistics.draws import CLOSE, chunks, stream

MOST = 0.8
"""Share of the change that a set of segments must contain to explain it."""

LEAST = 5
"""Segments of fewer queries, as many as tell as much at equal weights, are not named; so many must be outside, too."""

SET = 3
"""The most segments in a set."""

OWN = 4
"""So many queries' worth of the spread over all queries goes into that of each segment."""


@dataclass(frozen=True)
class ExplainingSegments:
    """The smallest set of segments that contains most of a change.

    Attributes
    ----------
    segments
        ``attribute=value``, the one with the largest contribution first; empty where nothing can be named.
    queries
        How many queries they contain together.
    share, share_of_change
        Their share of the weight (without weights, of the queries) and of the difference of all.
    p
        Corrected p of the least certain of them; NaN where none is named.
    sentence
        The same in words, or why nothing is named.
    """

    segments: tuple[str, ...]
    queries: int
    share: float
    share_of_change: float
    p: float
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values; p is None where nothing is named."""
        return {**vars(self), "segments": list(self.segments), "p": self.p if self.segments else None}


def explain_change(
    d: Floats, weights: Floats, segments: Mapping[str, Mask], methods: Methods, measure: str
) -> ExplainingSegments:
    """Return the smallest set of segments whose queries contain at least 80 % of the difference of all.

    A segment can be named if the mean of its differences is further in the direction of the change than the mean
    of the other queries', by more than chance. Of the segments that can be named, the set of the fewest that holds
    enough is taken, of equally many the one with the smallest share of the weight. Nothing is named where no set of
    up to three does.

    The chance is that of the statement "the effect is the same in every segment, be it zero or not": the differences
    of the queries are exchanged between all queries, weights and segments staying where they are, and the largest
    statistic of all segments is counted. So on data without segments that differ, any is named in at most 1 - level
    of all cases, however many segments there are and however they overlap. The statistic is the difference of the two
    means over its standard error, each segment with a variance of its own, so that queries that vary more are not
    taken for ones that change more; where a segment varies three times as much as the rest the rate was measured as
    about 5½ % for 5 %.

    Parameters
    ----------
    d, weights
        (n,) difference and weight of each paired query, in the order of their ids.
    segments
        (n,) mask of the queries of each segment, by what it is called.
    methods
        Level, draws and seed.
    measure
        What the values are called.

    References
    ----------
    Westfall and Young (1993), Resampling-Based Multiple Testing, section 2.3 (largest statistic); Chung and Romano
    (2013), Exact and Asymptotically Robust Permutation Tests (own variances); Smyth (2004), Linear Models and
    Empirical Bayes Methods (variances of few values drawn toward that of all).

    Examples
    --------
    >>> d = np.where(np.arange(60) < 12, 0.3, 0.0) + np.tile([0.02, -0.02], 30)
    >>> half = np.arange(60) % 3 == 0
    >>> few = explain_change(d, np.ones(60), {"brand": np.arange(60) < 12, "other": half}, Methods(), "RR")
    >>> few.segments, few.queries, round(few.share_of_change, 2)
    (('brand',), 12, 1.0)
    """
    change = float(weights @ d) / float(weights.sum())
    names = [name for name, mask in segments.items() if large_enough(weights, mask)]
    if abs(change) <= CLOSE * max(float(np.abs(d).max(initial=0.0)), CLOSE) or np.ptp(d) <= CLOSE:
        return _nothing(f"Nothing to explain in {measure}: the mean does not change, or all queries change alike.")
    if not names:
        return _nothing(f"No segment can explain {measure}: none has {LEAST} queries or more, with as many others.")
    masks = np.array([segments[name] for name in names], np.bool_)
    p = corrected_p(math.copysign(1.0, change) * d, weights, masks, methods)
    able = np.flatnonzero(p <= 1 - methods.level + SAME)
    return _smallest(d, weights, change, names, masks, p, able, measure)


def large_enough(weights: Floats, mask: Mask) -> bool:
    """Whether a segment and its rest hold as much as 5 queries of equal weight each.

    Counted as (Σ w)² / Σ w², Kish (1965), Survey Sampling, section 11.7: where one query has nearly all the weight,
    it is one query that is measured, however many there are.
    """
    sides = (weights[mask], weights[~mask])
    return all(float(side.sum()) ** 2 >= LEAST * float(side @ side) * (1 - CLOSE) and side.any() for side in sides)


def corrected_p(d: Floats, weights: Floats, masks: Sequence[Mask] | Mask, methods: Methods) -> Floats:
    """(S,) chance that any segment stands out as this one does, if differences belong to no segment.

    (b + 1) / (draws + 1) with b the draws in which the largest statistic of all is as large.
    """
    statistic = _Statistic(weights, np.asarray(masks, dtype=np.float64).T)
    middle = d - np.average(d, weights=weights)
    observed = statistic(middle[None], middle[None] ** 2)[0]
    bar = observed - CLOSE * np.abs(observed)
    beyond: Ints = np.zeros(len(observed), np.int64)
    rng = stream(methods.seed, "segments")
    drawn: Floats = np.empty((0, len(d)))
    for rows in chunks(methods.draws, len(d)):
        drawn = drawn[:rows] if rows <= len(drawn) else np.repeat(middle[None], rows, axis=0)
        rng.permuted(drawn, axis=1, out=drawn)  # exchanged again from the last draws: no memory is asked for anew
        largest = statistic(drawn, drawn**2).max(axis=1)
        beyond += (largest[:, None] >= bar).sum(axis=0)
    return np.asarray((beyond + 1) / (methods.draws + 1))


class _Statistic:
    """The statistic of S segments for (B, n) differences, with all that does not change from draw to draw."""

    def __init__(self, weights: Floats, inside: Floats) -> None:
        self.count, self.rest = inside.sum(axis=0), len(weights) - inside.sum(axis=0)
        self.w, self.squared = weights, weights**2
        self.inside, self.parts = weights[:, None] * inside, (weights**2)[:, None] * inside
        self.mass, self.masses = weights.sum(), self.inside.sum(axis=0)
        self.all, self.each = self.squared.sum(), self.parts.sum(axis=0)

    def __call__(self, d: Floats, square: Floats) -> Floats:
        """(B, S) mean of the queries in a segment less that of the others, over its standard error."""
        sums, totals = d @ self.inside, (d @ self.w)[:, None]
        here, there = sums / self.masses, (totals - sums) / (self.mass - self.masses)
        first, all_first = d @ self.parts, (d @ self.squared)[:, None]
        second, all_second = square @ self.parts, (square @ self.squared)[:, None]
        own = _residuals(here, first, second, self.each)
        others = _residuals(there, all_first - first, all_second - second, self.all - self.each)
        spread = _residuals(totals / self.mass, all_first, all_second, self.all) / self.all
        variance = (own / self.each * self.count + OWN * spread) / (self.count - 1 + OWN)  # of one difference
        error = variance * self.each / self.masses**2
        error += others * self.rest / (self.rest - 1) / (self.mass - self.masses) ** 2
        return np.asarray((here - there) / np.sqrt(np.maximum(error, np.finfo(float).tiny)))


def _residuals(mean: Floats, first: Floats, second: Floats, each: Floats) -> Floats:
    """Σ w² (d − mean)², from Σ w² d, Σ w² d² and Σ w²."""
    return np.asarray(np.maximum(second - 2 * mean * first + mean**2 * each, 0.0))


def _smallest(
    d: Floats, weights: Floats, change: float, names: Sequence[str], masks: Mask, p: Floats, able: Ints, measure: str
) -> ExplainingSegments:
    if not len(able):
        return _nothing(
            f"No segment explains the change in {measure}: none of {len(names)} differs from the others beyond chance "
            f"(smallest p = {p.min():.2g})."
        )
    parts, shares = weights * d / weights.sum() / change, weights / weights.sum()
    for size in range(1, SET + 1):
        sets = [(c, np.asarray(masks[list(c)].any(axis=0))) for c in itertools.combinations(able.tolist(), size)]
        enough = [(chosen, mask) for chosen, mask in sets if parts[mask].sum() >= MOST - CLOSE]
        if enough:
            chosen, mask = min(enough, key=lambda each: (round(float(shares[each[1]].sum()), 12), each[0]))
            order = sorted(chosen, key=lambda i: -parts[masks[i]].sum())
            return _named([names[i] for i in order], mask, parts, shares, float(p[list(chosen)].max()), measure)
    first = int(min(able, key=lambda i: (p[i], -parts[masks[i]].sum())))
    held = parts[masks[first]].sum()
    return _nothing(
        f"No set of segments contains {MOST:.0%} of the change in {measure}. In {names[first]} it is larger than "
        f"elsewhere (p = {p[first]:.2g}), with {held:.0%} of the change."
    )


def _named(
    names: Sequence[str], mask: Mask, parts: Floats, shares: Floats, p: float, measure: str
) -> ExplainingSegments:
    share, held, count = float(shares[mask].sum()), float(parts[mask].sum()), int(mask.sum())
    weighted = bool(np.ptp(shares) > 0)
    of_weight = f", {share:.0%} of the weight" if weighted else f", {share:.0%} of all"
    makes = "contains" if len(names) == 1 else "together contain"
    against = "; the other queries change the other way" if held > 1 + CLOSE else ""
    sentence = (
        f"{' and '.join(names)} ({plural(count, 'query')}{of_weight}) {makes} {held:.0%} of the change in {measure}"
        f"{against} (p = {p:.2g})."
    )
    return ExplainingSegments(tuple(names), count, share, held, p, sentence)


def _nothing(sentence: str) -> ExplainingSegments:
    return ExplainingSegments((), 0, 0.0, 0.0, math.nan, sentence)
