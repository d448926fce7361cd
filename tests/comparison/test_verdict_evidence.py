"""What a verdict says where evidence is missing: too few queries, weights, draws or judgments."""

from __future__ import annotations

import re

import pytest

import idealrank as ir
from tests.comparison.approve import N
from tests.comparison.test_rule import world
from tests.comparison.worlds import one_relevant, reciprocal


def test_nothing_known_because_of_the_weights() -> None:
    """One of twenty queries has all the weight that counts: that is said, not that too few changed."""
    judgments, runs = world([2] * 20, [1] * 18 + [2] * 2)
    weights = {query: 1e9 if i == 0 else 1.0 for i, query in enumerate(judgments)}
    verdict = ir.compare(judgments, runs, ["RR"], weights=weights).verdict
    assert verdict.outcome == "CAN'T TELL"
    assert verdict.reason == "too little is known to say how large the change in RR is"
    assert verdict.summary[1] == "One query has nearly all the weight, too little to say how large the change is."
    assert verdict.settle == "Leave the weights out, or give weights that are closer together"


def test_nothing_known_because_of_the_draws() -> None:
    """100 flips can show no p below 1/101: at 99.9 % they say nothing of 60 queries, and 1,000 would.

    One pair of systems needs no flips.
    """
    judgments, runs = world([2] * N, [1] * 40 + [2] * 20)
    assert ir.compare(judgments, runs, ["RR"], level=0.999, draws=100).verdict.outcome == "SHIP"
    runs |= {"third": runs["control"]}
    verdict = ir.compare(judgments, runs, ["RR"], baseline="control", level=0.999, draws=100).verdict["test"]
    assert verdict.outcome == "CAN'T TELL"
    assert verdict.summary[1] == ("There were too few draws to say with 99.9% confidence how large the change is.")
    assert verdict.settle == "Draw more often (the option draws): 1,000 times or more"
    found = ir.compare(judgments, runs, ["RR"], baseline="control", level=0.999, draws=2000)
    assert found.verdict["test"].outcome == "SHIP"


def test_mostly_unjudged() -> None:
    """Of six results two or three are judged: that is the first thing said, and what to do next."""
    judgments = {query: {"d": 1, "x2": 0} for query in one_relevant(N)}
    ranks = dict.fromkeys(judgments, 2)
    after = ranks | {f"q{i:03}": 1 if i < 8 else 3 for i in range(20)}
    verdict = ir.compare(judgments, {"control": reciprocal(ranks), "test": reciprocal(after)}, ["RR"]).verdict
    words = "never judged ("
    assert verdict.headline == "Too little was judged to tell whether test is better"
    assert words in verdict.summary[0]
    assert verdict.summary[0].endswith("), so these numbers may be far off.")
    assert verdict.sentence.startswith(verdict.unjudged)
    assert re.fullmatch(r"Judge the \d+ unjudged results(, beginning with queries .*)?\.", verdict.steps[0])


def test_what_the_unjudged_results_can_change() -> None:
    """The doubt comes after the result, and says that it can change the verdict only where it can.

    q000 to q039 gain 1/2: "d" goes from rank 2 to rank 1. The unjudged documents below it never come first in "test".
    """
    judgments = {query: {"d": 1, "x1": 0} for query in one_relevant(N)}
    before = {query: {"x1": 3.0, "d": 2.0, "u": 1.0} for query in judgments}
    after = {query: {"d": 3.0, "u": 2.0, "v": 1.0} for query in judgments}
    safe = ir.compare(judgments, {"control": before, "test": after}, ["RR"]).verdict
    assert safe.outcome == "SHIP"
    assert safe.summary[0].startswith("test scores 0.500 higher than control on RR")
    assert safe.summary[-1] == (
        "About half of what these systems returned was never judged (50%), but that cannot change this verdict."
    )
    first = {query: {"u": 3.0, "d": 2.0, "x1": 1.0} for query in judgments}
    other = {query: {"d": 3.0, "v": 2.0, "w": 1.0} for query in judgments}
    open_ = ir.compare(judgments, {"control": first, "test": other}, ["RR"]).verdict
    assert open_.outcome == "SHIP"
    assert open_.summary[-1].endswith("(50%), so these numbers may be far off.")


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.2, ""),
        (0.205, "About a fifth of what these systems returned was never judged (20%)"),
        (0.29, "About a third of what these systems returned was never judged (29%)"),
        (0.24, "About a quarter of what these systems returned was never judged (24%)"),
        (0.21, "About a fifth of what these systems returned was never judged (21%)"),
        (0.33, "About a third of what these systems returned was never judged (33%)"),
        (0.5, "About half of what these systems returned was never judged (50%)"),
        (0.7, "Most of what these systems returned was never judged (70%)"),
        (0.97, "Nearly all of what these systems returned was never judged (97%)"),
    ],
)
def test_how_much_is_unjudged(share: float, words: str) -> None:
    """Above a fifth it is said, in words and as a share."""
    from idealrank.evaluation.summary import mostly_unjudged

    assert mostly_unjudged(share) == words


def test_nothing_measured() -> None:
    """Where no judged document is relevant nothing is measured, and that is said instead of a comparison."""
    judged = {f"q{i}": {"a": 0} for i in range(8)}
    runs = {"old": {q: {"a": 1.0} for q in judged}, "new": {q: {"b": 2.0, "a": 1.0} for q in judged}}
    summary = ir.compare(judged, runs, ["nDCG@3"]).verdict.summary
    assert summary[0].startswith("Nothing was measured: no query has a computed value of nDCG@3")
