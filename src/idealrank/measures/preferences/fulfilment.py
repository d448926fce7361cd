"""How far results fulfil the preferences of their queries: the measures documented in `words`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures.diversity.novelty import judged_subtopics, judgments_by_subtopic
from idealrank.measures.preferences.groups import Group, levels
from idealrank.measures.preferences.words import RETURNED
from idealrank.measures.steps import Steps, ones, unsplit


class Topic(NamedTuple):
    """A query's preferences.

    Attributes
    ----------
    query, hits
        Index of the query; (n,) of its judged hits.
    groups
        Its judgment groups, over places that begin with the judged hits.
    ahead
        (n, n) probability that the hit in the row comes before the one in the column.
    """

    query: int
    hits: Ints
    groups: list[Group]
    ahead: Floats


class Fulfilment(NamedTuple):
    """Preferences in Q queries and those fulfilled, by H hits; a preference belongs to its better document.

    Attributes
    ----------
    better, fulfilled
        (H,) documents the hit is preferred to, in each group; (H, 2) the preferences that the order fulfils,
        over another returned document and over one that was not returned.
    shared
        (H, 2) the same as shares of the groups with a preference between the two.
    averaged
        (H, 3) fulfilled ones as shares of the preferences of their groups: RETURNED, IMPLIED, ALL.
    possible, pairs
        (Q, 3) preferences, and pairs of documents with one: both returned, one, none.
    groups
        (Q,) judgment groups.
    """

    better: Floats
    fulfilled: Floats
    shared: Floats
    averaged: Floats
    possible: Floats
    pairs: Floats
    groups: Floats


def fulfilment(lists: JudgedLists, decisions: Decisions) -> Fulfilment:
    """Return what the results fulfil; kept for the next measure."""

    def build() -> Fulfilment:
        many, size = len(lists.rank), lists.size
        counts = Fulfilment(
            better=np.zeros(many), fulfilled=np.zeros((many, 2)), shared=np.zeros((many, 2)),
            averaged=np.zeros((many, 3)), possible=np.zeros((size, 3)), pairs=np.zeros((size, 3)),
            groups=_groups(lists),
        )  # fmt: skip
        for topic in topics(lists, decisions):
            _add_groups(counts, topic)
            _add_pairs(counts, topic)
        return counts

    return lists.kept.once(("fulfilment", decisions.negative), build)


def _add_groups(counts: Fulfilment, topic: Topic) -> None:
    n, q = len(topic.hits), topic.query
    for group in topic.groups:
        better, possible = group.better[:n], np.array(group.possible, np.float64)
        right = np.column_stack(((better[:, :n] * topic.ahead).sum(axis=1), better[:, n:].sum(axis=1)))
        counts.possible[q] += possible
        counts.better[topic.hits] += better.sum(axis=1)
        counts.fulfilled[topic.hits] += right
        below = np.cumsum(possible)
        above = np.column_stack((right[:, 0], right.sum(axis=1), right.sum(axis=1)))
        counts.averaged[topic.hits] += above / np.where(below > 0, below, 1.0)


def _add_pairs(counts: Fulfilment, topic: Topic) -> None:
    n = len(topic.hits)
    if len(topic.groups) == 1:  # a pair has one preference, or none
        counts.shared[topic.hits] = counts.fulfilled[topic.hits]
        counts.pairs[topic.query] = counts.possible[topic.query]
        return
    total = topic.groups[0].better.astype(np.float64)
    for group in topic.groups[1:]:
        total += group.better
    judged = total + total.T
    share = np.divide(total, judged, out=np.zeros_like(total), where=judged > 0)
    counts.shared[topic.hits] = np.column_stack(((share[:n, :n] * topic.ahead).sum(axis=1), share[:n, n:].sum(axis=1)))
    both, neither = (np.count_nonzero(part) // 2 for part in (judged[:n, :n], judged[n:, n:]))
    counts.pairs[topic.query] = both, np.count_nonzero(judged[:n, n:]), neither


def topics(lists: JudgedLists, decisions: Decisions) -> Iterator[Topic]:
    """Return the preferences of each query that has a judgment.

    A judgment group is a subtopic if the judgments name any, else the query. A result without a
    judgment makes no preference, regardless of its grade.
    """
    rows, key, level = _by_group(lists, decisions)
    place, hits = _places(lists)
    order = np.lexsort((place[rows], -level, key))
    place, key, level = place[rows[order]], key[order], level[order]
    query = lists.pool_query[rows[order]]
    per_query, per_pool = _split(hits, lists.query[hits], lists.size), np.diff(lists.pool_start)
    for run in _runs(query):
        q = int(query[run[0]])
        mine = per_query[q]
        size, n = int(per_pool[q]), len(mine)
        groups: list[Group] = [levels(place[run[one]], level[run[one]], size, n) for one in _runs(key[run])]
        yield Topic(q, mine, groups, _ahead(lists, mine))


def _by_group(lists: JudgedLists, decisions: Decisions) -> tuple[Ints, Ints, Floats]:
    """Return the judgment in the pool, a number for the query and group, and the grade of each judgment of a group."""
    if lists.read_subtopics() is None:
        return np.arange(len(lists.pool_grade)), lists.pool_query, lists.pool_grade
    return judgments_by_subtopic(lists, lists.pool_entry, lists.pool_query, decisions)


def _groups(lists: JudgedLists) -> Floats:
    """(Q,) judgment groups, including those with only grades below zero, which have no preference."""
    return np.ones(lists.size) if lists.read_subtopics() is None else judged_subtopics(lists)


def _places(lists: JudgedLists) -> tuple[Ints, Ints]:
    """Return (J,) the place of each judgment within its query, and the hits that are judged, by query and rank."""
    (hits,) = np.nonzero(np.isin(lists.entry, lists.pool_entry))
    order = np.argsort(lists.pool_entry)
    at = order[np.searchsorted(lists.pool_entry, lists.entry[hits], sorter=order)]
    place = np.full(len(lists.pool_entry), -1)
    place[at] = _within(lists.query[hits])
    (others,) = np.nonzero(place < 0)
    returned = np.bincount(lists.query[hits], minlength=lists.size)
    place[others] = returned[lists.pool_query[others]] + _within(lists.pool_query[others])
    return place, hits


def _within(query: Ints) -> Ints:
    """Number the elements of each query from 0; queries rise."""
    return np.arange(len(query)) - np.searchsorted(query, query)


def _runs(values: Ints) -> list[Ints]:
    """Return the places of each run of equal values."""
    return np.split(np.arange(len(values)), np.flatnonzero(np.diff(values)) + 1) if len(values) else []


def _split(values: Ints, query: Ints, size: int) -> list[Ints]:
    return np.split(values, np.searchsorted(query, np.arange(1, size)))


def _ahead(lists: JudgedLists, hits: Ints) -> Floats:
    """Return the probability that each hit comes before each other; 1/2 within a span of ties in average order."""
    if lists.ranks == "exact":
        return np.triu(np.ones((len(hits), len(hits))), 1)
    span = lists.tie_first[hits]
    chance: Floats = (span[:, None] < span) + 0.5 * (span[:, None] == span)
    return chance


def simple(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Preferences fulfilled / preferences."""
    counts = fulfilment(lists, decisions)
    return _steps(lists, counts, counts.fulfilled[:, :kinds].sum(axis=1), counts.possible[:, :kinds].sum(axis=1))


