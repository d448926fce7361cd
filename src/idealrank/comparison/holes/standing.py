"""Whether a verdict stands whatever the holes hold, and how few relevant ones turn it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.comparison.holes.pair import HoleGround
from idealrank.comparison.rule import CANT_TELL, DONT, SHIP, Rule

FEW = 10
"""Queries that differ, at least, for a verdict that stands."""


def stands(grounds: Sequence[HoleGround], rule: Rule) -> bool:
    """Whether the rule says the same under every grade the holes may have.

    For each measure the mean lies between its bounds, and no query lies further from it than its own bounds from
    theirs: that is the widest the interval can be, in as many standard errors as now, or as Student's t by Bonferroni
    asks for, whichever is more. Where few queries differ, sign flips can ask for more still under some grades: then it
    does not say so. Nor does it everywhere else where it is so.

    Parameters
    ----------
    grounds
        One a measure, the deciding one first.
    """
    if grounds[0].contrast.wins + grounds[0].contrast.losses < FEW:
        return False
    if any(ground.range.count and not ground.range.known for ground in grounds):
        return False
    hulls = [_hull(ground, len(grounds) * len(ground.pairing.pairs)) for ground in grounds]
    (low, high), *guards = hulls
    tolerated = [rule.tolerated(ground.contrast.measure) for ground in grounds[1:]]
    outcome, _ = rule.outcome([ground.contrast.gain for ground in grounds], [g.contrast.measure for g in grounds])
    if outcome == SHIP:
        never = all(_least(ground) >= -much for ground, much in zip(grounds[1:], tolerated, strict=True))
        return low > rule.bar and never
    if outcome == DONT:
        return high < rule.bar or any(top < -much for (_, top), much in zip(guards, tolerated, strict=True))
    return False


def _least(ground: HoleGround) -> float:
    """What a guardrail's interval reaches at least, whatever the holes hold."""
    return _ends(ground)[0] if ground.range.count else ground.contrast.gain.high


def _ends(ground: HoleGround) -> tuple[float, float]:
    """Return the lowest and the highest mean gain."""
    low, high = ground.range.low, ground.range.high
    return (-high, -low) if ground.contrast.direction == "lower" else (low, high)


def _hull(ground: HoleGround, hypotheses: int) -> tuple[float, float]:
    """Return ends that hold the interval of the gain under every grade of the holes."""
    if not ground.range.count:
        return ground.contrast.gain.low, ground.contrast.gain.high
    from scipy.special import stdtrit

    kept, contrast = ground.kept, ground.contrast
    n, share = len(kept), ground.share[kept]
    if n < 2:
        return -math.inf, math.inf
    far = np.maximum(ground.bounds.high[kept] - ground.range.low, ground.range.high - ground.bounds.low[kept])
    error = math.sqrt(n / (n - 1) * float(np.sum((share * far) ** 2)))
    alone = float(stdtrit(n - 1, 1 - (1 - contrast.corrected.level) / (2 * hypotheses)))
    low, high = _ends(ground)
    half = max(contrast.wide, alone) * error if error else 0.0
    return low - half, high + half


def turn(first: HoleGround, rule: Rule) -> tuple[int | None, str]:
    """Return so many holes as turn what the deciding measure says, if relevant, and into what; None where none do.

    They have the top grade and all others grade 0; those that move the mean furthest for themselves come first.
    """
    plain, _ = rule.outcome([first.contrast.gain], [first.contrast.measure])
    zero = first.holes.measure.on_lists.unjudged == "zero"
    if plain == CANT_TELL or not len(first.mine) or not first.range.known or not zero:
        return None, ""
    order = _order(first, 1.0 if plain == DONT else -1.0)

    def outcome(count: int) -> str:
        grade = np.zeros(len(first.holes.query))
        grade[order[:count]] = first.holes.scale[-1]
        filled = first.of_pair.filled(grade)
        return rule.outcome([first.gain(_difference(filled))], [first.contrast.measure])[0]

    if outcome(len(order)) == plain:
        return None, ""
    low, high = 0, len(order)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if outcome(middle) == plain else (low, middle)
    return high, outcome(high)


def _difference(values: Floats) -> Floats:
    found: Floats = values[1] - values[0]
    return found


def _order(first: HoleGround, sign: float) -> Ints:
    """Return the holes that move the gain in a direction, the furthest first."""
    query = first.holes.query
    moved = _difference(first.of_pair.alone())
    before = first.pairing.difference(first.pair, first.m)
    turn = -sign if first.contrast.direction == "lower" else sign
    move = np.nan_to_num((moved - before[query]) * first.share[query]) * turn
    order: Ints = np.argsort(-move, kind="stable")
    return order[move[order] > 0]
