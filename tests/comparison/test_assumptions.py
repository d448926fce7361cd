"""What a verdict assumes: skewed gains, few queries without a loss, looks, equivalence, and where intervals end."""

from __future__ import annotations

import math
from typing import Any

import pytest
import scipy.stats

import idealrank as ir
from idealrank.statistics.betting import lowest_mean
from idealrank.statistics.sample import sampled
from tests.comparison.test_rule import world


def test_skewness_is_that_of_gains() -> None:
    """50 queries gain 1/6, ten lose 1/12: SciPy's skewness, turned where less is better; it is no doubt."""
    judgments, runs = world([3] * 60, [2] * 50 + [4] * 10)
    found = ir.compare(judgments, runs, ["RR", "ARP"])
    assert found["RR"].skewness == pytest.approx(scipy.stats.skew([1 / 6] * 50 + [-1 / 12] * 10))
    assert found["ARP"].skewness == pytest.approx(scipy.stats.skew([1] * 50 + [-1] * 10))
    assert found.verdict.outcome == "SHIP"


def test_doubt_of_skewed_gains_is_halls() -> None:
    """Where Student's interval begins above the margin and Hall's t is below its bound, nobody can tell."""
    judgments, runs = world([6] * 54 + [1] * 6, [4] * 54 + [2] * 2 + [1] * 4)
    found = ir.compare(judgments, runs, ["RR"], margin=0.02)
    gains = [1 / 4 - 1 / 6] * 54 + [-0.5] * 2 + [0.0] * 4
    n, skew = len(gains), float(scipy.stats.skew(gains))
    t = (sum(gains) / n - 0.02) / scipy.stats.sem(gains)
    z = t / math.sqrt(n)
    hall = math.sqrt(n) * (z + skew * z**2 / 3 + skew**2 * z**3 / 27 + skew / (6 * n))
    assert hall < found["RR"].wide < t
    assert found["RR"].gain.low > 0.02
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.reason.endswith(
        "but a few queries lose much more than the others gain, and corrected for that it may not clear the margin"
    )


def test_doubt_of_skewed_losses_is_halls() -> None:
    """Where most lose a little and few gain much, a DON'T is doubted as the SHIP of the same numbers is."""
    judgments, runs = world([4] * 54 + [2] * 4 + [1] * 2, [6] * 54 + [1] * 4 + [1] * 2)
    found = ir.compare(judgments, runs, ["RR"], correction="none")
    gains = [1 / 6 - 1 / 4] * 54 + [0.5] * 4 + [0.0] * 2
    n, skew, t = len(gains), float(scipy.stats.skew(gains)), sum(gains) / len(gains) / scipy.stats.sem(gains)
    z = t / math.sqrt(n)
    hall = math.sqrt(n) * (z + skew * z**2 / 3 + skew**2 * z**3 / 27 + skew / (6 * n))
    assert t < -found["RR"].wide < hall
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.reason.endswith(
        "but a few queries gain much more than the others lose, and corrected for that it may be no loss"
    )
    assert found.verdict.settle == "Judge about 60 more queries like these, and look at those that gain most"


@pytest.mark.parametrize(("queries", "outcome"), [(12, "CAN'T TELL"), (49, "CAN'T TELL"), (50, "DON'T")])
def test_few_queries_without_a_gain(queries: int, outcome: str) -> None:
    """All lose 1/56 or a little more, none gains: two that gained 1 would undo that, which only 50 rule out."""
    judgments, runs = world([7] * (queries - 4) + [6] * 4, [8] * queries)
    verdict = ir.compare(judgments, runs, ["RR"]).verdict
    assert verdict.outcome == outcome
    assert ("two that gained everything would undo so small a loss" in verdict.reason) == (outcome == "CAN'T TELL")


