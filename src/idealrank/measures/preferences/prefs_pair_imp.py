"""prefs_pair_imp: preferences with a returned document, averaged over the pairs of documents."""

from __future__ import annotations

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.preferences.fulfilment import IMPLIED, paired
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Mean over the pairs of documents with a returned one of preferences fulfilled / preferences between the two.

    Pairs of which no group prefers one do not count. Of two documents a group prefers the one of the higher
    grade. A returned document stands before one that was not; preferences between two that were not do not
    count. A result without a judgment plays no part.

    A judgment group is a subtopic, or a user, where the judgments name any; else the query is one group.
    Preferences by subgroups (trec_eval ``-R prefs``) are not read. Its promises hold of one group: where
    several contradict each other, no order fulfils all.

    Source: trec_eval 9.0.8 ``-R qrels_prefs``, ``prefs_pair_imp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> users, grades = ["ann"] * 4 + ["bo"] * 2, [2, 1, 0, 1, 0, 1]
    >>> judgments = {"query": ["q"] * 6, "subtopic": users, "doc": [*"ABCDAB"], "grade": grades}
    >>> results = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(ir.evaluate(judgments, results, ["prefs_pair_imp"])["prefs_pair_imp"], 4)
    0.875
    """
    del cutoff
    return paired(lists, decisions, IMPLIED)
