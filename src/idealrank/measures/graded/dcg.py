"""DCG: discounted cumulative gain."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, discounted
from idealrank.measures.steps import Steps, ones


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain(grade) x discount(rank) over the first k results.

    Under ``ties=average``, a tied result takes the mean discount of its span, which is exact
    because the sum is additive.

    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; trec_eval 10.0 ``dcg``; ties: McSherry
    and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    >>> ir.evaluate(judgments, results, ["DCG@6"])["DCG@6"]
    6.861126688593502
    """
    dcg = discounted(lists, decisions, depth(cutoff, decisions))
    columns = {"gain": dcg.gain, "discount": dcg.counts}
    return Steps(lists, columns, dcg.share, ones(lists), totals=dcg.totals)
