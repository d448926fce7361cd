"""What a verdict assumes: that the queries have shown the rare large changes; and where that is doubtful."""

import math

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.verdict.reasons import Step
from idealrank.comparison.verdict.rule import DONT, SAME, SHIP, Rule
from idealrank.display.numbers import amount, count, decimals, fine_digits, percent, span_amount
from idealrank.errors import plural
from idealrank.statistics.power import queries_to_settle
from idealrank.statistics.sample import LEAST_DEGREES, share_unseen, skewed_end

FEWEST_CHANGED = 6
"""Queries that must differ: of five signs there are 32 flips, so two-sided p is at least 2/32, above 5 %."""


def doubt_settled(first: Contrast, rule: Rule, outcome: str) -> Step:
    """Return what would settle a doubt of the shape of the differences."""
    return Step("judge queries", _queries_against_doubt(first, rule, outcome))


def _queries_against_doubt(first: Contrast, rule: Rule, outcome: str) -> str:
    if outcome == SAME:
        more = math.ceil(queries_for_same(first, rule)) - first.queries
        if more <= 0:
            return f"Judge about {count(first.queries)} more queries like these, and look at those that change most"
        needs = f"{MANY} queries, of which {CHANGED} change" if not first.same else f"{first.queries + more:,} queries"
        return f"Judge about {count(more)} more queries like these: to call systems about the same takes {needs}"
    side, most = (1, "lose") if outcome == SHIP else (-1, "gain")
    enough = max(2.0 * first.queries, queries_to_see(first, side * (first.improvement - rule.bar), side))
    return f"Judge about {count(enough - first.queries)} more queries like these, and look at those that {most} most"


def queries_for_same(first: Contrast, rule: Rule) -> float:
    """Return how many queries it takes to say that systems are about the same, if they are like those so far."""
    if first.same:
        few = first.queries * MANY / first.effective
        return max(few, queries_to_see(first, rule.equivalence)) if is_provable(first, rule) else few
    return first.queries * max(MANY / first.effective, CHANGED / (first.wins + first.losses))


def more_queries(first: Contrast, rule: Rule) -> Step:
    """Return how many more queries settle it with a chance of 80 %: if the true gain is that seen, and if it is none.

    No number settles it for every true gain, and the gain seen is uncertain, so each number names the gain it is for.
    """
    differing = first.wins + first.losses
    if _one_weighs_all(first):
        return Step("change weights", "Leave the weights out, or give weights that are closer together")
    if _too_few_draws(first):
        times = count(1 / (1 - first.corrected.level))
        return Step("draw more", f"Draw more often (the option draws): {times} times or more")
    if first.queries < FEWEST_CHANGED or not differing or not math.isfinite(first.wide):
        least = f"at least {FEWEST_CHANGED} that differ are needed to say anything about other queries"
        return Step("judge queries", f"Judge more queries: {least}")
    if rule.bar:
        better = f"whether the {'gain is more' if rule.bar > 0 else 'loss is less'} than {abs(rule.bar):.4g}"
    else:
        better = "which is better"
    same = "that they are about the same"
    to_better, to_either, if_none = (total - first.queries for total in _queries_needed(first, rule))
    size, word = abs(first.improvement), "gain" if first.improvement > 0 else "loss"
    by, chance = amount(size, max(decimals(size), fine_digits(size))), "would give an 80% chance to tell"
    advice = []
    if math.isfinite(to_either) and by != "0":
        advice.append(
            (to_either, f"if the true {word} is the {by} seen, which is often too high", to_either < to_better)
        )
    if math.isfinite(if_none):
        advice.append((if_none, "even if nothing changes" if advice else "if nothing changes", not rule.bar))
    if not advice:
        return Step("none", "No number of queries would settle it")
    # First the larger one: who follows the smaller, and the other is true, often learns nothing.
    advice.sort(reverse=True)
    (most, when, or_same), *other = advice
    text = f"About {count(max(1, most))} more judged queries like these {chance} {better}"
    text += f", or {same}, {when}" if or_same else f" {when}"
    text += "".join(f"; about {count(max(1, more))} {words.removeprefix('even ')}" for more, words, _ in other)
    look = "Plan that second look (--looks, or looks= in Python), or judge fresh queries and test those alone"
    return Step("judge queries", f"{text}. {look}", (text,))


