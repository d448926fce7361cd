"""Documents that would match if their ids were spelled alike: in the first queries that miss some."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Ints
from idealrank.errors import plural
from idealrank.judged_lists.meeting import Met
from idealrank.judged_lists.near_spellings import Near, near_of, pairs_of

_QUERIES = 20
"""Queries whose documents are compared by spelling."""

_DOCUMENTS = 500
"""Number of documents after which no other query is searched."""


class Missed(NamedTuple):
    """The unjudged results of a query, and its judged documents that were not returned."""

    query: str
    theirs: list[str]
    ours: list[str]


class Candidate(NamedTuple):
    """A query with unjudged results and judged documents that were not returned, and how many these are together."""

    query: str
    documents: int


def few(found: Iterable[Candidate]) -> list[str]:
    """Return the queries whose documents are compared, of several in order."""
    queries, left = [], _DOCUMENTS
    for query, documents in itertools.islice(found, _QUERIES):
        queries.append(query)
        left -= documents
        if left <= 0:
            break
    return queries


def candidates(met: Met) -> list[Candidate]:
    """Return the first queries whose documents may be spelled otherwise."""
    places, documents = _candidates(met)
    names = met.queries
    return [Candidate(names[q], many) for q, many in zip(places.tolist(), documents.tolist(), strict=True)]


def _candidates(met: Met) -> tuple[Ints, Ints]:
    """Return the places of the first such queries, and how many documents would be compared."""
    hits, returned, judged = np.diff(met.judged.hit_start), met.judged.returned, np.diff(met.pool.start)
    both = np.flatnonzero((returned > hits) & (judged > hits))[:_QUERIES]
    documents = (returned + judged - 2 * hits)[both]
    few = 1 + int(np.searchsorted(np.cumsum(documents), _DOCUMENTS))
    return both[:few], documents[:few]


def near_documents(met: Met) -> Near | None:
    """Compare unjudged results with judged documents that were not returned, in the first queries that have both."""
    return near_in(missed_in(met, candidates(met)))


def missed_in(met: Met, found: Iterable[Candidate]) -> list[Missed]:
    """Return the unjudged results of some queries, and their judged documents that were not returned."""
    wanted = {candidate.query for candidate in found}
    places = [q for q, query in enumerate(met.queries) if query in wanted] if wanted else []
    every = met.every_result_of(np.array(places, np.int64)) if places else met
    return [Missed(met.queries[q], *_missed(every, q, _DOCUMENTS)) for q in places]


def near_in(every: Iterable[Missed]) -> Near | None:
    """Compare the documents of queries, of as many as are few enough."""
    pairs: list[tuple[str, str]] = []
    left, compared = _DOCUMENTS, 0
    for missed in every:
        theirs, ours = missed.theirs[: max(left, 0)], missed.ours[: max(left, 0)]
        pairs += pairs_of(theirs, ours)
        left -= len(theirs) + len(ours)
        compared += len(theirs)
    near = near_of(pairs)
    return near and near._replace(of=compared)


def _missed(met: Met, query: int, most: int) -> tuple[list[str], list[str]]:
    """Return the unjudged results of a query, and its judged documents that were not returned."""
    _, _, entry, row, *_ = met.judged.hits(query, query + 1)
    first, last = met.pool.start[query : query + 2]
    missed = np.ones(last - first, np.bool_)
    missed[entry[entry >= 0] - first] = False
    return met.run.docs(row[entry < 0][:most]), met.pool.docs(first + np.flatnonzero(missed)[:most])


def documents_in_words(documents: Near | None) -> Iterator[str]:
    """Say which documents differ only in spelling."""
    if documents is not None:
        ids, first = plural(documents.many, "document id"), plural(documents.of, "unjudged result")
        alike = f"{ids} equal in results and judgments except for {documents.by} ({documents.text})"
        yield f"{alike}, among the first {first} compared; not joined"
