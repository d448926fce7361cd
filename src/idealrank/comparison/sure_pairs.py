"""Which of many systems are surely better than which: simultaneous intervals, and the doubts that verdicts have."""

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.assumptions import TINY
from idealrank.statistics.all_pairs import AllPairs, differences_from
from idealrank.statistics.sample import LEAST_DEGREES

ROUNDING = 1e-24
"""Squares of differences below which they have no spread."""


def surely_better(found: AllPairs, rows: Floats, weights: Floats | None, largest: float) -> Mask:
    """(S, S) whether the row's system surely has the higher mean than the column's.

    The interval of the difference is above 0, and neither of the two doubts applies by which a verdict becomes CAN'T
    TELL: see `idealrank.comparison.assumptions`.

    Parameters
    ----------
    found
        The differences of all pairs.
    rows, weights
        (S, Q) The values they are of, more is better, and (Q,) their weights.
    largest
        The largest difference there can be; infinite where the values have no bound.
    """
    from scipy.special import stdtrit

    above: Mask = np.asarray(found.difference - found.half_width > 0)
    each = np.ones(rows.shape[1]) if weights is None else weights
    degrees = max(each.sum() ** 2 / (each**2).sum() - 1, LEAST_DEGREES)
    alone = float(stdtrit(degrees, (1 + found.level) / 2))  # of differences without spread, as of `Contrast.wide`
    sides = np.any([above, above.T], axis=(0, 2))
    for i in np.flatnonzero(sides[:-1]).tolist():
        with np.errstate(divide="ignore", invalid="ignore"):
            wide = np.where(found.error[i] > 0, found.half_width[i] / found.error[i], alone)[i + 1 :]
        doubted = _doubted(differences_from(rows, i), weights, wide, largest)
        above[i, i + 1 :] &= ~doubted
        above[i + 1 :, i] &= ~doubted
    return above


def _doubted(d: Floats, weights: Floats | None, wide: Floats, largest: float) -> Mask:
    """(H,) whether the mean of the differences of each row is doubted to be on its side of 0."""
    each = np.ones(d.shape[1]) if weights is None else weights
    mean = d @ each / each.sum()
    gains = d * np.where(mean < 0, -1.0, 1.0)[:, None]
    effective = each.sum() ** 2 / (each**2).sum()
    tail = _t(gains, each) <= _skewed_end(wide, _skewness(gains, each, effective), effective)
    if not np.isfinite(largest):
        return np.asarray(tail)
    from scipy.special import stdtr

    missed = -np.expm1(np.log(stdtr(max(effective - 1, LEAST_DEGREES), -wide)) / effective)
    unseen = (np.abs(mean) <= missed * largest) & (-gains.min(axis=1) < TINY * largest)
    return np.asarray(tail | unseen)


def _t(gains: Floats, weights: Floats) -> Floats:
    """(H,) the mean of each row in standard errors, as `Sample.t`; infinite without spread."""
    mean, queries = gains @ weights / weights.sum(), gains.shape[1]
    squares = ((weights * (gains - mean[:, None])) ** 2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean * weights.sum() / np.sqrt(squares * queries / (queries - 1))
    return np.asarray(np.where(squares <= ROUNDING, np.inf, t))


def _skewness(gains: Floats, weights: Floats, effective: float) -> Floats:
    """(H,) the skewness of each row, as `idealrank.statistics.skewness`; 0 without spread."""
    residuals = weights * (gains - (gains @ weights / weights.sum())[:, None])
    squares, queries = (residuals**2).sum(axis=1), gains.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        skew = np.sqrt(effective / queries) * (residuals**3).mean(axis=1) / (squares / queries) ** 1.5
    return np.asarray(np.where(squares <= ROUNDING, 0.0, skew))


def _skewed_end(critical: Floats, skew: Floats, n: float) -> Floats:
    """(H,) where each interval ends, in standard errors: `idealrank.statistics.skewness.skewed_end`."""
    a = skew / (6 * np.sqrt(n))
    w = critical - a
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(1 + a * w > 0, w / (1 + a * w) ** 2, np.inf))
