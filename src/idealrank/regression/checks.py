"""Whether each condition of a gate holds for scores, against what they are held against."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.latency import pair_times
from idealrank.comparison.latency_limits import LatencyLimit, refuse_untimed
from idealrank.comparison.pairing import Pair, Pairing
from idealrank.comparison.verdict.assumptions import assumption_doubt, doubt_settled, more_queries
from idealrank.comparison.verdict.failed_searches import at_extreme, best_or_worst, fill_failed, gain_bounds
from idealrank.comparison.verdict.reasons import Reason, takes_back
from idealrank.comparison.verdict.rule import DONT, SHIP, Rule
from idealrank.display.numbers import decimal, signed
from idealrank.evaluation.ledger.counting import holes_within
from idealrank.evaluation.scores import Scores
from idealrank.measures.definition import Measure
from idealrank.regression.conditions import (
    CANT_TELL,
    FAILED,
    PASSED,
    ConditionResult,
    Conditions,
    Drop,
    Level,
    Unjudged,
    check_drop,
    check_latency,
    check_level,
    check_unjudged,
    excludes,
    unsure,
)
from idealrank.regression.reference import Reference


class LatencyTest(NamedTuple):
    """How it is decided: by the quantile alone or, with an `alpha`, by its interval; and what is drawn."""

    alpha: float | None
    level: float = 0.95
    seed: int = 0


def check_conditions(
    conditions: Conditions, scores: Scores, reference: Reference | None, method: LatencyTest
) -> tuple[ConditionResult, ...]:
    """Return what came of every condition; the newcomer is the last of the systems."""
    results = []
    if reference is not None:
        results += [_drop(drop, reference.contrast(m), reference, method.alpha) for drop, m in conditions.drops]
        results += reference.missing()
    results += [_level(level, measure, scores) for level, measure in conditions.levels]
    if conditions.unjudged is not None:
        results.append(_unjudged(conditions.unjudged, scores))
    results += [_latency(limit, scores, method) for limit in conditions.latencies]
    return tuple(results)


def _drop(drop: Drop, contrast: Contrast, reference: Reference, alpha: float | None) -> ConditionResult:
    finding = check_drop(drop, contrast.baseline_mean, contrast.mean, contrast.difference, contrast.corrected, alpha)
    doubt = failed_searches(drop, reference.pairing, contrast, reference.failed, finding, alpha)
    doubt = doubt or reference.doubt(drop, contrast, finding) or _doubt_shape(contrast, finding, alpha)
    if doubt is not None or finding.outcome != CANT_TELL:
        return replace(finding, doubt=doubt)
    # In doubt is whether the difference is below 0 where the drop is reached, and whether it is the drop elsewhere.
    bar = 0.0 if drop.reached(contrast.baseline_mean, contrast.difference) else -finding.limit
    return replace(finding, settle=more_queries(contrast, Rule(bar, "not_worse")))


def _doubt_shape(contrast: Contrast, finding: ConditionResult, alpha: float | None) -> Reason | None:
    """Return that nobody can tell, where the shape of the differences speaks against a loss, as in `compare`."""
    if alpha is None or finding.outcome != FAILED:
        return None
    rule, side = Rule(level=1 - alpha), DONT if contrast.gain.high < 0 else SHIP
    why = assumption_doubt(side, contrast, rule)
    return takes_back("shape", why, doubt_settled(contrast, rule, side)) if why else None


def failed_searches(
    drop: Drop,
    pairing: Pairing,
    contrast: Contrast,
    queries: Sequence[str],
    finding: ConditionResult,
    alpha: float | None,
) -> Reason | None:
    """Return that nobody can tell, where failed searches at their best or worst make it come out otherwise."""
    key = pairing.key(contrast.measure)
    if not pairing.any_failed(key).any():
        return None
    worst, best = (at_extreme(pairing, key, contrast, best=best) for best in (False, True))
    for end, called in ((worst, "worst"), (best, "best")):
        there = check_drop(drop, end.before, end.before + end.gain, end.gain, end.interval, alpha)
        if math.isnan(end.gain) or there.outcome != finding.outcome:
            return unsure(queries, f"at their {called} the difference would be {signed(end.gain)}")
    widest = gain_bounds(worst, best, contrast)
    if finding.outcome == PASSED and not excludes(widest, -finding.limit):
        return unsure(queries, "between their worst and best its interval could include such a drop")
    if finding.outcome == FAILED and alpha is not None and widest.high >= 0:
        return unsure(queries, "between their worst and best its interval could include 0")
    return None


def _level(level: Level, measure: Measure, scores: Scores) -> ConditionResult:
    s, m = len(scores.systems) - 1, scores.place_of(measure)
    finding = check_level(level, scores.all_means[s][m], int((~np.isnan(scores.values[s, m])).sum()))
    failed = list(itertools.compress(scores.queries, scores.unanswered[s, m]))
    for best in (False, True) if failed else ():
        end = best_or_worst(scores, m, best=best)
        mean = end if math.isinf(end) else scores.average(s, measure, fill_failed(scores, s, m, best=best))
        if check_level(level, mean, 1).outcome != finding.outcome:
            return replace(
                finding, doubt=unsure(failed, f"at their {'best' if best else 'worst'} it would be {decimal(mean)}")
            )
    return finding


def _unjudged(condition: Unjudged, scores: Scores) -> ConditionResult:
    unjudged, results = holes_within(scores, len(scores.systems) - 1, condition.depth)
    return check_unjudged(condition, unjudged, results)


def _latency(limit: LatencyLimit, scores: Scores, method: LatencyTest) -> ConditionResult:
    pair = Pair(0, len(scores.systems) - 1)
    times = pair_times(scores, pair, limit.clock)
    found = limit.evidence(times, method.level, method.seed)
    refuse_untimed(limit, found, scores, pair)
    finding = check_latency(limit, found, method.alpha)
    for end, filled in times.extremes(limit.relative).items():
        there = check_latency(limit, limit.evidence(filled, method.level, method.seed), method.alpha)
        if there.outcome != finding.outcome:
            words = {PASSED: "be within the limit", FAILED: "be beyond the limit", CANT_TELL: "not be told"}
            which, unknown = times.describe_unknown(limit.relative, names=3), times.without_time(limit.relative)
            return replace(finding, doubt=unsure(unknown, f"at their {end} it would {words[there.outcome]}", which))
    return finding
