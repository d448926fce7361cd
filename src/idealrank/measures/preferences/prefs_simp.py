"""prefs_simp: the share of the preferences that is fulfilled."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import ALL, simple
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Preferences fulfilled / preferences, those of all judgment groups together.

    Of two documents the one of the higher grade is preferred, and the preference fulfilled where it stands
    first. A returned document stands before one that was not; of two that were not, the preference is not
    fulfilled. A result without a judgment plays no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_simp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> grades = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1}
    >>> judgments, results = ir.from_ranking(["A", "C", "B"], grades)
    >>> round(ir.evaluate(judgments, results, ["prefs_simp"])["prefs_simp"], 4)
    0.375
    """
    del cutoff
    return simple(lists, decisions, ALL)
