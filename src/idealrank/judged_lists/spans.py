"""Judgments and results of spans: brought together, and refused where they cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from idealrank._core import Judged, Pool
from idealrank.arrays import Ints
from idealrank.data.documents import read_documents
from idealrank.data.ids import Keyed, id_text
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.span_checks import mixed, refuse_beyond
from idealrank.data.spans import SPANS, Spans, spans_of
from idealrank.decisions import Decisions
from idealrank.errors import DataError, StrangersError, option, plural
from idealrank.judged_lists.judged_spans import JudgedSpans, judged_spans


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
            raise DataError(mixed(other, other.named, one, one.in_tokens))
    refuse_beyond_documents(judgments, results, _texts(judgments) | _texts(results))
    numbers: dict[str, int] = {}
    spans = Spans(judged.stretches(numbers).at(pool.row), chunks.stretches(numbers))
    if chunks.offsets.named.any() and not np.isin(spans.chunks.doc, spans.judged.doc).any():
        raise _strangers(judgments, results)
    return spans


def refuse_beyond_documents(judgments: Judgments, results: Results, texts: Mapping[str, str]) -> None:
    """Refuse spans that end beyond the text of their document, where it is known.

    Raises
    ------
    DataError
        With how many, and three of them.
    """
    for offsets in (spans_of(judgments).offsets, spans_of(results).offsets):
        refuse_beyond(offsets, texts)


def _texts(table: Keyed) -> dict[str, str]:
    part = table.source.part("documents")
    return {} if part is None else read_documents(part, duplicates="first").texts()


def _strangers(judgments: Judgments, results: Results) -> StrangersError:
    theirs, ours = (id_text(docs.distinct(1)[0]) for docs in (spans_of(results).docs, spans_of(judgments).docs))
    return StrangersError(
        f"No chunk in {results.name} is of a document with judged spans: documents are called like {theirs!r} there "
        f"and like {ours!r} in {judgments.name}. Use the same ids, or name the column: {results.roles.way('doc')}."
    )


def among_spans(
    join: Callable[[bool, Ints | None], Judged], pool: Pool, spans: Spans, decisions: Decisions
) -> Callable[[bool, Ints | None], JudgedSpans]:
    """Return a join of spans, given the join of the chunks; every chunk is a hit, judged or not."""

    def joined(dense: bool, only: Ints | None) -> JudgedSpans:
        return judged_spans(join(True, only), pool, spans, decisions.overlap, decisions.counts)

    return joined


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
