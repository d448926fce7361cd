"""Which documents are holes, and where each system ranks them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank._core import Pool, from_columns, judge
from idealrank.arrays import Ints, Mask, offsets
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Meeting
from idealrank.measures import Measure
from idealrank.measures.gains import depth


@dataclass(frozen=True, eq=False)
class Unknown:
    """N holes of Q judged queries, by query, then by document id (as UTF-8 bytes).

    Attributes
    ----------
    query, document
        (N,) index of the query, document id.
    start
        (Q + 1,) holes of query q are ``start[q]:start[q + 1]``.
    row
        (S, N) row in the results of each system; -1 where it did not return the document.
    """

    query: Ints
    document: tuple[str, ...]
    start: Ints
    row: Ints

    @property
    def size(self) -> int:
        """Number of holes N."""
        return len(self.query)

    def hits(self, s: int, lists: JudgedLists) -> Ints:
        """(N,) index of the hit that is the hole, in dense lists of a system; -1 for none."""
        of_row = np.full(int(max(lists.row.max(initial=-1), self.row[s].max(initial=-1))) + 2, -1)
        kept = np.flatnonzero(lists.row >= 0)
        of_row[lists.row[kept]] = kept
        hits: Ints = of_row[self.row[s]]
        return hits


def gather(meetings: Sequence[Meeting], measure: Measure) -> Unknown:
    """Find the unjudged documents within the measure's depth of any system; one document is one hole."""
    every = [dense(meeting, measure) for meeting in meetings]
    named = [_named(*one, measure) for one in zip(meetings, every, strict=True)]
    queries = [query for names, _ in named for query in names]
    size = every[0].size
    if not queries:
        none = np.zeros(0, np.int64)
        return Unknown(none, (), np.zeros(size + 1, np.int64), np.zeros((len(meetings), 0), np.int64))
    judged_queries = meetings[0].met(measure.on_lists).pool.queries
    pool = _pool([judged_queries[query] for query in queries], [doc for _, docs in named for doc in docs])
    place = {name: index for index, name in enumerate(judged_queries)}
    counts = np.zeros(size, np.int64)
    counts[[place[name] for name in pool.queries]] = np.diff(pool.start)
    row = np.stack([_rows(pool, meeting, measure) for meeting in meetings])
    document = tuple(pool.docs(np.arange(len(pool.grade))))
    return Unknown(np.repeat(np.arange(size), counts), document, offsets(counts), row)


def dense(meeting: Meeting, measure: Measure) -> JudgedLists:
    """Return all results as the measure sees them, an unjudged one with the grade NaN."""
    return arranged(meeting.met_for(measure.on_lists, "dense").lists, measure.on_lists.but(unjudged="zero"))


def _named(meeting: Meeting, lists: JudgedLists, measure: Measure) -> tuple[list[int], list[str]]:
    limit = depth(measure.cutoff, measure.decisions)
    first = lists.tie_first if lists.ranks == "averaged" else lists.rank
    within: Mask = np.isnan(lists.grade) & (lists.row >= 0)
    at = np.flatnonzero(within if limit is None else within & (first <= limit))
    return lists.query[at].tolist(), meeting.met_for(measure.on_lists, "dense").run.docs(lists.row[at])


def _pool(queries: list[str], docs: list[str]) -> Pool:
    frame = from_columns(["query", "doc", "grade"], [queries, docs, np.zeros(len(docs))])
    return Pool(frame.column(0), frame.column(1), frame.column(2), "max")


def _rows(pool: Pool, meeting: Meeting, measure: Measure) -> Ints:
    """(N,) the row of each hole in the results of a system, found by joining them to the holes."""
    met = meeting.met_for(measure.on_lists, "dense")
    order: Any = met.order
    joined = judge(pool, met.run, order, "given", "float64", "close", False)
    _, _, entry, row, *_ = joined.hits(0, len(pool.queries))
    rows = np.full(len(pool.grade), -1)
    rows[entry] = row
    return rows


def groups(counts: Ints, budget: int = 1 << 18) -> Iterator[Ints]:
    """Yield the queries with a count above 0 in groups of like counts, so that padding them costs little."""
    order = np.argsort(counts, kind="stable")
    order = order[counts[order] > 0]
    while len(order):
        widest = np.maximum.accumulate(counts[order]) * np.arange(1, len(order) + 1)
        most = max(1, int(np.searchsorted(widest, budget, side="right")))
        yield order[:most]
        order = order[most:]
