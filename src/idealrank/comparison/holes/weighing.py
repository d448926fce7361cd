"""From the holes of the lists to what they may change: bounds, an estimate, and how few would turn the verdict."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.holes.evidence import HoleEvidence, HoleRange
from idealrank.comparison.holes.holes import Holes
from idealrank.comparison.holes.pair import HolesOfPair
from idealrank.comparison.holes.rates import unestimated
from idealrank.comparison.holes.standing import stands, turn
from idealrank.comparison.methods import Methods
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.roles import SHOWN
from idealrank.comparison.rule import Rule
from idealrank.evaluation.ledger.hole_counts import holes_within
from idealrank.statistics.draws import stream
from idealrank.statistics.intervals import Interval

IMPUTED, FEWER, MANY = 20, 5, 200
"""So often all hole grades are drawn for the estimate: less often where that makes more than so many evaluations."""

NAMED = 10
"""Queries named whose holes move the difference most."""


def hole_evidence(
    pairing: Pairing, contrasts: Mapping[Key, Contrast], holes: Sequence[Holes], methods: Methods, rule: Rule
) -> dict[Pair, HoleEvidence]:
    """Return what the holes may change, for every pair of systems.

    Parameters
    ----------
    holes
        The holes of all systems under each measure.
    """
    if pairing.scores.parts:
        return {pair: _in_parts(pairing, contrasts, pair, rule) for pair in pairing.pairs}
    drawn = [_drawn(each, methods.seed) for each in holes]
    evidence = {}
    for pair in pairing.pairs:
        keys = [Key(pair, m) for m in range(len(holes))]
        pairs = [HolesOfPair(pairing, key, contrasts[key], each) for key, each in zip(keys, holes, strict=True)]
        evidence[pair] = _weighed(pairs, drawn, rule)
    return evidence


def _in_parts(pairing: Pairing, contrasts: Mapping[Key, Contrast], pair: Pair, rule: Rule) -> HoleEvidence:
    """Weigh the holes of scores that were computed in parts, by their number alone.

    Each may turn all of its query, so so many queries may change by the whole range. Nothing is estimated.
    """
    scores = pairing.scores
    every = [contrasts[Key(pair, m)] for m in range(len(scores.measures))]
    counts = [sum(holes_within(scores, s, measure.cutoff)[0] for s in pair) for measure in scores.measures]
    weighted = scores.weights is not None
    ranges = tuple(_counted(contrast, count, weighted) for contrast, count in zip(every, counts, strict=True))
    deciding = [m for m, contrast in enumerate(every) if contrast.role != SHOWN]
    gains = [every[m].gain for m in deciding]
    wide = [ranges[m].widened(gain) for m, gain in zip(deciding, gains, strict=True)]
    names = [every[m].measure for m in deciding]
    stands = not any(counts) or rule.outcome(wide, names)[0] == rule.outcome(gains, names)[0]
    return HoleEvidence(ranges, scores.labels[0], () if any(counts) else tuple(gains), stands=stands)


def _counted(contrast: Contrast, count: int, weighted: bool) -> HoleRange:
    """Return how far so many holes could move a difference, if each turns all of a query."""
    if not count:
        return HoleRange()
    share = 1.0 if weighted else min(1.0, count / max(contrast.queries, 1))
    spread = 2 * contrast.largest * share
    if not math.isfinite(spread):
        return HoleRange(count, exact=False, why="in parts they are only counted, and one may change a value at will")
    low, high = contrast.difference - spread, contrast.difference + spread
    why = "each unjudged result may turn all of its query; nearer bounds need the lists of all queries at once"
    return HoleRange(count, max(low, -contrast.largest), min(high, contrast.largest), exact=False, why=why)


def _drawn(holes: Holes, seed: int) -> Floats | None:
    """(D, S, Q) values with hole grades drawn; None where there are no holes, or rates say nothing of them."""
    if not holes.query.size or not holes.measure.definition.is_plain or unestimated(holes.measure, holes.meetings[0]):
        return None
    draws = max(FEWER, min(IMPUTED, MANY // len(holes.systems)))
    return np.stack(list(holes.drawn(stream(seed, "holes"), draws)))


def _weighed(pairs: Sequence[HolesOfPair], drawn: Sequence[Floats | None], rule: Rule) -> HoleEvidence:
    first, deciding = pairs[0], [pair.contrast.role != SHOWN for pair in pairs]
    estimated = (_estimated(*each) for each in itertools.compress(zip(pairs, drawn, strict=True), deciding))
    evidence = HoleEvidence(
        ranges=tuple(pair.mean_range for pair in pairs),
        measure=first.contrast.measure,
        estimated=tuple(estimated),
        stands=True,
    )
    if evidence.none:
        return evidence
    turning, turned = turn(first, rule)
    return replace(
        evidence,
        stands=stands(list(itertools.compress(pairs, deciding)), rule),
        turning=turning,
        turned=turned,
        worst_queries=_worst_queries(next(pair for pair in pairs if pair.mean_range.count)),
    )


def _estimated(holes: HolesOfPair, drawn: Floats | None) -> Interval:
    """Return the interval of the gain over all drawings, their spread added to that of the queries.

    Mean and variance by Rubin (1987), Multiple Imputation for Nonresponse in Surveys, section 3.1: the mean of
    the drawings; the mean of their squared standard errors plus (1 + 1/D) times the variance of their means.
    """
    if drawn is None:
        return holes.contrast.gain
    baseline, system = holes.key.pair
    samples = [holes.sample(values[system] - values[baseline]) for values in drawn]
    means = np.array([sample.mean for sample in samples])
    within = float(np.mean([sample.error**2 for sample in samples]))
    error = math.sqrt(within + (1 + 1 / len(means)) * float(means.var(ddof=1)))
    return holes.gain_about(float(means.mean()), error)


def _worst_queries(holes: HolesOfPair) -> tuple[str, ...]:
    bounds = holes.query_bounds
    wide = np.nan_to_num(bounds.high - bounds.low) * holes.share
    if bounds.kind == "unknown":
        wide = np.bincount(holes.holes.query, minlength=len(wide)) * holes.share
    by_id = holes.pairing.by_id
    order = by_id[np.argsort(-wide[by_id], kind="stable")]
    return tuple(holes.pairing.scores.queries[q] for q in order[:NAMED] if wide[q] > 0)
