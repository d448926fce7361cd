"""What a verdict assumes: skewed gains, few queries without a loss, looks, equivalence, and where intervals end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

import idealrank as ir
from idealrank.statistics import intervals
from idealrank.statistics.intervals import betting_ends, lowest_mean
from idealrank.statistics.sample import make_sample as sampled
from tests.calibration.distributions import SHAPES
from tests.calibration.verdicts import outcome as outcome_of
from tests.comparison.test_rule import world


def test_skewness_is_that_of_gains() -> None:
    """50 queries gain 1/6, ten lose 1/12: SciPy's skewness, turned where less is better; it is no doubt."""
    judgments, runs = world([3] * 60, [2] * 50 + [4] * 10)
    found = ir.compare(judgments, runs, ["RR", "ARP"])
    assert found["RR"].skewness == pytest.approx(scipy.stats.skew([1 / 6] * 50 + [-1 / 12] * 10))
    assert found["ARP"].skewness == pytest.approx(scipy.stats.skew([1] * 50 + [-1] * 10))
    assert found.verdict.outcome == "SHIP"


def skewed_low(gains: list[float], mean: float, critical: float) -> float:
    """Return the lower end of the ABC interval (DiCiccio and Efron 1996) of SciPy's moments."""
    a = float(scipy.stats.skew(gains)) / (6 * math.sqrt(len(gains)))
    w = a - critical
    return mean + float(scipy.stats.sem(gains)) * w / (1 - a * w) ** 2


def test_doubt_of_skewed_gains_is_abc() -> None:
    """Where Student's interval begins above the margin and the ABC interval below it, nobody can tell."""
    judgments, runs = world([6] * 54 + [1] * 6, [4] * 54 + [2] * 2 + [1] * 4)
    found = ir.compare(judgments, runs, ["RR"], margin=0.02)
    gains = [1 / 4 - 1 / 6] * 54 + [-0.5] * 2 + [0.0] * 4
    assert skewed_low(gains, sum(gains) / 60, scipy.stats.t.ppf(0.975, 59)) < 0.02
    assert found["RR"].gain.low > 0.02
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.reason.endswith(
        "but a few queries lose much more than the others gain, and corrected for that it may not clear the margin"
    )


def test_doubt_of_skewed_losses_is_abc() -> None:
    """Where most lose a little and few gain much, a DON'T is doubted as the SHIP of the same numbers is."""
    judgments, runs = world([4] * 54 + [2] * 4 + [1] * 2, [6] * 54 + [1] * 4 + [1] * 2)
    found = ir.compare(judgments, runs, ["RR"], correction="none")
    gains = [1 / 6 - 1 / 4] * 54 + [0.5] * 4 + [0.0] * 2
    assert found["RR"].gain.high < 0
    assert skewed_low([-gain for gain in gains], -sum(gains) / 60, scipy.stats.t.ppf(0.975, 59)) < 0
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.reason.endswith(
        "but a few queries gain much more than the others lose, and corrected for that it may be no loss"
    )
    assert found.verdict.settle == "Judge about 60 more queries like these, and look at those that gain most"


def test_skewed_gains_of_a_measure_without_a_largest_loss() -> None:
    """ARP can lose any amount: the doubt is settled by as many queries again, as elsewhere at the least."""
    judgments, runs = world([3] * 40, [1] * 37 + [13] * 3)
    found = ir.compare(judgments, runs, ["ARP"])
    assert found["ARP"].gain.low > 0
    assert found.verdict.reason.endswith(
        "but a few queries lose much more than the others gain, and corrected for that it may be no gain"
    )
    assert found.verdict.settle == "Judge about 40 more queries like these, and look at those that lose most"


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
        "but no query lost much, and 60 queries, which by their weights count as 30, are too few to rule out that 2% "
        "of all queries lose everything, which would undo so small a gain"
    )


def test_skewed_gains_are_doubted_beside_queries_of_no_weight() -> None:
    """Sixty queries that are doubted for their tail are doubted as well with sixty more that have next to no weight."""
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