def unknown_change(first: Contrast) -> str:
    """Say why nothing is known of how large a change is."""
    if _one_weighs_all(first):
        return "One query has nearly all the weight, too little to say how large the change is"
    if _too_few_draws(first):
        level = percent(first.corrected.level)
        return f"There were too few draws to say with {level} confidence how large the change is"
    many, changed = plural(first.queries, "query"), first.wins + first.losses
    if changed < first.queries and changed < FEWEST_CHANGED:
        return f"Of {many}, too few changed to say how large the change is"
    return f"{many} {'is' if first.queries == 1 else 'are'} too few to say how large the change is"


def _one_weighs_all(first: Contrast) -> bool:
    """Whether weights leave so few degrees of freedom, where the number of queries alone would leave enough."""
    return first.effective - 1 <= LEAST_DEGREES < first.queries - 1


def _too_few_draws(first: Contrast) -> bool:
    """Whether flips of the signs of so many queries could reach the level, if more of them were drawn."""
    return math.isinf(first.wide) and 2.0 ** (first.queries - 1) * (1 - first.corrected.level) >= 1


def _queries_needed(first: Contrast, rule: Rule) -> tuple[float, float, float]:
    """Return how many queries in all would settle it.

    To tell which is better, if the true gain is the one seen; to tell that, or that they are about the same; and to
    tell either if there is no gain at all. The spread is the upper end of its 80 % interval: that of few queries is as
    often too small as too large, and too small a number is the dearer mistake.
    """
    from scipy.special import chdtri

    degrees = max(first.effective - 1, 1.0)
    spread = first.deviation * math.sqrt(degrees / float(chdtri(degrees, LIKELY)))
    # Everything is relative to the bar: no gain at all is -bar, and about the same is a band around that.
    gap, same = first.improvement - rule.bar, (-rule.equivalence - rule.bar, rule.equivalence - rule.bar)
    seen, enough = (gap, spread, first.queries, first.alpha), queries_for_same(first, rule)
    least = FEWEST_CHANGED * first.queries / (first.wins + first.losses)
    better = queries_to_settle(*seen, true=gap)
    either, none = (queries_to_settle(*seen, true=true, same=same, same_from=enough) for true in (gap, -rule.bar))
    return max(better, least), max(either, least), max(none, least)


LIKELY = 0.8
"""How likely the true spread is not above the one that the advice counts with, if differences are about normal."""

FEW = 50
"""Queries below which a SHIP says that it rests on the queries having shown how much one can lose."""

SKEWED = 1.0
"""Skewness to the side of losses that is worth a word."""

SHOWN, STRICT = 0.2, 0.3
"""Shares of the largest possible change: a query that far below the mean gain has shown what a query can lose.

The first is asked of a verdict. The stricter one is asked of a verdict by a calibrated judge, whose interval is
narrower though few queries were sampled; and where it would refuse, a SHIP says what it rests on. Chosen by simulation
(docs/statistics.md).
"""

TINY = 0.05
"""A share of the largest possible change: changes below it have shown nothing of how much a query can change."""

CHANGED, MANY = 10, 100
"""Queries that must differ, and that there must be, before a small difference is called none."""


def assumption_doubt(outcome: str, first: Contrast, rule: Rule, *, identical: bool = False) -> str:
    """Say why an outcome of the deciding measure is not to be believed; "" where it is.

    Parameters
    ----------
    identical
        Whether both systems returned the same lists.
    """
    if outcome == SHIP:
        return _doubt_direction(first, rule, 1)
    if outcome == DONT and first.gain.high < rule.bar:
        return _doubt_direction(first, rule, -1)
    return _doubt_sameness(first, rule) if outcome == SAME and not identical else ""


def _doubt_sameness(first: Contrast, rule: Rule) -> str:
    """Say why it is not to be believed that there is no difference to speak of.

    Nothing speaks against it where the interval by betting is within the equivalence, or where so few queries can
    change (Clopper and Pearson 1934) that the equivalence allows each to change by everything.
    """
    doubt = _doubt_sameness_seen(first, rule)
    # Read only where something else speaks against it: it takes longer than all the rest.
    free = first.unassuming if doubt else None
    return "" if free is not None and max(-free.low, free.high) <= rule.equivalence else doubt


