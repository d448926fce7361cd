"""Whether each condition of a gate holds, against another system, a baseline, or by itself."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import EQUAL
from idealrank.comparison.comparison import Comparison
from idealrank.comparison.contrasts import Contrast, Methods, contrasts
from idealrank.comparison.latency import pair_times
from idealrank.comparison.latency_limits import LatencyEvidence, LatencyLimit, refuse_untimed
from idealrank.comparison.pairing import DECIDES, GUARDS, SHOWN, Key, Pair, Pairing
from idealrank.comparison.verdict.assumptions import more_queries
from idealrank.comparison.verdict.failed_searches import at_extreme, best_or_worst, fill_failed, gain_bounds
from idealrank.comparison.verdict.rule import Rule
from idealrank.comparison.verdict.suspect_results import ENOUGH
from idealrank.data.recognition.recognize import is_baseline
from idealrank.display.numbers import amount, decimal, milliseconds, percent, signed
from idealrank.errors import DataError, UsageError, either, listed, named, option, plural
from idealrank.evaluation.ledger.counting import holes_within
from idealrank.evaluation.scores import Scores
from idealrank.evaluation.scoring import QueryState
from idealrank.measures.definition import Measure
from idealrank.regression.baseline import Baseline
from idealrank.regression.baseline_diff import Differences
from idealrank.regression.conditions import (
    CANT_TELL,
    FAILED,
    PASSED,
    ConditionResult,
    Drop,
    Level,
    Unjudged,
    check_drop,
    check_level,
    check_unjudged,
    excludes,
    unsure,
)
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import make_sample

# From a baseline and scores to findings: a drop of each measure, and queries that went missing.


TOLERANCE = 0.01
"""What a measure may lose where nobody says so: in its own units, or as a share where its values may exceed 1."""


@dataclass(frozen=True, eq=False)
class BaselineComparison:
    """Scores beside the values of a baseline.

    Attributes
    ----------
    name, baseline, now
        The baseline's file, what it contains, and the same of the scores.
    differences
        What differs between the two.
    pairing, contrasts
        Both values of each query side by side under the measures that may not drop, and their differences.
    """

    name: str
    baseline: Baseline
    now: Baseline
    differences: Differences
    pairing: Pairing
    contrasts: tuple[Contrast, ...]


def baseline_values(baseline: Any) -> bool:
    """Whether it is a baseline, or the file of one."""
    return isinstance(baseline, Baseline) or (isinstance(baseline, (str, Path)) and is_baseline(baseline))


def default_drops(
    baseline: Baseline, named_already: Sequence[str], tolerance: float | Mapping[str, float] | None
) -> list[str]:
    """Return a condition for each measure of a baseline that has none: it may not lose its tolerance.

    Raises
    ------
    UsageError
        If a tolerance is negative, or names a measure that the baseline does not have.
    """
    tolerances = tolerance if isinstance(tolerance, Mapping) else {}
    for name in tolerances:
        if name not in baseline.measures:
            raise UsageError(
                f"{named('tolerance', name)}: the baseline has no such measure: {listed(baseline.measures)}."
            )
    amounts = {name: tolerances.get(name, tolerance if isinstance(tolerance, (int, float)) else None)
               for name in baseline.measures if name not in named_already}  # fmt: skip
    return [f"{name} drops {_amount(baseline.measure(name), lost)}" for name, lost in amounts.items()]


def _amount(measure: Measure, tolerance: float | None) -> str:
    if tolerance is None:
        return f"{TOLERANCE:g}" if measure.definition.properties.highest <= 1 else f"{TOLERANCE:.0%}"
    if not tolerance >= 0:
        raise UsageError(f"{option('tolerance', str(tolerance))}: a measure may lose 0 or more.")
    return repr(float(tolerance))


def refuse_other(name: str, differences: Differences, convention: str) -> None:
    """Refuse a baseline of other judgments, decisions, queries or documents.

    Raises
    ------
    DataError
        With everything that differs, and what to do.
    """
    if differences.refusals:
        bless = either("ir.bless(scores, path)", "--bless")
        raise DataError(
            f"{name}: the baseline cannot be compared with these results.",
            *(f"  {text}" for text in differences.refusals),
            f"Give what the baseline was made from ({convention}), or accept the current values with {bless}.",
        )


def paired_with(baseline: Baseline, scores: Scores, methods: Methods) -> tuple[Pairing, tuple[Contrast, ...]]:
    """Put the baseline's values beside scores of the same measures, and contrast them."""
    before = np.array([_values_of(baseline, query, scores.labels) for query in scores.queries], np.float64).T
    left_out = np.where(np.isnan(before), QueryState.LEFT_OUT, QueryState.COMPUTED).astype(np.int8)
    names = ("baseline", scores.systems[0] if scores.systems[0] != "baseline" else "results")
    both = scores.of_systems(
        [0, 0], names, values=np.stack([before, scores.values[0]]), states=np.stack([left_out, scores.states[0]])
    )
    pairing = Pairing(both, names[0], (DECIDES, *[GUARDS] * (len(scores.measures) - 1)))
    by_key = contrasts(pairing, methods)
    return pairing, tuple(by_key[Key(pairing.pairs[0], m)] for m in range(len(scores.measures)))


