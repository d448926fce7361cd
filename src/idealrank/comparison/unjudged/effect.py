"""From the holes of the lists to what they may change: bounds, an estimate, and how few would flip the verdict."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, overload

import numpy as np

from idealrank.arrays import Floats, Ints, exact_totals
from idealrank.comparison.contrasts import Contrast, interval_about
from idealrank.comparison.pairing import SHOWN, Key, Pair, Pairing
from idealrank.comparison.unjudged.bounds import Bounds
from idealrank.comparison.unjudged.buckets import (
    DRAWS_ALONE,
    BucketQuestion,
    DrawnMoments,
    PairAnswer,
    PairQuestion,
    UnjudgedResults,
    merge_answers,
)
from idealrank.comparison.unjudged.evidence import UnjudgedEvidence, UnjudgedRange
from idealrank.comparison.unjudged.holes import UnjudgedFacts
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Outcome, Rule
from idealrank.measures.definition import Measure
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, make_sample

DRAWS, MOST_EVALUATIONS = 20, 200
"""How often the grades of all holes are drawn; less often where draws x systems would exceed the second number."""

CLOSE_CALL, TIMES_AGAIN = 2.0, 10
"""An estimate within so many of its own errors of another outcome is drawn so many times as often."""

ROUNDING = 1e-12
"""Holes that move a mean by no more than this change nothing."""

MOST_NAMED = 10
"""Queries named whose holes move the difference most."""


def unjudged_evidence(
    pairing: Pairing, contrasts: Mapping[Key, Contrast], unjudged: UnjudgedResults, rule: Rule
) -> dict[Pair, UnjudgedEvidence]:
    """Return what the holes may change, for every pair of systems.

    Parameters
    ----------
    unjudged
        The holes of all systems under each measure.
    """
    question = _question(pairing, contrasts, unjudged, rule)
    answers = merge_answers(unjudged.map_buckets(question))
    every = {
        pair: [
            PairUnjudged(pairing, key := Key(pair, m), contrasts[key], unjudged, answer.total, answer.pairs[pair])
            for m, answer in enumerate(answers)
        ]
        for pair in pairing.pairs
    }
    if any(_is_close_call(pairs, rule) for pairs in every.values()):
        often = replace(
            question,
            draws=tuple(TIMES_AGAIN * each for each in question.draws),
            bounded=(False,) * len(question.bounded),
        )
        again = merge_answers(unjudged.map_buckets(often))
        every = {
            pair: [pairs[m].with_moments(answer.pairs[pair].moments) for m, answer in enumerate(again)]
            for pair, pairs in every.items()
        }
    return {pair: _weigh(pairs, rule) for pair, pairs in every.items()}


def _question(
    pairing: Pairing, contrasts: Mapping[Key, Contrast], unjudged: UnjudgedResults, rule: Rule
) -> BucketQuestion:
    scores = pairing.scores
    pairs = tuple(
        {pair: _pair_question(pairing, key := Key(pair, m), contrasts[key], rule) for pair in pairing.pairs}
        for m in range(len(scores.measures))
    )
    known = enumerate(zip(scores.measures, unjudged.facts, strict=True))
    # Of measures that are only shown nothing is estimated, and bounds are found when somebody looks at them.
    read = {key.measure for key, contrast in contrasts.items() if contrast.role != SHOWN}
    draws = tuple(_draws(measure, facts, len(scores.systems)) if m in read else 0 for m, (measure, facts) in known)
    bounded = tuple(m in read for m in range(len(scores.measures)))
    return BucketQuestion({query: q for q, query in enumerate(scores.queries)}, pairs, draws, bounded)


def _draws(measure: Measure, facts: UnjudgedFacts, systems: int) -> int:
    """Return how often grades are drawn; 0 where there are no holes, or rates say nothing of them."""
    if not facts.size or not measure.definition.is_plain or facts.why_no_rates(measure):
        return 0
    return max(DRAWS_ALONE, min(DRAWS, MOST_EVALUATIONS // systems))


def _pair_question(pairing: Pairing, key: Key, contrast: Contrast, rule: Rule) -> PairQuestion:
    """Ask how the holes of a pair move its difference; under the deciding measure also how they could flip it."""
    paired, share = pairing.paired(*key), pairing.query_shares(*key)
    weights = np.where(paired, 1.0 if pairing.weights is None else pairing.weights, 0.0)
    question = PairQuestion(weights, contrast.difference, pairing.difference(*key), share)
    outcome, _ = rule.outcome([contrast.gain], [contrast.measure])
    if key.measure or outcome == CANT_TELL:
        return question
    sign = -1.0 if contrast.direction == "lower" else 1.0
    zero = pairing.scores.measures[0].on_lists.unjudged == "zero"
    question = replace(question, direction=(sign if outcome == DONT else -sign) if zero else 0.0)
    if outcome not in (SHIP, DONT) or contrast.gain.low <= rule.bar <= contrast.gain.high:
        return question
    # Those that only the baseline returned speak against a SHIP, those that only the other did against a DON'T.
    return replace(question, only_in=key.pair if outcome == SHIP else (key.pair.system, key.pair.baseline))


@dataclass(frozen=True, eq=False)
class PairUnjudged:
    """One pair of systems under one measure, and what the holes of all systems may change of it.

    Attributes
    ----------
    total
        (Q,) holes of each query.
    """

    pairing: Pairing
    key: Key
    contrast: Contrast
    unjudged: UnjudgedResults
    total: Ints
    answer: PairAnswer

    def with_moments(self, moments: DrawnMoments | None) -> PairUnjudged:
        """Return the same with other drawings."""
        return replace(self, answer=replace(self.answer, moments=moments))

    @functools.cached_property
    def paired(self) -> Ints:
        """Places of the paired queries."""
        return np.flatnonzero(self.pairing.paired(*self.key))

    @functools.cached_property
    def weights(self) -> Floats:
        """(n,) weights of the paired queries; 1 where there are none."""
        weights = self.pairing.weights_of(self.paired)
        return np.ones(len(self.paired)) if weights is None else weights

    @functools.cached_property
    def shares(self) -> Floats:
        """(Q,) the part each query has in the mean; 0 where it is not paired."""
        return self.pairing.query_shares(*self.key)

    @property
    def query_bounds(self) -> Bounds:
        """(Q,) lowest and highest difference of every query."""
        if self.answer.bounds is not None:
            return self.answer.bounds
        return self.unjudged.difference_bounds(self.key.measure, tuple(self.pairing.pairs))[self.key.pair]

    @functools.cached_property
    def mean_range(self) -> UnjudgedRange:
        """What the holes allow the mean difference to be."""
        unseen = self.unjudged.unseen * len(self.paired)
        count, bounds = int(self.total[self.paired].sum()) + unseen, self.query_bounds
        if bounds.kind == "unknown":
            return UnjudgedRange(count, why=bounds.why)
        low, high = (self.sample(ends).mean for ends in (bounds.low, bounds.high))
        return UnjudgedRange(count, low, high, bounds.kind == "exact", bounds.why)

    def sample(self, d: Floats) -> Sample:
        """Return the paired of (Q,) differences, with their weights."""
        return make_sample(d[self.paired], self.pairing.weights_of(self.paired))

    def gain(self, d: Floats) -> Interval:
        """Return the interval of the gain of (Q,) differences."""
        sample = self.sample(d)
        return self.gain_about(sample.mean, sample.error)

    def gain_about(self, mean: float, error: float) -> Interval:
        """Return the interval of the gain about a mean, as many standard errors wide as the corrected one."""
        gain = -mean if self.contrast.direction == "lower" else mean
        return interval_about(self.contrast, gain, gain, error)


class Ranges(Sequence[UnjudgedRange]):
    """What the holes allow under each measure, the deciding one first; each found when it is looked at."""

    def __init__(self, pairs: Sequence[PairUnjudged]) -> None:
        self._pairs = pairs

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, place: int) -> UnjudgedRange: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[UnjudgedRange]: ...
    def __getitem__(self, place: int | slice) -> UnjudgedRange | Sequence[UnjudgedRange]:
        if isinstance(place, slice):
            return Ranges(self._pairs[place])
        return self._pairs[place].mean_range

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def _is_close_call(pairs: Sequence[PairUnjudged], rule: Rule) -> bool:
    """Whether drawing the holes again could give another outcome."""
    deciding = [pair for pair in pairs if pair.contrast.role != SHOWN]
    if all(pair.answer.moments is None for pair in deciding):
        return False
    estimates, names = [_estimate_gain(pair) for pair in deciding], [pair.contrast.measure for pair in deciding]
    moved = [
        [replace(gain, low=gain.low + low * error, high=gain.high + high * error) for gain, error in estimates]
        for low, high in itertools.product((-CLOSE_CALL, 0.0, CLOSE_CALL), repeat=2)
    ]
    return len({rule.outcome(gains, names)[0] for gains in moved}) > 1


def _weigh(pairs: Sequence[PairUnjudged], rule: Rule) -> UnjudgedEvidence:
    first, deciding = pairs[0], [pair for pair in pairs if pair.contrast.role != SHOWN]
    estimated = [_estimate_gain(pair)[0] for pair in deciding]
    evidence = UnjudgedEvidence(
        ranges=Ranges(pairs), measure=first.contrast.measure, estimated=tuple(estimated), stands=True
    )
    if evidence.none:
        return evidence
    turning, turned = flips_needed(first, rule)
    bearable, returned_by = _bearable_rate(first, estimated[0], rule)
    return replace(
        evidence,
        bearable=bearable,
        returned_by=returned_by,
        stands=is_robust(deciding, rule),
        turning=turning,
        turned=turned,
        worst_queries=_worst_queries(next(pair for pair in pairs if pair.mean_range.count)),
    )


def _bearable_rate(first: PairUnjudged, estimated: Interval, rule: Rule) -> tuple[float | None, str]:
    """Return how often relevant the holes of one system may be before a SHIP or a DON'T falls, and of which system.

    In times of how often judged results at their ranks are; None where no such number is known.

    The end of the interval is taken to move with how often they are relevant as it does from never to as often as
    judged.
    """
    answer = first.answer
    if not answer.own:
        return None, ""
    outcome, _ = rule.outcome([first.contrast.gain], [first.contrast.measure])
    against = first.key.pair.baseline if outcome == SHIP else first.key.pair.system
    mass = exact_totals(first.weights[None])[0]
    moved = math.fsum(total / mass for total in answer.moved) / len(answer.moved)  # Python divides integers of any size
    room = estimated.low - rule.bar if outcome == SHIP else rule.bar - estimated.high
    if not math.isfinite(room) or abs(moved) <= ROUNDING:
        return None, ""
    return max(1 + room / abs(moved), 0.0), first.pairing.scores.systems[against]


def _estimate_gain(pair: PairUnjudged) -> tuple[Interval, float]:
    """Return the interval of the gain over all drawings, and how far its ends may be off, because so few were made.

    The spread of the drawings is added to that of the queries.

    Mean and variance by Rubin (1987), Multiple Imputation for Nonresponse in Surveys, section 3.1: the mean of
    the drawings; the mean of their squared standard errors plus (1 + 1/D) times the variance of their means.
    """
    if pair.answer.moments is None:
        return pair.contrast.gain, 0.0
    means, errors = pair.answer.moments.means_and_errors(pair.weights, pair.contrast.difference)
    within, between, draws = float(np.mean(errors**2)), float(means.var(ddof=1)), len(means)
    error = math.sqrt(within + (1 + 1 / draws) * between)
    widened = pair.contrast.wide * between * math.sqrt(2 / (draws - 1)) / (2 * error) if error else 0.0
    gain = pair.gain_about(float(means.mean()), error)
    return gain, math.sqrt(between / draws + widened**2) if math.isfinite(widened) else 0.0


def _worst_queries(pair: PairUnjudged) -> tuple[str, ...]:
    bounds = pair.query_bounds
    wide = np.nan_to_num(bounds.high - bounds.low) * pair.shares
    if bounds.kind == "unknown":
        wide = pair.total * pair.shares
    by_id = pair.pairing.by_id
    order = by_id[np.argsort(-wide[by_id], kind="stable")]
    return tuple(pair.pairing.scores.queries[q] for q in order[:MOST_NAMED] if wide[q] > 0)


FEWEST_FOR_ROBUST = 10
"""Queries that must differ for a verdict to be robust: see `is_robust`."""


def is_robust(pairs: Sequence[PairUnjudged], rule: Rule) -> bool:
    """Whether the rule says the same under every grade the holes may have.

    For each measure the mean lies between its bounds, and no query lies further from it than its own bounds from
    theirs: that is the widest the interval can be, in as many standard errors as now, or as Student's t by Bonferroni
    asks for, whichever is more. Where few queries differ, sign flips can ask for more still under some grades: then it
    does not say so. Nor does it everywhere else where it is so.

    Parameters
    ----------
    pairs
        One per measure, the deciding one first.
    """
    if pairs[0].contrast.wins + pairs[0].contrast.losses < FEWEST_FOR_ROBUST:
        return False
    if any(pair.mean_range.count and not pair.mean_range.known for pair in pairs):
        return False
    hulls = [_widest_interval(pair, len(pairs) * len(pair.pairing.pairs)) for pair in pairs]
    (low, high), *guards = hulls
    tolerated = [rule.tolerated(pair.contrast.measure) for pair in pairs[1:]]
    outcome, _ = rule.outcome([pair.contrast.gain for pair in pairs], [g.contrast.measure for g in pairs])
    beyond, same = low > rule.bar, low >= -rule.equivalence and high <= rule.equivalence
    if outcome == DONT:
        failing = any(top < -much for (_, top), much in zip(guards, tolerated, strict=True))
        return high < rule.bar or (failing and beyond)
    never = all(_lowest_high_end(pair) >= -much for pair, much in zip(pairs[1:], tolerated, strict=True))
    return never and ((outcome == SHIP and beyond) or (outcome == SAME and same))


def _lowest_high_end(pair: PairUnjudged) -> float:
    """What a guardrail's interval reaches at least, regardless of the grades of the holes."""
    return _gain_range(pair)[0] if pair.mean_range.count else pair.contrast.gain.high


