"""The rule and the verdict: every way to SHIP, DON'T, ABOUT THE SAME and CAN'T TELL."""

from __future__ import annotations

import math
import random

import pytest

import idealrank as ir
from idealrank.comparison.verdict.rule import Rule
from idealrank.statistics.corrections import CORRECTIONS
from idealrank.statistics.intervals import Interval
from idealrank.statistics.paired_tests import TESTS
from tests.amounts import costly, tried
from tests.calibration.verdicts import advised
from tests.comparison.worlds import one_relevant, reciprocal

CASES = [
    ({}, [(0.01, 0.02)], "SHIP"),
    ({}, [(0.0, 0.02)], "CAN'T TELL"),
    ({}, [(-0.02, -0.01)], "DON'T"),
    ({}, [(-0.02, 0.0)], "CAN'T TELL"),
    ({"margin": 0.015}, [(0.01, 0.02)], "CAN'T TELL"),
    ({"margin": 0.03}, [(0.01, 0.02)], "DON'T"),
    ({"margin": 0.005}, [(0.01, 0.02)], "SHIP"),
    ({"margin": 0.03, "kind": "not_worse"}, [(-0.02, 0.01)], "SHIP"),
    ({"margin": 0.03, "kind": "not_worse"}, [(-0.04, 0.01)], "CAN'T TELL"),
    ({"margin": 0.03, "kind": "not_worse"}, [(-0.05, -0.04)], "DON'T"),
    ({}, [(0.01, 0.02), (-0.3, -0.1)], "DON'T"),
    ({"tolerance": 0.1}, [(0.01, 0.02), (-0.3, -0.1)], "SHIP"),
    ({"tolerance": {"m1": 0.2}}, [(0.01, 0.02), (-0.3, -0.1)], "SHIP"),
    ({"tolerance": {"m1": 0.05}}, [(0.01, 0.02), (-0.3, -0.1)], "DON'T"),
    ({}, [(-0.01, 0.02), (-0.3, -0.1)], "CAN'T TELL"),
    ({}, [(-0.02, -0.01), (-0.3, -0.1)], "DON'T"),
    ({"equivalence": 0.02}, [(-0.01, 0.02)], "ABOUT THE SAME"),
    ({"equivalence": 0.02}, [(-0.02, 0.01)], "ABOUT THE SAME"),
    ({"equivalence": 0.02}, [(-0.01, 0.021)], "CAN'T TELL"),
    ({"equivalence": 0.02}, [(-0.021, 0.01)], "CAN'T TELL"),
    ({"equivalence": 0.02}, [(0.001, 0.02)], "SHIP"),
    ({"equivalence": 0.02}, [(-0.02, -0.001)], "DON'T"),
    ({"equivalence": 0.02, "margin": 0.01}, [(0.001, 0.02)], "ABOUT THE SAME"),
    ({"equivalence": 0.02}, [(-0.01, 0.02), (-0.3, -0.1)], "CAN'T TELL"),
    ({"equivalence": 0.02}, [(-0.01, 0.02), (-0.3, 0.1)], "ABOUT THE SAME"),
    ({}, [(-math.inf, math.inf)], "CAN'T TELL"),
    ({}, [(-math.inf, math.inf), (-0.3, -0.1)], "CAN'T TELL"),
    ({}, [(0.01, 0.02), (-math.inf, math.inf)], "SHIP"),
    ({}, [(0.01, 0.02), (-0.3, 0.1)], "SHIP"),
]


@pytest.mark.parametrize(("rule", "spans", "outcome"), CASES)
def test_outcomes(rule: dict, spans: list[tuple[float, float]], outcome: str) -> None:
    """The outcome follows from where the intervals of the gains lie."""
    gains = [Interval(low, high, 0.95, "") for low, high in spans]
    assert Rule(**rule).outcome(gains, [f"m{i}" for i in range(len(gains))])[0] == outcome


