"""Vectors of queries in tables of polars and pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.engines.test_queries import VECTOR, vectors_given


@pytest.mark.parametrize("table", [pl.DataFrame(VECTOR), pa.table(VECTOR)], ids=["polars", "arrow"])
def test_a_vector_for_a_function(table: Any) -> None:
    """A search function is given the vector of its query as a list of floats."""
    assert vectors_given(table) == [[0.1, 0.25]]


def test_a_vector_of_parquet(tmp_path: Path) -> None:
    """A vector in a file of Parquet is a list of floats, too."""
    pq.write_table(pa.table(VECTOR), tmp_path / "queries.parquet")
    assert vectors_given(tmp_path / "queries.parquet") == [[0.1, 0.25]]
