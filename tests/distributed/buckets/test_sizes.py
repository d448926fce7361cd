"""Estimates of memory: what files need, what there is, and how many buckets follow."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from idealrank.distributed.memory import available_memory, memory_size, needed_memory, number_of_buckets, size_text
from idealrank.errors import UsageError

ROWS = 20_000
LINES = "".join(f"q{at // 20} Q0 d{at * 7919} 1 {at}.5 bm25\n" for at in range(ROWS))


@pytest.mark.parametrize(
    ("text", "size"),
    [("500MB", 500_000_000), ("4GB", 4_000_000_000), ("4GiB", 4 << 30), ("1.5 gib", 3 << 29), ("2G", 2_000_000_000)],
)
def test_sizes(text: str, size: int) -> None:
    """A size is a number with a decimal or a binary unit."""
    assert memory_size(text) == size


@pytest.mark.parametrize("text", ["", "4 apples", "-1GB", "0GB", "GB"])
def test_what_is_no_size(text: str) -> None:
    """Anything else is refused with what is allowed."""
    with pytest.raises(UsageError, match="Give a number and a unit: 500MB, 4GB or 4GiB"):
        memory_size(text)


def test_sizes_are_written_for_people() -> None:
    """Sizes have one decimal and a unit."""
    assert [size_text(size) for size in (0, 999, 1000, 63.04e9, 2e15)] == [
        "0 bytes", "999 bytes", "1.0 kB", "63.0 GB", "2000.0 TB",
    ]  # fmt: skip


def test_compression_and_parts_do_not_change_the_estimate(tmp_path: Path) -> None:
    """The same rows need about the same, plain, compressed, or in a folder of two parts."""
    (tmp_path / "r.run").write_text(LINES)
    (tmp_path / "r.gz").write_bytes(gzip.compress(LINES.encode()))
    (tmp_path / "r").mkdir()
    half = LINES.index("\n", len(LINES) // 2) + 1
    (tmp_path / "r" / "part-0.run").write_text(LINES[:half])
    (tmp_path / "r" / "part-1.run").write_text(LINES[half:])
    plain, packed, parts = (needed_memory([str(tmp_path / name)]) for name in ("r.run", "r.gz", "r"))
    assert packed == pytest.approx(plain, rel=0.05)
    assert parts == pytest.approx(plain, rel=0.05)


@pytest.mark.heavy
def test_many_rows_in_small_parquet(tmp_path: Path) -> None:
    """A Parquet file of equal rows takes few bytes on disk, and its rows still count."""
    import polars as pl

    pl.DataFrame({"query_id": ["q"] * 10**6, "doc_id": ["d"] * 10**6}).write_parquet(tmp_path / "r.parquet")
    assert (tmp_path / "r.parquet").stat().st_size < 100_000
    assert needed_memory([str(tmp_path / "r.parquet")]) > 10**6 * 77


def test_number_of_buckets(tmp_path: Path) -> None:
    """Less memory makes more buckets, in proportion; there is always one."""
    (tmp_path / "r.run").write_text(LINES * 50)
    file = [str(tmp_path / "r.run")]
    few, many = number_of_buckets(file, 200_000_000), number_of_buckets(file, 125_000_000)
    assert many == pytest.approx(4 * few, rel=0.2)
    assert number_of_buckets(file, 10**15) == 1


def test_small_files_are_few_buckets(tmp_path: Path) -> None:
    """Files that need next to nothing are not cut into a bucket per row, however little memory is allowed."""
    (tmp_path / "few.run").write_text("".join(LINES.splitlines(keepends=True)[:100]))
    assert number_of_buckets([str(tmp_path / "few.run")], 1) == 2


def test_available_memory() -> None:
    """There is some memory, and less than a machine has."""
    assert 10**7 < available_memory() < 10**14
