"""Conditions are read from text, and compared as their words say."""

from __future__ import annotations

import math
from typing import Any

import pytest

import idealrank as ir
from idealrank.errors import UsageError
from idealrank.regression.conditions import Drop, Level, Unjudged, read_drop, read_level


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("nDCG@10 drops 0.01", Drop("nDCG@10", 0.01)),
        ("  nDCG@10   drops .5 ", Drop("nDCG@10", 0.5)),
        ("nDCG(gain=exp2, ideal=local)@10 drops 1e-3", Drop("nDCG(gain=exp2, ideal=local)@10", 0.001)),
        ("RR drops 1%", Drop("RR", 0.01, relative=True)),
        ("RR drops 2.5 %", Drop("RR", 0.025, relative=True)),
        ("RR drops 0", Drop("RR", 0.0)),
    ],
)
def test_a_drop_is_read(text: str, condition: Drop) -> None:
    """A drop has a measure, however it is written, and an amount or a percentage."""
    assert read_drop(text) == condition
    assert read_drop(str(condition)) == condition


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("nDCG@10>=0.45", Level("nDCG@10", ">=", 0.45)),
        ("P(rel=2)@5 > 0", Level("P(rel=2)@5", ">", 0.0)),
        ("ARP <= 3", Level("ARP", "<=", 3.0)),
        ("Utility<-1.5", Level("Utility", "<", -1.5)),
    ],
)
def test_a_level_is_read(text: str, condition: Level) -> None:
    """A level has a measure, a sign and a number."""
    assert read_level(text) == condition
    assert read_level(str(condition)) == condition


@pytest.mark.parametrize(
    "text", ["", "nDCG@10", "drops 0.01", "nDCG@10 drops", "nDCG@10 drops -0.01", "nDCG@10 drops 0,01", "RR rises 1"]
)
def test_what_is_no_drop(text: str) -> None:
    """What is not written as a drop is refused with how it is written."""
    with pytest.raises(UsageError, match=r"Write MEASURE drops X, or X% of the baseline's mean"):
        read_drop(text)


@pytest.mark.parametrize("text", ["", "nDCG@10", ">=0.4", "nDCG@10=0.4", "nDCG@10=>0.4", "nDCG@10>=", "RR>=1%"])
def test_what_is_no_level(text: str) -> None:
    """What is not written as a level is refused with how it is written."""
    with pytest.raises(UsageError, match="Write MEASURE>=X, or with >, <= or <"):
        read_level(text)


def test_one_in_the_place_of_the_other() -> None:
    """A level among the drops, and a drop among the levels, is told where it stands, in Python and when typed."""
    with pytest.raises(UsageError, match=r"That is a limit: minimum='RR>=0\.4'") as refused:
        read_drop("RR>=0.4")
    assert "That is a limit: --min 'RR>=0.4'." in refused.value.typed
    with pytest.raises(UsageError, match="That is a drop: fail_if='RR drops 1%'"):
        read_level("RR drops 1%")


def test_more_than_everything() -> None:
    """A drop by more than 100% could never fail, and is refused."""
    assert read_drop("RR drops 100%").amount == 1.0
    with pytest.raises(UsageError, match="nothing drops by more than 100%"):
        read_drop("RR drops 101%")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"minimum": "RR>=0"}, "RR>=0 can never fail: all values are between 0 and 1."),
        ({"minimum": "RR>-0.5"}, "RR>-0.5 can never fail: all values are between 0 and 1."),
        ({"minimum": "RR<=1"}, "RR<=1 can never fail: all values are between 0 and 1."),
        ({"max_unjudged": 1}, "unjudged@10<=1 can never fail: so all results may be unjudged."),
        ({"fail_if": "RR drops 100%"}, "RR drops 100% fails only if RR falls to 0, the worst there is."),
        ({"fail_if": "RR drops 0.5"}, "RR drops 0.5 fails only if RR falls to 0, the worst there is."),
    ],
)
def test_what_can_never_fail(given: dict[str, Any], said: str) -> None:
    """A condition that every system meets passes with a warning above the outcome."""
    judgments, old, new = {"q": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, {"q": {"x": 3.0, "y": 2.0, "d": 1.0}}
    found = ir.gate(judgments, old, new, **given)
    assert (found.outcome, found.warnings[0]) == ("passed", said)
    assert repr(found).index("can never" if "can never" in said else "falls to") < repr(found).index("gate")
    judgments["q"] |= {"x": 0, "y": 0}
    kept = ir.gate(judgments, old, new, minimum="RR>0", max_unjudged=0.99, fail_if="RR drops 0.49")
    assert (kept.outcome, kept.warnings) == ("passed", ())


def test_a_difference_of_exactly_the_limit_is_the_drop() -> None:
    """`drops 0.1` is a difference of −0.1 or less; rounded sums that miss it by 1e-12 count, by 1e-9 do not."""
    drop = Drop("P@10", 0.1)
    assert 0.2 - 0.3 > -0.1  # what a computer makes of it
    assert drop.reached(0.3, 0.2 - 0.3)
    assert drop.reached(0.3, -0.1)
    assert not drop.reached(0.3, -0.1 + 1e-9)


def test_any_drop() -> None:
    """`drops 0` is any drop, and no difference at all is none; nor does anything drop from a mean of 0."""
    assert Drop("RR", 0.0).reached(0.5, -1e-9)
    assert not Drop("RR", 0.0).reached(0.5, 0.0)
    assert not Drop("RR", 0.01, relative=True).reached(0.0, 0.0)


def test_a_share_of_the_baseline() -> None:
    """`drops 1%` is one hundredth of the baseline's mean, of its size where it is below 0."""
    drop = Drop("RR", 0.01, relative=True)
    assert drop.limit(0.5) == 0.005
    assert drop.reached(0.5, -0.005)
    assert not drop.reached(0.5, -0.0049)
    assert drop.reached(-0.5, -0.005)
    assert not drop.reached(-0.5, -0.004)


@pytest.mark.parametrize(
    ("sign", "below", "at", "above"),
    [(">=", False, True, True), (">", False, False, True), ("<=", True, True, False), ("<", True, False, False)],
)
def test_levels_hold(sign: str, below: bool, at: bool, above: bool) -> None:
    """Each sign means what it does in arithmetic, but for 1e-12; a mean that is missing is on no side."""
    level = Level("P@10", sign, 0.3)
    assert 0.1 + 0.2 > 0.3
    assert (level.holds(0.29), level.holds(0.1 + 0.2), level.holds(0.31)) == (below, at, above)
    assert not level.holds(math.nan)


def test_unjudged_in_words() -> None:
    """A share of unjudged results says among how many."""
    assert (str(Unjudged(0.2, 10)), str(Unjudged(0.25, None))) == ("unjudged@10<=0.2", "unjudged<=0.25")
