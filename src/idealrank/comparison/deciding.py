"""From contrasts to a verdict: the rule on what was measured, then again on what the holes may hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

from idealrank.comparison.contrast import Contrast
from idealrank.comparison.evidence import HoleEvidence
from idealrank.comparison.rule import CANT_TELL, Rule, gains_of
from idealrank.comparison.statistics.power import queries_needed
from idealrank.comparison.verdict import Verdict
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
    outcome, doubt = (plain, "") if same else _doubted(plain, rule, holes, names)
    settle = ""
    if outcome == CANT_TELL:
        settle = f"Judge {_which(holes)}" if doubt else more_queries(contrasts[0], rule)
    return Verdict(
        contrasts[0].system, contrasts[0].baseline, outcome, "; ".join(filter(None, (reason, doubt))),
        _holes_text(plain, rule, holes, names), settle, rule.text(names),
    )  # fmt: skip


def _doubted(plain: str, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> tuple[str, str]:
    """Return the outcome when the holes have been asked, and what they say against it."""
    if plain == CANT_TELL or holes.none:
        return plain, ""
    if rule.holes == "worst_case":
        stands = _stands(plain, rule, holes, names)
        return (plain, "") if stands else (CANT_TELL, f"but what the holes may hold could turn this {plain}")
    again = rule.outcome(holes.estimated, names)[0]
    return (plain, "") if again == plain else (CANT_TELL, f"but with hole grades as estimated it is {again}")


def _stands(plain: str, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> bool:
    """Whether the rule says the same with every query at its worst, and with every query at its best."""
    return bool(holes.lowest) and all(rule.outcome(ends, names)[0] == plain for ends in (holes.lowest, holes.highest))


def _holes_text(plain: str, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> str:
    if holes.none:
        return ""
    first = holes.first
    if not first.known:
        return f"{plural(first.count, 'hole')} in the lists: {first.why}"
    many = "the one hole holds" if first.count == 1 else f"the {first.count} holes hold"
    span = f"The difference lies between {first.low:+.4f} and {first.high:+.4f} whatever {many}"
    span += "" if first.exact else " (an enclosure)"
    if plain == CANT_TELL:
        return span
    if _stands(plain, rule, holes, names):
        return f"{span}; {plain} stands"
    return f"{span}; {_enough(holes.turning)} to turn it" if holes.turning else span


def _enough(turning: int) -> str:
    return f"{plural(turning, 'relevant hole')} {'is' if turning == 1 else 'are'} enough"


def _which(holes: HoleEvidence) -> str:
    many = "the one hole" if holes.first.count == 1 else f"the {holes.first.count} holes"
    return f"{many}, first of {some(holes.worst_queries, 3)}" if holes.worst_queries else many


def more_queries(first: Contrast, rule: Rule) -> str:
    """Say how many queries more would settle it if the difference stayed what it is."""
    if first.queries < 2 or not math.isfinite(first.wide):
        return "More queries are needed: so few say nothing about others"
    gap = abs((first.gain.low + first.gain.high) / 2 - rule.bar)
    if gap == 0:
        return f"The difference lies on the bar itself ({rule.bar:g}): no number of queries settles that"
    needed = queries_needed(gap, first.deviation, _alpha(first))
    more = plural(max(1, math.ceil(needed) - first.queries), "more query")
    stays = f"if the difference stays at {first.difference:+.4f} and varies as it does"
    if needed > MANY * first.queries:
        return f"It takes {more} to tell, {stays}: in practice the two are equal"
    return f"{more} like these would settle it, {stays}"


def _alpha(first: Contrast) -> float:
    """Return the error rate of the corrected interval, as one interval for itself."""
    from scipy.special import stdtr

    return float(min(max(2 * stdtr(first.queries - 1, -first.wide), 1e-12), 0.999))