def _doubt_sameness_seen(first: Contrast, rule: Rule) -> str:
    """Say what the changes that were seen, and how many there are, speak against it."""
    differing = first.wins + first.losses
    if most_changing(differing, first.effective, alpha_of(first, rule)) * first.largest <= rule.equivalence:
        return ""
    if first.same:
        few = first.effective < MANY or is_provable(first, rule)
        return f"{_queries_text(first)} are too few to rule out that others change" if few else ""
    if differing < CHANGED:
        return f"only {plural(differing, 'query')} changed, too few to say how much others would"
    if first.effective < MANY:
        return f"{_queries_text(first)} are too few to rule out that a few others change a lot"
    if any(_tail_end(first, side, first.improvement) < -rule.equivalence for side in (1, -1)):
        return "a few queries change much more than the others, and corrected for that they may differ by more"
    room = (rule.equivalence + first.gain.low, rule.equivalence - first.gain.high)
    # Ten queries that changed, in whichever way, have shown how much others would, unless all changes are tiny.
    for largest, gap in zip((-first.worst, first.best), room, strict=True):
        if largest < TINY * first.largest and _would_undo(first, gap, 1.0):
            return f"{_queries_text(first)} are too few to rule out that a few others change a lot"
    return ""


def most_changing(differing: int, queries: float, alpha: float) -> float:
    """Return the largest share of queries that may change, if so many of some did (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    if differing >= queries:
        return 1.0
    return float(betaincinv(differing + 1, queries - differing, 1 - alpha / 2))


def is_provable(first: Contrast, rule: Rule) -> bool:
    """Whether enough queries without a change could show that the others change by no more than the equivalence."""
    return rule.equivalence > 0 and math.isfinite(first.largest)


def alpha_of(first: Contrast, rule: Rule) -> float:
    """Return the error rate of the corrected interval, or where it has no width, of the rule."""
    return 1 - rule.level if math.isnan(first.alpha) else first.alpha


def _doubt_direction(first: Contrast, rule: Rule, side: int) -> str:
    """Say why it is not to be believed that a gain is above the bar (side 1), or below it (-1).

    Two signs, chosen by simulation (docs/statistics.md): the interval is on neither side of the bar once it is
    corrected for the skewness of the gains (`skewed_end`); or no query has shown a large change to the other side
    (`not_shown`), and the share of queries that so few can all have missed (`share_unseen`), changing as much as they
    can, would undo it. Both move with the gain: a system whose every query gains a little more is never doubted more.
    """
    doubt = _doubt_direction_seen(first, rule, side)
    # Read only where there is doubt: it takes longer than all the rest.
    free = first.unassuming if doubt else None
    return "" if free is not None and (free.low > rule.bar if side > 0 else free.high < rule.bar) else doubt


def _doubt_direction_seen(first: Contrast, rule: Rule, side: int) -> str:
    """Say what the gains that were seen, and how many there are, speak against it."""
    gap = side * (first.improvement - rule.bar)
    return doubt_of_gap(first, rule, side, gap, _tail_end(first, side, gap) if first.deviation > 0 else math.inf)


def doubt_of_gap(
    first: Contrast, rule: Rule, side: int, gap: float, tail_end: float, changing: float = 1.0, enough: float = SHOWN
) -> str:
    """Say why a gap between the gain and the bar is not to be believed; "" where it is.

    Parameters
    ----------
    first
        What the queries have shown of how much one can lose, or gain.
    side
        1 for a gain above the bar, -1 for one below it.
    gap
        How far it is beyond.
    tail_end
        Where its interval ends, seen from the bar, once it is corrected for skewness.
    changing
        The share of the queries that can change at all.
    enough
        The share of the largest possible change that shows what a query can lose: `SHOWN` or `STRICT`.
    """
    lose, lost, gain, size, clear = (
        ("lose", "lost", "gain", "gain", "not clear") if side > 0 else ("gain", "gained", "lose", "loss", "clear")
    )
    if tail_end <= 0:
        what = f"be no {size}" if rule.bar == 0 else f"{clear} the margin"
        return f"a few queries {lose} much more than the others {gain}, and corrected for that it may {what}"
    if _would_undo(first, gap / changing, _not_shown(first, side, enough)):
        change = f"so small a {size}" if rule.bar == 0 else "it"
        share = percent(float(f"{gap / first.largest:.1g}"))
        few = f"no query {lost} much, and {_queries_text(first)} are too few to rule out that"
        return f"{few} {share} of all queries {lose} everything, which would undo {change}"
    return ""


def _tail_end(first: Contrast, side: int, gap: float) -> float:
    """Return where the interval ends on the side of 0, once it is corrected for skewness."""
    error = first.deviation / math.sqrt(first.queries)
    return gap - skewed_end(first.wide, side * first.skewness, first.effective) * error if error > 0 else gap


def _would_undo(first: Contrast, gap: float, unknown: float) -> bool:
    """Whether the queries that none may have shown, changing by a share of what they can, would undo a gap."""
    if math.isinf(first.largest) or math.isnan(first.alpha):
        return False
    return gap <= unknown * share_unseen(first.effective, first.alpha / 2) * first.largest


def _not_shown(first: Contrast, side: int, enough: float = SHOWN) -> float:
    """Return how much of what a query can lose (side 1), or gain (-1), no query has shown."""
    farthest = first.improvement - first.worst if side > 0 else first.best - first.improvement
    return float(not_shown(farthest / first.largest, enough))


def not_shown(farthest: float | Floats, enough: float = SHOWN) -> Floats:
    """Return how much of what a query can lose no query has shown: from 1 to 0.

    Parameters
    ----------
    farthest
        How far the query that loses most is below the mean gain, as a share of the largest possible change.
    enough
        The share that has shown all of it.
    """
    return np.maximum(0.0, 1 - np.asarray(farthest) / enough)


def queries_to_see(first: Contrast, gap: float, side: int = 0) -> float:
    """Return how many queries it takes to rule out that a share of queries undoes a gap by losing everything.

    Parameters
    ----------
    side
        Whether they lose (1) or gain (-1) what no query has shown; 0: everything.
    """
    if math.isinf(first.largest) or math.isnan(first.alpha):
        return first.queries  # where a query can lose any amount, no number of queries rules that out, nor is it asked
    share = min(gap / ((_not_shown(first, side) if side else 0.0) or 1.0) / first.largest, 1.0)
    if share >= 1:
        return first.queries
    return first.queries / first.effective * math.log(first.alpha / 2) / math.log1p(-share) if share > 0 else math.inf


def _queries_text(first: Contrast) -> str:
    """Say how many queries there are, and how many that is where weights differ."""
    text = plural(first.queries, "query")
    return (
        f"{text}, which by their weights count as {first.effective:.0f},"
        if first.effective < first.queries - 0.5
        else text
    )


def _rests_on(first: Contrast, rule: Rule, skewed: bool) -> str:
    """Say what shows how much a query can lose where that is doubtful: too few queries, or changes that are too alike.

    "" where the queries have shown it.
    """
    if first.effective < FEW:
        return _queries_text(first)
    if skewed:
        return "skewed differences"
    unsure = _would_undo(first, first.improvement - rule.bar, _not_shown(first, 1, STRICT))
    return f"{_queries_text(first)} that lose little" if unsure else ""


def assumption_text(first: Contrast, rule: Rule) -> str:
    """Say what a SHIP rests on, and what can be said without that.

    "" where there are many queries that have shown how much one can lose, and no long tail; and where it can be said
    without any assumption.
    """
    why = _rests_on(first, rule, first.skewness <= -SKEWED)
    free = first.unassuming if why else None
    if not why or (free is not None and free.low > rule.bar):
        return ""
    text = f"This rests on {why} having shown how much a query can lose"
    if free is None or not math.isfinite(free.high - free.low):
        return f"{text}; without that assumption nothing can be said"
    bar = "0" if rule.bar == 0 else amount(rule.bar, 3)
    ends = span_amount(free.low, free.high, sign=True)
    return f"{text}; without that assumption the {percent(free.level)} interval is {ends}, which includes {bar}"
