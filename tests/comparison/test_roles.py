"""Roles: the first measure decides, those that were named guard, the others are shown; what is corrected with what."""

from __future__ import annotations

import pytest
import scipy.stats

import idealrank as ir
from tests.comparison.test_compare import values
from tests.comparison.test_rule import world
from tests.comparison.worlds import random_world


def roles(found: ir.Comparison) -> dict[str, str]:
    """Return the role of each measure."""
    return {contrast.measure: contrast.role for contrast in found.contrasts.values()}


def test_named_measures_guard_and_default_ones_are_shown() -> None:
    """The first decides; the others guard where somebody named them, or their tolerance; counts never do."""
    judgments, runs = world([2] * 12, [1] * 12)
    named = ir.compare(judgments, runs, ["RR", "P@5", "Judged@5"])
    assert roles(named) == {"RR": "decides", "P@5": "guards", "Judged@5": "shown"}
    default = ir.compare(judgments, runs)
    first, *others = default.scores.labels
    assert roles(default) == {first: "decides"} | dict.fromkeys(others, "shown")
    one = ir.compare(judgments, runs, tolerance={others[0]: 0.1})
    assert [name for name, role in roles(one).items() if role == "guards"] == [others[0]]
    assert named.differences["role"] == ["decides", "guards", "shown"]


def test_what_is_only_shown_fails_nothing() -> None:
    """RR gains where P@3 falls: SHIP of RR where P@3 is a measure that is only shown, DON'T where it guards.

    In 24 of 60 queries RR rises from 1/3 to 1 (in sum 16), in 36 it falls to 1/4 (in sum 3): on average +0.2167.
    """
    judgments, runs = world([3] * 60, [1] * 24 + [4] * 36)
    alone = ir.compare(judgments, runs, ["RR"])
    assert alone["RR"].difference == pytest.approx(13 / 60)
    assert alone.verdict.outcome == "SHIP"
    guarded = ir.compare(judgments, runs, ["RR", "P@3"])
    assert guarded.verdict.outcome == "DON'T"
    assert guarded["RR"].corrected == alone["RR"].corrected


def test_measures_that_were_named_share_no_error() -> None:
    """SHIP needs each of them, so each has the p and the interval that it has alone, of any number of measures."""
    judgments, runs = random_world(21, queries=30, systems=3)
    together = ir.compare(judgments, runs, ["nDCG@5", "RR", "P@3"], baseline="s0", correction="holm")
    for measure in ("nDCG@5", "RR", "P@3"):
        alone = ir.compare(judgments, runs, [measure], baseline="s0", correction="holm")
        for system in ("s1", "s2"):
            assert together[measure, system].p == alone[measure, system].p
            assert together[measure, system].corrected == alone[measure, system].corrected


def test_measures_that_are_shown_share_theirs() -> None:
    """The default measures beside the first are corrected together: by Bonferroni's intervals over all of them."""
    judgments, runs = random_world(22, queries=40)
    found = ir.compare(judgments, runs, correction="holm")
    first, *others = [contrast.measure for contrast in found.contrasts.values()]
    for measure, family in ((first, 1), (others[0], len(others))):
        d = values(judgments, runs["s1"], measure) - values(judgments, runs["s0"], measure)
        span = scipy.stats.ttest_1samp(d, 0).confidence_interval(1 - 0.05 / family)
        assert (found[measure].corrected.low, found[measure].corrected.high) == pytest.approx((span.low, span.high))


def test_a_guardrail_alone_turns_nothing_that_is_undecided() -> None:
    """Where RR may be no change, P@3 that falls in every query is named in the reason, and nobody can tell."""
    after = [1, 4, 4, 4, 4, 4, 4, 4] * 5 + [4] * 4
    judgments, runs = world([3] * 44, after)
    found = ir.compare(judgments, runs, ["RR", "P@3"])
    assert found["RR"].gain.low < 0 < found["RR"].gain.high
    assert found["P@3"].gain.high < 0
    assert found.verdict.outcome == "CAN'T TELL"
    assert "; P@3 gets worse by " in found.verdict.reason


def test_about_the_same_has_guardrails_too() -> None:
    """P@3 is 1/3 everywhere, while RR falls from 1/2 to 1/3: no word of about the same, unless so much is allowed."""
    judgments, runs = world([2] * 240, [3] * 240)
    verdict = ir.compare(judgments, runs, ["P@3", "RR"]).verdict
    assert verdict.outcome == "CAN'T TELL"
    assert verdict.reason.endswith("; but RR gets worse by 0.17 in every query")
    assert verdict.summary[1] == "Every query has the same value in both, but RR gets worse by 0.17."
    assert ir.compare(judgments, runs, ["P@3", "RR"], tolerance=0.2).verdict.outcome == "ABOUT THE SAME"
