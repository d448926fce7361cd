"""Rank intervals: from which systems are surely better than which, the ranks that each can have."""

from typing import NamedTuple

from idealrank.arrays import Ints, Mask


class RankIntervals(NamedTuple):
    """The best and the worst rank that each of S systems can have; 1 is the best.

    Attributes
    ----------
    best
        (S,) 1 + how many systems are surely better.
    worst
        (S,) S − how many systems are surely worse.
    """

    best: Ints
    worst: Ints


def rank_intervals(better: Mask) -> RankIntervals:
    """Return the ranks that the differences of all pairs leave open.

    If simultaneous intervals contain all true differences with a probability of 95 %, the true rank of every system is
    in its interval with at least that probability, and so is every system with the best true mean among those that can
    have rank 1. Equal systems may have any of the ranks they share.

    Parameters
    ----------
    better
        (S, S) Whether the row's system is surely better than the column's: the interval of the difference is above 0.

    References
    ----------
    Al Mohamad, Goeman & van Zwet (2022), Simultaneous confidence intervals for ranks with application to ranking
    institutions, Biometrics 78; for the systems that can be the best Hsu (1981), Simultaneous confidence
    intervals for all distances from the "best", Annals of Statistics 9.

    Examples
    --------
    Of three systems the first is surely better than the last, and nothing else is known.

    >>> import numpy as np
    >>> found = rank_intervals(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], bool))
    >>> found.best.tolist(), found.worst.tolist()
    ([1, 1, 2], [2, 3, 3])
    """
    return RankIntervals(1 + better.sum(axis=0), len(better) - better.sum(axis=1))
