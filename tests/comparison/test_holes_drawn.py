"""What holes are, and values with the grades of holes drawn."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.arrays import Floats
from idealrank.comparison.unjudged.holes import MeasureUnjudged, holes
from idealrank.measures import DEFINITIONS, Definition
from tests.amounts import part
from tests.comparison.brute import scored

JUDGED = {"q": {"a": 2, "b": 0, "c": 1}, "r": {"a": 1, "z": 2}, "s": {"a": 1}}
RUNS = {
    "one": {"q": ["a", "x", "b", "c"], "r": ["z", "y", "a"], "s": ["a"]},
    "two": {"q": ["x", "c", "y", "a"], "r": ["a", "x", "z", "w"]},
}


def systems(runs: dict[str, dict[str, list[str]]] = RUNS) -> dict[str, dict[str, dict[str, float]]]:
    """Return results with scores that keep the order."""
    return {name: {query: scored(docs) for query, docs in run.items()} for name, run in runs.items()}


def found(measure: str, judged: Any = JUDGED, runs: Any = RUNS, **decisions: Any) -> MeasureUnjudged:
    """Return the holes of two systems."""
    scores = ir.evaluate(judged, systems(runs), [measure], **decisions)
    return holes(scores.joins, scores.measures[0])


def drawn(some: MeasureUnjudged, draws: int, seed: int = 0) -> Floats:
    """(draws, S, Q) values drawn."""
    return np.array(list(some.drawn(draws, seed=seed)))


def test_a_document_is_one_hole() -> None:
    """A document that several systems returned is one hole, with the rank each gives it; by query, then by id."""
    some = found("nDCG@3")
    assert [(some.queries[q], doc) for q, doc in zip(some.query, some.document, strict=True)] == [
        ("q", "x"),
        ("q", "y"),
        ("r", "x"),
        ("r", "y"),
    ]
    assert some.rank.tolist() == [[2, 0, 0, 2], [1, 3, 2, 0]]
    assert some.counts.tolist() == [[1, 1, 0], [2, 1, 0]]
    assert some.total.tolist() == [2, 2, 0]
    assert some.scale.tolist() == [0.0, 1.0, 2.0]


def test_only_the_top_counts() -> None:
    """Unjudged documents beyond the cutoff are no holes; a hole's rank beyond it is told."""
    some = found("nDCG@1")
    assert some.document == ("x",)
    assert some.rank.tolist() == [[2], [1]]
    assert some.counts.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert "w" in found("AP").document
    assert "w" not in found("AP@3").document


def test_said() -> None:
    """The holes are told in a sentence that says what becomes of the other unjudged documents."""
    assert repr(found("nDCG@3")) == (
        "4 unjudged documents in the top 3 of any system, in 2 queries; every other unjudged document counts as grade 0"
    )
    assert found("AP").sentence.startswith("5 unjudged documents in the results of any system")


def test_no_such_system() -> None:
    """A system that is not there is refused with the nearest name."""
    with pytest.raises(ir.UsageError, match=r"No system called 'ono'\. Did you mean one\?"):
        found("AP").bounds("ono")


ANSWERS: list[dict[str, Any]] = [
    {"unjudged": "filter"},
    {"unjudged": 1},
    {"ties": "best"},
    {"no_relevant": "1", "no_results": "skip"},
    {"negative": "keep"},
]


def labelled(some: MeasureUnjudged, grade: float, judged: Any) -> dict[str, dict[str, float]]:
    """Return the judgments with a label for every hole."""
    return {
        query: {**row, **{some.document[n]: grade for n in np.flatnonzero(some.query == some.queries.index(query))}}
        for query, row in judged.items()
    }


CASES = [
    pytest.param(definition, decisions, id=f"{definition.name}-{decisions}")
    for place, definition in enumerate(definition for definition in DEFINITIONS if definition.is_plain)
    for decisions in [{}, *part(ANSWERS, place)]
]
"""Every measure under the default, and under some of the answers."""


