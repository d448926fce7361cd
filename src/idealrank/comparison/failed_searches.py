"""Failed searches: what a difference and a verdict would be if their queries all came out worst, or all best."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.comparison.contrasts import Contrast
from idealrank.comparison.pairing import Key, Pair, Pairing
from idealrank.comparison.rule import CANT_TELL, Rule
from idealrank.errors import listed, plural
from idealrank.evaluation.values import Values
from idealrank.statistics.intervals import Interval
from idealrank.statistics.sample import sampled


@dataclass(frozen=True)
class FailedSearches:
    """The failed queries of a pair of systems, and what they could make of it.

    Attributes
    ----------
    queries
        By system, the judged queries whose search failed.
    measure
        The deciding measure.
    low, high
        The mean gain in it if all failed queries came out worst for the system, and best; NaN where its values
        have no bound.
    worst, best
        Outcome and reason by the rule in either case.
    """

    queries: Mapping[str, tuple[str, ...]]
    measure: str
    low: float
    high: float
    worst: tuple[str, str]
    best: tuple[str, str]

    @property
    def every(self) -> tuple[str, ...]:
        """The queries that failed in either system, each once."""
        return tuple(dict.fromkeys(query for queries in self.queries.values() for query in queries))

    def against(self, outcome: str) -> tuple[str, str]:
        """Return the end that says something else than an outcome, and why; "" where both say the same."""
        for end, (other, reason) in (("worst", self.worst), ("best", self.best)):
            if other != outcome:
                return end, reason
        return "", ""

    def text(self, outcome: str) -> str:
        """Say which queries failed, and what they allow the gain to be."""
        which = "; ".join(f"{system}: {listed(queries)}" for system, queries in self.queries.items() if queries)
        text = f"The search failed for {plural(len(self.every), 'query')} ({which})"
        if math.isnan(self.low + self.high):
            return f"{text}, and {self.measure} has no bounds to put in their place"
        stands = f"; {outcome} stands" if outcome != CANT_TELL else ""
        span = f"the gain in {self.measure} lies between {self.low:+.4f} and {self.high:+.4f}"
        return f"{text}; whatever they had returned, {span}{stands}"

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        ends = {"worst": self.worst[0], "best": self.best[0]}
        low, high = (None if math.isnan(end) else end for end in (self.low, self.high))
        return {"queries": {name: list(each) for name, each in self.queries.items()}, "low": low, "high": high} | ends


def failed_searches(pairing: Pairing, contrasts: Sequence[Contrast], pair: Pair, rule: Rule) -> FailedSearches | None:
    """Weigh the failed queries of a pair of systems; None where no search failed.

    The interval at either end is as many standard errors wide as the corrected one.

    Parameters
    ----------
    contrasts
        One a measure, the deciding one first.
    """
    queries = {pairing.scores.systems[s]: pairing.failed(s) for s in pair}
    if not any(queries.values()):
        return None
    read = [m for m, contrast in enumerate(contrasts) if m == 0 or contrast.direction != "count"]
    names = [contrasts[m].measure for m in read]
    ends = [[gain_at(pairing, Key(pair, m), contrasts[m], best=best) for m in read] for best in (False, True)]
    worst, best = (_outcome(rule, [interval for _, interval in gains], names) for gains in ends)
    (low, _), (high, _) = (gains[0] for gains in ends)
    return FailedSearches(queries, names[0], low, high, worst, best)


def _outcome(rule: Rule, gains: Sequence[Interval], names: Sequence[str]) -> tuple[str, str]:
    if any(math.isnan(gain.low) for gain in gains):
        return CANT_TELL, "the measure has no bounds"
    return rule.outcome(gains, names)


def gain_at(pairing: Pairing, key: Key, contrast: Contrast, *, best: bool) -> tuple[float, Interval]:
    """Return the mean gain with the failed queries at one end, and its interval; NaN where the measure has no bound."""
    places = np.flatnonzero(pairing.paired(*key) | pairing.any_failed(key.pair))
    before, after = (value_at(pairing.scores, s, key.measure, best=best == (s == key.pair.system)) for s in key.pair)
    d, failed = after - before, pairing.any_failed(key.pair)
    level, method = contrast.corrected.level, contrast.corrected.method
    if np.isinf(d[failed]).any():
        return math.nan, Interval(math.nan, math.nan, level, method)
    places = places[~np.isnan(d[places])]
    sample = sampled(d[places], pairing.weights_of(places))
    mean = -sample.mean if contrast.direction == "lower" else sample.mean
    half = contrast.wide * sample.error if sample.error else 0.0
    return mean, Interval(mean - half, mean + half, level, method)


def value_at(scores: Values, s: int, m: int, *, best: bool) -> Floats:
    """(Q,) values of a system, those of failed queries the best a measure can have, or the worst; ±inf for no bound."""
    properties = scores.measures[m].definition.properties
    top = best == (properties.direction != "lower")
    end = properties.highest if top else properties.lowest
    return np.where(scores.met[s].failed, end, scores.values[s, m])
