"""Columns are found by the names people use, or named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import idealrank as ir

Table = dict[str, list[Any]]
ROWS = {"query": ["q1", "q1", "q2"], "doc": ["a", "b", "c"], "grade": [1, 3, 2], "rank": [1, 2, 1],
        "score": [9.0, 8.0, 7.0], "system": ["s", "s", "s"]}  # fmt: skip
CG = {"q1": 4.0, "q2": 2.0}

ALIASES = {
    "query": ["query_id", "qid", "queryid", "query_key", "topic", "q_id", "query-id", "QUERY_KEY", "Query Id",
              "topic_id", "query.id"],
    "text": ["query", "query_text", "user_query", "searchText", "search_term", "Query Text", "question"],
    "doc": ["doc_id", "docid", "docno", "doc", "document", "documents", "doc_key", "pid", "documentId", "corpus-id",
            "_id", "product_id", "DOC_KEY", "Doc ID", "item_id", "id", "sku", "url"],
    "grade": ["grade", "relevance", "rel", "rating", "label", "judgment", "Relevance", "gain", "score", "SCORE"],
    "rank": ["rank", "position", "order", "Doc Position", "ordinal", "RANK", "pos"],
    "score": ["score", "sim", "SCORE", "_score", "relevance_score"],
    "system": ["system", "engine", "run", "run_id", "tag", "ENGINE", "System Name"],
}  # fmt: skip


def table(**columns: str) -> Table:
    """Return the rows under given names: role=name."""
    return {name: ROWS["query" if role == "text" else role] for role, name in columns.items()}


def values(judgments: Any, results: Any, measure: str = "CG", **decisions: Any) -> dict[str, float]:
    """Evaluate one measure and return its value per query."""
    scores = ir.evaluate(judgments, results, [measure], **decisions)
    return dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True))


JUDGMENTS, RESULTS = table(query="query_id", doc="doc_id", grade="grade"), table(query="qid", doc="docno", rank="rank")


@pytest.mark.parametrize(("role", "name"), [(role, name) for role, names in ALIASES.items() for name in names])
def test_names(role: str, name: str) -> None:
    """Every name of a column is known, on either side; turning ranks or scores round turns the order round."""
    if role in ("query", "text", "doc"):
        other = {"query": "query_id", "doc": "doc_id", role: name}
        if role == "text":
            del other["query"]
        assert values(table(**other, grade="grade"), RESULTS) == CG
        assert values(JUDGMENTS, table(**other, rank="rank")) == CG
    elif role == "grade":
        assert values(table(query="query_id", doc="doc_id", grade=name), RESULTS) == CG
    elif role == "system":
        two = {**table(query="query_id", doc="doc_id", rank="rank"), name: ["one", "one", "two"]}
        assert ir.evaluate(JUDGMENTS, two, ["CG"]).systems == ("one", "two")
    else:
        ordered = table(query="query_id", doc="doc_id", **{role: name})
        assert values(JUDGMENTS, ordered, "nDCG(gain=exp2)@1")["q1"] == pytest.approx(1 / 7)
        turned = {**ordered, name: [2, 1, 1] if role == "rank" else [1.0, 2.0, 1.0]}
        assert values(JUDGMENTS, turned, "nDCG(gain=exp2)@1")["q1"] == 1.0


def test_given_names() -> None:
    """Names are given per table, win over those that would be found, fold, and are taken for no other role."""
    read = ir.read_judgments(table(query="Suchanfrage", doc="Artikel-Nr", grade="Note") | {"docid": ["x", "y", "z"]},
                             query="Suchanfrage", doc="artikel_nr", grade="Note")  # fmt: skip
    returned = table(query="Frage", doc="Ware", rank="Platz", score="Wert", system="Motor")
    run = ir.read_results(returned, query="Frage", doc="Ware", rank="Platz", score="Wert", system="Motor")
    assert values(read, run) == CG
    assert run.systems == ("s",)
    rows = {"query_id": ROWS["query"], "label": ROWS["doc"], "order": ROWS["grade"]}
    assert values(ir.read_judgments(rows, doc="label", grade="order"), RESULTS) == CG


def test_score_is_the_grade_here_and_the_engines_there() -> None:
    """SCORE is the grade in one table and the engine's score in the other, though both have RANK and ENGINE too."""
    judgments = table(query="QUERY_KEY", doc="DOC_KEY", grade="SCORE", rank="RANK", system="ENGINE")
    results = table(query="QUERY_KEY", doc="DOC_KEY", score="SCORE", rank="RANK", system="ENGINE")
    assert values(judgments, results) == CG
    assert values(judgments, results, order_by="score") == CG
    turned = {**results, "SCORE": [1.0, 2.0, 1.0], "RANK": [2, 1, 1]}
    assert values(judgments, turned, "nDCG(gain=exp2)@1", order_by="score")["q1"] == 1.0


