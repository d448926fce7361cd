"""Segments of documents: a column of the documents table and scores go in, means and shares by segment come out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import SAME, Floats, Mask, exact_sum
from idealrank.data.documents import read_documents
from idealrank.data.formats.objects import is_row
from idealrank.display.blocks import SHOWN_ROWS, Block, Lines
from idealrank.display.document import Shown
from idealrank.display.table import Table
from idealrank.errors import UsageError, plural
from idealrank.evaluation.document_groups import DocumentGroups, document_groups
from idealrank.evaluation.document_sums import DocumentSums, document_sums
from idealrank.evaluation.groups import NO_VALUE
from idealrank.evaluation.means import averaged
from idealrank.evaluation.query_tables import measure_table
from idealrank.evaluation.values import Values

MEANING = (
    "mean: over the queries with a relevant document of the segment; other results keep their ranks and count as not "
    "relevant. recall: share of the segment's relevant documents that are within the cutoff. Shares add up to 1 over "
    "the segments."
)


@dataclass(frozen=True, eq=False, repr=False)
class DocumentSegments(Shown):
    """Means, recall and shares of the loss by segment of the documents.

    The table has one row per measure, system and segment:

    ``relevant``
        The number of relevant documents of the segment, over the queries counted; for graded measures, of documents
        with a gain above 0. A document that is relevant to two queries counts twice.
    ``queries``, ``not applicable``, ``left out``
        The number of queries with a relevant document of the segment, of those without one, which have no value here,
        and of those that have one, but no value under the decisions, as after a failed search. Together they are the
        judged queries asked for; the last column is missing if no query is left out.
    ``mean``
        The (weighted) mean of the measure over `queries` if only documents of this segment are relevant: all other
        results keep their ranks and count as not relevant.
    ``recall``
        The share of `relevant` that was returned within the cutoff of the measure.
    ``share of score``
        The share of the segment's results in what all results add to the (weighted) sum of the values.
    ``share of loss``
        What the ideal list earns from documents of the segment minus what the system earned from them, as a share of
        the whole loss. Where equally good documents compete for places in the ideal list, each has an equal part. It
        is below 0 if the system earned more from the segment than the ideal list does.

    Both shares add up to 1 over the segments. A share is missing if there is nothing to share, and for measures whose
    value is no sum over results, the second also for measures without an ideal list; `notes` names them.

    Attributes
    ----------
    column
        The column of the documents table.
    table
        The numbers.
    notes
        How many documents have no segment, and which measures have no shares.

    Examples
    --------
    >>> import idealrank as ir
    >>> types = {"a": "page", "b": "page", "f": "pdf"}
    >>> judged = {"q1": {"a": 1, "f": 1}, "q2": {"b": 1}}
    >>> scores = ir.evaluate(judged, {"q1": {"x": 2.0, "a": 1.0}, "q2": {"b": 1.0}}, ["R"])
    >>> found = scores.by_document("type", types)
    >>> for row in found.table:
    ...     row["segment"], row["queries"], row["not applicable"], row["mean"], row["share of loss"]
    ('page', 2, 0, 1.0, 0.0)
    ('pdf', 1, 1, 0.0, 1.0)
    """

    column: str
    table: Table
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the column, the rows and the notes as plain values, for JSON."""
        return {"column": self.column, "rows": self.table.rows(), "notes": [*self.notes, MEANING]}

    def shown(self) -> list[Block]:
        """Return one row per measure, system and segment, and the notes."""
        return [self.table.grid(SHOWN_ROWS), *self.account()]

    def account(self) -> list[Block]:
        """Say what the numbers are, and the notes."""
        first, *others = (*self.notes, MEANING)
        return [Lines([("segments", first), *(("", note) for note in others)])]


