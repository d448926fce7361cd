"""Ids that would match, were they spelt alike: said in the refusal, or as a warning."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir
from idealrank.judged_lists.join import SystemLists

QRELS = {"q1": {"d1": 3, "d2": 1}, "q2": {"d3": 2}, "q03": {"d4": 1}}


def said(results: dict[str, dict[str, float]]) -> tuple[str, ...]:
    """Return the warnings of an evaluation."""
    return ir.evaluate(QRELS, results, ["RR"]).ledger.warnings


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({"Q1": {"d1": 1.0}, "Q2": {"d3": 1.0}}, "None of the 2 queries in results has judgments: query ids differ by "
         "letter case: 'Q1' there and 'q1' in judgments."),
        ({"q3": {"d4": 1.0}}, "The one query in results has no judgments: query ids differ by leading zeros: "
         "'q3' there and 'q03' in judgments."),
        ({"q%31": {"d1": 1.0}}, "query ids differ by URL encoding: 'q%31' there and 'q1' in judgments."),
        ({"q\uff11": {"d1": 1.0}}, "query ids differ by Unicode form: 'q\uff11' there and 'q1' in judgments."),
        ({" Q1": {"d1": 1.0}}, "query ids differ by letter case and surrounding spaces: ' Q1' there and 'q1'"),
        ({"q1": {"D1": 1.0, "d02": 0.5}}, "None of the 2 results in results is judged: document ids differ by "
         "letter case or leading zeros: 'D1' there and 'd1' in judgments."),
        ({"\ufeffq1": {"d1": 1.0}}, "query ids differ by invisible characters: '"),
        ({"zz": {"d1": 1.0}}, "query ids look like 'zz' (text) there and like 'q1' (text) in judgments."),
    ],
)  # fmt: skip
def test_nothing_matches(results: dict[str, dict[str, float]], message: str) -> None:
    """Where nothing matches, the refusal says in what the ids differ, with an example."""
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(QRELS, results, ["RR"])
    assert message in str(refused.value)


FIRST, SECOND = str(uuid.UUID(int=0xABCDEF << 96)), str(uuid.UUID(int=0xABCDEF << 97))


@pytest.mark.parametrize(
    ("spelled", "by"),
    [
        (lambda one: one.replace("-", ""), "dashes or braces of a UUID"),
        (lambda one: f"{{{one.upper()}}}", "dashes or braces of a UUID and letter case"),
        (lambda one: f"urn:uuid:{one}", "dashes or braces of a UUID"),
        (str.upper, "letter case"),
    ],
)
def test_uuids_in_another_spelling(spelled: Callable[[str], str], by: str) -> None:
    """A UUID without its dashes is the same id spelled otherwise: no system scores 0 for it without a word."""
    judged, right = {"q1": {FIRST: 1}, "q2": {SECOND: 1}}, {"q1": {FIRST: 1.0}, "q2": {SECOND: 1.0}}
    wrong = {query: {spelled(doc): 1.0 for doc in documents} for query, documents in right.items()}
    for results in (wrong, {"right": right, "wrong": wrong}, {"q1": wrong["q1"]}):
        with pytest.raises(ir.DataError, match=f"document ids differ by {by}: .*idealrank doctor, with these files"):
            ir.evaluate(judged, results, ["RR"])
    with pytest.raises(ir.DataError, match=f"query ids differ by {by}"):
        ir.evaluate({FIRST: {"d": 1}}, {spelled(FIRST): {"d": 1.0}}, ["RR"])
    (warning,) = ir.evaluate(judged, {**wrong, "q2": right["q2"]}, ["RR"]).ledger.warnings
    assert f"except for {by} (" in warning


def test_one_query_whose_documents_are_spelt_otherwise() -> None:
    """One query may return only unjudged documents, but not the judged ones in another spelling."""
    with pytest.raises(ir.DataError, match="The one result in results is not judged: document ids differ"):
        ir.evaluate({"q": {"d1": 1}}, {"q": {"D1": 1.0}}, ["RR"])
    found = ir.evaluate({"q": {"d1": 1}}, {"q": {"7": 2.0, "x": 1.0}}, ["RR"])
    assert found["RR"] == 0.0
    assert found.ledger.warnings == (
        "nothing returned is judged (2 results): "
        "document ids look like 7 (a number), and in judgments like 'd1' (text)",
    )


def test_some_queries_match() -> None:
    """Queries that stay apart by their spelling alone are counted and one is named."""
    found = said({"q1": {"d1": 1.0}, "Q2": {"d3": 1.0}, "q3": {"d4": 1.0}})
    assert found == (
        "2 query ids equal in results and judgments except for letter case or leading zeros "
        "('Q2' returned, 'q2' judged); not joined",
    )
    assert said({"q1": {"d1": 1.0}, "q9": {"d3": 1.0}}) == ()


def test_causes_are_named_each() -> None:
    """Ids that stay apart for two reasons are warned of with both."""
    found = said({"q1": {"d1": 1.0}, "Q2": {"d3": 1.0}, "q3": {"d4": 1.0}, "q03 ": {"d4": 1.0}})
    assert "except for letter case or leading zeros or surrounding spaces ('Q2' returned" in found[0]


def test_documents_of_another_spelling() -> None:
    """Unjudged results that are judged documents but for their spelling are named, however many are judged."""
    qrels: Any = {"q": {f"d{i}": 1 for i in range(30)}}
    results: Any = {"q": {f"d{i}": 9.0 for i in range(20)} | {"D20": 1.0, "x": 0.5}}
    found = ir.evaluate(qrels, results, ["RR"]).ledger.warnings
    assert found == (
        "1 document id equal in results and judgments except for letter case ('D20' returned, 'd20' judged), "
        "among the first 2 unjudged results compared; not joined",
    )
    results = {"q": {"d0": 9.0, "d1": 8.0, "D1": 1.0, "x": 0.5}}
    assert ir.evaluate(qrels, results, ["RR"]).ledger.warnings == ()


def test_documents_of_several_spellings() -> None:
    """All that the documents of the first queries differ in is named."""
    qrels: Any = {"1": {"A": 1, "b": 2, "c": 1}, "2": {"d7": 1, "e": 1}}
    results: Any = {"1": {"a": 4.0, "B": 3.0, "c": 2.0}, "2": {"d07": 1.0}}
    assert ir.evaluate(qrels, results, ["nDCG@10"]).ledger.warnings == (
        "3 document ids equal in results and judgments except for letter case or leading zeros ('a' returned, "
        "'A' judged), among the first 3 unjudged results compared; not joined",
    )


def test_the_document_of_the_system_that_fails() -> None:
    """Where nothing of one system is judged, a document of that system is shown, not of another."""
    table = {
        "query_id": ["q1", "q2", "q1", "q2"], "doc_id": ["d1", "d3", "other", "other"],
        "system": ["good", "good", "bad", "bad"], "rank": [1, 1, 1, 1],
    }  # fmt: skip
    with pytest.raises(ir.DataError, match="of system 'bad' is judged: document ids look like 'other'"):
        ir.evaluate({"q1": {"d1": 1}, "q2": {"d3": 1}}, table, ["RR"])


def test_texts_that_almost_match() -> None:
    """Where judgments have texts and results have ids with texts, texts that differ by case or blanks are named."""
    judgments = {"query": ["mouse pad", "running shoes", "Hiking boots"], "doc_id": ["a", "b", "c"], "grade": [3, 3, 2]}
    results = {
        "query_id": ["q1", "q2", "q3"],
        "query": ["  mouse pad  ", "running shoes", "hiking boots"],
        "doc_id": ["a", "b", "c"],
        "rank": [1, 1, 1],
    }
    warnings = ir.evaluate(judgments, results, ["RR"]).ledger.warnings
    assert (
        "2 query texts equal in results and judgments except for surrounding spaces or letter case "
        "('  mouse pad  ' returned, 'mouse pad' judged); not joined"
    ) in warnings


def test_addresses_written_in_another_way() -> None:
    """The scheme, www. and a slash at the end are said to be the difference between two addresses."""
    judgments = {"q": {"http://x.org/a": 1, "https://x.org/b": 1}}
    results = {"q": {"https://www.x.org/a/": 2.0, "https://x.org/b": 1.0, "https://x.org/c": 0.5}}
    (warning,) = (text for text in ir.evaluate(judgments, results, ["RR"]).ledger.warnings if "except" in text)
    assert warning.startswith("1 document id equal in results and judgments except for form of the address")


def test_the_queries_are_listed_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core makes the list of all queries anew each time: it is asked for no more often where more are compared."""
    listed: list[int] = []
    ids = SystemLists.queries.fget
    monkeypatch.setattr(SystemLists, "queries", property(lambda joined: listed.append(1) or ids(joined)))
    for many in (1, 20):
        listed.append(0)
        qrels = {f"q{i}": {"d1": 1, "d2": 0} for i in range(many)}
        found = ir.evaluate(qrels, {f"q{i}": {"d1": 2.0, "D2": 1.0} for i in range(many)}, ["RR"])
        assert "letter case" in " ".join(found.ledger.warnings)
    one, twenty = listed.index(0, 1), len(listed) - listed.index(0, 1)
    assert one == twenty
