"""Rows of pipelines in polars and Parquet, and datasets of ir_datasets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from ir_datasets.formats import GenericQuery, GenericScoredDoc, TrecQrel

import idealrank as ir
from tests.data.shapes.test_shapes import check_rag
from tests.data.shapes.toy import JUDGMENTS, NDCG, RAG, RESULTS


@pytest.mark.parametrize("name", RAG)
def test_expected_and_retrieved(name: str, tmp_path: Path) -> None:
    """Lists in columns of polars, and in a file of Parquet, are those of the rows."""
    frame = pl.DataFrame(RAG[name]["test_cases"] if isinstance(RAG[name], dict) else RAG[name])
    frame.write_parquet(tmp_path / "rag.parquet")
    check_rag(frame)
    check_rag(tmp_path / "rag.parquet")


def test_datasets_by_their_methods() -> None:
    """A dataset of ir_datasets gives judgments, queries and results."""

    class Dataset:
        """What a dataset of ir_datasets has."""

        def qrels_iter(self) -> Any:
            """Yield judgments."""
            return (TrecQrel(q, d, g, "0") for q, docs in JUDGMENTS.items() for d, g in docs.items())

        def queries_iter(self) -> Any:
            """Yield queries."""
            return (GenericQuery(q, f"Text of {q}") for q in JUDGMENTS)

        def scoreddocs_iter(self) -> Any:
            """Yield results."""
            return (GenericScoredDoc(q, d, s) for q, docs in RESULTS.items() for d, s in docs.items())

    dataset = Dataset()
    scores = ir.evaluate(dataset, ir.read_results(dataset), ["nDCG@10"], queries=dataset)
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    assert scores.table.values("text", ["q2"]) == ["Text of q2"]
