"""Sums: CG, DCG, P, RBP, and nDCG against the top of the scale; what they are divided by does not move."""

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.unjudged.documents import FillingScale, SystemHoles

EXACT = (
    "exact: a sum in which every hole has a weight of its own, so each takes the end of the scale that serves its sign"
)


def max_difference(world: FillingScale, plus: SystemHoles | None, minus: SystemHoles | None) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact: it is.

    Source: the bounds of Moffat and Zobel, TOIS 27(1), 2008 (RBP's residual), for a difference.
    """
    weight = _shares(world, plus) - _shares(world, minus)
    low, high = float(world.worth.min()), float(world.worth.max())
    more = np.bincount(world.unknown.query, weights=np.maximum(weight * low, weight * high), minlength=world.size)
    return world.now(plus) - world.now(minus) + more, np.ones(world.size, np.bool_)


def weights(side: SystemHoles) -> Floats:
    """(N,) what one unit of a hole's worth adds to the sum of a side."""
    columns = side.steps.columns
    return side.of_holes(columns["discount"] if "discount" in columns else columns["counts"])


def _shares(world: FillingScale, side: SystemHoles | None) -> Floats:
    if side is None:
        return np.zeros(world.unknown.size)
    divisor = side.steps.normaliser
    each = np.where(divisor > 0, 1.0 / np.where(divisor > 0, divisor, 1.0), 0.0)
    shares: Floats = weights(side) * each[world.unknown.query]
    return shares
