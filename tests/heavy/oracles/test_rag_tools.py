"""The tools RAG people use: the numbers `make oracles` had from them, in tests/golden/oracles, query by query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import idealrank as ir
from tests.golden.oracles import given
from tests.heavy.oracles.test_heavy import Numbers, rows, split, version
from tests.heavy.oracles.test_heavy_evaluators import own
from tests.oracles.conftest import Compare
from tests.oracles.data import values

Given = tuple[Any, Any]


def data(kind: str) -> Given:
    """Return the judgments and results of a kind of rows; repeated results are a table of ranks."""
    if kind != "repeated":
        return given.judgments("fraction"), given.results()
    judged = {query: dict.fromkeys(expected, 1) for query, (expected, _) in given.REPEATED.items()}
    ranked = [
        {"query": query, "doc": doc, "rank": rank}
        for query, (_, found) in given.REPEATED.items()
        for rank, doc in enumerate(found, 1)
    ]
    return judged, {name: [row[name] for row in ranked] for name in ("query", "doc", "rank")}


def of_kind(tool: str, kind: str, *left_out: str) -> list[Any]:
    """Return a tool's rows of one kind of data, without some measures."""
    return [row for row in rows(tool) if row.values[0] == kind and not str(row.id).startswith(left_out)]


def pairs(scores: ir.Scores, numbers: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield our values and the tool's: of judged queries, then of the mean; the other queries have no number but 0."""
    queries, mean = split(numbers)
    assert not any(value for query, value in queries.items() if query not in scores.queries)
    yield values(scores), own(queries, values(scores))
    if mean:
        yield {"all": scores.all_means[0][0]}, mean


COUNTED_TWICE = ("ap", "ndcg", "granular_hit_rate", "precision top_k")
"""What LlamaIndex counts as often as it is returned; and sets of the first k."""

LLAMA_INDEX = [*of_kind("llama_index", "fraction"), *of_kind("llama_index", "repeated", *COUNTED_TWICE)]


@pytest.mark.parametrize(("kind", "order", "measure", "numbers"), LLAMA_INDEX)
def test_llama_index(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """A cutoff is the retriever's top_k; queries without results or expected ids are refused there."""
    said = measure.replace(" top_k=", "@")
    scores = ir.evaluate(*data(kind), [said], convention="llama-index")
    compare(version("llama_index"), own(values(scores), numbers), numbers, measure)


@pytest.mark.parametrize(
    ("kind", "order", "measure", "numbers"), [*of_kind("haystack", "fraction"), *of_kind("haystack", "repeated")]
)
def test_haystack(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """All evaluators, on every query; a document returned twice is credited once and takes up two ranks."""
    scores = ir.evaluate(*data(kind), [measure.replace(" top_k=", "@")], convention="haystack")
    for ours, theirs in pairs(scores, numbers):
        compare(version("haystack"), ours, theirs, measure)


@pytest.mark.parametrize(("kind", "order", "measure", "numbers"), of_kind("haystack_2", "fraction"))
def test_haystack_before_3_1(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """With faults=on MAP is divided by the relevant documents found, and the other evaluators are as they were."""
    scores = ir.evaluate(*data(kind), [measure.replace(" top_k=", "@")], convention="haystack, faults=on")
    for ours, theirs in pairs(scores, numbers):
        compare(version("haystack_2"), ours, theirs, measure)


@pytest.mark.parametrize(
    ("kind", "order", "measure", "numbers"),
    [*of_kind("ragas", "fraction"), *of_kind("ragas", "repeated", "context_precision")],
)
def test_ragas(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Sets of ids, and means over what is a number; the average precision adds 1e-10 to its divisor."""
    scores = ir.evaluate(*data(kind), [measure], convention="ragas")
    for ours, theirs in pairs(scores, numbers):
        compare(version("ragas"), ours, theirs, measure, 1e-9 if measure == "context_precision" else 1e-12)


@pytest.mark.parametrize(
    ("kind", "order", "measure", "numbers"),
    [*of_kind("mlflow", "fraction"), *of_kind("mlflow", "repeated", "precision", "ndcg")],
)
def test_mlflow(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Precision and the ideal list are as short as the results."""
    scores = ir.evaluate(*data(kind), [measure], convention="mlflow")
    for ours, theirs in pairs(scores, numbers):
        compare(version("mlflow"), ours, theirs, measure)


def with_relevant(judged: given.Grades, least: float = 0.01) -> given.Grades:
    """Leave out queries without a document of this grade."""
    return {query: docs for query, docs in judged.items() if max(docs.values()) >= least}


@pytest.mark.parametrize(("kind", "order", "measure", "numbers"), rows("sentence_transformers"))
def test_sentence_transformers(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Results are ordered by score, regardless of their ranks; every query has a relevant document there."""
    judged, results = data(kind)
    table = [(q, doc, score, place) for q, docs in results.items() for place, (doc, score) in enumerate(docs.items())]
    columns = dict(zip(("query", "doc", "score", "rank"), map(list, zip(*table, strict=True)), strict=True))
    known = judged if measure.startswith(("recall", "ndcg", "map")) else with_relevant(judged)
    scores = ir.evaluate(known, columns, [measure], convention="sentence-transformers")
    for ours, theirs in pairs(scores, numbers):
        compare(version("sentence_transformers"), ours, theirs, measure)


OF_LENGTH = ("precision", "ndcg_at_k-")
"""What depends in TruLens on the length of the list, to which repeated results at its end belong."""


@pytest.mark.parametrize(
    ("kind", "order", "measure", "numbers"),
    [*of_kind("trulens", "fraction"), *of_kind("trulens", "zero"), *of_kind("trulens", "repeated", *OF_LENGTH)],
)
def test_trulens(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Golden chunks; with faults=on, those with the score 0 are relevant in all measures but nDCG.

    Without k, its nDCG has no number for a query without results.
    """
    said = re.sub(r"(_k)? k=", lambda found: "_" if found[1] else "@", measure)
    convention = "trulens, faults=on" if kind == "zero" else "trulens"
    judged, results = data(kind)
    known = judged if measure.startswith(("recall", "ndcg")) else with_relevant(judged, 0 if kind == "zero" else 0.01)
    ours = values(ir.evaluate(known, results, [said], convention=convention))
    compare(version("trulens"), own(ours, numbers) if measure == "ndcg_at_k" else ours, numbers, measure)


@pytest.mark.parametrize(("kind", "order", "measure", "numbers"), rows("phoenix"))
def test_phoenix(kind: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Scores of the retrieved documents, 0 where nobody judged one; a query without results has none."""
    scores = ir.evaluate(*data(kind), [measure], convention="phoenix")
    compare(version("phoenix"), values(scores), numbers, measure)
