"""The ledger says as what each table was read: its columns, and by what the results were ordered."""

from __future__ import annotations

import json
from pathlib import Path

import idealrank as ir

QRELS = {"qid": ["q1", "q1"], "doc_id": ["a", "b"], "Note": [3, 1]}
RANKED = {"qid": ["q1", "q1"], "doc_id": ["b", "a"], "position": [1, 2], "score": [2.0, 1.0]}
SCORED = {"qid": ["q1", "q1"], "doc_id": ["b", "a"], "sim": [2.0, 1.0]}
GIVEN = {"qid": ["q1", "q1"], "doc_id": ["b", "a"]}


def read(results: object, convention: str = "idealrank-1") -> tuple[str, ...]:
    """Return what the ledger says of the tables."""
    judgments = ir.read_judgments(QRELS, grade="Note")
    return ir.evaluate(judgments, results, ["nDCG", "P"], convention=convention).ledger.read


def test_columns_and_order_of_each_table() -> None:
    """Tables ordered differently under order_by=auto have a line each."""
    assert read({"r": RANKED, "s": SCORED, "g": GIVEN}) == (
        "judgments: query=qid doc=doc_id grade=Note, grades 1 to 3",
        "results r: query=qid doc=doc_id rank=position score=score, ordered by rank",
        "results s: query=qid doc=doc_id score=sim, ordered by score",
        "results g: query=qid doc=doc_id, ordered as in the table",
    )


def test_tables_read_alike_share_a_line() -> None:
    """Tables with the same columns and order are named together."""
    assert read({"r": SCORED, "s": SCORED})[1:] == (
        "results r, results s: query=qid doc=doc_id score=sim, ordered by score",
    )


def test_several_orders_under_one_convention() -> None:
    """Where a convention orders by measure, each order has its measures."""
    assert read(RANKED, "trectools")[1].endswith("ordered by given (nDCG), score (P)")


def test_forms_without_columns(tmp_path: Path) -> None:
    """TREC text and dicts of dicts have no columns to name."""
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    ledger = ir.evaluate(tmp_path / "qrels", {"q1": {"a": 1.0}}, ["RR"]).ledger
    assert ledger.read == (
        f"{tmp_path / 'qrels'}: TREC judgments, every grade 1",
        "results: dict of dicts, ordered by score",
    )


def test_ratings_texts_and_json() -> None:
    """Ratings are all named, texts too; JSON has the same by role."""
    table = {"query_id": [1], "query": ["x"], "doc": ["a"], "rating_1": [1], "rating_2": [2], "rank": [1]}
    scores = ir.evaluate(table, measures=["RR"])
    whole = json.loads(scores.to_json())["ledger"]["tables"]
    assert whole[0] == {
        "table": "judgments",
        "columns": {"query": "query_id", "text": "query", "doc": "doc", "grade": "rating_1,rating_2"},
        "form": "",
        "order": "",
        "grades": "every grade 1.5",
        "what": "",
    }
    assert whole[1]["columns"] == {"query": "query_id", "text": "query", "doc": "doc", "rank": "rank"}
    assert whole[1]["order"] == "rank"


def test_names_with_blanks_are_quoted() -> None:
    """A column whose name holds a blank is quoted, so that it ends where it ends."""
    table = {"Query ID": ["q"], "Doc ID": ["d"], "grade": [1]}
    (judgments, _) = ir.evaluate(table, {"q": {"d": 1.0}}, ["RR"]).ledger.read
    assert judgments == "judgments: query='Query ID' doc='Doc ID' grade=grade, every grade 1"
