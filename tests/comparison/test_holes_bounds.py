"""Bounds from holes: brute force over every assignment of grades, through judgments that hold them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.comparison.unjudged.bounds import Bounds, average_precision
from idealrank.comparison.unjudged.holes import MeasureUnjudged, holes
from tests.amounts import costly
from tests.comparison.brute import Case, at_random, bounded, evaluated, every_world, ranges, scored

CLOSE = 1e-12
ROUNDS = costly(24, 6)

EXACT: list[tuple[str, dict[str, Any]]] = [
    ("CG@3", {}),
    ("CG@3", {"gain": "exp2"}),
    ("DCG@4", {"cutoff": "below_k"}),
    ("DCG", {}),
    ("nDCG@3", {}),
    ("nDCG@3", {"gain": "exp2", "ideal_depth": "all"}),
    ("nDCG@3", {"gain": "{0:0, 1:5, 2:1, 3:3}"}),
    ("nDCG@3", {"no_relevant": "1"}),
    ("nDCG@3", {"no_relevant": "skip"}),
    ("nDCG@3", {"no_results": "skip"}),
    ("nDCG@3", {"ideal": "max"}),
    ("nDCG", {}),
    ("nDCG", {"ideal": "max"}),
    ("P@3", {"relevant_from": 2}),
    ("P", {}),
    ("P@3", {"short_list": "returned"}),
    ("R@3", {}),
    ("R@3", {"recall_denominator": "min(R,k)"}),
    ("R", {}),
    ("Success@2", {}),
    ("RR", {}),
    ("RR@2", {"relevant_from": 2, "no_results": "skip"}),
    ("RBP(p=0.7)@3", {}),
    ("RBP", {"relevant_from": "positive"}),
    ("AP", {}),
    ("AP", {"no_relevant": "1"}),
    ("AP@3", {"ap_denominator": "min(R,k)"}),
    ("AP@3", {"ap_denominator": "min(R,k,n)"}),
    ("ERR@4", {}),
    ("ERR", {}),
]
"""Measures under the decisions that their formulas read."""

TWO_IDEALS: list[tuple[str, dict[str, Any]]] = [
    ("nDCG@3", {"ideal_depth": "returned"}),
    ("nDCG@3", {"ideal": "local"}),
    ("nDCG@3", {"ideal": "local", "no_relevant": "1", "discount": "reciprocal", "cutoff": "below_k"}),
    ("nDCG@3", {"ideal": "returned"}),
    ("nDCG@3", {"ideal": "returned", "ideal_depth": "all", "gain": "exp2"}),
    ("nDCG", {"ideal": "returned", "ideal_depth": "returned"}),
    ("R@3", {"recall_denominator": "min(R,k,n)", "no_relevant": "1"}),
]
"""Measures under decisions by which each system may be divided by an ideal of its own."""


def every_range(found: MeasureUnjudged) -> dict[str, Bounds]:
    """Return the bounds of each system and of the difference, under the names `ranges` uses."""
    return {"one": found.bounds("one"), "other": found.bounds("other"), "difference": found.difference("one", "other")}


def of_query(found: MeasureUnjudged, query: int) -> list[str]:
    """Return the holes of a query."""
    return [found.document[n] for n in np.flatnonzero(found.query == query)]


def named(case: tuple[str, dict[str, Any]]) -> str:
    """Write a measure with its decisions."""
    return " ".join([case[0], *(f"{name}={answer}" for name, answer in case[1].items())])


@pytest.mark.parametrize("case", [*EXACT, *TWO_IDEALS], ids=named)
def test_exact(case: tuple[str, dict[str, Any]]) -> None:
    """On short lists the ends are the least and the greatest over every grade of every hole: shared, moving the ideal.

    Each assignment is evaluated from judgments that hold it. A third of the cases has a document nobody
    returned, a third a system more, whose holes move the ideal only; a fifth has two equal lists. Only the difference
    of two systems that are divided by different ideals is enclosed.
    """
    rng = np.random.default_rng(sum(map(ord, named(case))))
    for _ in range(ROUNDS):
        one = at_random(rng, *case, most=4)
        unseen = int(rng.random() < 0.3)
        found, q = bounded(one, unseen)
        open_ = [*of_query(found, q), *["nobody's"] * unseen]
        wanted = ranges(evaluated(one, every_world(one, open_)))
        for name, bounds in every_range(found).items():
            if case in TWO_IDEALS and name == "difference" and bounds.kind == "enclosure":
                assert bounds.low[q] <= wanted[name][0] + CLOSE, one
                assert bounds.high[q] >= wanted[name][1] - CLOSE, one
                continue
            assert bounds.kind == "exact"
            if not np.isnan(wanted[name]).any():
                assert (bounds.low[q], bounds.high[q]) == pytest.approx(wanted[name], abs=CLOSE), (name, one)
            else:
                assert np.isnan([bounds.low[q], bounds.high[q]]).all()


def test_the_range_is_no_point() -> None:
    """In most cases drawn for the test above, the holes do move the value: it compares something."""
    rng = np.random.default_rng(5)
    wide = 0
    for _ in range(ROUNDS):
        one = at_random(rng, "nDCG@3", {}, most=4)
        found, q = bounded(one)
        wide += found.difference("one", "other").high[q] > found.difference("one", "other").low[q]
    assert wide > ROUNDS / 2


ENCLOSED: list[tuple[str, dict[str, Any]]] = [
    ("AP", {}),
    ("AP@3", {"ap_denominator": "min(R,k,n)"}),
    ("ERR@5", {}),
    *TWO_IDEALS,
]


@pytest.mark.parametrize("case", ENCLOSED, ids=named)
def test_an_enclosure_encloses(case: tuple[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ends are not found exactly, every value over all grades lies within, and the kind says so."""
    monkeypatch.setattr(average_precision, "MOST_CHOICES", 2)
    monkeypatch.setattr("idealrank.comparison.unjudged.bounds.cascade.MOST_TRIED", 1)
    rng = np.random.default_rng(11)
    kinds = set()
    for _ in range(ROUNDS):
        one = at_random(rng, *case, most=4)
        found, q = bounded(one)
        low, high = ranges(evaluated(one, every_world(one, of_query(found, q))))["difference"]
        bounds = found.difference("one", "other")
        kinds.add(bounds.kind)
        assert bounds.low[q] <= low + CLOSE
        assert bounds.high[q] >= high - CLOSE
        assert not bounds.exact[q] or (bounds.low[q], bounds.high[q]) == pytest.approx((low, high), abs=CLOSE)
    assert kinds == {"exact", "enclosure"}


