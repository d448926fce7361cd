"""Judged lists of spans: chunks are looked up among the judged spans of their documents."""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from idealrank._core import Judged, Pool
from idealrank.arrays import Floats, Ints, Mask, offsets
from idealrank.data.documents import read_documents
from idealrank.data.ids import Keyed, id_text
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.spans import SpanBounds, Spans, TableSpans, mixed_offsets, refuse_beyond, spans_of
from idealrank.decisions.decisions import Decisions
from idealrank.decisions.fields import SPANS
from idealrank.errors import DataError, StrangersError, option, plural, unsaid


def spans_between(judgments: Judgments, results: Results, pool: Pool) -> Spans:
    """Return where the judged spans and the chunks of two tables begin and end.

    Raises
    ------
    DataError
        If one counts characters and the other tokens, or if a span ends beyond the text of its document.
    StrangersError
        If no chunk is of a document with judged spans.
    """
    judged, chunks = spans_of(judgments), spans_of(results)
    for one, other in ((judged.offsets, chunks.offsets), (chunks.offsets, judged.offsets)):
        if one.in_tokens.any() and not other.in_tokens.any() and other.named.any():
            raise DataError(mixed_offsets(other, other.named, one, one.in_tokens))
    refuse_beyond_documents(judgments, results, _document_texts(judgments) | _document_texts(results))
    numbers: dict[str, int] = {}
    spans = Spans(judged.bounds(numbers).at(pool.row), chunks.bounds(numbers))
    if judgments.whole is None and chunks.offsets.named.any() and not np.isin(spans.chunks.doc, spans.judged.doc).any():
        raise _strangers_error(judgments, results)
    return spans


def _document_texts(table: Keyed) -> dict[str, str]:
    part = table.source.part("documents")
    return {} if part is None else read_documents(part, duplicates="first").texts()


def _strangers_error(judgments: Judgments, results: Results) -> StrangersError:
    theirs, ours = (id_text(docs.distinct(1)[0]) for docs in (spans_of(results).docs, spans_of(judgments).docs))
    return StrangersError(
        f"No chunk in {results.name} is of a document with judged spans: documents are called like {theirs!r} there "
        f"and like {ours!r} in {judgments.name}. Use the same ids, or name the column: "
        f"{results.roles.suggest_naming('doc')}."
    )


def refuse_beyond_documents(judgments: Judgments, results: Results, texts: Mapping[str, str]) -> None:
    """Refuse spans that end beyond the text of their document, where it is known.

    Raises
    ------
    DataError
        With how many, and three of them.
    """
    for table in (judgments, results):
        refuse_beyond(spans_of(table).offsets, texts)


class SpanText(NamedTuple):
    """What a span is of, with its own text, and where it is in that of its document; None if that is not known."""

    doc: str
    text: str | None
    place: slice | None

    def within(self, texts: Mapping[str, str]) -> str | None:
        """Return the text of the span: its own, or its part of the document's."""
        whole = texts.get(self.doc)
        return self.text if self.text or whole is None or self.place is None else whole[self.place]


def texts_of_spans(judgments: Judgments, results: Iterable[Results], wanted: Container[str]) -> dict[str, SpanText]:
    """Return what is known of some spans, by the names that they have in judged lists."""
    found: dict[str, SpanText] = {}
    tables: list[TableSpans[Judgments] | TableSpans[Results]] = [spans_of(judgments), *map(spans_of, results)]
    for spans in tables:
        ends, names = spans.offsets, spans.table.source.ids(spans.table.doc).to_list(None)
        for row, name in enumerate(names):
            if name is None or (key := id_text(name)) in found or key not in wanted:
                continue
            place = None if ends.in_tokens[row] else slice(int(ends.begin[row]), int(ends.end[row]))
            found[key] = SpanText(ends.docs[row], ends.texts[row] if ends.texts else None, place)
    return found


