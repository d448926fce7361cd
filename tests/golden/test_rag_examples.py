"""Numbers that the tools RAG people use print in their own documentation and tests, and in reports of their faults."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest

import idealrank as ir
from tests.amounts import part
from tests.golden.oracles import given

Case = tuple[str, list[str], list[str], float]

LLAMA_INDEX: list[Case] = [
    ("hit_rate", ["id1", "id2", "id3"], ["id3", "id1", "id2", "id4"], 1.0),
    ("hit_rate", ["id1", "id2"], ["id3", "id4"], 0.0),
    ("granular_hit_rate", ["id1", "id2", "id3", "id4"], ["id1", "id5", "id2"], 2 / 4),
    ("mrr", ["id1", "id2", "id3", "id4"], ["id5", "id1"], 1 / 2),
    ("precision", ["id1", "id2", "id3", "id4"], ["id1", "id2", "id5"], 2 / 3),
    ("recall", ["id1", "id2", "id3", "id4"], ["id1", "id2", "id5"], 2 / 4),
    ("ap", ["id1", "id2", "id3", "id4"], ["id5", "id1"], (1 / 2) / 4),
    ("ap", ["id1", "id2"], ["id1", "id7", "id15", "id2"], (1 + 2 / 4) / 2),
    ("ndcg", ["id1", "id2"], ["id1", "id7", "id15", "id2"], (1 + 1 / math.log2(5)) / (1 + 1 / math.log2(3))),
    (
        "ndcg",
        ["id1", "id2", "id3", "id4"],
        ["id5", "id1"],
        1 / math.log2(3) / sum(1 / math.log2(rank + 1) for rank in (1, 2, 3, 4)),
    ),
]
"""run-llama/llama_index, llama-index-core/tests/evaluation/test_metrics.py: metric, expected ids, retrieved, score."""

FACTS = [
    (["France"], ["France"]),
    (["9th century", "9th"], ["9th century", "10th century", "9th"]),
    (["classical music", "classical"], ["classical", "rock music", "dubstep"]),
    (["11th century", "the 11th"], ["11th", "the 11th", "11th century"]),
    (["Denmark", "Iceland", "Norway", "Denmark, Iceland and Norway"], ["Denmark", "Norway", "Iceland"]),
    (["10th century", "10th"], ["10th century", "the first half of the 10th century", "10th", "10th"]),
]
"""deepset-ai/haystack, test_document_recall.py: the contents of expected and of retrieved documents."""


def evaluated(lists: list[tuple[list[str], list[str]]], measure: str, convention: str) -> list[float]:
    """Return the values of queries whose lists of expected and of retrieved documents are given."""
    judgments = {f"q{place}": dict.fromkeys(expected, 1) for place, (expected, _) in enumerate(lists)}
    rows = [(f"q{i}", doc, rank) for i, (_, found) in enumerate(lists) for rank, doc in enumerate(found, 1)]
    results = dict(zip(("query", "doc", "rank"), map(list, zip(*rows, strict=True)), strict=True))
    scores = ir.evaluate(judgments, results, [measure], convention=convention)
    return [float(value) for value in scores.values[0, 0]]


@pytest.mark.parametrize(("metric", "expected", "retrieved", "score"), LLAMA_INDEX)
def test_llama_index(metric: str, expected: list[str], retrieved: list[str], score: float) -> None:
    """The cases of its tests."""
    assert evaluated([(expected, retrieved)], metric, convention="llama-index") == pytest.approx([score], abs=1e-15)


@pytest.mark.parametrize(
    ("measure", "convention", "scores"),
    [
        ("multi_hit", "haystack", [1, 1, 0.5, 1, 0.75, 1]),
        ("single_hit", "haystack", [1, 1, 1, 1, 1, 1]),
        ("DocumentMRREvaluator", "haystack", [1, 1, 1, 1 / 2, 1, 1]),
        ("DocumentMAPEvaluator", "haystack", [1, 5 / 6, 1 / 2, 7 / 12, 3 / 4, 5 / 6]),
        ("DocumentMAPEvaluator", "haystack, faults=on", [1, 5 / 6, 1, 7 / 12, 1, 5 / 6]),
    ],
)
def test_haystack(measure: str, convention: str, scores: list[float]) -> None:
    """The recall of its tests; the others by hand: with faults=on the third query found one of two, and its AP is 1."""
    assert evaluated(FACTS, measure, convention) == pytest.approx(scores, abs=1e-15)


def test_haystack_ndcg() -> None:
    """0.6592 for six graded documents of which three are found, and 0.9197 without grades (its tests)."""
    graded = {"doc1": 3, "doc2": 2, "doc3": 3, "doc6": 2, "doc7": 3, "doc8": 2}
    order = ["doc1", "doc2", "doc3", "doc4", "doc5"]
    found = ir.evaluate(*ir.from_ranking(order, graded), ["DocumentNDCGEvaluator"], convention="haystack")
    assert f"{found['DocumentNDCGEvaluator']:.4f}" == "0.6592"
    places = [(["France", "Paris"], ["France", "Germany", "Paris"])]
    assert f"{evaluated(places, 'DocumentNDCGEvaluator', 'haystack')[0]:.4f}" == "0.9197"


def test_ragas() -> None:
    """Two of four retrieved ids are among four reference ids: precision and recall are 0.5 (its documentation)."""
    lists = [(["doc_1", "doc_4", "doc_5", "doc_6"], ["doc_1", "doc_2", "doc_3", "doc_4"])]
    assert evaluated(lists, "id_based_context_precision", convention="ragas") == [0.5]
    assert evaluated(lists, "id_based_context_recall", convention="ragas") == [0.5]


REPEATED = {
    ("llama_index", "ap", "twice"): (2.0, 1.0),
    ("llama_index", "ndcg", "twice"): (1.6309297535714575, 1.0),
    ("llama_index", "granular_hit_rate", "and another"): (2.0, 1.0),
    ("haystack_2", "DocumentNDCGEvaluator", "twice"): (1.6309297535714575, 1.0),
    ("haystack_2", "DocumentMAPEvaluator", "half of two"): (1.0, 0.5),
    ("mlflow", "precision_at_3", "and another"): (2 / 3, 1 / 3),
    ("mlflow", "ndcg_at_10", "later"): (0.6182885020492787, 0.5437713091520254),
    ("trulens", "precision_at_k k=3", "and another"): (2 / 3, 1 / 3),
}
"""Tool, measure and query of `given.REPEATED`: the tool's number, and the number here."""


