"""overlap: the sets two systems returned, before anybody asks which is better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import idealrank as ir
from idealrank.overlaps import in_brief, summary, warnings
from tests.api.worlds import RANDOMLY, RESULTS, Nested, nested, several

A = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d1": 1.0}}
B = {"q1": {"d1": 3.0, "d4": 2.0, "d3": 1.0}, "q3": {"d9": 1.0}}
SEEDS = Path(__file__).parents[1] / "golden" / "seeds" / "000.json"


def test_by_hand() -> None:
    """Jaccard is intersection over union; the sets stand beside it, sorted."""
    rows = {row["query"]: row for row in ir.overlap(A, B)}
    assert rows["q1"] == {
        "query": "q1",
        "jaccard": 0.5,
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
    """A query both list without results is alike: 1, and a note."""
    nothing = {"query": ["q"], "doc": [None], "rank": [1]}
    assert next(iter(ir.overlap(nothing, nothing))) == {
        "query": "q", "jaccard": 1.0, "a": (), "b": (), "intersection": (), "union": (),
        "note": "neither returned anything",
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
    with pytest.raises(ir.UsageError, match="gain does not change which documents a list holds"):
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


def test_in_brief() -> None:
    """For a reader: what both have as a count, what one alone has by name, and the mean in a sentence."""
    table = ir.overlap(A, B)
    brief = in_brief(table)
    assert brief.columns == ["query", "jaccard", "in both", "only in a", "only in b", "note"]
    assert next(iter(brief)) == {
        "query": "q1", "jaccard": 0.5, "in both": 2, "only in a": ("d2",), "only in b": ("d4",), "note": "",
    }  # fmt: skip
    assert summary(table) == "mean Jaccard 0.1667 over 3 queries; 1 answered by a alone; 1 answered by b alone"
    assert "note" not in in_brief(ir.overlap(A, A)).columns
    assert summary(ir.overlap(A, A)) == "mean Jaccard 1.0000 over 2 queries"


def test_ids_that_differ_by_spelling() -> None:
    """Ids that would be the same but for their spelling are noted, and warned of."""
    table = ir.overlap({"q": {"D1": 2, "d2": 1}, "Q7": {"a": 1}}, {"q": {"d1": 2, "d2": 1}, "q7": {"a": 1}})
    notes = dict(zip(table["query"], table["note"], strict=True))
    assert notes["q"] == "not the same: document ids differ by letter case ('D1' in a, 'd1' in b)"
    assert notes["q7"] == (
        "only b returned anything; not the same: query ids differ by letter case ('Q7' in a, 'q7' in b)"
    )
    assert sorted(warnings(table)) == [
        "document ids differ by letter case ('D1' in a, 'd1' in b); taken as different in 1 query",
        "query ids differ by letter case ('Q7' in a, 'q7' in b); taken as different in 2 queries",
    ]
    assert "answered by a alone" in summary(table)


@pytest.mark.parametrize("k", ["x", 0, 1.5, None])
def test_a_cutoff_is_a_whole_number(k: Any) -> None:
    """What is no whole number from 1 up is refused by every function that takes a cutoff."""
    calls = [lambda: ir.replay(["a"], list, k=k), lambda: ir.ideal_dcg(k, 3), lambda: ir.overlap(A, A, k=k)]
    for call in calls[: 2 if k is None else 3]:
        with pytest.raises(ir.UsageError, match="the cutoff k is a whole number from 1 up"):
            call()