def join_spans(
    join: Callable[[bool, Ints | None], Judged], pool: Pool, spans: Spans, decisions: Decisions
) -> Callable[[bool, Ints | None], JudgedSpans]:
    """Return a join of spans, given the join of the chunks; every chunk is a hit, judged or not."""

    def judge_spans(dense: bool, only: Ints | None) -> JudgedSpans:
        return judged_spans(join(True, only), pool, spans, decisions.overlap, decisions.counts)

    return judge_spans


def chunk_counts(judged: Judged | JudgedSpans) -> dict[str, int]:
    """Count the chunks, those that hit judged spans, and of these those that only repeat; nothing without spans."""
    if not isinstance(judged, JudgedSpans):
        return {}
    every = int(judged.chunks.returned.sum())
    return {"chunks": every, "hitting": judged.hitting, "repeating": judged.repeating}


def hits_in_words(counts: Mapping[str, int], decisions: Decisions) -> str:
    """Say how many chunks hit judged spans, and how many of them only spans that come before."""
    chunks, hitting, repeating = counts["chunks"], counts["hitting"], counts["repeating"]
    keep = decisions.counts == "returned"
    one = f"hits only spans that come before and {'keeps its rank' if keep else 'takes no rank'}"
    several = f"hit only spans that come before and {'keep their ranks' if keep else 'take no rank'}"
    only = f"; {repeating} {one if repeating == 1 else several}" if repeating else ""
    hit = "hits a judged span" if hitting == 1 else "hit judged spans"
    how = f"overlap={decisions.overlap}, counts={decisions.counts}"
    return f"{hitting} of {plural(chunks, 'chunk')} {hit}{only} ({how})"


def refuse_span_answers(decisions: Decisions) -> None:
    """Refuse answers that say nothing of spans.

    Raises
    ------
    DataError
        With what to answer.
    """
    for name, answer in (("roll_up", "first"), ("unit_grade", "max")):
        if decisions.text(name) != answer:
            raise DataError(
                f"{name}={decisions.text(name)} does not apply to unit={SPANS}: a span is credited to the first chunk "
                f"that hits it, and has the grade it was given. Use {option(name, answer)}."
            )


def refuse_tied(judged: Judged | JudgedSpans, decisions: Decisions) -> None:
    """Refuse orders of tied chunks that depend on grades: which chunk a span is credited to would change.

    Raises
    ------
    DataError
        With how many chunks are tied.
    """
    if decisions.unit != SPANS or decisions.ties not in ("average", "best", "worst") or not judged.tied.any():
        return
    raise DataError(
        f"ties={decisions.ties} is not computed for spans, and {plural(int(judged.tied.sum()), 'chunk')} are tied: the "
        f"order of tied chunks decides which of them is credited. Use {option('ties', 'docid_desc')}."
    )


# Judged lists of spans.


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
class _OrderedChunks:
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
    ordered = _order_chunks(chunks, pool, spans, overlap)
    if counts not in ("units", "returned"):
        raise unsaid("counts", counts, __name__)
    rank = ordered.rank if counts == "returned" else _unit_ranks(ordered)
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


def _order_chunks(chunks: Judged, pool: Pool, spans: Spans, overlap: str) -> _OrderedChunks:
    size = len(chunks.returned)
    rank, _, _, row, _, _ = chunks.hits(0, size)
    query = np.repeat(np.arange(size), np.diff(chunks.hit_start))
    of_pool = np.repeat(np.arange(size), np.diff(pool.start))
    found = spans.chunks.at(row)
    pairs = find_hits(found, query, spans.judged, of_pool, overlap)
    first = np.sort(np.unique(pairs.span, return_index=True)[1])
    hit = np.bincount(pairs.chunk, minlength=len(rank)) > 0
    read = in_read_documents(found, query, spans.judged, of_pool)
    return _OrderedChunks(query, rank, row, read, hit, pairs.chunk[first], pairs.span[first])


def _place_in_chunk(ordered: _OrderedChunks) -> Ints:
    """(P,) place of each pair among those of its chunk, from 0."""
    start = offsets(ordered.new)
    return np.arange(len(ordered.chunk)) - start[ordered.chunk]


