"""Queries: how they are joined, found by text, chosen and weighed."""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir
from idealrank.data.queries import read_queries
from tests.data.test_columns import refusal, values

KINDS: dict[str, list[Any]] = {
    "ints": [1, 12, 2],
    "text": ["1", "12", "2"],
    "text of whole floats": ["1.0", "12.0", "2.0"],
    "whole floats": [1.0, 12.0, 2.0],
    "NumPy ints": list(np.array([1, 12, 2], np.uint8)),
    "NumPy floats": list(np.array([1, 12, 2], np.float32)),
    "mixed": [1, "12", 2.0],
}
"""The same ids in several types."""


@pytest.mark.parametrize(("ours", "theirs"), list(itertools.product(KINDS, KINDS)))
def test_ids_match_whatever_their_type(ours: str, theirs: str) -> None:
    """12, "12" and 12.0 are one id, of a query as of a document, on either side."""
    judgments = {"query_id": KINDS[ours], "doc_id": KINDS[theirs], "grade": [1, 2, 3]}
    results = {"query_id": KINDS[theirs], "doc_id": KINDS[ours], "rank": [1, 1, 1]}
    assert values(judgments, results) == {"1": 1.0, "2": 3.0, "12": 2.0}


@pytest.mark.parametrize("kind", ["csv", "tsv", "trec"])
def test_ids_in_text_match_ids_in_frames(kind: str, tmp_path: Path) -> None:
    """Ids written into text match the ints of a frame, also where pandas wrote them as floats."""
    path = tmp_path / f"j.{kind}"
    text = {"csv": "query_id,doc_id,grade\n1.0,7.0,2\n12.0,,\n", "tsv": "query_id\tdoc_id\tgrade\n1\t7\t2\n12\t8\t\n",
            "trec": "1.0 0 7.0 2\n12.0 0 8.0 -1\n"}[kind]  # fmt: skip
    path.write_text(text)
    assert values(str(path), pd.DataFrame({"qid": [1, 12], "pid": [7, 8], "rank": [1, 1]}))["1"] == 2.0


@pytest.mark.parametrize("kind", ["csv", "dict", "categories"])
def test_one_id_of_letters_leaves_the_others_numbers(kind: str, tmp_path: Path) -> None:
    """12.0 is 12 in a column that holds text, too."""
    rows = {"query_id": ["2.00", "2.00", "x"], "doc_id": ["12.0", "A5", "12.0"], "grade": [2, 1, 3]}
    path = tmp_path / "j.csv"
    path.write_text("query_id,doc_id,grade\n2.00,12.0,2\n2.00,A5,1\nx,12.0,3\n")
    frame = pd.DataFrame(rows).astype({"query_id": "category", "doc_id": "category"})
    judgments = {"csv": str(path), "dict": {"2.00": {"12.0": 2, "A5": 1}, "x": {"12.0": 3}}, "categories": frame}[kind]
    results = {"query_id": [2, 2, "x"], "doc_id": ["A5", 12, 12], "rank": [1, 2, 1]}
    assert values(judgments, results, "CG@2") == {"2": 3.0, "x": 3.0}
    assert values(results | {"grade": [1, 2, 3]}, judgments, "NumRelRet") == {"2": 2.0, "x": 1.0}


def test_ids_that_only_look_alike_stay_apart(tmp_path: Path) -> None:
    """Leading zeros, and numbers with decimals of versions, are text."""
    judgments = {"query_id": ["007"], "doc_id": ["a"], "grade": [1]}
    message = refusal(lambda: values(judgments, {"query_id": [7], "doc_id": ["a"], "rank": [1]}))
    assert "query ids differ by leading zeros: '7' there and '007' in judgments" in message
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\nq,1.0,1\nq,1.5,2\n")
    results = {"query_id": ["q", "q"], "doc_id": ["1.5", "1.0"], "rank": [1, 2]}
    assert values(str(tmp_path / "j.csv"), results, "NumRelRet") == {"q": 2.0}


def test_large_ids_keep_their_digits(tmp_path: Path) -> None:
    """Ids beyond what a float holds exactly are not rounded."""
    big = [2**53, 2**53 + 1, 2**63 + 5]
    judgments = {"query_id": ["q"] * 3, "doc_id": big, "grade": [1, 2, 3]}
    results = {"query_id": ["q"], "doc_id": [str(2**53 + 1)], "rank": [1]}
    assert values(judgments, results) == {"q": 2.0}
    (tmp_path / "j.csv").write_text("query_id,doc_id,grade\nq,9007199254740992.0,1\nq,9007199254740993.0,2\n")
    assert values(str(tmp_path / "j.csv"), results) == {"q": 0.0}


