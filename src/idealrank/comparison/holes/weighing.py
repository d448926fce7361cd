"""From the holes of the lists to what they may change: bounds, an estimate, and how few would turn the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.holes.evidence import HoleEvidence
from idealrank.comparison.holes.holes import Holes
from idealrank.comparison.holes.pair import HoleGround
from idealrank.comparison.holes.standing import stands, turn
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.rule import Rule
from idealrank.statistics.draws import stream
from idealrank.statistics.intervals import Interval

IMPUTED, FEWER, MANY = 20, 5, 200
"""So often all hole grades are drawn for the estimate: less often where that makes more than so many evaluations."""

NAMED = 10
"""Queries named whose holes move the difference most."""


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
        grounds = [HoleGround(pairing, pair, m, contrasts[Key(pair, m)], each) for m, each in enumerate(found)]
        evidence[pair] = _weighed(grounds, drawn, rule)
    return evidence


def _drawn(found: Holes, seed: int) -> Floats | None:
    """(D, S, Q) values with hole grades drawn; None where there are no holes, or rates say nothing of them.

    Without a cutoff holes lie far beyond what was judged, and the few judged results there, found by other systems
    high up, say nothing about them.
    """
    if not found.query.size or found.measure.cutoff is None or found.measure.definition.by_subtopic:
        return None
    draws = max(FEWER, min(IMPUTED, MANY // len(found.systems)))
    return np.stack(list(found.drawn(stream(seed, "holes"), draws)))


def _weighed(grounds: Sequence[HoleGround], drawn: Sequence[Floats | None], rule: Rule) -> HoleEvidence:
    ranges, first = tuple(ground.range for ground in grounds), grounds[0]
    read = [(g, d) for g, d in zip(grounds, drawn, strict=True) if g.contrast.direction != "count"]
    estimated = tuple(_estimated(*both) for both in read)
    if not any(found.count for found in ranges):
        return HoleEvidence(ranges, first.contrast.measure, estimated, stands=True)
    turning, turned = turn(first, rule)
    return HoleEvidence(
        ranges, first.contrast.measure, estimated, stands([ground for ground, _ in read], rule),
        turning, turned, _worst_queries(next(ground for ground in grounds if ground.range.count)),
    )  # fmt: skip


def _estimated(ground: HoleGround, drawn: Floats | None) -> Interval:
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


def _worst_queries(ground: HoleGround) -> tuple[str, ...]:
    wide = np.nan_to_num(ground.bounds.high - ground.bounds.low) * ground.share
    if ground.bounds.kind == "unknown":
        wide = np.bincount(ground.holes.query, minlength=len(wide)) * ground.share
    by_id = ground.pairing.by_id
    order = by_id[np.argsort(-wide[by_id], kind="stable")]
    return tuple(ground.pairing.scores.queries[q] for q in order[:NAMED] if wide[q] > 0)
