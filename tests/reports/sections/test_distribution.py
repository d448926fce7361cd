"""How values are distributed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import idealrank as ir
from idealrank.reports.sections.charts import distribution
from tests.comparison.worlds import one_relevant, random_world, reciprocal


def test_counts_by_hand() -> None:
    """RR of 1, 1/2, 1/2 and 1/4 lies in the bins from 0.95, 0.5 and 0.25."""
    scores = ir.evaluate(one_relevant(4), reciprocal({"q000": 1, "q001": 2, "q002": 2, "q003": 4}), ["RR"])
    found = distribution(scores)
    assert {low: n for low, n in zip(found["low"], found["results"], strict=True) if n} == {0.25: 1, 0.5: 2, 0.95: 1}
    assert found["high"][-1] == 1.0


@pytest.mark.parametrize("measure", ["nDCG@10", "RR", "DCG@10"])
def test_counts_as_numpy_counts(measure: str) -> None:
    """Bins go from 0 to 1, without an upper bound to the greatest value of all systems; NumPy counts the same."""
    judgments, runs = random_world(1, queries=200, systems=3)
    scores = ir.evaluate(judgments, runs, [measure])
    found = distribution(scores)
    top = scores.values.max() if measure.startswith("DCG") else 1.0
    for s, system in enumerate(runs):
        counts, edges = np.histogram(scores.values[s, 0], bins=20, range=(0.0, top))
        assert found[system] == counts.tolist()
        assert np.allclose([*found["low"], found["high"][-1]], edges, rtol=0, atol=1e-12)


def test_a_value_on_an_edge_lies_in_the_bin_it_begins() -> None:
    """P@20 of i hits is i/20, which lies in bin i whatever binary rounding makes of it; 1 lies in the last."""
    run = {"q": {f"d{i}": 20.0 - i for i in range(20)}}
    for hits in range(21):
        scores = ir.evaluate({"q": {f"d{i}": int(i < hits) for i in range(20)} | {"other": 1}}, run, ["P@20"])
        counts = distribution(scores)["results"]
        assert (counts[min(hits, 19)], sum(counts)) == (1, 1)


def test_a_sum_just_below_an_edge_lies_above_it() -> None:
    """0.7 + 0.1 is 0.7999999999999999 in binary, and counts as 0.8."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["RR"])
    assert distribution(replace(scores, values=np.array([[[0.7 + 0.1]]])))["results"][16] == 1


def test_queries_left_out_are_not_counted() -> None:
    """Of three queries one is not asked for, and one is left out for want of results."""
    judgments = {"a": {"d": 1}, "b": {"d": 1}, "c": {"d": 1}}
    scores = ir.evaluate(judgments, {"a": {"d": 1}, "c": {"d": 1}}, ["RR"], no_results="skip", only=["a", "b"])
    assert sum(distribution(scores)["results"]) == 1


def test_values_that_are_all_the_same() -> None:
    """A measure that is 1 everywhere has bins around it, and no division by zero."""
    found = distribution(ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["num_q"]))
    assert (found["low"][0], found["high"][-1], sum(found["results"])) == (0.5, 1.5, 1)


def test_values_beyond_the_declared_range() -> None:
    """With kept grades below zero nDCG falls below 0: the bins go down to it."""
    judgments = {"q": {"a": -1, "b": 3}, "r": {"a": 3}}
    scores = ir.evaluate(judgments, {"q": {"a": 1}, "r": {"a": 1}}, ["nDCG@1"], negative="keep")
    found = distribution(scores)
    assert found["low"][0] == pytest.approx(-1 / 3)
    assert (found["results"][0], found["results"][-1]) == (1, 1)
