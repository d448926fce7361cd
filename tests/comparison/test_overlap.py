"""overlap: the sets two systems returned, before anybody asks which is better."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from scipy.stats import kendalltau

import idealrank as ir
from idealrank.comparison.overlap import overlap_row as in_brief, overlap_summary, spelling_warnings
from idealrank.statistics.rank_overlap import rbo
from tests.evaluation.worlds import RANDOMLY, RESULTS, Nested, nested, several

A = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d1": 1.0}}
B = {"q1": {"d1": 3.0, "d4": 2.0, "d3": 1.0}, "q3": {"d9": 1.0}}
BOUNDS = {
    "q1": {
        "rbo": pytest.approx(0.685),  # A_d = 1, 1/2, 2/3: 0.1 · 1 + 0.09 / 2 + 0.81 · 2/3
        "rbo_low": pytest.approx((-0.9 - 0.81 / 2 + 2 * math.log(10)) / 9),
        "rbo_high": pytest.approx(0.1 + 0.09 / 2 + 0.081 * 2 / 3 + 0.0729 * 4 / 4 + 0.9**4),
    }
}
SEEDS = Path(__file__).parents[1] / "golden" / "seeds" / "000.json"


def test_by_hand() -> None:
    """Jaccard is intersection over union; the sets stand beside it, sorted."""
    rows = {row["query"]: row for row in ir.overlap(A, B)}
    assert rows["q1"] == {
        "query": "q1",
        "jaccard": 0.5,
        "overlap": 2 / 3,
        **BOUNDS["q1"],
        "churn": 1 / 3,
        "rank_move": 0.0,
        "tau": 1.0,
        "tau_ap": 1.0,
        "a": ("d1", "d2", "d3"),
        "b": ("d1", "d3", "d4"),
        "intersection": ("d1", "d3"),
        "union": ("d1", "d2", "d3", "d4"),
        "note": "",
    }


def test_queries_of_one_system_only() -> None:
    """A query that one system alone answered has 0 and a note, and is not dropped (B102)."""
    rows = {row["query"]: row for row in ir.overlap(A, B)}
    assert (rows["q2"]["jaccard"], rows["q2"]["note"]) == (0.0, "only a returned anything")
    assert (rows["q3"]["jaccard"], rows["q3"]["note"]) == (0.0, "only b returned anything")


def test_neither_returned_anything() -> None:
    """A query both list without results is alike: 1, and a note; nothing is new, and nothing moved."""
    nothing = {"query": ["q"], "doc": [None], "rank": [1]}
    row = next(iter(ir.overlap(nothing, nothing)))
    assert all(math.isnan(row.pop(name)) for name in ("churn", "rank_move", "tau", "tau_ap"))
    assert row == {
        "query": "q", "jaccard": 1.0, "overlap": 1.0, "rbo": 1.0, "rbo_low": 0.0, "rbo_high": 1.0,
        "a": (), "b": (), "intersection": (), "union": (), "note": "neither returned anything",
    }  # fmt: skip


def test_the_first_k() -> None:
    """With k only the first k results count, by the order that counts elsewhere."""
    assert ir.overlap(A, B, k=1)["jaccard"][0] == 1.0
    assert ir.overlap(A, B, k=2)["jaccard"][0] == pytest.approx(1 / 3)
    ranked = {"query": ["q", "q"], "doc": ["d1", "d2"], "rank": [2, 1]}
    assert ir.overlap(ranked, ranked, k=1)["a"] == [("d2",)]
    for wrong in (0, -1):
        with pytest.raises(ir.UsageError, match="from 1 up"):
            ir.overlap(A, B, k=wrong)


def test_ties_at_the_cut() -> None:
    """Which of two tied results is first follows the decision `ties`; those that need grades are refused."""
    tied = {"q": {"d1": 1.0, "d2": 1.0}}
    assert ir.overlap(tied, tied, k=1)["a"] == [("d2",)]
    assert ir.overlap(tied, tied, k=1, ties="docid_asc")["a"] == [("d1",)]
    for ties in ("average", "best", "worst"):
        with pytest.raises(ir.UsageError, match="needs grades"):
            ir.overlap(tied, tied, ties=ties)


def test_decisions_that_change_no_list() -> None:
    """A decision that does not shape a list is refused; an unknown one is answered by the nearest."""
    with pytest.raises(ir.UsageError, match="gain does not change which documents a list contains"):
        ir.overlap(A, B, gain="exp2")
    with pytest.raises(ir.UsageError, match="Did you mean ties"):
        ir.overlap(A, B, tiess="given")


def test_two_systems_in_one_table() -> None:
    """One table of two systems is both sides; other numbers of systems are refused."""
    assert ir.overlap(several(RESULTS))["jaccard"] == [1.0, 1.0, 1.0]
    with pytest.raises(ir.UsageError, match=r"two systems.*found 1 \(results\)"):
        ir.overlap(A)
    with pytest.raises(ir.UsageError, match=r"found 2 \(up, down\) and 1"):
        ir.overlap(several(RESULTS), A)


def test_the_notebooks_case() -> None:
    """The Jaccard of notebook 000, cell 25, with its sets."""
    document = json.loads(SEEDS.read_text("utf-8"))
    case = next(case for case in document["cases"] if case["id"] == "s000-21")
    systems = document["data"][case["data"]]["systems"]
    sides = [[dict(zip(rows[0], row, strict=True)) for row in rows[1:]] for rows in systems.values()]
    found = {row["query"]: row for row in ir.overlap(*sides)}
    for query, value in case["expected"]["per_query"].items():
        assert found[query]["jaccard"] == pytest.approx(value, abs=case["tolerance"])
        assert list(found[query]["intersection"]) == case["expected"]["intersection"][query]
        assert list(found[query]["union"]) == case["expected"]["union"][query]


@RANDOMLY
@given(nested(st.sampled_from([1.0, 2.0, 3.0])), nested(st.sampled_from([1.0, 2.0, 3.0])), st.integers(1, 4))
def test_on_random_data(a: Nested, b: Nested, k: int) -> None:
    """Against plain sets: the first k of each by score, then document id, descending."""

    def first(row: dict[str, float]) -> set[str]:
        return set(sorted(row, key=lambda doc: (row[doc], doc), reverse=True)[:k])

    found = {row["query"]: row for row in ir.overlap(a, b, k=k)}
    assert found.keys() == {*a, *b}
    for query, row in found.items():
        left, right = first(a.get(query, {})), first(b.get(query, {}))
        assert row["jaccard"] == len(left & right) / len(left | right)
        assert [set(row[name]) for name in ("a", "b", "intersection", "union")] == [
            left, right, left & right, left | right,
        ]  # fmt: skip


ODD = {"q": {"a": 4.0, "b": 3.0, "c": 3.0, "d": 1.0}}
EVEN = {"q": {"b": 9.0, "a": 8.0, "e": 8.0, "d": 7.0, "f": 1.0}}


def test_ranks_that_moved() -> None:
    """Rank moves, churn and tau are those of the shared documents; ties count as ties."""
    row = next(iter(ir.overlap(ODD, EVEN)))
    # Tied documents stand by id, descending: a c b d against b e a d f.
    assert row["rank_move"] == pytest.approx((abs(3 - 1) + abs(4 - 4) + abs(3 - 1)) / 3)
    assert row["churn"] == 2 / 5
    assert row["overlap"] == 3 / 5
    assert row["tau"] == pytest.approx(kendalltau([1, 2, 4], [2, 1, 4]).statistic)
    tied = next(iter(ir.overlap({"q": {"a": 2.0, "b": 1.0, "c": 1.0}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}})))
    assert tied["tau"] == pytest.approx(kendalltau([1, 2, 2], [1, 2, 3]).statistic)


@pytest.mark.parametrize("ties", ["a", "b", "w"])
def test_rank_biased_overlap_of_the_lists(ties: str) -> None:
    """The rbo is that of the two rankings with their ties, at the p asked for; with k that of their first k."""
    rankings: list[Any] = ["a", {"b", "c"}, "d"], ["b", {"a", "e"}, "d", "f"]
    expected = rbo(*rankings, p=0.6, ties=ties)
    row = next(iter(ir.overlap(ODD, EVEN, p=0.6, rbo_ties=ties)))
    assert (row["rbo"], row["rbo_low"], row["rbo_high"]) == pytest.approx(
        (expected.extrapolated, expected.low, expected.high), abs=1e-12
    )
    cut = rbo(["a", "c"], ["b", "e"], p=0.6, ties=ties)  # which of the tied stands first is what `ties` says
    assert ir.overlap(ODD, EVEN, p=0.6, rbo_ties=ties, k=2)["rbo_high"] == pytest.approx([cut.high], abs=1e-12)


def test_ranks_left_out() -> None:
    """With rank_gaps=keep a rank left out holds a document nobody knows: it is shared with none."""
    gaps = {"query": ["q"] * 2, "doc": ["a", "b"], "rank": [1, 3]}
    whole = {"query": ["q"] * 3, "doc": ["a", "b", "c"], "rank": [1, 2, 3]}
    row = next(iter(ir.overlap(gaps, whole, rank_gaps="keep")))
    assert row["rbo"] == pytest.approx(rbo(["a", "?", "b"], ["a", "b", "c"]).extrapolated, abs=1e-12)
    assert row["rank_move"] == 0.5


def test_persistence_and_reading_of_ties_are_checked() -> None:
    """A persistence beyond 0 to 1 and a reading of ties nobody knows are refused with what is allowed."""
    with pytest.raises(ir.UsageError, match=r"p=1\.5: the persistence"):
        ir.overlap(A, B, p=1.5)
    with pytest.raises(ir.UsageError, match=r"rbo_ties=z is not an answer\. Allowed: a, b, w"):
        ir.overlap(A, B, rbo_ties="z")


def test_in_brief() -> None:
    """For a reader: what both have as a count, what one alone has by name, and the mean in a sentence."""
    table = ir.overlap(A, B)
    brief = in_brief(table)
    assert brief.columns == [
        "query", "jaccard", "rbo", "churn", "rank move", "in both", "only in a", "only in b", "note",
    ]  # fmt: skip
    assert next(iter(brief)) == {
        "query": "q1", "jaccard": 0.5, "rbo": pytest.approx(0.685), "churn": 1 / 3, "rank move": 0.0,
        "in both": 2, "only in a": ("d2",), "only in b": ("d4",), "note": "",
    }  # fmt: skip
    low, high = (BOUNDS["q1"][name].expected / 3 for name in ("rbo_low", "rbo_high"))
    assert overlap_summary(table) == (
        f"mean Jaccard 0.1667, overlap 0.2222, RBO 0.2283 ({low:.4f} to {high + 2 / 3:.4f}), churn 0.6667, rank move "
        "0.0000, tau 1.0000, AP correlation 1.0000 over 3 queries; 1 answered by a alone; 1 answered by b alone"
    )
    assert "note" not in in_brief(ir.overlap(A, A)).columns
    assert overlap_summary(ir.overlap(A, A)).startswith("mean Jaccard 1.0000, overlap 1.0000, RBO 1.0000 (")


def test_ids_that_differ_by_spelling() -> None:
    """Ids that would be the same but for their spelling are noted, and warned of."""
    table = ir.overlap({"q": {"D1": 2, "d2": 1}, "Q7": {"a": 1}}, {"q": {"d1": 2, "d2": 1}, "q7": {"a": 1}})
    notes = dict(zip(table["query"], table["note"], strict=True))
    assert notes["q"] == "not the same: document ids differ by letter case ('D1' in a, 'd1' in b)"
    assert notes["q7"] == (
        "only b returned anything; not the same: query ids differ by letter case ('Q7' in a, 'q7' in b)"
    )
    assert sorted(spelling_warnings(table)) == [
        "document ids differ by letter case ('D1' in a, 'd1' in b); taken as different in 1 query",
        "query ids differ by letter case ('Q7' in a, 'q7' in b); taken as different in 2 queries",
    ]
    assert "answered by a alone" in overlap_summary(table)


@pytest.mark.parametrize("k", ["x", 0, 1.5, None])
def test_a_cutoff_is_a_whole_number(k: Any) -> None:
    """What is no whole number from 1 up is refused by every function that takes a cutoff."""
    calls = [lambda: ir.replay(["a"], list, k=k), lambda: ir.ideal_dcg(k, 3), lambda: ir.overlap(A, A, k=k)]
    for call in calls[: 2 if k is None else 3]:
        with pytest.raises(ir.UsageError, match="the cutoff k is a whole number from 1 up"):
            call()
