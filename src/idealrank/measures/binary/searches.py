"""How many searches it takes to find what is relevant, where a query is searched for several times.

A query that has one list took one search. Ranks do not count, only which search returned a document first.
"""

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.relevance import relevance, total_relevant
from idealrank.measures.steps import Steps, unsplit


def to_first(lists: JudgedLists, decisions: Decisions, most: float) -> Steps:
    """Number of searches until the first relevant document; most + 1 if none of the first `most` returned one.

    Lower is better. A query without results counts most + 1, too, and so does one for which nothing is relevant.

    Source: defined here, for agents whose second search finds what the first did not (elastic/kibana#290921).

    Examples
    --------
    >>> import idealrank as ir
    >>> results = {"query": ["t", "t"], "step": [1, 2], "doc": ["d4", "d1"], "rank": [1, 1]}
    >>> ir.evaluate({"t": {"d1": 1}}, results, ["StepsToFirst"], steps="union")["StepsToFirst"]
    2.0
    """
    relevant = relevance(lists, decisions)
    return _until(lists, relevant, relevant > 0, most)


def to_all(lists: JudgedLists, decisions: Decisions, most: float) -> Steps:
    """Number of searches until all relevant documents; most + 1 if one is missing after the first `most`.

    Lower is better. A query without results counts most + 1, too, and so does one for which nothing is relevant.

    Source: defined here, for agents whose second search finds what the first did not (elastic/kibana#290921).

    Examples
    --------
    >>> import idealrank as ir
    >>> results = {"query": ["t", "t"], "step": [1, 2], "doc": ["d2", "d1"], "rank": [1, 1]}
    >>> ir.evaluate({"t": {"d1": 1, "d2": 1}}, results, ["StepsToAll"], steps="union")["StepsToAll"]
    2.0
    """
    relevant = relevance(lists, decisions)
    needed = total_relevant(lists, decisions)
    complete = (lists.running(relevant) >= needed[lists.query]) & (needed > 0)[lists.query]
    return _until(lists, relevant, complete, most)


def _until(lists: JudgedLists, relevant: Floats, reached: Mask, most: float) -> Steps:
    """The steps of a measure that counts the searches up to the first hit at which something is reached."""
    searches = np.full(lists.size, np.inf)
    np.minimum.at(searches, lists.query[reached], lists.search[reached])
    score = np.where(searches <= most, searches, most + 1)
    columns = {"relevant": relevant, "search": lists.search.astype(np.float64)}
    return unsplit(lists, columns, score, "it is the number of a search, or one more than the most that count")
