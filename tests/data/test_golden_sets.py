"""Golden sets: rows with a question, its id, and lists or answers, of which only some name documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from idealrank.data.formats.reader import read_all_tables
from idealrank.data.recognition.recognize import read_contents
from idealrank.distributed.files import Files, evaluate_files
from idealrank.errors import DataError, NoColumnError

QUESTIONS = [f"How do I do thing {place}?" for place in range(1, 7)]
RELEVANT = ["4", "2", "6", "1", "1", "3"]
"""The relevant document of each question; documents are called as questions are, so no id is a stranger."""


def golden(called: str) -> list[dict[str, Any]]:
    """Return a golden set whose list of documents has a name."""
    rows = zip(QUESTIONS, RELEVANT, strict=True)
    return [{"id": place, "question": text, called: [doc]} for place, (text, doc) in enumerate(rows, 1)]


def run() -> list[dict[str, Any]]:
    """Return results with the relevant document at rank 1 of every question."""
    rows = zip(QUESTIONS, RELEVANT, strict=True)
    return [{"question": text, "results": [doc, *(n for n in "123456" if n != doc)]} for text, doc in rows]


def written(rows: list[dict[str, Any]], ending: str, folder: Path) -> Path:
    """Write rows to a file."""
    path = folder / f"golden.{ending}"
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(lines if ending == "jsonl" else json.dumps(rows))
    return path


SAYS_RELEVANT = (
    *("expected_urls", "expectedUrls", "expected_files", "relevant_files", "relevant_sourcefiles", "gold_files"),
    *("ideal_docs", "must_retrieve", "pos_chunk_ids", "answer_ids", "expected_citations", "expected_paths"),
    *("expect_paths", "correct_docs", "relevant_products", "expected_results", "relevant_docs"),
)


@pytest.mark.parametrize("called", SAYS_RELEVANT)
def test_a_list_called_relevant(called: str) -> None:
    """A list whose name says relevant contains the documents, and the id beside it is the question's."""
    assert ir.evaluate(golden(called), run(), ["RR"])["RR"] == 1


@pytest.mark.parametrize("called", ["evidence", "citations", "gt", "source_papers", "expected_keywords", "mystery"])
def test_a_list_that_may_be_anything(called: str, tmp_path: Path) -> None:
    """A list whose name says nothing is asked about, and read if it is named: the id is never the document."""
    for source in (written(golden(called), "json", tmp_path), golden(called), pd.DataFrame(golden(called))):
        with pytest.raises(NoColumnError, match=f"no doc column.*not read: {called}.*doc='{called}'"):
            ir.read_judgments(source)
        judgments = ir.read_judgments(source, doc=called)
        assert ir.evaluate(judgments, run(), ["RR"])["RR"] == 1


def test_unread_lists_are_said() -> None:
    """A list that is not read is in the notes of the table, which the ledger prints."""
    rows = [{**row, "tags": ["a", "b"]} for row in golden("expected_files")]
    scores = ir.evaluate(rows, run(), ["RR"])
    assert scores["RR"] == 1
    assert "lists that are not read: tags" in str(scores.ledger)


def test_graded_rows_with_a_list() -> None:
    """A row with a grade is about a document, whatever lists it has; one row per question is asked about."""
    rows = [{"query": "shoes", "id": doc, "grade": 1, "tags": ["x"]} for doc in ("p1", "p2")]
    judgments = ir.read_judgments(rows)
    assert judgments.columns["doc"] == "id"
    assert judgments.source.reading_notes == ("lists that are not read: tags",)
    rows = [{"query": text, "id": text, "score": 2, "gt": ["p1"]} for text in ("shoes", "shirt")]
    with pytest.raises(NoColumnError, match=r"id may be its own id, and the list gt.*doc='gt'.*doc='id'"):
        ir.read_judgments(rows)


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv"])
def test_answers_are_no_judgments(ending: str, tmp_path: Path) -> None:
    """Questions with answers name no documents: the id is the question's."""
    rows = [{"id": place, "question": text, "answer": f"So {place}"} for place, text in enumerate(QUESTIONS)]
    path = tmp_path / "answers.csv"
    if ending == "csv":
        pd.DataFrame(rows).to_csv(path, index=False)
    else:
        path = written(rows, ending, tmp_path)
    with pytest.raises(NoColumnError, match=r"questions and answers \(answer\), but no documents.*doc='id'"):
        ir.read_judgments(path)
    assert read_contents(read_all_tables(path, "x"), "", None).judgments is None
    assert ir.read_judgments(path, doc="id").columns["doc"] == "id"


