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
from idealrank.comparison.rule import DONT, SHIP, Rule
from idealrank.evaluation.ledger.hole_counts import holes_within
from idealrank.statistics.draws import stream
from idealrank.statistics.intervals import Interval

IMPUTED, FEWER, MANY = 20, 5, 200
"""So often all hole grades are drawn for the estimate: less often where that makes more than so many evaluations."""

NEAR, OFTEN = 2.0, 10
"""Within so many of its own errors of where another outcome begins, an estimate is drawn ten times as often."""

SEED = 0
"""Of the grades of holes: no seed of the user's, or somebody could try seeds until a verdict suits."""

ROUNDING = 1e-12
"""Holes that move a mean by less change nothing."""

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
    every = {
        pair: [HolesOfPair(pairing, key, contrasts[key], holes[m]) for m, key in enumerate(_keys(pair, len(holes)))]
        for pair in pairing.pairs
    }
    drawn = [_drawn(each, 1) for each in holes]
    if any(_near(pairs, drawn, rule) for pairs in every.values()):
        drawn = [_drawn(each, OFTEN) for each in holes]
    return {pair: _weighed(pairs, drawn, rule) for pair, pairs in every.items()}


def _keys(pair: Pair, measures: int) -> list[Key]:
    return [Key(pair, m) for m in range(measures)]


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


def _drawn(holes: Holes, times: int) -> Floats | None:
    """(D, S, Q) values with hole grades drawn; None where there are no holes, or rates say nothing of them."""
    if not holes.query.size or not holes.measure.definition.is_plain or unestimated(holes.measure, holes.meetings[0]):
        return None
    draws = times * max(FEWER, min(IMPUTED, MANY // len(holes.systems)))
    return np.stack(list(holes.drawn(stream(SEED, "holes"), draws)))


def _near(pairs: Sequence[HolesOfPair], drawn: Sequence[Floats | None], rule: Rule) -> bool:
    """Whether drawing the holes again could give another outcome."""
    deciding = [(pair, values) for pair, values in zip(pairs, drawn, strict=True) if pair.contrast.role != SHOWN]
    if all(values is None for _, values in deciding):
        return False
    found, names = [_estimated(*each) for each in deciding], [pair.contrast.measure for pair, _ in deciding]
    moved = [
        [replace(gain, low=gain.low + low * error, high=gain.high + high * error) for gain, error in found]
        for low, high in itertools.product((-NEAR, 0.0, NEAR), repeat=2)
    ]
    return len({rule.outcome(gains, names)[0] for gains in moved}) > 1


def _weighed(pairs: Sequence[HolesOfPair], drawn: Sequence[Floats | None], rule: Rule) -> HoleEvidence:
    first, deciding = pairs[0], [pair.contrast.role != SHOWN for pair in pairs]
    estimated = [_estimated(*each)[0] for each in itertools.compress(zip(pairs, drawn, strict=True), deciding)]
    evidence = HoleEvidence(
        ranges=tuple(pair.mean_range for pair in pairs),
        measure=first.contrast.measure,
        estimated=tuple(estimated),
        stands=True,
    )
    if evidence.none:
        return evidence
    turning, turned = turn(first, rule)
    bearable, returned_by = (None, "") if drawn[0] is None else _bearable(first, estimated[0], rule)
    return replace(
        evidence,
        bearable=bearable,
        returned_by=returned_by,
        stands=stands(list(itertools.compress(pairs, deciding)), rule),
        turning=turning,
        turned=turned,
        worst_queries=_worst_queries(next(pair for pair in pairs if pair.mean_range.count)),
    )


def _bearable(first: HolesOfPair, estimated: Interval, rule: Rule) -> tuple[float | None, str]:
    """Return how often relevant the holes of one system may be before a SHIP or a DON'T falls, and of which system.

    In times of how often judged results at their ranks are; None where no such number is known.

    Those that only the baseline returned speak against a SHIP, those that only the other did against a DON'T. The end
    of the interval is taken to move with how often they are relevant as it does from never to as often as judged.
    """
    outcome, _ = rule.outcome([first.contrast.gain], [first.contrast.measure])
    if outcome not in (SHIP, DONT) or first.contrast.gain.low <= rule.bar <= first.contrast.gain.high:
        return None, ""
    against = first.key.pair.baseline if outcome == SHIP else first.key.pair.system
    other = first.key.pair.system if outcome == SHIP else first.key.pair.baseline
    own = (first.holes.rank[against] > 0) & (first.holes.rank[other] == 0)
    if not own[first.paired_holes].any():
        return None, ""
    values = [sides[[*first.key.pair]] for sides in first.holes.drawn(stream(SEED, "holes"), FEWER, own)]
    gains = [first.gain(after - before) for before, after in values]
    moved = float(np.mean([(gain.low + gain.high) / 2 for gain in gains])) - first.contrast.improvement
    room = estimated.low - rule.bar if outcome == SHIP else rule.bar - estimated.high
    if not math.isfinite(room) or abs(moved) <= ROUNDING:
        return None, ""
    return max(1 + room / abs(moved), 0.0), first.pairing.scores.systems[against]


def _estimated(holes: HolesOfPair, drawn: Floats | None) -> tuple[Interval, float]:
    """Return the interval of the gain over all drawings, and how far its ends may be off, because so few were made.

    The spread of the drawings is added to that of the queries.

    Mean and variance by Rubin (1987), Multiple Imputation for Nonresponse in Surveys, section 3.1: the mean of
    the drawings; the mean of their squared standard errors plus (1 + 1/D) times the variance of their means.
    """
    if drawn is None:
        return holes.contrast.gain, 0.0
    baseline, system = holes.key.pair
    samples = [holes.sample(values[system] - values[baseline]) for values in drawn]
    means = np.array([sample.mean for sample in samples])
    within = float(np.mean([sample.error**2 for sample in samples]))
    between, draws = float(means.var(ddof=1)), len(means)
    error = math.sqrt(within + (1 + 1 / draws) * between)
    widened = holes.contrast.wide * between * math.sqrt(2 / (draws - 1)) / (2 * error) if error else 0.0
    gain = holes.gain_about(float(means.mean()), error)
    return gain, math.sqrt(between / draws + widened**2) if math.isfinite(widened) else 0.0


def _worst_queries(holes: HolesOfPair) -> tuple[str, ...]:
    bounds = holes.query_bounds
    wide = np.nan_to_num(bounds.high - bounds.low) * holes.share
    if bounds.kind == "unknown":
        wide = np.bincount(holes.holes.query, minlength=len(wide)) * holes.share
    by_id = holes.pairing.by_id
    order = by_id[np.argsort(-wide[by_id], kind="stable")]
    return tuple(holes.pairing.scores.queries[q] for q in order[:NAMED] if wide[q] > 0)
