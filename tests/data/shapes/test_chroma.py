"""Answers of Chroma's ``collection.query()``, as they come and as they are saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.data.shapes.toy import JUDGMENTS, NDCG, RESULTS

NUMBERED = dict(enumerate(JUDGMENTS.values(), 1))


def answered(*queries: str, distances: bool = True) -> dict[str, Any]:
    """Return the answer to these queries: a list of ids per query, and how far each document is."""
    ids = [list(RESULTS[query]) for query in queries]
    return {
        "ids": ids, "embeddings": None, "documents": [["text of " + doc for doc in docs] for docs in ids],
        "metadatas": [[{"id": "a page"} for _ in docs] for docs in ids], "uris": None, "data": None,
        "included": ["metadatas", "documents", "distances"],
        "distances": [[-RESULTS[query][doc] for doc in RESULTS[query]] for query in queries] if distances else None,
    }  # fmt: skip


@pytest.mark.parametrize("distances", [True, False])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_answer_to_several_queries(indent: int | None, distances: bool, tmp_path: Path) -> None:
    """Queries are numbered in their order, the nearest document is first, in Python and in a saved file."""
    answer = answered("q1", "q2", distances=distances)
    (tmp_path / "r.json").write_text(json.dumps(answer, indent=indent))
    for source in (answer, tmp_path / "r.json", [answered("q1"), answered("q2")]):
        assert ir.evaluate(NUMBERED, source, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_answers_by_query(tmp_path: Path) -> None:
    """{query: answer} names its queries."""
    answers = {query: answered(query) for query in RESULTS}
    (tmp_path / "r.json").write_text(json.dumps(answers))
    for source in (answers, tmp_path / "r.json"):
        assert ir.evaluate(JUDGMENTS, source, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_a_smaller_distance_is_nearer() -> None:
    """Documents go by their distance, whatever their order."""
    answer = {"ids": [["far", "near"]], "distances": [[0.9, 0.1]]}
    assert ir.evaluate({"1": {"near": 1}}, answer, ["RR"])["RR"] == 1


def test_queries_that_are_not_there_are_asked_for() -> None:
    """Judgments with ids of their own are not matched by position without a table that says which query is which."""
    with pytest.raises(ir.DataError, match=r"positions of responses \(1, 2, …\).* Give a table of the queries in that"):
        ir.evaluate(JUDGMENTS, answered("q1", "q2"), ["RR"])


def test_distances_of_other_documents() -> None:
    """A list of distances that does not fit its ids is refused."""
    with pytest.raises(ir.DataError, match=r"query 1: 2 ids and 1 distance\. Give one finite number per document"):
        ir.read_results({"ids": [["a", "b"]], "distances": [[0.5]]})


def test_a_search_function_may_return_it() -> None:
    """A replayed function returns the answer to its query; one to several queries is refused."""
    results = ir.replay({"query_id": list(RESULTS), "query": list(RESULTS)}, lambda query: answered(query))
    assert ir.evaluate(JUDGMENTS, results, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    with pytest.raises(ir.DataError, match="a Chroma query result of 2 queries"):
        ir.replay({"query_id": ["q1"], "query": ["q1"]}, lambda query: answered("q1", "q2"))
