"""Saved answers of engines: only what is an answer is read as one, and a part of an answer is a failed search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import idealrank as ir
from tests.data.shapes.toy import JUDGMENTS, NDCG, RESULTS, search


def saved(folder: Path, document: Any, name: str = "q1.json") -> Path:
    """Write a document."""
    (folder / name).write_text(json.dumps(document))
    return folder / name


def test_responses_of_others_are_no_multi_search(tmp_path: Path) -> None:
    """A list called responses is a multi-search only if it contains answers; any other is read by its shape."""
    rows = [{"query": q, "documents": list(docs)} for q, docs in RESULTS.items()]
    scores = ir.evaluate(JUDGMENTS, saved(tmp_path, {"responses": rows}), ["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"hits": {"hits": [{"_id": "a"}, {"_source": {"id": "b"}}]}}, "result 2 has no _id"),
        ({"responses": [search("q1"), {"hits": {"hits": [{"_score": 1}]}}]}, "result 1 has no _id"),
        ({"response": {"docs": [{"name": "b"}]}}, "result 1 has no id"),
    ],
)
def test_a_hit_without_an_id(document: Any, where: str, tmp_path: Path) -> None:
    """A result without an id is refused, in a file and in Python: it is not as if nothing had been returned."""
    for source in (saved(tmp_path, document), [document]):
        with pytest.raises(ir.DataError, match="Documents are compared by their ids, so each") as error:
            ir.read_results(source)
        assert where in str(error.value)


def test_a_response_without_hits_is_a_failed_search(tmp_path: Path) -> None:
    """A response without hits.hits did not answer; one with an empty list found nothing."""
    document = {"responses": [search("q1"), {"took": 3}, {}, {"hits": {"hits": []}}]}
    failed = ir.read_results(saved(tmp_path, document)).failed("")
    assert failed == dict.fromkeys(("2", "3"), "the answer has no hits.hits")


@pytest.mark.parametrize("wrap", [lambda some: some, lambda some: {"run": 7, "responses": some}])
def test_several_ranking_evaluations(wrap: Any, tmp_path: Path) -> None:
    """Answers of _rank_eval, one per query, in a list or an envelope are read together, with their failures."""
    evaluations = [
        {
            "metric_score": 0.5,
            "details": {q: {"hits": [_rated(q, doc) for doc in docs]}},
            "failures": {"q7": {"error": {"reason": "no such index"}}} if q == "q2" else {},
        }
        for q, docs in RESULTS.items()
    ]
    path = saved(tmp_path, wrap(evaluations))
    assert ir.read_results(path).failed("") == {"q7": "no such index"}
    # Only returned documents are rated there: d7 is unjudged and d2 unknown, which the ideal does not need.
    assert ir.evaluate(path, measures=["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def _rated(query: str, doc: str) -> dict[str, Any]:
    return {"hit": {"_index": "i", "_id": doc, "_score": RESULTS[query][doc]}, "rating": JUDGMENTS[query].get(doc)}


EXPERIMENT = [
    {"id": q, "searchText": q, "searchConfigurationId": "bm25", "documentIds": list(docs), "metrics": []}
    for q, docs in RESULTS.items()
]


@pytest.mark.parametrize("as_hits", [True, False])
def test_results_of_an_opensearch_experiment(as_hits: bool, tmp_path: Path) -> None:
    """Results of an experiment are read out of a search in their index as well as from a list."""
    index = "search-relevance-evaluation-result"
    hits = [{"_index": index, "_id": one["id"] * 9, "_source": one} for one in EXPERIMENT]
    document = {"took": 1, "timed_out": False, "hits": {"hits": hits}} if as_hits else EXPERIMENT
    scores = ir.evaluate(JUDGMENTS, saved(tmp_path, document), ["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def test_other_documents_of_the_workbench_are_refused(tmp_path: Path) -> None:
    """A search in the index of experiments contains neither judgments nor results, so its hits are not documents."""
    hit = {"_index": "search-relevance-experiment", "_id": "e1", "_source": {"type": "POINTWISE_EVALUATION"}}
    with pytest.raises(ir.DataError, match="index search-relevance-experiment, which contain neither judgments nor"):
        ir.read_results(saved(tmp_path, {"hits": {"hits": [hit]}}))


VESPA = {
    "id": "toplevel",
    "fields": {"totalCount": 1},
    "children": [{"id": "id:shop:product::d1", "relevance": 1.0, "fields": {}}],
}


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ({"root": {**VESPA, "coverage": {"coverage": 100, "full": True}}}, ""),
        ({"root": {"id": "x", "fields": {}, "errors": [{"code": 12, "message": "Timed out"}]}}, "Timed out"),
        ({"root": {"id": "x", "errors": [{"code": 12}]}}, "the engine reported an error (root.errors)"),
        (
            {"root": {**VESPA, "coverage": {"full": False, "degraded": {"timeout": True}}}},
            "the answer is only a part (coverage degraded)",
        ),
        ({"root": {**VESPA, "coverage": {"full": False}}}, "the answer is only a part (coverage.full is false)"),
        (
            {**search("q1"), "_clusters": {"total": 2, "skipped": 1}},
            "some clusters were skipped: the answer is only a part (_clusters.skipped)",
        ),
        ({**search("q1"), "_clusters": {"total": 2, "skipped": 0, "partial": 0, "failed": 0}}, ""),
        ({"is_partial": True, "is_running": False, "response": search("q1")}, "the answer is only a part (is_partial)"),
        ({"is_partial": False, "is_running": False, "response": search("q1")}, ""),
        ({"is_partial": True, "response": {"hits": {"hits": []}}, "error": {"reason": "too many"}}, "too many"),
        ({**search("q1"), "timed_out": True}, "the engine's own time was up: the answer is only a part (timed_out)"),
        (
            {**search("q1"), "_shards": {"total": 5, "failed": 2}},
            "some shards failed: the answer is only a part (_shards.failed)",
        ),
        ({**search("q1"), "timed_out": False, "_shards": {"total": 5, "failed": 0}}, ""),
        ({"error": {"type": "x_exception", "reason": "no such index [shop]"}, "status": 404}, "no such index [shop]"),
        (
            {"responseHeader": {"partialResults": True}, "response": {"docs": [{"id": "d1"}]}},
            "the answer is only a part (partialResults)",
        ),
    ],
)
def test_what_an_engine_calls_a_part_is_a_failed_search(document: Any, why: str, tmp_path: Path) -> None:
    """Errors and partial answers of every engine are failed searches, in a file, in a batch and in Python."""
    expected = {"q1": why} if why else {}
    if "hits" in document or ("error" in document and "is_partial" not in document):
        batch = saved(tmp_path, {"responses": [search("q2"), document]}, "batch.json")
        assert ir.read_results(batch).failed("") == ({"2": why} if why else {})
    assert ir.read_results(saved(tmp_path, document)).failed("") == expected
    assert ir.read_results({"q1": document}).failed("") == expected


def test_answers_of_esql_are_refused(tmp_path: Path) -> None:
    """Columns and values of ES|QL are refused by name, whether they are partial or not."""
    document = {"is_partial": True, "columns": [{"name": "_id", "type": "keyword"}], "values": [["d1"]]}
    with pytest.raises(ir.DataError, match=r"an answer of ES\|QL .* Ask for CSV instead \(format=csv\)"):
        ir.read_results(saved(tmp_path, document))


def test_a_large_quepid_snapshot(tmp_path: Path) -> None:
    """The documents of a real snapshot come before its queries, which lie far behind the head of the file."""
    explain = {"description": "x" * 70_000}
    document = {
        "id": 2471, "name": "no-vector", "time": "2023-05-03T14:26:14.000Z", "has_snapshot_file": False,
        "docs": {
            str(number): [{"id": doc, "explain": explain, "rated_only": False, "fields": None} for doc in docs]
            for number, docs in enumerate(RESULTS.values(), 205277)
        } | {"9": []},
        "queries": [
            {"query_id": number, "query_text": query, "ratings": JUDGMENTS[query]}
            for number, query in enumerate(RESULTS, 205277)
        ] + [{"query_id": 9, "query_text": "nothing", "ratings": {}}],
        "scores": [{"query_id": 205277, "score": 0.5, "number_of_results": 3}],
    }  # fmt: skip
    path = saved(tmp_path, document)
    assert ir.evaluate(path, measures=["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    results = ir.read_results(path)
    assert sorted(set(results.rows_to_write().query)) == ["205277", "205278", "9"]
    assert len(results.systems) == 1


def test_names_around_queries_are_systems_only_if_they_share_queries(tmp_path: Path) -> None:
    """{name: {query: [documents]}} is read as systems where a query is under two names, and asked about otherwise."""
    systems = {"bm25": {"q1": ["d1"], "q2": ["d3"]}, "dense": {"q1": ["d4"]}}
    assert ir.read_results(saved(tmp_path, systems)).systems == ("bm25", "dense")
    groups = {"easy": {"q1": ["d1"], "q2": ["d3"]}, "hard": {"q3": ["d4"]}}
    with pytest.raises(ir.DataError, match=r"under 2 names \(easy, hard\), and no query is under two of them"):
        ir.read_results(saved(tmp_path, groups))


def test_the_id_of_a_run_is_not_that_of_its_queries(tmp_path: Path) -> None:
    """Keys of documents within an object with an id are its queries, not its systems."""
    document = {"id": 17, "name": "nightly", "results": {q: list(docs) for q, docs in RESULTS.items()}}
    scores = ir.evaluate(JUDGMENTS, saved(tmp_path, document), ["nDCG@10"])
    assert scores["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)


def logged(query: str, hits: list[str] | None, **more: Any) -> dict[str, Any]:
    """Return a query as UBI logs it."""
    shown = {} if hits is None else {"query_response_hit_ids": hits}
    return {
        "query_id": f"id of {query}",
        "client_id": "c",
        "user_query": query,
        "query_attributes": {},
        **shown,
        **more,
    }


def test_a_log_that_does_not_say_what_was_returned(tmp_path: Path) -> None:
    """A logged query without a list of hits is not one that found nothing, wherever it is in an array."""
    log = [logged("q0", None), *(logged(q, list(docs)) for q, docs in RESULTS.items()), logged("q9", [])]
    path = saved(tmp_path, log)
    assert ir.evaluate(JUDGMENTS, path, ["nDCG@10"])["nDCG@10"] == pytest.approx(NDCG, abs=1e-12)
    why = "the log does not say what it returned (query_response_hit_ids)"
    assert ir.read_results(path).failed("") == {"id of q0": why}


def test_a_query_id_of_two_searches(tmp_path: Path) -> None:
    """A bulk file of queries and events, in which one id has two lists, is refused with a way out."""
    lines = [
        {"index": {"_index": "ubi_queries"}}, logged("q1", ["d1"], query_response_id="r1"),
        {"index": {"_index": "ubi_events"}}, {"action_name": "click", "query_id": "id of q1", "event_attributes": {}},
        {"index": {"_index": "ubi_queries"}}, logged("q1", ["d2"], query_response_id="r2"),
    ]  # fmt: skip
    (tmp_path / "log.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ir.DataError, match="write its query_response_id as its query_id, or keep the last line of"):
        ir.read_results(tmp_path / "log.ndjson")
    (tmp_path / "log.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines[:4]))
    assert ir.read_results(tmp_path / "log.ndjson").failed("") == {}
