"""From contrasts to a verdict: the rule on what was measured, then again on what the holes may hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

from idealrank.comparison.contrast import Contrast
from idealrank.comparison.power import queries_needed
from idealrank.comparison.rule import CANT_TELL, DONT, SHIP, Rule, gains_of
from idealrank.comparison.verdict import Verdict
from idealrank.comparison.weighing import HoleEvidence
from idealrank.errors import plural, some

MANY = 50
"""So many times the queries there are is more than anybody will judge."""


def verdict(contrasts: Sequence[Contrast], rule: Rule, holes: HoleEvidence) -> Verdict:
    """Decide about one system against another.

    Parameters
    ----------
    contrasts
        One a measure, the deciding one first.
    holes
        What the unjudged documents may hold.
    """
    gains, names = gains_of(contrasts)
    same = all(c.same for c in contrasts)
    plain, reason = rule.outcome(gains, names, same)
    outcome, said, settle = plain, "", ""
    if same and holes.none:
        return _made(contrasts, rule, plain, reason, "", "")
    if not holes.none:
        estimated, _ = rule.outcome(holes.estimated, names)
        stands = _stands(rule, plain, holes, names)
        said = _holes_text(plain, stands, holes)
        changed = estimated != plain and not same
        if (rule.holes == "worst_case" and not stands and plain != CANT_TELL) or (rule.holes == "estimate" and changed and plain != CANT_TELL):
            why = "with hole grades as estimated" if rule.holes == "estimate" else "at the worst the holes may hold"
            seen = estimated if rule.holes == "estimate" else "not certain"
            outcome, reason = CANT_TELL, f"{reason}; {why} it would be {seen}"
            settle = f"judge {_which(holes)}"
    if outcome == CANT_TELL and not settle:
        settle = _more_queries(contrasts[0], rule, holes)
    return _made(contrasts, rule, outcome, reason, said, settle)


def _made(contrasts: Sequence[Contrast], rule: Rule, outcome: str, reason: str, holes: str, settle: str) -> Verdict:
    first = contrasts[0]
    names = gains_of(contrasts)[1]
    return Verdict(first.system, first.baseline, outcome, reason, holes, settle, rule.text(names))


def _stands(rule: Rule, plain: str, holes: HoleEvidence, names: Sequence[str]) -> bool:
    """Whether the rule says the same at the lowest and at the highest the holes may hold."""
    return all(rule.outcome(ends, names)[0] == plain for ends in (holes.lowest, holes.highest) if ends) and bool(holes.lowest)


def _holes_text(plain: str, stands: bool, holes: HoleEvidence) -> str:
    count = plural(holes.count, "hole")
    if not holes.known:
        return f"{count} in the lists: {holes.why}"
    span = f"the difference lies between {holes.low:+.4f} and {holes.high:+.4f} whatever the {count} {_hold(holes.count)}"
    span += "" if holes.exact else " (an enclosure: it may be less wide)"
    if plain in (SHIP, DONT) and stands:
        return f"{span}, and the verdict stands"
    if plain in (SHIP, DONT) and holes.turning is not None:
        return f"{span}; {plural(holes.turning, 'relevant hole')} would be enough to turn it"
    return span


def _hold(count: int) -> str:
    return "holds" if count == 1 else "hold"


def _which(holes: HoleEvidence) -> str:
    queries = some(holes.worst_queries, 3)
    return f"the {plural(holes.count, 'hole')}, first those of {queries}" if holes.worst_queries else "the holes"


def _more_queries(first: Contrast, rule: Rule, holes: HoleEvidence) -> str:
    """Say how many queries more would settle it if the difference stayed what it is."""
    if first.queries < 2 or math.isnan(first.corrected.low):
        return "judge more queries: one says nothing about others"
    sign = -1.0 if first.direction == "lower" else 1.0
    gap = abs(sign * first.difference - rule.bar)
    if gap == 0 or first.deviation == 0:
        return f"the difference lies on the bar itself ({rule.bar:g}): no number of queries settles that"
    needed = queries_needed(gap, first.deviation, _alpha(first))
    more = max(1, math.ceil(needed) - first.queries)
    stays = f"if the difference stays at {first.difference:+.4f} and varies as it does"
    if needed > MANY * first.queries:
        return f"{stays}, it takes {plural(more, 'more query')}: in practice the two are equal"
    return f"{plural(more, 'more query')} like these would settle it, {stays}"


def _alpha(first: Contrast) -> float:
    """Return the error rate of the corrected interval, as one interval for itself."""
    from scipy.stats import t

    standard = first.deviation / math.sqrt(first.queries)
    half = (first.corrected.high - first.corrected.low) / 2
    return float(min(max(2 * t.sf(half / standard, first.queries - 1), 1e-12), 0.999))
