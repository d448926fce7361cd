"""What came of one condition of a gate."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from idealrank.comparison.gate.conditions import Drop, Level, Unjudged
from idealrank.display.numbers import decimal, plain_value, signed
from idealrank.errors import listed, plural
from idealrank.statistics.intervals import Interval

PASSED, FAILED, CANT_TELL = "passed", "failed", "can't tell"

Kind = Literal["drop", "level", "unjudged", "latency", "queries"]
"""What a condition is about."""


@dataclass(frozen=True)
class Finding:
    """What came of one condition.

    Attributes
    ----------
    kind
        ``drop``, ``level``, ``unjudged``, ``latency``, or ``queries`` that went missing since a baseline was written.
    condition, measure
        The condition as text, and the measure it is about; "" for unjudged results and latency.
    outcome
        ``passed``, ``failed`` or ``can't tell``.
    value, limit
        The difference, mean or share, and what it was held against; milliseconds of a latency, or a share more.
    low, high
        Ends of the interval of a difference, or a latency; NaN where there is none.
    sentence
        What was found, in words.
    failed
        The queries whose search failed, whose time is not known, or whose results are odd, where it hangs on them.
    """

    kind: Kind
    condition: str
    measure: str
    outcome: str
    value: float
    limit: float
    sentence: str
    low: float = math.nan
    high: float = math.nan
    failed: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values; what is no finite number as None."""
        return {name: plain_value(getattr(self, name)) for name in self.__dataclass_fields__}


def of_drop(drop: Drop, before: float, after: float, difference: float, span: Interval, alpha: float | None) -> Finding:
    """Find out whether a measure drops.

    A drop that is reached fails; with an `alpha` only if the interval is wholly below 0. One that is not reached
    passes if the interval includes no such drop. In between it can't be told.

    Parameters
    ----------
    before, after, difference
        Means of the baseline and of the newcomer over the paired queries, and of their differences.
    span
        The interval of the difference.
    alpha
        None: the mean difference alone makes it fail.
    """
    limit, reached = drop.limit(before), drop.reached(before, difference)
    outcome = _outcome(limit, reached, span, alpha)
    moves = f"drops by {decimal(-difference)}" if difference < 0 else f"changes by {signed(difference)}"
    reason = _reason(outcome, limit, reached, span, alpha)
    sentence = f"{drop.measure} {moves}, from {decimal(before)} to {decimal(after)}; {reason}"
    return Finding(
        kind="drop",
        condition=str(drop),
        measure=drop.measure,
        outcome=outcome,
        value=difference,
        limit=-limit,
        sentence=sentence,
        low=span.low,
        high=span.high,
    )


def excludes(span: Interval, limit: float) -> bool:
    """Whether an interval of differences includes no drop of a limit, or no drop at all."""
    return span.low >= 0 or span.low > -limit


def _outcome(limit: float, reached: bool, span: Interval, alpha: float | None) -> str:
    if reached:
        return FAILED if alpha is None or span.high < 0 else CANT_TELL
    return PASSED if excludes(span, limit) else CANT_TELL


def _reason(outcome: str, limit: float, reached: bool, span: Interval, alpha: float | None) -> str:
    allowed = f"the limit is {limit:.4g}"
    if outcome == FAILED and alpha is None:
        return allowed
    if not math.isfinite(span.low + span.high):
        return f"{allowed}, and so few queries have no interval"
    where = f"the {span.level * 100:.4g}% interval {signed(span.low)} to {signed(span.high)}"
    if reached:
        return f"{allowed}, and {where} {'is below 0' if outcome == FAILED else 'includes 0'}"
    return f"{where} includes {'no drop' if outcome == PASSED else 'a drop'} of {limit:.4g}"


def unsure(finding: Finding, failed: Sequence[str], otherwise: str, which: str = "") -> Finding:
    """Return that it can't be told, since failed searches, or others that are named, could make it otherwise."""
    which = which or f"the search failed for {plural(len(failed), 'query')} ({listed(failed)})"
    sentence = f"{finding.sentence}; {which}, and {otherwise}. Search them again"
    return replace(finding, outcome=CANT_TELL, sentence=sentence, failed=tuple(failed))


def of_level(level: Level, value: float, queries: int) -> Finding:
    """Find out whether a mean is on the right side; one that is missing is not."""
    holds = level.holds(value)
    wanted = f"{level.sign} {level.number:.12g}"
    sentence = f"{level.measure} is {decimal(value)}" if math.isfinite(value) else f"{level.measure} has no value"
    sentence += f" over {plural(queries, 'query')}, {'' if holds else 'not '}{wanted}"
    return Finding(
        kind="level",
        condition=str(level),
        measure=level.measure,
        outcome=PASSED if holds else FAILED,
        value=value,
        limit=level.number,
        sentence=sentence,
    )


def of_unjudged(condition: Unjudged, unjudged: int, results: int) -> Finding:
    """Find out whether too many results have no judgment; where there are no results, none is unjudged."""
    share = unjudged / results if results else 0.0
    holds = share <= condition.share
    sentence = f"{unjudged} of {plural(results, 'result')} {condition.among}are unjudged ({share:.1%}); "
    sentence += f"{'no more' if holds else 'more'} than {condition.share:.4g}"
    return Finding(
        kind="unjudged",
        condition=str(condition),
        measure="",
        outcome=PASSED if holds else FAILED,
        value=share,
        limit=condition.share,
        sentence=sentence,
    )
