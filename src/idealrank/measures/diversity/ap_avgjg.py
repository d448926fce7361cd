"""AP_avgjg: average precision over judgment groups."""

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import groups, novelty, precision_at_each
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean over the judgment groups of the average precision under the judgments of each.

    A group is a subtopic or a user. Groups without a relevant document count 0; the query is 0/0 if no
    group has one.

    Source: trec_eval 10.0 ``-R qrels_jg``, ``map_avgjg``.

    Examples
    --------
    >>> import idealrank as ir
    >>> rows = {"query": ["q"] * 3, "subtopic": ["ann", "bo", "bo"], "doc": ["A", "A", "B"], "grade": [1, 0, 1]}
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> ir.evaluate(rows, run, ["AP_avgjg"])["AP_avgjg"]
    0.75
    """
    columns = {"groups": novelty(lists, decisions, 0.0)}
    return Steps(lists, columns, precision_at_each(lists, decisions), groups(lists, decisions))
