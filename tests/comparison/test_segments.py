"""The table of segments: numbers against SciPy and sums, false discovery by simulation."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

import idealrank as ir
from idealrank.comparison.contrasts import Methods
from idealrank.comparison.segments.segments import Segment, Segments
from tests.amounts import costly
from tests.comparison.pairs import attribute, segments, shop

RNG = np.random.default_rng(11)
KINDS = [("brand", "problem", "category")[i % 3] for i in range(60)]
D = RNG.normal(0.05, 0.2, 60)
W = 1 + RNG.pareto(1.5, 60)


def by_name(found: Segments) -> dict[str, Segment]:
    """Return the rows by their segment."""
    return {row.name: row for row in found.rows}


def test_rows_are_those_of_scipy() -> None:
    """Mean and interval of a segment are those of SciPy's t test of its differences; p is drawn by hand."""
    rows = by_name(segments([D], {"kind": attribute(KINDS)}, methods=Methods(draws=10_000)))
    assert list(rows) == ["brand", "category", "problem"]
    for name, row in rows.items():
        d = D[np.array(KINDS) == name]
        theirs = stats.ttest_1samp(d, 0)
        ends = theirs.confidence_interval(0.95)
        assert (row.queries, row.wins, row.ties, row.losses) == (20, (d > 0).sum(), 0, (d < 0).sum())
        assert row.share == pytest.approx(1 / 3, abs=1e-15)
        assert (row.difference, row.low, row.high) == pytest.approx((d.mean(), ends.low, ends.high), abs=1e-12)
        assert row.p == pytest.approx(p_by_hand(d, D), abs=0.02)


def test_corrected_p_is_that_of_scipy() -> None:
    """The corrected p is over all rows of the table, of all systems and attributes, as SciPy corrects it."""
    d = [D, D + 0.05, D * 2]
    found = segments(d, {"kind": attribute(KINDS), "odd": attribute(["yes", "no"] * 30)})
    assert len(found.rows) == 3 * (3 + 2)
    theirs = stats.false_discovery_control([row.p for row in found.rows], method="bh")
    assert [row.corrected for row in found.rows] == pytest.approx(theirs.tolist(), abs=1e-12)


@pytest.mark.parametrize("weights", [None, W])
def test_contributions_add_up(weights: np.ndarray | None) -> None:
    """Within one attribute shares add up to 1, and contributions to the (weighted) difference of all, within 1e-12."""
    labels = [None if i % 7 == 0 else kind for i, kind in enumerate(KINDS)]
    found = segments([D], {"kind": attribute(labels), "odd": attribute(["yes", "no"] * 30)}, weights=weights)
    total = np.average(D, weights=weights)
    for name in ("kind", "odd"):
        rows = [row for row in found.rows if row.attribute == name]
        assert math.fsum(row.contribution for row in rows) == pytest.approx(total, abs=1e-12)
        assert math.fsum(row.share for row in rows) == pytest.approx(1, abs=1e-12)
        assert sum(row.queries for row in rows) == 60
        for row in rows:
            assert row.contribution == pytest.approx(row.share * row.difference, abs=1e-15)


def test_queries_without_the_attribute() -> None:
    """Queries that have no value of the attribute are a segment of their own, the last, and counted."""
    rows = by_name(segments([D], {"kind": attribute(["a", "b", None] * 20)}))
    assert {name: row.queries for name, row in rows.items()} == {"a": 20, "b": 20, "(none)": 20}
    assert rows["(none)"].difference == pytest.approx(D[2::3].mean(), abs=1e-15)


def test_one_query_has_no_interval() -> None:
    """A segment of one query has its difference, but no interval and no p, says so, and is no test in the family."""
    labels = ["alone", *(["a", "b"] * 10), "b"]
    rows = by_name(segments([D[:22]], {"kind": attribute(labels)}, names=("kind",)))
    row = rows["alone"]
    assert (row.queries, row.difference, row.note) == (1, D[0], "one query: no interval")
    assert np.isnan([row.low, row.high, row.p, row.corrected]).all()
    p = [rows["a"].p, rows["b"].p]
    expected = stats.false_discovery_control(p, method="bh")
    assert [rows["a"].corrected, rows["b"].corrected] == pytest.approx(expected.tolist(), abs=1e-15)


def test_equal_differences_are_no_certainty() -> None:
    """Five queries that change by the same amount have p = 2/32, by the flips of their signs, and no interval."""
    d = [0.5] * 5 + [0.1, 0.2, -0.1, 0.3, 0.1]
    rows = by_name(segments([d], {"kind": attribute(["a"] * 5 + ["b"] * 5)}))
    assert (rows["a"].p, rows["a"].note) == (1 / 16, "equal differences: no interval, p by sign flips")
    assert math.isnan(rows["a"].low)
    assert rows["b"].note == ""