def test_a_column_called_relevant(tmp_path: Path) -> None:
    """A column such as expected_file is the document; expected_files may have several in a cell, and is asked about."""
    path = tmp_path / "golden.csv"
    path.write_text("id,question,expected_file\n1,a b,x.md\n2,c d,y.md\n")
    rows = ir.read_judgments(path).rows_to_write()
    assert list(zip(rows.query, rows.doc, strict=True)) == [("1", "x.md"), ("2", "y.md")]
    path.write_text("id,question,expected_files\n1,a b,x.md;z.md\n2,c d,y.md\n")
    with pytest.raises(NoColumnError, match="no doc or grade column"):
        ir.read_judgments(path)


@pytest.mark.parametrize("called", ["candidate_chunks", "contexts"])
def test_candidates_are_not_relevant(called: str, tmp_path: Path) -> None:
    """What was retrieved, or is to be judged, is not relevant unless one says so."""
    rows = [{"query": text, called: ["d1", "d2"]} for text in QUESTIONS]
    objects = [{"query": text, called: [{"id": doc, "text": "…"} for doc in ("d1", "d2")]} for text in QUESTIONS]
    for each in (rows, objects):
        path = written(each, "json", tmp_path)
        with pytest.raises(DataError, match="contains results, but no judgments") as refused:
            ir.read_judgments(path)
        assert called not in str(refused.value)  # that would judge the results by themselves
        assert len(ir.read_judgments(path, doc=called).rows_to_write()) == 12


def test_objects_in_a_list_of_any_name() -> None:
    """Objects in a list whose name does not say relevant are not judgments without a grade."""
    rows = [{"query": text, "things": [{"id": "d1"}]} for text in QUESTIONS]
    with pytest.raises(NoColumnError, match=r"the list things does not say that its documents are relevant"):
        ir.read_judgments(rows)
    assert len(ir.read_judgments(rows, doc="things").rows_to_write()) == 6


RAGAS = [
    {"question": "Capital of France?", "answer": "Paris", "contexts": ["Paris", "Lyon"], "ground_truth": "Paris"},
    {"question": "Capital of Italy?", "answer": "Rome", "contexts": ["Milan", "Rome"], "ground_truth": "Rome"},
]


def test_short_texts_of_ragas(tmp_path: Path) -> None:
    """The contexts of an answer and its ground truth are texts, however short; lists of ids beside them are read."""
    for source in (str(written(RAGAS, "json", tmp_path)), RAGAS):
        with pytest.raises(NoColumnError, match=r"contexts, ground_truth beside an answer contain texts, not ids"):
            ir.evaluate(source, None, ["RR"])
    with_ids = [{**row, "relevant_ids": ["d1"], "retrieved_ids": ["d2", "d1"]} for row in RAGAS]
    assert ir.evaluate(with_ids, None, ["RR"])["RR"] == 0.5


def test_a_long_title_among_titles() -> None:
    """A single title of many words among ids is an id, which is said; a list of passages is not read."""
    long = "The Power of Habit: Why We Do What We Do in Life and in Business"
    rows = [{"id": place, "text": text, "relevant_docs": ["Emma"]} for place, text in enumerate(QUESTIONS)]
    rows[2]["relevant_docs"] = [long]
    judgments = ir.read_judgments(rows)
    assert judgments.rows_to_write().doc.count(long) == 1
    assert any(
        "relevant_docs read as ids, although 1 of the first 6 values" in note for note in judgments.source.reading_notes
    )
    with pytest.raises(NoColumnError, match="lists that are not read: relevant_docs"):
        ir.read_judgments([{**row, "relevant_docs": [f"{long} {row['id']}"]} for row in rows])


