"""Latencies whose quantiles are known, and how often the interval of a difference contains the true one."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from idealrank.statistics.quantiles import QUANTILES, drawn_quantiles, quantile_change


class Slowing(NamedTuple):
    """How the first system's times are distributed, and in which share of the queries the second takes longer."""

    quantile: Callable[[Any], Any]
    cdf: Callable[[float], float]
    slower: float = 1.2
    share: float = 1.0

    def true_change(self, q: float) -> float:
        """Return how much a quantile grows."""
        before = float(self.quantile(q))
        mixed = brentq(
            lambda x: self.share * self.cdf(x / self.slower) + (1 - self.share) * self.cdf(x) - q,
            before * (1 - 1e-9),
            before * self.slower * (1 + 1e-9),
            xtol=1e-12,
        )
        return float(mixed) - before


def _log_normal(share: Any) -> Any:
    return np.exp(0.6 * norm.ppf(share))


def _log_normal_cdf(time: float) -> float:
    return float(norm.cdf(math.log(time) / 0.6))


TIMES = {
    "log-normal": Slowing(_log_normal, _log_normal_cdf),
    "long tail (Pareto, index 1.5)": Slowing(lambda share: (1 - share) ** (-1 / 1.5), lambda time: 1 - time**-1.5),
    "log-normal; 5% of the queries take 8 times as long": Slowing(_log_normal, _log_normal_cdf, 8.0, 0.05),
}
"""Times, and what changes."""


def quantile_coverage(times: str, n: int, runs: int, draws: int) -> list[float]:
    """Return how often the intervals of differences contain the true one, for each quantile; NaN where there is none.

    Half of what makes a query slow is common to both systems.
    """
    rng, chance, of = np.random.default_rng(n), np.random.default_rng([n, 1]), TIMES[times]
    found, true = np.zeros(len(QUANTILES)), [of.true_change(q) for q in QUANTILES.values()]
    for seed in range(runs):
        query = rng.normal(size=n)
        shares = norm.cdf(math.sqrt(0.5) * (query + rng.normal(size=(2, n))))
        longer = np.where(chance.random(n) < of.share, of.slower, 1.0)
        values = of.quantile(shares[0]), longer * of.quantile(shares[1])
        first, second = (drawn_quantiles(x, [*QUANTILES.values()], seed=seed, draws=draws) for x in values)
        for place, q in enumerate(QUANTILES.values()):
            span = quantile_change(first, second, q).difference
            held = span.low <= true[place] <= span.high
            found[place] += held if math.isfinite(span.low) else math.nan
    return [float(each) / runs for each in found]
