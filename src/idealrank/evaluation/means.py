"""The mean of the values of queries, or another average: the decisions of the mean stage."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from idealrank.arrays import EQUAL, Floats, exact_sum, scaled
from idealrank.decisions.decisions import Decisions
from idealrank.errors import unsaid
from idealrank.measures.steps import apply_rounding

LOWEST_IN_LOG = 0.00001
"""Values below it are raised to it before the logarithm (trec_eval's MIN_GEO_MEAN)."""


def average(
    values: Floats, decisions: Decisions, total: str, weights: Floats | None = None, unjudged: int = 0
) -> float:
    """Average (or sum) the values of queries; NaN marks a query left out.

    Sums are exactly rounded, so the order of the queries does not matter.

    Parameters
    ----------
    values
        (Q,) value of each query.
    total
        ``mean`` or ``sum``.
    weights
        (Q + unjudged,) how much each counts; None: all alike.
    unjudged
        So many queries nobody judged count 0.

    Returns
    -------
    The number, rounded if the decisions say so; NaN if no query is left.
    """
    values = np.concatenate((values, np.zeros(unjudged))) if unjudged else values
    kept = ~np.isnan(values)
    chosen = values[kept]
    if total == "sum":
        return exact_sum(chosen)
    if not len(chosen):
        return math.nan
    # Scaled, so that the sum of huge weights does not overflow.
    mass = None if weights is None else scaled(weights[kept])
    number = _average(chosen, mass, decisions.average)
    return float(apply_rounding(np.array([number]), decisions.rounding, "mean")[0])


def counts_unjudged(decisions: Decisions) -> bool:
    """Whether queries nobody judged enter the mean as 0: `no_judgments`."""
    if decisions.no_judgments not in ("0", "skip"):
        raise unsaid("no_judgments", decisions.no_judgments, __name__)
    return decisions.no_judgments == "0"


class AverageFormula(NamedTuple):
    """A generalised mean: ``back(mean of of(values))``.

    Attributes
    ----------
    of
        Maps values to what is summed.
    zero, one
        What it makes of 0 and of 1.
    back
        Maps the mean of that back to a value.
    """

    of: Callable[[Floats], Floats]
    zero: float
    one: float
    back: Callable[[float], float]


AVERAGES = {
    "arithmetic": AverageFormula(lambda values: values, 0.0, 1.0, float),
    "geometric": AverageFormula(
        lambda values: np.log(np.maximum(values, LOWEST_IN_LOG)), math.log(LOWEST_IN_LOG), 0.0, math.exp
    ),
}
"""The averages that follow from a sum; the median does not."""


def _average(values: Floats, weights: Floats | None, average: str) -> float:
    if average == "median":
        return _median(values, weights)
    if average not in AVERAGES:
        raise unsaid("average", average, __name__)
    shape = AVERAGES[average]
    summed = shape.of(values)
    if weights is None:
        return shape.back(exact_sum(summed) / len(summed))
    mass = exact_sum(weights)
    return shape.back(exact_sum(summed * weights) / mass) if mass else math.nan


def _median(values: Floats, weights: Floats | None) -> float:
    """Middle value; weighted: the one at which half the weight is reached, between two their mean."""
    if weights is None:
        return float(np.median(values))
    order = [i for i in np.argsort(values, kind="stable") if weights[i] > 0]
    if not order:
        return math.nan
    mass = np.cumsum([weights[i] for i in order])
    half = mass[-1] / 2
    # Within EQUAL of one half counts as half: sums of weights such as 0.1 + 0.2 miss it by a rounding error.
    place = int(np.searchsorted(mass, half * (1 - EQUAL)))
    following = place + 1 if mass[place] <= half * (1 + EQUAL) else place
    return float(values[order[place]] + values[order[following]]) / 2
