"""prefs_pair_ret: the share of preferences between returned documents fulfilled, averaged over the pairs of documents."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.lists import JudgedLists
from idealrank.measures.fulfilment import RETURNED, paired
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the pairs of documents returned of groups that prefer them as they stand / groups that prefer one.

    Pairs of which no group prefers one do not count. Of two documents a group prefers the one of the higher
    grade. Preferences with a document that was not returned do not count. A result without a judgment plays
    no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_pair_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> ann, bo = {"A": 2, "B": 1, "C": 0, "D": 1}, {"A": 0, "B": 1}
    >>> judged = [("q", user, doc, grade) for user, grades in (("ann", ann), ("bo", bo)) for doc, grade in grades.items()]
    >>> judgments = dict(zip(("query", "subtopic", "doc", "grade"), zip(*judged)))
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_pair_ret"])["prefs_pair_ret"], 4)
    0.5
    """
    del cutoff
    return paired(lists, decisions, RETURNED)
