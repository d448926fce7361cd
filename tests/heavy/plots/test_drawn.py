"""What is drawn is read back from the picture, and is what can be worked out by hand or with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import idealrank as ir
from tests.comparison.worlds import one_relevant, random_world, reciprocal
from tests.reports.drawn_worlds import NEW, OLD, several, several_timed, two


def title(panel: Any) -> str:
    """Return the title of a panel, which stands on its left."""
    return str(panel.get_title(loc="left"))


def interval(panel: Any, place: int = 0) -> tuple[float, float]:
    """Return the ends of the bar of an error bar in a panel."""
    _, _, (bars,) = panel.containers[0]
    return tuple(bars.get_segments()[place][:, 0])  # type: ignore[return-value]


def test_means() -> None:
    """A dot a system at its mean of RR, with Student's interval to 1; a panel a measure, first system on top."""
    figure = ir.plots.means(two(("RR", "P@5")).scores)
    first, second = figure.axes
    assert (title(first), title(second)) == ("RR", "P@5")
    dots = first.containers[0][0]
    assert dots.get_xdata().tolist() == [np.mean(OLD), np.mean(NEW)]
    assert second.containers[0][0].get_xdata().tolist() == pytest.approx([0.2, 0.2])
    for place, values in enumerate((OLD, NEW)):
        span = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
        assert interval(first, place) == pytest.approx((span.low, min(span.high, 1.0)))
    assert [label.get_text() for label in first.get_yticklabels()] == ["old", "new"]
    assert first.yaxis_inverted()


def test_means_of_a_comparison() -> None:
    """The intervals have the level of the comparison."""
    panel = ir.plots.means(two(level=0.8)).axes[0]
    span = stats.ttest_1samp(OLD, 0.0).confidence_interval(0.8)
    assert interval(panel) == pytest.approx((span.low, span.high))


def test_distribution() -> None:
    """RR of 1, 1/2, 1/2 and 1/4: the steps are 1, 2 and 1 high; the line is at the median, the dot at the mean."""
    first, second = ir.plots.distribution(two().scores).axes
    assert (title(first), title(second)) == ("old", "new")
    values, edges, _ = first.patches[0].get_data()
    assert {round(edge, 2): n for edge, n in zip(edges, values, strict=False) if n} == {0.25: 1, 0.5: 2, 0.95: 1}
    line, dot = first.lines
    assert line.get_xdata() == pytest.approx([np.median(OLD)] * 2)
    assert dot.get_xdata() == pytest.approx([np.mean(OLD)])


def test_curve() -> None:
    """At each k stands the mean of what the ranks give: 1 over k if the document came by then, else 0."""
    (panel,) = ir.plots.curve(two(("P@5",)).scores, depth=4).axes
    ranks = {"old": [1, 2, 4, 2], "new": [1, 1, 2, 4]}
    for line, found in zip(panel.lines, ranks.values(), strict=True):
        assert line.get_xdata().tolist() == [1, 2, 3, 4]
        expected = [np.mean([(rank <= k) / k for rank in found]) for k in (1, 2, 3, 4)]
        assert line.get_ydata().tolist() == pytest.approx(expected)


def test_thresholds() -> None:
    """A chunk that covers 6 of a span's 10 characters hits up to a share of 0.6; of its own 12 the 6 are half."""
    judged = {"query": ["q"], "doc": ["d"], "begin": [10], "end": [20], "grade": [1]}
    found = {"query": ["q"], "doc": ["d"], "begin": [4], "end": [16], "rank": [1]}
    scores = ir.evaluate(judged, found, ["R@1"], unit="spans")
    last = {"span": 0.6, "chunk": 0.5, "iou": 6 / 16}
    for rule, share in last.items():
        ((line,),) = (panel.lines for panel in ir.plots.thresholds(scores, rule=rule).axes)
        assert line.get_xdata().tolist() == pytest.approx(np.linspace(0, 1, 21))
        assert line.get_ydata().tolist() == [float(x <= share + 1e-9) for x in np.linspace(0, 1, 21)]
        assert ir.thresholds(scores, rule=rule)["results"] == line.get_ydata().tolist()
    with pytest.raises(ir.UsageError, match="CharP@1 compares characters, and reads no overlap"):
        ir.plots.thresholds(ir.evaluate(judged, found, ["CharP@1"], unit="spans"))
    with pytest.raises(ir.UsageError, match="Use unit=spans"):
        ir.plots.thresholds(two().scores)


