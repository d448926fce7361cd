"""The best possible DCG at a depth, from the grade scale without judgments (`measures.ideal` has the lists)."""

from __future__ import annotations

import math

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.errors import UsageError, refuse_cutoff
from idealrank.measures import gains as worth_of


def ideal_dcg(k: int, max_grade: float, gain: object = "linear", discount: str = "log2") -> float:
    """Return the DCG of k documents of the highest grade: the best possible at this depth.

    Parameters
    ----------
    k
        The depth, from 1 up.
    max_grade
        The highest grade on the scale.
    gain, discount
        Answers to these decisions.

    Raises
    ------
    UsageError
        If k is not a whole number from 1 up, or an answer is unknown.

    Examples
    --------
    >>> round(ideal_dcg(k=4, max_grade=3, gain="exp2"), 2)
    17.93
    """
    refuse_cutoff(k)
    if not math.isfinite(max_grade):
        raise UsageError(f"max_grade={max_grade}: the highest grade must be a finite number.")
    decisions = Decisions().but(gain=gain, discount=discount)
    worth = float(worth_of.gains(np.array([float(max_grade)]), decisions)[0])
    return worth * float(np.sum(_weigh(decisions, k)))


def _weigh(decisions: Decisions, k: int) -> Floats:
    return worth_of.discount(decisions)(np.arange(1.0, k + 1))
