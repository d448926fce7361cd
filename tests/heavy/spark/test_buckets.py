"""Grouped rows are cut into buckets of whole queries, regardless of the batches they come in."""

from __future__ import annotations

import pyarrow as pa
import pytest

import idealrank as ir
from idealrank.distributed.spark.tasks import cut_buckets


def batches(sizes: list[int], rows: int) -> list[pa.RecordBatch]:
    """Return the rows of queries of these sizes in batches of so many rows; every third row is a judgment."""
    query = [number for number, size in enumerate(sizes, 1) for _ in range(size)]
    place = [place for size in sizes for place in range(1, size + 1)]
    judged = [{"query": q} if p % 3 == 1 else None for q, p in zip(query, place, strict=True)]
    found = [None if p % 3 == 1 else {"query": q} for q, p in zip(query, place, strict=True)]
    kind = pa.struct({"query": pa.int64()})
    whole = pa.table(
        {"bucket": query, "place": place, "judgment": pa.array(judged, kind), "result": pa.array(found, kind)}
    )
    return whole.to_batches(max_chunksize=rows)


def sizes(table: pa.Table | None) -> dict[int, int]:
    """Count the rows of each query."""
    queries = [] if table is None else table.column("query").to_pylist()
    return {query: queries.count(query) for query in dict.fromkeys(queries)}


@pytest.mark.parametrize("rows", [1, 3, 4, 100])
def test_whole_queries(rows: int) -> None:
    """No query is in two buckets, no row is lost, and a bucket ends once it has enough rows."""
    found = list(cut_buckets(batches([4, 4, 1, 9, 2], rows), 5))
    judged = [sizes(bucket.judgments) for bucket in found]
    results = [sizes(bucket.results) for bucket in found]
    assert {q: n for bucket in judged for q, n in bucket.items()} == {1: 2, 2: 2, 3: 1, 4: 3, 5: 1}
    assert {q: n for bucket in results for q, n in bucket.items()} == {1: 2, 2: 2, 4: 6, 5: 1}
    assert sum(len(bucket) for bucket in judged) == 5
    assert all(bucket.rows >= 5 for bucket in found[:-1])


def test_cuts() -> None:
    """Of queries with 4, 4, 1, 9 and 2 rows in batches of one row, buckets of 5 rows or more are 8, 10 and 2."""
    assert [bucket.rows for bucket in cut_buckets(batches([4, 4, 1, 9, 2], 1), 5)] == [8, 10, 2]


def test_no_judgments_in_a_bucket() -> None:
    """A side without rows is None."""
    (bucket,) = cut_buckets(batches([1], 1))
    assert (bucket.results, bucket.rows) == (None, 1)


def test_no_rows() -> None:
    """An empty partition has no bucket."""
    assert list(cut_buckets([])) == []
    assert list(cut_buckets([batch.slice(0, 0) for batch in batches([2], 2)])) == []


def test_rows_out_of_order() -> None:
    """Rows of a query that come apart are refused, since every number would be wrong."""
    first, second = batches([2, 2], 2)
    third, fourth = (first.slice(1), first.slice(0, 1))
    for order in ([third, fourth], [first.slice(0, 1), second, third], [first, second.slice(1)]):
        with pytest.raises(ir.DataError, match="in pieces"):
            list(cut_buckets(order))
