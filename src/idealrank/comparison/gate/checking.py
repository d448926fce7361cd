"""From conditions and scores to findings."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from idealrank.comparison.advice import more_queries
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.failed_searches import bound, end_of, hull, value_at
from idealrank.comparison.gate.conditions import Drop, Level, Unjudged
from idealrank.comparison.gate.finding import (
    CANT_TELL,
    FAILED,
    PASSED,
    Finding,
    excludes,
    of_drop,
    of_level,
    of_unjudged,
    unsure,
)
from idealrank.comparison.gate.latency import Method, latency_findings
from idealrank.comparison.latency_limits import LatencyLimit
from idealrank.comparison.pairing import Key, Pairing
from idealrank.comparison.roles import SHOWN
from idealrank.comparison.rule import Rule
from idealrank.comparison.suspect_results import ENOUGH
from idealrank.display.numbers import decimal, signed
from idealrank.errors import plural
from idealrank.evaluation.ledger.hole_counts import holes_within
from idealrank.evaluation.scores import Scores
from idealrank.measures import Measure
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import sampled


@dataclass(frozen=True)
class Conditions:
    """The conditions of a gate, and the measure each is about."""

    drops: Sequence[tuple[Drop, Measure]]
    levels: Sequence[tuple[Level, Measure]]
    unjudged: Unjudged | None
    latencies: Sequence[LatencyLimit] = ()


def findings(
    conditions: Conditions, scores: Scores, comparison: Comparison | None, method: Method
) -> tuple[Finding, ...]:
    """Return what came of every condition; the newcomer is the last of the systems."""
    alpha = method.alpha
    outcomes = [_drop(drop, measure, comparison, alpha) for drop, measure in conditions.drops if comparison is not None]
    outcomes += [_level(level, measure, scores) for level, measure in conditions.levels]
    if conditions.unjudged is not None:
        outcomes.append(_unjudged(conditions.unjudged, scores))
    return (*outcomes, *latency_findings(conditions.latencies, scores, method))


def _drop(drop: Drop, measure: Measure, comparison: Comparison, alpha: float | None) -> Finding:
    m = comparison.scores.place_of(measure)
    contrast = comparison.contrasts[Key(comparison.pairing.pairs[0], m)]
    span = contrast.corrected
    finding = of_drop(drop, contrast.baseline_mean, contrast.mean, contrast.difference, span, alpha)
    pair = comparison.pairing.pairs[0]
    failed = comparison.failed[pair]
    queries = () if failed is None else failed.every
    doubted = failed_searches(drop, comparison.pairing, contrast, queries, finding, alpha)
    if doubted is not None:
        return doubted
    if finding.outcome == PASSED and (suspect := _suspect(drop, comparison, contrast)):
        named, why = suspect
        return replace(finding, outcome=CANT_TELL, sentence=f"{finding.sentence}; {why}", failed=named)
    if finding.outcome == PASSED and not excludes(_estimated(comparison, m), -finding.limit):
        holes = "depending on the grades of" if comparison.scores.parts else "with estimated grades for"
        doubt = f"{finding.sentence}; {holes} the holes it may drop that far"
        return replace(finding, outcome=CANT_TELL, sentence=doubt)
    if finding.outcome != CANT_TELL:
        return finding
    # In doubt is whether the difference is below 0 where the drop is reached, and whether it is the drop elsewhere.
    bar = 0.0 if drop.reached(contrast.baseline_mean, contrast.difference) else -finding.limit
    return replace(finding, sentence=f"{finding.sentence}. {more_queries(contrast, Rule(bar, 'not_worse'))}")


def _suspect(drop: Drop, comparison: Comparison, contrast: Contrast) -> tuple[tuple[str, ...], str] | None:
    """Return the queries with odd results, and why no drop may be due to them; None where they do not matter."""
    pairing, pair = comparison.pairing, comparison.pairing.pairs[0]
    # Lost results lower the values of a system: those of the newcomer do not explain that it passes.
    newcomer = pairing.scores.systems[pair.system]
    found = [each for each in comparison.suspicions[pair] if not (each.lowers and each.system == newcomer)]
    if not any(each.queries.any() for each in found):
        return None
    key = Key(pair, pairing.scores.place_of(contrast.measure))
    odd = np.logical_or.reduce([each.queries for each in found])
    rest = np.flatnonzero(pairing.paired(*key) & ~odd)
    named = tuple(itertools.compress(pairing.scores.queries, odd))
    if len(rest) < ENOUGH * contrast.queries:
        return named, "but too few queries are left without those whose results are odd"
    weights = pairing.weights_of(rest)
    before = sampled(pairing.scores.values[pair.baseline, key.measure][rest], weights).mean
    difference = sampled(pairing.difference(*key)[rest], weights).mean
    if not drop.reached(before, difference):
        return None
    return named, f"but it drops by {decimal(-difference)} without the {plural(len(named), 'query')} with odd results"


def failed_searches(
    drop: Drop, pairing: Pairing, contrast: Contrast, queries: Sequence[str], finding: Finding, alpha: float | None
) -> Finding | None:
    """Return that nobody can tell, where failed searches at their best or worst make it come out otherwise."""
    key = Key(pairing.pairs[0], pairing.scores.place_of(contrast.measure))
    if not pairing.any_failed(key).any():
        return None
    worst, best = (end_of(pairing, key, contrast, best=best) for best in (False, True))
    for end, called in ((worst, "worst"), (best, "best")):
        there = of_drop(drop, end.before, end.before + end.gain, end.gain, end.interval, alpha)
        if math.isnan(end.gain) or there.outcome != finding.outcome:
            return unsure(finding, queries, f"at their {called} the difference would be {signed(end.gain)}")
    widest = hull(worst, best, contrast)
    if finding.outcome == PASSED and not excludes(widest, -finding.limit):
        return unsure(finding, queries, "between their worst and best its interval could include such a drop")
    if finding.outcome == FAILED and alpha is not None and widest.high >= 0:
        return unsure(finding, queries, "between their worst and best its interval could include 0")
    return None


def _estimated(comparison: Comparison, m: int) -> Interval:
    """Return the interval of the difference with hole grades as estimated; in parts, whatever they are."""
    pair = comparison.pairing.pairs[0]
    read = [place for place, role in enumerate(comparison.pairing.roles) if role != SHOWN]
    holes, corrected = comparison.holes[pair], comparison.contrasts[Key(pair, m)].corrected
    if comparison.scores.parts:
        return holes.ranges[m].widened(corrected)
    return holes.estimated[read.index(m)] if holes.estimated and m in read else corrected


def _level(level: Level, measure: Measure, scores: Scores) -> Finding:
    s, m = len(scores.systems) - 1, scores.place_of(measure)
    finding = of_level(level, scores.all_means[s][m], int((~np.isnan(scores.values[s, m])).sum()))
    failed = list(itertools.compress(scores.queries, scores.unanswered[s, m]))
    for best in (False, True) if failed else ():
        end = bound(scores, m, best=best)
        mean = end if math.isinf(end) else scores.average(s, measure, value_at(scores, s, m, best=best))
        if of_level(level, mean, 1).outcome != finding.outcome:
            return unsure(finding, failed, f"at their {'best' if best else 'worst'} it would be {decimal(mean)}")
    return finding


def _unjudged(condition: Unjudged, scores: Scores) -> Finding:
    unjudged, results = holes_within(scores, len(scores.systems) - 1, condition.depth)
    return of_unjudged(condition, unjudged, results)
