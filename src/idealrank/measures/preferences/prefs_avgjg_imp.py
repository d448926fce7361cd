"""prefs_avgjg_imp: preferences with a returned document, averaged over the judgment groups."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import IMPLIED, averaged
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the judgment groups of preferences fulfilled / preferences with a returned document.

    A group without a preference counts 0; 0/0 where no group has one. Of two documents a group prefers the
    one of the higher grade. A returned document stands before one that was not; preferences between two that
    were not do not count. A result without a judgment plays no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_avgjg_imp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_avgjg_imp"])["prefs_avgjg_imp"], 4)
    0.5
    """
    del cutoff
    return averaged(lists, decisions, IMPLIED)
