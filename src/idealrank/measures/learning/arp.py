"""ARP: average relevance position."""

import numpy as np

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import gains
from idealrank.measures.steps import Steps


def steps(lists: JudgedLists, decisions: Decisions) -> Steps:
    """Mean rank of the results, weighted by gain: sum of gain x rank / sum of gain.

    Gains below zero count as 0. Documents that were not returned have no rank and do not count.

    Source: TensorFlow Ranking ``ARPMetric``; Wang, Li, Golbandi, Bendersky and Najork, CIKM 2018.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 0, 1])
    >>> ir.evaluate(judgments, results, ["ARP"])["ARP"]
    1.5
    """
    gain = np.maximum(gains(lists.grade, decisions), 0.0)
    place = lists.weights(lambda rank: rank)
    return Steps(lists, {"gain": gain, "place": place}, gain * place, lists.per_query(gain))
