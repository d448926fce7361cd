"""Skewness: how a tail on one side affects a test of the mean."""

import math

from idealrank.statistics.sample import Sample


def skewness(sample: Sample) -> float:
    """Return the third central moment / the cubed standard deviation; 0 without spread.

    With weights both are of the weighted residuals, for the effective number of queries: those of next to no weight
    change nothing.
    """
    if sample.n < 2 or sample.is_constant:
        return 0.0
    residuals = sample.weights * (sample.values - sample.mean)
    spread = float((residuals**2).mean())
    each = math.sqrt(sample.effective / sample.n)
    return each * float((residuals**3).mean()) / spread**1.5 if spread else 0.0


def unskewed_t(t: float, skew: float, n: float) -> float:
    """Return t corrected for skewness, which is closer to Student's distribution if values have a tail.

    √n · (z + γ z² / 3 + γ² z³ / 27 + γ / (6 n)) with z = t / √n. A few large losses among many small gains (γ < 0)
    make t too large, and this corrects it. Source: Hall (1992), On the removal of skewness by transformation,
    Journal of the Royal Statistical Society B 54, formula 1.2.

    Examples
    --------
    >>> round(unskewed_t(2.5, -2.0, 50), 4), unskewed_t(2.5, 0.0, 50)
    (1.9099, 2.5)
    """
    if not math.isfinite(t):
        return t
    z = t / math.sqrt(n)
    return math.sqrt(n) * (z + skew * z**2 / 3 + skew**2 * z**3 / 27 + skew / (6 * n))
