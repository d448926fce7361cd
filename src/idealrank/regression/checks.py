"""Whether each condition of a gate holds for scores, against what they are held against."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from idealrank.comparison.conditions import CANT_TELL, FAILED, Condition, ConditionResult, Held, State, Sure
from idealrank.comparison.contrasts import Contrast, Methods
from idealrank.comparison.latency import latency_held
from idealrank.comparison.pairing import Pair
from idealrank.comparison.verdict.assumptions import assumption_doubt, doubt_settled, more_queries
from idealrank.comparison.verdict.failed_searches import at_extreme, best_or_worst, fill_failed, gain_bounds
from idealrank.comparison.verdict.reasons import Reason, Step, but, takes_back
from idealrank.comparison.verdict.rule import DONT, SHIP, Rule
from idealrank.display.numbers import decimal, milliseconds, percent, signed
from idealrank.errors import listed, plural
from idealrank.evaluation.ledger.counting import unjudged_within
from idealrank.evaluation.scores import Scores
from idealrank.regression.reference import Reference


def check_conditions(
    conditions: Iterable[Condition], scores: Scores, reference: Reference | None, methods: Methods, alpha: float | None
) -> tuple[ConditionResult, ...]:
    """Return what came of every condition; the newcomer is the last of the systems.

    Parameters
    ----------
    methods
        At which level latencies have their intervals, and what is drawn for them.
    alpha
        None: values alone make conditions fail.
    """
    results = []
    for condition in conditions:
        if condition.kind == "drop":
            assert reference is not None, "a drop is from something"
            results.append(_drop(condition, reference, alpha))
        elif condition.kind == "level":
            results.append(_level(condition, scores))
        elif condition.kind == "unjudged":
            results.append(_unjudged(condition, scores))
        else:
            assert condition.kind == "latency", f"nothing checks {condition.kind}"
            pair = Pair(0, len(scores.systems) - 1)
            held, times = latency_held(condition, scores, pair, methods.level, methods.seed)
            results.append(check(condition, held, alpha, times.unknown, times.describe_unknown(names=3)))
    drops = sum(result.kind == "drop" for result in results)
    return (*results[:drops], *(() if reference is None else reference.missing()), *results[drops:])


def check(
    condition: Condition, held: Held, alpha: float | None, unknown: Sequence[str] = (), which: str = ""
) -> ConditionResult:
    """Find out whether a condition is met.

    What is the system's own is decided by its value. A drop, and what latency may gain, fails where the value is beyond
    the limit; with an `alpha` only if the interval is wholly below 0 (of latency above 0, or above a limit below that).
    Where the value is not beyond it, it passes if its interval is not, either. In between it can't be told, nor where
    what is not known could make it otherwise.

    Parameters
    ----------
    unknown, which
        The queries of which something is not known, and what that is: by default that their search failed.
    """
    sure: Sure = "value" if alpha is None or condition.own else "loss"
    state, limit = condition.state(held, sure), condition.limit(held.before)
    text = _text(condition, held, state, sure)
    doubt = None
    if (turned := condition.turned(held, sure)) is not None:
        which = which or f"the search failed for {plural(len(unknown), 'query')} ({listed(unknown)})"
        again = Step("search again", "Search them again")
        doubt = takes_back("failed", f"{which}, and {_at_end(condition, held, *turned, sure)}", again, queries=unknown)
    low, high = held.interval
    return ConditionResult(condition, state, held.value, limit, text, low, high, doubt)


_WORDS = {
    "drop": ("drops", "includes no drop of", "includes a drop of", "is below"),
    "latency": ("grows", "is within", "includes more than", "is above"),
}
"""What a number beside a baseline's does where that is worse, and where its interval is: kept, open or broken."""


