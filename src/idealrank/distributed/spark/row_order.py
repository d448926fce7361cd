"""Decisions that read the order of rows, which Spark does not keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idealrank.distributed.spark.tables import SparkTable
from idealrank.errors import UsageError
from idealrank.measures import Measure

_WAYS = {
    "order_by": "order_by=rank or order_by=score with such a column",
    "ties": "ties=docid_desc or another answer",
    "duplicates": "duplicates=max or error",
}
"""What else to answer, by decision."""


def refuse_row_order(measures: Sequence[Measure], judgments: SparkTable, results: SparkTable) -> None:
    """Refuse decisions that need an order of rows where no column numbers the rows.

    Raises
    ------
    UsageError
        With the decision, and what to pass.
    """
    if judgments.row_number and results.row_number:
        return
    for measure in measures:
        for name, answer in _reading(measure, results):
            raise UsageError(
                f"{measure}: {name}={answer} reads the order of rows, which Spark does not keep. Number the rows of "
                f"both tables in a column when they are written, and name it: row_number='…'. Or choose {_WAYS[name]}."
            )


def _reading(measure: Measure, results: SparkTable) -> Iterator[tuple[str, str]]:
    decisions = measure.decisions
    ordered = "rank" in results.roles or "score" in results.roles
    if decisions.order_by == "given" or (decisions.order_by == "auto" and not ordered):
        yield "order_by", decisions.order_by
    if decisions.ties == "given":
        yield "ties", "given"
    if decisions.duplicates in ("first", "last"):
        yield "duplicates", decisions.duplicates