def eight(shared: int) -> Case:
    """Two lists of ten with eight holes each, some of them shared, at other ranks."""
    one = ["j0", *(f"s{i}" for i in range(shared)), *(f"a{i}" for i in range(8 - shared)), "j1"]
    other = ["j1", *(f"b{i}" for i in range(8 - shared)), "j0", *(f"s{i}" for i in reversed(range(shared)))]
    return Case({"j0": 3, "j1": 1, "j2": 2}, one, other, "", {})


@pytest.mark.parametrize("shared", [0, 4, 8])
@pytest.mark.parametrize("measure", ["AP", "AP@10", "ERR"])
def test_eight_holes_are_exact(measure: str, shared: int) -> None:
    """With at most 8 holes a list every choice of them is tried: every difference is exact."""
    found, _ = bounded(eight(shared)._replace(measure=measure))
    assert found.total.max() == 16 - shared
    assert found.difference("one", "other").kind == "exact"


JUDGED = {"q": {"a": 2, "b": 0, "c": 1}}
ONE, OTHER = ["a", "x", "b", "c"], ["x", "c", "y", "a"]

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("Bpref", {}, "none are worked out for Bpref; they are for CG, DCG"),
    ("F1@3", {}, "none are worked out for F1"),
    ("nDCG@3", {"unjudged": "filter"}, "unjudged=filter: with a label the document would come back"),
    ("nDCG@3", {"unjudged": 1}, "unjudged=1: "),
    ("P@3", {"short_list": "judged"}, "a label of 0 changes the divisor"),
    ("P@3", {"relevant_from": 0}, "a label of 0 is relevant, no label is not"),
    ("DCG@3", {"gain": "{0:1, 1:2, 2:3}"}, "grade 0 has a gain"),
    ("AP", {"ap_denominator": "hits"}, "the divisor counts the relevant results found"),
    ("R@3", {"recall_denominator": "hits"}, "the divisor counts the relevant results found"),
    ("nDCG@3", {"rounding": "query,round,2"}, "rounded"),
    ("nDCG@3", {"gain": "{0:0, 1:-1, 2:3}"}, "gains below zero"),
]


