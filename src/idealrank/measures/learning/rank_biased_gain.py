"""RankBiasedGain: the weighted mean gain of the results, with later ranks counting exponentially less."""

import math

from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.gains import depth, gains
from idealrank.measures.steps import Steps, same


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None, p: float) -> Steps:
    """Sum of p^(rank - 1) x gain(grade) over the first k results, divided by the sum of p^(rank - 1) over all k places.

    Without a cutoff there are infinitely many places, which gives (1 - p) x the sum: RBP with gains instead of
    relevance.

    Source: Azure AI Evaluation 1.18 ``xdcg@3``, with gains of 25 per grade; ranx 0.3.21 ``rbp``.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([1, 0, 2])
    >>> ir.evaluate(judgments, results, ["RankBiasedGain(p=0.5)"])["RankBiasedGain(p=0.5)"]
    0.75
    """
    gain = gains(lists.grade, decisions)
    counts = lists.weights(lambda rank: p ** (rank - 1.0), depth(cutoff, decisions))
    places = 1.0 if cutoff is None else -math.expm1(cutoff * math.log(p))
    return Steps(lists, {"gain": gain, "discount": counts}, gain * counts, same(lists, places / (1.0 - p)))
