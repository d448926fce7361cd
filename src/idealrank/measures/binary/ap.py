"""AP: average precision."""

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.binary.recall import relevant_divisor
from idealrank.measures.gains import depth, taken
from idealrank.measures.relevance import relevance
from idealrank.measures.steps import Steps
from idealrank.measures.tie_spans import Span, spans


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of the precision at each relevant result within the first k, divided by R.

    The decision `ap_denominator` offers other divisors. 0/0 if no document is relevant, or, under ``hits``, if
    none is found; unjudged results that a number for `unjudged` makes relevant count as found.
    Under ``ties=average``: in a span of n results, r of them relevant, with s relevant results before it,
    place j is relevant with probability r/n; on average (j-1)(r-1)/(n-1) others then come before it.

    Source: trec_eval 9.0.8 ``map``, ``map_cut``; ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_ranking(["d1", "x", "d2"], {"d1": 1, "d2": 1})
    >>> round(ir.evaluate(judgments, results, ["AP"])["AP"], 6)
    0.833333
    """
    relevant = relevance(lists, decisions)
    limit = depth(cutoff, decisions)
    counts = taken(lists, cutoff, decisions)
    before = lists.before(relevant)
    precision = (before + 1.0) / lists.rank
    contribution = relevant * counts * precision
    if lists.ranks == "averaged":
        for span in spans(lists, relevant):
            contribution[span.hits] = relevant[span.hits] * _expected(span, relevant, before, limit)
    divisor = relevant_divisor(lists, decisions, cutoff, "ap_denominator", relevant * counts)
    return Steps(lists, {"relevant": relevant, "precision": precision * relevant}, contribution, divisor)


def _expected(span: Span, relevant: Floats, before: Floats, limit: float | None) -> float:
    """Expected precision a relevant result of the span contributes."""
    count = relevant[span.hits].sum()
    places = np.arange(1.0, span.size + 1)
    ranks = span.first - 1 + places
    others = (places - 1) * (count - 1) / (span.size - 1)
    precision = (before[span.hits.start] + 1 + others) / ranks
    return float((precision if limit is None else precision * (ranks <= limit)).mean())
