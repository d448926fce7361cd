"""Tools too heavy for every run: the numbers `make oracles` had from them, in tests/golden/oracles, query by query."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

import pytest

import idealrank as ir
from tests.golden.oracles import given
from tests.oracles.conftest import Compare
from tests.oracles.data import values

Numbers = dict[str, float]

FLOAT32 = 2e-6
"""Relative to 1; numbers of PyTorch, TensorFlow and JAX."""

FOUR_DIGITS = 0.5001e-4


def version(tool: str) -> str:
    """Return the tool with its version, as the closing lines name it."""
    found = {row["version"] for row in given.read(f"{tool}.tsv")}
    assert len(found) == 1
    return f"{tool} {found.pop()} (committed)"


def printed(tool: str) -> dict[tuple[str, str, str], Numbers]:
    """Return the tool's numbers by query, for each pair of columns of the data and each measure."""
    found: dict[tuple[str, str, str], Numbers] = {}
    for row in given.read(f"{tool}.tsv"):
        found.setdefault((row["grades"], row["scores"], row["measure"]), {})[row["query"]] = float(row["value"])
    return found


def rows(tool: str, *, weighted: bool = False) -> list[Any]:
    """Return the measures of a tool as parameters of a test, those with weights apart."""
    found = {key: numbers for key, numbers in printed(tool).items() if key[2].endswith(" weighted") == weighted}
    return [pytest.param(*key, numbers, id=f"{key[2]}-{key[0]}") for key, numbers in found.items()]


def by_subtopic() -> dict[str, list[Any]]:
    """Return the judgments by subtopic as columns."""
    table = given.read("subtopics.tsv")
    columns: dict[str, list[Any]] = {name: [row[name] for row in table] for name in ("query", "subtopic", "doc")}
    return columns | {"grade": [int(row["grade"]) for row in table]}


def lists(grades: str, scores: str, unjudged: float | None) -> tuple[given.Grades, given.Grades]:
    """Return judgments that know the results only, and the results of the queries they judge."""
    found = list(given.ranked(grades, scores))
    known = {
        row.query: {d: unjudged if g is None else g for d, g in zip(row.docs, row.grades, strict=True)} for row in found
    }
    judged = {q: {d: g for d, g in docs.items() if g is not None} or {"none": 0.0} for q, docs in known.items()}
    return judged, {row.query: dict(zip(row.docs, row.scores, strict=True)) for row in found}