def weighted(before: list[int], after: list[int], light: int, **options: Any) -> ir.Comparison:
    """Compare by RR and plain Student's t, the last queries with next to no weight."""
    judgments, runs = world(before, after)
    weights = [1.0] * (len(before) - light) + [1e-9] * light
    options = {"correction": "none", "weights": dict(zip(judgments, weights, strict=True)), **options}
    return ir.compare(judgments, runs, ["RR"], **options)


def test_queries_of_no_weight_say_nothing() -> None:
    """Kish: sixty queries of which thirty have a billionth of the weight are thirty, and doubted like thirty."""
    found = weighted([8] * 60, [7] * 26 + [6] * 4 + [7] * 30, 30)
    alone = weighted([8] * 30, [7] * 26 + [6] * 4, 0)
    assert found["RR"].effective == pytest.approx(30)
    assert found["RR"].skewness == pytest.approx(alone["RR"].skewness, abs=1e-6)
    assert (found["RR"].wide, found["RR"].alpha) == pytest.approx((scipy.stats.t.ppf(0.975, 29), 0.05))
    assert found.verdict.outcome == alone.verdict.outcome == "CAN'T TELL"
    assert found.verdict.reason.endswith(
        "two that lost everything would undo so small a gain, and 60 queries, which by their weights count as 30, are "
        "too few to rule those out"
    )


def test_skewed_gains_are_doubted_beside_queries_of_no_weight() -> None:
    """Sixty queries that Hall's t doubts are doubted as well with sixty more that have next to no weight."""
    before, after = [6] * 54 + [1] * 6, [4] * 54 + [2] * 2 + [1] * 4
    for light in (0, 60):
        found = weighted(before + [6] * light, after + [4] * light, light, margin=0.02)
        assert found["RR"].skewness == pytest.approx(scipy.stats.skew([1 / 12] * 54 + [-0.5] * 2 + [0.0] * 4))
        assert "corrected for that it may not clear the margin" in found.verdict.reason


def test_same_takes_a_hundred_queries_by_weight() -> None:
    """120 queries of which 60 have next to no weight are sixty, and too few to be about the same."""
    found = weighted([8] * 120, [9, 7] * 60, 60, equivalence=0.02)
    assert found["RR"].effective == pytest.approx(60)
    assert "120 queries, which by their weights count as 60, are too few to rule out" in found.verdict.reason
    assert found.verdict.settle.startswith("Judge about 80 more")


def test_what_was_not_seen_is_said_beside_a_ship() -> None:
    """Sixty queries gain about 1/56 and none loses: SHIP, resting on that, and betting's interval includes 0."""
    found = ir.compare(*world([8] * 60, [7] * 56 + [6] * 4), ["RR"])
    sample = sampled([1 / 7 - 1 / 8] * 56 + [1 / 6 - 1 / 8] * 4)
    low = lowest_mean(sample.values, sample.weights, -1.0, 0.025)
    assert found.verdict.outcome == "SHIP"
    assert low < 0
    assert found.verdict.assumption.startswith("This rests on 60 queries having shown how much a query can lose; ")
    assert f"interval is −{-low:.2f} to " in found.verdict.assumption
    assert found.verdict.assumption.endswith("which includes 0")


@pytest.mark.parametrize(("queries", "outcome"), [(12, "CAN'T TELL"), (49, "CAN'T TELL"), (50, "SHIP")])
def test_few_queries_without_a_loss(queries: int, outcome: str) -> None:
    """All gain 1/56 or a little more, none loses: two that lost 1 would undo that, which only 50 rule out."""
    judgments, runs = world([8] * queries, [7] * (queries - 4) + [6] * 4)
    verdict = ir.compare(judgments, runs, ["RR"]).verdict
    assert verdict.outcome == outcome
    assert ("two that lost everything would undo so small a gain" in verdict.reason) == (outcome == "CAN'T TELL")


