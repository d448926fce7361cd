"""ERR: expected reciprocal rank."""

import numpy as np

from idealrank.arrays import Floats, segment_counts
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists, Weight
from idealrank.measures.gains import depth, refuse_boundless
from idealrank.measures.steps import Steps, ones
from idealrank.measures.tie_spans import Span, spans


def steps(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum over ranks of 1/rank x the probability that the reader stops there.

    A result of grade g satisfies with probability (2^g - 1) / 2^max_grade (grades below zero never do);
    the reader stops at the first result that does. Under ``ties=average``, the probability of having passed j - 1
    results of a span in random order is an elementary symmetric polynomial of the probabilities of passing.

    Source: Chapelle, Metzler, Zhang and Grinspan, CIKM 2009; gdeval.pl with max_grade 4.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 0, 1])
    >>> ir.evaluate(judgments, results, ["ERR@3"], max_grade=3)["ERR@3"]
    0.8984375
    """
    refuse_boundless(np.array([lists.max_grade]))
    stops = np.nan_to_num((np.exp2(np.maximum(lists.grade, 0.0)) - 1.0) / 2.0**lists.max_grade, nan=0.0)
    return cascade(lists, stops, lambda rank: 1.0 / rank, depth(cutoff, decisions))


def cascade(lists: JudgedLists, stops: Floats, weight: Weight, limit: float | None) -> Steps:
    """Sum over ranks of weight x the probability that the reader stops there; each hit stops him with its own."""
    reach = passed(lists, 1.0 - stops)
    counts = lists.weights(weight, limit)
    contribution = stops * reach * counts
    if lists.ranks == "averaged":
        for span in spans(lists, stops):
            contribution[span.hits] = reach[span.hits.start] * _expected(span, stops[span.hits], weight, limit)
    return Steps(lists, {"stops": stops, "reached": reach, "discount": counts}, contribution, ones(lists))


def passed(lists: JudgedLists, passing: Floats) -> Floats:
    """(H,) probability of having passed all earlier hits of the query: a product per query, in rank order."""
    reach = np.ones(len(passing))
    counts = segment_counts(np.ones(len(passing), np.bool_), lists.hit_start)
    for place in range(1, int(counts.max(initial=0))):
        at = lists.hit_start[:-1][counts > place] + place
        reach[at] = reach[at - 1] * passing[at - 1]
    return reach


def _expected(span: Span, stops: Floats, weight: Weight, limit: float | None) -> Floats:
    """Expected share of each hit of a span whose orders are equally likely."""
    share = np.empty(len(stops))
    ranks = span.first - 1 + np.arange(1.0, span.size + 1)
    weights = weight(ranks) if limit is None else np.where(ranks <= limit, weight(ranks), 0.0)
    for grade in np.unique(stops):
        same = stops == grade
        others = np.delete(stops, np.flatnonzero(same)[0])
        share[same] = grade * float(weights @ _passing_chances(1.0 - others, span.size - 1)) / span.size
    return share


def _passing_chances(passing: Floats, size: int) -> Floats:
    """Mean product of j of the probabilities, over all choices of j = 0 … size; those not listed are 1.

    These are the elementary symmetric polynomials e_j divided by C(size, j), built up one member
    at a time as convex combinations, so nothing overflows.
    """
    mean = np.ones(size - len(passing) + 1)
    for chance in passing:
        count = len(mean)
        place = np.arange(count + 1.0)
        stay = (count - place) / count * np.append(mean, 0.0)
        mean = stay + place / count * chance * np.concatenate(([0.0], mean))
    return mean
