"""Columns beside ids and numbers are written where there is a place for them, and named where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import idealrank as ir
from tests.data.test_writing import table


def test_what_has_no_place_is_named(tmp_path: Path) -> None:
    """TREC text has no place for texts, titles and other columns: the notes say which are left out."""
    rows = table(query_id=["q1"], query=["red"], doc_id=["a"], grade=[1], title=["Shoe"], explanation=["fits"])
    written = ir.read_judgments(rows).write(tmp_path / "q.txt")
    assert written.notes == (
        "TREC text has no place for the texts of queries, the titles of documents, the column explanation",
    )
    ir.read_judgments(rows).write(tmp_path / "q.csv")
    assert (tmp_path / "q.csv").read_text() == ("query_id,query,doc_id,grade,title,explanation\nq1,red,a,1,Shoe,fits\n")


def test_subtopics_are_the_second_field(tmp_path: Path) -> None:
    """Subtopics go into the second field of TREC judgments, and come back."""
    rows = table(query_id=["q", "q"], subtopic=["1", "2"], doc_id=["a", "a"], grade=[1, 0])
    ir.read_judgments(rows).write(tmp_path / "q.txt")
    assert (tmp_path / "q.txt").read_text() == "q 1 a 1\nq 2 a 0\n"


DIVERSITY = "1 1 a 1\n1 2 a 0\n1 2 b 1\n"


def test_the_second_field_is_kept(tmp_path: Path) -> None:
    """Where the second field of TREC judgments differs, TREC text has it again, and a table as the column iteration."""
    (tmp_path / "d.qrels").write_text(DIVERSITY)
    judgments = ir.read_judgments(tmp_path / "d.qrels")
    judgments.write(tmp_path / "again.qrels")
    assert (tmp_path / "again.qrels").read_text() == DIVERSITY
    judgments.write(tmp_path / "d.csv")
    assert (tmp_path / "d.csv").read_text() == "query_id,doc_id,grade,iteration\n1,a,1,1\n1,a,0,2\n1,b,1,2\n"
    with pytest.raises(ir.DataError, match=r"comes twice.*If the second field is a subtopic: subtopic=iteration\.$"):
        judgments.write(tmp_path / "d.json", format="rank_eval")
    (tmp_path / "e.qrels").write_text("1 1 a 1\n1 2 b 1\n")
    written = ir.read_judgments(tmp_path / "e.qrels").write(tmp_path / "e.json", format="pytrec_eval")
    assert written.notes == ("pytrec_eval JSON has no place for the second field of TREC judgments",)


def test_each_row_keeps_its_title(tmp_path: Path) -> None:
    """Titles that differ by row, or are empty, are written as they are; a table of documents has one for all rows."""
    text = "query_id,doc_id,grade,title\nq1,a,1,Red\nq2,a,0,\nq3,a,1,Other\n"
    (tmp_path / "j.csv").write_text(text)
    judgments = ir.read_judgments(tmp_path / "j.csv")
    judgments.write(tmp_path / "k.csv")
    assert (tmp_path / "k.csv").read_text() == text
    judgments.write(tmp_path / "k.csv", documents={"id": ["a"], "title": ["Shoe"]})
    assert (tmp_path / "k.csv").read_text().count("Shoe") == 3


def test_texts_of_documents_are_texts(tmp_path: Path) -> None:
    """A LlamaIndex dataset has texts without titles: BEIR's corpus has them, whole, as texts."""
    long = "A long text about red shoes. " * 20
    data = {"queries": {"q1": "red shoes"}, "corpus": {"d1": long}, "relevant_docs": {"q1": ["d1"]}}
    (tmp_path / "d.json").write_text(json.dumps(data))
    ir.read_judgments(tmp_path / "d.json").write(tmp_path / "beir", format="beir")
    corpus = (tmp_path / "beir/corpus.jsonl").read_text()
    assert json.loads(corpus) == {"_id": "d1", "title": "", "text": long}
    again = ir.read_judgments({"q1": {"d1": 1}})
    again.write(tmp_path / "b", format="beir", documents=[{"_id": "d1", "title": "Shoe", "text": "Red."}])
    assert json.loads((tmp_path / "b/corpus.jsonl").read_text()) == {"_id": "d1", "title": "Shoe", "text": "Red."}


def test_nested_values_are_named(tmp_path: Path) -> None:
    """A column of objects is left out, and a note says so."""
    line = {"query_id": "q1", "doc_id": "a", "grade": 1, "extra": {"x": 1}}
    (tmp_path / "j.jsonl").write_text(json.dumps(line) + "\n")
    written = ir.read_judgments(tmp_path / "j.jsonl").write(tmp_path / "j.csv")
    assert written.notes == ("CSV has no place for the column extra, which contains lists or objects",)