def _values_of(baseline: Baseline, query: str, labels: Sequence[str]) -> list[float | None]:
    row = baseline.queries.get(query)
    return [None if row is None else row.values.get(label) for label in labels]


def baseline_findings(
    kept: BaselineComparison, drops: Sequence[tuple[Drop, Measure]], alpha: float | None
) -> list[ConditionResult]:
    """Return what came of every drop, then of queries that had a value and have none."""
    labels = [kept.pairing.scores.labels[kept.pairing.scores.place_of(measure)] for _, measure in drops]
    found = [_drop_from_baseline(kept, drop, label, alpha) for (drop, _), label in zip(drops, labels, strict=True)]
    return [*found, *_missing(kept, labels)]


def _drop_from_baseline(kept: BaselineComparison, drop: Drop, label: str, alpha: float | None) -> ConditionResult:
    contrast = next(contrast for contrast in kept.contrasts if contrast.measure == label)
    finding = check_drop(drop, contrast.baseline_mean, contrast.mean, contrast.difference, contrast.corrected, alpha)
    doubted = failed_searches(drop, kept.pairing, contrast, kept.pairing.failed(1), finding, alpha)
    if doubted is not None or finding.outcome != CANT_TELL:
        return doubted or finding
    bar = 0.0 if drop.reached(contrast.baseline_mean, contrast.difference) else -finding.limit
    return replace(finding, sentence=f"{finding.sentence}. {more_queries(contrast, Rule(bar, 'not_worse'))}")


def _missing(kept: BaselineComparison, labels: Sequence[str]) -> Iterator[ConditionResult]:
    """Fail on a query that had a value and is left out of the mean now, unless its search failed."""
    now = {query: row for query, row in kept.now.queries.items() if not row.failed}
    was = {query for label in labels for query in kept.baseline.values(label) if now.get(query) and (
        now[query].values[label] is None)}  # fmt: skip
    lost = sorted(was)
    if lost:
        sentence = f"{plural(len(lost), 'query')} with a value in the baseline and none now: {listed(lost)}"
        yield ConditionResult("queries", "no query goes missing", "", FAILED, float(len(lost)), 0.0, sentence)


def headroom(findings: Sequence[ConditionResult]) -> str:
    """Say which measures are so far above the baseline that a loss beyond the tolerance would pass; "" if none is."""
    above = [f for f in findings if f.kind == "drop" and f.value > -f.limit + EQUAL]
    said = [
        f"{f.measure} is {amount(f.value, 4)} above the baseline, and could lose {amount(f.value - f.limit, 4)} "
        "before this gate fails"
        for f in above
    ]
    return f"{listed(said, 2, '; ')}. Bless again: --bless, or ir.bless(scores, path)" if said else ""


def options_of(baseline: Baseline) -> dict[str, Any]:
    """Return what identifies a baseline in JSON."""
    return {"system": baseline.system, "date": baseline.date, "idealrank": baseline.version}


@dataclass(frozen=True)
class Conditions:
    """The conditions of a gate, and the measure each is about."""

    drops: Sequence[tuple[Drop, Measure]]
    levels: Sequence[tuple[Level, Measure]]
    unjudged: Unjudged | None
    latencies: Sequence[LatencyLimit] = ()


class LatencyTest(NamedTuple):
    """How it is decided: by the quantile alone or, with an `alpha`, by its interval; and what is drawn."""

    alpha: float | None
    level: float = 0.95
    seed: int = 0


# From conditions and scores to findings.


def findings(
    conditions: Conditions, scores: Scores, comparison: Comparison | None, method: LatencyTest
) -> tuple[ConditionResult, ...]:
    """Return what came of every condition; the newcomer is the last of the systems."""
    alpha = method.alpha
    outcomes = [
        _drop_from_system(drop, measure, comparison, alpha)
        for drop, measure in conditions.drops
        if comparison is not None
    ]
    outcomes += [_level(level, measure, scores) for level, measure in conditions.levels]
    if conditions.unjudged is not None:
        outcomes.append(_unjudged(conditions.unjudged, scores))
    return (*outcomes, *latency_findings(conditions.latencies, scores, method))


def _drop_from_system(drop: Drop, measure: Measure, comparison: Comparison, alpha: float | None) -> ConditionResult:
    m = comparison.scores.place_of(measure)
    contrast = comparison.contrasts[Key(comparison.pairing.pairs[0], m)]
    span = contrast.corrected
    finding = check_drop(drop, contrast.baseline_mean, contrast.mean, contrast.difference, span, alpha)
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
        doubt = f"{finding.sentence}; with estimated grades for the holes it may drop that far"
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
    before = make_sample(pairing.scores.values[pair.baseline, key.measure][rest], weights).mean
    difference = make_sample(pairing.difference(*key)[rest], weights).mean
    if not drop.reached(before, difference):
        return None
    return named, f"but it drops by {decimal(-difference)} without the {plural(len(named), 'query')} with odd results"


