"""Files in every form, divided into buckets, and what the buckets contain."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from idealrank.data.formats.source import Source
from idealrank.distributed.division import Bucket, Partition, divide_files

Rows = Sequence[tuple[int, str]]
"""The query and the document of each row."""

Row = tuple[Any, ...]


def every(partition: Partition) -> Iterator[Bucket]:
    """Read one bucket after the other."""
    return map(partition.bucket, range(len(partition)))


def rows_of(source: Source) -> list[Row]:
    """Return the rows of a table."""
    return list(zip(*(source.frame.column(at).to_list() for at in range(len(source.frame.names))), strict=True))


def bucket_rows(partition: Partition) -> list[list[Row]]:
    """Return the rows of the file of results in each bucket."""
    found = [bucket.results[0] for bucket in every(partition)]
    return [[] if source is None else rows_of(source) for source in found]


def trec(rows: Rows, path: Path) -> None:
    """Write TREC results."""
    path.write_text("".join(f"{query} Q0 {doc} 1 0.5 s\n" for query, doc in rows))


def five(rows: Rows, path: Path) -> None:
    """Write TREC results without Q0."""
    path.write_text("".join(f"{query} {doc} 1 0.5 s\n" for query, doc in rows))


def csv(rows: Rows, path: Path) -> None:
    """Write CSV below a comment and a blank line, with queries as floats."""
    path.write_text("# a tool\n\nquery_id,doc_id\n" + "".join(f"{query}.0,{doc}\n" for query, doc in rows))


def headerless(rows: Rows, path: Path) -> None:
    """Write CSV without a header, below a comment."""
    path.write_text("# a tool\n" + "".join(f"{query},{doc},0.5\n" for query, doc in rows))


def jsonl(rows: Rows, path: Path) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps({"query_id": str(query), "doc_id": doc}) + "\n" for query, doc in rows))


def parquet(rows: Rows, path: Path, kind: str = "int64") -> None:
    """Write Parquet in small row groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({"query_id": [query for query, _ in rows], "doc_id": [doc for _, doc in rows]})
    table = table.set_column(0, "query_id", table.column("query_id").cast(kind))
    pq.write_table(table, path, row_group_size=7)


def floats(rows: Rows, path: Path) -> None:
    """Write Parquet with queries as floats."""
    parquet(rows, path, "float64")


def texts(rows: Rows, path: Path) -> None:
    """Write Parquet with queries as text."""
    parquet(rows, path, "string")


FORMS: dict[str, Callable[[Rows, Path], None]] = {
    "r.run": trec, "five.run": five, "r.csv": csv, "headerless.csv": headerless, "r.jsonl": jsonl,
    "r.parquet": parquet, "floats.parquet": floats, "texts.parquet": texts,
}  # fmt: skip

ALL_FORMS = [pytest.param(name, marks=[pytest.mark.heavy] * name.endswith("parquet")) for name in FORMS]
"""Their names; Parquet is of the last ring."""


def docs(judgments: Path, results: Sequence[Path], count: int) -> list[list[list[str]]]:
    """Return for each bucket the documents of each table."""
    found = []
    with divide_files(str(judgments), list(map(str, results)), count, folder=str(judgments.parent)) as partition:
        for bucket in every(partition):
            sources = [bucket.judgments, *bucket.results]
            found.append([[] if source is None else [_doc(row) for row in rows_of(source)] for source in sources])
    return found


def _doc(row: Row) -> str:
    return str(row[1])


def judged(folder: Path, queries: Sequence[int]) -> Path:
    """Write judgments of queries, each of a document with the name of its query."""
    (folder / "j.csv").write_text("query_id,doc_id,grade\n" + "".join(f"{query},{query},1\n" for query in queries))
    return folder / "j.csv"


def together(buckets: list[list[list[str]]], rows: Rows) -> None:
    """Assert that the buckets have all rows in order, and the judgment of each query with its rows."""
    assert sorted(doc for bucket in buckets for doc in bucket[1]) == sorted(doc for _, doc in rows)
    for judged, returned in buckets:
        queries = {query for query, doc in rows if doc in returned}
        assert returned == [doc for query, doc in rows if query in queries]
        assert {query for query, _ in rows}.intersection(map(int, judged)) == queries
