"""yaap: a logarithm of average precision that tells hard queries apart."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps, unsplit


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """ln((1 + s) / (1 + R - s)), where s is the sum of the precisions at the relevant results.

    Under a number for `unjudged`, more than R results may be relevant; s is then R at most.

    Source: Robertson, SIGIR 2006 workshop; trec_eval 9.0.8 ``yaap``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1"], {"d1": 1})
    >>> round(ir.evaluate(judgments, results, ["yaap"])["yaap"], 4)
    0.6931
    """
    relevant = relevance(lists, decisions)
    precision = relevant * (lists.before(relevant) + 1.0) / lists.rank
    total = total_relevant(lists, decisions)
    precisions = np.minimum(lists.per_query(precision), total)
    score = np.log((1.0 + precisions) / (1.0 + total - precisions))
    columns = {"relevant": relevant, "precision": precision}
    return unsplit(lists, columns, score, "it is the logarithm of a quotient of sums")