def world(before: list[int], after: list[int]) -> tuple[dict, dict]:
    """Return judgments and two systems, by the rank of the relevant document in each query."""
    judgments = one_relevant(len(before))
    sides = (dict(zip(judgments, ranks, strict=True)) for ranks in (before, after))
    return judgments, dict(zip(("control", "test"), map(reciprocal, sides), strict=True))


def test_ship_and_dont() -> None:
    """What gains in nearly every query ships, and its mirror does not."""
    judgments, runs = world([2] * 20, [1] * 18 + [2] * 2)
    assert ir.compare(judgments, runs, ["RR"]).verdict.outcome == "SHIP"
    assert ir.compare(judgments, runs, ["RR"], baseline="test").verdict.outcome == "DON'T"


def test_no_difference() -> None:
    """Identical systems are ABOUT THE SAME under every rule, with p = 1 and a reason that says so."""
    judgments, runs = world([2] * 20, [2] * 20)
    found = ir.compare(judgments, runs, ["RR", "P@5"], rule="not_worse", margin=0.1)
    assert found.verdict.outcome == "ABOUT THE SAME"
    assert "no difference" in found.verdict.reason
    assert found["RR"].p == found["RR"].test.p == 1
    for test in TESTS:
        assert ir.compare(judgments, runs, ["RR"], test=test)["RR"].test.p == 1


def test_constant_difference() -> None:
    """A difference that is the same in every query has an interval without width, by every method."""
    judgments, runs = world([2] * 20, [1] * 20)
    for correction in ("max_t", "holm", "bh", "none"):
        found = ir.compare(judgments, runs, ["RR"], correction=correction)
        assert found.verdict.outcome == "SHIP"
        assert found["RR"].corrected.low == found["RR"].corrected.high == 0.5


def test_lower_is_better() -> None:
    """Under a measure where less is better, what lowers it ships."""
    judgments, runs = world([3] * 20, [1] * 18 + [3] * 2)
    found = ir.compare(judgments, runs, ["ARP"])
    assert found["ARP"].difference < 0
    assert found.verdict.outcome == "SHIP"
    assert found.wins(1)["difference"][0] < 0


def test_can_tell_with_more_queries() -> None:
    """CAN'T TELL says how many queries more would settle it if the gain is the one seen; with so many it is settled."""
    before, after = [1, 2, 1, 2, 3] * 3, [1, 1, 2, 1, 2] * 3
    found = ir.compare(*world(before, after), ["RR"])
    assert found.verdict.outcome == "CAN'T TELL"
    more = advised(found)["seen"]
    times = -(-(more + len(before)) // len(before))
    again = ir.compare(*world(before * times, after * times), ["RR"])
    assert again.verdict.outcome == "SHIP"


def test_rule_is_printed() -> None:
    """The rule stands beside the verdict, with margin, level and guardrails."""
    judgments, runs = world([2] * 20, [1] * 20)
    found = ir.compare(judgments, runs, ["RR", "P@5"], margin=0.02, tolerance=0.1, level=0.9)
    for text in ("more than 0.02", "90%", "P@5 below −0.1"):
        assert text in found.verdict.rule
        assert text in repr(found)


def test_several_verdicts_are_named() -> None:
    """With several systems a verdict is asked for by name."""
    judgments, runs = world([2] * 20, [1] * 20)
    found = ir.compare(judgments, {**runs, "other": runs["control"]}, ["RR"], baseline="control")
    assert found.verdict["test"].outcome == "SHIP"
    with pytest.raises(ir.UsageError, match="2 verdicts"):
        _ = found.verdict.outcome
    with pytest.raises(ir.UsageError, match="Did you mean"):
        _ = found.verdict["tset"]


def test_null_rarely_decides() -> None:
    """Where two systems could have been exchanged, at most 5 % of verdicts decide, plus three Monte Carlo errors."""
    rng, worlds, decided = random.Random(1), tried(160), 0
    for _ in range(worlds):
        ranks = [[rng.choice((1, 1, 2, 3, 7)) for _ in range(30)] for _ in range(2)]
        decided += ir.compare(*world(*ranks), ["RR"], draws=1000).verdict.outcome != "CAN'T TELL"
    assert decided / worlds <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / worlds)


