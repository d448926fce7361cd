"""Judgments and results are written so that other tools, and idealrank, read the same."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import idealrank as ir

JUDGED = {"q1": {"d1": 3, "d2": 0}, "q2": {"d9": 1}}
RETURNED = {"q1": {"d2": 2.5, "d1": 1.25, "x": 0.5}, "q2": {"d9": 7.0}}


def table(**columns: Any) -> dict[str, list[Any]]:
    """Return a dict of columns of equal length."""
    return columns


def test_qrels_are_those_of_pytrec_eval(tmp_path: Path) -> None:
    """pytrec_eval's own reader finds the judgments in the TREC text."""
    written = ir.read_judgments(JUDGED).write(tmp_path / "qrels.txt")
    with open(written.path) as file:
        assert pytrec_eval.parse_qrel(file) == JUDGED


def test_a_run_is_that_of_pytrec_eval(tmp_path: Path) -> None:
    """pytrec_eval's own reader finds the scores in the TREC text, and the ranks follow them."""
    written = ir.read_results(RETURNED, name="bm 25").write(tmp_path / "bm25.run")
    with open(written.path) as file:
        assert pytrec_eval.parse_run(file) == RETURNED
    assert Path(written.path).read_text().splitlines()[:3] == [
        "q1 Q0 d2 1 2.5 bm_25",
        "q1 Q0 d1 2 1.25 bm_25",
        "q1 Q0 x 3 0.5 bm_25",
    ]
    assert written.notes == ("blanks in the names of systems are written as _",)


def test_pytrec_eval_takes_its_json(tmp_path: Path) -> None:
    """The JSON of judgments and results goes into pytrec_eval as it is, and gives its nDCG."""
    ir.read_judgments(JUDGED).write(tmp_path / "j.json", format="pytrec_eval")
    ir.read_results(RETURNED).write(tmp_path / "r.json", format="pytrec_eval")
    qrels, run = (json.loads((tmp_path / name).read_text()) for name in ("j.json", "r.json"))
    values = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}).evaluate(run)
    assert {q: v["ndcg"] for q, v in values.items()} == pytest.approx(
        {"q1": 3 / np.log2(3) / 3, "q2": 1.0}  # d1 at rank 2, alone relevant; d9 at rank 1
    )


@pytest.mark.parametrize(("name", "separator"), [("j.csv", ","), ("j.tsv", "\t")])
def test_pandas_reads_the_table(name: str, separator: str, tmp_path: Path) -> None:
    """Ids keep their quotes, separators, line ends and signs of formulas for pandas, in CSV and TSV."""
    odd = ['a"b', "c,d", "e\tf", "g\nh", "=1+1", "i\r\nj", "ü 検索", "-5x"]
    ir.read_judgments(table(query_id=["q"] * 8, doc_id=odd, grade=[0.5] * 8)).write(tmp_path / name)
    found = pd.read_csv(tmp_path / name, sep=separator, dtype=str, keep_default_na=False, lineterminator=None)
    assert list(found.columns) == ["query_id", "doc_id", "grade"]
    assert found.doc_id.tolist() == odd
    assert set(found.grade) == {"0.5"}


def test_formulas_are_neutralised_on_request(tmp_path: Path) -> None:
    """Every cell that OWASP names as a CSV injection has an apostrophe in front, and the notes count them."""
    rows = table(query_id=["=cmd|' /C calc'!A0", "ok"], doc_id=["@SUM(1)", "-5"], grade=[-1, 2])
    written = ir.read_judgments(rows).write(tmp_path / "j.csv", formulas="escape")
    with open(tmp_path / "j.csv", newline="") as file:
        assert list(csv.reader(file))[1:] == [["'=cmd|' /C calc'!A0", "'@SUM(1)", "-1"], ["ok", "-5", "2"]]
    assert written.notes == (
        "2 cells would be run by a spreadsheet and have an apostrophe in front, also where it is an id",
    )


@pytest.mark.heavy
def test_parquet_is_read_by_pandas(tmp_path: Path) -> None:
    """The ids and grades of a Parquet file are found by pandas."""
    ir.read_judgments(JUDGED).write(tmp_path / "j.parquet")
    found = pd.read_parquet(tmp_path / "j.parquet")
    assert found.to_dict("list") == {"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d2", "d9"], "grade": [3, 0, 1]}


