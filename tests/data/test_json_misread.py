"""JSON in which something that is no document stood where documents are looked for: found by an independent reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from idealrank.errors import DataError

Read = Callable[..., list[tuple[Any, ...]]]
"""Read something, and return its rows."""


@pytest.fixture(params=["file", "objects"])
def read(request: pytest.FixtureRequest, tmp_path: Path) -> Read:
    """Read JSON from a file, and the same objects in Python: as judgments, or as results with their ranks."""

    def reader(data: Any, kind: str = "judgments") -> list[tuple[Any, ...]]:
        source: Any = data
        if request.param == "file":
            source = tmp_path / "x.json"
            source.write_text(json.dumps(data))
        table = getattr(ir, f"read_{kind}")(source)
        rows = table.rows_to_write()
        value = rows.numbers.get("grade" if kind == "judgments" else "score")
        values = value.tolist() if value is not None else [None] * len(rows)
        return list(zip(rows.query, rows.doc, values, strict=True))

    return reader


@pytest.fixture
def written(tmp_path: Path) -> Read:
    """Read a file, as `read` does, for what Python objects are refused for: lists and objects in a table's cells."""

    def reader(data: Any, kind: str = "judgments") -> list[tuple[Any, ...]]:
        (tmp_path / "x.json").write_text(json.dumps(data))
        rows = getattr(ir, f"read_{kind}")(tmp_path / "x.json").rows_to_write()
        values = rows.grade.tolist() if kind == "judgments" else [None] * len(rows)
        return list(zip(rows.query, rows.doc, values, strict=True))

    return reader


SCORED = [
    [{"query_id": "q1", "results": [7, 8], "scores": [0.5, 0.25]}],
    [{"query_id": "q1", "results": [{"doc_id": 7, "score": 0.5}, {"doc_id": 8, "score": 0.25}]}],
]


@pytest.mark.parametrize("data", SCORED, ids=["lists", "objects"])
def test_numbers_as_ids(data: Any, read: Read) -> None:
    """An object of an id that is a number and a score is a document, not {document: score} of "doc_id" and "score"."""
    assert read(data, "results") == [("q1", "7", 0.5), ("q1", "8", 0.25)]


def test_a_score_without_an_id(read: Read) -> None:
    """A list of only scores has no documents: none is called "score"."""
    with pytest.raises(DataError):
        read({"q1": [{"score": 0.5}]}, "results")


@pytest.mark.parametrize("number", ["score", "grade", None])
def test_objects_with_other_ids(number: str | None, read: Read) -> None:
    """A document under another key than the others is refused: its query would count as one without documents."""
    values = {number: 1} if number else {}
    name, kind = ("results", "results") if number != "grade" else ("relevant_docs", "judgments")
    data = [{"query_id": q, name: [{key: "d1", **values}]} for q, key in (("q1", "doc_id"), ("q2", "id"))]
    with pytest.raises(
        DataError, match=rf"an object in {name} has no doc_id, by which the others .* This one has .*id"
    ):
        read(data, kind)


RECORDS = [{"id": "q1", "question": "what is it", "gold_id": "d1"}, {"id": "q2", "question": "who", "gold_id": "d2"}]


@pytest.mark.parametrize("called", ["data", "rows", "examples", "questions", "queries"])
def test_a_golden_set_in_an_object(called: str, written: Read) -> None:
    """{"data": [questions]} is the list itself: "data" is no query, and the questions' ids are no documents."""
    assert written({called: RECORDS}) == [("q1", "d1", 1.0), ("q2", "d2", 1.0)]
    assert written({called: RECORDS[:1]}) == [("q1", "d1", 1.0)]
    texts = [{"question": one["question"], "gold_id": one["gold_id"]} for one in RECORDS]
    assert written({called: texts}) == [("what is it", "d1", 1.0), ("who", "d2", 1.0)]
    with pytest.raises(DataError, match="no query"):  # without a question, which of the two ids is which is asked
        written({called: [{"id": "q1", "gold_id": "d1"}]})


BESIDE: list[dict[str, Any]] = [
    {"filters": {"brand": ["nike", "puma"]}},
    {"facets": {"brand": {"nike": 3}, "size": {"m": 2}}},
    {"note": {"a": [1]}},
]


@pytest.mark.parametrize("beside", BESIDE, ids=lambda one: next(iter(one)))
def test_filters_of_a_query(beside: dict[str, Any], written: Read) -> None:
    """Lists and numbers within an object of a question are not its relevant documents."""
    assert written([{**one, **beside} for one in RECORDS]) == [("q1", "d1", 1.0), ("q2", "d2", 1.0)]


