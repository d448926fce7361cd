"""The natural order of queries, in which portions are put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank._core import Pool, from_columns
from idealrank.arrays import Ints
from idealrank.evaluation.counts.judgment_counts import JudgmentCounts
from idealrank.evaluation.counts.result_counts import ResultCounts
from idealrank.evaluation.counts.search_counts import SearchCounts


def natural(names: Sequence[str]) -> tuple[Ints, list[str]]:
    """Return the order of different names, and the names in it: q9 before q10.

    Examples
    --------
    >>> order, names = natural(["q10", "q9"])
    >>> order.tolist(), names
    ([1, 0], ['q9', 'q10'])
    """
    if not names:
        return np.zeros(0, np.int64), []
    same = np.zeros(len(names))
    table = from_columns(["query", "doc", "grade"], [list(names), same, same])
    order = Pool(table.column(0), table.column(1), table.column(2), "first").row
    return order, np.array(names, object)[order].tolist()  # the same texts, not copies of them


def in_order(counts: ResultCounts) -> ResultCounts:
    """Return counts with the queries that they name in order."""
    named = ("empty", "never_asked", "failed", "unjudged", "in_scope")
    rows: dict[str, Any] = {name: tuple(natural(getattr(counts, name))[1]) for name in named}
    place = {candidate.query: candidate for candidate in counts.candidates}
    candidates = tuple(place[query] for query in natural(list(place))[1])
    nameless = {query: counts.nameless[query] for query in natural(list(counts.nameless))[1]}
    searches = counts.searches and _searches_in_order(counts.searches)
    return replace(counts, **rows, candidates=candidates, nameless=nameless, searches=searches)


def judged_in_order(counts: JudgmentCounts) -> JudgmentCounts:
    """Return counts of judgments with the queries that they name in order."""
    ungraded = tuple(natural(counts.ungraded_queries)[1])
    return replace(counts, ungraded_queries=ungraded, differing=tuple(sorted(counts.differing)))


def _searches_in_order(counts: SearchCounts) -> SearchCounts:
    tasks = list({task for task, _ in (*counts.missed, *counts.never_asked)})
    place = {task: i for i, task in enumerate(natural(tasks)[1])}
    every = (counts.missed, counts.never_asked)
    missed, never = (tuple(sorted(pairs, key=lambda pair: place[pair[0]])) for pairs in every)
    found = {label: tuple(natural(queries)[1]) for label, queries in counts.never_found.items()}
    return replace(counts, missed=missed, never_asked=never, never_found=found)
