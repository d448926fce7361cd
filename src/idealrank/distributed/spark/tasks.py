"""What executors run: grouped rows are cut into buckets of whole queries, and each bucket is evaluated.

Every task is a pure function of the rows it is given, so a task that runs twice changes nothing. Rows go in as Arrow
batches; one row per bucket comes out, which contains a portion of the scores or a survey as bytes.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from idealrank.distributed.plan import EvaluationPlan
from idealrank.distributed.portion import Portion, evaluate_part, join_part
from idealrank.distributed.survey import Survey, make_survey, read_part_judgments, read_part_results
from idealrank.errors import DataError
from idealrank.evaluation.scoring import QueryState
from idealrank.judged_lists.join import Join

if TYPE_CHECKING:
    import pyarrow as pa

    Task = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

BUCKET_ROWS = 50_000
"""Rows from which a bucket ends with the query it has reached."""

LARGE_QUERY = 5_000_000
"""Rows from which a query is said to be large."""

ROWS, SURVEYS, PORTIONS = "rows binary", "survey binary", "portion binary, queries bigint, rows bigint, large string"
MADE = "made binary"


class SparkBucket(NamedTuple):
    """The rows of some queries: their tables, None where there are no rows; and their number."""

    judgments: Any
    results: Any
    rows: int


def as_bytes(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The task that packs each batch as a stream of Arrow, for the driver."""
    import pyarrow as pa

    for batch in (batch for batch in batches if batch.num_rows):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield pa.RecordBatch.from_pydict({"rows": [sink.getvalue().to_pybytes()]})


def survey_judgments_task(plan: EvaluationPlan) -> Task:
    """Return the task that surveys grouped judgments."""

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        judged = (read_part_judgments(plan, bucket.judgments) for bucket in cut_buckets(batches))
        yield from _pack_surveys([make_survey(plan, table, [None]) for table in judged])

    return task


def survey_results_task(plan: EvaluationPlan) -> Task:
    """Return the task that surveys results where they are, without a shuffle: it does not need whole queries."""

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        tables = (pa.Table.from_batches([batch]) for batch in batches if batch.num_rows)
        yield from _pack_surveys(
            [make_survey(plan, None, [read_part_results(plan.tables[0], table)]) for table in tables]
        )

    return task


def _pack_surveys(surveys: list[Survey]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    if surveys:
        yield pa.RecordBatch.from_pydict({"survey": [pickle.dumps(Survey.merge(surveys))]})


def evaluate_task(plan: EvaluationPlan, survey: Survey, bucket_rows: int, large_query: int) -> Task:
    """Return the task that evaluates grouped rows bucket by bucket.

    Parameters
    ----------
    bucket_rows, large_query
        As `BUCKET_ROWS` and `LARGE_QUERY`, which executors do not read: there, they are as they were installed.
    """

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for bucket in cut_buckets(batches, bucket_rows):
            portion = evaluate_part(plan, survey, bucket.judgments, bucket.results)
            assert isinstance(portion, Portion), "the survey of all rows covers every part"
            row = {"portion": [portion.to_bytes()], "queries": [len(portion.values.queries)], "rows": [bucket.rows]}
            large = pa.array([largest_query(plan, bucket, large_query)], pa.string())
            yield pa.RecordBatch.from_pydict(row | {"large": large})

    return task


def rejoin_task(plan: EvaluationPlan, survey: Survey, work: Callable[[list[Join]], Any]) -> Task:
    """Return the task that calls a function with the meetings of each bucket, and returns its results as bytes."""

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for bucket in cut_buckets(batches):
            made = work(join_part(plan, survey, bucket.judgments, bucket.results))
            yield pa.RecordBatch.from_pydict({"made": [pickle.dumps(made)]})

    return task


def largest_query(plan: EvaluationPlan, bucket: SparkBucket, least: int) -> str | None:
    """Return the query of a bucket with the most results, if it has so many that one executor needs memory for them."""
    name = plan.tables[0].columns.get("query")
    if bucket.rows < least or bucket.results is None or not isinstance(name, str):
        return None
    (most,) = (
        bucket.results.group_by(name)
        .aggregate([([], "count_all")])
        .sort_by([("count_all", "descending")])[:1]
        .to_pylist()
    )
    return str(most[name]) if most["count_all"] >= least else None


def unpack_values_task(labels: tuple[str, ...]) -> Task:
    """Return the task that turns portions into one row per query and system."""

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for data in batch.column("portion").to_pylist():
                yield from _value_rows(Portion.from_bytes(data), labels)

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


def cut_buckets(batches: Iterable[pa.RecordBatch], rows: int = BUCKET_ROWS) -> Iterator[SparkBucket]:
    """Cut grouped rows after the query with which they become `rows` or more.

    Raises
    ------
    DataError
        If the rows of a query do not come one after the other.
    """
    pending: list[pa.RecordBatch] = []
    last = (0, 0)
    for batch in (batch for batch in batches if batch.num_rows):
        starts, last = _query_starts(batch, last)
        if len(starts) and sum(part.num_rows for part in pending) + int(starts[-1]) >= rows:
            cut = int(starts[-1])
            yield from _make_bucket([*pending, batch.slice(0, cut)])
            pending, batch = [], batch.slice(cut)
        pending.append(batch)
    yield from _make_bucket(pending)


def _query_starts(batch: pa.RecordBatch, last: tuple[int, int]) -> tuple[Any, tuple[int, int]]:
    """Return the rows in which a query begins, and the query and place of the last row."""
    query, place = batch.column("bucket").to_numpy(), batch.column("place").to_numpy()
    same = query == np.concatenate(([last[0]], query[:-1]))
    before = np.concatenate(([last[1]], place[:-1]))
    if not ((place == 1) | (same & (place == before + 1))).all():
        raise DataError(
            "Spark handed out the rows of a query in pieces although they were sorted by query, so no number would be "
            "right. Please report this with the name and version of the engine."
        )
    return np.flatnonzero(place == 1), (int(query[-1]), int(place[-1]))


def _make_bucket(parts: list[pa.RecordBatch]) -> Iterator[SparkBucket]:
    rows = sum(part.num_rows for part in parts)
    if rows:
        yield SparkBucket(_struct_rows(parts, "judgment"), _struct_rows(parts, "result"), rows)


def _struct_rows(parts: list[pa.RecordBatch], name: str) -> Any:
    """Return the rows of a column of structs that are not null, as a table; None if there are none."""
    import pyarrow as pa

    if name not in parts[0].schema.names:
        return None
    there = [part.column(name).drop_null() for part in parts]
    tables = [pa.RecordBatch.from_struct_array(rows) for rows in there if len(rows)]
    return pa.Table.from_batches(tables) if tables else None
