"""What a verdict says: headline, summary, sentence and steps of every outcome, whole, over worlds worked out by hand.

Ends of intervals are SciPy's: Student's t of the differences, which the corrected interval of one measure is within
what is shown.
"""

from __future__ import annotations

from typing import Any

import idealrank as ir
from tests.comparison.test_rule import world
from tests.comparison.worlds import reciprocal

N = 60
LAST = {
    "SHIP": "Before you ship, check that none of the biggest losses matters to you.",
    "DON'T": "Look at the queries that lose most to see why.",
    "ABOUT THE SAME": "Choose by cost or speed: the difference in relevance is too small to matter.",
}
PLAN = "Plan that second look (--looks, or looks= in Python), or judge fresh queries and test those alone."


def said(before: list[int], after: list[int], measures: list[str] | None = None, **rule: Any) -> ir.Comparison:
    """Compare two systems by the ranks of the one relevant document, by plain Student's t."""
    judgments, runs = world(before, after)
    return ir.compare(judgments, runs, measures or ["RR"], correction="none", **rule)


def student(differences: list[float], digits: int) -> str:
    """Write SciPy's interval of a mean, by amounts above 0, the smaller first."""
    from scipy import stats

    span = stats.ttest_1samp(differences, 0).confidence_interval(0.95)
    low, high = sorted((abs(span.low), abs(span.high)))
    return f"{low:.{digits}f} to {high:.{digits}f}"


def test_ship() -> None:
    """40 of 60 queries gain 1/2."""
    verdict = said([2] * N, [1] * 40 + [2] * 20).verdict
    ends = student([0.5] * 40 + [0.0] * 20, 3)
    assert verdict.headline == "Ship test"
    assert verdict.summary == (
        "test scores 0.333 higher than control on RR (0.833 against 0.500).",
        f"The true gain is probably {ends} (95% confidence, 60 queries).",
    )
    assert verdict.sentence == f"SHIP: RR improves by {ends} (95% interval)."
    assert verdict.steps == ("No query loses. Look at the queries that gain most to see why.",)


def test_ship_with_losses() -> None:
    """40 of 60 queries gain 1/2 and one loses 1/6: it is the one to look at."""
    verdict = said([2] * N, [1] * 40 + [3] + [2] * 19).verdict
    assert verdict.outcome == "SHIP"
    assert verdict.steps == (LAST["SHIP"],)


def test_ship_with_a_margin() -> None:
    """The gain is above the margin."""
    verdict = said([2] * N, [1] * 40 + [2] * 20, margin=0.1).verdict
    ends = student([0.5] * 40 + [0.0] * 20, 3)
    assert verdict.sentence == f"SHIP: RR improves by {ends} (95% interval), more than the margin of 0.1."


def test_ship_that_rests_on_few_queries() -> None:
    """14 of 20 queries gain 1/2: what the other queries may lose is not known, and is said."""
    verdict = said([2] * 20, [1] * 14 + [2] * 6).verdict
    ends = student([0.5] * 14 + [0.0] * 6, 2)
    assert verdict.headline == "Ship test"
    assert verdict.sentence.startswith(
        f"SHIP: RR improves by {ends} (95% interval). This rests on 20 queries having shown how much a query can lose; "
        "without that assumption the 95% interval is −0.0"
    )
    assert verdict.sentence.endswith(", which includes 0.")


def test_ship_of_the_same_gain_everywhere() -> None:
    """All 60 queries gain 1/2: an interval without width is not said as one."""
    verdict = said([2] * N, [1] * N).verdict
    assert verdict.summary[1] == "All 60 queries gain the same."
    assert verdict.sentence == "SHIP: RR improves by 0.50 in every query."


def test_ship_that_may_lose() -> None:
    """Under not_worse 9 queries gain 1/2 and 24 lose 1/6, which may be a loss; up to 0.3 is allowed."""
    verdict = said([2] * N, [1] * 9 + [3] * 24 + [2] * 27, rule="not_worse", margin=0.3).verdict
    assert verdict.headline == "Ship test"
    assert verdict.summary == (
        "test scores 0.008 higher than control on RR (0.508 against 0.500).",
        "The true change is between 0.049 worse and 0.066 better (95% confidence, 60 queries), and a loss of up to 0.3 "
        "is allowed.",
    )
    assert verdict.sentence == (
        "SHIP: RR is between 0.049 worse and 0.066 better (95% interval), and does not lose more than the margin of "
        "0.3."
    )


def test_ship_that_loses_what_is_allowed() -> None:
    """Under not_worse 40 of 60 queries lose 1/6, surely a loss, and surely less than 0.3."""
    verdict = said([2] * N, [3] * 40 + [2] * 20, rule="not_worse", margin=0.3).verdict
    ends = student([-1 / 6] * 40 + [0.0] * 20, 3)
    assert verdict.outcome == "SHIP"
    assert verdict.summary[1] == (
        f"The true loss is probably {ends} (95% confidence, 60 queries), and a loss of up to 0.3 is allowed."
    )