def test_latency() -> None:
    """A point is at p95 of 10, 20 … 120 ms, 10 × (1 + 0.95 × 11) = 114.5, and at the mean; 12 queries bound no p95."""
    scores = several_timed(2)
    (panel,) = ir.plots.latency(scores).axes
    points = [(container[0].get_xdata()[0], container[0].get_ydata()[0]) for container in panel.containers]
    assert points == [(pytest.approx(114.5), 1.0), (pytest.approx(115.5), 0.5)]
    (across, *_) = panel.containers[0][2]
    ((low, _), (high, _)) = across.get_segments()[0]
    assert low == pytest.approx(scores.latency["p95 low"][0])
    assert high == pytest.approx(panel.get_xlim()[1])
    with pytest.raises(ir.DataError, match="latency_ms"):
        ir.plots.latency(two())


def test_lines_are_told_apart_without_colour() -> None:
    """No two of twenty lines have the same marker and dash."""
    (panel,) = ir.plots.curve(several(20), "P@5").axes
    looks = {(line.get_marker(), line.get_linestyle(), str(line._dash_pattern)) for line in panel.lines}
    assert len(panel.lines) == 20
    assert len(looks) == 20


def test_grades() -> None:
    """Rows are queries, the best on top; a column is a rank; unjudged is masked, no result lies below the scale."""
    judgments = {"bad": {"a": 0, "b": 2}, "good": {"a": 3}}
    run = {"bad": {"a": 3.0, "x": 2.0, "b": 1.0}, "good": {"a": 2.0}}
    figure = ir.plots.grades(ir.evaluate(judgments, run, ["nDCG@10"]), depth=4)
    (panel,) = figure.axes
    (image,) = panel.images
    found = image.get_array()
    assert [label.get_text() for label in panel.get_yticklabels()] == ["good", "bad"]
    assert found.mask.tolist() == [[False] * 4, [False, True, False, False]]
    assert found[0, 0] == 3.0
    assert found[1].tolist()[:3] == [0.0, None, 2.0]
    assert (found[0, 1:] < image.norm.vmin).all()
    assert found[1, 3] < image.norm.vmin
    assert (image.norm.vmin, image.norm.vmax) == (0.0, 3.0)
    (ground,) = panel.patches
    assert ground.get_hatch()
    assert ground.get_zorder() < image.get_zorder()
    assert image.to_rgba(np.ma.masked_all(1))[0, 3] == 0.0, "a hole lets the hatched ground through"
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["0", "2", "3", "not judged", "no result"]


def test_many_grades_have_a_scale() -> None:
    """Ten different grades are read from a scale; the legend has what is no grade."""
    judgments = {"q": {f"d{i}": i / 10 for i in range(10)}}
    figure = ir.plots.grades(ir.evaluate(judgments, {"q": {f"d{i}": 10.0 - i for i in range(10)}}, ["DCG"]))
    _, scale = figure.axes
    assert scale.get_ylabel() == "grade"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["not judged", "no result"]


def test_grades_get_darker() -> None:
    """The higher the grade, the darker its colour, so that it is read without colour, too."""
    judgments, runs = random_world(1, queries=10)
    (panel, _) = ir.plots.grades(ir.evaluate(judgments, runs, ["nDCG@10"])).axes
    (image,) = panel.images
    light = image.to_rgba(np.array([0.0, 1.0, 2.0, 3.0]))[:, :3] @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(light) < -0.1).all()


def test_segments_of_scores() -> None:
    """Means of the two queries of each kind, one panel a system; Student's interval ends at 0 and at 1.

    Of 1 and 1/2 it is 0.75 ± 3.2: all that RR can be, so none is drawn. Of ten times 1/4 and 1/2 it is within.
    """
    first, second = ir.plots.segments(two().scores, by="kind").axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["brand (2)", "other (2)"]
    for panel, values in ((first, OLD), (second, NEW)):
        assert panel.containers[0][0].get_xdata().tolist() == [np.mean(values[:2]), np.mean(values[2:])]
        assert not np.isfinite(panel.containers[0][2][0].get_segments()[1]).any()
    ranks = {f"q{q:03}": 4 if q % 2 else 2 for q in range(20)}
    kinds = {"query_id": list(ranks), "kind": ["brand"] * 10 + ["other"] * 10}
    scores = ir.evaluate(one_relevant(20), reciprocal(ranks), ["RR"], queries=kinds)
    span = stats.ttest_1samp([0.5, 0.25] * 5, 0.0).confidence_interval(0.95)
    assert interval(ir.plots.segments(scores, by="kind").axes[0], 1) == pytest.approx((span.low, span.high))


