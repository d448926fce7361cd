"""Judged lists of spans: each chunk is looked up among the judged spans, and each span is credited once."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from idealrank._core import Judged, Pool
from idealrank.arrays import Floats, Ints, Mask, offsets
from idealrank.data.spans import Spans
from idealrank.errors import unsaid
from idealrank.judged_lists.overlaps import are_read, hits_of


@dataclass(frozen=True, eq=False)
class JudgedSpans:
    """What `idealrank._core.Judged` says, of spans: a chunk may hit several of them, or none.

    Attributes
    ----------
    chunks
        The chunks in order, none of them judged.
    returned
        (Q,) ranks of each query: every chunk has one (``counts=returned``), or every new span and every chunk that
        hits none (``counts=units``).
    hit_start, rank, grade, entry, row
        As in judged lists: of every new span, and of every chunk that brings none but has a rank. Such a chunk has
        grade 0 if its document has judged spans for the query, since it was read; others are unjudged.
    hitting, repeating
        Number of chunks that hit a span, and of those that hit only spans that come before.
    """

    chunks: Judged
    returned: Ints
    hit_start: Ints
    rank: Ints
    grade: Floats
    entry: Ints
    row: Ints
    hitting: int
    repeating: int

    @property
    def listed(self) -> Mask:
        """(Q,) whether the query occurs in the run."""
        return self.chunks.listed

    @property
    def tied(self) -> Ints:
        """(Q,) chunks of the query that share their key with another."""
        return self.chunks.tied

    @property
    def tied_repeats(self) -> bool:
        """Whether a part without a grade is tied: chunks that only repeat have grade 0."""
        return False

    @property
    def unjudged_queries(self) -> list[str]:
        """Queries of the run without judgments."""
        return self.chunks.unjudged_queries

    @property
    def unjudged_returned(self) -> Ints:
        """Chunks of each query without judgments."""
        return self.chunks.unjudged_returned

    def hits(self, first: int, last: int) -> tuple[Ints, Floats, Ints, Ints, Ints, Ints]:
        """Return the hits of queries ``first:last``: rank, grade, entry, row, and no ties: first and last rank."""
        part = slice(*self.hit_start[[first, last]].tolist())
        rank = self.rank[part]
        return rank, self.grade[part], self.entry[part], self.row[part], rank, rank

    def repeated_within(self, depth: int | None = None) -> Ints:
        """(Q,) parts within a depth that have no grade of their own: none, as chunks that only repeat have grade 0."""
        return np.zeros_like(self.returned)

    def judged_within(self, depth: int | None = None, below_zero: bool = True) -> Ints:
        """(Q,) ranks within a depth that have a grade; with or without those of a grade below zero."""
        found = ~np.isnan(self.grade) & (below_zero | ~(self.grade < 0))
        found &= self.rank <= (self.rank.max(initial=0) if depth is None else depth)
        places = np.flatnonzero(found)
        query = np.searchsorted(self.hit_start, places, side="right") - 1
        first = (np.diff(query, prepend=-1) != 0) | (np.diff(self.rank[places], prepend=-1) != 0)
        return np.bincount(query[first], minlength=len(self.returned))


@dataclass(frozen=True, eq=False)
class _Ordered:
    """The C chunks of all queries in order, and the P pairs of a chunk and a span that it is the first to hit."""

    query: Ints
    rank: Ints
    row: Ints
    read: Mask
    hit: Mask
    chunk: Ints
    entry: Ints

    @functools.cached_property
    def new(self) -> Ints:
        """(C,) spans that each chunk is the first to hit."""
        return np.bincount(self.chunk, minlength=len(self.rank))

    @property
    def repeats(self) -> Mask:
        """(C,) which chunks hit only spans that come before."""
        repeats: Mask = self.hit & (self.new == 0)
        return repeats


def judged_spans(chunks: Judged, pool: Pool, spans: Spans, overlap: str, counts: str) -> JudgedSpans:
    """Look chunks up among judged spans.

    Parameters
    ----------
    chunks
        The chunks in order: the join of their ids, which are not judged, in the dense form.
    pool
        The judged spans.
    spans
        Where spans and chunks begin and end.
    overlap, counts
        The answers to these decisions.
    """
    ordered = _ordered(chunks, pool, spans, overlap)
    if counts not in ("units", "returned"):
        raise unsaid("counts", counts, __name__)
    rank = ordered.rank if counts == "returned" else _ranks_of_units(ordered)
    returned = chunks.returned if counts == "returned" else _last_ranks(ordered, rank, len(chunks.returned))
    kept = np.flatnonzero((ordered.new == 0) & (~ordered.repeats | (counts == "returned")))
    hits = np.concatenate((ordered.chunk, kept))
    entry = np.concatenate((ordered.entry, np.full(len(kept), -1)))
    within = np.concatenate((_place_in_chunk(ordered) * (counts == "units"), np.zeros(len(kept), np.int64)))
    order = np.argsort(hits, kind="stable")
    hits, entry, within = hits[order], entry[order], within[order]
    without = np.where(ordered.read[hits], 0.0, np.nan)
    return JudgedSpans(
        chunks=chunks, returned=returned, hit_start=offsets(np.bincount(ordered.query[hits], minlength=len(returned))),
        rank=rank[hits] + within, grade=np.where(entry >= 0, pool.grade[entry], without), entry=entry,
        row=ordered.row[hits], hitting=int(ordered.hit.sum()), repeating=int(ordered.repeats.sum()),
    )  # fmt: skip


def _ordered(chunks: Judged, pool: Pool, spans: Spans, overlap: str) -> _Ordered:
    size = len(chunks.returned)
    rank, _, _, row, _, _ = chunks.hits(0, size)
    query = np.repeat(np.arange(size), np.diff(chunks.hit_start))
    of_pool = np.repeat(np.arange(size), np.diff(pool.start))
    found = spans.chunks.at(row)
    pairs = hits_of(found, query, spans.judged, of_pool, overlap)
    first = np.sort(np.unique(pairs.span, return_index=True)[1])
    hit = np.bincount(pairs.chunk, minlength=len(rank)) > 0
    read = are_read(found, query, spans.judged, of_pool)
    return _Ordered(query, rank, row, read, hit, pairs.chunk[first], pairs.span[first])


def _place_in_chunk(ordered: _Ordered) -> Ints:
    """(P,) place of each pair among those of its chunk, from 0."""
    start = offsets(ordered.new)
    return np.arange(len(ordered.chunk)) - start[ordered.chunk]


def _ranks_of_units(ordered: _Ordered) -> Ints:
    """(C,) rank of the first thing that each chunk brings: a new span, or the chunk that hits none."""
    before = np.concatenate(([0], ordered.rank[:-1]))
    begins = np.diff(ordered.query, prepend=-1) != 0
    gap = ordered.rank - np.where(begins, 0, before) - 1
    end = np.cumsum(gap + _ranks_taken(ordered))
    done = np.concatenate(([0], end[:-1]))
    return end - _ranks_taken(ordered) + 1 - _spread(done[begins], ordered.query, begins)


def _spread(values: Ints, query: Ints, begins: Mask) -> Ints:
    """(C,) the value of each chunk's query, given one for each query that has chunks."""
    return values[np.cumsum(begins) - 1] if len(query) else values


def _ranks_taken(ordered: _Ordered) -> Ints:
    """(C,) ranks that each chunk takes: one per new span, one if it hits nothing, none if it only repeats."""
    return np.where(ordered.hit, ordered.new, 1)


def _last_ranks(ordered: _Ordered, rank: Ints, size: int) -> Ints:
    last = np.zeros(size, np.int64)
    np.maximum.at(last, ordered.query, rank + _ranks_taken(ordered) - 1)
    return last