def test_a_beir_folder_as_beir_loads_it(tmp_path: Path) -> None:
    """The loop of BEIR's GenericDataLoader finds judgments, texts and titles, a query id with a quote included.

    Source: beir-cellar/beir 2.0, beir/datasets/data_loader.py, _load_qrels, _load_queries and _load_corpus.
    """
    judgments = ir.read_judgments({'q"1': {"d1": 3}, "q2": {"d2": 1}})
    written = judgments.write(
        tmp_path / "set",
        format="beir",
        queries={"query_id": ['q"1', "q2"], "text": ["red shoes", "ball"]},
        documents={"id": ["d1"], "title": ["Shoe"]},
    )
    with open(tmp_path / "set/qrels/test.tsv", encoding="utf-8") as file:
        reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)
        next(reader)
        assert {(row[0], row[1]): int(row[2]) for row in reader} == {('q"1', "d1"): 3, ("q2", "d2"): 1}
    queries, corpus = (
        [json.loads(line) for line in (tmp_path / "set" / name).read_text().splitlines()]
        for name in ("queries.jsonl", "corpus.jsonl")
    )
    assert {line["_id"]: line["text"] for line in queries} == {'q"1': "red shoes", "q2": "ball"}
    assert {line["_id"]: (line["text"], line["title"]) for line in corpus} == {"d1": ("", "Shoe")}
    assert written.notes == ("corpus.jsonl has only the document texts that are known",)


@pytest.mark.heavy
def test_svmlight_as_scikit_learn_loads_it(tmp_path: Path) -> None:
    """scikit-learn finds grades and query numbers."""
    from sklearn.datasets import load_svmlight_file

    ir.read_judgments(JUDGED).write(tmp_path / "j.svm")
    _, grades, queries = load_svmlight_file(str(tmp_path / "j.svm"), n_features=1, query_id=True)
    assert (grades.tolist(), queries.tolist()) == ([3, 0, 1], [1, 1, 2])


def test_quepid(tmp_path: Path) -> None:
    """The basic CSV has the columns that Quepid names, texts in place of ids, and no rating where there is none."""
    rows = table(
        query_id=[1, 1, 2], query=["star wars"] * 2 + ["star trek"], doc_id=["a", "b", "c"], grade=[3, 0, None]
    )
    judgments = ir.read_judgments(rows)
    judgments.write(tmp_path / "basic.csv", format="quepid")
    assert (tmp_path / "basic.csv").read_text() == ("query,docid,rating\nstar wars,a,3\nstar wars,b,0\nstar trek,c,\n")
    judgments.write(tmp_path / "book.json", format="quepid-book")
    book = json.loads((tmp_path / "book.json").read_text())
    assert book["scale"] == [0, 3]
    assert book["query_doc_pairs"] == [
        {"query_text": "star wars", "doc_id": "a", "judgements": [{"rating": 3}]},
        {"query_text": "star wars", "doc_id": "b", "judgements": [{"rating": 0}]},
        {"query_text": "star trek", "doc_id": "c", "judgements": []},
    ]


def test_rre_lists_relevant_documents_only(tmp_path: Path) -> None:
    """RRE counts a listed document as relevant whatever its gain: gain 0 is left out, counted and said."""
    written = ir.read_judgments(JUDGED | {"q3": {"d1": 0}}).write(tmp_path / "ratings.json", format="rre")
    groups = json.loads((tmp_path / "ratings.json").read_text())["topics"][0]["query_groups"]
    assert [(group["name"], group["relevant_documents"]) for group in groups] == [
        ("q1", {"3": ["d1"]}),
        ("q2", {"1": ["d9"]}),
    ]
    assert written.rows == 2
    assert written.notes == (
        "2 judgments of grade 0 or less left out: RRE counts every document listed as relevant",
        "1 query without a relevant document left out: q3",
    )


def test_opensearch(tmp_path: Path) -> None:
    """The body of the workbench's import: ratings as text, by the text of the query."""
    ir.read_judgments({"red shoes": {"B07": 0.6, "B08": 1}}).write(tmp_path / "j.json", format="opensearch")
    body = json.loads((tmp_path / "j.json").read_text())
    assert body["type"] == "IMPORT_JUDGMENT"
    assert body["judgmentRatings"] == [
        {"query": "red shoes", "ratings": [{"docId": "B07", "rating": "0.6"}, {"docId": "B08", "rating": "1"}]}
    ]


def test_rank_eval(tmp_path: Path) -> None:
    """The request has the ratings by query, whole, with the index; its search is the user's to replace."""
    written = ir.read_judgments(JUDGED).write(tmp_path / "r.json", format="rank_eval", index="shop")
    request = json.loads((tmp_path / "r.json").read_text())
    assert request["requests"][1] == {
        "id": "q2",
        "template_id": "search",
        "params": {"query_string": "q2"},
        "ratings": [{"_index": "shop", "_id": "d9", "rating": 1}],
    }
    assert written.notes == ("the search is a plain multi_match: put your own in templates[0].template.source",)


def test_results_by_rank_keep_their_order_in_a_run(tmp_path: Path) -> None:
    """Scores that contradict the ranks are replaced by ones that fall with them: nDCG stays, and a note says so."""
    rows = table(query_id=["q"] * 3, doc_id=["a", "b", "c"], rank=[1, 2, 3], score=[0.1, 0.9, 0.5])
    results = ir.read_results(rows)
    written = results.write(tmp_path / "r.run")
    with open(written.path) as file:
        run = pytrec_eval.parse_run(file)["q"]
    assert sorted(run, key=lambda doc: -run[doc]) == ["a", "b", "c"]
    assert written.notes == ("the scores are made up, to keep the order by rank",)
    agreeing = ir.read_results(rows | {"score": [0.9, 0.5, 0.1]}).write(tmp_path / "s.run")
    assert agreeing.notes == ()
    assert "0.9" in Path(agreeing.path).read_text()


