"""Explain: the table behind one number, whose sum is the number."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject, strategies as st

import idealrank as ir
from idealrank.conventions import CONVENTIONS
from tests.evaluation.worlds import ANSWERS, HALF, JUDGMENTS, NAMES, RANDOMLY, RESULTS, Nested, supported, worlds


def same(a: float, b: float) -> bool:
    """Whether two numbers are equal to 1e-12, or both missing."""
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= 1e-12


def rounded_away(scores: ir.Scores, name: str) -> float:
    """Return how far the roundings by query, of the convention or of the call, may take a value from the quotient."""
    roundings = scores.measures[scores.place_of(name)].decisions.rounding
    return 1e-12 + sum(10.0**-rounding.digits for rounding in roundings if rounding.stage == "query")


def check(scores: ir.Scores, name: str, query: str) -> None:
    """Check that the explanation of a value arrives at the value."""
    found = scores.explain(name, query)
    value = float(scores.of(name)[scores.queries.index(query)])
    assert same(found.score, value)
    shares = found.steps["contribution"]
    if found.unsplit:
        assert math.isnan(found.total)
        return
    assert same(found.total, math.fsum(shares))
    if shares and found.normaliser > 0:
        assert abs(found.total / found.normaliser - value) <= rounded_away(scores, name)
        assert same(found.steps["running"][-1], found.total)
    if found.ideal.columns and name.startswith("nDCG") and shares and "tie_first" not in found.steps.columns:
        assert same(math.fsum(found.ideal["contribution"]), found.normaliser)


@RANDOMLY
@given(worlds(), st.sampled_from([name for name in sorted(CONVENTIONS) if supported(name)]), ANSWERS)
def test_totals_are_the_scores(world: tuple[Nested, Nested], convention: str, answers: dict[str, Any]) -> None:
    """On random data the contributions, over their divisor, are the score: every measure, convention and answer."""
    names = supported(convention)
    # The worlds have no ranks, and grades up to 4.
    own = CONVENTIONS[convention].decisions
    apart = {"order_by": "score"} if own.order_by == "rank" else {}
    declared = (each.get("max_grade") for each in CONVENTIONS[convention].by_measure.values())
    apart |= {"max_grade": "highest"} if 1 in (own.max_grade, *declared) else {}
    try:
        scores = ir.evaluate(*world, names, convention=convention, **apart, **answers)
    except (ir.UsageError, ir.DataError) as refusal:
        # A gain table without the top of gdeval's scale cannot be measured against it; ideal=max needs an end.
        if not any(why in str(refusal) for why in ("ties=average", "grades without a gain: 4", "endless list")):
            raise
        reject()
    for name in names:
        for query in scores.queries:
            check(scores, name, query)


def test_the_steps_by_hand() -> None:
    """Rank, document, grade, gain, discount, contribution and running sum of nDCG, and the ideal beside it."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG@10", query="q1")
    assert found.steps.columns == ["rank", "doc", "grade", "gain", "discount", "contribution", "running"]
    assert found.steps["doc"] == ["d1", "d2", "d3"]
    assert found.steps["grade"] == pytest.approx([3, math.nan, 1], nan_ok=True)
    assert found.steps["gain"] == [3, 0, 1]
    assert found.steps["discount"] == pytest.approx([1, HALF, 0.5])
    assert found.steps["contribution"] == pytest.approx([3, 0, 0.5])
    assert found.steps["running"] == pytest.approx([3, 3, 3.5])
    assert found.ideal["doc"] == ["d1", "d4", "d3"]
    assert found.ideal["grade"] == [3, 2, 1]
    assert found.ideal["contribution"] == pytest.approx([3, 2 * HALF, 0.5])
    assert found.normaliser == pytest.approx(3 + 2 * HALF + 0.5)
    assert found.score == found.total / found.normaliser


def test_average_precision_by_hand() -> None:
    """AP shows the precision at each relevant result, and is divided by their number."""
    found = ir.explain(JUDGMENTS, RESULTS, "AP", query="q1")
    assert found.steps["precision"] == pytest.approx([1, 0, 2 / 3])
    assert found.normaliser == 3
    assert found.ideal.columns == []


def test_the_notebooks_columns() -> None:
    """Every intermediate column of the notebooks can be had: gain, discount, running DCG and CG, and the ideal's."""
    judgments, results = ir.from_grades([0, 2, 1, 3])
    options: dict[str, Any] = {"gain": "exp2"}
    dcg = ir.explain(judgments, results, "DCG", query="q", **options)
    ideal = ir.explain(judgments, results, "nDCG", query="q", **options).ideal
    discounts = [1 / math.log2(rank + 1) for rank in (1, 2, 3, 4)]
    assert dcg.steps["gain"] == [0, 3, 1, 7]
    assert dcg.steps["discount"] == pytest.approx(discounts)
    assert dcg.steps["contribution"] == pytest.approx([0, 3 * discounts[1], discounts[2], 7 * discounts[3]])
    assert dcg.steps["running"] == pytest.approx(np.cumsum(dcg.steps["contribution"]))
    assert ir.explain(judgments, results, "CG", query="q", **options).steps["running"] == [0, 3, 4, 11]
    assert ideal["rank"] == [1, 2, 3, 4]
    assert ideal["grade_rank"] == [1, 2, 3, 4]
    assert ideal["discount"] == pytest.approx(discounts)
    assert ideal["contribution"] == pytest.approx([7, 3 * discounts[1], discounts[2], 0])
    place = dict(zip(ideal["doc"], ideal["rank"], strict=True))
    assert [place[doc] for doc in dcg.steps["doc"]] == [4, 2, 3, 1]