def split(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """Return the numbers of queries, and the mean by itself."""
    return {q: v for q, v in numbers.items() if q != "all"}, {q: v for q, v in numbers.items() if q == "all"}


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), rows("pyndeval"))
def test_ndeval(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Its names are read as they stand; ERR-IA@1 and alpha-DCG@1 it leaves undivided, and nNRBP of 0/0 is no number."""
    judgments = by_subtopic()
    scores = ir.evaluate(judgments, given.results(order), [measure], convention="ndeval")
    if measure in ("ERR-IA@1", "alpha-DCG@1"):
        columns = (judgments[name] for name in ("query", "subtopic", "grade"))
        relevant = {(query, topic) for query, topic, grade in zip(*columns, strict=True) if grade}
        subtopics = Counter(query for query, _ in relevant)
        numbers = {query: value / max(subtopics[query], 1) for query, value in numbers.items()}
    if measure == "nNRBP":
        numbers = {query: 0.0 if math.isnan(value) else value for query, value in numbers.items()}
    compare(version("pyndeval"), values(scores), numbers, measure)


CWL = {
    "P@": ("P@{}", "AverageGain@{}"),
    "NDCG-k@": ("NDCG-k@{}", "NDCG-k@{}"),
    "RBP@": ("RBP(p={})", "GradedRBP(p={})"),
    "INST-T=": ("INST(T={})@1000", "INST(T={})@1000"),
    "INSQ-T=": ("INSQ(T={})@1000", "INSQ(T={})@1000"),
    "NERR-EQ8@k=": ("NERR8@{}", "NERR8@{}"),
    "NERR-EQ9@k=": ("NERR9@{}", "NERR9@{}"),
    "NERR-EQ10@phi=": ("NERR10(p={})@1000", "NERR10(p={})@1000"),
    "NERR-EQ11@T=": ("NERR11(T={})@1000", "NERR11(T={})@1000"),
    "BPM-Static-T=": ("BPM(T={})@{}", "BPM(T={})@{}"),
    "RR": ("RR", ""),
    "AP": ("AP", ""),
}
"""How a name of cwl_eval begins, and what it is here for gains of 0 and 1 and for those between."""


def said_here(measure: str, kind: str) -> str:
    """Return the name here of a measure as cwl_eval prints it."""
    start = max((start for start in CWL if measure.startswith(start)), key=len)
    parameters = re.findall(r"[\d.]+", measure[len(start) :])
    return CWL[start][kind == "graded"].format(*parameters)


def cwl_judgments(grades: str) -> given.Grades:
    """Return the gains from 0 to 1 that cwl_eval was given."""
    return {
        query: {d: g / 3 if grades == "graded" else float(g > 0) for d, g in docs.items() if g >= 0}
        for query, docs in given.judgments().items()
    }


CWL_ROWS = rows("cwl_eval")
UTILITY = [row for row in CWL_ROWS if " " not in row.values[2]]
BESIDE = [row for row in CWL_ROWS if " " in row.values[2]]


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), BESIDE)
def test_cwl_eval_reading(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Its total utility, depth and residual are those of the reading.

    Where a reader may go on for ever its total lacks what those got who go on from rank 1000; utility x depth is whole.
    """
    name, what = measure.split()
    if what == "total" and name.startswith(("INST", "INSQ", "NERR-EQ11")):
        known = printed("cwl_eval")
        utility, depth = (known[grades, order, name + part] for part in ("", " depth"))
        numbers = {query: utility[query] * depth[query] for query in numbers}
    judged = cwl_judgments(grades)
    scores = ir.evaluate(judged, given.results(), [said_here(name, grades)], convention="cwl-eval")
    found = scores.reading()
    ours = dict(zip(found["query"], found[what], strict=True))
    oracle = {query: value for query, value in numbers.items() if query in judged}
    compare(version("cwl_eval"), ours, oracle, measure)


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), UTILITY)
def test_cwl_eval(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """Expected utility of gains from 0 to 1; a topic nobody judged has 0 there and no value here."""
    name = said_here(measure, grades)
    judged = cwl_judgments(grades)
    assert all(value == 0 for query, value in numbers.items() if query not in judged)
    oracle = {query: value for query, value in numbers.items() if query in judged}
    if name:
        scores = ir.evaluate(judged, given.results(), [name], convention="cwl-eval")
        compare(version("cwl_eval"), values(scores), oracle, name)


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), rows("tensorflow_ranking"))
def test_tf_ranking(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """A result nobody judged is masked, or has the label 0, where unjudged=zero says so; the mean is that of Keras."""
    name, k, zero = re.fullmatch(r"(\w+)\(topn=(\d+)\)( zero)?", measure).groups()  # type: ignore[union-attr]
    judged, results = lists(grades, order, 0.0 if zero else None)
    scores = ir.evaluate(judged, results, [f"{name}@{k}"], convention="tf-ranking")
    queries, mean = split(numbers)
    tolerance = FLOAT32 * max(1.0, *queries.values())
    compare(version("tensorflow_ranking"), values(scores), queries, measure, tolerance)
    compare(
        version("tensorflow_ranking"), {"all": float(scores.values[0, 0].mean())}, mean, f"mean {measure}", tolerance
    )


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), rows("tensorflow_ranking", weighted=True))
def test_weighted_tf_ranking(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """The mean by weights is that of weights=given, once a list without gain has the average weight of the others."""
    k, zero = re.fullmatch(r"NDCGMetric\(topn=(\d+)\)( zero)? weighted", measure).groups()  # type: ignore[union-attr]
    judged, results = lists(grades, order, 0.0 if zero else None)
    worth = {q: any(max(judged[q].get(d, 0), 0) for d in docs) for q, docs in results.items()}
    weights = {query: 1.0 + place for place, query in enumerate(results)}
    usual = [weights[query] for query in results if worth[query]]
    weights |= {query: sum(usual) / len(usual) for query in results if not worth[query]}
    scores = ir.evaluate(judged, results, [f"nDCG@{k}"], convention="tf-ranking", weights=weights)
    compare(version("tensorflow_ranking"), {"all": scores.all_means[0][0]}, numbers, measure, FLOAT32)


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), rows("rax"))
def test_rax(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """A result nobody judged has the label 0; ties stand as given."""
    name, k = re.fullmatch(r"(\w+)\(topn=(\d+)\)", measure).groups()  # type: ignore[union-attr]
    judged, results = lists(grades, order, 0.0)
    scores = ir.evaluate(judged, results, [f"{name}@{k}"], convention="rax")
    queries, mean = split(numbers)
    tolerance = FLOAT32 * max(1.0, *queries.values())
    compare(version("rax"), values(scores), queries, measure, tolerance)
    compare(version("rax"), {"all": float(scores.values[0, 0].mean())}, mean, f"mean {measure}", tolerance)


@pytest.mark.parametrize(("grades", "order", "measure", "numbers"), rows("torchmetrics"))
def test_torchmetrics(grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """NDCG averages over ties; the other measures take targets of 0 and 1.

    Its class for fall-out counts a list without a non-relevant document as 1, its function as 0.
    """
    name, k = re.fullmatch(r"(\w+?)(?:\(top_k=(\d+)\))?", measure).groups()  # type: ignore[union-attr]
    judged, results = lists(grades, order, 0.0)
    scores = ir.evaluate(judged, results, [f"{name}@{k}" if k else name], convention="torchmetrics")
    queries, mean = split(numbers)
    compare(version("torchmetrics"), values(scores), queries, measure, FLOAT32)
    if name == "retrieval_fall_out":
        scores = ir.evaluate(judged, results, [f"{name}@{k}"], convention="torchmetrics, no_relevant=1")
    if mean:
        compare(version("torchmetrics"), {"all": float(scores.values[0, 0].mean())}, mean, f"mean {measure}", FLOAT32)


TREC_EVAL = [
    pytest.param(v, *row.values, id=f"{row.id}-{v}") for v in ("9.0.8", "10.0") for row in rows(f"trec_eval_{v}")
]


@pytest.mark.parametrize(("number", "grades", "order", "measure", "numbers"), TREC_EVAL)
def test_trec_eval(number: str, grades: str, order: str, measure: str, numbers: Numbers, compare: Compare) -> None:
    """With faults=on, fractions of grades are cut off as trec_eval, run with -c, does it; four digits are printed."""
    setting = f"trec_eval-{number}, faults=on, no_results=0"
    scores = ir.evaluate(given.judgments(grades), given.results(order), [measure], convention=setting)
    queries, mean = split(numbers)
    found = {query: value for query, value in values(scores).items() if query in queries}
    compare(f"trec_eval {number} (committed)", found, queries, measure, FOUR_DIGITS)
    compare(f"trec_eval {number} (committed)", {"all": scores[measure]}, mean, f"mean {measure}", FOUR_DIGITS)


@pytest.mark.parametrize("number", ["9.0.8", "10.0"])
def test_fractions_count(number: str) -> None:
    """Without faults=on the fractions count, so that the same numbers are not those trec_eval printed."""
    printed_ndcg = printed(f"trec_eval_{number}")["fraction", "score", "ndcg"]["all"]
    data = given.judgments("fraction"), given.results()
    scores = ir.evaluate(*data, ["ndcg"], convention=f"trec_eval-{number}, no_results=0")
    assert abs(scores["ndcg"] - printed_ndcg) > 10 * FOUR_DIGITS
