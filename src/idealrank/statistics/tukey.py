"""All pairs of systems: the randomised Tukey HSD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import refuse_count
from idealrank.statistics.draws import CLOSE, DRAWS, Progress, chunks, critical_value, refuse_share, stream, timed
from idealrank.statistics.sample import complete_rows, usable_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PILOT = 20
"""Number of draws used to estimate the total time."""


@dataclass(frozen=True, eq=False)
class Tukey:
    """The result of the randomised Tukey HSD for S systems.

    Attributes
    ----------
    difference
        (S, S) Mean of the row's system minus that of the column's.
    p
        (S, S) Adjusted p-value of each pair, two-sided; 1 on the diagonal.
    error
        (S, S) Its standard error by simulation.
    half_width
        Half width of the simultaneous intervals: difference ± half width.
    level
        Of the intervals.
    method
        How it was computed, in words.
    """

    difference: Floats
    p: Floats
    error: Floats
    half_width: float
    level: float
    method: str


def randomised_tukey(
    values: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    draws: int = DRAWS,
    seed: int,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Tukey:
    """Test all pairs of systems on one measure, adjusted for their number.

    The values of each query are exchanged at random between the systems; p of a pair is how often the best mean
    minus the worst is then at least the difference of the pair, (b + 1) / (draws + 1). Calls with the same seed and
    the same numbers of systems and queries exchange in the same way, so measures share their permutations.

    Assumes that no system differs from any other: a pair of equal systems is tested conservatively if others differ.
    All pairs share one half width, which suits differences of about equal spread.

    Parameters
    ----------
    values
        (S, Q) Value of each system for each query, no NaN: give the queries all systems have. The order of the systems
        does not matter; the exchanges depend on the order of the queries, so derive that order from their ids.
    weights
        (Q,) Weight of each query, 0 or more; None: all count the same.
    draws
        Number of exchanges of all queries.
    seed
        Random seed of the exchanges.
    level
        Of the intervals, 0 to 1.
    progress
        Called with the draws done and all draws.

    Raises
    ------
    UsageError
        If seed or draws are not whole numbers, or the level is not between 0 and 1.
    DataError
        If there are fewer than two systems, no query, a NaN, or an invalid weight.

    References
    ----------
    Carterette (2012), Multiple testing in statistical analysis of systems-based information retrieval experiments.

    Examples
    --------
    >>> found = randomised_tukey([[0.1, 0.2, 0.3, 0.2], [0.1, 0.3, 0.3, 0.3], [0.6, 0.8, 0.9, 0.7]], seed=7)
    >>> bool(found.p[0, 2] < 0.05), bool(found.p[0, 1] > 0.5)
    (True, True)
    """
    refuse_share("level", level)
    refuse_count("draws", draws)
    shares = _shares(values, weights)
    means = shares.sum(axis=1)
    difference = means[:, None] - means
    ranges = _ranges(shares, draws, stream(seed, "tukey"), progress)
    least = np.abs(difference) - CLOSE * float(np.abs(shares).sum(axis=1).max())
    beyond = draws - np.searchsorted(np.sort(ranges), least)
    p = (beyond + 1) / (draws + 1)
    return Tukey(
        difference=difference,
        p=p,
        error=np.sqrt(p * (1 - p) / draws),
        half_width=critical_value(ranges, level),
        level=level,
        method=f"randomised Tukey HSD, {draws} draws",
    )


def _shares(values: ArrayLike, weights: ArrayLike | None) -> Floats:
    """(S, Q) What each query adds to each mean; errors as in `randomised_tukey`."""
    rows = complete_rows(values)
    each = np.ones(rows.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    each = usable_weights(each, rows.shape[1])
    return np.asarray(rows * (each / each.sum()))


def _ranges(shares: Floats, draws: int, rng: np.random.Generator, progress: Progress | None) -> Floats:
    """(draws,) The largest mean minus the smallest, after exchanging each query's values between the systems."""
    by_size = np.ascontiguousarray(np.sort(shares, axis=0).T)  # (Q, S): systems in any order give the same draws
    parts = []
    for rows in chunks(draws, shares.size, progress):
        exchanged = np.repeat(by_size[None], rows, axis=0)
        rng.permuted(exchanged, axis=2, out=exchanged)
        parts.append(np.ptp(exchanged.sum(axis=1), axis=1))
    return np.concatenate(parts)


def expected_seconds(values: ArrayLike, *, draws: int = DRAWS) -> float:
    """Return how long `randomised_tukey` will take here, in seconds, from a few draws made and timed."""
    shares, rows = _shares(values, None), min(draws, PILOT)
    return timed(lambda: _ranges(shares, rows, stream(0, "pilot"), None)) * draws / rows
