"""From the values of queries to one number: every answer of the mean stage."""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.decisions import Decisions, questions
from idealrank.evaluation.means import average as averaged
from idealrank.measures import parse
from tests.properties.answers import Answer, answers
from tests.properties.promises.counterexamples import CLOSE
from tests.properties.ranked import Corpus, Ranked, at_random, settled
from tests.properties.tables import Tables, query_ids, scattered, table
from tests.properties.test_relations import fixed

NAMES = ["nDCG@5", "AP", "RR", "Bpref", "ERR", "NumRelRet", "NumQ"]
ON_MEANS = [
    a
    for name, q in questions().items()
    if q.stage == "mean"
    for a in answers(name)
    if a.decision != "rounding" or a.label.startswith("mean")
]

unit = st.floats(0, 1, allow_subnormal=False)
whole = st.sampled_from([a for a in ON_MEANS if a.decision in ("average", "rounding")])


@fixed
@given(st.lists(unit, min_size=1, max_size=30), whole)
def test_mean_lies_among_the_values(values: list[float], answer: Answer) -> None:
    """Under every answer the mean lies between the lowest and the highest value (what rounding takes apart)."""
    mean = averaged(np.array(values), answer.given(), "mean")
    slack = 0.01 if answer.decision == "rounding" else CLOSE
    floor = max(min(values), 1e-5) if answer.label == "geometric" else min(values)
    assert min(min(values), floor) - slack <= mean <= max(max(values), floor) + slack


@fixed
@given(st.lists(st.tuples(unit, unit), min_size=1, max_size=30), whole)
def test_better_queries_never_lower_the_mean(pairs: list[tuple[float, float]], answer: Answer) -> None:
    """Under every answer the mean does not fall when no query gets worse: a monotone measure stays so in the mean."""
    worse, better = np.array([sorted(pair) for pair in pairs]).T
    assert averaged(worse, answer.given(), "mean") <= averaged(better, answer.given(), "mean") + CLOSE


# ---------------------------------------------------------------- the number, in plain Python

EMPTY = (Ranked((), missed=(2.0, 1.0)), Ranked((), missed=(1.0, 0.0)))
"""Two queries more without results: a row without a document names the first, the search of the second failed."""

QUERIES = (*(q for q in at_random(40, 8, seed=10, shortest=0) if q.pool), *EMPTY)
NAMED, FAILED = range(len(QUERIES) - 2, len(QUERIES))
UNJUDGED = (Ranked((None, None)), Ranked((None,)), Ranked((None, None, None)))
IDS = query_ids(QUERIES + UNJUDGED)
WEIGHTS = {key: 1.0 + number % 5 for number, key in enumerate(IDS)}


def _tables() -> Tables:
    made = table(QUERIES + UNJUDGED, scattered, rank=lambda row: row.place)
    judged = set(IDS[: len(QUERIES)])
    keep = [i for i, key in enumerate(made.judgments["query_id"]) if key in judged]
    rows = {"query_id": [IDS[NAMED], IDS[FAILED]], "doc_id": ["", ""], "rank": [1, 1], "error": ["", "TimeoutError"]}
    results = {name: [*made.results.get(name, [""] * len(made.results["doc_id"])), *rows[name]] for name in rows}
    return Tables({name: [values[i] for i in keep] for name, values in made.judgments.items()}, results)


def _weighted(values: list[float], weights: list[float]) -> float:
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / math.fsum(weights)


def _counts(place: int, decisions: Decisions) -> bool:
    """Whether a query without results counts."""
    if place == FAILED:
        return decisions.failed == "0"
    return {"skip": False, "skip_missing": place == NAMED}.get(decisions.no_results, True)


def _wanted(name: str, decisions: Decisions) -> float:
    measure = replace(parse(name)[0], decisions=decisions)
    values = settled(Corpus(QUERIES), measure).tolist()
    weights = [WEIGHTS[key] if decisions.weights == "given" else 1.0 for key in IDS[: len(QUERIES)]]
    kept = [i for i, query in enumerate(QUERIES) if query.grades or _counts(i, decisions)]
    values, weights = [values[i] for i in kept], [weights[i] for i in kept]
    if measure.definition.total == "sum":
        return math.fsum(values)
    if decisions.no_judgments == "0":
        values, weights = values + [0.0] * len(UNJUDGED), weights + [1.0] * len(UNJUDGED)
    if decisions.average == "median":
        return statistics.median(values)
    if decisions.average == "geometric":
        return math.exp(_weighted([math.log(max(v, 1e-5)) for v in values], weights))
    mean = _weighted(values, weights)
    return round(mean, 2) if decisions.rounding else mean


@pytest.mark.parametrize(
    "answer", [a for a in ON_MEANS if str(a) not in ("no_results=error", "failed=refuse", "systems=pooled")], ids=str
)
def test_mean_is_what_the_answer_says(answer: Answer) -> None:
    """Under every answer the printed number is that mean of the values of the lists built by hand."""
    weights: Any = WEIGHTS if str(answer) == "weights=given" else None
    convention = "idealrank-1" if weights else f"idealrank-1, {answer}"
    scores = ir.evaluate(*_tables(), NAMES, convention=convention, weights=weights)
    for measure in scores.measures:
        name = f"{measure.definition.name}{'' if measure.cutoff is None else f'@{measure.cutoff}'}"
        assert scores.mean(measure) == pytest.approx(_wanted(name, answer.given()), abs=1e-12), name


def test_no_results_error() -> None:
    """Under no_results=error a judged query without results stops the evaluation."""
    with pytest.raises(ir.DataError, match="no_results=error"):
        ir.evaluate(*_tables(), NAMES, no_results="error")


def test_failed_refuse() -> None:
    """Under failed=refuse a judged query whose search failed stops the evaluation."""
    with pytest.raises(ir.DataError, match="failed=refuse"):
        ir.evaluate(*_tables(), NAMES, failed="refuse")


def test_pooled_systems_are_one_ranking() -> None:
    """Under systems=pooled all rows are one ranking: two systems that take turns give the list as it was before."""
    made = table(tuple(q for q in QUERIES if q.grades), scattered, score=lambda row: -row.place)
    names = [random.Random(3).choice("ab") for _ in made.results["doc_id"]]
    pooled = ir.evaluate(made.judgments, made.results | {"system": names}, NAMES, systems="pooled", order_by="score")
    np.testing.assert_array_equal(pooled.values, ir.evaluate(*made, NAMES, order_by="score").values)
