"""Labels that nobody has seen: holes outside both lists, and counts of what is unseen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.comparison.unjudged.holes import holes
from tests.comparison.brute import TOP, Case, at_random, bounded, evaluated, every_world, ranges
from tests.comparison.test_holes_bounds import CLOSE, EXACT, ROUNDS, every_range, named, of_query


@pytest.mark.parametrize("case", EXACT, ids=named)
def test_hidden_labels(case: tuple[str, dict[str, Any]]) -> None:
    """Whichever labels of documents at the top are hidden, at random or the worst, the true values lie within.

    Adversarially: the relevant documents of the one list that the other does not hold.
    """
    rng = np.random.default_rng(3)
    if case[1].get("no_relevant") == "skip":
        return  # a query without relevant documents is left out, though a label would bring it back
    for turn in range(ROUNDS // 2):
        one = at_random(rng, *case, most=6)
        truth = one.judged | {doc: int(rng.integers(0, TOP + 1)) for doc in sorted({*one.one, *one.other, *one.third})}
        true = evaluated(one, [truth])[:, 0]
        blank, q = bounded(one._replace(judged={"nobody's": 0}))
        hidden = {doc for doc in of_query(blank, q) if rng.random() < 0.5}
        if turn % 2:
            hidden = {doc for doc in of_query(blank, q) if doc in one.other and doc not in one.one and truth[doc] > 0}
        judged = {doc: grade for doc, grade in truth.items() if doc not in hidden} or {"nobody's": 0}
        found, q = bounded(one._replace(judged=judged))
        assert hidden == set(of_query(found, q))
        values = {"one": true[0], "other": true[1], "difference": true[1] - true[0]}
        for name, bounds in every_range(found).items():
            assert np.isnan(values[name]) or bounds.low[q] - CLOSE <= values[name] <= bounds.high[q] + CLOSE


def test_unseen_covers_labels_outside_both_lists() -> None:
    """A relevant document in neither list lowers nDCG and R below their bounds, unless unseen allows for it."""
    for measure in ("nDCG@2", "R@2", "AP"):
        case = Case({"a": 3, "b": 1}, ["a", "x"], ["x", "a"], measure, {})
        true = evaluated(case, [{**case.judged, "x": 0, "far": 3}])[:, 0]
        without, q = bounded(case)
        assert true[0] < without.bounds("one").low[q]
        within, q = bounded(case, unseen=1)
        for s, system in enumerate(("one", "other")):
            bounds = within.bounds(system)
            assert bounds.low[q] - CLOSE <= true[s] <= bounds.high[q] + CLOSE
        assert "up to 1 relevant document that nobody returned" in within.sentence


def test_unseen_between_two_caps() -> None:
    """Where R is capped at what each list returned, the extreme may lie at a cap, between none and all of unseen."""
    judged = {"j": 3, "z": 0, "y": 0, "w": 0}
    case = Case(judged, ["j", "z"], ["z", "j", "y", "w"], "AP", {"ap_denominator": "min(R,k,n)"})
    found, q = bounded(case, unseen=3)
    values = evaluated(case, every_world(case, ["v0", "v1", "v2"]))
    bounds = found.difference("one", "other")
    assert (bounds.low[q], bounds.high[q]) == pytest.approx(ranges(values)["difference"], abs=CLOSE)
    assert bounds.high[q] == pytest.approx(0.5 / 2 - 1 / 2)  # R = 2; at R = 1 it is -1/2, at R = 4 it is -3/8


def test_unseen_is_a_count() -> None:
    """How many documents nobody returned is a whole number from 0 up."""
    scores = ir.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["RR"])
    for wrong in (-1, 0.5):
        with pytest.raises(ir.UsageError, match="a whole number from 0 up"):
            holes(scores.joins, scores.measures[0], unseen=wrong)  # type: ignore[arg-type]
