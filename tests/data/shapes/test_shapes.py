"""Documents of tools are read as they are: the same data gives the same number out of every one."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from idealrank.data.formats.nested_plan import NestedPlan, last_name
from idealrank.data.formats.shapes.generic import generic_plan
from tests.data.shapes.toy import BOTH, JUDGED, JUDGMENTS, NDCG, POSITIVE, RAG, RESULTS, RETURNED, lines, search


def written(folder: Path, name: str, document: Any, way: str) -> Any:
    """Write a document as pretty JSON, on one line, or its records one per line; Python objects are what they are."""
    if way == "objects":
        return document
    path = folder / name
    if way == "lines" and isinstance(document, list):
        path.write_text(lines(document))
    else:
        path.write_text(json.dumps(document, indent=None if way == "compact" else 2))
    return path


@pytest.mark.parametrize("name", JUDGED)
def test_judgments(name: str, tmp_path: Path) -> None:
    """Judgments of every tool give the number calculated by hand, from a file and in Python."""
    for way in ("pretty", "objects"):
        if (name, way) != ("rows in an object", "objects"):  # only files are searched for a table within an object
            scores = ir.evaluate(written(tmp_path, "j.json", JUDGED[name], way), RESULTS, ["nDCG@10"])
            assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


@pytest.mark.parametrize("name", RETURNED)
def test_results(name: str, tmp_path: Path) -> None:
    """Results of every tool give the number calculated by hand, from a file and in Python."""
    judgments = {f"id of {q}" if name == "UBI queries" else q: docs for q, docs in JUDGMENTS.items()}
    for way in ("pretty", "objects"):
        scores = ir.evaluate(judgments, written(tmp_path, "r.json", RETURNED[name], way), ["nDCG@10"])
        assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


@pytest.mark.parametrize("way", ["compact", "lines"])
def test_ways_to_write(way: str, tmp_path: Path) -> None:
    """A document on one line, and its records one per line, is read as on several lines."""
    judged = written(tmp_path, "j.json", JUDGED["RankQuest"], way)
    returned = written(tmp_path, "r.json", RETURNED["Haystack documents"], way)
    assert ir.evaluate(judged, returned, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


@pytest.mark.parametrize("name", BOTH)
def test_both_in_one_file(name: str, tmp_path: Path) -> None:
    """A document with judgments and results is evaluated alone."""
    scores = ir.evaluate(written(tmp_path, "both.json", BOTH[name], "pretty"), measures=["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


@pytest.mark.parametrize("form", ["json", "lines", "csv", "objects", "pandas"])
@pytest.mark.parametrize("name", RAG)
def test_expected_and_retrieved(name: str, form: str, tmp_path: Path) -> None:
    """Rows of a RAG pipeline: all relevant documents come back, and two of three and one of one."""
    records = RAG[name]["test_cases"] if isinstance(RAG[name], dict) else RAG[name]
    source: Any = pd.DataFrame(records)
    if form == "csv":
        source.to_csv(tmp_path / "rag", index=False)
        source = tmp_path / "rag"
    elif form != "pandas":
        source = written(tmp_path, "rag", RAG[name] if form == "json" else records, form)
    check_rag(source)


def check_rag(source: Any) -> None:
    """Compare with the numbers by hand."""
    scores = ir.evaluate(source, measures=["R@10", "P@10"])
    assert scores["R@10"] == 1
    assert scores["P@10"] == pytest.approx((0.2 + 0.1) / 2)


@pytest.mark.parametrize("kind", [list, set, tuple])
def test_ids_by_query_in_python(kind: type, tmp_path: Path) -> None:
    """{query: ids} are relevant documents as judgments, and a ranking as results."""
    judgments = {query: kind(docs) for query, docs in POSITIVE.items()}
    scores = ir.evaluate(judgments, {query: list(docs) for query, docs in RESULTS.items()}, ["R@1", "RR"])
    assert (scores["R@1"], scores["RR"]) == (0.75, 1)


def test_a_search_is_named_after_its_file(tmp_path: Path) -> None:
    """The answer to one search does not say to which query; the file does, and this is said."""
    scores = ir.evaluate(JUDGMENTS, written(tmp_path, "q1.json", search("q1"), "pretty"), ["RR"])
    assert scores.values.shape[0] or scores["RR"]
    assert "named after the file: 'q1'" in scores.ledger.tables[1].text


def test_a_solr_answer_names_its_query_and_titles(tmp_path: Path) -> None:
    """The query of a Solr answer is its parameter q, and titles come along."""
    docs = [{"id": doc, "score": score, "title": [f"Title of {doc}"]} for doc, score in RESULTS["q1"].items()]
    document = {"responseHeader": {"params": {"q": "q1"}}, "response": {"numFound": 3, "docs": docs}}
    scores = ir.evaluate(JUDGMENTS, written(tmp_path, "answer.json", document, "pretty"), ["RR"])
    assert scores.ledger.tables[1].text.startswith("a Solr response: query=query")
    assert "Title of d3" in ir.report(scores).documents["title"]


def test_a_llama_index_dataset(tmp_path: Path) -> None:
    """Questions become texts, the corpus documents, relevant documents judgments."""
    document = {"queries": {q: f"Text of {q}" for q in JUDGMENTS}, "corpus": {"d1": "One", "d9": "Nine"},
                "relevant_docs": POSITIVE, "mode": "text"}  # fmt: skip
    scores = ir.evaluate(written(tmp_path, "qa.json", document, "compact"), RESULTS, ["R@10"])
    assert scores["R@10"] == 1
    report = ir.report(scores)
    assert {"One", "Nine"} <= set(report.documents["title"])
    assert scores.table.values("query", ["q1"]) == ["Text of q1"]


def test_a_beir_folder(tmp_path: Path) -> None:
    """A BEIR folder is judgments of the test split, texts and titles."""
    (tmp_path / "qrels").mkdir()
    rows = [f"{q}\t{d}\t{g}\n" for q, docs in JUDGMENTS.items() for d, g in docs.items()]
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(rows))
    (tmp_path / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\nq5\td1\t1\n")
    (tmp_path / "queries.jsonl").write_text(
        lines([{"_id": q, "text": f"Text of {q}", "metadata": {}} for q in JUDGMENTS])
    )
    (tmp_path / "corpus.jsonl").write_text(lines([{"_id": "d1", "title": "One", "text": "…", "metadata": {}}]))
    scores = ir.evaluate(tmp_path, RESULTS, ["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    assert "a BEIR folder; split test" in scores.ledger.tables[0].text
    assert "One" in ir.report(scores).documents["title"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"mteb_version": "1.0", "task_name": "x", "scores": {"test": [{"ndcg_at_10": 0.5}]}}, "means but no rankings"),
        ([{"action_name": "click", "query_id": "q", "event_attributes": {}}], "UBI events"),
        ({"queries": {"a": "b"}, "answers": {"a": "c"}}, "JSON without documents"),
        ({"a": [{"query": "x", "hits": ["d"], "results": ["e"]}]}, "several lists could be the results"),
    ],
)
def test_what_is_neither(document: Any, message: str, tmp_path: Path) -> None:
    """Documents with neither judgments nor results say what they are."""
    with pytest.raises(ir.DataError, match=message):
        ir.read_results(written(tmp_path, "x.json", document, "pretty"))


@pytest.mark.parametrize(
    ("lists", "taken"),
    [
        ({"results": [{"doc": "d1", "score": 2.1, "grade": 1}]}, {"results": ""}),
        ({"results": [{"doc": "d1", "grade": 1}]}, {"results": "judgments"}),
        ({"relevant": [{"doc": "d1", "score": 2.1}]}, {"relevant": "judgments"}),
        ({"shown": [{"doc": "d1", "score": 2.1}]}, {"shown": "results with a rank"}),
        ({"shown": [{"doc": "d1", "rank": 2}]}, {"shown": "results"}),
        ({"documents": [{"doc": "d1"}]}, {"documents": ""}),
        ({"documents": ["d1"], "sources": ["d2"]}, {"documents": ""}),
        (
            {"relevant": ["d1"], "results": ["d2"], "documents": ["d3"]},
            {"relevant": "judgments", "results": "results with a rank"},
        ),
        ({"relevant_docs": ["Emma"], "relevant_ids": ["d1"]}, {"relevant_ids": "judgments"}),
        ({"retrieved": [{"docid": "d1", "score": 2.1}], "results": ["d1"]}, {"results": "results with a rank"}),
    ],
)
def test_lists_beside_a_query(lists: dict[str, Any], taken: dict[str, str]) -> None:
    """The grades of objects say what they are, else the name of their list, else their order; ids come before names."""
    plan = generic_plan([{"query": "q", **lists}], "x.json")
    assert isinstance(plan, NestedPlan)
    ranked = [" with a rank" if "rank" in dict(one.columns) else "" for one in plan.rows]
    read = {last_name(one.path): one.table + rank for one, rank in zip(plan.rows, ranked, strict=True)}
    assert read == taken


def test_a_folder_of_generated_judgments(tmp_path: Path) -> None:
    """Sease's generator writes candidates beside queries and corpus; RRE's placeholders may have any name."""
    rows = [{"query_id": q, "doc_id": d, "rating": g} for q, docs in JUDGMENTS.items() for d, g in docs.items()]
    (tmp_path / "candidates.jsonl").write_text(lines(rows))
    (tmp_path / "queries.jsonl").write_text(lines([{"id": q, "text": f"Text of {q}"} for q in JUDGMENTS]))
    scores = ir.evaluate(tmp_path, RESULTS, ["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    assert scores.table.values("text", ["q1"]) == ["Text of q1"]
    groups = [
        {"name": q, "queries": [{"template": "t", "placeholders": {"$keywords": q}}],
         "relevant_documents": {str(g): [d for d, o in docs.items() if o == g] for g in set(docs.values())}}
        for q, docs in JUDGMENTS.items()
    ]  # fmt: skip
    rre = written(tmp_path, "ratings.json", {"query_placeholder": "$keywords", "query_groups": groups}, "pretty")
    assert ir.evaluate(rre, RESULTS, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_a_dataset_of_hugging_face() -> None:
    """A dataset of Hugging Face is a table."""
    rows = [{"qid": q, "docno": d, "label": g} for q, docs in JUDGMENTS.items() for d, g in docs.items()]
    hugging = SimpleNamespace(column_names=["qid", "docno", "label"], to_pandas=lambda: pd.DataFrame(rows))
    assert ir.evaluate(hugging, RESULTS, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


@pytest.mark.parametrize("name", ["rows", "results", "hits", "data"])
def test_a_place_among_the_rows_of_all_queries_is_no_rank(name: str, tmp_path: Path) -> None:
    """Rows that name their own query are a table, whatever object is around their list: their scores order them."""
    rows = [
        {"query_id": "q1", "doc_id": "b", "score": 0.2},
        {"query_id": "q1", "doc_id": "a", "score": 0.9},
        {"query_id": "q2", "doc_id": "y", "score": 0.1},
        {"query_id": "q2", "doc_id": "z", "score": 0.7},
    ]
    path = written(tmp_path, "r.json", {name: rows}, "pretty")
    scores = ir.evaluate({"q1": {"a": 1}, "q2": {"z": 1}}, path, ["RR"])
    assert scores["RR"] == 1.0
    assert not scores.ledger.notes