@pytest.mark.heavy
def test_a_family_rarely_decides() -> None:
    """Of ten systems against one they could be exchanged with, some verdict decides in 5 % of worlds at most."""
    rng, worlds, decided = random.Random(2), costly(200, 40), 0
    for _ in range(worlds):
        judgments = one_relevant(25)
        runs = {f"s{s}": reciprocal({q: rng.choice((1, 1, 2, 3, 7)) for q in judgments}) for s in range(11)}
        found = ir.compare(judgments, runs, ["RR"], baseline="s0", draws=500)
        decided += any(verdict.outcome != "CAN'T TELL" for verdict in found.verdict.values())
    assert decided / worlds <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / worlds)


@pytest.mark.parametrize(
    ("test", "correction"), [*((test, "holm") for test in TESTS), *(("t", each) for each in CORRECTIONS)]
)
def test_every_method_goes_everywhere(test: str, correction: str) -> None:
    """Every test under every correction is computed, printed and written for papers."""
    judgments, runs = world([2, 1, 3, 2, 1, 2, 3] * 2, [1, 1, 2, 2, 1, 1, 3] * 2)
    found = ir.compare(judgments, runs, ["RR"], test=test, correction=correction, draws=200)
    assert 0 < found["RR"].p <= 1
    assert all(text for text in (repr(found), found.to_latex(), found.to_junit(), found.to_markdown()))


def test_a_margin_no_difference_reaches_is_refused() -> None:
    """5 where 5 % is meant is refused: no difference of RR is so large."""
    judgments, runs = world([2] * 6, [1] * 6)
    for options in ({"margin": 5}, {"tolerance": {"P@5": 5}}):
        with pytest.raises(ir.UsageError, match="no difference is so large"):
            ir.compare(judgments, runs, ["RR", "P@5"], **options)


def test_rule_and_methods_of_an_earlier_comparison_are_given_again() -> None:
    """Values say what keywords say; a keyword beside the value that has it, or two levels, are refused."""
    judged = one_relevant(12)
    runs = {
        name: reciprocal({q: rank + i % 2 for i, q in enumerate(judged)}) for name, rank in (("old", 2), ("new", 1))
    }
    said = {"margin": 0.1, "rule": "not_worse", "tolerance": 0.2, "holes": "worst_case", "test": "sign", "looks": 3}
    first = ir.compare(judged, runs, ["RR", "AP"], seed=7, **said)  # type: ignore[arg-type]  # of several types
    again = ir.compare(judged, runs, ["RR", "AP"], rule=first.rule, methods=first.methods)
    assert again.to_dict() == first.to_dict()
    assert ir.compare(judged, runs, ["RR"], methods=ir.Methods(level=0.9)).rule.level == 0.9
    refused: list[tuple[dict[str, object], str]] = [
        ({"rule": first.rule, "margin": 0.2}, r"margin=… beside rule=Rule\(…\)"),
        ({"methods": first.methods, "seed": 1, "draws": 200}, r"draws=…, seed=… beside methods=Methods\(…\)"),
        ({"methods": first.methods, "level": 0.9}, r"level=0.9 beside Methods"),
        ({"methods": ir.Methods(level=0.9), "rule": ir.Rule()}, "one confidence"),
        ({"methods": "t"}, "methods='t' is not a value of Methods"),
    ]
    for keywords, text in refused:
        with pytest.raises(ir.UsageError, match=text):
            ir.compare(judged, runs, ["RR"], **keywords)  # type: ignore[arg-type]  # one is wrong in each
