"""What a result adds to the subtopics of its query, and the list that adds most: shared by the diversity measures."""

import functools
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists, Weight, reaches
from idealrank.measures.gains import depth, within_cutoff
from idealrank.measures.steps import Ideal, Steps, apply_rounding


class RelevantSubtopics(NamedTuple):
    """The relevant judgments by subtopic, M of them; K pairs of a query and a subtopic that has one.

    Attributes
    ----------
    place, pair
        (M,) index into the pool's arrays; number of the (query, subtopic).
    keys, relevant
        (K,) numbers of the pairs, rising; the relevant documents of each.
    subtopics
        (Q,) subtopics of each query that have a relevant document.
    """

    place: Ints
    pair: Ints
    keys: Ints
    relevant: Floats
    subtopics: Floats


class SubtopicHits(NamedTuple):
    """The subtopics that hits serve, by query and rank: (M,) each.

    Attributes
    ----------
    hit, pair
        Index of the hit; number of the (query, subtopic), as in `RelevantSubtopics`.
    before
        Earlier hits that serve the same one.
    """

    hit: Ints
    pair: Ints
    before: Floats


def relevant_subtopics(lists: JudgedLists, decisions: Decisions) -> RelevantSubtopics:
    """Return the relevant judgments by subtopic; kept with the judgments."""

    def build() -> RelevantSubtopics:
        place, key = _relevant_judgments(lists, lists.pool_entry, lists.pool_query, decisions)
        keys, pair, relevant = np.unique(key, return_inverse=True, return_counts=True)
        subtopics = np.bincount(keys // _key_width(lists), minlength=lists.size).astype(np.float64)
        return RelevantSubtopics(place, pair, keys, relevant.astype(np.float64), subtopics)

    return lists.of_pool.by_judgment.once(("wanted", decisions.relevant_from, decisions.negative), build)


def subtopic_hits(lists: JudgedLists, decisions: Decisions) -> SubtopicHits:
    """Return the subtopics that hits serve; an unjudged result serves none, regardless of its grade."""

    def build() -> SubtopicHits:
        hit, key = _relevant_judgments(lists, lists.entry, lists.query, decisions)
        pair = np.searchsorted(relevant_subtopics(lists, decisions).keys, key)
        order = np.argsort(pair, kind="stable")
        alike = pair[order]
        before = np.empty(len(pair))
        before[order] = np.arange(len(pair)) - np.searchsorted(alike, alike)
        return SubtopicHits(hit, pair, before)

    return lists.kept.once(("served", decisions.relevant_from, decisions.negative), build)


def per_hit(lists: JudgedLists, hits: SubtopicHits, values: Floats) -> Floats:
    """(H,) sum of values of served subtopics by hit."""
    return np.bincount(hits.hit, weights=values, minlength=len(lists.rank)).astype(np.float64, copy=False)


def novelty(lists: JudgedLists, decisions: Decisions, alpha: float) -> Floats:
    """(H,) subtopics a hit serves, each worth (1 - alpha) to the number of earlier hits that serve it."""
    hits = subtopic_hits(lists, decisions)
    return per_hit(lists, hits, (1.0 - alpha) ** hits.before)


def novelty_bound(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight) -> Floats:
    """(Q,) value of k results that each serve every subtopic; without a cutoff, k is the number judged."""
    deep = np.diff(lists.pool_start) if cutoff is None else np.full(lists.size, cutoff)
    rank = np.arange(1.0, deep.max(initial=0) + 1)
    sums = np.concatenate(([0.0], np.cumsum((1.0 - alpha) ** (rank - 1.0) * weight(rank))))
    most: Floats = relevant_subtopics(lists, decisions).subtopics * sums[deep]
    return most


def share_of_bound(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight) -> Steps:
    """The steps of the novelty, weighted by rank, as a share of `novelty_bound`."""
    gain, counts = novelty(lists, decisions, alpha), lists.weights(weight, depth(cutoff, decisions))
    columns = {"gain": gain, "discount": counts}
    return Steps(lists, columns, gain * counts, novelty_bound(lists, decisions, cutoff, alpha, weight))


def precision_at_each(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(H,) sum over the subtopics a hit serves of the precision at its rank / relevant documents of the subtopic."""
    hits = subtopic_hits(lists, decisions)
    shares = (hits.before + 1.0) / relevant_subtopics(lists, decisions).relevant[hits.pair]
    return per_hit(lists, hits, shares) / lists.rank


def precision_of_each(lists: JudgedLists, decisions: Decisions, cutoff: int | None, name: str, parts: Floats) -> Steps:
    """The steps of the mean precision over (Q,) this many subtopics or groups."""
    relevant = novelty(lists, decisions, 0.0)
    places = np.maximum(lists.returned, 1) if cutoff is None else cutoff
    return Steps(lists, {name: relevant}, relevant * within_cutoff(lists, cutoff, decisions), parts * places)


def group_counts(lists: JudgedLists, decisions: Decisions) -> Floats:
    """(Q,) subtopics of each query that have a judgment; 0 if none has a relevant one."""
    return np.where(relevant_subtopics(lists, decisions).subtopics > 0, judged_subtopic_counts(lists), 0.0)


def judged_subtopic_counts(lists: JudgedLists) -> Floats:
    """(Q,) subtopics of each query that have a judgment, even one below zero."""

    def count() -> Floats:
        entries, query = lists.every_judgment or (lists.pool_entry, lists.pool_query)
        place, which = lists.subtopics.judgments_of(entries)
        keys = np.unique(query[place] * _key_width(lists) + lists.subtopics.subtopic[which])
        return np.bincount(keys // _key_width(lists), minlength=lists.size).astype(np.float64)

    return lists.of_pool.by_query.once("judged subtopics", count)


def _relevant_judgments(lists: JudgedLists, entries: Ints, query: Ints, decisions: Decisions) -> tuple[Ints, Ints]:
    """Return the relevant judgments of entries: the place in `entries`, and a key of the query and the subtopic."""
    place, key, grade = judgments_by_subtopic(lists, entries, query, decisions)
    good = reaches(grade, decisions.relevant_from)
    return place[good], key[good]


def judgments_by_subtopic(
    lists: JudgedLists, entries: Ints, query: Ints, decisions: Decisions
) -> tuple[Ints, Ints, Floats]:
    """Return place, key and grade of the judgments of entries that `negative` keeps."""
    place, which = lists.subtopics.judgments_of(entries)
    grade = lists.subtopics.grade[which]
    if decisions.negative == "zero":
        grade = np.maximum(grade, 0.0)
    key = query[place] * _key_width(lists) + lists.subtopics.subtopic[which]
    stands = np.ones(len(grade), np.bool_) if decisions.negative != "unjudged" else grade >= 0
    return place[stands], key[stands], grade[stands]


def _key_width(lists: JudgedLists) -> int:
    return int(lists.subtopics.subtopic.max(initial=0)) + 1


# The ideal list.


def share_of_greedy(
    lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight
) -> Steps:
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
    place, rank, gain = lists.of_pool.by_judgment.once(key, lambda: _pick_greedily(lists, decisions, cutoff, alpha))
    counts = weight(rank)
    query, grade = lists.pool_query[place], lists.pool_grade[place]
    return Ideal(
        query=query, rank=rank.astype(np.int64), grade=grade, gain=gain,
        discount=counts, contribution=gain * counts, entry=lists.pool_entry[place],
    )  # fmt: skip


def greedy_sums(lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float, weight: Weight) -> Floats:
    """(Q,) the value of the ideal list."""
    ideal = greedy_ideal(lists, decisions, cutoff, alpha, weight)
    shares = apply_rounding(ideal.contribution, decisions.rounding, "term")
    return np.bincount(ideal.query, weights=shares, minlength=lists.size).astype(np.float64, copy=False)


def _pick_greedily(
    lists: JudgedLists, decisions: Decisions, cutoff: int | None, alpha: float
) -> tuple[Ints, Floats, Floats]:
    """Return the place in the pool, the rank and the gain of every document of the ideal lists."""
    judged = relevant_subtopics(lists, decisions)
    fresh = np.ones(len(judged.keys))
    # Candidates by query, greatest id first, which decides between equals; `mine` is the candidate of
    # each relevant judgment.
    pool, mine = np.unique(judged.place, return_inverse=True)
    order = np.lexsort((-lists.subtopics.place_by_id[lists.pool_entry[pool]], lists.pool_query[pool]))
    pool, mine, pair = pool[order], np.argsort(order)[mine], judged.pair
    places, ranks, gains = [np.zeros(0, np.int64)], [np.zeros(0)], [np.zeros(0)]
    while len(pool) and (cutoff is None or len(places) <= cutoff):
        worth = np.bincount(mine, weights=fresh[pair], minlength=len(pool)).astype(np.float64, copy=False)
        best = _best_candidates(worth, lists.pool_query[pool])
        ranks.append(np.full(len(best), float(len(places))))
        places.append(pool[best])
        gains.append(worth[best])
        stays = np.ones(len(pool), np.bool_)
        stays[best] = False
        fresh[pair[~stays[mine]]] *= 1.0 - alpha
        pair, mine = pair[stays[mine]], (np.cumsum(stays) - 1)[mine[stays[mine]]]
        pool = pool[stays]
    return np.concatenate(places), np.concatenate(ranks), np.concatenate(gains)


def _best_candidates(worth: Floats, query: Ints) -> Ints:
    """Return the place of the first maximum of each query."""
    start = np.flatnonzero(np.diff(query, prepend=-1))
    top = np.repeat(np.maximum.reduceat(worth, start), np.diff(np.append(start, len(query))))
    (equal,) = np.nonzero(worth == top)
    first: Ints = equal[np.flatnonzero(np.diff(query[equal], prepend=-1))]
    return first
