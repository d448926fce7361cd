"""From conditions and scores to findings."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from idealrank.comparison.comparison import Comparison
from idealrank.comparison.failed_searches import gain_at, value_at
from idealrank.comparison.gate.conditions import Drop, Level, Unjudged
from idealrank.comparison.gate.finding import CANT_TELL, PASSED, Finding, excludes, of_drop, of_level, of_unjudged
from idealrank.comparison.pairing import Key
from idealrank.comparison.rule import Rule
from idealrank.comparison.verdict import more_queries
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.sensitivity import unjudged_results
from idealrank.evaluation.scores import Scores
from idealrank.measures import Measure
from idealrank.statistics.intervals import Interval


@dataclass(frozen=True)
class Conditions:
    """The conditions of a gate, and the measure each is about."""

    drops: Sequence[tuple[Drop, Measure]]
    levels: Sequence[tuple[Level, Measure]]
    unjudged: Unjudged | None


def findings(
    conditions: Conditions, scores: Scores, comparison: Comparison | None, alpha: float | None
) -> tuple[Finding, ...]:
    """Return what came of every condition; the newcomer is the last of the systems."""
    outcomes = [_drop(drop, measure, comparison, alpha) for drop, measure in conditions.drops if comparison is not None]
    outcomes += [_level(level, measure, scores) for level, measure in conditions.levels]
    if conditions.unjudged is not None:
        outcomes.append(_unjudged(conditions.unjudged, scores))
    return tuple(outcomes)


def _drop(drop: Drop, measure: Measure, comparison: Comparison, alpha: float | None) -> Finding:
    m = comparison.scores.place_of(measure)
    contrast = comparison.contrasts[Key(comparison.pairing.pairs[0], m)]
    span = contrast.corrected
    finding = of_drop(drop, contrast.baseline_mean, contrast.mean, contrast.difference, span, alpha)
    if (doubted := _failed_searches(drop, comparison, m, finding, alpha)) is not None:
        return doubted
    if finding.outcome == PASSED and not excludes(_estimated(comparison, m), -finding.limit):
        doubt = f"{finding.sentence}; with hole grades as estimated it may drop so far"
        return replace(finding, outcome=CANT_TELL, sentence=doubt)
    if finding.outcome != CANT_TELL:
        return finding
    # In doubt is whether the difference is below 0 where the drop is reached, and whether it is the drop elsewhere.
    bar = 0.0 if drop.reached(contrast.baseline_mean, contrast.difference) else -finding.limit
    return replace(finding, sentence=f"{finding.sentence}. {more_queries(contrast, Rule(bar, 'not_worse'))}")


def _failed_searches(
    drop: Drop, comparison: Comparison, m: int, finding: Finding, alpha: float | None
) -> Finding | None:
    """Return that nobody can tell, where failed searches at their best or worst make it come out otherwise."""
    pair = comparison.pairing.pairs[0]
    key, failed = Key(pair, m), comparison.failed[pair]
    if failed is None:
        return None
    contrast = comparison.contrasts[key]
    for best in (False, True):
        gain, span = gain_at(comparison.pairing, key, contrast, best=best)
        before, after = contrast.baseline_mean, contrast.baseline_mean + gain
        if math.isnan(gain) or of_drop(drop, before, after, gain, span, alpha).outcome != finding.outcome:
            return replace(finding, outcome=CANT_TELL, sentence=_unsure(finding, failed.every, gain, best))
    return None


def _unsure(finding: Finding, failed: Sequence[str], value: float, best: bool) -> str:
    end = "best" if best else "worst"
    which = f"the search failed for {plural(len(failed), 'query')} ({listed(failed)})"
    return f"{finding.sentence}; {which}, and at their {end} it would be {value:+.4f}. Search them again"


def _estimated(comparison: Comparison, m: int) -> Interval:
    """Return the interval of the difference with hole grades as estimated; the plain one where nothing is known."""
    pair = comparison.pairing.pairs[0]
    kinds = [measure.definition.properties.direction for measure in comparison.scores.measures]
    read = [place for place, kind in enumerate(kinds) if place == 0 or kind != "count"]
    estimated = comparison.holes[pair].estimated
    return estimated[read.index(m)] if estimated and m in read else comparison.contrasts[Key(pair, m)].corrected


def _level(level: Level, measure: Measure, scores: Scores) -> Finding:
    s, m = len(scores.systems) - 1, scores.place_of(measure)
    finding = of_level(level, scores.all_means[s][m], int((~np.isnan(scores.values[s, m])).sum()))
    failed = list(itertools.compress(scores.queries, scores.met[s].failed & scores.in_scope))
    for best in (False, True) if failed else ():
        values = np.where(scores.in_scope, value_at(scores, s, m, best=best), np.nan)
        end = values[scores.met[s].failed & scores.in_scope][0]
        mean = scores.average(s, measure, values) if math.isfinite(end) else float(end)
        if of_level(level, mean, 1).outcome != finding.outcome:
            return replace(finding, outcome=CANT_TELL, sentence=_unsure(finding, failed, mean, best))
    return finding


def _unjudged(condition: Unjudged, scores: Scores) -> Finding:
    met, negative = scores.met[-1], scores.setting.decisions.negative
    returned = met.judged.returned[scores.in_scope]
    results = returned if condition.depth is None else np.minimum(returned, condition.depth)
    unjudged = unjudged_results(met, scores.in_scope, negative, condition.depth)
    return of_unjudged(condition, unjudged, int(results.sum()))
