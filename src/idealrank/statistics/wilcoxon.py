"""Wilcoxon's signed ranks: the sums of ranks, and their distribution if systems are equal."""

import math

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.errors import plural

MOST_EXACT = 200
"""Most queries that differ for which the distribution is computed exactly."""


def rank_sums(values: Floats) -> tuple[float, float, Ints]:
    """Return the sums of the ranks of positive and of negative values, and twice each rank.

    Values are ranked by size; equal sizes share their mean rank, and zeros have none.
    """
    moved = values != 0
    _, place, count = np.unique(np.abs(values[moved]), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    doubled = (2 * last - count + 1)[place]  # twice the mean of the ranks last − count + 1 to last
    above = int(doubled[values[moved] > 0].sum())
    return above / 2, (int(doubled.sum()) - above) / 2, doubled.astype(np.int64)


def wilcoxon_p(smaller: float, doubled: Ints) -> tuple[float, str]:
    """Return the two-sided p-value of the smaller sum of ranks, and how it was computed."""
    over = f"over {plural(len(doubled), 'query')} that differ"
    if not len(doubled):
        return 1.0, f"signed ranks, {over}"
    if len(doubled) <= MOST_EXACT:
        return min(1.0, 2 * _share_up_to(round(2 * smaller), doubled)), f"signed ranks, exact, {over}"
    from scipy.special import ndtr

    middle, deviation = float(doubled.sum()) / 4, math.sqrt(float(np.sum(doubled.astype(float) ** 2))) / 4
    return min(1.0, 2 * float(ndtr((smaller - middle) / deviation))), f"signed ranks, normal approximation, {over}"


def _share_up_to(bound: int, doubled: Ints) -> float:
    """Share of all sign assignments for which twice the sum of positive ranks is at most the bound."""
    share = np.zeros(int(doubled.sum()) + 1)
    share[0] = 1.0
    for rank in doubled:
        share *= 0.5
        share[rank:] += share[:-rank].copy()
    return float(share[: bound + 1].sum())
