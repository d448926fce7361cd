"""The queries that a report shows one by one: all of them, or of very many those that a reader opens first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.comparison import Comparison
from idealrank.errors import plural
from idealrank.evaluation.partitioned import InMemory
from idealrank.evaluation.scores import Scores

AT_HAND = 20_000
"""So many queries are shown where all lists are in memory: a page of them opens in seconds."""

FETCHED = 200
"""So many are shown where their lists have to be fetched."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class ShownQueries:
    """The queries of a report, with their lists.

    Attributes
    ----------
    scores
        The scores of all queries.
    places
        (N,) their places in these scores, in order.
    lists
        Scores that have the lists of these queries, and perhaps of others.
    mask
        (Q,) which of the queries of `lists` are shown.
    """

    scores: Scores
    places: Ints
    lists: Scores
    mask: Mask

    @property
    def all(self) -> bool:
        """Whether no query is left out."""
        return len(self.places) == len(self.scores.queries)

    def of(self, values: Sequence[T]) -> list[T]:
        """Return what belongs to the queries shown."""
        return [values[q] for q in self.places.tolist()]

    @property
    def note(self) -> str:
        """Say how many queries are shown, which, and how to see another; "" if all are."""
        if self.all:
            return ""
        return (
            f"{len(self.places):,} of {plural(len(self.scores.queries), 'query')} are shown one by one: those with the "
            "most changed and the worst values, without results, or whose search failed. Means, intervals, "
            "distributions and segments are of all queries; charts with a mark per query are left out. To see "
            "another query, add --queries ID to the command that wrote this report; in Python, "
            "scores.explain(query='ID')."
        )


def shown_queries(scores: Scores, comparison: Comparison | None) -> ShownQueries:
    """Choose the queries that a report shows, and fetch their lists where they are not at hand."""
    most = AT_HAND if scores.lists.in_memory else FETCHED
    places = np.array(sorted(_choose_queries(scores, comparison, most)), np.int64)
    shown = [scores.queries[q] for q in places.tolist()]
    fetched, wanted = _fetch_lists(scores, shown), set(shown)
    return ShownQueries(scores, places, fetched, np.array([query in wanted for query in fetched.queries], np.bool_))


def _fetch_lists(scores: Scores, queries: Sequence[str]) -> Scores:
    """Return the scores of some queries, and perhaps of others, with their lists."""
    joins, place = scores.fetch(queries), {query: q for q, query in enumerate(scores.queries)}
    names = joins[0].judged_queries(scores.setting.decisions)
    places = np.array([place[query] for query in names], np.int64)
    return replace(
        scores, queries=names, values=scores.values[..., places], states=scores.states[..., places],
        weights=None if scores.weights is None else scores.weights[places], lists=InMemory(joins),
        counted=scores.counts.at(places),
    )  # fmt: skip


def _choose_queries(scores: Scores, comparison: Comparison | None, most: int) -> set[int]:
    """Return the places of the queries that a reader opens first: of each kind the same number, if there are so many.

    Half of them are chosen by the measure that decides and by what failed, the others by all measures.
    """
    if len(scores.queries) <= most:
        return set(range(len(scores.queries)))
    absent = list(_without_results(scores))
    deciding = [*_extremes(scores, comparison, 0, most), *absent]
    every = [order for m in range(len(scores.labels)) for order in _extremes(scores, comparison, m, most)]
    rest = [*every, *absent, np.flatnonzero(scores.in_scope)[:most]]
    found = dict.fromkeys(itertools.islice(_take_turns(deciding), most // 2))
    for q in _take_turns(rest):
        if len(found) == most:
            break
        found[q] = None
    return set(found)


def _extremes(scores: Scores, comparison: Comparison | None, m: int, most: int) -> Iterator[Ints]:
    """Yield the queries that lose most and those that gain most, pair by pair; without a comparison the worst."""
    sign = -1.0 if scores.measures[m].definition.properties.direction == "lower" else 1.0
    if comparison is None:
        yield from (_lowest(sign * values, most) for values in scores.values[:, m])
        return
    for pair in comparison.pairing.pairs:
        gain = sign * comparison.pairing.difference(pair, m)
        yield from (_lowest(np.where(change < 0, change, np.nan), most) for change in (gain, -gain))


def _lowest(values: Floats, most: int) -> Ints:
    """Return the places of the lowest values, the lowest first, equal ones in order; NaN is passed over."""
    there = np.flatnonzero(~np.isnan(values))
    if len(there) > most:
        # Of millions of queries only those that can be among the lowest are sorted; equal ones are all kept.
        there = there[values[there] <= np.partition(values[there], most)[most]]
    return there[np.argsort(values[there], kind="stable")][:most]


def _without_results(scores: Scores) -> Iterator[Ints]:
    """Yield the queries whose search failed, and those for which nothing was returned, of each system."""
    place = {query: q for q, query in enumerate(scores.queries)}
    for account in scores.ledger.systems:
        for names in (account.failed, account.judged_nothing_returned, account.never_asked):
            yield np.array([place[query] for query in names], np.int64)


def _take_turns(orders: Sequence[Ints]) -> Iterator[int]:
    """Yield the first of each order, then the second of each, and so on."""
    for turn in itertools.zip_longest(*(order.tolist() for order in orders)):
        yield from (q for q in turn if q is not None)
