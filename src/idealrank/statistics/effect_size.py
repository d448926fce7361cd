"""How large a mean difference is compared with the spread of the differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from idealrank.statistics.sample import sampled

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def effect_size(d: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the mean difference in standard deviations of the differences, Cohen's d of paired values.

    It does not grow with the number of queries: t is √n times as large. Cohen calls 0.2 small, 0.5 medium and
    0.8 large. With weights, mean and standard deviation are weighted (see `Sample.deviation`).

    Parameters
    ----------
    d
        (n,) Difference of each query, no NaN.
    weights
        (n,) Weight of each query, 0 or more; None: all count the same.

    Returns
    -------
    A number of standard deviations: 0 for identical systems, ±∞ if all differences are the same and not 0, NaN for
    one query.

    Raises
    ------
    DataError
        If there is no query, a NaN, or a negative weight.

    References
    ----------
    Cohen (1988), Statistical Power Analysis, section 2.3.5 (d_z); Sakai (2018), Laboratory Experiments in
    Information Retrieval.

    Examples
    --------
    >>> round(effect_size([0.1, 0.3, 0.2, -0.1]), 4)
    0.7319
    """
    sample = sampled(d, weights)
    if sample.n < 2:
        return math.nan
    if sample.deviation == 0:
        return 0.0 if sample.mean == 0 else math.copysign(math.inf, sample.mean)
    return sample.mean / sample.deviation
