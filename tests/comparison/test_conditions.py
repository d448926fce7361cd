"""Conditions are read from text, and compared as their words say."""

from __future__ import annotations

import itertools
import math

import pytest

from idealrank.comparison.conditions import Condition, Held, read_condition
from idealrank.errors import UsageError
from idealrank.statistics.intervals import Interval


def drop(measure: str, amount: float, *, relative: bool = False) -> Condition:
    """Return the condition that a measure does not drop so far."""
    return Condition("drop", measure, ">", -amount, "share" if relative else "baseline")


def level(measure: str, sign: str, number: float) -> Condition:
    """Return the condition that a mean is on one side of a number."""
    return Condition("level", measure, sign, number)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("nDCG@10 drops 0.01", drop("nDCG@10", 0.01)),
        ("  nDCG@10   drops .5 ", drop("nDCG@10", 0.5)),
        ("nDCG(gain=exp2, ideal=local)@10 drops 1e-3", drop("nDCG(gain=exp2, ideal=local)@10", 0.001)),
        ("RR drops 1%", drop("RR", 0.01, relative=True)),
        ("RR drops 2.5 %", drop("RR", 0.025, relative=True)),
        ("RR drops 0", drop("RR", 0.0)),
    ],
)
def test_a_drop_is_read(text: str, condition: Condition) -> None:
    """A drop has a measure, however it is written, and an amount or a percentage."""
    assert read_condition(text, "fail_if") == condition
    assert read_condition(str(condition), "fail_if") == condition


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("nDCG@10>=0.45", level("nDCG@10", ">=", 0.45)),
        ("P(rel=2)@5 > 0", level("P(rel=2)@5", ">", 0.0)),
        ("ARP <= 3", level("ARP", "<=", 3.0)),
        ("Utility<-1.5", level("Utility", "<", -1.5)),
        ("Utility < − 1.5", level("Utility", "<", -1.5)),
    ],
)
def test_a_level_is_read(text: str, condition: Condition) -> None:
    """A level has a measure, a sign and a number."""
    assert read_condition(text, "minimum") == condition
    assert read_condition(str(condition), "minimum") == condition


@pytest.mark.parametrize(
    "text", ["", "nDCG@10", "drops 0.01", "nDCG@10 drops", "nDCG@10 drops -0.01", "nDCG@10 drops 0,01", "RR rises 1"]
)
def test_what_is_no_drop(text: str) -> None:
    """What is not written as a drop is refused with how it is written."""
    with pytest.raises(UsageError, match=r"Write MEASURE drops X, or X% of the baseline's mean"):
        read_condition(text, "fail_if")


@pytest.mark.parametrize("text", ["", "nDCG@10", ">=0.4", "nDCG@10=0.4", "nDCG@10=>0.4", "nDCG@10>=", "RR>=1%"])
def test_what_is_no_level(text: str) -> None:
    """What is not written as a level is refused with how it is written."""
    with pytest.raises(UsageError, match="Write MEASURE>=X, or with >, <= or <"):
        read_condition(text, "minimum")


def test_one_in_the_place_of_the_other() -> None:
    """A level among the drops, and a drop among the levels, is told where it stands, in Python and when typed."""
    with pytest.raises(UsageError, match=r"That is a limit: minimum='RR>=0\.4'") as refused:
        read_condition("RR>=0.4", "fail_if")
    assert "That is a limit: --min 'RR>=0.4'." in refused.value.typed
    with pytest.raises(UsageError, match="That is a drop: fail_if='RR drops 1%'"):
        read_condition("RR drops 1%", "minimum")


def test_more_than_everything() -> None:
    """A drop by more than 100% could never fail, and is refused."""
    assert read_condition("RR drops 100%", "fail_if").bound == -1.0
    with pytest.raises(UsageError, match="nothing drops by more than 100%"):
        read_condition("RR drops 101%", "fail_if")


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("latency_p95 <= +10%", Condition("latency", "latency_p95", "<=", 0.1, "share")),
        (" latency_p99<−5 %", Condition("latency", "latency_p99", "<", -0.05, "share")),
        ("took_p50 <= +20ms", Condition("latency", "took_p50", "<=", 20.0, "baseline")),
        ("latency_p95 <= 0.2 s", Condition("latency", "latency_p95", "<=", 200.0)),
    ],
)
def test_a_limit_of_latency_is_read(text: str, condition: Condition) -> None:
    """A limit has a clock with a quantile, a sign and a number with its unit; a sign before that is a baseline's."""
    assert read_condition(text, "minimum") == read_condition(text, "guardrails") == condition
    assert read_condition(str(condition), "minimum") == condition


def test_a_difference_of_exactly_the_limit_is_the_drop() -> None:
    """`drops 0.1` is a difference of −0.1 or less; rounded sums that miss it by 1e-12 count, by 1e-9 do not."""
    kept = drop("P@10", 0.1).holds
    assert 0.2 - 0.3 > -0.1  # what a computer makes of it
    assert (kept(0.2 - 0.3), kept(-0.1), kept(-0.1 + 1e-9)) == (False, False, True)