def test_a_proper_grade_wins() -> None:
    """Where a table has a grade and a score, or a gain, the grade is the grade."""
    rows = table(query="query_id", doc="doc_id", grade="relevance") | {"score": [0, 0, 0], "gain": [5, 5, 5]}
    assert values(rows, RESULTS) == CG


def test_one_table_with_a_score_and_no_other_grade() -> None:
    """In one table that is both, a score read as the grade does not order the results as well."""
    both = table(query="query_id", doc="doc_id", grade="score")
    scores = ir.evaluate(both, measures=["nDCG(gain=exp2)@1"])
    assert scores.values[0, 0].tolist()[0] == pytest.approx(1 / 7)


def test_the_id_is_the_key_and_the_text_an_attribute() -> None:
    """Where there is an id, texts do not matter to the join; they are shown beside the values."""
    judgments = JUDGMENTS | {"query": ["red shoes", "red shoes", "hats"]}
    results = RESULTS | {"user_query": ["Red Shoes", "Red Shoes", "hats"]}
    scores = ir.evaluate(judgments, results, ["CG"])
    assert dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True)) == CG
    assert scores.per_query["text"] == ["red shoes", "hats"]


def test_two_texts_and_no_id() -> None:
    """Without an id, a column called query is the key, and a longer text beside it is the text."""
    judgments = {"query": [1, 1, 2], "query_text": ["x", "x", "y"], "doc": ROWS["doc"], "grade": ROWS["grade"]}
    results = {"query": [1, 1, 2], "doc": ROWS["doc"], "rank": ROWS["rank"]}
    scores = ir.evaluate(judgments, results, ["CG"])
    assert scores.queries == ["1", "2"]
    assert scores.per_query["text"] == ["x", "y"]


@pytest.mark.parametrize("ending", ["trec", "dicts"])
def test_names_do_not_matter_where_there_are_none(ending: str, tmp_path: Path) -> None:
    """TREC text and dicts of dicts have no names, so that names given for the other table do no harm."""
    (tmp_path / "run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 1 t\n")
    source = str(tmp_path / "run") if ending == "trec" else {"q1": {"a": 3.0, "b": 2.0}, "q2": {"c": 1.0}}
    assert values(JUDGMENTS, ir.read_results(source, query="Suchanfrage", doc="Artikel")) == CG


def refusal(call: Any) -> str:
    """Return the message a call is refused with."""
    with pytest.raises(ir.DataError) as refused:
        call()
    return str(refused.value)


def test_missing_columns() -> None:
    """All that is missing is said at once, with what was found and what to pass."""
    assert refusal(lambda: ir.read_judgments({"query_id": ["q"], "grade": [1]})) == (
        "judgments: no doc column. Found: query_id, grade. Name it: ir.read_judgments(table, doc='…')."
    )
    assert refusal(lambda: ir.read_judgments({"Suche": ["q"], "Ware": ["d"], "Note": [1]})) == (
        "judgments: no query, doc or grade column. Found: Suche, Ware, Note. "
        "Name them: ir.read_judgments(table, query='…', doc='…', grade='…'); or give {query: {document: grade}}."
    )
    assert refusal(lambda: ir.read_results({"Suche": ["q"], "doc_id": ["d"], "rank": [1]})) == (
        "results: no query column. Found: Suche, doc_id, rank. Name it: ir.read_results(table, query='…'); "
        "or add a column query_id that groups the rows by query. By the cells: "
        "ir.read_results(table, query='Suche'). Check whether that is right."
    )


def test_wrong_given_name() -> None:
    """A given name that is not there is refused with the nearest and all names."""
    assert refusal(lambda: ir.read_judgments(JUDGMENTS, grade="grad")) == (
        "judgments: no column called 'grad' for the grade. Did you mean grade? Found: query_id, doc_id, grade."
    )


def test_many_columns_are_not_all_listed() -> None:
    """Of very many columns the first twenty are named, on one line."""
    rows = {f"column\n{i}": [1.5] for i in range(30)}
    message = refusal(lambda: ir.read_judgments(rows))
    assert "column 19 and 10 more." in message
    assert "\n" not in message


def test_hidden_query_column() -> None:
    """A table without a known query column is one query only if no column could be the query."""
    rows = {"doc_id": ["a", "b"], "grade": [1, 3]}
    measures = {"log2(i+1)": [1.0, 1.585], "dcg": [1.0, 1.9], "row": [0, 1]}
    assert ir.read_judgments(rows | measures).one_query
    for hidden in (["x", "x"], [7, 7], [7.0, 9.0], ["x", None]):
        assert "no query column" in refusal(lambda hidden=hidden: ir.read_judgments(rows | {"unknown": hidden}))