def test_few_queries_are_not_tested() -> None:
    """A segment of fewer than five queries has its difference and interval, but no p, and says so."""
    rows = by_name(segments([D[:12]], {"kind": attribute(["few"] * 4 + ["b"] * 8)}))
    assert (math.isnan(rows["few"].p), rows["few"].note) == (True, "fewer than 5 queries: no test")
    assert rows["few"].low < rows["few"].difference < rows["few"].high
    assert rows["b"].corrected == rows["b"].p


def p_by_hand(d: np.ndarray, every: np.ndarray) -> float:
    """Draw as many queries from all, moved to mean 0, and count the draws as far out."""
    rng, moved = np.random.default_rng(5), every - every.mean()
    drawn = stats.ttest_1samp(rng.choice(moved, (4_000, len(d))), 0, axis=1).statistic
    t = stats.ttest_1samp(d, 0).statistic
    return float(min(1.0, 2 * min((drawn <= t).mean(), (drawn >= t).mean())))


@pytest.mark.parametrize("weighted", [False, True])
def test_skewed_differences_are_no_discovery(weighted: bool) -> None:
    """Differences of mean 0 that are skewed alike in ten segments of ten seldom have a corrected p of at most 5 %.

    Exponential differences gave 31 % by t tests; bound: three Monte Carlo errors above 5 %.
    """
    sets, rng, named = costly(60, 25), np.random.default_rng(3), 0
    kinds = attribute([f"v{i % 10}" for i in range(100)])
    weights = [1.0, 2.0] * 50 if weighted else None
    for _ in range(sets):
        d = rng.exponential(size=100) - 1
        found = segments([d], {"kind": kinds}, methods=Methods(draws=999), weights=weights)
        named += np.nanmin([row.corrected for row in found.rows]) <= 0.05
    assert named / sets <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / sets)


def test_a_change_in_one_segment_is_found() -> None:
    """What every query of a segment gains beyond chance is found, small as the segment is."""
    d = D[:60] - D[:60].mean()
    d[:10] += 3 * d.std()
    rows = by_name(segments([d], {"kind": attribute(["a"] * 10 + ["b"] * 25 + ["c"] * 25)}))
    assert rows["a"].corrected <= 0.05


def test_a_segment_without_paired_queries() -> None:
    """A segment whose queries have no value in both systems is shown with 0 queries and adds nothing."""
    found = segments([[math.nan, math.nan, 0.1, 0.3]], {"kind": attribute(["a", "a", "b", "b"])}, names=("kind",))
    rows = by_name(found)
    assert (rows["a"].queries, rows["a"].share, rows["a"].contribution) == (0, 0.0, 0.0)
    assert rows["a"].note == "no query with a value in both"
    assert rows["b"].contribution == pytest.approx(0.2)


def test_queries_of_weight_0_are_in_no_segment() -> None:
    """A query of weight 0 is not counted among the queries of its segment."""
    weights = [0.0] + [1.0] * 9
    rows = by_name(segments([D[:10]], {"kind": attribute(["a", "b"] * 5)}, weights=weights))
    assert (rows["a"].queries, rows["b"].queries) == (4, 5)
    assert rows["a"].difference == pytest.approx(D[2:10:2].mean(), abs=1e-15)


def test_false_discovery_on_overlapping_segments() -> None:
    """Where nothing differs, any of 11 overlapping segments has a corrected p of 5 % in at most 5 % of data sets.

    60 queries, half of their differences 0, in steps of 0.5 as those of RR; bound: three Monte Carlo errors above.
    """
    sets, rng = costly(100, 50), np.random.default_rng(2)
    named = 0
    kinds = {f"by {k}": attribute([f"v{i}" for i in rng.integers(0, k, 60)]) for k in (2, 3, 6)}
    d = rng.choice([0, 0, 0.5, -0.5, 1, -1], (sets, 60))
    for row in d:
        found = segments([row], kinds, names=tuple(kinds))
        assert len(found.rows) == 11
        named += np.nanmin([row.corrected for row in found.rows]) <= 0.05
    assert named / sets <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / sets)