def test_fractional_ids() -> None:
    """An id that is a number with decimals is refused."""
    message = refusal(lambda: values({"query_id": [1.5], "doc_id": ["a"], "grade": [1]}, {"qid": [1], "doc": ["a"]}))
    assert message == "judgments row 0: query id 1.5 is not a whole number. Ids must be text or whole numbers."


TEXTS = {"query_id": [1, 1, 2, 3], "query": ["red shoes", "red shoes", "hats", "red shoes"],
         "doc_id": ["a", "b", "c", "d"], "grade": [1, 0, 1, 1]}  # fmt: skip
RETURNED = {
    "query_id": [1, 2, 3],
    "user_query": ["Red shoes", "hats", "red shoes"],
    "doc_id": ["a", "c", "d"],
    "rank": [1] * 3,
}


def test_differing_texts_are_counted() -> None:
    """Ids are joined whatever their texts; ids whose texts differ, in a table or between them, are counted."""
    scores = ir.evaluate(TEXTS, RETURNED, ["RR"])
    assert scores["RR"] == 1.0
    assert any(note.startswith("1 query id has differing texts") for note in scores.ledger.notes)
    within = {**TEXTS, "query": ["red shoes", "Red Shoes", "hats", "x"]}
    notes = ir.evaluate(within, RETURNED, ["RR"]).ledger.notes
    assert any(note.startswith("2 query ids have differing texts") for note in notes)
    assert not any("texts" in note for note in ir.evaluate(TEXTS, TEXTS, ["RR"]).ledger.notes)


def test_query_by_id_or_text() -> None:
    """A query is asked for by id or by text; a text of several ids is refused with the ids."""
    assert ir.explain(TEXTS, RETURNED, "RR", query="2").query == "2"
    assert ir.explain(TEXTS, RETURNED, "RR", query="hats").query == "2"
    with pytest.raises(ir.UsageError) as refused:
        ir.explain(TEXTS, RETURNED, "RR", query="red shoes")
    assert str(refused.value).startswith("'red shoes' is the text of 2 queries: '1', '3'.")


@pytest.mark.parametrize("key", ["id", "query_id", "query"])
def test_text_of_the_queries_table(key: str) -> None:
    """A column called text holds the texts of the queries, in their own table alone."""
    table = {key: ["1", "2"], "Text": ["red shoes", "hats"], "segment": ["a", "b"]}
    scores = ir.evaluate({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}, ["RR"], queries=table)
    assert scores.explain("RR", query="red shoes").text == "red shoes"
    passages = {"query_id": ["1"], "doc_id": ["a"], "text": ["a red shoe"], "rank": [1]}
    assert ir.evaluate({"1": {"a": 1}}, passages, ["RR"]).explain("RR").text == ""


def test_text_is_the_key_without_ids() -> None:
    """Without an id column the text is the key, letter by letter."""
    judgments = {"query": ["red shoes", "hats"], "doc_id": ["a", "c"], "grade": [1, 1]}
    results = {"search_term": ["Red shoes", "hats"], "doc_id": ["a", "c"], "rank": [1, 1]}
    scores = ir.evaluate(judgments, results, ["RR"])
    assert dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True)) == {"red shoes": 0.0, "hats": 1.0}


QRELS = {"1": {"a": 1}, "2": {"b": 1}, "10": {"c": 1}, "x": {"d": 1}}
RUN = {query: dict.fromkeys(docs, 1.0) for query, docs in QRELS.items()}


def chosen(only: Any) -> list[str]:
    """Return the queries that count."""
    scores = ir.evaluate(QRELS, RUN, ["RR"], only=only)
    return [query for query, value in zip(scores.queries, scores.values[0, 0], strict=True) if not np.isnan(value)]


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (None, ["1", "2", "10", "x"]),
        ("1..9", ["1", "2"]),
        ("2..10", ["2", "10"]),
        ("x", ["x"]),
        ("x, 2", ["2", "x"]),
        (["x", 2], ["2", "x"]),
        ([2.0], ["2"]),
        (2, ["2"]),
        (np.array([1, 2]), ["1", "2"]),
        (pd.Series(["x"]), ["x"]),
        ({"x"}, ["x"]),
    ],
)
def test_only(only: Any, expected: list[str]) -> None:
    """Queries are chosen by a range of numbers, ids joined by commas, or ids of any type."""
    assert chosen(only) == expected


