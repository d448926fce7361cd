"""GradedRBP: rank-biased precision of grades."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.steps import Steps, ones
from idealrank.measures.user_models.reader import Reading, patient, shares


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """(1 - p) x sum of p^(rank - 1) x worth, the grade as a share of `max_grade`; p is the probability of reading on.

    Worth is 0 for a grade below zero, and if `max_grade` is not above 0.

    Source: Moffat and Zobel, TOIS 27(1), 2008; cwl_eval 1.0.12 ``RBP`` with gains from 0 to 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> ir.evaluate(judgments, results, ["GradedRBP(p=0.5)"])["GradedRBP(p=0.5)"]
    0.375
    """
    worth = shares(lists)
    counts = lists.weights(lambda rank: (1.0 - p) * p ** (rank - 1.0), depth(cutoff, decisions))
    return Steps(lists, {"worth": worth, "discount": counts}, worth * counts, ones(lists))


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Reading:
    """What this reader reads."""
    return patient(lists, shares(lists), p, depth(cutoff, decisions))
