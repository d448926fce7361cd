"""How often a threshold without alpha fails a build that changed nothing."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

import idealrank as ir
from idealrank.display.text import lines
from tests.calibration.distributions import CHANGES, Distribution
from tests.calibration.verdicts import failed_builds


def gated(n: int, alpha: float | None = None, condition: str = "RR drops 0.05") -> ir.Gate:
    """Gate a system that loses a third of its queries and gains as many."""
    judgments = {f"q{i}": {"d": 1} for i in range(n)}
    first, second = {"d": 2.0, "x": 1.0}, {"d": 1.0, "x": 2.0}
    before = {f"q{i}": first if i % 3 else second for i in range(n)}
    after = {f"q{i}": first if i % 3 != 1 else second for i in range(n)}
    return ir.gate(judgments, before, after, fail_if=condition, alpha=alpha)


@pytest.mark.parametrize("n", [9, 30, 120])
def test_the_chance_is_said(n: int) -> None:
    """Without alpha the text says the share of unchanged builds that fail, by Student's t of these differences."""
    d = np.array([(0.5, -0.5, 0.0)[i % 3] for i in range(n)])
    expected = stats.t.cdf(-0.05 / stats.sem(d), n - 1)
    said = " ".join(" ".join(lines(gated(n).shown(), 1_000)).split())
    found = re.search(r"by chance +'RR drops 0.05' fails (\d+)% of builds that change nothing", said)
    assert found is not None
    assert int(found[1]) == round(100 * expected)
    assert f"over {n} queries" in said
    assert "With --alpha 0.05, or alpha=0.05 in Python" in said


def test_several_measures_have_the_rate_each() -> None:
    """The intervals of several measures are not corrected together, so the rate of 5% is said of each."""
    ranks = {f"q{i}": {"d": 2.0, "x": 1.0} for i in range(8)}
    after = ranks | {"q3": {"x": 2.0, "d": 1.0}}
    found = ir.gate({q: {"d": 1} for q in ranks}, ranks, after, fail_if=["RR drops 0.05", "nDCG@3 drops 0.05"])
    assert "at most 5% of such builds for each measure" in " ".join(" ".join(lines(found.shown(), 1_000)).split())
    assert "for each measure" not in " ".join(lines(gated(30).shown(), 1_000))


def test_nothing_is_said_with_alpha() -> None:
    """With alpha, or without a drop, there is nothing to say."""
    assert "by chance" not in " ".join(lines(gated(30, 0.05).shown(), 200))
    level = ir.gate({"q": {"d": 1}}, None, {"q": {"d": 1.0}}, minimum="RR>=0.5")
    assert "by chance" not in " ".join(lines(level.shown(), 200))


def test_one_query_or_no_difference() -> None:
    """One query has no chance to tell; where no query differs, nothing says how often one would."""
    one = ir.gate({"q": {"d": 1}}, {"q": {"d": 1.0}}, {"q": {"d": 1.0}}, fail_if="RR drops 0.01")
    assert "by chance" not in " ".join(lines(one.shown(), 200))
    judgments = {f"q{i}": {"d": 1} for i in range(5)}
    same = {query: {"d": 1.0} for query in judgments}
    alike = ir.gate(judgments, same, same, fail_if="RR drops 0.01")
    assert "by chance" not in " ".join(lines(alike.shown(), 1_000))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_alpha_decides_as_compare_does(change: Distribution) -> None:
    """With alpha a gate fails only where the verdict is DON'T; without, as often as the mean alone says."""
    alone, tested, dont = failed_builds(change.draw, 25, 0.0, 40)
    assert alone > 0.15
    assert tested <= dont <= 0.1


def test_more_queries_are_to_tell_the_limit() -> None:
    """A drop of 2% that is not reached and not ruled out: what more queries would tell is the limit, no margin."""
    found = gated(30, 0.05).findings[0]
    assert found.outcome == "can't tell"
    assert "an 80% chance to tell whether the loss is less than 0.05" in found.sentence
    assert "margin" not in found.sentence
