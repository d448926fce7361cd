"""Measures over characters: how much of the judged spans the chunks contain, and how much else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.decisions.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.measures.definition import DEFINED, SHARE, Family
from idealrank.measures.gains import within_cutoff
from idealrank.measures.steps import Steps

if TYPE_CHECKING:
    # Importing it would load the readers and the core, which `idealrank measures` does not need.
    from idealrank.data.spans import SpanBounds

FAMILY = Family(__doc__, by_span=True, shared_ranks=True)
measure = FAMILY.measure

_READS = ("relevant_from", "negative", "cutoff")


_ONCE = """\
A character of several relevant spans, or of several chunks, is found once. In the divisors of CharP and CharIoU it
counts once for each chunk that contains it, so redundant chunks cost. The measures read every chunk at its own rank,
and neither `overlap` nor `counts`.

Where relevant spans of a query overlap each other, the code of the report counts their common characters several
times in its divisors, so that its recall cannot reach 1; here they count once."""


@measure(
    "CharR",
    title="Character recall: the share of the relevant spans' characters that are in the first k chunks",
    shared=_ONCE,
    reads=(*_READS, "no_relevant"),
    properties=SHARE._replace(average="none"),
    aliases=("char_recall", "character_recall"),
)
def character_recall(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Characters of the relevant spans that are in the first k chunks, divided by all characters of relevant spans.

    0/0 if no span is relevant.

    Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024; its code
    chunking_evaluation, ``recall``.

    Examples
    --------
    >>> import idealrank as ir
    >>> spans = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [30], "grade": [1]}
    >>> chunks = {"query": ["q", "q"], "doc": ["d", "d"], "begin": [0, 20], "end": [20, 40], "score": [2, 1]}
    >>> ir.evaluate(spans, chunks, ["CharR@1"], unit="spans")["CharR@1"]
    0.5
    """
    found = _found_characters(lists, decisions, cutoff)
    return Steps(lists, found.columns, found.new, found.relevant)


@measure(
    "CharP",
    title="Character precision: the share of the first k chunks' characters that are in relevant spans",
    shared=_ONCE,
    reads=_READS,
    properties=DEFINED._replace(average="none"),
    aliases=("char_precision", "character_precision"),
)
def character_precision(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Characters of the relevant spans that are in the first k chunks, divided by the lengths of these chunks.

    Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024; its code
    chunking_evaluation, ``precision``.

    Examples
    --------
    >>> import idealrank as ir
    >>> spans = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [30], "grade": [1]}
    >>> chunks = {"query": ["q", "q"], "doc": ["d", "d"], "begin": [0, 20], "end": [20, 60], "score": [2, 1]}
    >>> round(ir.evaluate(spans, chunks, ["CharP@2"], unit="spans")["CharP@2"], 4)
    0.3333
    """
    found = _found_characters(lists, decisions, cutoff)
    return Steps(lists, found.columns, found.new, np.maximum(found.returned, 1.0))


@measure(
    "CharIoU",
    title="Character IoU: the characters that relevant spans and the first k chunks share, of all in either",
    shared=_ONCE,
    reads=_READS,
    properties=DEFINED._replace(average="none"),
    aliases=("char_iou", "character_iou"),
)
def character_iou(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> Steps:
    """Characters of the relevant spans in the first k chunks, divided by the chunks' lengths + those not in them.

    Source: Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma technical report, 2024; its code
    chunking_evaluation, ``iou``.

    Examples
    --------
    >>> import idealrank as ir
    >>> spans = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [30], "grade": [1]}
    >>> chunks = {"query": ["q", "q"], "doc": ["d", "d"], "begin": [0, 20], "end": [20, 40], "score": [2, 1]}
    >>> ir.evaluate(spans, chunks, ["CharIoU@2"], unit="spans")["CharIoU@2"]
    0.5
    """
    found = _found_characters(lists, decisions, cutoff)
    either = found.returned + found.relevant - lists.per_query(found.new)
    return Steps(lists, found.columns, found.new, np.maximum(either, 1.0))


class _Characters(NamedTuple):
    """(H,) relevant characters that each chunk brings, at its first hit; (Q,) characters returned and relevant."""

    columns: dict[str, Floats]
    new: Floats
    returned: Floats
    relevant: Floats


def _found_characters(lists: JudgedLists, decisions: Decisions, cutoff: int | None) -> _Characters:
    assert lists.spans is not None
    counts = within_cutoff(lists, cutoff, decisions)
    places = np.flatnonzero(lists.opens_rank & (lists.row >= 0))
    good = reaches(lists.pool_grade, decisions.relevant_from)
    chunks = lists.spans.chunks.at(lists.row[places])
    spans = lists.spans.judged.at(lists.pool_entry[good])
    added = _attribute_pieces(spans, lists.pool_query[good], chunks, lists.query[places])
    new, size = np.zeros(len(counts)), np.zeros(len(counts))
    new[places], size[places] = added.new, chunks.size
    relevant = _sum_by_place(lists.pool_query[good], added.relevant, lists.size)
    return _Characters({"characters": size, "new": new}, new * counts, lists.per_query(size * counts), relevant)


class _Added(NamedTuple):
    """What each relevant span adds to those before it, and what each chunk adds of relevant characters."""

    relevant: Floats
    new: Floats


def _attribute_pieces(spans: SpanBounds, span_query: Ints, chunks: SpanBounds, chunk_query: Ints) -> _Added:
    """Cut all texts where a span or a chunk begins or ends; each piece belongs to the first that covers it."""
    documents = 1 + max(spans.doc.max(initial=0), chunks.doc.max(initial=0))
    width = 1 + max(spans.end.max(initial=0), chunks.end.max(initial=0))
    keys = [span_query * documents + spans.doc, chunk_query * documents + chunks.doc]
    text = np.split(np.unique(np.concatenate(keys), return_inverse=True)[1] * width, [len(span_query)])
    lines = [np.stack((at + one.begin, at + one.end)) for at, one in zip(text, (spans, chunks), strict=True)]
    points = np.unique(np.concatenate([line.ravel() for line in lines]))
    length = np.diff(points, append=0).astype(np.float64)
    (first, covered), (chunk, pieces) = (_first_covers(np.searchsorted(points, line)) for line in lines)
    relevant: Mask = np.zeros(len(points), np.bool_)
    relevant[covered] = True
    return _Added(
        _sum_by_place(first, length[covered], len(span_query)),
        _sum_by_place(chunk, (length * relevant)[pieces], len(chunk_query)),
    )


def _sum_by_place(places: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(places, weights=values, minlength=size).astype(np.float64, copy=False)


def _first_covers(ends: Ints) -> tuple[Ints, Ints]:
    """Return the pieces that some stretches cover, each with the first stretch that does."""
    begin, end = ends
    counts = end - begin
    last = np.cumsum(counts)
    pieces = np.arange(counts.sum()) + np.repeat(begin - (last - counts), counts)
    found, place = np.unique(pieces, return_index=True)
    return np.repeat(np.arange(len(begin)), counts)[place], found