@pytest.mark.parametrize("text", ["2\nx\n", "\ufeff2\r\n\r\nx", "2\tred shoes\nx\thats\n"])
def test_only_from_a_file(text: str, tmp_path: Path) -> None:
    """A file holds an id a line; what stands behind a tab is passed over."""
    (tmp_path / "ids").write_text(text, "utf-8")
    assert chosen(str(tmp_path / "ids")) == ["2", "x"]
    assert chosen(tmp_path / "ids") == ["2", "x"]


def test_only_refusals(tmp_path: Path) -> None:
    """Asking for no judged query at all is refused, as is a file that is no text."""
    with pytest.raises(ir.UsageError) as refused:
        chosen("y, z")
    assert str(refused.value) == "No judged query matches 'y', 'z'. Ids of judged queries: '1', '2', '10' and 1 more."
    (tmp_path / "ids").write_bytes(b"\xff\xfe1")
    assert refusal(lambda: chosen(tmp_path / "ids")) == (
        f"{tmp_path / 'ids'}: cannot be read as a file of query ids: not UTF-8 text."
    )
    assert refusal(lambda: chosen(tmp_path / "none")) == (
        f"{tmp_path / 'none'}: cannot be read as a file of query ids: {os.strerror(2)}."
    )


TABLE = {"query_id": [1, 2, 10], "query": ["red", "blue", "hats"], "segment": ["colour", "colour", "thing"],
         "frequency": [3, 1, 0]}  # fmt: skip


def weighted(queries: Any, weights: Any) -> float:
    """Return the weighted mean of a measure that is 1, 0, 1 for queries 1, 2, 10."""
    qrels = {query: docs for query, docs in QRELS.items() if query != "x"}
    return ir.evaluate(qrels, {"1": {"a": 1.0}, "10": {"c": 1.0}}, ["RR"], queries=queries, weights=weights)["RR"]


@pytest.mark.parametrize("weights", ["frequency", "Frequency", {1: 3, "2": 1, 10.0: 0}, TABLE, pd.DataFrame(TABLE)])
def test_weights(weights: Any) -> None:
    """Weights are a column of the queries table, a dict by id, or a table of their own."""
    assert weighted(TABLE, weights) == pytest.approx(3 / 4)


def test_weights_from_a_file(tmp_path: Path) -> None:
    """A file of frequencies is read like any table; text there is read as numbers."""
    pd.DataFrame(TABLE).to_csv(tmp_path / "queries.csv", index=False)
    assert weighted(None, str(tmp_path / "queries.csv")) == pytest.approx(3 / 4)
    assert weighted(str(tmp_path / "queries.csv"), "frequency") == pytest.approx(3 / 4)


def test_weights_with_decimal_commas(tmp_path: Path) -> None:
    """A share of the traffic as a European spreadsheet writes it is read as grades and scores are."""
    (tmp_path / "queries.csv").write_text("query_id;Anteil am Verkehr\n1;0,75\n2;0,25\n10;0\n")
    assert weighted(str(tmp_path / "queries.csv"), "Anteil am Verkehr") == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("queries", "weights", "message"),
    [
        (TABLE, {1: 3, 2: 1}, "queries: 1 of 3 queries has no weight: '10'. Give each a weight."),
        (TABLE, {1: 3, 2: -1, 10: 1}, "queries: the weight of query '2' is -1.0. Weights must be 0 or more."),
        (None, {1: 3, 2: "much", 10: 1}, "weights: the weight of query '2' is 'much', "
         "not a number. Give a number, 0 or more."),
        (None, {1: 3, 2: None, 10: 1}, "weights: the weight of query '2' is missing. Give a number, 0 or more."),
        (None, {"query_id": [1, 1], "weight": [1, 2]},
         "queries row 1: query '1' appears a second time (first: row 0). Give one row per query."),
        (None, {"query_id": [1, None], "weight": [1, 2]}, "queries row 1: the query id is missing. "
         "Give every row one."),
        (None, {"name": [1], "weight": [1]}, "queries: no query column. Found: name, weight. "
         "Call it query_id, or query if it contains texts."),
    ],
)  # fmt: skip
def test_weight_refusals(queries: Any, weights: Any, message: str) -> None:
    """A weight that is missing, negative or no number is refused with its query."""
    assert refusal(lambda: weighted(queries, weights)) == message


def test_unknown_weights() -> None:
    """A name that is neither a column nor a file is refused with the columns there are."""
    with pytest.raises(ir.UsageError) as refused:
        weighted(TABLE, "freq")
    assert str(refused.value) == (
        "weights='freq' is neither a column of the queries table (query, segment, frequency) nor a file."
    )