def test_numbers_as_ids_of_queries_and_documents(written: Read) -> None:
    """An object whose two numbers are ids by their names is a row, not {document: grade}."""
    assert written({"items": [{"id": 1, "question": 5, "gold_id": 155}, {"id": 2, "question": 6, "gold_id": 156}]}) == [
        ("1", "155", 1.0), ("2", "156", 1.0),
    ]  # fmt: skip
    assert [row[1:] for row in written({"items": [{"qid": 1, "expected_doc_id": 155}]})] == [("155", 1.0)]


def test_lists_of_systems_beside_a_question(written: Read) -> None:
    """An object whose name says that its documents were retrieved still contains systems."""
    data = [{"query_id": "q1", "results": {"bm25": ["d1", "d2"], "e5": ["d2"]}}]
    assert len(written(data, "results")) == 3


def test_whole_floats_as_ids(read: Read) -> None:
    """12.0 in a list of ids is 12, as dataframes write it; the list was passed over, and the query's id was read."""
    data = [{"id": q, "query": f"what {q}", "retrieved_ids": [12.0, 15.0]} for q in ("q1", "q2")]
    assert [row[:2] for row in read(data, "results")] == [("q1", "12"), ("q1", "15"), ("q2", "12"), ("q2", "15")]


LISTS: list[Any] = [[1.5, "d2"], [1.0, 0.0], [["d1", 0.5], "d2"], [], None]


@pytest.mark.parametrize("items", LISTS, ids=str)
def test_lists_that_cannot_be_read(items: Any, written: Read) -> None:
    """A list of results with fractions, with this and that, or empty everywhere, is named: ids are not documents."""
    data = [{"id": key, "query": f"what {key}", "hits": items} for key in ("q1", "q2")]
    with pytest.raises(DataError, match=r"no doc column.*lists that are not read: hits"):
        written(data, "results")


def test_floats_among_ids(read: Read) -> None:
    """A whole float among other ids is one, whatever the list is called."""
    data: list[dict[str, Any]] = [{"id": "q1", "question": "what", "gold_docs": ["d4", 1.0, 7]}]
    assert [row[:2] for row in read(data)] == [("q1", "d4"), ("q1", "1"), ("q1", "7")]
    data[0]["grades"] = [0, 3, 1]
    assert read(data) == [("q1", "d4", 0.0), ("q1", "1", 3.0), ("q1", "7", 1.0)]


@pytest.mark.parametrize("key", ["id", "_id", "doc_id"])
def test_objects_of_one_number(key: str, read: Read) -> None:
    """{"id": 7} in a list of documents is the document 7, not a document called "id" with grade 7."""
    data = [{"query_id": "q1", "relevant_docs": [{key: 7}, {key: 8}]}]
    assert read(data) == [("q1", "7", 1.0), ("q1", "8", 1.0)]


def test_pairs_with_numbers_as_text(read: Read) -> None:
    """[["d1", "0.9"], …] under a query is refused: "0.9" would be a document."""
    with pytest.raises(DataError, match=r"JSON without documents|no doc"):
        read({"q1": [["d1", "0.9"], ["d2", "0.8"]]}, "results")


def _solr(doc: str) -> dict[str, Any]:
    return {"responseHeader": {"status": 0, "QTime": 3}, "response": {"numFound": 1, "docs": [{"id": doc, "score": 1}]}}


def _elastic(doc: str) -> dict[str, Any]:
    return {"took": 1, "timed_out": False, "hits": {"hits": [{"_id": doc, "_score": 1.0}]}}


@pytest.mark.parametrize("answer", [_solr, _elastic])
@pytest.mark.parametrize("called", ["source", "doc", "hits", "results", "model"])
def test_queries_called_like_columns(answer: Callable[[str], Any], called: str, read: Read) -> None:
    """Answers by query are read whatever the queries are: one called "doc" hid the others."""
    assert [row[:2] for row in read({"laptop": answer("d1"), called: answer("d2")}, "results")] == [
        ("laptop", "d1"), (called, "d2"),
    ]  # fmt: skip


def test_a_map_that_is_not_read_is_named(tmp_path: Path) -> None:
    """Of {query: {document: number}} with a query called "results", only that one is read: the others are named."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"laptop": {"d1": 1.5}, "results": {"d3": 1.5}}))
    assert "lists that are not read: laptop" in ir.read_results(path).source.reading_notes


SOLR_ERROR = {"responseHeader": {"status": 400, "QTime": 1}, "error": {"msg": "undefined field x", "code": 400}}
NO_DOCS = {"responseHeader": {"status": 0, "QTime": 1}, "response": {"numFound": 3, "start": 0}}


@pytest.mark.parametrize(
    ("answer", "said"), [(SOLR_ERROR, "undefined field x"), (NO_DOCS, "the answer has no response.docs")]
)
@pytest.mark.parametrize("first", [True, False])
def test_solr_answers_without_documents(answer: Any, said: str, first: bool, tmp_path: Path) -> None:
    """A saved error of Solr, and an answer without a list, are failed searches, not queries without results."""
    answers = {"q1": _solr("d1"), "q2": answer, "q3": {"response": {"numFound": 0, "docs": []}}}
    path = tmp_path / "x.json"
    path.write_text(json.dumps({key: answers[key] for key in (("q2", "q1", "q3") if first else ("q1", "q2", "q3"))}))
    results = ir.read_results(path)
    assert list(results.failed("")) == ["q2"]
    assert said in results.failed("")["q2"]
    scores = ir.evaluate({key: {"d1": 1} for key in answers}, path, ["RR"])
    assert (scores["RR"], "1 judged, nothing returned (q3)" in str(scores.ledger)) == (0.5, True)


@pytest.mark.parametrize("grade", [{"value": 3}, [3]], ids=str)
def test_grades_that_are_lists_or_objects_are_named(grade: Any, tmp_path: Path) -> None:
    """A grade that is no number is not left out without a word, so that its document would just be relevant."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"qid": "q1", "question": "what", "relevant": [{"_id": "d1", "grade": grade}]}]))
    assert "lists that are not read: grade" in ir.read_judgments(path).source.reading_notes


