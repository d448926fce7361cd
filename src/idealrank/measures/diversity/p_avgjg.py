"""P_avgjg: precision over judgment groups."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import groups, precision_of_each
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the judgment groups of the precision under the judgments of each: relevant ones / (k x groups).

    Without a cutoff, k is the number of results. A group is a subtopic or a user. Groups without a
    relevant document count 0; the query is 0/0 if no group has one.

    Source: trec_eval 10.0 ``-R qrels_jg``, ``P_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 3, "subtopic": ["ann", "bo", "bo"], "doc": ["A", "A", "B"], "grade": [1, 0, 1]}
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> ir.evaluate(rows, run, ["P_avgjg@2"])["P_avgjg@2"]
    0.5
    """
    return precision_of_each(lists, decisions, cutoff, "groups", groups(lists, decisions))
