"""prefs_num_prefs_poss: how many preferences the judgments hold."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import held
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number of preferences: pairs of documents of different grades in a judgment group; for all queries the sum.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_num_prefs_poss``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_num_prefs_poss"])["prefs_num_prefs_poss"], 4)
    8.0
    """
    del cutoff
    return held(lists, decisions)
