"""Which of many systems are surely better than which: simultaneous intervals, and the doubts that verdicts have."""

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.assumptions import FEW, TINY, UNSEEN
from idealrank.statistics.all_pairs import AllPairs, differences_from


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
    above: Mask = np.asarray(found.difference - found.half_width > 0)
    sides = np.any([above, above.T], axis=(0, 2))
    for i in np.flatnonzero(sides[:-1]).tolist():
        with np.errstate(divide="ignore", invalid="ignore"):
            wide = np.where(found.error[i] > 0, found.half_width[i] / found.error[i], 0.0)[i + 1 :]
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
    tail = _unskewed_t(gains, each, effective) <= wide
    if effective >= FEW or not np.isfinite(largest):
        return np.asarray(tail)
    unseen = (np.abs(mean) * effective <= UNSEEN * largest) & (-gains.min(axis=1) < TINY * largest)
    return np.asarray(tail | unseen)


def _unskewed_t(gains: Floats, weights: Floats, n: float) -> Floats:
    """(H,) t of each row corrected for skewness, as `idealrank.statistics.skewness` does; infinite without spread."""
    mean = gains @ weights / weights.sum()
    residuals = weights * (gains - mean[:, None])
    squares, queries = (residuals**2).sum(axis=1), gains.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        skew = np.sqrt(n / queries) * (residuals**3).mean(axis=1) / (squares / queries) ** 1.5
        z = mean * weights.sum() / np.sqrt(squares * queries / (queries - 1) * n)
        t = np.sqrt(n) * (z + skew * z**2 / 3 + skew**2 * z**3 / 27 + skew / (6 * n))
    return np.asarray(np.where(squares <= 1e-24, np.inf, t))
