"""The ideal list of the diversity measures: at each rank the document that adds most."""

import functools

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists, Weight
from idealrank.measures.diversity.novelty import novelty, wanted
from idealrank.measures.gains import depth
from idealrank.measures.steps import Ideal, Steps, rounded


def against_greedy(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight) -> Steps:
    """The steps of the novelty, weighted by rank, as a share of the ideal list's value."""
    gain, counts = novelty(lists, decisions, alpha), lists.weights(weight, depth(cutoff, decisions))
    best = (lists, decisions, cutoff, alpha, weight)
    columns = {"gain": gain, "discount": counts}
    return Steps(lists, columns, gain * counts, greedy_sums(*best), functools.partial(greedy_ideal, *best))


def greedy_ideal(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight) -> Ideal:
    """Return the ideal list of every query: each rank takes what adds most to the ranks before it.

    Finding the best list is NP-hard; ndeval compares with this one. Among documents that add the same,
    the one with the greatest id (compared as UTF-8 bytes) is taken.
    """
    key = ("greedy", decisions.relevant_from, decisions.negative, alpha, cutoff)
    place, rank, gain = lists.of_pool.by_judgment.once(key, lambda: _chosen(lists, decisions, cutoff, alpha))
    counts = weight(rank)
    query, grade = lists.pool_query[place], lists.pool_grade[place]
    return Ideal(
        query=query, rank=rank.astype(np.int64), grade=grade, gain=gain,
        discount=counts, contribution=gain * counts, entry=lists.pool_entry[place],
    )  # fmt: skip


def greedy_sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight) -> Floats:
    """(Q,) the value of the ideal list."""
    ideal = greedy_ideal(lists, decisions, cutoff, alpha, weight)
    shares = rounded(ideal.contribution, decisions.rounding, "term")
    return np.bincount(ideal.query, weights=shares, minlength=lists.size).astype(np.float64, copy=False)


def _chosen(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float) -> tuple[Ints, Floats, Floats]:
    """Return the place in the pool, the rank and the gain of every document of the ideal lists."""
    judged = wanted(lists, decisions)
    fresh = np.ones(len(judged.keys))
    # Candidates by query, greatest id first; `mine` is the candidate of each relevant judgment.
    pool, mine = np.unique(judged.place, return_inverse=True)
    order = np.lexsort((-lists.subtopics.place_by_id[lists.pool_entry[pool]], lists.pool_query[pool]))
    pool, mine, pair = pool[order], np.argsort(order)[mine], judged.pair
    places, ranks, gains = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros(0)]
    while len(pool) and (cutoff is None or len(places) <= cutoff):
        worth = np.bincount(mine, weights=fresh[pair], minlength=len(pool)).astype(np.float64, copy=False)
        best = _first_best(worth, lists.pool_query[pool])
        ranks.append(np.full(len(best), float(len(places))))
        places.append(pool[best])
        gains.append(worth[best])
        stays = np.ones(len(pool), np.bool_)
        stays[best] = False
        fresh[pair[~stays[mine]]] *= 1.0 - alpha
        pair, mine = pair[stays[mine]], (np.cumsum(stays) - 1)[mine[stays[mine]]]
        pool = pool[stays]
    return np.concatenate(places), np.concatenate(ranks), np.concatenate(gains)


def _first_best(worth: Floats, query: Ints) -> Ints:
    """Return the place of the first maximum of each query."""
    start = np.flatnonzero(np.diff(query, prepend=-1))
    top = np.repeat(np.maximum.reduceat(worth, start), np.diff(np.append(start, len(query))))
    (equal,) = np.nonzero(worth == top)
    first: Ints = equal[np.flatnonzero(np.diff(query[equal], prepend=-1))]
    return first
