"""Linear ERR: expected reciprocal rank with a probability of stopping that is linear in the grade."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import RECIPROCAL, depth
from idealrank.measures.graded.err import cascade
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import shares


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum over ranks of 1/rank x s x the product of 1 - s before it; s is the grade as a share of `max_grade`.

    s is the probability that the reader is satisfied and stops; in ERR it is (2^g - 1) / 2^max_grade. With
    ``max_grade=1`` the grades are the probabilities. A grade below zero never satisfies, and no grade does if the
    highest grade is not above 0.

    Source: CatBoost 1.2 ``ERR``, where the targets are the probabilities; the reader is that of Chapelle, Metzler,
    Zhang and Grinspan, CIKM 2009.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([2, 0, 3, 4])
    >>> ir.evaluate(judgments, results, ["LinearERR@3"], max_grade=4)["LinearERR@3"]
    0.625
    """
    return cascade(lists, shares(lists), RECIPROCAL, depth(cutoff, decisions))