@pytest.mark.parametrize("form", ["csv", "jsonl", pytest.param("parquet", marks=pytest.mark.heavy)])
def test_a_run_keeps_its_order_in_a_table(form: str, tmp_path: Path) -> None:
    """TREC runs go by score, so a table has no ranks of theirs: d1, third by rank and first by score, gives RR 1."""
    (tmp_path / "r.run").write_text("q1 Q0 a 1 1.0 x\nq1 Q0 b 2 2.0 x\nq1 Q0 d1 3 3.0 x\n")
    written = ir.read_results(tmp_path / "r.run").write(tmp_path / "out", format=form)
    assert ir.evaluate({"q1": {"d1": 1}}, tmp_path / "out", ["RR"])["RR"] == 1.0
    assert written.notes == ("the ranks are left out: these results go by score, and a table with both goes by rank",)


def test_a_failed_search_stays_failed(tmp_path: Path) -> None:
    """CSV keeps the message of a failed search and a query without results; a run, which cannot, names them."""
    rows = table(
        query_id=["q1", "q2", "q3"], doc_id=["a", None, None], score=[1, None, None], error=["", "timeout", ""]
    )
    results = ir.read_results(rows)
    results.write(tmp_path / "r.csv")
    again = ir.read_results(tmp_path / "r.csv")
    assert again.failed("") == {"q2": "timeout"}
    assert again.run("", "error").queries == ["q1", "q3"]
    assert results.write(tmp_path / "r.run").notes == ("TREC text has no place for 2 queries without results: q2, q3",)


def test_a_compressed_file(tmp_path: Path) -> None:
    """What ends in .gz is compressed, always into the same bytes."""
    ir.read_judgments(JUDGED).write(tmp_path / "q.txt.gz")
    first = (tmp_path / "q.txt.gz").read_bytes()
    assert gzip.decompress(first) == b"q1 0 d1 3\nq1 0 d2 0\nq2 0 d9 1\n"
    ir.read_judgments(JUDGED).write(tmp_path / "q.txt.gz")
    assert (tmp_path / "q.txt.gz").read_bytes() == first


def test_scaled_grades(tmp_path: Path) -> None:
    """Tenths become whole grades by ten, although 0.3 times 10 is not exactly 3 for every way to 0.3."""
    ir.read_judgments({"q": {"a": 0.1 + 0.2, "b": 0.7}}).write(tmp_path / "q.txt", scale_grades=10)
    assert (tmp_path / "q.txt").read_text() == "q 0 a 3\nq 0 b 7\n"


def test_several_systems_in_one_run(tmp_path: Path) -> None:
    """A table of two systems becomes a run with two tags, each ranked by itself; one of them can be chosen."""
    rows = table(query_id=["q"] * 4, doc_id=["a", "b", "a", "b"], score=[1, 2, 4, 3], system=["s", "s", "t", "t"])
    results = ir.read_results(rows)
    results.write(tmp_path / "both.run")
    assert (tmp_path / "both.run").read_text() == "q Q0 a 2 1 s\nq Q0 b 1 2 s\nq Q0 a 1 4 t\nq Q0 b 2 3 t\n"
    results.write(tmp_path / "t.json", format="pytrec_eval", system="t")
    assert json.loads((tmp_path / "t.json").read_text()) == {"q": {"a": 4.0, "b": 3.0}}


CASE = {"queries": [{"query_text": "shoe", "ratings": {"a": 3}}, {"query_text": "lamp", "ratings": {}}]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("case.json", json.dumps(CASE)),
        ("case.csv", "query,docid,rating\nshoe,a,3\nlamp,,\n"),
        ("lists.jsonl", '{"query": "shoe", "relevant": ["a"]}\n{"query": "lamp", "relevant": []}\n'),
    ],
)
def test_a_query_without_documents(name: str, text: str, tmp_path: Path) -> None:
    """It is no fault: tables keep it, TREC text names it, and peek counts it."""
    (tmp_path / name).write_text(text)
    judgments = ir.read_judgments(tmp_path / name)
    judgments.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text().splitlines()[-1] == "lamp,,"
    assert ir.read_judgments(tmp_path / "out.csv").pool("median", "error").docs(np.arange(1)) == ["a"]
    written = judgments.write(tmp_path / "out.qrels")
    assert written.notes == ("TREC text has no place for 1 query without judgments: lamp",)
    (found,) = ir.peek(tmp_path / name).files
    assert (found.faults, found.judgments.unanswered, found.judgments.ungraded) == ((), ("lamp",), 0)
    assert "no document 1 query: lamp" in str(ir.peek(tmp_path / name))