def failed_searches(
    drop: Drop,
    pairing: Pairing,
    contrast: Contrast,
    queries: Sequence[str],
    finding: ConditionResult,
    alpha: float | None,
) -> ConditionResult | None:
    """Return that nobody can tell, where failed searches at their best or worst make it come out otherwise."""
    key = Key(pairing.pairs[0], pairing.scores.place_of(contrast.measure))
    if not pairing.any_failed(key).any():
        return None
    worst, best = (at_extreme(pairing, key, contrast, best=best) for best in (False, True))
    for end, called in ((worst, "worst"), (best, "best")):
        there = check_drop(drop, end.before, end.before + end.gain, end.gain, end.interval, alpha)
        if math.isnan(end.gain) or there.outcome != finding.outcome:
            return unsure(finding, queries, f"at their {called} the difference would be {signed(end.gain)}")
    widest = gain_bounds(worst, best, contrast)
    if finding.outcome == PASSED and not excludes(widest, -finding.limit):
        return unsure(finding, queries, "between their worst and best its interval could include such a drop")
    if finding.outcome == FAILED and alpha is not None and widest.high >= 0:
        return unsure(finding, queries, "between their worst and best its interval could include 0")
    return None


def _estimated(comparison: Comparison, m: int) -> Interval:
    """Return the interval of the difference with hole grades as estimated."""
    pair = comparison.pairing.pairs[0]
    read = [place for place, role in enumerate(comparison.pairing.roles) if role != SHOWN]
    holes, corrected = comparison.holes[pair], comparison.contrasts[Key(pair, m)].corrected
    return holes.estimated[read.index(m)] if holes.estimated and m in read else corrected


def _level(level: Level, measure: Measure, scores: Scores) -> ConditionResult:
    s, m = len(scores.systems) - 1, scores.place_of(measure)
    finding = check_level(level, scores.all_means[s][m], int((~np.isnan(scores.values[s, m])).sum()))
    failed = list(itertools.compress(scores.queries, scores.unanswered[s, m]))
    for best in (False, True) if failed else ():
        end = best_or_worst(scores, m, best=best)
        mean = end if math.isinf(end) else scores.average(s, measure, fill_failed(scores, s, m, best=best))
        if check_level(level, mean, 1).outcome != finding.outcome:
            return unsure(finding, failed, f"at their {'best' if best else 'worst'} it would be {decimal(mean)}")
    return finding


def _unjudged(condition: Unjudged, scores: Scores) -> ConditionResult:
    unjudged, results = holes_within(scores, len(scores.systems) - 1, condition.depth)
    return check_unjudged(condition, unjudged, results)


# What came of limits of latency in a gate.


def latency_findings(limits: Sequence[LatencyLimit], scores: Scores, method: LatencyTest) -> list[ConditionResult]:
    """Return what came of each limit; the newcomer is the last of the systems, the baseline the first."""
    return [_finding(limit, scores, method) for limit in limits]


def _finding(limit: LatencyLimit, scores: Scores, method: LatencyTest) -> ConditionResult:
    pair = Pair(0, len(scores.systems) - 1)
    times = pair_times(scores, pair, limit.clock)
    found = limit.evidence(times, method.level, method.seed)
    refuse_untimed(limit, found, scores, pair)
    finding = check_latency(limit, found, method.alpha)
    for end, filled in times.ends(limit.relative).items():
        there = check_latency(limit, limit.evidence(filled, method.level, method.seed), method.alpha)
        if there.outcome != finding.outcome:
            words = {PASSED: "be within the limit", FAILED: "be beyond the limit", CANT_TELL: "not be told"}
            which, unknown = times.why(limit.relative, names=3), times.unknown(limit.relative)
            return unsure(finding, unknown, f"at their {end} it would {words[there.outcome]}", which)
    return finding


def check_latency(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None) -> ConditionResult:
    """Find out whether a limit is kept.

    A limit of the system's own holds or fails by the quantile alone, as the limit of a mean does. One against the
    baseline is decided as a drop is: where the quantile is beyond it, it fails; with an `alpha` only if the interval is
    wholly above 0 (above the limit, where that is below 0). Where it is not, it passes if the interval is wholly
    within the limit. In between it can't be told.
    """
    outcome = _outcome(limit, found, alpha)
    return ConditionResult(
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


def _outcome(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None) -> str:
    if not limit.relative:
        return PASSED if limit.holds(found.value) else FAILED
    if limit.holds(found.value):
        return PASSED if limit.surely_holds(found.interval) else CANT_TELL
    return FAILED if alpha is None or found.interval.low > min(0.0, limit.number) else CANT_TELL


def _sentence(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None, outcome: str) -> str:
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


def _reason(limit: LatencyLimit, found: LatencyEvidence, alpha: float | None, outcome: str) -> str:
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
