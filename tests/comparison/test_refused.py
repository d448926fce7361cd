"""What is not compared: each refusal says what is wrong."""

from __future__ import annotations

import math
from typing import Any

import pytest

import idealrank as ir
from tests.comparison.worlds import one_relevant, random_world, reciprocal

REFUSED = [
    ({}, {"a": {"q000": {"d": 1.0}}}, "two systems"),
    ({"baseline": "c"}, None, "No system called 'c'"),
    ({"margin": -0.1}, None, "from 0 up"),
    ({"margin": math.nan}, None, "from 0 up"),
    ({"tolerance": {"P@3": 0.1}}, None, "No guardrail with a tolerance called 'P@3'"),
    ({"rule": "best"}, None, "better, not_worse"),
    ({"test": "u"}, None, "randomisation"),
    ({"correction": "bonferroni"}, None, "holm"),
    ({"level": 95}, None, "between 0 and 1"),
    ({"seed": -1}, None, "from 0 up"),
    ({"baselin": "a"}, None, "baseline"),
    ({"measures": ["NumRet"]}, None, "sum"),
    ({"measures": ["AP"], "average": "geometric"}, None, "average=geometric"),
    ({"segments": "length"}, None, "length"),
    ({}, {"a": {"q000": {"d": 1.0}}, "b": {"q001": {"d": 1.0}}}, "no common judged query"),
]


@pytest.mark.parametrize(("options", "runs", "said"), REFUSED)
def test_refused(options: dict, runs: dict | None, said: str) -> None:
    """What cannot be compared is refused with what is wrong."""
    judgments = one_relevant(3)
    both = runs or {name: reciprocal(dict.fromkeys(judgments, 1)) for name in ("a", "b")}
    with pytest.raises(ir.IdealrankError, match=said):
        ir.compare(judgments, both, **{"measures": ["RR"], **options})


def test_other_decisions_are_refused() -> None:
    """Scores made under two sets of decisions are no pair."""
    judgments, runs = random_world(10)
    table = ir.read_judgments(judgments)
    one = ir.evaluate(table, runs["s0"], ["nDCG@5"])
    two = ir.evaluate(table, runs["s1"], ["nDCG@5"], gain="exp2")
    with pytest.raises(ir.UsageError, match=r"not measured alike: nDCG@5 has gain=exp2 in s1, not linear\. Evaluate"):
        ir.compare({"s0": one, "s1": two})
    three = ir.evaluate(table, runs["s1"], ["nDCG@5", "RR"])
    with pytest.raises(ir.UsageError, match=r"different measures: RR is only in s1\. Evaluate"):
        ir.compare({"s0": one, "s1": three})
    other = ir.evaluate({**judgments, "new": {"d1": 1}}, runs["s1"], ["nDCG@5"])
    with pytest.raises(ir.UsageError, match=r"different judgments, of 1 query \('new'\)"):
        ir.compare({"s0": one, "s1": other})


def test_other_documents_with_the_same_grades_are_other_judgments() -> None:
    """One list under both is equally good: a verdict would be about the labels."""
    results = {f"q{n}": {"a": 2.0, "b": 1.0} for n in range(8)}
    first, then = {query: {"a": 1, "b": 0} for query in results}, {query: {"b": 1, "a": 0} for query in results}
    before, after = (ir.evaluate(judgments, results, ["RR"]) for judgments in (first, then))
    with pytest.raises(ir.UsageError, match="different judgments, of 8 queries"):
        ir.compare({"before": before, "after": after})


def test_finished_scores_are_named_and_stand_alone() -> None:
    """In a list, beside judgments, or beside results that are not evaluated, the message shows the form to use."""
    judgments, runs = random_world(10)
    one, two = (ir.evaluate(judgments, runs[name], ["RR"]) for name in ("s0", "s1"))
    mixed: list[tuple[Any, ...]] = [
        ([one, two],), (one, two), ({"a": one, "b": runs["s1"]},), (judgments, {"a": one, "b": runs["s1"]})
    ]  # fmt: skip
    for given in mixed:
        with pytest.raises(ir.UsageError, match=r"by name and without judgments: \{'old'"):
            ir.compare(*given)


def test_the_same_measures_in_another_order_are_the_same() -> None:
    """The first of the first scores decides."""
    judgments, runs = random_world(10)
    one = ir.evaluate(judgments, runs["s0"], ["RR", "nDCG@5"])
    two = ir.evaluate(judgments, runs["s1"], ["nDCG@5", "RR"])
    both = ir.compare(judgments, {"s0": runs["s0"], "s1": runs["s1"]}, ["RR", "nDCG@5"])
    found = ir.compare({"s0": one, "s1": two})
    assert [each.name for each in found.scores.measures] == ["RR", "nDCG@5"]
    assert (found.verdict.outcome, found["RR"].corrected) == (both.verdict.outcome, both["RR"].corrected)


def test_counts_do_not_decide() -> None:
    """What is neither good nor bad is refused as the measure that decides, and shown beside it."""
    judgments, runs = random_world(14, holes=0.3)
    with pytest.raises(ir.UsageError, match="neither good nor bad"):
        ir.compare(judgments, runs, ["Judged@3"])
    assert ir.compare(judgments, runs, ["RR", "Judged@3"])["Judged@3"].queries == 40


def test_nothing_returned_is_not_the_best_arp() -> None:
    """ARP is better where it is lower: queries without results would count as its best, and are refused by name."""
    judged = {f"q{i}": {"d": 1, "x": 0} for i in range(8)}
    full = {query: {"x": 2.0, "d": 1.0} for query in judged}
    with pytest.raises(ir.UsageError) as refused:
        ir.compare(judged, {"full": full, "empty": {"q0": full["q0"]}}, ["nDCG@5", "ARP"])
    assert "ARP is better where it is lower, and 7 queries with nothing to measure" in str(refused.value)
    assert "no_results=0" in str(refused.value)
    assert "no_results=skip" in str(refused.value)
    found = ir.compare(judged, {"full": full, "half": {f"q{i}": full["q0"] for i in range(4)}}, ["ARP"],
                       no_results="skip")  # fmt: skip
    assert found["ARP"].queries == 4


@pytest.mark.parametrize(
    ("call", "given", "named"),
    [
        (ir.compare, {"results": {}, "gain": "exp2"}, "results, gain"),
        (ir.leaderboard, {"measures": "RR"}, "measures"),
        (ir.rank_correlation, {"raters": {"a": ["ann"]}}, "raters"),
        (ir.gate, {"baseline": {}, "failed": "0", "fail_if": "RR drops 0.1"}, "baseline, failed"),
    ],
)
def test_finished_scores_are_complete(call: Any, given: dict[str, Any], named: str) -> None:
    """What finished scores have already cannot be given beside them, and is named."""
    judgments, runs = random_world(11)
    with pytest.raises(ir.UsageError, match=rf"decisions already\. Leave out {named}\."):
        call(ir.evaluate(judgments, runs, ["RR", "AP"]), **given)
