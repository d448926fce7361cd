"""Whether a verdict holds regardless of the grades of the holes, and how few relevant ones change it."""

import math
from collections.abc import Sequence

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.holes.pair import HolesOfPair
from idealrank.comparison.rule import CANT_TELL, DONT, SAME, SHIP, Rule

FEW = 10
"""Queries that differ, at least, for a verdict that stands."""


def stands(pairs: Sequence[HolesOfPair], rule: Rule) -> bool:
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


def _least(pair: HolesOfPair) -> float:
    """What a guardrail's interval reaches at least, regardless of the grades of the holes."""
    return _ends(pair)[0] if pair.mean_range.count else pair.contrast.gain.high


def _ends(pair: HolesOfPair) -> tuple[float, float]:
    """Return the lowest and the highest mean gain."""
    low, high = pair.mean_range.low, pair.mean_range.high
    return (-high, -low) if pair.contrast.direction == "lower" else (low, high)


def _hull(pair: HolesOfPair, hypotheses: int) -> tuple[float, float]:
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


def turn(first: HolesOfPair, rule: Rule) -> tuple[int | None, str]:
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


def _order(first: HolesOfPair, sign: float) -> Ints:
    """Return the holes that move the gain in a direction, the furthest first."""
    query = first.holes.query
    moved = _difference(first.seen_by_both.alone())
    before = first.pairing.difference(*first.key)
    turn = -sign if first.contrast.direction == "lower" else sign
    move = np.nan_to_num((moved - before[query]) * first.share[query]) * turn
    order: Ints = np.argsort(-move, kind="stable")
    return order[move[order] > 0]
