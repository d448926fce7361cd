"""The randomisation test of one list of differences: over all sign flips, or over drawn ones."""

from __future__ import annotations

import numpy as np

from idealrank.arrays import Floats
from idealrank.statistics.draws import CLOSE, chunks, signs, simulation_error
from idealrank.statistics.sample import Sample

MOST_EXACT = 32
"""Most queries that differ for which all flips are counted: 2³², by two halves of 2¹⁶ sums."""


def randomisation_p(sample: Sample, rng: np.random.Generator, draws: int) -> tuple[float, float, str]:
    """Return p, its error by simulation, and how it was computed."""
    sizes = np.sort(np.abs(sample.values * sample.weights))
    sizes = sizes[sizes > 0]
    least = abs(sample.mean) * sample.mass - CLOSE * float(sizes.sum())
    if least <= 0:
        return 1.0, 0.0, "randomisation, exact: no mean is nearer to 0"
    if len(sizes) <= MOST_EXACT:
        return _share_of_all(sizes, least), 0.0, f"randomisation, exact over 2^{len(sizes)} flips"
    flipped = (signs(rng, rows, len(sizes)) @ sizes for rows in chunks(draws, len(sizes)))
    beyond = sum(int(np.sum(np.abs(sums) >= least)) for sums in flipped)
    p = (beyond + 1) / (draws + 1)
    return p, simulation_error(p, draws), f"randomisation, {draws} flips"


def _share_of_all(sizes: Floats, least: float) -> float:
    """Share of all signs for which the sum is at least this far from 0; as many are below as above."""
    left, right = _signed_sums(sizes[::2]), np.sort(_signed_sums(sizes[1::2]))
    above = int(np.sum(len(right) - np.searchsorted(right, least - left)))
    return above / 2.0 ** (len(sizes) - 1)


def _signed_sums(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return sums