def test_any_drop() -> None:
    """`drops 0` is any drop, and no difference at all is none; nor does anything drop from a mean of 0."""
    assert not drop("RR", 0.0).holds(-1e-9)
    assert drop("RR", 0.0).holds(0.0)
    assert drop("RR", 0.01, relative=True).holds(0.0, before=0.0)


def test_a_share_of_the_baseline() -> None:
    """`drops 1%` is one hundredth of the baseline's mean, of its size where it is below 0."""
    percent = drop("RR", 0.01, relative=True)
    assert percent.limit(0.5) == -0.005
    for before in (0.5, -0.5):
        assert not percent.holds(-0.005, before)
        assert percent.holds(-0.0049, before)


@pytest.mark.parametrize(
    ("sign", "below", "at", "above"),
    [(">=", False, True, True), (">", False, False, True), ("<=", True, True, False), ("<", True, False, False)],
)
def test_levels_hold(sign: str, below: bool, at: bool, above: bool) -> None:
    """Each sign means what it does in arithmetic, but for 1e-12; a mean that is missing is on no side."""
    mean = level("P@10", sign, 0.3)
    assert 0.1 + 0.2 > 0.3
    assert (mean.holds(0.29), mean.holds(0.1 + 0.2), mean.holds(0.31)) == (below, at, above)
    assert not mean.holds(math.nan)


@pytest.mark.parametrize(
    ("value", "low", "high", "by_value", "by_loss", "by_limit"),
    [
        (5.0, 1.0, 9.0, "kept", "kept", "kept"),
        (5.0, 1.0, 11.0, "open", "open", "open"),
        (12.0, 11.0, 13.0, "broken", "broken", "broken"),
        (12.0, 1.0, 13.0, "broken", "broken", "open"),
        (12.0, -1.0, 13.0, "broken", "open", "open"),
        (5.0, -math.inf, math.inf, "open", "open", "open"),
        (12.0, -math.inf, math.inf, "broken", "untold", "untold"),
    ],
)
def test_what_an_interval_says(
    value: float, low: float, high: float, by_value: str, by_loss: str, by_limit: str
) -> None:
    """Within with its interval it is kept; beyond it is broken, as far as its interval must say so; both ways round."""
    slower = read_condition("latency_p95 <= +10ms", "minimum")
    found = [slower.state(Held(value, Interval(low, high, 0.95, "given")), sure) for sure in ("value", "loss", "limit")]
    assert found == [by_value, by_loss, by_limit]
    worse = Held(-value, Interval(-high, -low, 0.95, "given"))
    assert [drop("ARP", 10.0).state(worse, sure) for sure in ("value", "loss", "limit")] == found


@pytest.mark.parametrize("text", ["latency_p95 <= +10ms", "latency_p95 < -10ms", "latency_p50 <= 10ms", "RR drops 10"])
def test_a_wider_interval_never_decides_more(text: str) -> None:
    """What a wider interval keeps or breaks, a narrower one about the same value does, too."""
    condition = read_condition(text, "fail_if" if "drops" in text else "minimum")
    widths = (0.0, 5.0, 15.0, 25.0, math.inf)
    for value in (-20.0, -10.0, -1.0, 0.0, 1.0, 10.0, 20.0):
        spans = [Held(value, Interval(value - width, value + width, 0.95, "given")) for width in widths]
        for narrow, wide in itertools.pairwise(spans):
            for sure in ("value", "loss", "limit"):
                assert condition.state(wide, sure) in (condition.state(narrow, sure), "open", "untold")
        for weak, strong in itertools.pairwise(("value", "loss", "limit")):
            assert all(
                condition.state(held, weak) == "broken" for held in spans if condition.state(held, strong) == "broken"
            )


def test_what_is_not_known() -> None:
    """The end at which it comes out otherwise is named: a gate asks whether it passes, a verdict whether it breaks."""
    limit = read_condition("latency_p95 <= +10ms", "minimum")
    ends = {"slowest": Held(20.0, Interval(19.0, 21.0, 0.95, "given")), "fastest": Held(1.0)}
    kept = Held(5.0, Interval(1.0, 9.0, 0.95, "given"))
    assert limit.turned(kept, "loss") is None
    assert limit.turned(kept._replace(extremes=ends), "limit") == ("slowest", ends["slowest"])
    wider = {"slowest": Held(9.0, Interval(1.0, 11.0, 0.95, "given"))}
    assert limit.turned(kept._replace(extremes=wider), "loss") == ("slowest", wider["slowest"])
    assert limit.turned(kept._replace(extremes=wider), "limit") is None


def test_unjudged_in_words() -> None:
    """A share of unjudged results says among how many."""
    assert str(Condition("unjudged", "unjudged@10", "<=", 0.2)) == "unjudged@10<=0.2"