@pytest.mark.parametrize(("measure", "decisions", "why"), REFUSED, ids=lambda part: str(part))
def test_no_bounds_known(measure: str, decisions: dict[str, Any], why: str) -> None:
    """Where no bounds are known it is said in words, and no number is given."""
    scores = ir.evaluate(JUDGED, {"a": {"q": scored(ONE)}, "b": {"q": scored(OTHER)}}, [measure], **decisions)
    found = holes(scores.joins, scores.measures[0])
    for bounds in (found.bounds("a"), found.difference("a", "b")):
        assert bounds.kind == "unknown"
        assert bounds.why.startswith("no bounds known")
        assert why in bounds.why
        assert np.isnan([*bounds.low, *bounds.high]).all()


@pytest.mark.parametrize(
    ("measure", "ties", "kind"),
    [
        ("nDCG@2", "average", "exact"),
        ("P@2", "average", "exact"),
        ("R@2", "average", "exact"),
        ("DCG@2", "average", "exact"),
        ("nDCG(ideal=returned)@3", "average", "exact"),
        ("nDCG(ideal=local)@2", "average", "unknown"),
        ("AP", "average", "unknown"),
        ("RR", "average", "unknown"),
        ("nDCG@2", "best", "unknown"),
        ("P@2", "worst", "unknown"),
    ],
)
def test_ties(measure: str, ties: str, kind: str) -> None:
    """Averages of a sum over ties have bounds, those of every assignment; where labels order ties there are none."""
    tied = {"q": {"a": 2.0, "x": 2.0, "y": 2.0, "b": 1.0}}
    call = {"ties": ties, "max_grade": 2}
    scores = ir.evaluate(JUDGED, tied, [measure], **call)
    found = holes(scores.joins, scores.measures[0])
    bounds = found.bounds("results")
    assert bounds.kind == kind
    if kind == "unknown":
        assert f"ties={ties}" in bounds.why or "average over the orders" in bounds.why
        return
    labels = [{"q": {**JUDGED["q"], "x": x, "y": y}} for x in range(3) for y in range(3)]
    values = [ir.evaluate(judged, tied, [measure], **call)[measure] for judged in labels]
    assert (bounds.low[0], bounds.high[0]) == pytest.approx((min(values), max(values)), abs=CLOSE)


def test_a_scale_of_many_grades() -> None:
    """A scale of very many grades takes no more: the ends are those of the grades that occur, 0 and the top."""
    judged = {"q": {"a": 700_000, "b": 3, "c": 1_000_000}}
    runs = {"a": {"q": scored(ONE)}, "b": {"q": scored(OTHER)}}
    worlds = [{"q": {**judged["q"], "x": x, "y": y}} for x in (0, 1_000_000) for y in (0, 1_000_000)]
    for measure in ("nDCG@3", "nDCG(ideal=local)@3"):
        scores = ir.evaluate(judged, runs, [measure])
        bounds = holes(scores.joins, scores.measures[0]).difference("a", "b")
        gains = [float(np.diff(ir.evaluate(world, runs, [measure]).values[:, 0, 0])[0]) for world in worlds]
        assert bounds.low[0] <= min(gains) + CLOSE
        assert bounds.high[0] >= max(gains) - CLOSE