def test_dont() -> None:
    """40 of 60 queries lose 1/6."""
    verdict = said([2] * N, [3] * 40 + [2] * 20).verdict
    ends = student([-1 / 6] * 40 + [0.0] * 20, 3)
    assert verdict.headline == "Do not ship test"
    assert verdict.summary == (
        "test scores 0.111 lower than control on RR (0.389 against 0.500).",
        f"The true loss is probably {ends} (95% confidence, 60 queries).",
    )
    assert verdict.sentence == f"DON'T: RR gets worse by {ends} (95% interval), so it is not better."
    assert verdict.steps == (LAST["DON'T"],)


def test_dont_below_the_margin() -> None:
    """20 of 60 queries gain 1/2: surely a gain, and surely less than 0.4."""
    verdict = said([2] * N, [1] * 20 + [2] * 40, margin=0.4).verdict
    ends = student([0.5] * 20 + [0.0] * 40, 3)
    assert verdict.summary[1] == (
        f"The true gain is probably {ends} (95% confidence, 60 queries), less than the 0.4 that is worth shipping."
    )
    assert verdict.sentence == f"DON'T: RR improves by {ends} (95% interval), which is less than the margin of 0.4."
    assert verdict.steps == (
        "The change is not surely a loss, but too small a gain: ship it only if less than 0.4 is worth it.",
    )


def test_dont_of_a_loss_with_a_margin() -> None:
    """A loss is not called less than the margin: it is not better."""
    verdict = said([2] * N, [3] * 40 + [2] * 20, margin=0.1).verdict
    assert verdict.reason.endswith("(95% interval), so it is not better")


def test_dont_by_a_guardrail() -> None:
    """RR gains 2/3 in 24 queries and loses 1/12 in 36; P@3 loses 1/3 in these 36."""
    verdict = said([3] * N, [1] * 24 + [4] * 36, ["RR", "P@3"]).verdict
    gain, loss = student([2 / 3] * 24 + [-1 / 12] * 36, 3), student([0.0] * 24 + [-1 / 3] * 36, 3)
    assert verdict.headline == "Do not ship test"
    assert verdict.summary == (
        "test scores 0.217 higher than control on RR (0.550 against 0.333).",
        f"The true gain is probably {gain} (95% confidence, 60 queries), but P@3 gets worse by {loss}.",
    )
    reason = f"RR improves by {gain} (95% interval), but P@3 gets worse by {loss} (95% interval)"
    assert verdict.sentence == f"DON'T: {reason}."
    allowed = said([3] * N, [1] * 24 + [4] * 36, ["RR", "P@3"], tolerance=0.1).verdict
    assert allowed.sentence == f"DON'T: {reason}, more than the 0.1 allowed."


def test_about_the_same() -> None:
    """Ten of 400 queries gain 0.075 and ten lose it: SciPy's interval is well within 1/20 of 0.1625."""
    before = [8, 5] * 200
    verdict = said(before, [13 - rank if i < 20 else rank for i, rank in enumerate(before)]).verdict
    assert verdict.headline == "test and control are about the same"
    most = student([0.075] * 10 + [-0.075] * 10 + [0.0] * 380, 4).split(" to ")[1]
    assert verdict.summary == (
        "test and control both average 0.16 on RR.",
        f"They differ by no more than {most} (95% confidence, 400 queries); up to 0.0081 counts as no difference.",
    )
    assert verdict.sentence == (
        f"ABOUT THE SAME: RR is between {most} worse and {most} better (95% interval), and up to 0.0081 counts as the "
        "same."
    )
    assert verdict.steps == (LAST["ABOUT THE SAME"],)


def test_identical() -> None:
    """Both find the same in every query."""
    verdict = said([2] * N, [2] * N).verdict
    assert verdict.headline == "test and control are about the same"
    assert verdict.summary == (
        "test and control both average 0.50 on RR.", "Every query has the same value in both.",
    )  # fmt: skip
    assert verdict.sentence == (
        "Warning: control and test gave the same lists for all 60 queries. ABOUT THE SAME: no difference: both have "
        "the same value in every query."
    )


def test_cant_tell() -> None:
    """8 queries gain 1/2, 12 lose 1/6, 40 stay: 0.0333 on average, ± 2.001 · 0.197 / √60, which may be chance."""
    verdict = said([2] * N, [1] * 8 + [3] * 12 + [2] * 40).verdict
    assert verdict.headline == "Not enough evidence to ship test"
    assert verdict.summary == (
        "test scores 0.033 higher than control on RR (0.533 against 0.500).",
        "With 60 queries that could be chance: plausible values run from 0.017 worse to 0.084 better.",
    )
    assert verdict.reason == "RR is between 0.017 worse and 0.084 better (95% interval), so it may be no change at all"
    assert verdict.steps == (
        "About 190 more judged queries like these would give an 80% chance to tell which is better if the true gain is "
        "the 0.033 seen, which is often too high; about 880 to tell that they are about the same if nothing changes.",
    )
    plain = said([2] * N, [1] * 8 + [3] * 12 + [2] * 40, equivalence=0.0).verdict
    assert plain.steps == (
        "About 190 more judged queries like these would give an 80% chance to tell which is better if the true gain is "
        "the 0.033 seen, which is often too high.",
    )
    assert verdict.settle.endswith(PLAN[:-1])


