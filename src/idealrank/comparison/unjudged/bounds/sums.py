"""Sums: CG, DCG, P, RBP, and nDCG against the top of the scale; what they are divided by does not move."""

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.comparison.unjudged.documents import FillingScale, SystemUnjudged

EXACT = (
    "exact: a sum in which every hole has a weight of its own, so each takes the end of the scale that serves its sign"
)


def max_difference(
    filling: FillingScale, plus: SystemUnjudged | None, minus: SystemUnjudged | None
) -> tuple[Floats, Mask]:
    """(Q,) greatest value of one side less the other's (None: 0), and whether it is exact: it is.

    Source: the bounds of Moffat and Zobel, TOIS 27(1), 2008 (RBP's residual), for a difference.
    """
    weight = _weights_in_value(filling, plus) - _weights_in_value(filling, minus)
    low, high = float(filling.worth.min()), float(filling.worth.max())
    more = np.bincount(filling.docs.query, weights=np.maximum(weight * low, weight * high), minlength=filling.size)
    return filling.now(plus) - filling.now(minus) + more, np.ones(filling.size, np.bool_)


def unjudged_weights(side: SystemUnjudged) -> Floats:
    """(N,) what one unit of a hole's worth adds to the sum of a side."""
    columns = side.steps.columns
    name = "discount" if "discount" in columns else "counts"
    return side.kept.once(name, lambda: side.of_unjudged(columns[name]))


def _weights_in_value(filling: FillingScale, side: SystemUnjudged | None) -> Floats:
    if side is None:
        return np.zeros(filling.docs.size)
    divisor = side.steps.normaliser
    each = np.where(divisor > 0, 1.0 / np.where(divisor > 0, divisor, 1.0), 0.0)
    shares: Floats = unjudged_weights(side) * each[filling.docs.query]
    return shares