def test_weights_count_in_segments() -> None:
    """RR of 1 and 1/2 with the weights 3 and 1 make 7/8; a query of weight 0 is not counted."""
    weights = {"q000": 3, "q001": 1, "q002": 0, "q003": 1}
    panel = ir.plots.segments(two(weights=weights).scores, by="kind", system="old").axes[0]
    assert panel.containers[0][0].get_xdata().tolist() == [0.875, 0.5]
    assert [label.get_text() for label in panel.get_yticklabels()] == ["brand (2)", "other (1)"]


def test_segments_of_a_comparison() -> None:
    """Mean differences of the two queries of each kind: 0 and 1/2 make 1/4, 1/4 and -1/4 make 0."""
    (panel,) = ir.plots.segments(two(level=0.5)).axes
    assert panel.containers[0][0].get_xdata().tolist() == [0.25, 0.0]
    span = stats.ttest_1samp([0.25, -0.25], 0.0).confidence_interval(0.5)
    assert interval(panel, 1) == pytest.approx((span.low, span.high))


def test_differences() -> None:
    """Bars of 1/2, 1/4, 0 and -1/4, the greatest gain first, with the queries below and the counts above."""
    (panel,) = ir.plots.differences(two()).axes
    assert [bar.get_height() for bar in panel.patches] == [0.5, 0.25, 0.0, -0.25]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["q001", "q002", "q000", "q003"]
    assert title(panel) == "new vs old\n▲ 2 better  = 1 equal  ▼ 1 worse, mean +0.1250"
    zero, mean = panel.lines
    assert (zero.get_ydata()[0], mean.get_ydata()[0]) == (0.0, 0.125)


def test_differences_of_what_is_better_low() -> None:
    """Where less is better a bar below 0 is a gain, and comes first."""
    judgments = one_relevant(3)
    runs = {"old": reciprocal({"q000": 3, "q001": 2, "q002": 1}), "new": reciprocal({"q000": 1, "q001": 2, "q002": 2})}
    (panel,) = ir.plots.differences(ir.compare(judgments, runs, ["ARP"], draws=200)).axes
    heights = [bar.get_height() for bar in panel.patches]
    assert heights == sorted(heights)
    assert "▲ 1 better  = 1 equal  ▼ 1 worse" in title(panel)
    assert panel.patches[0].get_facecolor() != panel.patches[2].get_facecolor()


def test_many_differences_are_steps() -> None:
    """With 300 queries two areas hold the gains and the losses, every query one step wide."""
    judgments, runs = random_world(1, queries=300)
    found = ir.compare(judgments, runs, ["nDCG@10"], draws=100)
    (panel,) = ir.plots.differences(found).axes
    values = found.scores.of("nDCG@10", "s1") - found.scores.of("nDCG@10", "s0")
    gains, losses = (patch.get_data().values for patch in panel.patches)
    assert np.allclose(gains + losses, np.sort(values)[::-1], rtol=0, atol=1e-12)
    assert (gains >= 0).all()
    assert (losses <= 0).all()


