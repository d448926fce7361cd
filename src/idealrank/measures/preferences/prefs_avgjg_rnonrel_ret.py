"""prefs_avgjg_Rnonrel_ret: prefs_avgjg_ret with as many documents that are not relevant as are."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import balanced
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """prefs_avgjg_ret, each group with as many documents that are not relevant as relevant ones.

    Relevant is here what has a grade above 0, and 0/0 is a query of which a group has no preference left.
    Where a group has more other documents, only as many count, the first ones; the lowest grade is then
    compared with itself, too, as in trec_eval. Where it has fewer, documents that were not returned are
    added, each worse than every relevant one.

    Preferences with a document that was not returned do not count. A result without a judgment plays no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg_Rnonrel_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg_Rnonrel_ret"])["prefs_avgjg_Rnonrel_ret"], 4)
    0.5714
    """
    del cutoff
    return balanced(lists, decisions, only_returned=True)