def test_tables_do_not_depend_on_the_order_of_queries() -> None:
    """Rows of judgments in another order give the same numbers to the last digit, explained set and p included."""
    judgments = {f"q{i}": {"d": 1, "e": i % 4} for i in range(30)}
    a = {key: {"d": 2.0, "e": 1.0} for key in judgments}
    b = {key: {"d": 1.0, "e": 1.0 + int(key[1:]) % 3} for key in judgments}
    kinds = {"query_id": list(judgments), "kind": ["x", "y", "z"] * 10}
    found = [
        ir.compare(
            {key: judgments[key] for key in order},
            {"a": a, "b": b},
            ["nDCG"],
            queries=kinds,
            segments="kind",
            draws=200,
        )
        for order in (list(judgments), list(judgments)[::-1])
    ]
    assert found[0].segments.to_dict() == found[1].segments.to_dict()


def test_values_per_query_name_their_segment() -> None:
    """The table per query has a column with the segment of each query; of several attributes one each."""
    table = shop(segments="segment").per_query
    assert dict(zip(table["query"], table["segment"], strict=True))["q19"] == "brand"
    table = shop(segments=["segment", "results"]).per_query
    found = dict(zip(table["query"], table["segment results"], strict=True))
    assert (found["q19"], found["q01"], table["segment segment"][0]) == ("one", "both", "category")
    assert not [name for name in shop().per_query.columns if name.startswith("segment")]


def test_means_of_the_shop() -> None:
    """The segments of the example have the means that its README states."""
    rows = {row.name: row for row in shop(segments="segment").segments.rows if row.measure == "nDCG@10"}
    for name, stated in {"category": (0.7382, 0.7815), "brand": (0.7318, 0.7112), "problem": (0.7173, 0.8029)}.items():
        assert (rows[name].baseline_mean, rows[name].mean) == pytest.approx(stated, abs=5.1e-5)


def test_wins_where_less_is_better() -> None:
    """Fallout is the less the better: a query in which the bad document falls out of the top is a win, everywhere."""
    graded = {f"q{i}": {"d": 1, "e": 0} for i in range(4)}
    worse = {key: {"d": 1.0, "e": 2.0} for key in graded}
    better = {key: {"d": 2.0, "e": 1.0} for key in graded}
    kinds = {"query_id": list(graded), "kind": ["a", "a", "b", "b"]}
    found = ir.compare(graded, {"one": worse, "two": better}, ["Fallout@1"], queries=kinds, segments="kind")
    contrast = found["Fallout@1"]
    assert (contrast.difference, contrast.wins, contrast.losses) == (-1.0, 4, 0)
    assert [(row.difference, row.wins, row.losses) for row in found.segments.rows] == [(-1.0, 2, 0)] * 2
    frequency = {key: i + 1 for i, key in enumerate(graded)}
    lost = ir.compare(graded, {"one": better, "two": worse}, ["Fallout@1"], weights=frequency).lost_value(1)
    assert (lost["query"], lost["lost"]) == (["q3"], [4.0])


def test_plain_values_are_json() -> None:
    """The segments can be written as JSON, with NaN as null, and stand in the comparison's where asked for."""
    whole = json.loads(shop(segments=["segment", "digit"]).to_json())
    alone = next(row for row in whole["segments"]["rows"] if (row["attribute"], row["segment"]) == ("digit", "yes"))
    assert (alone["queries"], alone["low"], alone["p"]) == (1, None, None)
    assert list(whole["segments"]["explains"]) == ["hybrid"]
    assert "segments" not in json.loads(shop().to_json())


def test_explains_names_its_pair() -> None:
    """Of several systems the one to explain is named; a measure is taken by any of its names."""
    found = segments([D, D], {"kind": attribute(KINDS)}, methods=Methods(draws=100))
    with pytest.raises(ir.UsageError, match="Several systems: s0, s1"):
        found.explains()
    assert found.explains("mrr", "s1").sentence == found.explains(system="s0").sentence


def test_as_text_and_html() -> None:
    """As text and HTML the rows, what explains the change, and how segments are made; words from data are escaped."""
    found = segments([D, D], {"<i>": attribute(KINDS)}, methods=Methods(draws=100))
    text = repr(found)
    assert "s0: No segment explains the change in RR" in text
    assert "<i>: column <i> of the queries table" in text
    assert "false discovery over all 6 (Benjamini and Hochberg 1995)" in " ".join(text.split())
    html = found._repr_html_()
    assert "<td" in html
    assert "&lt;i&gt;: column" in html
    assert "<i>" not in html
    assert "segment=brand" in repr(shop(segments="segment"))
    assert "column segment of the queries table" in shop(segments="segment")._repr_html_()


def test_many_systems_are_explained_when_asked_for() -> None:
    """Text explains ten systems, and says how to ask for the others."""
    text = repr(segments([D] * 12, {"kind": attribute(KINDS)}, methods=Methods(draws=100)))
    assert text.count("No segment explains") == 10
    assert "2 more systems: ask for each, as segments.explains(system='s11')" in text
