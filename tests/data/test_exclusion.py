"""Results on a list to exclude are left out, as BEIR leaves out a query's own document."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

QRELS = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}
RUN = {"q1": {"q1": 9.0, "d1": 3.0, "x": 2.0, "d2": 1.0}, "q2": {"q2": 9.0, "d3": 1.0}, "q3": {"q3": 1.0}}
OWN = {query: {query: 1} for query in RUN}


def popped(results: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Do what BEIR's EvaluateRetrieval does under ignore_identical_ids: pop each document named as its query."""
    return {query: {doc: score for doc, score in docs.items() if doc != query} for query, docs in results.items()}


def test_a_query_s_own_document() -> None:
    """The means are those of results without the documents; by hand, AP is (1 + 2/3)/2 and 1."""
    left_out = ir.evaluate(QRELS, RUN, ["AP", "RR", "nDCG@10"], exclude=OWN)
    assert left_out["AP"] == pytest.approx(((1 + 2 / 3) / 2 + 1) / 2)
    for measure in ("AP", "RR", "nDCG@10"):
        assert left_out[measure] == ir.evaluate(QRELS, popped(RUN), [measure])[measure]
        assert left_out[measure] > ir.evaluate(QRELS, RUN, [measure])[measure]
    assert "3 results of results left out: on the list to exclude" in left_out.ledger.notes


def test_each_form(tmp_path: Path) -> None:
    """A table, TREC judgments, a dict and what was read say the same."""
    table, trec = tmp_path / "pairs.csv", tmp_path / "pairs.txt"
    table.write_text("query_id,doc_id\n" + "".join(f"{query},{query}\n" for query in RUN), "utf-8")
    trec.write_text("".join(f"{query} 0 {query} 1\n" for query in RUN), "utf-8")
    for each in (table, trec, OWN, ir.read_results(table)):
        assert ir.evaluate(QRELS, RUN, ["AP"], exclude=each)["AP"] == pytest.approx(11 / 12)


def test_nothing_is_on_the_list() -> None:
    """A document of another query stays, and nothing is said."""
    scores = ir.evaluate(QRELS, RUN, ["RR"], exclude={"q1": {"d3": 1}, "q9": {"q1": 1}})
    assert scores["RR"] == ir.evaluate(QRELS, RUN, ["RR"])["RR"]
    assert not any("exclude" in note for note in scores.ledger.notes)


def test_every_result_of_a_query() -> None:
    """A query whose every result is left out has returned nothing."""
    scores = ir.evaluate(QRELS, RUN, ["RR"], exclude={"q2": {"q2": 1, "d3": 1}})
    assert scores.ledger.systems[0].judged_nothing_returned == ("q2",)
