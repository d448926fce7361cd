"""Latencies whose quantiles are known, and how often the interval of a difference contains the true one."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import norm

from idealrank.statistics.quantiles import drawn_quantiles, quantile_change

QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
SLOWER = 1.2
"""The second system's times are distributed as the first one's, and that much longer."""

TIMES = {
    "log-normal": lambda share: np.exp(0.6 * norm.ppf(share)),
    "long tail (Pareto, index 1.5)": lambda share: (1 - share) ** (-1 / 1.5),
}
"""The quantile functions of times."""


def quantile_coverage(times: str, n: int, runs: int, draws: int) -> list[float]:
    """Return how often the intervals of differences contain the true one, for each quantile; NaN where there is none.

    Half of what makes a query slow is common to both systems.
    """
    rng, at, found = np.random.default_rng(n), TIMES[times], np.zeros(len(QUANTILES))
    for seed in range(runs):
        query = rng.normal(size=n)
        shares = norm.cdf(math.sqrt(0.5) * (query + rng.normal(size=(2, n))))
        values = at(shares[0]), SLOWER * at(shares[1])
        first, second = (drawn_quantiles(x, [*QUANTILES.values()], seed=seed, draws=draws) for x in values)
        for place, q in enumerate(QUANTILES.values()):
            span = quantile_change(first, second, q).difference
            held = span.low <= (SLOWER - 1) * at(q) <= span.high
            found[place] += held if math.isfinite(span.low) else math.nan
    return [float(each) / runs for each in found]