@pytest.mark.parametrize("ending", ["json", "jsonl", "objects"])
def test_a_boolean_beside_the_list(ending: str, tmp_path: Path) -> None:
    """Whether a question can be answered is no grade of its documents; an empty list is counted, and not judged."""
    rows: list[dict[str, Any]] = [
        {"id": "q1", "question": "a b", "relevant_docs": ["d1"], "answerable": True},
        {"id": "q2", "question": "c d", "relevant_docs": [], "answerable": False},
        {"id": "q3", "question": "e f", "relevant_docs": ["d2"], "answerable": True},
    ]
    source = rows if ending == "objects" else str(written(rows, ending, tmp_path))
    scores = ir.evaluate(source, {key: {"d1": 2.0, "d2": 1.0} for key in ("q1", "q2", "q3")}, ["RR"])
    assert scores["RR"] == 0.75
    assert "1 query with rows but no grade: not judged (q2)" in str(scores.ledger)


def test_row_numbers_in_parts(tmp_path: Path) -> None:
    """Whether id counts the rows is not seen in parts, so it is asked about."""
    path = tmp_path / "ratings.csv"
    path.write_text("id,user_id,movie_id,score\n1,7,30,5\n2,7,31,1\n3,8,30,4\n")
    with pytest.raises(NoColumnError, match=r"id may count the rows, and movie_id may be the document"):
        evaluate_files(Files(str(path), [str(path)]), ["RR"], buckets=2)


def test_row_numbers(tmp_path: Path) -> None:
    """A column id that is different in every row is a row number beside the ids of films that are not."""
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("id,user_id,movie_id,score\n1,7,30,5\n2,7,31,1\n3,8,30,4\n")
    results = tmp_path / "run.csv"
    results.write_text("user_id,movie_id,rank\n7,30,1\n7,31,2\n8,31,1\n8,30,2\n")
    scores = ir.evaluate(ratings, results, ["RR"])
    assert ir.read_judgments(ratings).columns["doc"] == "movie_id"
    assert scores["RR"] == 0.75


def test_row_numbers_beside_unknown_ids(tmp_path: Path) -> None:
    """Beside an id of an unknown name, a column id that counts is asked about."""
    path = tmp_path / "dump.csv"
    path.write_text("id,query,listing_id,grade\n1,a,p1,3\n2,a,p2,0\n3,b,p1,1\n")
    with pytest.raises(NoColumnError, match=r"it may count the rows, and listing_id may be.*doc='listing_id'"):
        ir.read_judgments(path)
    assert list(ir.read_judgments(path, doc="listing_id").rows_to_write().doc) == ["p1", "p2", "p1"]


def test_two_columns_of_documents() -> None:
    """Two tables are not joined by different columns if one of them has both."""
    judgments = {"query": ["a", "a"], "doc_id": ["1", "2"], "movie_id": ["7", "8"], "grade": [1, 0]}
    results = {"query": ["a", "a"], "movie_id": ["7", "8"], "rank": [1, 2]}
    with pytest.raises(NoColumnError, match=r"in the column doc_id, but those of results in movie_id"):
        ir.evaluate(judgments, results, ["RR"])
    assert ir.evaluate(ir.read_judgments(judgments, doc="movie_id"), results, ["RR"])["RR"] == 1
    named = {**judgments, "movie_id": ["Alien", "Brazil"]}  # a column of the same name with other things in it
    assert ir.evaluate(named, {**results, "movie_id": ["1", "2"]}, ["RR"])["RR"] == 1


def test_no_advice_makes_results_their_own_judgments(tmp_path: Path) -> None:
    """A list that its name calls retrieved is never proposed as the relevant documents; AutoRAG's truth is read."""
    rows = [{"query": "q1", "retrieved_ids": ["x", "b", "y"]}, {"query": "q2", "retrieved_ids": ["m", "n"]}]
    with pytest.raises(ir.DataError) as refused:
        ir.read_judgments(rows)
    assert "doc" not in str(refused.value).partition("no judgments")[2]
    truth = [[["x", "y"], ["z"]], [["m"]]]
    both = [row | {"retrieval_gt": gt} for row, gt in zip(rows, truth, strict=True)]
    assert ir.evaluate(both, both, ["R@3"])["R@3"] == pytest.approx((2 / 3 + 1) / 2)


KAGGLE = "customer_id,{}\n00a,0706016001 0706016002 0372860001\n00b,0706016003 0706016001\n00c,0706016009\n"


