"""What would settle an open comparison: how many more queries to judge."""

import math

from idealrank.comparison.assumptions import CHANGED, FEW, MANY
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.rule import SAME, SHIP, Rule
from idealrank.display.amounts import amount, count, decimals, fine, percent
from idealrank.errors import plural
from idealrank.statistics.power import queries_needed, queries_to_settle
from idealrank.statistics.sample import LEAST_DEGREES

FEWEST = 6
"""Queries that must differ: all flips of five signs cannot reach 5 %."""


def doubt_settled(first: Contrast, outcome: str, why: str) -> str:
    """Say what would settle a doubt of the shape of the differences; "" where there is none."""
    if not why:
        return ""
    if outcome == SAME:
        more = math.ceil(enough_for_same(first)) - first.queries
        needs = f"{MANY} queries, of which {CHANGED} change"
        return f"Judge about {count(more)} more queries like these: to call systems about the same takes {needs}"
    enough, most = first.queries * max(FEW / first.effective, 2.0), "lose" if outcome == SHIP else "gain"
    return f"Judge about {count(enough - first.queries)} more queries like these, and look at those that {most} most"


def enough_for_same(first: Contrast) -> float:
    """Return how many queries it takes to say that systems are about the same, if they are like those so far."""
    return first.queries * max(MANY / first.effective, CHANGED / (first.wins + first.losses))


def more_queries(first: Contrast, rule: Rule) -> str:
    """Say how many queries more would settle it with a chance of 80 %, and how many if the gain is what was seen."""
    differing = first.wins + first.losses
    if _one_weighs_all(first):
        return "Leave the weights out, or give weights that are closer together"
    if _too_few_draws(first):
        return f"Draw more often (the option draws): {count(1 / (1 - first.corrected.level))} times or more"
    if first.queries < FEWEST or not differing or not math.isfinite(first.wide):
        return f"Judge more queries: at least {FEWEST} that differ are needed to say anything about other queries"
    gap, least = first.improvement - rule.bar, FEWEST * first.queries / differing
    apart, either = (max(total, least) - first.queries for total in _totals(first, rule))
    if not math.isfinite(either):
        return "No number of queries would settle it"
    bar = f"whether the {'gain is more' if rule.bar > 0 else 'loss is less'} than {abs(rule.bar):.4g}"
    what = bar if rule.bar else "which is better"
    what += ", or that they are about the same" if either < apart else ""
    text = f"About {count(max(1, either))} more judged queries like these would give an 80% chance to tell {what}"
    seen = max(queries_needed(gap, first.deviation, first.alpha), least) - first.queries if gap else math.inf
    if 1 <= seen < either:
        size, word = abs(first.improvement), "gain" if first.improvement > 0 else "loss"
        by = amount(size, max(decimals(size), fine(size)))
        text += f". {count(seen)} would do if the true {word} is the {by} seen, which is often too high"
    return f"{text}. Plan that second look (--looks, or looks= in Python), or judge fresh queries and test those alone"


def counts_queries(settle: str) -> bool:
    """Whether a text says how many more queries would settle it."""
    return settle.startswith(("About", "Judge about", "Judge more queries"))


def unknown(first: Contrast) -> str:
    """Say why nothing is known of how large a change is."""
    if _one_weighs_all(first):
        return "One query has nearly all the weight, too little to say how large the change is"
    if _too_few_draws(first):
        level = percent(first.corrected.level)
        return f"There were too few draws to say with {level} confidence how large the change is"
    return f"Of {plural(first.queries, 'query')}, too few changed to say how large the change is"


def _one_weighs_all(first: Contrast) -> bool:
    return first.effective - 1 <= LEAST_DEGREES < first.queries - 1


def _too_few_draws(first: Contrast) -> bool:
    """Whether flips of the signs of so many queries could reach the level, if more of them were drawn."""
    return math.isinf(first.wide) and 2.0 ** (first.queries - 1) * (1 - first.corrected.level) >= 1


def _totals(first: Contrast, rule: Rule) -> tuple[float, float]:
    """Return how many queries in all would tell which is better, and how many that or that they are the same."""
    gap, same = first.improvement - rule.bar, (-rule.equivalence - rule.bar, rule.equivalence - rule.bar)
    seen = (gap, first.deviation, first.queries, first.alpha)
    return queries_to_settle(*seen), queries_to_settle(*seen, same=same, same_from=enough_for_same(first))
