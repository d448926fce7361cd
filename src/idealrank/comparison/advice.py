"""What would settle an open comparison: how many more queries to judge."""

import math

from idealrank.comparison.assumptions import CHANGED, MANY, enough_to_see, provable
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.rule import SAME, SHIP, Rule
from idealrank.display.amounts import amount, count, decimals, fine, percent
from idealrank.errors import plural
from idealrank.statistics.power import queries_to_settle
from idealrank.statistics.sample import LEAST_DEGREES

FEWEST = 6
"""Queries that must differ: all flips of five signs cannot reach 5 %."""


def doubt_settled(first: Contrast, rule: Rule, outcome: str, why: str) -> str:
    """Say what would settle a doubt of the shape of the differences; "" where there is none."""
    if not why:
        return ""
    if outcome == SAME:
        more = math.ceil(enough_for_same(first, rule)) - first.queries
        if more <= 0:
            return f"Judge about {count(first.queries)} more queries like these, and look at those that change most"
        needs = f"{MANY} queries, of which {CHANGED} change" if not first.same else f"{first.queries + more:,} queries"
        return f"Judge about {count(more)} more queries like these: to call systems about the same takes {needs}"
    side, most = (1, "lose") if outcome == SHIP else (-1, "gain")
    enough = max(2.0 * first.queries, enough_to_see(first, side * (first.improvement - rule.bar)))
    return f"Judge about {count(enough - first.queries)} more queries like these, and look at those that {most} most"


def enough_for_same(first: Contrast, rule: Rule) -> float:
    """Return how many queries it takes to say that systems are about the same, if they are like those so far."""
    if first.same:
        few = first.queries * MANY / first.effective
        return max(few, enough_to_see(first, rule.equivalence)) if provable(first, rule) else few
    return first.queries * max(MANY / first.effective, CHANGED / (first.wins + first.losses))


def more_queries(first: Contrast, rule: Rule) -> str:
    """Say how many more queries settle it with a chance of 80 %: if the true gain is the one seen, and if it is none.

    No number settles it for every true gain, and the gain seen is uncertain, so each number names the gain it is for.
    """
    differing = first.wins + first.losses
    if _one_weighs_all(first):
        return "Leave the weights out, or give weights that are closer together"
    if _too_few_draws(first):
        return f"Draw more often (the option draws): {count(1 / (1 - first.corrected.level))} times or more"
    if first.queries < FEWEST or not differing or not math.isfinite(first.wide):
        return f"Judge more queries: at least {FEWEST} that differ are needed to say anything about other queries"
    bar = f"whether the {'gain is more' if rule.bar > 0 else 'loss is less'} than {abs(rule.bar):.4g}"
    better, either = bar if rule.bar else "which is better", "that they are about the same"
    apart, seen, none = (total - first.queries for total in _totals(first, rule))
    size, word = abs(first.improvement), "gain" if first.improvement > 0 else "loss"
    by, chance = amount(size, max(decimals(size), fine(size))), "would give an 80% chance to tell"
    nothing = f"{better if rule.bar else either} if nothing changes"
    if math.isfinite(seen) and by != "0":
        what = better + (f", or {either}," if seen < apart else "")
        text = f"About {count(max(1, seen))} more judged queries like these {chance} {what}"
        text += f" if the true {word} is the {by} seen, which is often too high"
        if math.isfinite(none):
            text += f"; about {count(max(1, none))} {'' if rule.bar else f'to tell {either} '}if nothing changes"
    elif math.isfinite(none):
        text = f"About {count(max(1, none))} more judged queries like these {chance} {nothing}"
    else:
        return "No number of queries would settle it"
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
    many, changed = plural(first.queries, "query"), first.wins + first.losses
    if changed < first.queries and changed < FEWEST:
        return f"Of {many}, too few changed to say how large the change is"
    return f"{many} {'is' if first.queries == 1 else 'are'} too few to say how large the change is"


def _one_weighs_all(first: Contrast) -> bool:
    return first.effective - 1 <= LEAST_DEGREES < first.queries - 1


def _too_few_draws(first: Contrast) -> bool:
    """Whether flips of the signs of so many queries could reach the level, if more of them were drawn."""
    return math.isinf(first.wide) and 2.0 ** (first.queries - 1) * (1 - first.corrected.level) >= 1


def _totals(first: Contrast, rule: Rule) -> tuple[float, float, float]:
    """Return how many queries in all would settle it.

    To tell which is better, if the true gain is the one seen; to tell that, or that they are about the same; and to
    tell either if there is no gain at all.
    """
    gap, same = first.improvement - rule.bar, (-rule.equivalence - rule.bar, rule.equivalence - rule.bar)
    seen, enough = (gap, first.deviation, first.queries, first.alpha), enough_for_same(first, rule)
    least = FEWEST * first.queries / (first.wins + first.losses)
    apart = queries_to_settle(*seen, true=gap)
    either, none = (queries_to_settle(*seen, true=true, same=same, same_from=enough) for true in (gap, -rule.bar))
    return max(apart, least), max(either, least), max(none, least)
