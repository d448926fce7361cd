"""How far axes of intervals go, and what their words are."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import stats

import idealrank as ir
from tests.comparison.worlds import one_relevant, random_world, reciprocal
from tests.heavy.plots.test_drawn import interval, title
from tests.reports.drawn_worlds import KINDS, RANKS, two


def beyond(panel: Any) -> list[tuple[str, float, float]]:
    """Return the heads of arrows in a panel: their marker and place."""
    lines = [line for line in panel.lines if line.get_label() == "_beyond"]
    return [(line.get_marker(), line.get_xdata()[0], line.get_ydata()[0]) for line in lines]


def test_no_interval_goes_beyond_what_can_be() -> None:
    """Differences in RR are between -1 and 1: an interval is cut there, and one that is as wide as that is not drawn.

    Of 0 and 1/2 it is 1/4 ± 3.2; of 0, 1/2, 1/4 and -1/4 it is 1/8 ± 2.02 at 99.9 %; at 99 % 1/8 ± 0.94.
    """
    (panel,) = ir.plots.segments(two()).axes
    assert not beyond(panel)
    assert -0.1 < panel.get_xlim()[0] < 0 < 0.25 < panel.get_xlim()[1] < 0.35
    assert not two(test="t", correction="none", level=0.999).differences["low"][0] > -math.inf
    (panel,) = ir.plots.intervals(two(test="t", correction="none", level=0.99)).axes
    span = stats.ttest_1samp([0.0, 0.5, 0.25, -0.25], 0.0).confidence_interval(0.99)
    assert interval(panel) == pytest.approx((span.low, 1.0))
    assert span.high > 1
    assert not beyond(panel)


def test_short_intervals_have_no_arrows() -> None:
    """Where all intervals are possible, the axis is as wide as they are."""
    judgments, runs = random_world(1, queries=300)
    (panel,) = ir.plots.intervals(ir.compare(judgments, runs, ["nDCG@10"], draws=100)).axes
    low, high = interval(panel)
    assert not beyond(panel)
    assert panel.get_xlim()[1] - panel.get_xlim()[0] < 3 * max(abs(low), abs(high))


def test_an_axis_without_ends() -> None:
    """ARP has no highest value: an interval hundreds of times as long as the others is cut, and ends at 0."""
    ranks = {f"q{q:03}": 1 + q % 3 for q in range(20)} | {"q020": 1, "q021": 40}
    kinds = {"query_id": list(ranks), "kind": [f"k{q // 5}" for q in range(22)]}
    (panel,) = ir.plots.segments(
        ir.evaluate(one_relevant(22), {"a": reciprocal(ranks)}, ["ARP"], queries=kinds), by="kind"
    ).axes
    span = stats.ttest_1samp([1, 40], 0.0).confidence_interval(0.95)
    assert interval(panel, 4) == pytest.approx((0.0, span.high))
    assert span.high > 200
    assert panel.get_xlim()[1] < 150
    assert [mark for mark, *_ in beyond(panel)] == [">"]


def test_words_for_what_is_taken() -> None:
    """An axis says weighted mean, geometric mean or median, where the numbers on it are that."""
    weights = {"q000": 3, "q001": 1, "q002": 1, "q003": 1}
    scores = two(("RR", "P@5"), weights=weights).scores
    assert ir.plots.segments(scores, by="kind").axes[-1].get_xlabel() == "weighted mean RR"
    assert ir.plots.curve(scores, "P@5").axes[0].get_ylabel() == "weighted mean P@k"
    assert "dot: weighted mean." in ir.plots.distribution(scores).footnote.get_text()
    run = {"old": reciprocal(RANKS["old"])}
    (panel,) = ir.plots.segments(
        ir.evaluate(one_relevant(4), run, ["RR"], average="geometric", queries=KINDS), by="kind"
    ).axes
    assert panel.get_xlabel() == "geometric mean RR"
    # The geometric means of 1 and 1/2, and of 1/4 and 1/2.
    assert panel.containers[0][0].get_xdata().tolist() == pytest.approx([0.5**0.5, 0.125**0.5])


def test_counts_are_higher_or_lower() -> None:
    """A count is neither good nor bad: no colour of a gain or a loss, and other words."""
    runs = {name: {q: {"x": 1.0} | ({"d": 2.0} if q in name else {}) for q in "abc"} for name in ("ab", "bc")}
    (panel,) = ir.plots.differences(
        ir.compare({q: {"d": 1} for q in "abc"}, runs, ["RR", "Judged@2"], draws=100), "Judged@2"
    ).axes
    assert "▲ 1 higher  = 1 equal  ▼ 1 lower" in title(panel)
    assert len({bar.get_facecolor() for bar in panel.patches}) == 1
