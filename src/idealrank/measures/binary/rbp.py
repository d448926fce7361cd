"""RBP: rank-biased precision."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth
from idealrank.measures.relevance import relevance
from idealrank.measures.steps import Steps, ones
from idealrank.measures.user_models.reader import Reading, patient


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """(1 - p) x sum of p^(rank - 1) over the relevant results; p is the probability of reading on.

    Source: Moffat and Zobel, TOIS 27(1), 2008; ir_measures 0.4 ``RBP(p=0.8)``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["RBP(p=0.5)"])["RBP(p=0.5)"], 6)
    0.625
    """
    relevant = relevance(lists, decisions)
    counts = lists.weights(lambda rank: (1.0 - p) * p ** (rank - 1.0), depth(cutoff, decisions))
    return Steps(lists, {"relevant": relevant, "discount": counts}, relevant * counts, ones(lists))


def reading(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Reading:
    """What this reader reads."""
    relevant = relevance(lists, decisions)
    return patient(lists, relevant, p, depth(cutoff, decisions))
