"""Moments: the sums of differences that determine t under any flips of signs, and the intervals they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import SAME, Floats, Ints
from idealrank.errors import DataError
from idealrank.statistics.draws import CLOSE
from idealrank.statistics.sample import LEAST_DEGREES, usable_weights

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ROUNDING = 1e-9
"""A difference whose t equals the critical value is not significant: its interval contains 0."""


@dataclass(frozen=True, eq=False)
class Moments:
    """What determines t under any flips: flips change the sum of weighted differences, not that of their squares."""

    parts: Floats  # (Q, H) weighted differences, 0 if a query is not paired
    mixed: Floats | None  # (Q, H) weight times weighted difference; None: all weights are 1
    n: Ints  # (H,) queries paired
    mass: Floats  # (H,) sum of weights
    weight_squares: Floats  # (H,)
    squares: Floats  # (H,) sum of squared weighted differences

    def t_of(self, total: Floats, mixed: Floats) -> Floats:
        """(…, H) t of sums of weighted differences; 0 if nothing differs, ±∞ if all differ equally."""
        mean = total / self.mass
        residuals = self.squares - 2 * mean * mixed + mean**2 * self.weight_squares
        residuals = np.where(residuals <= SAME * self.squares, 0.0, residuals)
        scale = np.sqrt(residuals * self.n / np.maximum(self.n - 1, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = total / scale
        nothing = (np.abs(total) <= CLOSE * np.sqrt(self.n * self.squares)) | (self.n < 2)
        return np.where(nothing, 0.0, t)

    def observed(self) -> Floats:
        """(H,) t without flips."""
        total = self.parts.sum(axis=0)
        return self.t_of(total, total if self.mixed is None else self.mixed.sum(axis=0))

    def flipped(self, flips: Floats) -> Floats:
        """(rows, H) |t| under (rows, Q) signs."""
        total = flips @ self.parts
        return np.abs(self.t_of(total, total if self.mixed is None else flips @ self.mixed))

    def differences(self) -> Floats:
        """(H,) Mean differences."""
        return np.asarray(self.parts.sum(axis=0) / self.mass)

    def standard_errors(self) -> Floats:
        """(H,) Standard error of each mean difference; NaN for one query, as in `Sample.error`."""
        mean = self.parts.sum(axis=0) / self.mass
        mixed = self.parts if self.mixed is None else self.mixed
        residuals = self.squares - 2 * mean * mixed.sum(axis=0) + mean**2 * self.weight_squares
        residuals = np.where(residuals <= SAME * self.squares, 0.0, residuals)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.sqrt(residuals * self.n / (self.n - 1.0)) / self.mass


def half_widths(moments: Moments, critical: float, level: float) -> Floats:
    """(H,) Half the simultaneous intervals: the critical value, at least a single Student's t, times standard error.

    0 if nothing differs, infinite if there are too few queries to say.
    """
    errors = moments.standard_errors()
    finite = ~np.isnan(errors) & np.isfinite(critical)
    wide = np.maximum(critical * (1 + ROUNDING) if np.isfinite(critical) else 0.0, _alone(moments, level))
    half = np.where(finite, _times(errors, wide), np.inf)
    return np.where(moments.squares + (moments.n < 2) == 0, 0.0, half)


def _times(errors: Floats, wide: Floats) -> Floats:
    """Return half widths: 0 if there is no spread."""
    return np.multiply(errors, wide, out=np.zeros(len(errors)), where=errors > 0)


def _alone(moments: Moments, level: float) -> Floats:
    """(H,) Student's t of each hypothesis by itself.

    If few queries differ, sign flips give few values of t, and the interval would be narrower than that of a single
    t test.
    """
    from scipy.special import stdtrit

    degrees = moments.mass**2 / np.where(moments.weight_squares > 0, moments.weight_squares, 1.0) - 1
    t = stdtrit(np.maximum(degrees, LEAST_DEGREES), (1 + level) / 2)
    return np.where(degrees <= LEAST_DEGREES, np.inf, t)


def moments_of(differences: ArrayLike, weights: ArrayLike | None) -> Moments:
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
    return Moments(
        parts=parts,
        mixed=None if weights is None else parts * each[:, None],
        n=paired.sum(axis=0),
        mass=np.where(mass > 0, mass, 1.0),
        weight_squares=(weighed**2).sum(axis=0),
        squares=(parts**2).sum(axis=0),
    )
