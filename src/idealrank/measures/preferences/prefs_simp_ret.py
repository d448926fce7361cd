"""prefs_simp_ret: the share of the preferences between returned documents that is fulfilled."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import RETURNED, simple
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Preferences fulfilled / preferences between returned documents, those of all judgment groups together.

    Of two documents the one of the higher grade is preferred, and the preference fulfilled where it stands
    first. Preferences with a document that was not returned do not count. A result without a judgment plays
    no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_simp_ret``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_simp_ret"])["prefs_simp_ret"], 4)
    0.6667
    """
    del cutoff
    return simple(lists, decisions, RETURNED)
