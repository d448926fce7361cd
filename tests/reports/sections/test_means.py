"""Means with their intervals, and the footnote that counts what is in them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import idealrank as ir
from idealrank.comparison.text import paired_note
from idealrank.evaluation.mean_tables import counts_of_queries, footnote, means
from idealrank.reports.sections.tables import means_if_judged
from tests.comparison.worlds import random_world


def test_intervals_as_scipy_computes_them() -> None:
    """The interval is Student's of the values, as SciPy's t-test gives it, up to 1; the mean is that of `means`."""
    judgments, runs = random_world(1, queries=15, systems=3)
    scores = ir.evaluate(judgments, runs, ["nDCG@10", "RR"])
    rows = list(means(scores))
    assert [(row["measure"], row["system"]) for row in rows] == [(m, s) for m in ("nDCG@10", "RR") for s in runs]
    for row in rows:
        values = scores.of(row["measure"], row["system"])
        span = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
        assert (row["queries"], row["mean"]) == (15, scores[row["measure"], row["system"]])
        assert np.allclose((row["low"], row["high"]), (span.low, min(span.high, 1.0)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("options", [{"average": "geometric"}, {"average": "median"}, {"no_judgments": "0"}], ids=str)
def test_what_is_no_mean_of_values_has_no_interval(options: dict[str, str]) -> None:
    """A geometric mean, a median and a mean with queries nobody judged have no interval; nor has a sum."""
    judgments, runs = random_world(1, queries=6, systems=1)
    runs["s0"]["unknown"] = {"d1": 1.0}
    (row,) = means(ir.evaluate(judgments, runs["s0"], ["RR"], **options))
    assert math.isnan(row["low"])
    assert math.isnan(row["high"])
    (total,) = means(ir.evaluate(judgments, runs["s0"], ["num_rel"]))
    assert math.isnan(total["low"])


def test_one_query_has_no_interval() -> None:
    """Nothing is known of the spread of one value."""
    (row,) = means(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["RR"]))
    assert (row["queries"], row["mean"]) == (1, 1.0)
    assert math.isnan(row["low"])


def test_weights_count() -> None:
    """With weights mean and interval are those that a comparison of the same systems prints."""
    judgments, runs = random_world(1, queries=15)
    weights = {key: 1 + i % 3 for i, key in enumerate(judgments)}
    scores = ir.evaluate(judgments, runs, ["nDCG@10"], weights=weights)
    for mine, theirs in zip(means(scores), ir.compare(scores, draws=100).means, strict=True):
        assert all(mine[name] == pytest.approx(theirs[name]) for name in ("queries", "mean", "low", "high"))


def test_a_query_without_weight_is_in_no_mean() -> None:
    """Of three queries one has the weight 0: two are counted."""
    judgments = {key: {"d": 1} for key in "abc"}
    weights = {"a": 1, "b": 2, "c": 0}
    scores = ir.evaluate(judgments, {key: {"d": 1.0} for key in "abc"}, ["RR"], weights=weights)
    assert footnote(scores).endswith("; 2 of 3 queries")


def test_the_footnote_counts_by_what_differs() -> None:
    """One count for all; by system, by measure or by both where they differ; a range where that is too much."""
    judgments = {key: {"d": 1} for key in "abc"} | {"none": {"d": 0}}
    full, part = {key: {"d": 1.0} for key in judgments}, {"a": {"d": 1.0}}
    scores = ir.evaluate(judgments, {"full": full, "part": part}, ["RR", "P@5"])
    assert footnote(scores) == "RR, P@5 under idealrank-1; 4 of 4 queries"
    scores = ir.evaluate(judgments, {"full": full, "part": part}, ["RR", "P@5"], no_results="skip")
    assert footnote(scores) == "RR, P@5 under idealrank-1, no_results=skip; full 4, part 1 of 4 queries"
    assert footnote(scores, [1], [1]) == "P@5 under idealrank-1, no_results=skip; 1 of 4 queries"
    scores = ir.evaluate(judgments, full, ["AP(no_relevant=skip)", "P@5"])
    assert footnote(scores).endswith("; AP(no_relevant=skip) 3, P@5 4 of 4 queries")
    runs = {"full": full, "part": part, "other": part}
    scores = ir.evaluate(judgments, runs, ["AP(no_relevant=skip)", "P@5"], no_results="skip")
    assert footnote(scores).endswith("; 1 to 4 of 4 queries, differing by system or measure")


def test_queries_nobody_judged_are_told() -> None:
    """A mean into which a query nobody judged enters as 0 says so."""
    run = {"a": {"d": 1.0}, "x": {"d": 1.0}}
    scores = ir.evaluate({"a": {"d": 1}}, run, ["RR"], no_judgments="0")
    assert footnote(scores).endswith("; 1 of 1 query, and 1 query nobody judged as 0")


def test_pairs_are_counted() -> None:
    """Under no_results=skip a pair has the queries that both answered."""
    judgments = {key: {"d": 1} for key in "abc"}
    full, part = {key: {"d": 1.0} for key in "abc"}, {key: {"d": 1.0} for key in "ab"}
    found = ir.compare(judgments, {"full": full, "part": part}, ["RR"], no_results="skip", draws=100)
    assert paired_note(found, [0], found.pairing.pairs) == "2 of 3 queries paired"
    assert counts_of_queries({"x": 1}, 1) == "1 of 1 query"


@pytest.mark.parametrize("measure", ["nDCG@3", "RR", "P@2"])
def test_what_the_holes_allow_is_what_any_grades_give(measure: str) -> None:
    """Lowest and highest are those of the means under every grade from 0 to 2 of the three holes, each evaluated."""
    judged = {"q": {"a": 2, "b": 1}, "r": {"c": 1}}
    run = {"q": {"x": 3.0, "b": 2.0, "y": 1.0}, "r": {"c": 2.0, "z": 1.0}}
    (row,) = means_if_judged(ir.evaluate(judged, run, [measure]))
    worlds = [
        {"q": judged["q"] | {"x": x, "y": y}, "r": judged["r"] | {"z": z}}
        for x, y, z in itertools.product(range(3), repeat=3)
    ]
    found = [ir.evaluate(world, run, [measure])[measure] for world in worlds]
    assert (row["lowest"], row["highest"]) == pytest.approx((min(found), max(found)), abs=1e-12)
    assert row["lowest"] <= row["mean"] < row["highest"]
