"""Datasets of Parquet: what pyarrow writes in partitions, and parts whose columns have other types."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import idealrank as ir
from idealrank.errors import DataError
from tests.data.test_datasets import means

TABLE = pl.DataFrame(
    {
        "query_id": ["q1", "q1", "q2", "q1", "q2"],
        "doc_id": ["d1", "d2", "d3", "d2", "d9"],
        "score": [2.0, 1.0, 3.0, 5.0, 1.0],
        "system": ["a", "a", "a", "b/c", "b/c"],
        "day": ["1"] * 5,
    }
)


def test_hive_partitions_are_columns(tmp_path: Path) -> None:
    """What pyarrow writes with hive partitions is read with their columns, percent-decoded."""
    flavor = ds.partitioning(pa.schema([("system", pa.string()), ("day", pa.string())]), flavor="hive")
    ds.write_dataset(TABLE.to_arrow(), tmp_path / "logs", format="parquet", partitioning=flavor)
    assert (tmp_path / "logs" / f"system={quote('b/c', safe='')}" / "day=1").is_dir()
    assert means(str(tmp_path / "logs")) == means(TABLE) == {"a": 1.0, "b/c": 0.0}
    table = ir.read_results(str(tmp_path / "logs"))
    assert table.source.read_as == "one table of 2 parts, columns by folder: system, day"


def test_ids_of_another_type_in_one_part(tmp_path: Path) -> None:
    """12 in one part and "12" in another are one id; so are 12 and 12.0."""
    (tmp_path / "r").mkdir()
    for at, ids in enumerate(([12], ["12"], [12.0])):
        pq.write_table(pa.table({"query_id": ids, "doc_id": [f"d{at}"]}), tmp_path / "r" / f"part-{at}.parquet")
    assert set(ir.read_results(str(tmp_path / "r")).keys.query.to_list()) == {"12"}


def test_a_part_that_does_not_fit(tmp_path: Path) -> None:
    """A part with another type is named, with the column."""
    folder = tmp_path / "r"
    folder.mkdir()
    for at in range(2):
        TABLE.select("query_id", "doc_id", "score")[at : at + 1].write_parquet(folder / f"part-{at}.parquet")
    pq.write_table(pa.table({"query_id": [["q"]], "doc_id": ["d"], "score": [1.0]}), folder / "part-2.parquet")
    with pytest.raises(DataError, match=r"part-2.parquet: the values of 'query_id' are of another type"):
        ir.read_results(str(folder))