@pytest.mark.parametrize(
    ("queries", "outcome"), [(12, "CAN'T TELL"), (50, "CAN'T TELL"), (196, "CAN'T TELL"), (204, "SHIP")]
)
def test_few_queries_without_a_loss(queries: int, outcome: str) -> None:
    """All gain 0.0183: a share of 0.0183 that loses 1 would undo it; log 0.025 / log(1 - 0.0183) = 200 rule it out.

    Where all lose as much, a gain of everything would undo it.
    """
    judgments, runs = world([8] * queries, [7] * (queries - 4) + [6] * 4)
    for baseline, told, opposite in (("control", "lose", "gain"), ("test", "gain", "loss")):
        verdict = ir.compare(judgments, runs, ["RR"], baseline=baseline).verdict
        assert verdict.outcome == (outcome if baseline == "control" else outcome.replace("SHIP", "DON'T"))
        said = f"all queries {told} everything, which would undo so small a {opposite}"
        assert (said in verdict.reason) == (outcome != "SHIP")


FEW_SMALL_LOSSES = [
    (3, (5, 7), "CAN'T TELL"), (9, (5, 7), "CAN'T TELL"), (10, (5, 7), "CAN'T TELL"), (3, (3, 6), "SHIP"),
]  # fmt: skip


@pytest.mark.parametrize(("losers", "moves", "outcome"), FEW_SMALL_LOSSES)
def test_a_few_small_losses_do_not_tell_of_large_ones(losers: int, moves: tuple[int, int], outcome: str) -> None:
    """Of 100 queries most gain 1/7 - 1/8, a few lose 1/5 - 1/7: some 0.07 below the mean, 36 % of what 0.2 would show.

    The share that 100 queries can all have missed is 0.0362; times 64 % it may undo a gain of 0.023, and the gain is
    0.0104 to 0.0157, however many lose. A loss of 1/6 shows 90 %, and what is left cannot undo it.
    """
    before, after = [moves[0]] * losers + [8] * (100 - losers), [moves[1]] * losers + [7] * (100 - losers)
    verdict = ir.compare(*world(before, after), ["RR"]).verdict
    assert verdict.outcome == outcome
    assert ("all queries lose everything, which would undo so small a gain" in verdict.reason) == (outcome != "SHIP")
    turned = ir.compare(*world(after, before), ["RR"]).verdict
    assert turned.outcome == {"SHIP": "DON'T"}.get(outcome, outcome)
    runs = world(before, after)[1]
    board = ir.leaderboard(world(before, after)[0], runs, ["RR"])
    assert board.doubted_pairs == (outcome != "SHIP")


def test_more_queries_are_enough_where_a_few_small_losses_were_seen() -> None:
    """Three of 100 lose 0.057, the others gain 0.0179: as many as advised, of which nine lose, are believed."""
    found = ir.compare(*world([5] * 3 + [8] * 97, [7] * 3 + [7] * 97), ["RR"]).verdict
    assert found.settle == "Judge about 100 more queries like these, and look at those that lose most"
    after = ir.compare(*world([5] * 6 + [8] * 194, [7] * 6 + [7] * 194), ["RR"]).verdict
    assert after.outcome == "SHIP"


def test_a_large_gain_of_few_queries_is_believed() -> None:
    """Twelve queries gain 1/2: those that they may have missed, 26 %, would leave a gain. What it rests on is said."""
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
    for number in (0, 2.5, "a", True):
        with pytest.raises(ir.UsageError, match="looks"):
            ir.Methods(looks=number)  # type: ignore[arg-type] # refused


