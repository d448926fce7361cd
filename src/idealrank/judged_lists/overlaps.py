"""Which chunks hit which judged spans: the decision `overlap`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Ints, Mask
from idealrank.data.spans import Stretches
from idealrank.errors import unsaid


class Hits(NamedTuple):
    """Chunks and judged spans that they hit: (P,) indices of each."""

    chunk: Ints
    span: Ints


def hits_of(chunks: Stretches, chunk_query: Ints, spans: Stretches, span_query: Ints, overlap: str) -> Hits:
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
    chunk, span = _alike(_keys(chunk_query, chunks, spans), _keys(span_query, spans, chunks))
    kept = _overlap(chunks.at(chunk), spans.at(span), overlap)
    chunk, span = chunk[kept], span[kept]
    order = np.lexsort((spans.end[span], spans.begin[span], chunk))
    return Hits(chunk[order], span[order])


def are_read(chunks: Stretches, chunk_query: Ints, spans: Stretches, span_query: Ints) -> Mask:
    """(C,) which chunks are of documents with judged spans for their query, so that somebody read them."""
    return np.isin(_keys(chunk_query, chunks, spans), _keys(span_query, spans, chunks))


def _keys(query: Ints, mine: Stretches, others: Stretches) -> Ints:
    """(N,) a number for each query and document, the same on both sides."""
    documents = int(max(mine.doc.max(initial=0), others.doc.max(initial=0))) + 1
    return query * documents + mine.doc


def _alike(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return every pair of places with equal keys."""
    order = np.argsort(right, kind="stable")
    first = np.searchsorted(right[order], left)
    counts = np.searchsorted(right[order], left, side="right") - first
    end = np.cumsum(counts)
    place = np.arange(counts.sum()) + np.repeat(first - (end - counts), counts)
    return np.repeat(np.arange(len(left)), counts), order[place]


def _overlap(chunks: Stretches, spans: Stretches, overlap: str) -> Mask:
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
