"""P: precision."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.errors import UsageError, option, unsaid
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import taken
from idealrank.measures.relevance import judgedness, relevance
from idealrank.measures.steps import Steps, same


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Relevant results among the first k, divided by k; without a cutoff, by the number returned.

    The decision `short_list` sets the divisor for a list shorter than k.

    Source: trec_eval 9.0.8 ``P``, ``set_P``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    >>> ir.evaluate(judgments, results, ["P@5"])["P@5"]
    0.8
    """
    relevant = relevance(lists, decisions)
    counts = taken(lists, cutoff, decisions)
    divisor = per_place(lists, decisions, cutoff)
    return Steps(lists, {"relevant": relevant, "counts": counts}, relevant * counts, divisor)


def per_place(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Floats:
    """(Q,) the divisor of a share of the first k results, as `short_list` says."""
    returned = lists.returned.astype(np.float64)
    if decisions.short_list == "judged":
        if lists.ranks == "averaged":
            raise UsageError(
                "ties=average with short_list=judged: the divisor depends on the order, and the average over all "
                f"orders is not computed for this answer. Use {option('ties', 'docid_desc')}, or another short_list."
            )
        judged = judgedness(lists)
        return lists.per_query(judged * taken(lists, cutoff, decisions))
    if decisions.short_list not in ("k", "returned"):
        raise unsaid("short_list", decisions.short_list, __name__)
    if cutoff is None:
        return returned
    return same(lists, cutoff) if decisions.short_list == "k" else np.minimum(returned, cutoff)