def test_scatter() -> None:
    """The baseline goes across, the system up; gains, losses and equal values have each a marker of their own."""
    (panel,) = ir.plots.scatter(two()).axes
    equal, better, worse, diagonal = panel.lines
    points = {
        line.get_marker(): list(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in (equal, better, worse)
    }
    assert points == {".": [(1.0, 1.0)], "^": [(0.5, 1.0), (0.25, 0.5)], "v": [(0.5, 0.25)]}
    assert (diagonal.get_xdata() == diagonal.get_ydata()).all()
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("old", "new")
    assert panel.get_xlim() == panel.get_ylim()


def test_overlap() -> None:
    """Lists of 2 documents that share both, one, none: Jaccard 1, 1/3, 0, each line in falling order."""
    judgments = {key: {"a": 1} for key in ("q", "r", "s")}
    old = {key: {"a": 2.0, "b": 1.0} for key in judgments}
    new = {"q": {"c": 2.0, "d": 1.0}, "r": {"a": 2.0, "b": 1.0}, "s": {"a": 2.0, "c": 1.0}}
    (panel,) = ir.plots.overlap(ir.compare(judgments, {"old": old, "new": new}, ["RR"], draws=100)).axes
    jaccard, rbo = panel.lines
    assert jaccard.get_ydata().tolist() == [1.0, 1 / 3, 0.0]
    expected = [ir.rbo(["a", "b"], list(found)).extrapolated for found in (new["r"], new["s"], new["q"])]
    assert rbo.get_ydata().tolist() == pytest.approx(expected)
    assert jaccard.get_linestyle() != rbo.get_linestyle()


def test_intervals() -> None:
    """Each panel has the differences in the order of the systems, with zero, and the margin of the deciding measure."""
    runs = {name: reciprocal({f"q{q:03}": 1 + (q * s) % 4 for q in range(9)}) for s, name in enumerate("abc")}
    found = ir.compare(one_relevant(9), runs, ["RR", "P@1"], baseline="a", margin=0.125, tolerance=0.25, draws=200)
    for panel, measure, bar in zip(ir.plots.intervals(found).axes, ("RR", "P@1"), (0.125, -0.25), strict=True):
        table = {row["system"]: row for row in found.differences if row["measure"] == measure}
        for place, system in enumerate("bc"):
            dot, _, (bars,) = panel.containers[place]
            row = table[system]
            assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (row["difference"], place)
            assert bars.get_segments()[0][:, 0] == pytest.approx([row["corrected low"], row["corrected high"]])
        lines = [line.get_xdata()[0] for line in panel.lines if len(line.get_xdata()) == 2]
        assert lines == [0.0, bar]
    assert [label.get_text() for label in ir.plots.intervals(found).axes[0].get_yticklabels()] == ["b", "c"]


def test_the_margin_where_less_is_better() -> None:
    """The bar lies below 0: to gain the margin is to lower the measure by it."""
    runs = {"old": reciprocal({"q000": 3, "q001": 2}), "new": reciprocal({"q000": 1, "q001": 2})}
    (panel,) = ir.plots.intervals(ir.compare(one_relevant(2), runs, ["ARP"], margin=0.5, draws=200)).axes
    assert [line.get_xdata()[0] for line in panel.lines if len(line.get_xdata()) == 2] == [0.0, -0.5]


def test_the_marker_of_an_interval_tells_its_side() -> None:
    """An interval above 0 has ▲, one below it ▼, one that holds it a dot; where less is better they change places."""
    queries = [f"q{q:03}" for q in range(8)]
    worse = {key: 3 + place % 2 for place, key in enumerate(queries)}
    runs = {"a": reciprocal(dict.fromkeys(queries, 1)), "b": reciprocal(worse)}
    for measure, marker in (("RR", "v"), ("ARP", "v")):
        (panel,) = ir.plots.intervals(ir.compare(one_relevant(8), runs, [measure], draws=200)).axes
        assert panel.containers[0][0].get_marker() == marker
    turned = {"b": runs["b"], "a": runs["a"]}
    for measure in ("RR", "ARP"):
        (panel,) = ir.plots.intervals(ir.compare(one_relevant(8), turned, [measure], draws=200)).axes
        assert panel.containers[0][0].get_marker() == "^"
    same = {"b": runs["b"], "c": runs["b"]}
    (panel,) = ir.plots.intervals(ir.compare(one_relevant(8), same, ["RR"], draws=200)).axes
    assert panel.containers[0][0].get_marker() == "o"


def test_segments_count_the_queries_of_each_panel() -> None:
    """Where systems have values for other queries, a segment names the count of each panel."""
    judged = {query: {"d": 1} for query in "abcd"}
    runs = {"full": {query: {"d": 1.0} for query in "abcd"}, "part": {query: {"d": 1.0} for query in "ad"}}
    table = {"query_id": list("abcd"), "kind": ["x", "x", "x", "y"]}
    scores = ir.evaluate(judged, runs, ["RR"], queries=table, no_results="skip")
    labels = [text.get_text() for text in ir.plots.segments(scores, by="kind").axes[0].get_yticklabels()]
    assert labels == ["x (3, 1)", "y (1)"]
