"""C/W/L: measures by how a reader goes down the list (Continuation, Weight, Last)."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, offsets, places, segment_counts
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists, Weight
from idealrank.measures.gains import depth, judgedness
from idealrank.measures.steps import Steps, ones
from idealrank.measures.tie_spans import Span, spans

Between = Callable[[Floats, Floats, Floats], Floats]


class UserModel(NamedTuple):
    """A reader who reads rank i with probability decay(i) x the product of `stays` over the results before.

    Source: Moffat, Bailey, Scholer and Thomas, TOIS 35(3), 2017: the probability of reading rank i is the product
    of the probabilities C of continuing from the ranks before, and the weight W(i) is its share of their sum.
    A result worth nothing changes no state, so ranks between hits need no rows.

    Attributes
    ----------
    decay
        Takes ranks and the worth found before them: how much a rank is read; 1 at rank 1.
    between
        Takes a rank a, a rank b and the worth found by a: the sum of the decay over the ranks a + 1 … b.
    stays
        Takes a result's rank, its worth and the worth found including it: the factor of all later ranks.
    """

    decay: Callable[[Floats, Floats], Floats]
    between: Between
    stays: Callable[[Floats, Floats, Floats], Floats]


class Reading(NamedTuple):
    """How much each hit was read, how much it was worth, and how many results were read.

    Attributes
    ----------
    reached, worth
        (H,) probability that the hit is read; its worth from 0 to 1.
    depth
        (Q,) expected number of results read, 1 / W(1).
    rest
        Computes `residual_utility`.
    """

    lists: JudgedLists
    reached: Floats
    worth: Floats
    depth: Floats
    rest: Callable[[], Floats]

    @property
    def total(self) -> Floats:
        """(Q,) expected total utility: what a reader gains in total."""
        return self.lists.per_query(self.reached * self.worth)

    @property
    def utility(self) -> Floats:
        """(Q,) expected utility: the worth of a result that is read; the value of the measure."""
        return self.total / self._divisor

    @property
    def cost(self) -> Floats:
        """(Q,) expected total cost if every result read costs 1."""
        return self.depth

    @property
    def residual(self) -> Floats:
        """(Q,) how much higher the expected utility is if everything unjudged has the highest worth."""
        return self.rest() if self.lists.max_grade > 0 else np.zeros(self.lists.size)

    @property
    def _divisor(self) -> Floats:
        """(Q,) the number of results read; 1 if none is, since the gain is then 0."""
        return np.where(self.depth > 0, self.depth, 1.0)

    def steps(self) -> Steps:
        """The expected utility as steps: worth x the weight W of the rank."""
        weight = self.reached / self._divisor[self.lists.query]
        columns = {"worth": self.worth, "reached": self.reached, "weight": weight}
        return Steps(self.lists, columns, self.worth * self.reached, self._divisor)


def read_lists(lists: JudgedLists, reader: UserModel, last: Floats) -> Reading:
    """Let a reader read all lists, each up to a last rank: (Q,), infinite if there is none."""
    worth, rank, limit = grade_shares(lists), lists.rank.astype(np.float64), last[lists.query]
    got = lists.running(worth)
    stays = reader.stays(rank, worth, got)
    before = continuation(lists, stays)
    reached = np.where(rank <= limit, before * reader.decay(rank, _worth_before(lists, got)), 0.0)
    behind = before * stays * reader.between(np.minimum(rank, limit), np.minimum(_next_ranks(lists), limit), got)
    nothing = np.zeros(lists.size)
    ahead = reader.between(nothing, np.minimum(_first_ranks(lists), last), nothing)
    depth = ahead + lists.per_query(behind)
    return Reading(lists, reached, worth, depth, lambda: residual_utility(lists, reader, last))


def _worth_before(lists: JudgedLists, got: Floats) -> Floats:
    """(H,) the worth found before each hit."""
    before = np.concatenate(([0.0], got[:-1]))[: len(got)]
    before[lists.hit_start[:-1][np.diff(lists.hit_start) > 0]] = 0.0
    return before


def _next_ranks(lists: JudgedLists) -> Floats:
    """(H,) rank of the next hit of the query; infinite after the last."""
    following = np.append(lists.rank[1:].astype(np.float64), np.inf)
    following[lists.hit_start[1:][np.diff(lists.hit_start) > 0] - 1] = np.inf
    return following[: len(lists.rank)]


def _first_ranks(lists: JudgedLists) -> Floats:
    """(Q,) rank of the first hit; infinite if there is none."""
    first, returned = np.full(lists.size, np.inf), np.diff(lists.hit_start) > 0
    first[returned] = lists.rank[lists.hit_start[:-1][returned]]
    return first


def fixed_reading(lists: JudgedLists, worth: Floats, counts: Floats, depth: float, total: float) -> Reading:
    """The reading of a reader whom nothing found changes: what is not judged has all the remaining weight.

    Parameters
    ----------
    worth, counts
        (H,) the worth of each hit, and how much its rank is read; 1 at rank 1.
    depth, total
        The expected number of results read, above 0 because values are divided by it; the sum of the weights of
        all ranks up to the last, 0 if none counts.
    """
    judged = lists.per_query(counts * judgedness(lists))
    return Reading(lists, counts, worth, np.full(lists.size, depth), lambda: (total - judged) / depth)


def patient_reading(lists: JudgedLists, worth: Floats, p: float, last: float | None) -> Reading:
    """The reading of a reader who continues with probability p; nothing after the last rank counts."""
    counts = lists.weights(lambda rank: p ** (rank - 1.0), last)
    share_of_all = 1.0 if last is None else 1.0 - p**last
    return fixed_reading(lists, worth, counts, 1.0 / (1.0 - p), share_of_all / (1.0 - p))


def residual_utility(lists: JudgedLists, reader: UserModel, last: Floats) -> Floats:
    """(Q,) how much higher the expected utility is if everything unjudged has the highest worth.

    This covers unjudged results and ranks without a result, up to the last rank. If there is no last rank,
    a reader continues from each result of highest worth after the list with the same probability.

    Source: Moffat and Zobel, TOIS 27(1), 2008, for RBP; cwl_eval 1.0.12 ``-r``, where the last rank is 1000.
    """
    ends = np.where(np.isinf(last), lists.returned + 1.0, last)
    best = read_lists(_fill_with_best(lists, ends.astype(np.int64)), reader, ends)
    utility = best.utility
    if np.isinf(last).any():
        utility = np.where(np.isinf(last), _endless_utility(best, reader), utility)
    return utility - read_lists(lists, reader, last).utility


def _endless_utility(best: Reading, reader: UserModel) -> Floats:
    """(Q,) the utility if the result of highest worth that ends every list is followed by more without end."""
    end = best.lists.hit_start[1:] - 1
    rank, got = best.lists.rank[end].astype(np.float64), best.lists.running(best.worth)[end]
    goes_on = reader.stays(rank, np.ones_like(rank), got) * reader.decay(rank + 1.0, got)
    goes_on = goes_on / reader.decay(rank, got - 1.0)
    stops = 1.0 - goes_on
    behind = np.divide(best.reached[end] * goes_on, stops, out=np.full(len(end), np.inf), where=stops > 0)
    more = np.where(np.isinf(behind), 0.0, behind)
    return np.where(np.isinf(behind), 1.0, (best.total + more) / (best.depth + more))


def _fill_with_best(lists: JudgedLists, last: Ints) -> JudgedLists:
    """Put a result of the highest grade at every rank, up to the last, that has no judged result."""
    start = offsets(last)
    judged = (lists.rank <= last[lists.query]) & ~np.isnan(lists.grade)
    grade = np.full(int(start[-1]), lists.max_grade)
    grade[start[lists.query[judged]] + lists.rank[judged] - 1] = lists.grade[judged]
    rank, nowhere = places(start), np.full(len(grade), -1)
    return replace(
        lists, hit_start=start, grade=grade, rank=rank, tie_first=rank, tie_last=rank, entry=nowhere, row=nowhere,
    )  # fmt: skip


def grade_shares(lists: JudgedLists) -> Floats:
    """(H,) grades as shares of the highest grade: from 0, as for unjudged results, to 1."""
    top = lists.max_grade
    return np.nan_to_num(np.clip(lists.grade / top, 0.0, 1.0), nan=0.0) if top > 0 else np.zeros(len(lists.grade))


def cutoff_ranks(lists: JudgedLists, cutoff: int | None, decisions: Decisions) -> Floats:
    """(Q,) last rank of a reader who is stopped only by the cutoff."""
    limit = depth(cutoff, decisions)
    return np.full(lists.size, np.inf if limit is None else limit)


def last_ranks(lists: JudgedLists, cutoff: int | None, decisions: Decisions) -> Floats:
    """(Q,) last rank of a reader who is stopped by the cutoff, or by the end of the list if there is none."""
    return lists.returned.astype(np.float64) if cutoff is None else cutoff_ranks(lists, cutoff, decisions)


def between_from_sums(upto: Callable[[Floats], Floats]) -> Between:
    """Turn sums of the decay over the ranks 1 … b into sums over a + 1 … b, regardless of what was found."""
    return lambda after, last, _: upto(last) - upto(after)


def stop_when_content(_rank: Floats, worth: Floats, _got: Floats) -> Floats:
    """Stop at a result with a probability equal to its worth."""
    return 1.0 - worth


# Cascades: readers who stop at the first result that satisfies them.


def cascade(lists: JudgedLists, stops: Floats, weight: Weight, limit: float | None) -> Steps:
    """Sum over ranks of weight x the probability that the reader stops there; each hit stops him with its own."""
    reach = continuation(lists, 1.0 - stops)
    counts = lists.weights(weight, limit)
    contribution = stops * reach * counts
    if lists.ranks == "averaged":
        for span in spans(lists, stops):
            contribution[span.hits] = reach[span.hits.start] * _expected_shares(span, stops[span.hits], weight, limit)
    return Steps(lists, {"stops": stops, "reached": reach, "discount": counts}, contribution, ones(lists))


def _expected_shares(span: Span, stops: Floats, weight: Weight, limit: float | None) -> Floats:
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


def continuation(lists: JudgedLists, passing: Floats) -> Floats:
    """(H,) probability of having passed all earlier hits of the query: a product per query, in rank order."""
    reach = np.ones(len(passing))
    counts = segment_counts(np.ones(len(passing), np.bool_), lists.hit_start)
    # One multiplication per rank for all queries at once. A running product over all hits, divided by its value at each
    # query's start, fails where a reader surely stops: that product is 0.
    for place in range(1, int(counts.max(initial=0))):
        at = lists.hit_start[:-1][counts > place] + place
        reach[at] = reach[at - 1] * passing[at - 1]
    return reach
