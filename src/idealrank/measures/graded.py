"""Graded measures: how much results are worth, by their grades."""

import functools
import itertools
import math
from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.decisions.decisions import Decisions
from idealrank.errors import UsageError, option, refuse_cutoff
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.definition import (
    DEFINED,
    GRADED,
    IDEAL,
    LARGEST_IDEAL,
    SCALED,
    SHARE,
    SUMMED,
    UNBOUNDED,
    Family,
)
from idealrank.measures.gains import (
    RECIPROCAL,
    depth,
    discount,
    discount_gains,
    gains,
    refuse_large_grades,
    within_cutoff,
)
from idealrank.measures.ideal import ideal_list, ideal_sums
from idealrank.measures.reader import cascade, grade_shares
from idealrank.measures.steps import Steps, ones

FAMILY = Family(__doc__)
measure = FAMILY.measure


@measure(
    "nDCG",
    title="Normalised discounted cumulative gain: the DCG as a share of the ideal list's",
    reads=(*GRADED, *IDEAL),
    properties=SHARE._replace(at_ideal="1", undefined="ideal zero", monotone="global or max"),
    aliases=("ndcg", "ndcg_cut"),
    carried={"SDCG": {"ideal": "max"}},
)
def ndcg(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """DCG of the first k results divided by the DCG of the ideal list.

    `ideal` and `ideal_depth` define that list; 0/0 if the ideal is worth nothing.
    Under ``ties=average``, the mean DCG is divided by the ideal, which does not depend on the order; only
    ``ideal=local`` has to enumerate every way to fill the cutoff.

    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; trec_eval 9.0.8 ``ndcg``, ``ndcg_cut``;
    ties: McSherry and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2], also_judged=[3, 2])
    >>> round(ir.evaluate(judgments, results, ["nDCG@6"])["nDCG@6"], 3)
    0.785
    """
    limit = depth(cutoff, decisions)
    found = discount_gains(lists, decisions, limit)
    columns = {"gain": found.gain, "discount": found.counts}
    divisor = ideal_sums(lists, decisions, cutoff)
    ideal = functools.partial(ideal_list, lists, decisions, cutoff)
    if lists.ranks == "exact" or decisions.ideal != "local" or limit is None:
        return Steps(lists, columns, found.share, divisor, ideal, totals=found.totals)
    average = functools.partial(_average_local_ideal, lists, decisions, found.gain, found.share, limit)
    worth = (decisions.gain, decisions.discount)
    share, own = lists.kept.latest(("average_local", limit, decisions.no_relevant), worth, average)
    return Steps(lists, columns, share, np.where(np.isnan(own), divisor, own), ideal)


MOST_FILLINGS = 10_000
"""How many ways to fill a span's places are tried for a query: a limit of time, since each sorts an ideal list."""


def _average_local_ideal(
    lists: JudgedLists, decisions: Decisions, gain: Floats, share: Floats, limit: float
) -> tuple[Floats, Floats]:
    """Return contributions and normaliser (NaN: the ideal's own) that give the exact average over all orders.

    Which of the tied results are within the cutoff is random, and so is the ideal of the first k.
    For each multiset of gains that may fill the span's places within the cutoff, this takes its probability
    (hypergeometric), its expected DCG and its ideal. For these queries the normaliser is 1 and the
    contributions are already divided.

    Raises
    ------
    UsageError
        If a query has more than 10,000 multisets to enumerate.
    """
    share, divisor = share.copy(), np.full(lists.size, np.nan)
    crossing = (lists.tie_first <= limit) & (lists.tie_last > limit)
    for query in np.unique(lists.query[crossing]):
        hits = slice(int(lists.hit_start[query]), int(lists.hit_start[query + 1]))
        inside = crossing[hits]
        first = int(lists.tie_first[hits][inside][0])
        size = int(lists.tie_last[hits][inside][0]) - first + 1
        before = lists.tie_last[hits] < first
        parts = _average_query(gain[hits], share[hits], before, inside, first, size, int(limit), decisions)
        divisor[query] = 0.0 if parts is None else 1.0
        if parts is not None:
            share[hits] = parts
    return share, divisor


def _average_query(
    gain: Floats, share: Floats, before: Mask, inside: Mask, first: int, size: int, limit: int, decisions: Decisions
) -> Floats | None:
    slots = limit - first + 1
    worth, owned = _distinct_gains(gain[inside], size)
    _refuse_many_fillings(owned, slots)
    weigh = discount(decisions)
    mean_discount = float(weigh(np.arange(float(first), limit + 1)).sum()) / slots
    unjudged = np.zeros(first - 1 - int(before.sum()))
    # The mean of a quotient is not the quotient of the means: `inverse` is the expected 1 / ideal, and `chosen` the
    # expected 1 / ideal over the orders in which one result of a gain is within the cutoff.
    inverse, chosen, undefined = 0.0, np.zeros(len(worth)), 0.0
    for filling in _fillings(owned, slots):
        chance = math.prod(map(math.comb, owned, filling)) / math.comb(size, slots)
        best = np.sort(np.concatenate((gain[before], np.repeat(worth, filling), unjudged)))[::-1]
        ideal = float(best @ weigh(np.arange(1.0, len(best) + 1)))
        if ideal <= 0:
            undefined += chance
            continue
        inverse += chance / ideal
        chosen += chance / ideal * np.array(filling) / np.array(owned)
    if inverse == 0:
        return None
    if undefined and decisions.no_relevant != "0":
        raise UsageError(
            "ties=average with ideal=local: the ideal is zero in some orders of the tied results but not in all, "
            f"so no_relevant={decisions.no_relevant} cannot be averaged. Use no_relevant=0."
        )
    tied = gain * mean_discount * chosen[np.searchsorted(worth, gain).clip(max=len(worth) - 1)]
    return np.where(inside, tied, share * inverse)


def _distinct_gains(gain: Floats, size: int) -> tuple[Floats, list[int]]:
    """Distinct gains in the span, rising, and how many results have each; the unjudged are worth 0."""
    everything = np.concatenate((gain, np.zeros(size - len(gain))))
    worth, owned = np.unique(everything, return_counts=True)
    return worth, owned.tolist()


def _refuse_many_fillings(owned: list[int], slots: int) -> None:
    # The number of multisets of each size, as coefficients of the product of 1 + x + … + x^count: counted, not listed.
    ways = np.ones(1)
    for count in owned:
        ways = np.convolve(ways, np.ones(count + 1))[: slots + 1]
    if ways[slots] > MOST_FILLINGS:
        raise UsageError(
            f"ties=average with ideal=local: there are {ways[slots]:.0f} ways to fill the {slots} places up to the "
            f"cutoff from {sum(owned)} tied results. At most {MOST_FILLINGS} are allowed. "
            "Use ideal=global or ideal=returned, or another answer to ties."
        )


def _fillings(owned: list[int], slots: int) -> Iterator[tuple[int, ...]]:
    ranges = [range(min(count, slots) + 1) for count in owned[1:]]
    for rest in itertools.product(*ranges):
        head = slots - sum(rest)
        if 0 <= head <= owned[0]:
            yield (head, *rest)


@measure(
    "DCG",
    title="Discounted cumulative gain: the gains of the results, with later ranks counting less",
    reads=GRADED,
    properties=UNBOUNDED,
    aliases=("dcg",),
)
def dcg(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain(grade) x discount(rank) over the first k results.

    Under ``ties=average``, a tied result takes the mean discount of its span, which is exact
    because the sum is additive.

    Source: Järvelin and Kekäläinen, TOIS 20(4), 2002; trec_eval 10.0 ``dcg``; ties: McSherry
    and Najork, ECIR 2008.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    >>> ir.evaluate(judgments, results, ["DCG@6"])["DCG@6"]
    6.861126688593502
    """
    found = discount_gains(lists, decisions, depth(cutoff, decisions))
    columns = {"gain": found.gain, "discount": found.counts}
    return Steps(lists, columns, found.share, ones(lists), totals=found.totals)


@measure(
    "CG",
    title="Cumulative gain: the gains of the results, regardless of their order",
    reads=SUMMED,
    properties=UNBOUNDED,
    aliases=("cg",),
)
def cg(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum of gain(grade) over the first k results, regardless of their order.

    Source: Järvelin and Kekäläinen, SIGIR 2000.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    >>> ir.evaluate(judgments, results, ["CG"])["CG"]
    11.0
    """
    gain = gains(lists.grade, decisions)
    counts = within_cutoff(lists, cutoff, decisions)
    return Steps(lists, {"gain": gain, "counts": counts}, gain * counts, ones(lists))


@measure(
    "ERR",
    title="Expected reciprocal rank of the result that satisfies the reader",
    reads=SCALED,
    properties=DEFINED,
    aliases=("err",),
)
def err(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
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
    refuse_large_grades(np.array([lists.max_grade]))
    stops = np.nan_to_num((np.exp2(np.maximum(lists.grade, 0.0)) - 1.0) / 2.0**lists.max_grade, nan=0.0)
    return cascade(lists, stops, RECIPROCAL, depth(cutoff, decisions))


@measure(
    "LinearERR",
    title="Linear ERR: expected reciprocal rank with a probability of stopping that is linear in the grade",
    reads=SCALED,
    properties=DEFINED,
    aliases=("linear_ERR",),
)
def linear_err(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Sum over ranks of 1/rank x s x the product of 1 - s before it; s is the grade as a share of `max_grade`.

    s is the probability that the reader is satisfied and stops; in ERR it is (2^g - 1) / 2^max_grade. With
    ``max_grade=1`` the grades are the probabilities. A grade below zero never satisfies, and no grade does if the
    highest grade is not above 0.

    Source: CatBoost 1.2 ``ERR``, where the targets are the probabilities; the reader is that of Chapelle, Metzler,
    Zhang and Grinspan, CIKM 2009.

    Examples
    --------
    >>> import idealrank as ir
    >>> judgments, results = ir.from_grades([2, 0, 3, 4])
    >>> ir.evaluate(judgments, results, ["LinearERR@3"], max_grade=4)["LinearERR@3"]
    0.625
    """
    return cascade(lists, grade_shares(lists), RECIPROCAL, depth(cutoff, decisions))


def ideal_dcg(k: int, max_grade: float, gain: object = "linear", discount: str = "log2") -> float:
    """Return the DCG of k documents of the highest grade: the best possible at this depth.

    Parameters
    ----------
    k
        The depth, from 1 up.
    max_grade
        The highest grade on the scale.
    gain, discount
        Answers to these decisions.

    Raises
    ------
    UsageError
        If k is not a whole number from 1 up, or an answer is unknown.

    Examples
    --------
    >>> round(ideal_dcg(k=4, max_grade=3, gain="exp2"), 2)
    17.93
    """
    refuse_cutoff(k)
    if k > LARGEST_IDEAL:
        raise UsageError(f"{option('k', repr(k))}: one discount per rank is added up, for at most {LARGEST_IDEAL:,}.")
    if not math.isfinite(max_grade):
        raise UsageError(f"max_grade={max_grade}: the highest grade must be a finite number.")
    decisions = Decisions().but(gain=gain, discount=discount)
    return _dcg_of_highest(float(max_grade), k, decisions)


def _dcg_of_highest(grade: float, k: int, decisions: Decisions) -> float:
    worth = float(gains(np.array([grade]), decisions)[0])
    return worth * float(np.sum(discount(decisions)(np.arange(1.0, k + 1))))
