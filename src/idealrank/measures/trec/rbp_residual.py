"""RBPResidual: how much unjudged results and ranks not returned could add to RBP."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import judgedness
from idealrank.measures.steps import Steps, unsplit


def steps(lists: JudgedLists, decisions: Decisions, p: float) -> Steps:
    """p^n + (1 - p) x sum of p^(rank - 1) over the unjudged among n results.

    Once everything is judged, RBP is between its value now and that value plus this.

    Source: Moffat and Zobel, TOIS 27(1), 2008; trec_eval 10.0 ``rbp_resid`` (0 there where all results are judged).

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x"], {"d1": 1})
    >>> ir.evaluate(judgments, results, ["RBPResidual(p=0.5)"])["RBPResidual(p=0.5)"]
    0.5
    """
    del decisions
    judged = judgedness(lists)
    counts = lists.weights(lambda rank: (1.0 - p) * p ** (rank - 1.0))
    score = 1.0 - lists.per_query(judged * counts)
    return unsplit(lists, {"judged": judged, "discount": counts}, score, "it is 1 minus the judged results' weight")