@pytest.mark.parametrize("lined", [True, False])
def test_a_key_twice_beside_a_list(lined: bool, tmp_path: Path) -> None:
    """Two lists of grades of one name are refused, as any key that occurs twice; the second one counted."""
    row = '{"query_id": "q1", "doc_ids": ["d1"], "grades": [1], "grades": [3]}'
    path = tmp_path / "x.json"
    path.write_text(f"{row}\n{row}\n" if lined else f"[{row}]")
    with pytest.raises(DataError, match="the key 'grades' occurs twice in an object"):
        ir.read_judgments(path)


@pytest.mark.parametrize("called", ["grades", "scores"])
def test_a_list_among_numbers_beside_documents(called: str, written: Read) -> None:
    """[0, [0], 2] beside documents is refused: passed over, the documents with grade 0 would be relevant."""
    name, kind = ("relevant_docs", "judgments") if called == "grades" else ("results", "results")
    with pytest.raises(DataError, match=rf"{called} contains \[0\], which is no number"):
        written([{"query_id": "q1", name: ["d1", "d2", "d3"], called: [0, [0], 2]}], kind)


@pytest.mark.parametrize("row", [{"relevant_docs": ["d1"], "grades": [[1, 2]]}, {"gold_id": "d1", "grades": [0]}])
def test_lists_of_grades_that_are_not_read_are_named(row: dict[str, Any], tmp_path: Path) -> None:
    """A list of lists of grades, or one beside a single id, is not read, and that is said: the document is relevant."""
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"query_id": "q1", "question": "what", **row}]))
    assert "lists that are not read: grades" in ir.read_judgments(path).source.reading_notes


ITEMS = {"null": None, "true or false": True, "a text": "x", "a number": 7}


@pytest.mark.parametrize("pairs", [False, True], ids=["objects", "lists"])
@pytest.mark.parametrize("first", [False, True], ids=["last", "first"])
@pytest.mark.parametrize("what", ITEMS)
def test_what_is_no_record_is_refused(what: str, first: bool, pairs: bool, written: Read) -> None:
    """In a list of records it was passed over, or became a row without a document."""
    record = {"qid": "q1", "relevant_docs": ["d1"], **({"grades": [1]} if pairs else {})}
    records: list[Any] = [ITEMS[what], record] if first else [record, ITEMS[what]]
    for data in (records, {"version": "a", "queries": records}):
        with pytest.raises(DataError, match=f"{what} where the other documents have something else.* or remove it"):
            written(data)


@pytest.mark.parametrize("judgments", [[None, {"doc_id": "d1", "grade": 1}], 7])
def test_what_is_no_judgment_is_refused(judgments: Any, written: Read) -> None:
    """The same of a list within a record, and of what stands where the list should be."""
    with pytest.raises(DataError, match="where the other documents have something else"):
        written([{"qid": "q1", "relevant": [{"doc_id": "d1", "grade": 1}]}, {"qid": "q2", "relevant": judgments}])


@pytest.mark.parametrize("data", [{"q\0": {"d": 1}}, [{"query_id": "q", "relevant_docs": ["d\0"]}]], ids=["key", "id"])
def test_nul_is_called_so(data: Any, written: Read) -> None:
    """It was called binary data."""
    with pytest.raises(
        DataError, match=r"x\.json line 1: the text '.\\x00' contains a NUL character \(\\u0000 in JSON\)"
    ):
        written(data)


@pytest.mark.parametrize("name", ["data", "rows", "records"])
def test_a_list_alone_is_no_query(name: str, written: Read) -> None:
    """The name of the one list of a document was taken for a query's id; among other queries it is one."""
    with pytest.raises(DataError, match="JSON without documents"):
        written({name: ["d1", "d2"]})
    assert written({name: ["d1"], "java": ["d2"]})[0] == (name, "d1", 1.0)
