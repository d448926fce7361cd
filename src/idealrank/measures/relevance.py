"""Which hits are relevant, not relevant, and judged: 1 or 0 for each, to be weighted and added up."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists


def relevance(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(H,) 1 if the grade reaches `relevant_from`."""
    return lists.relevant(decisions.relevant_from).astype(np.float64)


def irrelevance(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(H,) 1 if there is a grade, but it does not reach `relevant_from`."""
    return (~np.isnan(lists.grade) & ~lists.relevant(decisions.relevant_from)).astype(np.float64)


def judgedness(lists: JudgedLists) -> Floats:
    """(H,) 1 if there is a grade."""
    return (~np.isnan(lists.grade)).astype(np.float64)


def total_relevant(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(Q,) the number R of judged documents whose grade reaches `relevant_from`."""
    return lists.judged_relevant(decisions.relevant_from)


def total_irrelevant(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(Q,) the number of judged documents whose grade does not reach `relevant_from`."""
    return np.diff(lists.pool_start) - total_relevant(lists, decisions)
