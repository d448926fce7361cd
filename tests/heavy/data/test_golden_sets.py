"""Golden sets in Parquet: lists are read from columns of lists, at once and in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import idealrank as ir
from idealrank.distributed.files import Files, evaluate_files
from idealrank.errors import NoColumnError
from tests.data.test_golden_sets import golden, run


def parquet(rows: list[dict[str, Any]], folder: Path) -> Path:
    """Write rows to a file."""
    pq.write_table(pa.Table.from_pylist(rows), folder / "golden.parquet")
    return folder / "golden.parquet"


def test_a_list_of_relevant_documents(tmp_path: Path) -> None:
    """A list whose name says relevant is found; one whose name says nothing is asked about."""
    assert ir.evaluate(parquet(golden("expected_urls"), tmp_path), run(), ["RR"])["RR"] == 1
    with pytest.raises(NoColumnError, match=r"no doc column.*not read: evidence.*doc='evidence'"):
        ir.read_judgments(parquet(golden("evidence"), tmp_path))


@pytest.mark.parametrize("called", ["expected_files", "mystery"])
def test_in_parts(called: str, tmp_path: Path) -> None:
    """Lists in Parquet are read in parts as in memory; the id that may be the question's is asked about."""
    path = parquet(golden(called), tmp_path)
    results = tmp_path / "run.csv"
    rows = [{"question": row["question"], "doc_id": doc} for row in run() for doc in row["results"]]
    pd.DataFrame(rows).to_csv(results, index=False)
    with pytest.raises(NoColumnError, match=r"which column is the query must be said|no doc column"):
        evaluate_files(Files(str(path), [str(results)]), ["RR"], buckets=3)
    columns = {"query": "question", "doc": called} if called == "mystery" else {"query": "question"}
    assert evaluate_files(Files(str(path), [str(results)], columns), ["RR"], buckets=3)["RR"] == 1