@pytest.mark.parametrize(("definition", "decisions"), CASES)
def test_values_are_those_with_the_labels(definition: Definition, decisions: dict[str, Any]) -> None:
    """Where judged results have one grade, a draw is the evaluation with it on every hole, under any measure.

    A document of a grade below zero that does not count is a hole: the label takes its place.
    """
    judged = {query: dict.fromkeys(row, 1) | {"far": 2, "low": -1, "nought": 0} for query, row in JUDGED.items()}
    measure = f"{definition.name}@3" if definition.cutoff == "optional" else definition.name
    below = decisions.get("negative") != "keep" and definition.below_zero == "decided"
    runs = RUNS | {"two": RUNS["two"] | {"s": ["w", "low", "a"]}} if below else RUNS
    some = found(measure, judged, runs, **decisions)
    again = ir.evaluate(labelled(some, 1, judged), systems(runs), [measure], **decisions)
    np.testing.assert_allclose(drawn(some, 1)[0], again.values[:, 0], rtol=0, atol=1e-12)


def test_one_grade_for_all_systems() -> None:
    """In each draw both systems' values are those of one assignment of grades to documents."""
    judged = {"q": {"a": 2, "b": 0, "c": 1}}
    some = found("nDCG@4", judged, max_grade=2)
    worlds = [
        {"q": {**judged["q"], **dict(zip(some.document, grades, strict=True))}}
        for grades in itertools.product(range(3), repeat=len(some.document))
    ]
    runs = systems({name: {"q": run["q"]} for name, run in RUNS.items()})
    possible = [ir.evaluate(world, runs, ["nDCG@4"], max_grade=2).values[:, 0, 0] for world in worlds]
    for value in drawn(some, 50)[:, :, 0]:
        assert min(np.abs(value - world).max() for world in possible) < 1e-12


def test_filled() -> None:
    """Values with a grade for each hole are those of judgments that hold these grades."""
    some, grades = found("nDCG@3"), [2.0, 1.0, 0.0, 2.0]
    judged = {query: dict(row) for query, row in JUDGED.items()}
    for q, doc, grade in zip(some.query, some.document, grades, strict=True):
        judged[some.queries[q]][doc] = grade
    again = ir.evaluate(judged, systems(), ["nDCG@3"]).values[:, 0]
    np.testing.assert_allclose(some.filled(np.array(grades)), again, rtol=0, atol=1e-12)
    with pytest.raises(ir.UsageError, match=r"4 holes, and grades of shape \(2,\): give one each"):
        some.filled(np.zeros(2))


@pytest.mark.parametrize("measure", ["nDCG@3", "AP", "ERR", "Bpref"])
def test_each_hole_alone(measure: str) -> None:
    """What one hole can do is the evaluation with the top grade for it, and 0 for the others."""
    some = found(measure)
    each = some.alone()
    assert each.shape == (2, len(some.document))
    for n, (q, doc) in enumerate(zip(some.query, some.document, strict=True)):
        judged = labelled(some, 0, JUDGED)
        judged[some.queries[q]][doc] = 2
        again = ir.evaluate(judged, systems(), [measure]).values[:, 0, q]
        assert each[:, n] == pytest.approx(again, abs=1e-12)


def test_rates_by_rank() -> None:
    """A hole has each grade as often as the results judged at about its rank, and one more with the rates of all."""
    judged = {f"q{i}": {"a": int(i < 30), "b": 0} for i in range(40)} | {"hole": {"far": 1, "b": 0}}
    run = {f"q{i}": ["a", "b"] for i in range(40)} | {"hole": ["x", "b", "y"]}
    scores = ir.evaluate(judged, {query: scored(docs) for query, docs in run.items()}, ["P@1", "P@3"])
    overall = 30 / (40 + 41)
    first = holes(scores.joins, scores.measures[0])
    hole = first.queries.index("hole")
    share = (30 + overall) / 41
    draws = 4000
    error = 3.5 * np.sqrt(share * (1 - share) / draws)
    assert drawn(first, draws)[:, 0, hole].mean() == pytest.approx(share, abs=error)
    deep = holes(scores.joins, scores.measures[1])  # nothing was judged at rank 3: the rates of all
    values = drawn(deep, draws)[:, 0, hole] * 3
    assert values.mean() == pytest.approx(share + overall, abs=2 * error)