def test_a_large_gain_of_few_queries_is_believed() -> None:
    """Twelve queries gain 1/2: two that lost 1 would leave a gain. What it rests on is said, with betting's ends."""
    judgments, runs = world([2] * 12, [1] * 11 + [2])
    found = ir.compare(judgments, runs, ["RR"])
    assert found.verdict.outcome == "SHIP"
    sample = sampled([0.5] * 11 + [0.0])
    low = lowest_mean(sample.values, sample.weights, -1.0, 0.025)
    high = -lowest_mean(-sample.values, sample.weights, -1.0, 0.025)
    assert found["RR"].unassuming is not None
    assert (found["RR"].unassuming.low, found["RR"].unassuming.high) == pytest.approx((low, high), abs=1e-9)
    assert found.verdict.assumption == (
        "This rests on 12 queries having shown how much a query can lose; without that assumption the 95% interval is "
        f"−{-low:.2f} to +{high:.2f}, which includes 0"
    )


def test_betting_is_corrected_for_the_systems() -> None:
    """Of three systems against one, betting's ends have a third of the error rate each; uncorrected the whole."""
    judgments, runs = world([2] * 12, [1] * 11 + [2])
    many = {"control": runs["control"], **{f"s{i}": runs["test"] for i in range(3)}}
    sample = sampled([0.5] * 11 + [0.0])
    for correction, tests in (("max_t", 3), ("holm", 3), ("none", 1)):
        found = ir.compare(judgments, many, ["RR"], baseline="control", correction=correction, draws=200)
        free = found["RR", "s1"].unassuming
        assert free is not None
        assert free.low == pytest.approx(lowest_mean(sample.values, sample.weights, -1.0, 0.025 / tests), abs=1e-9)
        assert free.level == 0.95


def test_many_queries_without_a_tail_need_no_assumption() -> None:
    """Sixty queries that gain, or do not, rest on nothing that is worth a word."""
    assert ir.compare(*world([2] * 60, [1] * 40 + [2] * 20), ["RR"]).verdict.assumption == ""


def test_looks_share_the_error_rate() -> None:
    """Each of two planned looks has the level 97.5 %: the interval is Student's at that level."""
    judgments, runs = world([2] * 60, [1] * 40 + [2] * 20)
    found = ir.compare(judgments, runs, ["RR"], looks=2, correction="none")
    span = scipy.stats.ttest_1samp([0.5] * 40 + [0.0] * 20, 0).confidence_interval(0.975)
    assert (found["RR"].corrected.low, found["RR"].corrected.high) == pytest.approx((span.low, span.high))
    assert "97.5% (one of 2 planned looks)" in found.methods.text
    assert "97.5% confidence" in found.verdict.summary[1]
    with pytest.raises(ir.UsageError, match="looks"):
        ir.compare(judgments, runs, ["RR"], looks=0)


def test_equivalence_is_a_fiftieth_of_the_range() -> None:
    """Of RR 0.02 counts as the same, but no more than a twentieth of the best mean or the margin; of ARP nothing."""
    judgments, runs = world([8] * 120, [9] * 60 + [7] * 60)
    found = ir.compare(judgments, runs, ["RR"])
    assert found.verdict.outcome == "ABOUT THE SAME"
    assert found.rule.equivalence == pytest.approx((1 / 9 + 1 / 7) / 2 / 20)
    assert ir.compare(judgments, runs, ["RR"], margin=0.001).rule.equivalence == 0.001
    assert ir.compare(*world([2] * 60, [2] * 59 + [1]), ["RR"]).rule.equivalence == 0.02
    assert ir.compare(judgments, runs, ["RR"], equivalence=0.001).verdict.outcome == "CAN'T TELL"
    assert ir.compare(judgments, runs, ["ARP"]).rule.equivalence == 0
    assert ir.compare(judgments, runs, ["ARP"]).verdict.outcome == "CAN'T TELL"
    with pytest.raises(ir.UsageError, match="from 0 up"):
        ir.compare(judgments, runs, ["RR"], equivalence=-0.1)


