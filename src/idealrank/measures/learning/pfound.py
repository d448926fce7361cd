"""PFound: the chance that the reader finds what he looks for."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.graded.err import cascade
from idealrank.measures.steps import Steps
from idealrank.measures.user_models.reader import shares


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, decay: float) -> Steps:
    """Sum over ranks of decay^(rank - 1) x the chance that the reader gets there unsatisfied and is satisfied there.

    A result satisfies with the chance that its grade, as a share of `max_grade`, is; the reader goes on
    from the others with chance `decay`. A grade below zero satisfies never, and no grade does where the top
    of the scale is not above 0.

    Source: Yandex, ROMIP 2009; CatBoost 1.2 ``PFound``, where the targets are the chances.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> round(ir.evaluate(judgments, results, ["PFound"])["PFound"], 5)
    0.86125
    """
    return cascade(lists, shares(lists), lambda rank: decay ** (rank - 1.0), depth(cutoff, decisions))
