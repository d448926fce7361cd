"""AllRecall: whether nothing relevant is missing."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """1 if all R relevant documents are among the first k results, else 0; the relevant results share the 1.

    It is 1 exactly where R@k is 1, as for questions that need every one of several documents. 0/0 if no document is
    relevant; unjudged results that a number for `unjudged` makes relevant count as found.

    Source: all-recall, AR@k, of Gutiérrez, Shu, Gu, Yasunaga and Su (HippoRAG), NeurIPS 2024.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "d4", "d2"], {"d1": 2, "d2": 1})
    >>> ir.evaluate(judgments, results, ["AllRecall@2,3"]).values[0, :, 0].tolist()
    [0.0, 1.0]
    """
    relevant = relevance(lists, decisions)
    hits = relevant * taken(lists, cutoff, decisions)
    needed, found = total_relevant(lists, decisions), lists.per_query(hits)
    complete = np.where(found >= needed, 1.0, 0.0)[lists.query]
    divisor = np.where(needed > 0, np.maximum(found, needed), 0.0)
    return Steps(lists, {"relevant": relevant, "complete": complete}, hits * complete, divisor)
