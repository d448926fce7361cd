"""prefs_num_prefs_ful_ret: how many preferences between returned documents the results fulfil."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import RETURNED, counted
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Number of preferences between returned documents that are fulfilled; the line for all queries is the sum.

    Of two documents a group prefers the one of the higher grade, and the preference is fulfilled where that
    stands first. A result without a judgment plays no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_num_prefs_ful_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_num_prefs_ful_ret"])["prefs_num_prefs_ful_ret"], 4)
    2.0
    """
    del cutoff
    return counted(lists, decisions, RETURNED)