def test_frequencies_that_are_missing_or_no_numbers(tmp_path: Path) -> None:
    """A query without a frequency comes last, without a lost value; one that is no number is named with its line."""
    judgments, results = {"1": {"a": 2}, "2": {"a": 1}}, {"1": {"b": 1.0}, "2": {"a": 1.0}}
    file = tmp_path / "q.csv"
    file.write_text("query_id,frequency\n1,\n2,30\n")
    lost = ir.evaluate(judgments, results, ["RR"], queries=str(file)).lost_value()
    assert lost["query"] == ["2", "1"]
    assert [value == value for value in lost["lost"]] == [True, False]
    file.write_text('query_id,frequency\n1,3\n2,"1,200"\n')
    with pytest.raises(ir.DataError) as refused:
        ir.evaluate(judgments, results, ["RR"], queries=str(file)).lost_value()
    said = (
        f"{file} line 3: the frequency of query '2' is '1,200', not a number. Leave out the thousands separator: 1200."
    )
    assert str(refused.value) == said
    with pytest.raises(ir.DataError, match="line 3: the frequency of query '2'"):
        ir.evaluate(judgments, results, ["RR"], queries=str(file), weights="frequency")


def test_ids_of_queries_that_differ_by_spelling() -> None:
    """A queries table and weights whose ids are but spelt otherwise are told so."""
    judgments, results = {"1": {"a": 2}, "2": {"a": 1}}, {"1": {"b": 1.0}, "2": {"a": 1.0}}
    table = {"query_id": ["001", "2"], "segment": ["head", "tail"]}
    (warning,) = ir.evaluate(judgments, results, ["RR"], queries=table).ledger.warnings
    assert warning == "1 judged query not in queries: 1; ids differ by leading zeros ('001' there, '1' judged)"
    with pytest.raises(ir.DataError, match="Ids differ by leading zeros: '001' there, '1' judged"):
        ir.evaluate(judgments, results, ["RR"], weights={"001": 2, "2": 1})


def test_whole_floats_as_they_are_typed(tmp_path: Path) -> None:
    """Ids typed as whole floats are the whole numbers, as in tables: to explain, to choose, to weigh."""
    judgments, results = {"1": {"a": 2}, "2": {"b": 1}}, {"1": {"a": 1.0}, "2": {"a": 1.0}}
    assert ir.explain(judgments, results, "RR", query="1.0").query == "1"
    (tmp_path / "ids.txt").write_text("1.0\n")
    for only in ("1.0", "1.0,7", ["1.0"], tmp_path / "ids.txt"):
        assert ir.evaluate(judgments, results, ["RR"], only=only)["RR"] == 1.0
    assert ir.evaluate(judgments, results, ["RR"], weights={"1.0": 3, "2": 1})["RR"] == 0.75


def test_files_that_are_not_there_or_empty(tmp_path: Path) -> None:
    """A misspelt file of weights or ids is offered by its name, an empty one of ids is refused."""
    judgments, results = {"1": {"a": 2}}, {"1": {"a": 1.0}}
    (tmp_path / "freq.csv").write_text("query_id,frequency\n1,3\n")
    (tmp_path / "ids.txt").write_text("\n")
    with pytest.raises(ir.UsageError, match=r"nor a file\. Did you mean .*freq\.csv\?"):
        ir.evaluate(judgments, results, weights=str(tmp_path / "frq.csv"))
    with pytest.raises(ir.UsageError, match=r"Did you mean .*ids\.txt\?"):
        ir.evaluate(judgments, results, only=str(tmp_path / "idz.txt"))
    with pytest.raises(ir.UsageError, match=r"Ids of judged queries: '1'\.$"):
        ir.evaluate(judgments, results, only="ids")
    with pytest.raises(ir.DataError, match=r"ids\.txt: contains no ids\. Give query ids, one per line\."):
        ir.evaluate(judgments, results, only=tmp_path / "ids.txt")


def test_weights_without_a_weight() -> None:
    """A table of weights whose query column is named lacks the weight alone."""
    with pytest.raises(ir.DataError, match="queries: no weight column"):
        read_queries(None, {"Nr": [1, 2], "n": [3, 4]}, query="Nr")


def test_text_beyond_ascii(tmp_path: Path) -> None:
    """Accents, Cyrillic and emoji in queries, documents and file names go in and come out."""
    query, doc = "técnica e preço 😀", "обувь.html"
    path = tmp_path / "julgamentos_é.csv"
    path.write_text(f"query,doc,grade\n{query},{doc},2\n", encoding="utf-8")
    scores = ir.evaluate(path, {"query": [query], "doc": [doc], "rank": [1]}, ["DCG"])
    assert (scores.queries, scores.steps("DCG")["doc"], scores["DCG"]) == ([query], [doc], 2)