@pytest.mark.parametrize(("tool", "measure", "query"), REPEATED)
def test_repeated_results(tool: str, measure: str, query: str) -> None:
    """A document counts once here, where the tool counts it as often as it was returned."""
    theirs, ours = REPEATED[tool, measure, query]
    printed = [row for row in given.read(f"{tool}.tsv") if (row["measure"], row["query"]) == (measure, query)]
    assert float(printed[0]["value"]) == pytest.approx(theirs, abs=1e-12)
    convention = "llama-index" if tool == "llama_index" else tool.removesuffix("_2")
    said = measure.replace("_k k=", "_")
    assert evaluated([given.REPEATED[query]], said, convention) == pytest.approx([ours], abs=1e-12)


def test_recall_is_at_most_1() -> None:
    """Ten hits on the pages of seven queries with one relevant page each: 1.43 in garrytan/gbrain#4176, 1 here."""
    hits = [["page"] * count for count in (1, 1, 1, 1, 2, 2, 2)]
    assert sum(map(len, hits)) / len(hits) == pytest.approx(1.43, abs=0.005)
    for convention in ("llama-index", "haystack", "ragas", "mlflow", "trulens"):
        assert evaluated([(["page"], found) for found in hits], "R", convention) == [1.0] * 7


def test_repeated_results_are_refused_by_default() -> None:
    """Without a convention that says what to do, results returned twice are an error that names the answers."""
    with pytest.raises(ir.DataError, match="duplicates=first"):
        evaluated([given.REPEATED["twice"]], "R", "idealrank-1")


def test_nothing_returned_stops_llama_index() -> None:
    """Every compute() refuses empty lists, so with faults=on a query without results is an error; else it counts 0."""
    judged, returned = {"q": {"a": 1}, "r": {"b": 1}}, {"q": {"a": 1.0}}
    assert ir.evaluate(judged, returned, ["hit_rate"], convention="llama-index")["hit_rate"] == 0.5
    with pytest.raises(ir.DataError):
        ir.evaluate(judged, returned, ["hit_rate"], convention="llama-index, faults=on")


TOOLS = ("llama-index", "haystack", "ragas", "mlflow", "sentence-transformers", "trulens", "phoenix", "nemo")
SHARED = {
    "R": {"phoenix"},
    "P": {"haystack"},
    "nDCG": {"ragas"},
    "nDCG@3": {"ragas"},
    "AP": {"mlflow", "trulens", "phoenix"},
}
"""A measure, and the tools that do not have it."""


PAIRS = [
    (measure, one, two)
    for measure, without in SHARED.items()
    for one, two in combinations([tool for tool in TOOLS if tool not in without], 2)
]


@pytest.mark.parametrize(("measure", "one", "two"), part(PAIRS, 0))
def test_any_two_are_reconciled(measure: str, one: str, two: str) -> None:
    """The decisions in which two tools differ add up to the whole gap between their numbers on the same data."""
    data: tuple[Any, Any] = given.judgments(), given.results()
    found = ir.reconcile(*data, measure, one, two)
    numbers = [ir.evaluate(*data, [measure], convention=name).all_means[0][0] for name in (one, two)]
    assert (found.before, found.after) == pytest.approx(tuple(numbers), abs=1e-12)
    assert sum(found.shares["share"]) == pytest.approx(numbers[1] - numbers[0], abs=1e-12)
    assert found.gap == pytest.approx(numbers[1] - numbers[0], abs=1e-12)
