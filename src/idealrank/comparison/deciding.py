"""From contrasts to a verdict: the rule on what was measured, then again on what the holes may hold."""

from __future__ import annotations

import math
from collections.abc import Sequence

from idealrank.comparison.contrast import Contrast
from idealrank.comparison.holes.evidence import HoleEvidence
from idealrank.comparison.rule import CANT_TELL, Rule, gains_of
from idealrank.comparison.verdict import Verdict
from idealrank.errors import plural, some
from idealrank.statistics.power import queries_needed

MANY = 50
"""So many times the queries there are is more than anybody will judge."""

FEWEST = 6
"""Queries that must differ: all flips of five signs cannot reach 5 %."""


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
        "" if same else _holes_text(plain, outcome, holes), settle, rule.text(names),
    )  # fmt: skip


def _doubted(plain: str, rule: Rule, holes: HoleEvidence, names: Sequence[str]) -> tuple[str, str]:
    """Return the outcome when the holes have been asked, and what they say against it."""
    if plain == CANT_TELL or holes.none:
        return plain, ""
    if rule.holes == "worst_case":
        return (plain, "") if holes.stands else (CANT_TELL, f"but what the holes may hold could turn this {plain}")
    again, why = rule.outcome(holes.estimated, names)
    return (plain, "") if again == plain else (CANT_TELL, f"but with the grades of holes estimated, {why}")


def _holes_text(plain: str, outcome: str, holes: HoleEvidence) -> str:
    """Say what the holes allow the deciding measure to be, and whether that turns the verdict."""
    first = holes.ranges[0]
    if not first.count:
        return "The lists hold no holes of the deciding measure" if not holes.none else ""
    if not first.known:
        return f"{plural(first.count, 'hole')} in the lists: {first.why}"
    many = "the one hole holds" if first.count == 1 else f"the {first.count} holes hold"
    span = f"The difference in {holes.measure} lies between {first.low:+.4f} and {first.high:+.4f} whatever {many}"
    span += "" if first.exact else " (an enclosure)"
    if outcome == CANT_TELL:
        return span
    if holes.stands:
        return f"{span}; {plain} stands"
    return f"{span}; {_enough(holes.turning)} to make it {holes.turned}" if holes.turning else span


def _enough(turning: int) -> str:
    return "one relevant hole is enough" if turning == 1 else f"{turning} of them, if relevant, are enough"


def _which(holes: HoleEvidence) -> str:
    count = max(found.count for found in holes.ranges)
    many = "the one hole" if count == 1 else f"the {count} holes"
    return f"{many}, first of {some(holes.worst_queries, 3)}" if holes.worst_queries else many


def more_queries(first: Contrast, rule: Rule) -> str:
    """Say how many queries more would settle it, with power 0.8, if the difference stayed what it is."""
    differing = first.wins + first.losses
    if first.queries < FEWEST or not differing or not math.isfinite(first.wide):
        return f"At least {FEWEST} queries that differ are needed: so few say nothing about others"
    gap = abs(first.improvement - rule.bar)
    if gap == 0:
        return f"The gain lies on the bar itself ({rule.bar:g}): no number of queries settles that"
    needed = max(queries_needed(gap, first.deviation, first.alpha), FEWEST * first.queries / differing)
    stays = f"if the gain stays at {first.improvement:+.4f} and varies as it does"
    if needed > MANY * first.queries:
        return f"It lies so close to {rule.bar:g} that {plural(math.ceil(needed), 'query')} would be needed, {stays}"
    more = max(1, math.ceil(needed) - first.queries)
    return f"About {plural(more, 'more query')} like these would settle it in four of five cases, {stays}"
