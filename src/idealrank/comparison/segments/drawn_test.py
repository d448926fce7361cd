"""The test of a segment's mean: how often as many queries, drawn from all of them, are as far out."""

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats
from idealrank.statistics.draws import CLOSE, chunks, stream
from idealrank.statistics.sample import Sample, sampled

LEAST = 5
"""Segments of fewer queries are not tested: what so few say of the shape of the differences is nothing."""

MOST = 200
"""Segments of more queries have the test of the whole comparison: their means are about normal."""

OF_MEANS = ("t", "randomisation", "bootstrap")
"""The tests in the place of which this one stands: they ask about the mean, and take few queries to be even."""


def drawn_p(d: Floats, weights: Floats | None, every: Sample, seed: int, draws: int) -> float:
    """Return how often as many queries, drawn from all, would have a t as far out, if the mean did not change.

    The differences of all queries are moved to mean 0, and as many as the segment has are drawn with replacement,
    each with its weight. Twice the smaller share of draws whose t lies as far down, or up; (b + 1) / (draws + 1) each.
    So a few queries that lose much among many that gain a little are expected in every segment, where Student's t
    of the segment alone takes their absence for a proof. Assumes that the segment's differences have the shape of
    all, whatever that is, and not that they are even.

    Source: the bootstrap t of Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 16.4, with all
    queries in the place of the segment's own.

    Parameters
    ----------
    d, weights
        (k,) difference and weight of each query of the segment; None: they count the same.
    every
        The same of all queries.

    Examples
    --------
    >>> every = sampled(np.append(np.full(36, 0.1), np.full(4, -0.9)))
    >>> low = drawn_p(np.linspace(0.09, 0.11, 8), None, every, seed=0, draws=999)
    >>> 0.05 < low <= 1
    True
    """
    t = sampled(d, weights).t
    near = CLOSE * abs(t) if np.isfinite(t) else 0.0
    down = up = 1
    for drawn in _drawn(every, len(d), seed, draws):
        down += int((drawn <= t + near).sum())
        up += int((drawn >= t - near).sum())
    return min(1.0, 2 * min(down, up) / (draws + 1))


def _drawn(every: Sample, queries: int, seed: int, draws: int) -> Iterator[Floats]:
    """Yield the t of drawn segments."""
    rng, middle = stream(seed, "segment"), every.values - every.mean
    for rows in chunks(draws, queries):
        picked = rng.integers(0, every.n, (rows, queries))
        yield _t(middle[picked], every.weights[picked])


def _t(values: Floats, weights: Floats) -> Floats:
    """(B,) mean over its standard error, as `Sample.t`."""
    count, mass = values.shape[1], weights.sum(axis=1)
    mean = np.einsum("bk,bk->b", values, weights) / mass
    residuals = (weights * (values - mean[:, None])) ** 2
    error = np.sqrt(residuals.sum(axis=1) * count / (count - 1)) / mass
    flat = error <= CLOSE * np.abs(values).max(axis=1)
    t: Floats = np.divide(mean, error, out=np.copysign(np.inf, mean), where=~flat)
    return t