def test_the_ideal_ranks_of_equal_grades() -> None:
    """Equal grades have one dense rank (B088), different places, and stand in the order of the judgments (B087)."""
    judgments = {"q": {"b": 2.0, "a": 2.0, "c": 3.0}}
    ideal = ir.explain(judgments, {"q": {"a": 2.0, "b": 1.0}}, "nDCG", query="q").ideal
    assert ideal["doc"] == ["c", "b", "a"]
    assert ideal["rank"] == [1, 2, 3]
    assert ideal["grade_rank"] == [1, 2, 2]


def test_the_max_ideal_names_no_document() -> None:
    """The ideal with the top grade at every rank has grades and no documents."""
    ideal = ir.explain(JUDGMENTS, RESULTS, "nDCG(ideal=max)@4", query="q2").ideal
    assert ideal["doc"] == [None] * 4
    assert ideal["grade"] == [3.0] * 4


def test_a_grade_below_zero_in_the_local_ideal() -> None:
    """In the best order of the results a grade below zero stands after the unjudged ones, which count 0."""
    judgments, results = ir.from_grades([3, -1, None, None])
    found = ir.explain(judgments, results, "nDCG(ideal=local)", negative="keep")
    assert found.ideal["grade"] == pytest.approx([3, math.nan, math.nan, -1], nan_ok=True)
    assert found.score == pytest.approx((3 - HALF) / (3 - 1 / math.log2(5)))


def test_rounded_terms_are_shown_rounded() -> None:
    """Where the terms are rounded, the contributions are what is summed (notebook 002, B103)."""
    judgments, results = ir.from_grades([3, 2, 3, 0, 1, 2])
    found = ir.explain(judgments, results, "DCG", query="q", rounding="term,round,3")
    assert found.steps["contribution"] == [3.0, 1.262, 1.5, 0.0, 0.387, 0.712]
    by_query = ir.explain(judgments, results, "DCG", query="q", rounding="query,floor,1")
    assert "contributions 6.8611 / 1.0000 = 6.8611, rounded to 6.8000 (rounding=query,floor,1)" in repr(by_query)
    assert (found.total, found.score) == pytest.approx((6.861, 6.861))


def test_measures_that_are_no_sum_say_so() -> None:
    """NumRet, NumRel and NumQ say why they do not split; they claim no total."""
    for name, why in (("NumRet", "judged or not"), ("NumRel", "counts judgments"), ("NumQ", "counts queries")):
        found = ir.explain(JUDGMENTS, RESULTS, name, query="q1")
        assert why in found.unsplit
        assert found.notes[-1] == f"The score is not a sum over results: {found.unsplit}."
        assert math.isnan(found.total)
        assert json.loads(found.to_json())["total"] is None
        assert "contributions" not in repr(found)


def test_averaged_ties_show_their_spans() -> None:
    """Under ties=average each result shows the span of ranks it may take, and its mean discount."""
    found = ir.explain({"q": {"a": 1.0}}, {"q": {"a": 1.0, "b": 1.0}}, "DCG", query="q", ties="average")
    assert found.steps["tie_first"] == [1, 1]
    assert found.steps["tie_last"] == [2, 2]
    assert found.steps["discount"] == pytest.approx([(1 + HALF) / 2] * 2)
    assert "A tied result takes the mean over all places of its span." in found.notes


@pytest.mark.parametrize("name", NAMES)
def test_what_was_scored_is_explained_where_unjudged_results_alone_are_tied(name: str) -> None:
    """The order of unjudged results is moot: under ties=average steps and explain tell what evaluate gave."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 3.0, "x": 1.0, "y": 1.0}}, [name], ties="average")
    explained, steps = scores.explain(name, "q"), scores.steps(name)
    assert explained.score == pytest.approx(scores.values[0, 0, 0], abs=1e-12)
    assert steps["doc"] == explained.steps["doc"] == ["a", "y", "x"]
    if not explained.unsplit and explained.normaliser > 0:
        assert math.fsum(steps["contribution"]) / explained.normaliser == pytest.approx(explained.score, abs=1e-12)


def test_explain_shows_no_grade_below_zero_where_unjudged_results_are_removed() -> None:
    """Under unjudged=filter infAP removes b, and a stands at rank 1; (1 + (1 + 2 x 1/2) / 3) / 2 = 0.8333."""
    judgments, results = {"q": {"a": 1, "b": -1, "d": 0, "c": 1}}, {"q": {"b": 4.0, "a": 3.0, "d": 2.0, "c": 1.0}}
    explained = ir.explain(judgments, results, "infAP", query="q", convention="trec_eval-9.0.8", unjudged="filter")
    assert explained.steps["doc"] == ["a", "d", "c"]
    assert "1 of 4 results was unjudged and removed; the ranks closed up (unjudged=filter)." in explained.notes
    assert explained.score == pytest.approx(5 / 6, abs=1e-6)


def test_infap_counts_a_grade_below_zero_as_every_unjudged_result() -> None:
    """Under unjudged=1 the document of grade -1 is relevant at rank 1: (1 + 1) / R = 2, as AP has it."""
    judgments, results = {"q": {"a": 1, "b": -1}}, {"q": {"b": 2.0, "a": 1.0}}
    scores = ir.evaluate(judgments, results, ["infAP", "AP"], unjudged=1)
    assert scores["AP"] == 2.0
    assert scores["infAP"] == pytest.approx(2.0, abs=1e-4)
