"""Folders of parts are one table, folders of a file per system are several systems."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir
from idealrank.errors import DataError

JUDGMENTS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
ROWS = ("q1,d1,2.0", "q1,d2,1.0", "q2,d3,3.0")


def means(results: object) -> dict[str, float]:
    """Return the mean of P@1 of each system."""
    scores = ir.evaluate(JUDGMENTS, results, "P@1", no_results="0")
    (row,) = scores.means.rows()
    return dict(zip(scores.systems, list(row.values())[1:], strict=True))


def parts(folder: Path, names: list[str]) -> str:
    """Write one row to each part: as text, whatever the part is called."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, row in zip(names, ROWS, strict=False):
        (folder / name).write_text(f"query_id,doc_id,score\n{row}\n")
    return str(folder)


@pytest.mark.parametrize(
    "names",
    [
        ["part-00000-8a2f-c000.snappy.parquet", "part-00001-8a2f-c000.snappy.parquet", "part-00002-8a2f-c000.parquet"],
        ["part.0.parquet", "part.1.parquet", "part.2.parquet"],
        ["part-0.parquet", "part-1.parquet", "part-2.parquet"],
        ["data_0.parquet", "data_1.parquet", "data_2.parquet"],
        ["0.parquet", "1.parquet", "2.parquet"],
        ["000000000000.parquet", "000000000001.parquet", "000000000002.parquet"],
    ],
)
def test_numbered_parts_are_one_table(tmp_path: Path, names: list[str]) -> None:
    """Parts as Spark, Dask, pyarrow, DuckDB, polars and BigQuery name them are one system, called like the folder."""
    folder = parts(tmp_path / "bm25", names)
    assert means(folder) == {"bm25": 1.0}
    assert ir.read_results(folder).source.read_as == "one table of 3 parts"


def test_marks_of_a_job(tmp_path: Path) -> None:
    """A folder with _SUCCESS is one table however its files are called; marks and checksums are no parts."""
    folder = parts(tmp_path / "r", ["x.parquet", "y.parquet", "z.parquet"])
    for mark in ("_SUCCESS", "_committed_123", "_started_123", ".x.parquet.crc"):
        (tmp_path / "r" / mark).write_text("")
    assert means(folder) == {"r": 1.0}


def test_a_file_per_system(tmp_path: Path) -> None:
    """Files with names of their own are a system each."""
    folder = parts(tmp_path / "r", ["bm25.parquet", "dense-2.parquet"])
    assert list(means(folder)) == ["bm25", "dense-2"]


@pytest.mark.parametrize("pattern", ["part-*.parquet", "**/*.parquet"])
def test_a_quoted_pattern_of_parts(tmp_path: Path, pattern: str) -> None:
    """A pattern that names parts is one table; one that names other files is a system per file, as in a shell."""
    parts(tmp_path / "r", ["part-0.parquet", "part-1.parquet", "part-2.parquet"])
    assert means(str(tmp_path / "r" / pattern)) == {"r": 1.0}
    parts(tmp_path / "s", ["a.parquet", "b.parquet"])
    assert list(means(str(tmp_path / "s" / "*.parquet"))) == ["a", "b"]


def test_a_partition_without_a_value(tmp_path: Path) -> None:
    """Hive's default partition is a missing value."""
    for name in ("__HIVE_DEFAULT_PARTITION__", "fr"):
        parts(tmp_path / "r" / f"lang={name}", ["part-0.parquet"])
    frame = ir.read_results(str(tmp_path / "r")).source.frame
    assert frame.column(frame.names.index("lang")).to_list() == [None, "fr"]


def test_a_part_that_does_not_fit(tmp_path: Path) -> None:
    """A part without a column is named, with the column."""
    folder = tmp_path / "r"
    parts(folder, ["part-0.parquet", "part-1.parquet"])
    (folder / "part-2.parquet").write_text("query_id,doc_id\nq,d\n")
    with pytest.raises(DataError, match=r"part-2.parquet: no column 'score', which .*part-0.parquet has"):
        ir.read_results(str(folder))


def test_an_error_names_the_part_and_the_row(tmp_path: Path) -> None:
    """A line of a part has its number within the part."""
    parts(tmp_path / "r", ["part-0.csv", "part-1.csv"])
    (tmp_path / "r" / "part-1.csv").write_text("query_id,doc_id,score\nq,d,3\np,e,x\n")
    with pytest.raises(DataError, match=r"r \(.*part-1.csv line 3\): score 'x' is not a number"):
        _ = ir.read_results(str(tmp_path / "r")).score


def test_parts_in_folders_of_other_names(tmp_path: Path) -> None:
    """Parts whose folders name other columns are no table."""
    parts(tmp_path / "r" / "day=1", ["part-0.parquet"])
    parts(tmp_path / "r" / "month=1", ["part-0.parquet"])
    with pytest.raises(DataError, match=r"month=1/part-0.parquet: this folder is not partitioned like"):
        ir.read_results(str(tmp_path / "r"))


def test_delta_and_iceberg(tmp_path: Path) -> None:
    """Tables with earlier versions in their folder are refused, with the way to read them."""
    (tmp_path / "d" / "_delta_log").mkdir(parents=True)
    parts(tmp_path / "d", ["part-0.parquet"])
    with pytest.raises(DataError, match=r"a Delta table.*deltalake.DeltaTable\('.*/d'\).to_pyarrow_table\(\)"):
        means(str(tmp_path / "d"))
    (tmp_path / "i" / "metadata").mkdir(parents=True)
    (tmp_path / "i" / "metadata" / "v1.metadata.json").write_text("{}")
    with pytest.raises(DataError, match=r"an Iceberg table"):
        means(str(tmp_path / "i"))
