"""What strangers tried on documents: several answers in a file, fields within hits, distances, empty lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.data.shapes.toy import JUDGMENTS, NDCG, RESULTS, lines, search


def written(folder: Path, name: str, document: Any) -> Path:
    """Write a document, or text."""
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_a_question_within_a_hit_is_the_documents(tmp_path: Path) -> None:
    """A field question of a returned FAQ entry is not the question that was asked."""
    hits = {q: [{"id": d, "score": s, "question": f"FAQ {d}"} for d, s in docs.items()] for q, docs in RESULTS.items()}
    rows = [{"question": q, "results": found} for q, found in hits.items()]
    for name, document in (("rows.jsonl", lines(rows)), ("rows.json", rows), ("keyed.json", hits)):
        scores = ir.evaluate(JUDGMENTS, written(tmp_path, name, document), ["nDCG@10"])
        assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_rising_scores_of_a_list_are_asked_about(tmp_path: Path) -> None:
    """A list has an order: scores that rise in it are refused until one says which counts."""
    rows = [{"query": "q", "retrieved": [{"id": "a", "score": 0.1}, {"id": "b", "score": 0.2}]}]
    path = written(tmp_path, "r.json", rows)
    with pytest.raises(ir.DataError, match="rank and score run in opposite directions"):
        ir.evaluate({"q": {"a": 1}}, path, ["RR"])
    assert ir.evaluate({"q": {"a": 1}}, path, ["RR"], order_by="rank")["RR"] == 1


def test_hits_without_scores_keep_their_order(tmp_path: Path) -> None:
    """Hits sorted by a field have no scores, and a query without them leaves the others theirs out."""
    hits = [{"_id": "b", "_score": None}, {"_id": "a", "_score": None}]
    document = {"responses": [{"hits": {"hits": hits}}, search("q2")]}
    scores = ir.evaluate({"1": {"a": 1}, "2": {"d9": 1}}, written(tmp_path, "m.json", document), ["RR"])
    assert scores["RR"] == (1 / 2 + 1) / 2


def test_two_lists_for_a_query_are_refused(tmp_path: Path) -> None:
    """A question that was asked twice has two lists, which are not run together."""
    rows = [{"question": "x", "retrieved_ids": ["a"]}, {"question": "x", "retrieved_ids": ["b"]}]
    with pytest.raises(ir.DataError, match="2 lists of results for query 'x'"):
        ir.read_results(written(tmp_path, "r.jsonl", lines(rows)))
    rows = [{"question": q, "retrieved_ids": [str(i)]} for i, q in enumerate("wxyxyyz")]
    with pytest.raises(
        ir.DataError, match=r"2 lists of results for query 'x' \(first: line 2 .*, as if .* asked 2 times"
    ):
        ir.read_results(written(tmp_path, "later.jsonl", lines(rows)))
    ubi = [{"query_id": i, "user_query": "x", "query_response_hit_ids": [i + "d"]} for i in ("u1", "u2")]
    with pytest.raises(ir.DataError, match=r"2 queries \(u1, u2\) with the text of query 'x'"):
        ir.evaluate(
            {"query": ["x"], "doc_id": ["u1d"], "grade": [1]}, written(tmp_path, "u.ndjson", lines(ubi)), ["RR"]
        )


@pytest.mark.parametrize("empty", [[], None])
def test_a_question_without_an_answer(empty: Any, tmp_path: Path) -> None:
    """A question for which nothing is expected has no judgments; the others count."""
    rows = [{"question": "x", "expected_ids": ["a"]}, {"question": "y", "expected_ids": empty}]
    results = {"x": {"a": 1.0}, "y": {"b": 1.0}}
    for source in (written(tmp_path, "j.jsonl", lines(rows)), rows):
        assert ir.evaluate(source, results, ["RR"], no_relevant="skip")["RR"] == 1


@pytest.mark.parametrize("way", ["lines", "array"])
def test_large_whole_numbers_are_not_run_together(way: str, tmp_path: Path) -> None:
    """Ids of more than 19 digits keep them, or are refused with their line."""
    rows = '{"query_id": 12345678901234567890123, "doc_id": "d", "grade": 1}'
    if way == "array":
        judgments = ir.read_judgments(written(tmp_path, "j.json", f"[{rows}]"))
        assert judgments.keys.query.to_list(None) == ["12345678901234567890123"]
    else:
        with pytest.raises(ir.DataError, match="line 1: a whole number of more than 19 digits"):
            ir.read_judgments(written(tmp_path, "j.jsonl", rows + "\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q1": {"d1": 1}, "q2": {"d1": 1}, "q1": {"d2": 3}}', "the key 'q1' occurs twice"),
        ("[]", "empty"),
        ("{}", "empty"),
        ('{"a":' * 500 + "1" + "}" * 500, "deep"),
        ('{"q1": {"d1": 1, "d2": "x"}}', "value 'x' is not a number"),
    ],
)
def test_faults_are_named(text: str, message: str, tmp_path: Path) -> None:
    """What is wrong with a document is said, not that it is none."""
    with pytest.raises(ir.DataError, match=message):
        ir.evaluate(written(tmp_path, "j.json", text), RESULTS, ["RR"])
