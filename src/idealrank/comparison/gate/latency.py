"""What came of limits of latency in a gate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from idealrank.comparison.gate.finding import CANT_TELL, FAILED, PASSED, Finding, unsure
from idealrank.comparison.latency_limits import Evidence, LatencyLimit
from idealrank.comparison.latency_verdict import refuse_untimed
from idealrank.comparison.pairing import Pair
from idealrank.comparison.search_times import pair_times
from idealrank.display.amounts import milliseconds, percent
from idealrank.evaluation.scores import Scores


class Method(NamedTuple):
    """How it is decided: by the quantile alone or, with an `alpha`, by its interval; and what is drawn."""

    alpha: float | None
    level: float = 0.95
    seed: int = 0


def latency_findings(limits: Sequence[LatencyLimit], scores: Scores, method: Method) -> list[Finding]:
    """Return what came of each limit; the newcomer is the last of the systems, the baseline the first."""
    return [_finding(limit, scores, method) for limit in limits]


def _finding(limit: LatencyLimit, scores: Scores, method: Method) -> Finding:
    pair = Pair(0, len(scores.systems) - 1)
    times = pair_times(scores, pair, limit.clock)
    found = limit.evidence(times, method.level, method.seed)
    refuse_untimed(limit, found, scores, pair)
    finding = of_limit(limit, found, method.alpha)
    for end, filled in times.ends(limit.relative).items():
        there = of_limit(limit, limit.evidence(filled, method.level, method.seed), method.alpha)
        if there.outcome != finding.outcome:
            words = {PASSED: "be within the limit", FAILED: "be beyond the limit", CANT_TELL: "not be told"}
            which, unknown = times.why(limit.relative, names=3), times.unknown(limit.relative)
            return unsure(finding, unknown, f"at their {end} it would {words[there.outcome]}", which)
    return finding


def of_limit(limit: LatencyLimit, found: Evidence, alpha: float | None) -> Finding:
    """Find out whether a limit is kept.

    A limit of the system's own holds or fails by the quantile alone, as the limit of a mean does. One against the
    baseline is decided as a drop is: where the quantile is beyond it, it fails; with an `alpha` only if the interval is
    wholly above 0 (above the limit, where that is below 0). Where it is not, it passes if the interval is wholly
    within the limit. In between it can't be told.
    """
    outcome = _outcome(limit, found, alpha)
    return Finding(
        kind="latency",
        condition=str(limit),
        measure="",
        outcome=outcome,
        value=found.value,
        limit=limit.number,
        sentence=_sentence(limit, found, alpha, outcome),
        low=found.interval.low,
        high=found.interval.high,
    )


def _outcome(limit: LatencyLimit, found: Evidence, alpha: float | None) -> str:
    if not limit.relative:
        return PASSED if limit.holds(found.value) else FAILED
    if limit.holds(found.value):
        return PASSED if limit.surely_holds(found.interval) else CANT_TELL
    return FAILED if alpha is None or found.interval.low > min(0.0, limit.number) else CANT_TELL


def _sentence(limit: LatencyLimit, found: Evidence, alpha: float | None, outcome: str) -> str:
    if not limit.relative:
        kept = "" if outcome == PASSED else "not "
        return f"{limit.called} is {limit.written(found.value)} over {found.over}, {kept}{limit.sign} {limit.bound}"
    before, after = (f"{milliseconds(value)} ms" for value in (found.before, found.after))
    text = f"{limit.called} {_moves(limit, found.value)} from {before} to {after} over {found.over}"
    return f"{text}; {_reason(limit, found, alpha, outcome)}"


def _moves(limit: LatencyLimit, value: float) -> str:
    if not math.isfinite(value):
        return "grows"
    by = limit.written(value)
    return f"grows by {by.removeprefix('+')}," if value > 0 else f"changes by {by},"


def _reason(limit: LatencyLimit, found: Evidence, alpha: float | None, outcome: str) -> str:
    allowed = f"the limit is {limit.bound}"
    if outcome == FAILED and alpha is None:
        return allowed
    if not found.bounded:
        return f"{allowed}, and {found.unbounded}"
    where = f"the {percent(found.interval.level)} interval {limit.span(found.interval)}"
    if limit.holds(found.value):
        return f"{where} {'is within' if outcome == PASSED else 'includes more than'} {limit.bound}"
    bar = limit.bound if limit.number < 0 else "0"
    return f"{allowed}, and {where} {'is above' if outcome == FAILED else 'includes'} {bar}"