def _gain_range(pair: PairUnjudged) -> tuple[float, float]:
    """Return the lowest and the highest mean gain."""
    low, high = pair.mean_range.low, pair.mean_range.high
    return (-high, -low) if pair.contrast.direction == "lower" else (low, high)


def _widest_interval(pair: PairUnjudged, hypotheses: int) -> tuple[float, float]:
    """Return ends that contain the interval of the gain under every grade of the holes."""
    if not pair.mean_range.count:
        return pair.contrast.gain.low, pair.contrast.gain.high
    from scipy.special import stdtrit

    paired, contrast = pair.paired, pair.contrast
    n, share = len(paired), pair.shares[paired]
    if n < 2:
        return -math.inf, math.inf
    bounds, mean = pair.query_bounds, pair.mean_range
    far = np.maximum(bounds.high[paired] - mean.low, mean.high - bounds.low[paired])
    error = math.sqrt(n / (n - 1) * float(np.sum((share * far) ** 2)))
    alone = float(stdtrit(n - 1, 1 - (1 - contrast.corrected.level) / (2 * hypotheses)))
    low, high = _gain_range(pair)
    half = max(contrast.wide, alone) * error if error else 0.0
    return low - half, high + half


def flips_needed(first: PairUnjudged, rule: Rule) -> tuple[int | None, Outcome | Literal[""]]:
    """Return how many holes flip what the deciding measure says, if relevant, and into what; None where none do.

    They have the top grade and all others grade 0; those that move the mean furthest for themselves come first.
    """
    flips = first.answer.flips
    if flips is None or not first.mean_range.known:
        return None, ""
    plain, _ = rule.outcome([first.contrast.gain], [first.contrast.measure])
    before = first.pairing.difference(*first.key)

    def outcome(count: int) -> Outcome:
        after = before.copy()
        after[flips.query[:count]] = flips.after[:count]  # of a query, the last one counts
        return rule.outcome([first.gain(after)], [first.contrast.measure])[0]

    if outcome(len(flips.query)) == plain:
        return None, ""
    low, high = 0, len(flips.query)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if outcome(middle) == plain else (low, middle)
    return high, outcome(high)
