"""Many systems and measures against one baseline: the largest |t| under sign flips (Westfall & Young)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idealrank._core import signed_sums
from idealrank.arrays import EQUAL, Floats, Ints
from idealrank.errors import DataError, refuse_count
from idealrank.statistics.draws import (
    CLOSE,
    DRAWS,
    Progress,
    Signs,
    chunks,
    critical_value,
    draw_signs,
    measure_seconds,
    refuse_share,
    sign_patterns,
    stream,
)
from idealrank.statistics.sample import LEAST_DEGREES, usable_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PILOT = 800
"""Number of flips used to estimate the total time."""

PILOT_QUERIES = 100_000
"""Most queries whose signs are flipped for it: the time grows with their number."""

AT_ONCE = 8_000_000
"""Most numbers at a time, 64 MB: words of 64 signs each, or sums under them."""


@dataclass(frozen=True, eq=False)
class MaxT:
    """What the max-|t| test found for each of H hypotheses.

    Attributes
    ----------
    difference, t
        (H,) Mean difference, and the same divided by its standard error.
    p
        (H,) Step-down adjusted p-value, two-sided.
    error
        (H,) Its standard error by simulation; 0 if all flips were made.
    critical
        The largest |t| is below this with probability `level` if no system differs; infinite if there are too few
        queries to say.
    low, high
        (H,) Simultaneous interval: difference ∓ critical · standard error, never narrower than a single Student's t.
    level
        Level of the interval.
    method
        How it was computed, in words.
    """

    difference: Floats
    t: Floats
    p: Floats
    error: Floats
    critical: float
    low: Floats
    high: Floats
    level: float
    method: str


def max_t(
    differences: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    draws: int = DRAWS,
    seed: int,
    level: float = 0.95,
    progress: Progress | None = None,
) -> MaxT:
    """Test systems × measures against a baseline at once, with adjusted p-values and simultaneous intervals.

    The signs of a query's differences are flipped together for all systems and measures, which keeps the correlation
    between them. p is from the step-down procedure: how often the largest |t| of a hypothesis and all those with
    smaller |t| is as large under flips. The interval is single-step: its half width is the quantile of the largest
    |t| over all hypotheses, but at least that of a single Student's t, times the standard error. So a small adjusted
    p may come with an interval that contains 0, but no interval excludes 0 if p is above 1 - level. If there are at
    most `draws` flips, all are made; else p is (b + 1) / (draws + 1).

    Assumes that if systems do not differ, all differences of a query are equally likely with the signs reversed. The
    probability of any false rejection then stays below the level, regardless of which hypotheses are true. With
    several systems and a skewed baseline, this needs many queries. With weights, the weighted differences are
    flipped, and t is that of a ratio.

    Parameters
    ----------
    differences
        (H, Q) System minus baseline: one row per system and measure, one column per query; NaN if a query is not
        paired. The flips depend on the order of the columns, so derive that order from the query ids.
    weights
        (Q,) Weight of each query, 0 or more; None: all count the same.
    draws
        Most flips to make.
    seed
        Random seed of the flips.
    level
        Level of the intervals, 0 to 1.
    progress
        Called with the flips done and all flips.

    Returns
    -------
    A `MaxT`. A hypothesis with fewer than two queries has p = 1 and the interval from −∞ to ∞; one of identical
    systems has p = 1 and an interval without width.

    Raises
    ------
    UsageError
        If seed or draws are not whole numbers, or the level is not between 0 and 1.
    DataError
        If there is no hypothesis or no query, an infinite number, or an invalid weight.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing, algorithm 4.1; Romano & Wolf (2005), Exact and
    approximate stepdown methods.

    Examples
    --------
    >>> found = max_t([[0.1, 0.3, 0.2, 0.4, 0.2, 0.3], [0.0, 0.1, -0.1, 0.1, 0.0, 0.2]], seed=7)
    >>> found.p.tolist(), round(found.critical, 3)
    ([0.03125, 0.5], 3.081)
    """
    refuse_share("level", level)
    refuse_count("draws", draws)
    moments = moments_of(differences, weights)
    t = moments.observed_t()
    order = np.argsort(np.abs(t), kind="stable")
    least = np.abs(t)[order] * (1 - CLOSE)  # a flip that gives the same |t| may differ in the last bits
    beyond, largest, made = np.zeros(len(t), np.int64), [], 0
    for flips in all_flips(len(moments.parts), len(t), draws, seed, progress):
        running = np.maximum.accumulate(moments.flipped_t(flips)[:, order], axis=1)
        beyond += (running >= least).sum(axis=0)
        largest.append(running[:, -1])
        made += len(flips)
    # Step-down (Westfall and Young 1993): each |t| is compared with the largest of those not above it, and a hypothesis
    # is never more significant than one with a larger |t|. The data as it is counts as one of the flips.
    adjusted = np.maximum.accumulate(((beyond + 1) / (made + 1))[::-1])[::-1]
    p = np.empty(len(t))
    p[order] = adjusted
    critical = critical_value(np.concatenate([*largest, np.empty(0)]), level)
    exact = _can_enumerate(len(moments.parts), draws)
    # Ten digits, as in `all_pairs`: the last ones depend on the order in which sums are added up.
    return _make_result(moments, t, p, float(f"{critical:.10g}"), level, made, exact)


def _make_result(moments: Moments, t: Floats, p: Floats, critical: float, level: float, made: int, exact: bool) -> MaxT:
    difference, half = moments.differences(), half_widths(moments, critical, level)
    how = f"exact over {made + 1} flips, up to sign" if exact else f"{made} flips"
    uncertain = np.zeros(len(t)) if exact else np.sqrt(p * (1 - p) / made)
    centre = np.where(moments.n > 0, difference, np.nan)
    return MaxT(
        difference=centre,
        t=t,
        p=p,
        error=uncertain,
        critical=critical,
        low=centre - half,
        high=centre + half,
        level=level,
        method=f"sign-flip max |t|, step-down, {how}",
    )


def expected_max_t_seconds(differences: ArrayLike, weights: ArrayLike | None = None, *, draws: int = DRAWS) -> float:
    """Return how long `max_t` will take here, in seconds, from a few flips of some queries made and timed."""
    d = np.asarray(differences)
    every = d.shape[1]
    moments = moments_of(d[:, :PILOT_QUERIES], None if weights is None else np.asarray(weights)[:PILOT_QUERIES])
    queries, hypotheses = moments.parts.shape
    rows = min(draws, PILOT, max(1, AT_ONCE // _width(queries, hypotheses)))
    rng = stream(0, "pilot")
    once = measure_seconds(lambda: np.maximum.accumulate(moments.flipped_t(draw_signs(rng, rows, queries)), axis=1))
    return float(once * draws / rows * every / min(every, PILOT_QUERIES))


def _can_enumerate(queries: int, draws: int) -> bool:
    # Reversing all signs leaves |t| as it is, so 2^(queries - 1) patterns are enough; 63 bits fit a signed number.
    return queries < 63 and 2 ** (queries - 1) - 1 <= draws


def all_flips(
    queries: int, hypotheses: int, draws: int, seed: int, progress: Progress | None = None
) -> Iterator[Signs]:
    """Yield (rows, Q) signs: all but the identity and, since |t| stays the same, without their reversals."""
    rng, width = stream(seed, "max_t"), _width(queries, hypotheses)
    if not _can_enumerate(queries, draws):
        yield from (draw_signs(rng, rows, queries) for rows in chunks(draws, width, progress, AT_ONCE))
        return
    first = 1
    for rows in chunks(2 ** (queries - 1) - 1, width, progress):
        yield sign_patterns(first, rows, queries)
        first += rows


def _width(queries: int, hypotheses: int) -> int:
    """Numbers that a flip takes: its signs, and its sums."""
    return max(-(-queries // 64), hypotheses)


# Moments: the sums that determine t under any flips of signs.


ROUNDING = 1e-9
"""A difference whose t equals the critical value is not significant: its interval contains 0."""


@dataclass(frozen=True, eq=False)
class Moments:
    """What determines t under any flips: flips change the sum of weighted differences, not that of their squares."""

    total: Floats  # (H,) sum of weighted differences
    mixed_total: Floats  # (H,) sum of weights times weighted differences; without weights that of the differences
    n: Ints  # (H,) queries paired
    mass: Floats  # (H,) sum of weights
    weight_squares: Floats  # (H,)
    squares: Floats  # (H,) sum of squared weighted differences

    def t_of(self, total: Floats, mixed: Floats) -> Floats:
        """(…, H) t of sums of weighted differences; 0 if nothing differs, ±∞ if all differ equally."""
        mean = total / self.mass
        residuals = self.squares - 2 * mean * mixed + mean**2 * self.weight_squares
        residuals = np.where(residuals <= EQUAL * self.squares, 0.0, residuals)
        scale = np.sqrt(residuals * self.n / np.maximum(self.n - 1, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = total / scale
        nothing = (np.abs(total) <= CLOSE * np.sqrt(self.n * self.squares)) | (self.n < 2)
        return np.where(nothing, 0.0, t)

    def observed_t(self) -> Floats:
        """(H,) t without flips."""
        return self.t_of(self.total, self.mixed_total)

    def differences(self) -> Floats:
        """(H,) Mean differences."""
        return np.asarray(self.total / self.mass)

    def standard_errors(self) -> Floats:
        """(H,) Standard error of each mean difference; NaN for one query, as in `Sample.error`."""
        mean = self.total / self.mass
        residuals = self.squares - 2 * mean * self.mixed_total + mean**2 * self.weight_squares
        residuals = np.where(residuals <= EQUAL * self.squares, 0.0, residuals)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.sqrt(residuals * self.n / (self.n - 1.0)) / self.mass


@dataclass(frozen=True, eq=False)
class FlippedMoments(Moments):
    """The same, with what is flipped."""

    parts: Floats  # (Q, H) weighted differences, 0 if a query is not paired
    mixed: Floats | None  # (Q, H) weight times weighted difference; None: all weights are 1

    def flipped_t(self, flips: Signs) -> Floats:
        """(rows, H) |t| under (rows, Q) signs."""
        total = signed_sums(flips, self.parts)
        return np.abs(self.t_of(total, total if self.mixed is None else signed_sums(flips, self.mixed)))


def half_widths(moments: Moments, critical: float, level: float) -> Floats:
    """(H,) Half the simultaneous intervals: the critical value, at least a single Student's t, times standard error.

    0 if nothing differs, infinite if there are too few queries to say.
    """
    errors = moments.standard_errors()
    finite = ~np.isnan(errors) & np.isfinite(critical)
    wide = np.maximum(critical * (1 + ROUNDING) if np.isfinite(critical) else 0.0, _single_student_t(moments, level))
    half = np.where(finite, _scale_errors(errors, wide), np.inf)
    return np.where(moments.squares + (moments.n < 2) == 0, 0.0, half)


def _scale_errors(errors: Floats, wide: Floats) -> Floats:
    """Return half widths: 0 if there is no spread."""
    return np.multiply(errors, wide, out=np.zeros(len(errors)), where=errors > 0)


def _single_student_t(moments: Moments, level: float) -> Floats:
    """(H,) Student's t of each hypothesis by itself.

    If few queries differ, sign flips give few values of t, and the interval would be narrower than that of a single
    t test.
    """
    from scipy.special import stdtrit

    degrees = moments.mass**2 / np.where(moments.weight_squares > 0, moments.weight_squares, 1.0) - 1
    t = stdtrit(np.maximum(degrees, LEAST_DEGREES), (1 + level) / 2)
    return np.where(degrees <= LEAST_DEGREES, np.inf, t)


def moments_of(differences: ArrayLike, weights: ArrayLike | None) -> FlippedMoments:
    """Check differences and weights, and compute the sums that determine t.

    Raises
    ------
    DataError
        As `max_t`.
    """
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 2 or not d.size:
        raise DataError(
            f"differences: numbers of shape {d.shape}. Give one row per hypothesis and one column per query."
        )
    if np.isinf(d).any():
        raise DataError("differences: one is infinite. Give finite numbers, or NaN if a query is not paired.")
    each = np.ones(d.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    each = usable_weights(each, d.shape[1])
    paired = ~np.isnan(d.T) & (each > 0)[:, None]
    used = paired.any(axis=1)  # a query that is never paired does not count
    if used.any():
        d, each, paired = d[:, used], each[used], paired[used]
    parts = np.where(paired, d.T, 0.0) * each[:, None]
    weighed = paired * each[:, None]
    mass = weighed.sum(axis=0)
    mixed, total = None if weights is None else parts * each[:, None], parts.sum(axis=0)
    return FlippedMoments(
        parts=parts,
        mixed=mixed,
        total=total,
        mixed_total=total if mixed is None else mixed.sum(axis=0),
        n=paired.sum(axis=0),
        mass=np.where(mass > 0, mass, 1.0),
        weight_squares=(weighed**2).sum(axis=0),
        squares=(parts**2).sum(axis=0),
    )
