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


def skewed_end(critical: float, skew: float, n: float) -> float:
    """Return how many standard errors below the mean the interval ends, if the values have a tail.

    w / (1 + a w)² with w = c − a and a = γ / (6 √n), the acceleration: the ABC interval of a mean, with Student's c in
    place of the normal one. Without skewness it is c. A few large losses among many small gains (γ < 0) make it larger;
    where 1 + a w is not above 0, no distance is enough. Nothing is drawn. Source: DiCiccio and Efron (1996), Bootstrap
    confidence intervals, Statistical Science 11, section 4.

    Parameters
    ----------
    critical
        Half the symmetric interval, in standard errors.
    skew
        Skewness γ of the values.
    n
        Number of values.

    Examples
    --------
    >>> skewed_end(2.0, 0.0, 50), round(skewed_end(2.0, -2.0, 50), 4)
    (2.0, 2.5078)
    """
    a = skew / (6 * math.sqrt(n))
    w = critical - a
    return w / (1 + a * w) ** 2 if 1 + a * w > 0 else math.inf


def share_unseen(n: float, alpha: float) -> float:
    """Return the share of values that n values can all have missed, with a probability of alpha.

    1 − alpha^(1/n): with alpha 0.025 about 3.7 / n. Source: Hanley and Lippman-Hand (1983), If nothing goes wrong, is
    everything all right?, Journal of the American Medical Association 249.

    Examples
    --------
    >>> round(share_unseen(50, 0.025), 4)
    0.0711
    """
    return -math.expm1(math.log(alpha) / n)