@pytest.mark.parametrize("grade", [4_006_381_333_931, 9_223_372_036_854_775_807])
def test_an_article_number_among_the_grades(grade: float) -> None:
    """A number from the wrong column fills no memory, wherever grades that holes may get are drawn or bounded."""
    judged = {"q": {"a": 2, "b": 1}, "other": {"a": 1, "b": grade}}
    runs = {"a": {"q": scored(ONE), "other": scored(ONE)}, "b": {"q": scored(OTHER), "other": scored(ONE)}}
    compared = ir.compare(judged, runs, ["nDCG@3"])
    assert holes(compared.scores.joins, compared.scores.measures[0]).scale.tolist() == [0.0, 1.0, 2.0, float(grade)]
    assert len(ir.label_next(judged, runs, "nDCG@3").rows) > 0


@pytest.mark.parametrize("measure", ["DCG@3", "nDCG@3", "ERR@3"])
def test_grades_that_are_not_whole(measure: str) -> None:
    """Where grades are not whole, a hole has one of those that were given, 0 or the top."""
    judged = {"q": {"a": 0.5, "b": 0.0, "c": 2.25}, "other": {"a": 1.5}}
    scores = ir.evaluate(judged, {"q": scored(ONE)}, [measure], max_grade=3)
    found = holes(scores.joins, scores.measures[0])
    assert found.scale.tolist() == [0.0, 0.5, 1.5, 2.25, 3.0]
    worlds = [{**judged, "q": {**judged["q"], "x": grade}} for grade in found.scale]
    values = [ir.evaluate(world, {"q": scored(ONE)}, [measure], max_grade=3).of(measure)[1] for world in worlds]
    bounds = found.bounds("results")
    assert scores.queries[1] == "q"
    assert (bounds.low[1], bounds.high[1]) == pytest.approx((min(values), max(values)), abs=CLOSE)


def test_grades_below_zero() -> None:
    """A grade below zero that does not count is a hole; one that counts makes the scale go below zero."""
    judged = {"q": {"a": 2, "b": -1, "c": 1}}
    plain = ir.evaluate(judged, {"q": scored(ONE)}, ["CG@3"])
    found = holes(plain.joins, plain.measures[0])
    assert found.document == ("b", "x")
    assert (found.bounds("results").low[0], found.bounds("results").high[0]) == (2.0, 6.0)
    kept = ir.evaluate(judged, {"q": scored(ONE)}, ["CG@3"], negative="keep")
    found = holes(kept.joins, kept.measures[0])
    assert found.scale.tolist() == [-1.0, 0.0, 1.0, 2.0]
    assert found.document == ("x",)
    assert (found.bounds("results").low[0], found.bounds("results").high[0]) == (0.0, 3.0)


def test_without_holes() -> None:
    """Where everything is judged, the bounds are the values."""
    scores = ir.evaluate({"q": {"a": 2, "b": 1}}, {"q": scored(["b", "a"])}, ["nDCG", "AP", "RR", "P@2"])
    for measure in scores.measures:
        bounds = holes(scores.joins, measure).bounds("results")
        assert bounds.low.tolist() == bounds.high.tolist() == scores.of(measure).tolist()
        assert bounds.kind == "exact"


def test_equal_lists_do_not_differ() -> None:
    """Two lists that hold the same documents at the same ranks differ by 0, however many holes they hold."""
    ranking = [f"d{i}" for i in range(40)]
    both = {"a": {"q": scored(ranking)}, "b": {"q": scored(ranking)}}
    scores = ir.evaluate({"q": {"d3": 1, "d9": 2}}, both, ["AP", "ERR", "nDCG(ideal=local)", "nDCG(ideal=returned)"])
    for measure in scores.measures:
        bounds = holes(scores.joins, measure).difference("a", "b")
        assert (bounds.low.tolist(), bounds.high.tolist(), bounds.kind) == ([0.0], [0.0], "exact")


def test_rbp_residual() -> None:
    """Of one system, the width of the bounds of RBP is trec_eval's residual but for the ranks not returned."""
    p, ranking = 0.8, ["a", "x", "b", "y", "c"]
    scores = ir.evaluate(JUDGED, {"q": scored(ranking)}, ["RBP", "RBPResidual"])
    bounds = holes(scores.joins, scores.measures[0]).bounds("results")
    assert bounds.high[0] - bounds.low[0] == pytest.approx(scores["RBPResidual"] - p ** len(ranking), abs=CLOSE)
