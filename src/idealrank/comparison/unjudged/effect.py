"""From the holes of the lists to what they may change: bounds, an estimate, and how few would turn the verdict."""

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.contrasts import Contrast, Methods
from idealrank.comparison.pairing import SHOWN, Key, Pair, Pairing
from idealrank.comparison.unjudged.bounds import Bounds
from idealrank.comparison.unjudged.estimate import why_no_rates
from idealrank.comparison.unjudged.evidence import HoleEvidence, HoleRange
from idealrank.comparison.unjudged.holes import Holes
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SAME, SHIP, Rule
from idealrank.evaluation.ledger.counting import holes_within
from idealrank.statistics.draws import stream
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import Sample, make_sample

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
        pair: [PairHoles(pairing, key, contrasts[key], holes[m]) for m, key in enumerate(_keys(pair, len(holes)))]
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
    if not holes.query.size or not holes.measure.definition.is_plain or why_no_rates(holes.measure, holes.meetings[0]):
        return None
    draws = times * max(FEWER, min(IMPUTED, MANY // len(holes.systems)))
    return np.stack(list(holes.drawn(stream(SEED, "holes"), draws)))


# One pair of systems under one measure, with the holes of its lists.


@dataclass(frozen=True, eq=False)
class PairHoles:
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
        return make_sample(d[self.paired], self.pairing.weights_of(self.paired))

    def gain(self, d: Floats) -> Interval:
        """Return the interval of the gain of (Q,) differences."""
        sample = self.sample(d)
        return self.gain_about(sample.mean, sample.error)

    def gain_about(self, mean: float, error: float) -> Interval:
        """Return the interval of the gain about a mean, as many standard errors wide as the corrected one."""
        half = self.contrast.wide * error if error else 0.0
        mean = -mean if self.contrast.direction == "lower" else mean
        return Interval(mean - half, mean + half, self.contrast.corrected.level, self.contrast.corrected.method)


def _near(pairs: Sequence[PairHoles], drawn: Sequence[Floats | None], rule: Rule) -> bool:
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


def _weighed(pairs: Sequence[PairHoles], drawn: Sequence[Floats | None], rule: Rule) -> HoleEvidence:
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
    turning, turned = flips_needed(first, rule)
    bearable, returned_by = (None, "") if drawn[0] is None else _bearable(first, estimated[0], rule)
    return replace(
        evidence,
        bearable=bearable,
        returned_by=returned_by,
        stands=is_robust(list(itertools.compress(pairs, deciding)), rule),
        turning=turning,
        turned=turned,
        worst_queries=_worst_queries(next(pair for pair in pairs if pair.mean_range.count)),
    )


def _bearable(first: PairHoles, estimated: Interval, rule: Rule) -> tuple[float | None, str]:
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


def _estimated(holes: PairHoles, drawn: Floats | None) -> tuple[Interval, float]:
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


def _worst_queries(holes: PairHoles) -> tuple[str, ...]:
    bounds = holes.query_bounds
    wide = np.nan_to_num(bounds.high - bounds.low) * holes.share
    if bounds.kind == "unknown":
        wide = np.bincount(holes.holes.query, minlength=len(wide)) * holes.share
    by_id = holes.pairing.by_id
    order = by_id[np.argsort(-wide[by_id], kind="stable")]
    return tuple(holes.pairing.scores.queries[q] for q in order[:NAMED] if wide[q] > 0)


# Whether a verdict holds regardless of the grades of the holes, and how few relevant ones change it.


FEW = 10
"""Queries that differ, at least, for a verdict that stands."""


def is_robust(pairs: Sequence[PairHoles], rule: Rule) -> bool:
    """Whether the rule says the same under every grade the holes may have.

    For each measure the mean lies between its bounds, and no query lies further from it than its own bounds from
    theirs: that is the widest the interval can be, in as many standard errors as now, or as Student's t by Bonferroni
    asks for, whichever is more. Where few queries differ, sign flips can ask for more still under some grades: then it
    does not say so. Nor does it everywhere else where it is so.

    Parameters
    ----------
    pairs
        One a measure, the deciding one first.
    """
    if pairs[0].contrast.wins + pairs[0].contrast.losses < FEW:
        return False
    if any(pair.mean_range.count and not pair.mean_range.known for pair in pairs):
        return False
    hulls = [_hull(pair, len(pairs) * len(pair.pairing.pairs)) for pair in pairs]
    (low, high), *guards = hulls
    tolerated = [rule.tolerated(pair.contrast.measure) for pair in pairs[1:]]
    outcome, _ = rule.outcome([pair.contrast.gain for pair in pairs], [g.contrast.measure for g in pairs])
    beyond, same = low > rule.bar, low >= -rule.equivalence and high <= rule.equivalence
    if outcome == DONT:
        failing = any(top < -much for (_, top), much in zip(guards, tolerated, strict=True))
        return high < rule.bar or (failing and beyond)
    never = all(_least(pair) >= -much for pair, much in zip(pairs[1:], tolerated, strict=True))
    return never and ((outcome == SHIP and beyond) or (outcome == SAME and same))


def _least(pair: PairHoles) -> float:
    """What a guardrail's interval reaches at least, regardless of the grades of the holes."""
    return _ends(pair)[0] if pair.mean_range.count else pair.contrast.gain.high


def _ends(pair: PairHoles) -> tuple[float, float]:
    """Return the lowest and the highest mean gain."""
    low, high = pair.mean_range.low, pair.mean_range.high
    return (-high, -low) if pair.contrast.direction == "lower" else (low, high)


def _hull(pair: PairHoles, hypotheses: int) -> tuple[float, float]:
    """Return ends that contain the interval of the gain under every grade of the holes."""
    if not pair.mean_range.count:
        return pair.contrast.gain.low, pair.contrast.gain.high
    from scipy.special import stdtrit

    paired, contrast = pair.paired, pair.contrast
    n, share = len(paired), pair.share[paired]
    if n < 2:
        return -math.inf, math.inf
    bounds, mean = pair.query_bounds, pair.mean_range
    far = np.maximum(bounds.high[paired] - mean.low, mean.high - bounds.low[paired])
    error = math.sqrt(n / (n - 1) * float(np.sum((share * far) ** 2)))
    alone = float(stdtrit(n - 1, 1 - (1 - contrast.corrected.level) / (2 * hypotheses)))
    low, high = _ends(pair)
    half = max(contrast.wide, alone) * error if error else 0.0
    return low - half, high + half


def flips_needed(first: PairHoles, rule: Rule) -> tuple[int | None, str]:
    """Return so many holes as turn what the deciding measure says, if relevant, and into what; None where none do.

    They have the top grade and all others grade 0; those that move the mean furthest for themselves come first.
    """
    plain, _ = rule.outcome([first.contrast.gain], [first.contrast.measure])
    zero = first.holes.measure.on_lists.unjudged == "zero"
    if plain == CANT_TELL or not len(first.paired_holes) or not first.mean_range.known or not zero:
        return None, ""
    order = _order(first, 1.0 if plain == DONT else -1.0)

    def outcome(count: int) -> str:
        grade = np.zeros(len(first.holes.query))
        grade[order[:count]] = first.holes.scale[-1]
        filled = first.seen_by_both.filled(grade)
        return rule.outcome([first.gain(_difference(filled))], [first.contrast.measure])[0]

    if outcome(len(order)) == plain:
        return None, ""
    low, high = 0, len(order)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if outcome(middle) == plain else (low, middle)
    return high, outcome(high)


def _difference(values: Floats) -> Floats:
    return np.asarray(values[1] - values[0])


def _order(first: PairHoles, sign: float) -> Ints:
    """Return the holes that move the gain in a direction, the furthest first."""
    query = first.holes.query
    moved = _difference(first.seen_by_both.alone())
    before = first.pairing.difference(*first.key)
    turn = -sign if first.contrast.direction == "lower" else sign
    move = np.nan_to_num((moved - before[query]) * first.share[query]) * turn
    order: Ints = np.argsort(-move, kind="stable")
    return order[move[order] > 0]