def paired(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Mean over pairs of documents of the share of their preferences that is fulfilled."""
    counts = fulfilment(lists, decisions)
    return _steps(lists, counts, counts.shared[:, :kinds].sum(axis=1), counts.pairs[:, :kinds].sum(axis=1))


def averaged(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Mean over judgment groups of preferences fulfilled / preferences; 0/0 if no group has one."""
    counts = fulfilment(lists, decisions)
    some = counts.possible[:, :kinds].sum(axis=1) > 0
    return _steps(lists, counts, counts.averaged[:, kinds - 1], np.where(some, counts.groups, 0.0))


def counted(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Number of preferences fulfilled."""
    counts = fulfilment(lists, decisions)
    return _steps(lists, counts, counts.fulfilled[:, :kinds].sum(axis=1), ones(lists))


def balanced(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """As `averaged`, with equal numbers of relevant and other documents; 0/0 if a group has no preference."""
    score, groups = np.full(lists.size, np.nan), _groups(lists)
    for topic in topics(lists, decisions):
        if len(topic.groups) == groups[topic.query]:
            score[topic.query] = np.mean([group.balanced(kinds == RETURNED) for group in topic.groups])
    columns = {"better_than": fulfilment(lists, decisions).better}
    return unsplit(lists, columns, score, "it adds non-relevant documents, or leaves some out")


def _steps(lists: JudgedLists, counts: Fulfilment, share: Floats, normaliser: Floats) -> Steps:
    return Steps(lists, {"better_than": counts.better, "fulfilled": counts.fulfilled.sum(axis=1)}, share, normaliser)


def held(lists: JudgedLists, decisions: Decisions, kinds: int) -> Steps:
    """Number of preferences, regardless of what was returned."""
    del kinds
    counts = fulfilment(lists, decisions)
    return unsplit(
        lists, {"better_than": counts.better}, counts.possible.sum(axis=1), "it counts judgments, not results"
    )