def test_the_best_rank_decides() -> None:
    """A hole is as good as what is judged at the best rank that any system gives it."""
    judged = {f"q{i}": {"a": 1, "b": 0} for i in range(40)} | {"hole": {"far": 1, "b": 0}}
    known: dict[str, list[str]] = {f"q{i}": ["a", "b"] for i in range(40)}
    some = found("P@2", judged, {"low": known | {"hole": ["b", "x"]}, "high": known | {"hole": ["x", "b"]}})
    values = drawn(some, 500)[:, :, some.queries.index("hole")] * 2
    assert values.mean() > 0.95  # at rank 1: 80 of 80 relevant; at rank 2: none of 81


def test_rates_of_all_judgments() -> None:
    """Where no result is judged, the grades drawn are those of the judgments."""
    some = found("CG@1", {"q": {"far": 3, "further": 3}}, {"a": {"q": ["x"]}, "b": {"q": ["y"]}})
    assert drawn(some, 3).tolist() == [[[3.0], [3.0]]] * 3
    none = found("CG@1", {"q": {"far": -1}}, {"a": {"q": ["x"]}, "b": {"q": ["far"]}})
    assert drawn(none, 3).tolist() == [[[0.0], [0.0]]] * 3


def test_independent_of_the_order_of_rows() -> None:
    """The same seed draws the same, whatever the order of queries and documents in the input."""
    turned = {query: dict(reversed(row.items())) for query, row in reversed(JUDGED.items())}
    shuffled = systems()
    for name, run in shuffled.items():
        rows = [(query, list(docs.items())) for query, docs in run.items()]
        random.Random(1).shuffle(rows)
        shuffled[name] = {query: dict(reversed(docs)) for query, docs in rows}
    scores = ir.evaluate(turned, shuffled, ["nDCG@3"])
    other = holes(scores.joins, scores.measures[0])
    assert other.document == found("nDCG@3").document
    assert drawn(other, 5, seed=9).tolist() == drawn(found("nDCG@3"), 5, seed=9).tolist()


def test_the_order_of_systems_only_turns_the_rows() -> None:
    """Bounds and draws do not depend on which system comes first."""
    turned = found("AP", runs={"two": RUNS["two"], "one": RUNS["one"]})
    assert drawn(turned, 5)[:, ::-1].tolist() == drawn(found("AP"), 5).tolist()
    here, there = turned.difference("one", "two"), found("AP").difference("two", "one")
    assert here.low.tolist() == (-there.high).tolist()
    assert here.high.tolist() == (-there.low).tolist()


def test_without_holes_nothing_is_drawn() -> None:
    """Where everything is judged, each draw holds the values."""
    scores = ir.evaluate({"q": {"a": 2, "b": 1}}, {"q": scored(["b", "a"])}, ["nDCG"])
    some = holes(scores.joins, scores.measures[0])
    assert some.document == ()
    assert drawn(some, 2).tolist() == [scores.values[:, 0].tolist()] * 2
    assert some.alone().shape == (1, 0)


def test_subtopics_are_refused() -> None:
    """A measure that reads judgments by subtopic has holes, but no grades are drawn for them."""
    table = {"query": ["q", "q"], "subtopic": ["1", "2"], "doc": ["a", "b"], "grade": [1, 1]}
    scores = ir.evaluate(table, {"q": scored(["x", "a"])}, ["alpha_nDCG@2"])
    some = holes(scores.joins, scores.measures[0])
    assert some.document == ("x",)
    with pytest.raises(ir.UsageError, match="no grades are drawn"):
        some.drawn(1)
    assert some.bounds("results").kind == "unknown"