def _text(condition: Condition, held: Held, state: State, sure: Sure) -> str:
    """Say what was found by the numbers."""
    value, kept, title = held.value, state == "kept", condition.title
    if condition.kind == "unjudged":
        return f"{held.over} are unjudged ({value:.1%}); {'no more' if kept else 'more'} than {condition.bound:.4g}"
    if condition.own:
        found = f"is {condition.written(value)}" if math.isfinite(value) else "has no value"
        return f"{title} {found} over {held.over}, {'' if kept else 'not '}{condition.sign} {condition.amount}"
    verb, within, too_much, beyond = _WORDS[condition.kind]
    moved = f"changes by {condition.written(value)},"
    if condition.worse(value) > 0:
        moved = f"{verb} by {condition.written(abs(value)).removeprefix('+')}," if math.isfinite(value) else verb
    ends = (decimal(x) if condition.measure else f"{milliseconds(x)} ms" for x in (held.before, held.after))
    limit = f"{-condition.limit(held.before):.4g}" if condition.measure else condition.amount
    allowed = f"the limit is {limit}"
    where = f"the {percent(held.interval.level)} interval {condition.span(held.interval)}"
    if state == "broken" and sure == "value":
        why = allowed
    elif not held.bounded:
        why = f"{allowed}, and {held.few}"
    elif condition.holds(value, held.before):
        why = f"{where} {within if kept else too_much} {limit}"
    else:
        bar = limit if condition.worse(condition.bound) < 0 else "0"
        why = f"{allowed}, and {where} {beyond if state == 'broken' else 'includes'} {bar}"
    over = f" over {held.over}" if held.over else ""
    return f"{title} {moved} from {' to '.join(ends)}{over}; {why}"


def _at_end(condition: Condition, held: Held, end: str, there: Held, sure: Sure) -> str:
    """Say how it comes out otherwise with what is not known at one end."""
    if condition.kind == "latency":
        words = {"kept": "be within the limit", "broken": "be beyond the limit"}
        return f"at their {end} it would {words.get(condition.state(there, sure), 'not be told')}"
    if condition.kind == "level":
        return f"at their {end} it would be {decimal(there.value)}"
    if end == BETWEEN:
        what = "such a drop" if condition.holds(held.value, held.before) else "0"
        return f"between their worst and best its interval could include {what}"
    return f"at their {end} the difference would be {signed(there.value)}"


BETWEEN = "worst and best"
"""What is not known between its ends: the mean is, and its interval may be wider than at either."""


def _drop(drop: Condition, reference: Reference, alpha: float | None) -> ConditionResult:
    contrast, pairing = reference.contrast(drop.measure), reference.pairing
    held = Held(contrast.difference, contrast.corrected, contrast.baseline_mean, contrast.mean)
    key = pairing.key(contrast.measure)
    if pairing.any_failed(key).any():
        worst, best = (at_extreme(pairing, key, contrast, best=best) for best in (False, True))
        ends = {end: Held(at.gain, at.interval, at.before) for end, at in (("worst", worst), ("best", best))}
        if math.isfinite(worst.gain + best.gain):
            ends[BETWEEN] = held._replace(interval=gain_bounds(worst, best, contrast))
        held = held._replace(extremes=ends)
    finding = check(drop, held, alpha, reference.failed)
    doubt = finding.doubt or reference.doubt(drop, contrast, finding) or _doubt_shape(contrast, finding, alpha)
    if doubt is not None or finding.outcome != CANT_TELL:
        return replace(finding, doubt=doubt)
    # In doubt is whether the difference is below 0 where the drop is reached, and whether it is the drop elsewhere.
    bar = -finding.limit if drop.holds(held.value, held.before) else 0.0
    return replace(finding, settle=more_queries(contrast, Rule(bar, "not_worse")))


def _doubt_shape(contrast: Contrast, finding: ConditionResult, alpha: float | None) -> Reason | None:
    """Return that nobody can tell, where the shape of the differences speaks against a loss, as in `compare`."""
    if alpha is None or finding.outcome != FAILED:
        return None
    rule, side = Rule(level=1 - alpha), DONT if contrast.gain.high < 0 else SHIP
    why = assumption_doubt(side, contrast, rule)
    return but("shape", why, doubt_settled(contrast, rule, side)) if why else None


def _level(level: Condition, scores: Scores) -> ConditionResult:
    s, m = len(scores.systems) - 1, scores.place_of(level.measure)
    failed = list(itertools.compress(scores.queries, scores.unanswered[s, m]))
    ends = {}
    for end in ("worst", "best") if failed else ():
        bound = best_or_worst(scores, m, best=end == "best")
        filled = fill_failed(scores, s, m, best=end == "best")
        ends[end] = Held(bound if math.isinf(bound) else scores.average(s, scores.measures[m], filled))
    over = plural(int((~np.isnan(scores.values[s, m])).sum()), "query")
    return check(level, Held(scores.all_means[s][m], over=over, extremes=ends), None, failed)


def _unjudged(condition: Condition, scores: Scores) -> ConditionResult:
    depth = scores.measures[0].cutoff
    unjudged, results = unjudged_within(scores, len(scores.systems) - 1, depth)
    among = "" if depth is None else f" in the top {depth}"
    over = f"{unjudged} of {plural(results, 'result')}{among}"
    return check(condition, Held(unjudged / results if results else 0.0, over=over), None)