def document_segments(scores: Values, column: str, documents: Any) -> DocumentSegments:
    """Return means, recall and shares of the loss by segment of the documents: see `Scores.by_document`.

    Raises
    ------
    UsageError
        If the column is not named by a text.
    """
    if not isinstance(column, str) or not column:
        raise UsageError(f"by_document: {column!r} names no column. Name one column of the documents, such as 'type'.")
    duplicates = scores.setting.decisions.duplicates
    table = _with_column(column, documents) if isinstance(documents, Mapping) else documents
    known = read_documents(table, duplicates=duplicates, column=column)
    groups = document_groups(scores, known, column)
    rows: list[dict[str, Any]] = []
    missing: dict[str, list[str]] = {}
    for m, label in enumerate(scores.labels):
        for s, system in enumerate(scores.systems):
            sums = document_sums(scores, s, m, groups)
            key = {"measure": label} | ({"system": system} if len(scores.systems) > 1 else {})
            rows += [key | row for row in _rows(scores, s, m, sums, groups)]
            missing[label] = _missing(sums, label)
    if not any(row["left out"] for row in rows):
        rows = [{name: value for name, value in row.items() if name != "left out"} for row in rows]
    table = measure_table(scores, rows, "segments of documents")
    return DocumentSegments(column, table, (*_found(groups, column, known.name), *itertools.chain(*missing.values())))


def _with_column(column: str, documents: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Name the values of ``{id: value}`` after the column; other dicts name their columns themselves."""
    return {doc: {column: value} for doc, value in documents.items()} if is_row(documents) else documents


def _rows(scores: Values, s: int, m: int, sums: DocumentSums, groups: DocumentGroups) -> list[dict[str, Any]]:
    """Return one row per segment."""
    there = ~np.isnan(scores.values[s, m])
    of_score, of_loss = (_shares(scores, amounts, there, groups) for amounts in (sums.earned, _lost(sums)))
    rows = []
    for g, name in enumerate(groups.names):
        applies = (sums.relevant[:, g] > 0) & scores.in_scope
        values = scores.values[s, m] if sums.values is None else sums.values[:, g]
        counted = applies & ~np.isnan(values)
        rows.append(
            {
                "segment": name,
                **_counts(scores, sums, g, applies, counted),
                "mean": math.nan if sums.values is None else _mean(scores, m, np.where(counted, values, math.nan)),
                "recall": _ratio(sums.returned[counted, g].sum(), sums.relevant[counted, g].sum()),
                "share of score": float(of_score[g]),
                "share of loss": float(of_loss[g]),
            }
        )
    return rows


def _counts(scores: Values, sums: DocumentSums, g: int, applies: Mask, counted: Mask) -> dict[str, int]:
    return {
        "relevant": int(sums.relevant[counted, g].sum()),
        "queries": int(counted.sum()),
        "not applicable": int((scores.in_scope & ~applies).sum()),
        "left out": int((applies & ~counted).sum()),
    }


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan


def _mean(scores: Values, m: int, values: Floats) -> float:
    """Average the queries to which the segment applies; NaN without one."""
    if np.isnan(values).all():
        return math.nan
    measure = scores.measures[m]
    return averaged(values, measure.decisions, measure.definition.total, scores.weights)


def _lost(sums: DocumentSums) -> Floats | None:
    return None if sums.ideal is None or sums.earned is None else sums.ideal - sums.earned


def _shares(scores: Values, amounts: Floats | None, there: Mask, groups: DocumentGroups) -> Floats:
    """(G,) the share of each group in (Q, G) amounts; NaN if they are unknown, or add up to nothing."""
    if amounts is None:
        return np.full(len(groups.names), math.nan)
    weights = np.ones(len(there)) if scores.weights is None else scores.weights
    weighed = weights[there, None] * amounts[there]
    whole = exact_sum(weighed.ravel())
    parts = np.array([exact_sum(column.copy()) for column in weighed.T])
    nothing = SAME * np.abs(weighed).sum()
    return np.where(np.abs(parts) > nothing, parts, 0.0) / (whole if abs(whole) > nothing else math.nan)


def _found(groups: DocumentGroups, column: str, table: str) -> Iterator[str]:
    """Say what the segments are, and how many judged documents have none."""
    yield f"column {column} of {table}; {plural(groups.judged, 'judged document')}"
    if groups.absent or groups.empty:
        yield f"{NO_VALUE}: {groups.absent} of them not in the table, {groups.empty} without a value in it"


def _missing(sums: DocumentSums, label: str) -> list[str]:
    """Say which numbers of a measure are missing, and why."""
    if sums.values is None:
        return [f"{label}: no mean and no share of loss, as it reads judgments by subtopic"]
    if sums.earned is None:
        return [f"{label}: no shares, as it is no sum over results: {sums.unsplit}"]
    return [f"{label}: no share of loss, as it has no ideal list"] if sums.ideal is None else []
