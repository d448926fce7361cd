"""All pairs of systems at once: intervals by the largest |t| under sign flips, ranks, and the randomised Tukey HSD."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from idealrank._core import largest_scaled, pair_sums, signed_sums
from idealrank.arrays import EQUAL, Floats, Ints, Mask
from idealrank.errors import refuse_count
from idealrank.statistics.draws import (
    CLOSE,
    DRAWS,
    Progress,
    Signs,
    chunks,
    critical_value,
    measure_seconds,
    refuse_share,
    stream,
)
from idealrank.statistics.max_t import Moments, all_flips, half_widths, moments_of
from idealrank.statistics.sample import complete_rows, usable_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ROWS = 500
"""Flips whose differences are taken at a time: with 300 systems 1.2 MB, which stays in the cache."""


@dataclass(frozen=True, eq=False)
class AllPairs:
    """The differences of all pairs of S systems, with intervals that hold together.

    Attributes
    ----------
    difference
        (S, S) Mean of the row's system minus that of the column's.
    half_width
        (S, S) Half the simultaneous interval of each; infinite if there are too few queries to say.
    error
        (S, S) Standard error of each; NaN for one query.
    level
        Of the intervals, all together.
    """

    difference: Floats
    half_width: Floats
    error: Floats
    level: float


def all_pairs(
    values: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    draws: int = DRAWS,
    seed: int,
    level: float = 0.95,
    progress: Progress | None = None,
) -> AllPairs:
    """Return simultaneous intervals of the differences of all pairs: those of `max_t` over all pairs, without p.

    Memory grows with the systems times the queries, and with the systems squared, not with pairs times queries.

    Parameters
    ----------
    values
        (S, Q) Value of each system for each query, no NaN: give the queries all systems have. The flips depend on the
        order of the queries, so derive that order from their ids.
    weights
        (Q,) Weight of each query, 0 or more; None: all count the same.
    draws
        Most flips to make.
    seed
        Random seed of the flips.
    level
        Of the intervals, 0 to 1.
    progress
        Called with the flips done and all flips.

    Raises
    ------
    UsageError
        If seed or draws are not whole numbers, or the level is not between 0 and 1.
    DataError
        If there are fewer than two systems, no query, a NaN, or an invalid weight.

    Examples
    --------
    >>> found = all_pairs([[0.1, 0.2, 0.3, 0.2, 0.1, 0.3], [0.4, 0.6, 0.7, 0.5, 0.5, 0.6]], seed=7)
    >>> round(float(found.difference[1, 0]), 4), round(float(found.half_width[1, 0]), 4)
    (0.35, 0.0575)
    """
    refuse_share("level", level)
    refuse_count("draws", draws)
    rows, each = _check_values(values, weights)
    blocks = list(_moments_by_system(rows, each))
    scales = _scale(np.concatenate([block.squares for block in blocks]), rows.shape[1]) if each is None else None
    parts = (rows - rows.mean(axis=0)) * (1.0 if each is None else each)
    mixed = parts if each is None else parts * each
    largest = [
        _largest_t(flips[first : first + ROWS], parts, mixed, blocks, scales)
        for flips in all_flips(rows.shape[1], len(rows), draws, seed, progress)
        for first in range(0, len(flips), ROWS)
    ]
    critical = float(f"{critical_value(np.concatenate([*largest, np.empty(0)]), level):.10g}")
    difference, half_width, error = np.zeros((3, len(rows), len(rows)))
    pairs = AllPairs(difference, half_width, error, level)
    for i, block in enumerate(blocks):
        half, error, later = half_widths(block, critical, level), block.standard_errors(), slice(i + 1, None)
        pairs.difference[later, i], pairs.difference[i, later] = block.differences(), -block.differences()
        pairs.half_width[later, i] = pairs.half_width[i, later] = half
        pairs.error[later, i] = pairs.error[i, later] = error
    return pairs


def _check_values(values: ArrayLike, weights: ArrayLike | None) -> tuple[Floats, Floats | None]:
    """Check values and weights; leave out the queries of weight 0."""
    rows = complete_rows(values)
    if weights is None:
        return rows, None
    each = usable_weights(np.asarray(weights, dtype=np.float64), rows.shape[1])
    return rows[:, each > 0], each[each > 0]


def _moments_by_system(rows: Floats, weights: Floats | None) -> Iterator[Moments]:
    """Yield the moments of all later systems less each."""
    # Of all pairs only the sums are made: the (Q, pairs) differences would take memory by pairs times queries.
    sums, squares, mixed = pair_sums(rows, weights, EQUAL)
    # Added up query by query, as the sums are.
    mass, weight_squares = (
        (float(rows.shape[1]),) * 2 if weights is None else np.cumsum([weights, weights**2], 1)[:, -1]
    )
    end = 0
    for later in range(len(rows) - 1, 1, -1):
        of, end = slice(end, end + later), end + later
        yield Moments(
            total=sums[of],
            mixed_total=sums[of] if weights is None else mixed[of],
            n=np.full(later, rows.shape[1]),
            mass=np.full(later, mass),
            weight_squares=np.full(later, weight_squares),
            squares=squares[of],
        )
    # NumPy adds a single column up otherwise than several, and two systems are also compared by themselves.
    yield moments_of(differences_from(rows, len(rows) - 2), weights)


def _largest_t(flips: Signs, parts: Floats, mixed: Floats, blocks: Sequence[Moments], scales: Floats | None) -> Floats:
    """(rows,) the largest |t| of all pairs under each flip."""
    total = signed_sums(flips, parts.T)
    if scales is not None:
        return _largest_t_unweighted(total, scales, parts.shape[1])
    flipped = signed_sums(flips, mixed.T)
    largest = np.zeros(len(flips))
    for i, block in enumerate(blocks):
        t = block.t_of(total[:, i + 1 :] - total[:, [i]], flipped[:, i + 1 :] - flipped[:, [i]])
        np.maximum(largest, np.abs(t).max(axis=1), out=largest)
    return largest


def _largest_t_unweighted(total: Floats, scales: Floats, n: int) -> Floats:
    """(rows,) the same: without weights |t| rises with |total| / √squares, so only the largest becomes a t."""
    largest = largest_scaled(total, scales)
    # With r = |total| / √(n · squares), t = r √((n - 1) / (1 - r²)).
    rest = 1 - largest**2
    with np.errstate(divide="ignore"):
        return np.asarray(largest * np.sqrt((n - 1) / np.where(rest <= EQUAL, 0.0, rest)))


def _scale(squares: Floats, n: int) -> Floats:
    """Return by what the totals of pairs become shares of the most they can be."""
    return np.where(squares > 0, 1 / np.sqrt(np.where(squares > 0, n * squares, 1.0)), 0.0)


def differences_from(rows: Floats, i: int) -> Floats:
    """(S - i - 1, Q) the values of later systems less those of one; what is only rounding is 0."""
    d = rows[i + 1 :] - rows[i]
    return np.where(np.abs(d) <= EQUAL, 0.0, d)


# Rank intervals.


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


_LETTERS = string.ascii_lowercase + string.ascii_uppercase


def group_letters(distinguished: Mask) -> list[str] | None:
    """Return letters for each system: two share a letter if, and only if, they cannot be told apart.

    The compact letter display: each letter is a largest set of systems of which no two can be told apart. The letters
    begin with that of the first system; beyond z they go on with A. None where these 52 do not suffice: what can be
    told apart then has no order that letters could show, and there may be more largest sets than can be counted.

    Parameters
    ----------
    distinguished
        (S, S) Whether two systems can be told apart; symmetric.

    References
    ----------
    Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational and
    Graphical Statistics 13(2), 2004: insert and absorb.
    """
    columns = [frozenset(range(len(distinguished)))]
    for i, j in np.argwhere(np.triu(distinguished)).tolist():
        split = [column - {one} for column in columns if {i, j} <= column for one in (i, j)]
        others = [column for column in columns if not {i, j} <= column]
        # Absorb: a set within another says nothing that the other does not say.
        fresh = [one for one in dict.fromkeys(split) if not any(one <= other for other in others)]
        columns = others + [one for one in fresh if not any(one < other for other in fresh)]
        if len(columns) > len(_LETTERS):
            return None
    columns.sort(key=sorted)
    lettered = list(zip(_LETTERS, columns, strict=False))
    return ["".join(name for name, column in lettered if i in column) for i in range(len(distinguished))]


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


# The randomised Tukey HSD.


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
    shares = _mean_shares(values, weights)
    means = shares.sum(axis=1)
    difference = means[:, None] - means
    ranges = _draw_ranges(shares, draws, stream(seed, "tukey"), progress)
    least = np.abs(difference) - CLOSE * float(np.abs(shares).sum(axis=1).max())
    # A sum of the same values in another order may differ in its last bits, so what is CLOSE counts as equal.
    beyond = draws - np.searchsorted(np.sort(ranges), least)
    # The data as it is counts as one of the draws: an estimated p is never 0 (Phipson and Smyth 2010).
    p = (beyond + 1) / (draws + 1)
    return Tukey(
        difference=difference,
        p=p,
        error=np.sqrt(p * (1 - p) / draws),
        half_width=critical_value(ranges, level),
        level=level,
        method=f"randomised Tukey HSD, {draws} draws",
    )


def _mean_shares(values: ArrayLike, weights: ArrayLike | None) -> Floats:
    """(S, Q) What each query adds to each mean; errors as in `randomised_tukey`."""
    rows = complete_rows(values)
    each = np.ones(rows.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    each = usable_weights(each, rows.shape[1])
    return np.asarray(rows * (each / each.sum()))


def _draw_ranges(shares: Floats, draws: int, rng: np.random.Generator, progress: Progress | None) -> Floats:
    """(draws,) The largest mean minus the smallest, after exchanging each query's values between the systems."""
    by_size = np.ascontiguousarray(np.sort(shares, axis=0).T)  # (Q, S): systems in any order give the same draws
    parts = []
    for rows in chunks(draws, shares.size, progress):
        exchanged = np.repeat(by_size[None], rows, axis=0)
        rng.permuted(exchanged, axis=2, out=exchanged)
        parts.append(np.ptp(exchanged.sum(axis=1), axis=1))
    return np.concatenate(parts)


def expected_tukey_seconds(values: ArrayLike, *, draws: int = DRAWS) -> float:
    """Return how long `randomised_tukey` will take here, in seconds, from a few draws made and timed."""
    shares, rows = _mean_shares(values, None), min(draws, PILOT)
    return measure_seconds(lambda: _draw_ranges(shares, rows, stream(0, "pilot"), None)) * draws / rows
