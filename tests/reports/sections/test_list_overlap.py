"""What the lists of two systems share."""

from __future__ import annotations

import math

import pytest

import idealrank as ir
from idealrank.comparison.overlap import overlap_table
from idealrank.comparison.pairing import Pair
from tests.comparison.worlds import random_world


@pytest.mark.parametrize("depth", [1, 3, 10])
def test_as_the_overlap_of_two_files(depth: int) -> None:
    """Jaccard, RBO and churn are those of `ir.overlap` of the same results, cut at the same depth."""
    judgments, runs = random_world(1, queries=15)
    del runs["s0"]["q002"]
    found = {row["query"]: row for row in overlap_table(ir.evaluate(judgments, runs, ["RR"]), Pair(0, 1), depth)}
    for row in ir.overlap(runs["s0"], runs["s1"], k=depth):
        mine = found[row["query"]]
        assert mine["jaccard"] == row["jaccard"]
        assert mine["churn"] == row["churn"]
        assert mine["rbo"] == pytest.approx(row["rbo"], abs=1e-12)


def test_a_tie_across_the_depth() -> None:
    """Of three documents tied at the ranks 2 to 4 two stand within rank 3, tied at 2 and 3."""
    runs = {"x": {"q": {"a": 9.0, "b": 5.0, "c": 5.0, "d": 5.0}}, "y": {"q": {"b": 9.0, "d": 5.0, "a": 5.0}}}
    (found,) = overlap_table(ir.evaluate({"q": {"a": 1}}, runs, ["RR"]), Pair(0, 1), 3)
    assert found["rbo"] == pytest.approx(ir.overlap(runs["x"], runs["y"], k=3)["rbo"][0], abs=1e-12)
    assert found["rbo"] == pytest.approx(ir.rbo(["a", ["d", "c"]], ["b", ["d", "a"]]).extrapolated, abs=1e-12)


def test_ties_and_empty_lists() -> None:
    """Two tied documents in either order are one list; where neither returned anything, both lists are the same."""
    judgments = {"q": {"a": 1}, "r": {"a": 1}}
    runs = {"x": {"q": {"a": 1.0, "b": 1.0}}, "y": {"q": {"b": 1.0, "a": 1.0}}}
    first, second = overlap_table(ir.evaluate(judgments, runs, ["RR"]), Pair(0, 1), 10)
    assert first["jaccard"] == 1.0
    assert first["rbo"] == pytest.approx(ir.rbo([{"a", "b"}], [{"a", "b"}]).extrapolated)
    assert (second["jaccard"], second["rbo"]) == (1.0, 1.0)
    assert math.isnan(second["churn"])