def test_a_larger_loss_than_gain_is_said_too() -> None:
    """12 queries gain 1/6, 8 lose 1/2: an interval that reaches further below 0 than above it."""
    verdict = said([3] * 12 + [1] * 8 + [2] * 40, [2] * 20 + [2] * 40).verdict
    assert verdict.summary[1] == (
        "With 60 queries that could be chance: plausible values run from 0.084 worse to 0.017 better."
    )
    assert "if the true loss is the 0.033 seen, which is often too high" in verdict.settle


def test_cant_tell_beside_a_margin() -> None:
    """A gain that may be more or less than the margin, and a loss that may be more or less than is allowed."""
    gains, losses = student([0.5] * 40 + [0.0] * 20, 3), student([-1 / 6] * 40 + [0.0] * 20, 3)
    gain = said([2] * N, [1] * 40 + [2] * 20, margin=0.3).verdict
    assert gain.summary[1] == (
        f"The true gain is probably {gains} (95% confidence, 60 queries), "
        "which may be more or less than the 0.3 worth shipping."
    )
    loss = said([2] * N, [3] * 40 + [2] * 20, margin=0.11, rule="not_worse").verdict
    assert loss.summary[1] == (
        f"The true loss is probably {losses} (95% confidence, 60 queries), "
        "which may be more or less than the 0.11 allowed."
    )


def test_a_tiny_gain_has_digits() -> None:
    """From rank 200 to 199 or 198 RR gains 2.5e-5 or 5.1e-5: no end of its interval is written as 0.0000."""
    judgments = {f"q{i:03}": {"d": 1} | {f"x{place}": 0 for place in range(1, 202)} for i in range(N)}
    ranks = dict.fromkeys(judgments, 200)
    after = {query: 199 - i % 2 for i, query in enumerate(judgments)}
    runs = {"control": reciprocal(ranks), "test": reciprocal(after)}
    verdict = ir.compare(judgments, runs, ["RR"], correction="none").verdict
    ends = student([1 / 199 - 1 / 200, 1 / 198 - 1 / 200] * 30, 6)
    assert verdict.summary == (
        "test scores 0.000038 higher than control on RR (0.005038 against 0.005000).",
        f"The true gain is probably {ends} (95% confidence, 60 queries), but that is not certain: see the reason.",
    )


def test_less_is_better() -> None:
    """Under ARP what lowers it gains: 40 of 60 queries find the document two ranks higher."""
    ends = student([2.0] * 40 + [0.0] * 20, 2)
    verdict = said([3] * N, [1] * 40 + [3] * 20, ["ARP"]).verdict
    assert verdict.summary == (
        "test scores 1.3 lower than control on ARP (1.7 against 3.0), where lower is better.",
        f"The true gain is probably {ends} (95% confidence, 60 queries).",
    )
    assert verdict.sentence == f"SHIP: ARP improves by {ends} (95% interval)."
    worse = said([1] * N, [3] * 40 + [1] * 20, ["ARP"]).verdict
    assert worse.sentence == f"DON'T: ARP gets worse by {ends} (95% interval), so it is not better."


def test_less_is_better_and_either_way() -> None:
    """10 queries fall from rank 3 to 5, 5 rise to 1: more worse than better, though ARP itself rises."""
    verdict = said([3] * N, [5] * 10 + [1] * 5 + [3] * 45, ["ARP"]).verdict
    ends = student([2.0] * 10 + [-2.0] * 5 + [0.0] * 45, 2).split(" to ")
    assert verdict.summary[1] == (
        f"With 60 queries that could be chance: plausible values run from {ends[1]} worse to {ends[0]} better."
    )
    assert verdict.reason.startswith(f"ARP is between {ends[1]} worse and {ends[0]} better (95% interval)")


def test_queries_are_missing_rather_than_judgments() -> None:
    """Where only the number of queries speaks against a loss, the headline and the advice name queries, not holes."""
    docs = [f"d{n}" for n in range(7)]
    judged = {f"q{n}": dict.fromkeys(docs, 1) for n in range(41)}
    before = {query: [*docs, "x", "y", "z"] for query in judged}
    after = {query: [*docs[: 4 if n < 8 else 7], "x", "y", "z"] for n, query in enumerate(judged)}
    few = ir.compare(judged, {"before": before, "after": after}, ["P@10"], baseline="before").verdict
    assert "too few to rule out" in few.reason
    assert few.headline == "Not enough evidence to ship after"
    assert few.settle.startswith("Judge about 41 more queries")