def test_nine_queries_that_changed_are_not_about_the_same() -> None:
    """A small difference of nine queries says too little of the others; of ten it is about the same."""
    for changed, outcome in ((9, "CAN'T TELL"), (10, "ABOUT THE SAME")):
        after = ([7, 9] * 5)[:changed] + [8] * (120 - changed)
        verdict = ir.compare(*world([8] * 120, after), ["RR"]).verdict
        assert verdict.outcome == outcome
        assert ("but only 9 queries changed" in verdict.reason) == (changed == 9)


@pytest.mark.parametrize(("queries", "changed", "more"), [(120, 9, 14), (400, 4, 600), (60, 30, 40)])
def test_so_many_that_ten_of_a_hundred_change(queries: int, changed: int, more: int) -> None:
    """Nine of 120 changed, so of 134 ten would: whoever judges 14 more gets the answer. At least 100 are needed."""
    verdict = ir.compare(*world([10] * queries, ([9, 11] * queries)[:changed] + [10] * (queries - changed)), ["RR"])
    assert verdict.verdict.outcome == "CAN'T TELL"
    assert verdict.verdict.settle == (
        f"Judge about {more} more queries like these: to call systems about the same takes 100 queries, of which 10 "
        "change"
    )
    every, then = queries + more, math.ceil(changed * (queries + more) / queries)
    after = ir.compare(*world([10] * every, ([9, 11] * every)[:then] + [10] * (every - then)), ["RR"])
    assert after.verdict.outcome == "ABOUT THE SAME"


def test_intervals_end_where_differences_do() -> None:
    """Of ten queries that lose 1 or nothing the interval is cut at -1; of two it would be all, and is infinite."""
    judgments = {f"q{i}": {"d": 1, "x": 0} for i in range(10)}
    good, bad = {"d": 2.0, "x": 1.0}, {"x": 1.0}
    runs = {"a": dict.fromkeys(judgments, good), "b": {q: bad if i else good for i, q in enumerate(judgments)}}
    found = ir.compare(judgments, runs, ["RR"], correction="none")["RR"]
    span = scipy.stats.ttest_1samp([0.0] + [-1.0] * 9, 0).confidence_interval(0.95)
    assert span.low < -1
    assert (found.interval.low, found.interval.high) == pytest.approx((-1.0, span.high))
    two = ir.compare(judgments, runs, ["RR"], only=["q0", "q1"], correction="none")["RR"]
    assert (two.interval.low, two.interval.high) == (-math.inf, math.inf)


@pytest.mark.parametrize(("systems", "correction"), [(2, "max_t"), (3, "tukey")])
def test_betting_that_would_decide_nothing_is_refused(systems: int, correction: str) -> None:
    """Max t and Tukey's intervals are their own: whoever asks for betting is told what to add, which then works."""
    judgments, runs = world([2] * 60, [1] * 55 + [2] * 5)
    runs |= {"third": runs["control"]} if systems == 3 else {}
    with pytest.raises(ir.UsageError, match=f"the correction {correction} makes intervals of its own.*holm"):
        ir.compare(judgments, runs, ["RR"], interval="betting", correction=correction)
    found = ir.compare(judgments, runs, ["RR"], interval="betting", correction="holm")
    assert all("betting" in contrast.corrected.method for contrast in found.contrasts.values())


def test_betting_as_the_interval() -> None:
    """With interval=betting a gain that few queries show is SHIP only where betting's interval is above 0."""
    few, many = world([2] * 12, [1] * 11 + [2]), world([2] * 60, [1] * 55 + [2] * 5)
    for (judgments, runs), outcome in ((few, "CAN'T TELL"), (many, "SHIP")):
        found = ir.compare(judgments, runs, ["RR"], interval="betting", correction="none")
        assert found.verdict.outcome == outcome
        assert found["RR"].corrected.low == found["RR"].unassuming.low  # type: ignore[union-attr]