@pytest.mark.parametrize("called", ["prediction", "predictions", "recommended_ids", "results"])
def test_ids_between_blanks(called: str, tmp_path: Path) -> None:
    """A cell of a column of lists has its ids between blanks in Kaggle's files, which name customers, too."""
    (tmp_path / "r.csv").write_text(KAGGLE.format(called))
    (tmp_path / "j.csv").write_text("customer_id,relevant_ids\n00a,0706016002\n00b,0706016003 0706016008\n00c,1 2\n")
    scores = ir.evaluate(tmp_path / "j.csv", tmp_path / "r.csv", ["RR", "R@5"])
    assert (scores["RR"], scores["R@5"]) == (0.5, 0.5)  # ranks 2, 1 and none; 1 of 1, 1 of 2 and 0 of 2


@pytest.mark.parametrize("cell", ["red shoes", "blue hat 2", "7 7", "0.5"])
def test_blanks_in_texts_are_no_ids(cell: str, tmp_path: Path) -> None:
    """Words, a number alone and a number twice are no list of ids, whatever the column is called."""
    (tmp_path / "r.csv").write_text(f"query,doc,results\na,d1,{cell}\n")
    assert ir.read_results(tmp_path / "r.csv").source.column(2).to_list() in ([cell], [0.5])


def test_several_ids_in_a_cell_of_one(tmp_path: Path) -> None:
    """A column named for one document may mean a list: that is asked where the pieces are ids of the other table."""
    (tmp_path / "r.csv").write_text(KAGGLE.format("item_id").replace("00c,0706016009\n", ""))
    said = (
        "'0706016001 0706016002 0372860001' in .*r.csv has several ids, one of which is in the other table. "
        "Call the column retrieved_ids, and each of its cells is read as a list."
    )
    with pytest.raises(ir.DataError, match=said):
        ir.evaluate({"00a": {"0706016002": 1}, "00b": {"0706016003": 1}}, tmp_path / "r.csv", ["RR"])


def test_lists_in_cells_of_which_a_few_have_one_id(tmp_path: Path) -> None:
    """Lists in a column named for one document are refused even if a cell of one id meets the other table."""
    (tmp_path / "j.csv").write_text("user_id,item_id\nu1,11 12\nu2,13 14 15\nu3,16\n")
    results = {"u1": ["11", "12"], "u2": ["13", "9"], "u3": ["16"]}
    said = r"Most documents of .*j.csv are lists: '11 12' in .* has several ids.*Call the column relevant_ids"
    with pytest.raises(ir.DataError, match=said):
        ir.evaluate(tmp_path / "j.csv", results, ["RR"])
    (tmp_path / "j.csv").write_text("user_id,relevant_ids\nu1,11 12\nu2,13 14 15\nu3,16\n")
    assert ir.evaluate(tmp_path / "j.csv", results, ["R@5"])["R@5"] == pytest.approx((1 + 1 / 3 + 1) / 3)
    titles = {"a": {"7 11": 1, "7": 0, "Area 51": 1}}  # ids with blanks on both sides are names
    assert ir.evaluate(titles, {"a": ["7 11", "7"]}, ["RR"])["RR"] == 1


@pytest.mark.parametrize(
    "rows", [{"relevant": ["a", "b"]}, {"docs": ["a", "b"]}, {"relevant": ["a", "b"], "docs": ["a", "b"]}]
)
def test_a_list_is_never_judged_by_itself(rows: dict[str, list[str]], tmp_path: Path) -> None:
    """A file without grades that is given twice is refused, and nothing advised makes of its list both sides."""
    (tmp_path / "j.json").write_text(json.dumps([{"q": "one", **rows}]))
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(tmp_path / "j.json", tmp_path / "j.json", ["RR"])
    assert "relevant'" not in str(refused.value)
    results = ir.read_results(tmp_path / "j.json", doc=next(iter(rows)))
    with pytest.raises(ir.DataError, match=r"the same list is given as the judgments.*every score would be perfect"):
        ir.evaluate(tmp_path / "j.json", results, ["RR"])


def test_two_lists_of_one_document_may_be_equal(tmp_path: Path) -> None:
    """A file that has what is relevant and what was retrieved may be given twice, even if both lists are equal."""
    (tmp_path / "j.json").write_text(json.dumps([{"q": "one", "relevant": ["a"], "retrieved": ["a"]}]))
    assert ir.evaluate(tmp_path / "j.json", tmp_path / "j.json", ["RR"])["RR"] == 1
