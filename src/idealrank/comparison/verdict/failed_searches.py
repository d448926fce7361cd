"""Failed searches: what a difference and a verdict would be if their queries all came out worst, or all best."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrasts import Contrast, interval_about
from idealrank.comparison.pairing import SHOWN, Key, Pair, Pairing
from idealrank.comparison.verdict.reasons import Reason, Step, but
from idealrank.comparison.verdict.rule import CANT_TELL, DONT, SHIP, Outcome, Rule
from idealrank.display.document import Described
from idealrank.display.numbers import span_amount
from idealrank.display.schema import OrNull
from idealrank.errors import listed, plural
from idealrank.evaluation.values import Values, value_bounds
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import make_sample


@dataclass(frozen=True)
class FailedSearches(Described):
    """What failed searches could change.

    Attributes
    ----------
    queries
        By system, the judged queries whose search failed; without a baseline also those of the other systems, for a
        query pairs only if every system has a value.
    measure
        The deciding measure.
    low, high
        The mean gain in it if all failed queries came out worst for the system, and best; NaN where its values
        have no bound.
    at_worst, at_best
        Outcome and reason by the rule in either case.
    stands
        The outcome of the rule regardless of what they had returned; "" where it may differ.
    """

    queries: Annotated[
        Mapping[str, Annotated[tuple[str, ...], "Ids of queries."]],
        "The judged queries whose search failed, by system.",
    ]
    measure: str
    low: Annotated[float, OrNull(), "Mean gain if all of them came out worst; null if values have no bound."]
    high: Annotated[float, OrNull(), "Mean gain if all of them came out best; null if values have no bound."]
    at_worst: tuple[Outcome, str]
    at_best: tuple[Outcome, str]
    stands: Annotated[Outcome | Literal[""], "The outcome in any case; empty if it may differ."] = ""

    @property
    def worst(self) -> Annotated[Outcome | Literal[""], "The outcome if all of them came out worst."]:
        """The outcome by the rule if all of them came out worst for the system."""
        return self.at_worst[0]

    @property
    def best(self) -> Annotated[Outcome | Literal[""], "The outcome if all of them came out best."]:
        """The outcome by the rule if all of them came out best for the system."""
        return self.at_best[0]

    @property
    def every(self) -> tuple[str, ...]:
        """The queries that failed in any system, each once."""
        return tuple(dict.fromkeys(query for queries in self.queries.values() for query in queries))

    def against(self, outcome: str) -> Reason | None:
        """Return that the rule says something else with the failed queries at one end; None where it does not."""
        for end, (other, why) in (("worst", self.at_worst), ("best", self.at_best)):
            if other != outcome:
                step = Step("search again", f"Search again for {listed(self.every)}")
                text = f"with the failed queries at their {end}, {why}"
                return but("failed", text, step, queries=self.every, end=end, other=other)
        return None

    def text(self, outcome: str) -> str:
        """Say which queries failed, and what they allow the gain to be."""
        which = "; ".join(f"{system}: {listed(queries)}" for system, queries in self.queries.items() if queries)
        text = f"The search failed for {plural(len(self.every), 'query')} ({which})"
        if math.isnan(self.low + self.high):
            return f"{text}, and {self.measure} has no bounds to put in their place"
        ends = span_amount(self.low, self.high, sign=True)
        they = "it" if len(self.every) == 1 else "they"
        text += f". Depending on what {they} would have returned, the gain in {self.measure} is anywhere from {ends}"
        if outcome == CANT_TELL:
            return text
        return f"{text}; it is {outcome} {'regardless' if self.stands == outcome else 'at either end'}"


@dataclass(frozen=True)
class Extreme:
    """One pair under one measure, with the failed queries at one end.

    Attributes
    ----------
    before, gain
        The baseline's mean, and the mean gain.
    interval
        Of the gain, as many standard errors wide as the corrected one.
    gains, weights
        (n,) gain of each query that has a value, known or put in its place; (n,) its weight, or None.
    """

    before: float
    gain: float
    interval: Interval
    gains: Floats
    weights: Floats | None


def failed_searches(pairing: Pairing, contrasts: Sequence[Contrast], pair: Pair, rule: Rule) -> FailedSearches | None:
    """Weigh the failed queries of a pair of systems; None where no search failed.

    Parameters
    ----------
    contrasts
        One per measure, the deciding one first.
    """
    queries = {pairing.scores.systems[s]: pairing.failed_queries(s) for s in pairing.paired_systems(pair)}
    if not any(queries.values()):
        return None
    read = [m for m, contrast in enumerate(contrasts) if contrast.role != SHOWN]
    names = [contrasts[m].measure for m in read]
    worst, best = ([at_extreme(pairing, Key(pair, m), contrasts[m], best=b) for m in read] for b in (False, True))
    return FailedSearches(
        queries, names[0], worst[0].gain, best[0].gain, _outcome_at(rule, worst, names), _outcome_at(rule, best, names),
        _robust_outcome(rule, worst, best, [contrasts[m] for m in read]),
    )  # fmt: skip


def _outcome_at(rule: Rule, ends: Sequence[Extreme], names: Sequence[str]) -> tuple[Outcome, str]:
    if any(math.isnan(end.gain) for end in ends):
        return CANT_TELL, "the measure has no bounds"
    return rule.outcome([end.interval for end in ends], names)


def _robust_outcome(
    rule: Rule, worst: Sequence[Extreme], best: Sequence[Extreme], contrasts: Sequence[Contrast]
) -> Outcome | Literal[""]:
    """Return the outcome that holds between the ends, too, where values spread more; "" where that is not sure."""
    if any(math.isnan(end.gain) for end in (*worst, *best)):
        return ""
    hulls = [gain_bounds(*each) for each in zip(worst, best, contrasts, strict=True)]
    tolerated = [rule.tolerated(contrast.measure) for contrast in contrasts[1:]]
    guards = any(guard.high < -t for guard, t in zip(hulls[1:], tolerated, strict=True))
    if hulls[0].high < rule.bar or (hulls[0].low > rule.bar and guards):
        return DONT
    never = all(end.gain >= -t for end, t in zip(worst[1:], tolerated, strict=True))
    return SHIP if hulls[0].low > rule.bar and never else ""


def gain_bounds(worst: Extreme, best: Extreme, contrast: Contrast) -> Interval:
    """Return what contains the interval of the gain regardless of what the failed queries had returned.

    The mean lies between those at the ends, and no gain lies further from it than its own ends from theirs.
    """
    n = len(worst.gains)
    far = np.maximum(best.gains - worst.gain, best.gain - worst.gains)
    weights = np.ones(n) if worst.weights is None else worst.weights
    error = math.sqrt(n / (n - 1) * float(np.sum((weights / weights.sum() * far) ** 2))) if n > 1 else math.inf
    return interval_about(contrast, worst.gain, best.gain, error)


def at_extreme(pairing: Pairing, key: Key, contrast: Contrast, *, best: bool) -> Extreme:
    """Return what a contrast would be with the failed queries at one end; NaN where the measure has no bound."""
    # What is best for the system is worst for the baseline: a query that failed in both moves the gain by both ends.
    before = fill_failed(pairing.scores, key.pair.baseline, key.measure, best=not best)
    after = fill_failed(pairing.scores, key.pair.system, key.measure, best=best)
    asked = np.flatnonzero(pairing.paired(*key) | pairing.any_failed(key))
    places = asked[~np.isnan(after[asked] - before[asked])]
    sign, weights = (-1.0 if contrast.direction == "lower" else 1.0), pairing.weights_of(places)
    gains = sign * (after - before)[places]
    if not len(places) or not np.isfinite(gains).all():
        unknown = interval_about(contrast, math.nan, math.nan, 0.0)
        return Extreme(math.nan, math.nan, unknown, gains, weights)
    sample = make_sample(gains, weights)
    span = interval_about(contrast, sample.mean, sample.mean, sample.error)
    return Extreme(make_sample(before[places], weights).mean, sample.mean, span, gains, weights)


def fill_failed(scores: Values, s: int, m: int, *, best: bool) -> Floats:
    """(Q,) values of a system, those of failed queries the best a measure can have, or the worst; ±inf for no bound."""
    return np.where(scores.unanswered[s, m], best_or_worst(scores, m, best=best), scores.values[s, m])


def best_or_worst(scores: Values, m: int, *, best: bool) -> float:
    """Return the best value a measure can have, or the worst; ±inf for no bound."""
    low, high = value_bounds(scores, m)
    return high if best == (scores.measures[m].definition.properties.direction != "lower") else low
