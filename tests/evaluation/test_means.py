"""The mean stage: from the values of queries to one number."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.decisions import Decisions
from idealrank.evaluation.means import average as averaged
from tests.evaluation.worlds import JUDGMENTS, RANDOMLY, RESULTS

VALUES = st.lists(st.floats(0, 1, allow_subnormal=False), min_size=1, max_size=20)


def mean(values: list[float], weights: list[float] | None = None, total: str = "mean", **answers: object) -> float:
    """Average values under some answers."""
    given_weights = None if weights is None else np.array(weights)
    return averaged(np.array(values, np.float64), Decisions().but(**answers), total, given_weights)


def test_three_averages_by_hand() -> None:
    """Arithmetic, geometric and median of 1/4, 1/2 and 1."""
    values = [0.25, 0.5, 1.0]
    assert mean(values) == pytest.approx(1.75 / 3)
    assert mean(values, average="geometric") == pytest.approx(0.5)
    assert mean(values, average="median") == 0.5
    assert mean([0.25, 0.5, 0.75, 1.0], average="median") == 0.625


def test_the_geometric_mean_raises_small_values() -> None:
    """Values below 0.00001 are raised to it, as in trec_eval, so that one 0 does not end it all."""
    assert mean([0.0, 1.0], average="geometric") == pytest.approx(math.sqrt(0.00001))
    assert mean([0.000001, 1.0], average="geometric") == pytest.approx(math.sqrt(0.00001))


def test_geometric_is_gm_map() -> None:
    """gm_map is AP averaged so."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["gm_map", "AP"])
    values = [max(v, 0.00001) for v in scores.per_query["AP"]]
    assert scores["gm_map"] == pytest.approx(statistics.geometric_mean(values))


@RANDOMLY
@given(VALUES)
def test_averages_are_those_of_the_standard_library(values: list[float]) -> None:
    """On random values the averages are those of Python's statistics module."""
    assert mean(values) == pytest.approx(statistics.fmean(values), abs=1e-15)
    assert mean(values, average="median") == statistics.median(values)
    raised = [max(v, 0.00001) for v in values]
    assert mean(values, average="geometric") == pytest.approx(statistics.geometric_mean(raised), rel=1e-12)


@RANDOMLY
@given(VALUES, st.sampled_from(["arithmetic", "geometric", "median"]), st.floats(0.5, 9))
def test_equal_weights_change_nothing(values: list[float], average: str, weight: float) -> None:
    """Weights that are all alike give the average without weights."""
    found = mean(values, [weight] * len(values), average=average)
    assert found == pytest.approx(mean(values, average=average), rel=1e-12, abs=1e-15)


@RANDOMLY
@given(VALUES, st.sampled_from(["arithmetic", "geometric", "median"]), st.randoms())
def test_a_whole_weight_is_a_repetition(values: list[float], average: str, rng: object) -> None:
    """A query of weight 3 counts as three queries, one of weight 0 as none."""
    weights = [float(rng.randint(0, 3)) for _ in values]  # type: ignore[attr-defined]
    weights[0] = 1.0
    repeated = [value for value, weight in zip(values, weights, strict=True) for _ in range(int(weight))]
    found = mean(values, weights, average=average)
    assert found == pytest.approx(mean(repeated, average=average), rel=1e-12, abs=1e-15)


@RANDOMLY
@given(VALUES, st.randoms())
def test_the_order_of_the_queries_does_not_matter(values: list[float], rng: object) -> None:
    """Shuffled values have exactly the same mean."""
    shuffled = values[:]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert mean(shuffled) == mean(values)


def test_what_is_left_out_does_not_count() -> None:
    """NaN marks a query left out; where all are, there is no mean."""
    assert mean([math.nan, 0.5]) == 0.5
    assert math.isnan(mean([math.nan]))
    assert mean([math.nan, 2.0], total="sum") == 2.0
    assert mean([math.nan], total="sum") == 0.0


def test_weights_without_mass_give_no_mean() -> None:
    """Weights that are all 0 give no number."""
    for average in ("arithmetic", "geometric", "median"):
        assert math.isnan(mean([0.5, 1.0], [0.0, 0.0], average=average))


def test_queries_without_results() -> None:
    """A judged query without results counts 0, is left out, or stops the evaluation."""
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"])["RR"] == 0.5
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_results="skip")["RR"] == 0.75
    with pytest.raises(ir.DataError, match=r"1 judged query without results \('q3'\)"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_results="error")


