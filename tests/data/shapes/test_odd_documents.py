"""Documents in which something is not what it should be: only errors of this library, alike as text and as objects."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank._core import BadInput
from idealrank.data.formats.nested_plan import NestedPlan as Plan
from idealrank.data.formats.shapes import find_plan
from idealrank.errors import DataError, IdealrankError
from tests.amounts import tried
from tests.data.shapes.odd import DOCUMENTS, odd, vespa
from tests.data.shapes.test_walks import by_objects, by_text
from tests.data.shapes.toy import JUDGMENTS, NDCG, RESULTS, RETURNED, lines, search

NUMBERS = range(tried(24))
"""Seeds of the odd documents of each kind."""


def texts(document: Any) -> list[str]:
    """Return a document as JSON, on several lines and on one, and a list one element per line."""
    each = [lines(document)] if isinstance(document, list) else []
    return [json.dumps(document, indent=1), json.dumps(document), *each]


def judged(source: Any) -> None:
    """Read judgments to the last cell."""
    ir.read_judgments(source).pool("median", "first")


def returned(source: Any) -> None:
    """Read results to the last cell."""
    results = ir.read_results(source)
    results.failed("")
    for system in results.systems:
        results.run(system, "first")


def refused(read: Any, source: Any) -> None:
    """Read a source, which may be refused by an error of this library and by no other."""
    with contextlib.suppress(IdealrankError):
        read(source)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_only_errors_of_this_library(name: str) -> None:
    """Whatever a document has in the place of a value, it is read or refused, as a file and as Python objects."""
    for number in NUMBERS:
        document = odd(DOCUMENTS[name], Random(f"{name} {number}"))
        for read in (judged, returned):
            refused(read, document)
            for text in texts(document):
                refused(read, io.BytesIO(text.encode()))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_text_and_objects_agree(name: str) -> None:
    """An odd document is read, or refused, alike as JSON and as Python objects."""
    for number in NUMBERS:
        document = odd(DOCUMENTS[name], Random(f"{name} {number}"))
        plan = find_plan([document], "file")
        if isinstance(plan, DataError) or plan.build is not None or "\\ud800" in json.dumps(document):
            continue
        assert outcome(by_text, document, plan) == outcome(by_objects, document, plan), document


def outcome(read: Any, document: Any, plan: Plan) -> Any:
    """Return the tables of a document, or why it is refused, except for the line."""
    try:
        return read(document, plan)
    except BadInput as bad:
        return (bad.args[0], *bad.args[2:])


def both(document: Any) -> list[Any]:
    """Return a document as a file and as Python objects."""
    return [io.BytesIO(json.dumps(document).encode()), document]


def ids(table: Any) -> list[Any]:
    """Return the queries of a table, or their texts."""
    return list(dict.fromkeys(table.keys.query.to_list(None)))


@pytest.mark.parametrize("place", [0, 1])
def test_an_id_that_is_a_list_is_refused(place: int) -> None:
    """A list in the place of the id of a query or a document is refused, also of a second table."""
    rows = [{"query_id": ["a"], "user_query": "x", "query_response_hit_ids": ["d"]}]
    azure = [{"query": "q", "retrieval_ground_truth": [{"document_id": "d", "query_relevance_label": 1}],
              "retrieved_documents": [{"document_id": {"x": 1}, "relevance_score": 1.0}]}]  # fmt: skip
    for document, column in ((rows, "query_id"), (azure, "doc_id")):
        with pytest.raises(ir.DataError, match=rf"{column} .* is a list or an object"):
            returned(both(document)[place])
    with pytest.raises(ir.DataError, match="the doc id is missing"):
        judged(both({"queries": [{"q": "a", "relevant_documents": [{"id": [], "gain": 1}]}]})[place])


def test_an_array_in_a_document_is_a_list() -> None:
    """Arrays of NumPy are the lists that they stand for: refused as an id, read as a list of ids."""
    ubi = [{"query_id": "a", "query_response_hit_ids": ["d", np.array(["x", "y"])]}]
    with pytest.raises(ir.DataError, match=r"doc_id .* is a list or an object"):
        returned(ubi)
    found = {"searchText": "a", "documentIds": np.array(["x", "y"])}
    assert ir.evaluate({"a": {"y": 1}}, found, ["RR"])["RR"] == 0.5


@pytest.mark.parametrize("value", [np.float64("nan"), np.int64(3), np.datetime64("2026-01-02"), np.datetime64("NaT")])
def test_a_number_of_numpy_in_the_place_of_a_list(value: Any) -> None:
    """A single value of NumPy beside the documents of a query is read as one of Python is, and so is a date."""
    rows = [{"query": q, "retrieved": [{"id": "d1", "score": 1.0}], "gold": value} for q in ("a", "b")]
    assert ir.read_results(rows).keys.query.to_list(None) == ["a", "b"]


@pytest.mark.parametrize("place", [0, 1])
def test_a_grade_that_is_a_list_is_refused(place: int) -> None:
    """A list in the place of a grade is no missing grade."""
    rated = {"q1": [{"doc": "d1", "rating": 2}, {"doc": "d2", "rating": ["x"]}]}
    with pytest.raises(ir.DataError, match=r"rating .* is a list or an object"):
        judged(both(rated)[place])


@pytest.mark.parametrize("place", [0, 1])
def test_a_turn_without_responses(place: int) -> None:
    """A turn without responses has no row, and the passages of the others are found wherever the first are."""
    turns = RETURNED["TREC iKAT"]["turns"]
    for first in ({"turn_id": "q0"}, {"turn_id": "q0", "responses": []}, {"turn_id": "q0", "responses": [{}]}):
        results = ir.read_results(both({"run_name": "r", "turns": [first, *turns]})[place])
        assert results.keys.query.to_list(None) == ["q1", "q1", "q1", "q2"]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("text", ["a.b", "[]", "x*", "@key", "=q"])
def test_names_may_contain_any_sign(text: str, place: int) -> None:
    """Names of subsets, fields and parameters are read as they are, whatever signs they contain."""
    predictions = both({text: {"test": RESULTS}})[place]
    assert ir.evaluate(JUDGMENTS, predictions, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    match = {"request": {"query": {"match": {text: "shoes"}}}, "ratings": [{"_id": "d", "rating": 1}]}
    rated = {"searchContext": {text: "shoes"}, "ratings": [{"documentId": "d", "rating": 1}]}
    for document in ({"requests": [{"id": "q1", **match}]}, [{"id": "q1", **rated}]):
        judgments = ir.read_judgments(both(document)[place])
        assert judgments.column("text").to_list(None) == ["shoes"]


def test_a_source_that_is_a_number() -> None:
    """A hit whose source is no object is a hit all the same."""
    answer = search("q1")
    answer["hits"]["hits"][0]["_source"] = 7
    for source in both(answer):
        assert ir.read_results(source).source.frame.rows == 3


def test_a_bulk_file_in_a_list() -> None:
    """UBI queries with an action before each are read as lines, as a list and as Python objects."""
    bulk = DOCUMENTS["UBI bulk file"]
    numbered = {f"id of {query}": docs for query, docs in JUDGMENTS.items()}
    for source in (*map(io.StringIO, texts(bulk)), bulk):
        assert ir.evaluate(numbered, source, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_pairs_in_a_tools_document() -> None:
    """An answer is what it is, whether something else in it looks like pairs or not."""
    answer = {**vespa("q1"), "hits": [["x", 1]]}
    for text in texts(answer):
        results = ir.read_results(io.StringIO(text))
        assert results.keys.query.to_list(None) == ["results"] * 3


def test_several_answers_of_vespa() -> None:
    """Answers in a list, one per line and by query are one query each, as files and as Python objects."""
    answers = [vespa("q1"), vespa("q2")]
    numbered = {"1": JUDGMENTS["q1"], "2": JUDGMENTS["q2"]}
    for source in (*map(io.StringIO, texts(answers)), answers):
        assert ir.evaluate(numbered, source, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    for source in both(dict(zip(JUDGMENTS, answers, strict=True))):
        assert ir.evaluate(JUDGMENTS, source, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


NULL_ANSWERS: dict[str, Any] = {
    "several answers": {"responses": [{"hits": {"hits": [{"_id": "a", "_score": 1}]}}, None]},
    "answers by query": {"1": {"hits": {"hits": [{"_id": "a", "_score": 1}]}}, "2": None},
    "a list of answers": [{"hits": {"hits": [{"_id": "a", "_score": 1}]}}, None],
}


@pytest.mark.parametrize("document", NULL_ANSWERS.values(), ids=NULL_ANSWERS)
def test_a_null_answer_is_a_failed_search(document: Any, tmp_path: Path) -> None:
    """Null in the place of an answer is no empty list: the search failed, in a file and as an object."""
    (tmp_path / "r.json").write_text(json.dumps(document))
    for source in (tmp_path / "r.json", document):
        results = ir.read_results(source)
        assert results.failed("") == {"2": "no answer"}
        assert results.run("", "error").queries == ["1"]


def test_a_list_in_a_turn_without_results_marks_no_row() -> None:
    """A turn whose id is a list has no results, and its mark is not that of the next turn's rows."""
    returned = [{"rank": 1, "provenance": [{"id": "d1", "score": 1}]}]
    turns = [{"turn_id": ["x"]}, {"turn_id": "q1", "responses": returned}]
    for order in (turns, turns[::-1]):
        text = json.dumps({"run_name": "r", "turns": order}).encode()
        assert ir.read_results(io.BytesIO(text)).run("", "error").queries == ["q1"]
