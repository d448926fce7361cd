"""Betting: an interval for the mean of bounded values that assumes nothing else about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats

if TYPE_CHECKING:
    from idealrank.statistics.sample import Sample

STAKES: Floats = np.geomspace(0.01, 0.99, 24)
"""Shares of the largest bet that cannot lose everything; each bettor always bets one of them."""

HALVINGS = 50


def lowest_mean(values: Floats, weights: Floats, least: float, alpha: float) -> float:
    """Return the smallest mean that the bets against it do not refute.

    A bettor stakes the same share on every value being above m. If the mean is m, the expected total that the bettors
    own is 1, so it exceeds 1 / alpha with a probability of at most alpha, for every distribution.

    Parameters
    ----------
    values, weights
        (n,) values from `least` up, and their weights.
    alpha
        How often the true mean may be below the returned value.
    """
    low, high = least, float(np.average(values, weights=weights))
    share = weights / weights.max()
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _capital(values, share, least, middle) < 1 / alpha else (middle, high)
    return low


def _capital(values: Floats, share: Floats, least: float, mean: float) -> float:
    """Return how much the bettors own on average after all values, if each began with 1."""
    if mean <= least:
        return np.inf
    moves = share * (values - mean) / (mean - least)
    with np.errstate(over="ignore"):
        return float(np.exp(np.log1p(np.multiply.outer(STAKES, moves)).sum(axis=1)).mean())


def ends(sample: Sample, lowest: float, highest: float, level: float) -> tuple[float, float]:
    """Return both ends of the interval of a mean, for values between two bounds."""
    alpha = (1 - level) / 2
    low = lowest_mean(sample.values, sample.weights, lowest, alpha)
    return low, -lowest_mean(-sample.values, sample.weights, -highest, alpha)
