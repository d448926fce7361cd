"""What executors run: the rows of some queries come in as two Arrow tables, and are evaluated.

Every task is a pure function of the rows it is given, so a task that runs twice changes nothing. One row comes out,
which contains a portion of the scores or a survey as bytes.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.portion import Portion, evaluate_part, join_part, survey_part
from idealrank.distributed.survey import Survey
from idealrank.evaluation.scoring import QueryState
from idealrank.judged_lists.join import Join

if TYPE_CHECKING:
    import pyarrow as pa

    Task = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
    GroupTask = Callable[[pa.Table], pa.Table]

BUCKET_ROWS = 50_000
"""About how many rows a bucket has."""

LARGE_QUERY = 5_000_000
"""Rows from which a query is said to be large."""

SURVEYS, PORTIONS = "survey binary", "portion binary, queries bigint, rows bigint, large string"
MADE = "made binary"


def rows_in_order(rows: pa.Table, row_number: str) -> Any:
    """Return rows in the order of their numbers; None if there are none."""
    if not rows.num_rows:
        return None
    return rows.sort_by(row_number) if row_number else rows


class SparkColumns(NamedTuple):
    """The names of the columns of a table, and which of them numbers the rows; "" if none does."""

    names: tuple[str, ...]
    row_number: str

    def of(self, side: str, group: pa.Table) -> Any:
        """Return the rows of a table in a group, in their order; None if there are none."""
        import pyarrow.compute as pc

        rows = group.filter(pc.equal(group.column("side"), side))
        columns = rows.select([f"{side}{place}" for place in range(len(self.names))])
        return rows_in_order(columns.rename_columns(list(self.names)), self.row_number)


def survey_judgments_task(plan: EvaluationPlan, columns: SparkColumns) -> GroupTask:
    """Return the task that surveys grouped judgments."""

    def task(group: pa.Table) -> pa.Table:
        return _table({"survey": pickle.dumps(survey_part(plan, columns.of("judgment", group), None))})

    return task


def _table(row: dict[str, Any]) -> pa.Table:
    import pyarrow as pa

    return pa.table({name: [value] for name, value in row.items()})


def survey_results_task(plan: EvaluationPlan) -> Task:
    """Return the task that surveys results where they are, without a shuffle: it does not need whole queries."""

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        tables = (pa.Table.from_batches([batch]) for batch in batches if batch.num_rows)
        if surveys := [survey_part(plan, None, table) for table in tables]:
            yield pa.RecordBatch.from_pydict({"survey": [pickle.dumps(Survey.merge(surveys))]})

    return task


def evaluate_task(
    plan: EvaluationPlan, survey: Survey, columns: tuple[SparkColumns, SparkColumns], large_query: int
) -> GroupTask:
    """Return the task that evaluates a bucket.

    Parameters
    ----------
    columns
        Those of the judgments and of the results.
    large_query
        As `LARGE_QUERY`, which executors do not read: there, it is as it was installed.
    """

    def task(group: pa.Table) -> pa.Table:
        import pyarrow as pa

        judged, returned = columns[0].of("judgment", group), columns[1].of("result", group)
        portion = evaluate_part(plan, survey, judged, returned)
        assert isinstance(portion, Portion), "the survey of all rows covers every part"
        row = {"portion": pickle.dumps(portion), "queries": len(portion.values.queries), "rows": group.num_rows}
        large = pa.array([largest_query(plan, returned, large_query)], pa.string())
        return _table(row).append_column("large", large)

    return task


def rejoin_task(
    plan: EvaluationPlan, survey: Survey, columns: tuple[SparkColumns, SparkColumns], work: Callable[[list[Join]], Any]
) -> GroupTask:
    """Return the task that calls a function with the joins of a bucket, and returns its result as bytes."""

    def task(group: pa.Table) -> pa.Table:
        judged, returned = columns[0].of("judgment", group), columns[1].of("result", group)
        return _table({"made": pickle.dumps(work(join_part(plan, survey, judged, returned)))})

    return task


def largest_query(plan: EvaluationPlan, results: Any, least: int) -> str | None:
    """Return the query of a bucket with the most results, if it has so many that one executor needs memory for them."""
    name = plan.tables[0].columns.get("query")
    if results is None or results.num_rows < least or not isinstance(name, str):
        return None
    (most,) = (
        results.group_by(name).aggregate([([], "count_all")]).sort_by([("count_all", "descending")])[:1].to_pylist()
    )
    return str(most[name]) if most["count_all"] >= least else None


def unpack_values_task(labels: tuple[str, ...]) -> Task:
    """Return the task that turns portions into one row per query and system."""

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data in batch.column("portion").to_pylist():
                yield from _value_rows(pickle.loads(data), labels)

    return task


def _value_rows(portion: Portion, labels: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    names = np.array([state.name.lower() for state in QueryState])
    of = portion.values
    for s, system in enumerate(of.systems):
        there = (of.states[s] != QueryState.LEFT_OUT).any(axis=0)
        columns: dict[str, Any] = {"query": np.array(of.queries, object)[there]}
        columns["system"] = [system] * int(there.sum())
        for m, label in enumerate(labels):
            values = of.values[s, m, there]
            columns[label] = pa.array(values, mask=np.isnan(values))
            columns[f"{label}_state"] = names[of.states[s, m, there]]
        types = [pa.float64() if name in labels else pa.string() for name in columns]
        yield pa.RecordBatch.from_arrays(
            [pa.array(values, kind) for values, kind in zip(columns.values(), types, strict=True)], names=list(columns)
        )
