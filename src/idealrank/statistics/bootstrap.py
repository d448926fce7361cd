"""The bootstrap: queries drawn with replacement, with their weights."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Floats
from idealrank.statistics.draws import CLOSE, chunks, simulation_error
from idealrank.statistics.sample import Sample


def resampled(columns: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return (draws, k) sums of (n, k) columns over n rows drawn with replacement."""
    n, contiguous = len(columns), np.ascontiguousarray(columns.T)
    drawn = (rng.integers(0, n, (rows, n)) for rows in chunks(draws, n))
    return np.concatenate([np.column_stack([column[rows].sum(axis=1) for column in contiguous]) for rows in drawn])


def bootstrap_means(sample: Sample, draws: int, rng: np.random.Generator) -> Floats:
    """Return the (draws,) means of queries drawn with replacement."""
    sums = resampled(np.column_stack([sample.weights * sample.values, sample.weights]), draws, rng)
    return np.asarray(sums[:, 0] / sums[:, 1])


def bootstrap_p(sample: Sample, rng: np.random.Generator, draws: int) -> tuple[float, float, str]:
    """Return p of the bootstrap t test, its error by simulation, and how it was computed."""
    w, y = sample.weights, sample.weights * (sample.values - sample.mean)
    mass, total, squares, mixed, parts = resampled(np.column_stack([w, y, y * y, w * y, w * w]), draws, rng).T
    mean = total / mass
    residuals = squares - 2 * mean * mixed + mean**2 * parts
    residuals = np.where(residuals <= CLOSE * squares, 0.0, residuals)
    # |t*| ≥ |t| without a division, since one query drawn n times has no spread
    least = abs(sample.t) * np.sqrt(residuals * sample.n / (sample.n - 1)) * (1 - CLOSE)
    p = (int(np.sum((np.abs(total) >= least) & (total != 0))) + 1) / (draws + 1)
    return p, simulation_error(p, draws), f"bootstrap t, {draws} draws"
