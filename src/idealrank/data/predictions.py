"""A file of predictions, one number per line, becomes results for the rows of the judgments."""

from __future__ import annotations

from dataclasses import replace

from idealrank._core import from_columns
from idealrank.data.formats.source import Source
from idealrank.data.judgments import Judgments
from idealrank.errors import DataError


def results_of_rows(table: Source, judgments: Judgments | None) -> Source:
    """Return a table with the query and the document of each row of the judgments beside the predictions.

    Raises
    ------
    DataError
        If there are no judgments, or they have another number of rows.
    """
    if judgments is None:
        raise DataError(
            f"{table.name}: one number per line, which are predictions for the rows of judgments. Give these "
            "judgments first, such as the SVMlight file that was ranked."
        )
    rows, predictions = judgments.source.frame.rows, table.frame.rows
    if rows != predictions:
        raise DataError(
            f"{table.name}: {predictions:,} predictions, but {judgments.name} has {rows:,} rows. Give one prediction "
            "per row, in the same order."
        )
    score = table.number(0)
    assert score is not None
    columns = [judgments.keys.query, judgments.source.ids(judgments.doc), score]
    return replace(table, frame=from_columns(["query_id", "doc_id", "score"], columns))