def swapped(queries: int, changed: int) -> tuple[list[int], list[int]]:
    """Return ranks before and after: of half the queries 8, of the others 5, exchanged where a query changes."""
    before = [8, 5] * (queries // 2)
    return before, [13 - rank if i < changed else rank for i, rank in enumerate(before)]


def test_equivalence_is_a_fiftieth_of_the_range() -> None:
    """Of RR 0.02 counts as the same, but no more than a twentieth of the best mean or the margin; of ARP nothing."""
    judgments, runs = world(*swapped(400, 20))
    found = ir.compare(judgments, runs, ["RR"])
    assert found.verdict.outcome == "ABOUT THE SAME"
    assert found.rule.equivalence == pytest.approx((1 / 8 + 1 / 5) / 2 / 20)
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
        verdict = ir.compare(*world(*swapped(120, changed)), ["RR"]).verdict
        assert verdict.outcome == outcome
        assert ("but only 9 queries changed" in verdict.reason) == (changed == 9)


@pytest.mark.parametrize(
    ("queries", "changed", "more", "same"), [(120, 9, 14, 0.02), (400, 4, 600, 0.008), (60, 30, 40, 0.02)]
)
def test_so_many_that_ten_of_a_hundred_change(queries: int, changed: int, more: int, same: float) -> None:
    """Nine of 120 changed, so of 134 ten would: whoever judges 14 more gets the answer. At least 100 are needed."""
    verdict = ir.compare(*world(*swapped(queries, changed)), ["RR"], equivalence=same)
    assert verdict.verdict.outcome == "CAN'T TELL"
    assert verdict.verdict.settle == (
        f"Judge about {more} more queries like these: to call systems about the same takes 100 queries, of which 10 "
        "change"
    )
    every, then = queries + more, math.ceil(changed * (queries + more) / queries)
    after = ir.compare(*world(*swapped(every, then)), ["RR"], equivalence=same)
    assert after.verdict.outcome == "ABOUT THE SAME"


def placed(queries: int, other: str) -> dict[str, dict[str, float]]:
    """Return lists that begin with the relevant document, and go on with another."""
    return {f"q{i:03}": {"d": 2.0, other: 1.0} for i in range(queries)}


@pytest.mark.parametrize(("queries", "outcome"), [(4, "CAN'T TELL"), (182, "CAN'T TELL"), (183, "ABOUT THE SAME")])
def test_the_same_values_of_few_queries_may_be_chance(queries: int, outcome: str) -> None:
    """Lists differ, values do not: 183 queries without a change show that at most 2 % change; the same lists need none.

    Clopper and Pearson: 1 - 0.025^(1/183) = 0.01996, what counts as the same in RR being 0.02.
    """
    judgments = {f"q{i:03}": {"d": 1, "x": 0, "y": 0} for i in range(queries)}
    verdict = ir.compare(judgments, {"a": placed(queries, "x"), "b": placed(queries, "y")}, ["RR"]).verdict
    assert verdict.outcome == outcome
    if outcome == "CAN'T TELL":
        assert verdict.reason.endswith(f"but {queries} queries are too few to rule out that others change")
        assert verdict.settle.startswith(
            f"Judge about {'180' if queries == 4 else '1'} more queries like these: to call"
        )
    alike = ir.compare(judgments, {"a": placed(queries, "x"), "b": placed(queries, "x")}, ["RR"]).verdict
    assert alike.outcome == "ABOUT THE SAME"


def test_rare_large_losses_are_not_about_the_same() -> None:
    """One of 200 queries loses 8/9, the others gain nothing: corrected for its tail the loss may be beyond 0.02."""
    found = ir.compare(*world([1] * 200, [9] + [2] + [1] * 198), ["RR"], equivalence=0.02)
    assert found.verdict.outcome == "CAN'T TELL"


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


@pytest.mark.parametrize(
    ("ranks", "outcome"),
    [([2] * 240 + [4] * 160, "SHIP"), ([4] * 240 + [2] * 10, "DON'T"), ([2] * 15 + [4] * 20, "ABOUT THE SAME")],
)
def test_betting_is_asked_only_where_there_is_doubt(
    monkeypatch: pytest.MonkeyPatch, ranks: list[int], outcome: str
) -> None:
    """An interval by betting takes longer than the rest: it is found where a verdict or a reader needs it, and once."""
    asked = list[float]()

    def counted(*about: Any) -> tuple[float, float]:
        asked.append(1)
        return betting_ends(*about)

    monkeypatch.setattr(intervals, "betting_ends", counted)
    judgments, runs = world([3] * 400, ranks + [3] * (400 - len(ranks)))
    found = ir.compare(judgments, runs, ["RR"])
    assert found.verdict.outcome == outcome
    assert not asked
    assert found["RR"].unassuming == found["RR"].unassuming
    assert len(asked) == 1


@pytest.mark.parametrize("queries", [25, 50])
def test_a_better_newcomer_is_never_doubted_more(queries: int) -> None:
    """Where every query gains a little more, a SHIP stays one: of rare losses, hidden ones, ties and long tails."""
    for shape in SHAPES[:10]:
        draw, shipped = np.random.default_rng(queries), False
        gains = shape.draw(draw, queries) / 2
        for more in np.linspace(0, 0.4, 9):
            now = outcome_of(("nDCG@1",), gains[None] + more, 199, 0) == "SHIP"
            assert now or not shipped, (shape.name, more)
            shipped = now
        assert shipped


def test_rare_losses_among_small_changes_are_not_shipped() -> None:
    """One query in a hundred loses 0.9, the others vary by 0.03, and the mean is 0: t says SHIP in a third."""
    shape = next(each for each in SHAPES if "one in 100 loses 0.9, the others vary by 0.03" in each.name)
    rng = np.random.default_rng(9)
    told = [outcome_of(("nDCG@1",), shape.draw(rng, 50)[None], 199, seed) for seed in range(30)]
    assert told.count("SHIP") == 0