def _unit_ranks(ordered: _OrderedChunks) -> Ints:
    """(C,) rank of the first thing that each chunk brings: a new span, or the chunk that hits none."""
    before = np.concatenate(([0], ordered.rank[:-1]))
    begins = np.diff(ordered.query, prepend=-1) != 0
    gap = ordered.rank - np.where(begins, 0, before) - 1
    end = np.cumsum(gap + _ranks_taken(ordered))
    done = np.concatenate(([0], end[:-1]))
    return end - _ranks_taken(ordered) + 1 - _repeat_by_chunk(done[begins], ordered.query, begins)


def _repeat_by_chunk(values: Ints, query: Ints, begins: Mask) -> Ints:
    """(C,) the value of each chunk's query, given one for each query that has chunks."""
    return values[np.cumsum(begins) - 1] if len(query) else values


def _ranks_taken(ordered: _OrderedChunks) -> Ints:
    """(C,) ranks that each chunk takes: one per new span, one if it hits nothing, none if it only repeats."""
    return np.where(ordered.hit, ordered.new, 1)


def _last_ranks(ordered: _OrderedChunks, rank: Ints, size: int) -> Ints:
    last = np.zeros(size, np.int64)
    np.maximum.at(last, ordered.query, rank + _ranks_taken(ordered) - 1)
    return last


# Hits: the decision `overlap`.


class SpanHits(NamedTuple):
    """Chunks and judged spans that they hit: (P,) indices of each."""

    chunk: Ints
    span: Ints


def find_hits(chunks: SpanBounds, chunk_query: Ints, spans: SpanBounds, span_query: Ints, overlap: str) -> SpanHits:
    """Return every chunk with each judged span of the same query and document that it hits.

    Parameters
    ----------
    chunks, chunk_query
        (C,) chunks, in order of rank within each query, and the query of each.
    spans, span_query
        (J,) judged spans, and the query of each.

    Returns
    -------
    By chunk; the spans that one chunk hits are in the order of the text.
    """
    chunk, span = _equal_pairs(_text_keys(chunk_query, chunks, spans), _text_keys(span_query, spans, chunks))
    kept = _is_hit(chunks.at(chunk), spans.at(span), overlap)
    chunk, span = chunk[kept], span[kept]
    order = np.lexsort((spans.end[span], spans.begin[span], chunk))
    return SpanHits(chunk[order], span[order])


def _equal_pairs(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return every pair of places with equal keys."""
    order = np.argsort(right, kind="stable")
    first = np.searchsorted(right[order], left)
    counts = np.searchsorted(right[order], left, side="right") - first
    end = np.cumsum(counts)
    place = np.arange(counts.sum()) + np.repeat(first - (end - counts), counts)
    return np.repeat(np.arange(len(left)), counts), order[place]


def _is_hit(chunks: SpanBounds, spans: SpanBounds, overlap: str) -> Mask:
    """(P,) whether each chunk hits the span beside it."""
    common = np.minimum(chunks.end, spans.end) - np.maximum(chunks.begin, spans.begin)
    rule, _, share = overlap.rstrip(")").partition("(")
    if rule == "any":
        return common > 0
    whole = {"span": spans.size, "chunk": chunks.size, "iou": chunks.size + spans.size - common}
    if rule not in whole:
        raise unsaid("overlap", overlap, __name__)
    # Characters are whole: 3 of 10 are a share of 0.3, which binary fractions do not say exactly.
    enough: Mask = (common > 0) & (common >= np.ceil(np.round(float(share) * whole[rule], 9)))
    return enough


def in_read_documents(chunks: SpanBounds, chunk_query: Ints, spans: SpanBounds, span_query: Ints) -> Mask:
    """(C,) which chunks are of documents with judged spans for their query, so that somebody read them."""
    return np.isin(_text_keys(chunk_query, chunks, spans), _text_keys(span_query, spans, chunks))


def _text_keys(query: Ints, mine: SpanBounds, others: SpanBounds) -> Ints:
    """(N,) a number for each query and document, the same on both sides."""
    documents = int(max(mine.doc.max(initial=0), others.doc.max(initial=0))) + 1
    return query * documents + mine.doc
