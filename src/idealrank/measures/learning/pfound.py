"""PFound: the probability that the reader finds what he is looking for."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.graded.err import cascade
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import shares


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, decay: float) -> Steps:
    """Sum over ranks of decay^(rank - 1) x the probability that all results before fail to satisfy and this one does.

    A result satisfies with a probability equal to its grade as a share of `max_grade`; the reader continues
    after any other with probability `decay`. A grade below zero never satisfies, and no grade does if the
    highest grade is not above 0.

    Source: Yandex, ROMIP 2009; CatBoost 1.2 ``PFound``, where the targets are the probabilities.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["PFound"])["PFound"], 5)
    0.86125
    """
    return cascade(lists, shares(lists), lambda rank: decay ** (rank - 1.0), depth(cutoff, decisions))