def test_a_row_without_a_document_is_a_query_without_results() -> None:
    """A stand-in row says that the query has no results: it is left out with them, or counts 0 (B107)."""
    rows = {"query": ["q1", "q2"], "doc": ["d1", ""], "rank": [1, 1]}
    judgments = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}, "q3": {"d1": 1.0}}
    assert ir.evaluate(judgments, rows, ["RR"])["RR"] == 1 / 3
    assert ir.evaluate(judgments, rows, ["RR"], no_results="skip")["RR"] == 1
    found = ir.evaluate(judgments, rows, ["RR"], no_results="skip_missing")
    assert found["RR"] == 1 / 2
    assert found.ledger.queries["RR"] == ["computed", "no_results=0", "no_results=skip_missing"]
    empty = {"q1": {"d1": 1.0}, "q2": {}}
    for answer, mean in (("0", 1 / 3), ("skip", 1.0), ("skip_missing", 1 / 2)):
        assert ir.evaluate(judgments, empty, ["RR"], no_results=answer)["RR"] == mean


def test_queries_without_judgments() -> None:
    """Results nobody judged are left out, or count 0; with weights at their own weight."""
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_judgments=0)["RR"] == 1.5 / 4
    weights = {"q1": 1, "q2": 1, "q3": 0, "q9": 2}
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_judgments=0, weights=weights)["RR"] == 1.5 / 4
    assert ir.evaluate(JUDGMENTS, RESULTS, ["RR"], weights=weights)["RR"] == 0.75
    del weights["q9"]
    with pytest.raises(ir.DataError, match="has no weight: 'q9'"):
        ir.evaluate(JUDGMENTS, RESULTS, ["RR"], no_judgments=0, weights=weights)


def test_zero_divided_by_zero() -> None:
    """A query without a relevant document counts 0, 1, or is left out; RR is no quotient and stays 0."""
    judgments, results = {"q1": {"d": 1.0}, "q2": {"d": 0.0}}, {"q1": {"d": 1.0}, "q2": {"d": 1.0}}
    for answer, expected in ((0, 0.5), (1, 1.0), ("skip", 1.0)):
        scores = ir.evaluate(judgments, results, ["nDCG", "RR"], no_relevant=answer)
        assert scores["nDCG"] == expected
        assert scores["RR"] == 0.5


def test_no_results_wins_over_no_relevant() -> None:
    """A query with neither results nor relevant documents is a query without results."""
    judgments = {"q1": {"d": 1.0}, "q2": {"d": 0.0}}
    assert ir.evaluate(judgments, {"q1": {"d": 1.0}}, ["nDCG"], no_relevant=1)["nDCG"] == 0.5
    assert ir.evaluate(judgments, {"q1": {"d": 1.0}}, ["nDCG"], no_relevant=1, no_results="skip")["nDCG"] == 1.0


def test_rounding_at_each_stage() -> None:
    """Rounding acts on the terms, on the values of queries, or on the mean; without it nothing is rounded."""
    judgments, results = ir.from_grades([3, 2, 3])
    terms = [3.0, 2 / math.log2(3), 1.5]

    def dcg(rounding: str) -> float:
        return ir.evaluate(judgments, results, ["DCG"], rounding=rounding)["DCG"]

    assert dcg("none") == pytest.approx(sum(terms), abs=1e-15)
    assert dcg("term,round,1") == pytest.approx(3.0 + 1.3 + 1.5)
    assert dcg("term,floor,1") == pytest.approx(3.0 + 1.2 + 1.5)
    assert dcg("query,floor,2") == pytest.approx(5.76)
    assert dcg("mean,round,0") == 6.0
    assert dcg("term,floor,2+query,floor,1") == pytest.approx(5.7)


def test_rounding_the_mean_leaves_the_values() -> None:
    """A rounded mean is the mean of values that are not."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG"], rounding="mean,round,2")
    assert scores["nDCG"] == round(sum(scores.per_query["nDCG"]) / 3, 2)
    assert scores.per_query["nDCG"][1] == 1 / math.log2(3)
    by_query = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG"], rounding="query,round,2")
    assert by_query.per_query["nDCG"] == [round(v, 2) for v in scores.per_query["nDCG"]]


def test_a_sum_beyond_all_numbers_is_refused() -> None:
    """Values whose sum no float64 holds are refused in words."""
    judgments = {query: {"x": 1e308} for query in "ab"}
    scores = ir.evaluate(judgments, {query: {"x": 1.0} for query in "ab"}, ["CG"])
    with pytest.raises(ir.DataError, match="more than a number can be"):
        _ = scores["CG"]
