"""A change taken apart: by hand, exactly, and as the labels and lists themselves say."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.regression.baseline import baseline_of
from idealrank.regression.history import change_between

LABELS = st.dictionaries(
    st.sampled_from("qrs"), st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2), min_size=1)
).map(lambda labels: {"p": dict.fromkeys("abcd", 1), **labels})  # something of every list is judged
LISTS = st.fixed_dictionaries({q: st.lists(st.sampled_from("abcd"), min_size=1, unique=True) for q in "pqrs"})


def run_of(lists: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    """Return results with documents in this order."""
    return {query: {doc: -float(i) for i, doc in enumerate(docs)} for query, docs in lists.items()}


def mean(labels: Any, lists: Any, queries: Any) -> float:
    """Return the mean nDCG over some queries, straight from `evaluate`."""
    values = dict(zip((s := ir.evaluate(labels, run_of(lists), "nDCG")).queries, s.of("nDCG"), strict=True))
    return float(np.mean([values[q] for q in queries]))


@given(LABELS, LABELS, LISTS, LISTS)
def test_the_parts_are_those_of_the_formula(old: Any, new: Any, before: Any, after: Any) -> None:
    """Labels: old lists under new labels less under old ones; lists: new lists less old ones, both under new labels."""
    common = [q for q in old if q in new]
    found = ir.history(
        {"2026-01-01": run_of(before), "2026-01-02": run_of(after)},
        judgments={"2026-01-01": old, "2026-01-02": new}, measures="nDCG",
    )  # fmt: skip
    change = found.points[1].change
    assert change is not None
    total = mean(new, after, new) - mean(old, before, old)
    assert change.total == pytest.approx(total, abs=1e-12)
    labels = mean(new, before, common) - mean(old, before, common)
    lists = mean(new, after, common) - mean(new, before, common)
    assert (change.labels, change.lists, change.both) == pytest.approx((labels, lists, 0), abs=1e-12)
    assert change.labels + change.lists + change.queries == pytest.approx(total, abs=1e-12)
    assert change.labels_changed == sum(old[q] != new[q] for q in common)
    assert change.lists_changed == sum(before[q] != after[q] for q in common)
    assert (change.added, change.removed) == (len(set(new) - set(old)), len(set(old) - set(new)))


@given(LABELS, LABELS, LISTS, LISTS)
def test_hashes_alone_tell_as_much_as_they_can(old: Any, new: Any, before: Any, after: Any) -> None:
    """Of baselines, what labels and lists did is exact but for queries in which both changed; the parts sum up."""
    first, second = (baseline_of(ir.evaluate(j, run_of(r), "nDCG")) for j, r in ((old, before), (new, after)))
    change = change_between(first, second, "nDCG")
    common = [q for q in old if q in new]
    assert change.lists + change.labels + change.both + change.queries == pytest.approx(change.total, abs=1e-12)
    if all(before[q] == after[q] or old[q] == new[q] for q in common):
        assert change.both == pytest.approx(0, abs=1e-12)
        labels = mean(new, before, common) - mean(old, before, common)
        assert change.labels == pytest.approx(labels, abs=1e-12)
    if all(old[q] == new[q] for q in common):
        assert change.labels == 0


def test_by_hand() -> None:
    """RR of q1 falls from 1 to 1/2 by a label, q2 rises from 1/2 to 1 by its list, q3 is new with 1."""
    lists: Any = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "a": 1.0}}
    better = {**lists, "q2": {"a": 2.0, "b": 1.0}, "q3": {"a": 1.0}}
    found = ir.history(
        {"2026-01-01": lists, "2026-01-02": better},
        judgments={"2026-01-01": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}},
                   "2026-01-02": {"q1": {"a": 0, "b": 1}, "q2": {"a": 1}, "q3": {"a": 1}}},
        measures="RR",
    )  # fmt: skip
    first, second = found.table
    assert (first["mean"], first["why"]) == (0.75, "")
    assert second["mean"] == pytest.approx(2.5 / 3)
    assert (second["by labels"], second["by lists"]) == (-0.25, 0.25)
    assert second["by queries"] == pytest.approx(2.5 / 3 - 0.75)
    assert (
        second["why"]
        == "labels changed in 1 query −0.2500; results changed in 1 query (q2) +0.2500; queries +1 −0 +0.0833"
    )


def test_decisions_have_no_parts() -> None:
    """Between baselines of other decisions there is a change, and no part of lists or labels; the decision is named."""
    qrels, lists = {"q": {"a": 2, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    first, second = (baseline_of(ir.evaluate(qrels, lists, "nDCG@10", gain=gain)) for gain in ("linear", "exp2"))
    found = ir.history({"2026-01-01": first, "2026-01-02": second})
    change = found.points[1].change
    assert change is not None
    assert math.isnan(change.lists)
    assert change.why == "decisions changed: gain was linear and is exp2"


def test_the_interval_is_that_of_scores() -> None:
    """Mean and interval of a date are those `evaluate` prints for its scores."""
    from idealrank.evaluation.mean_tables import means

    qrels = {f"q{i}": {"a": 1} for i in range(9)}
    lists = {f"q{i}": ({"a": 2.0, "b": 1.0} if i % 3 else {"b": 2.0, "a": 1.0}) for i in range(9)}
    (row,) = ir.history({"2026-01-01": lists}, judgments=qrels, measures="RR").table
    (expected,) = means(ir.evaluate(qrels, lists, "RR"))
    assert [row[name] for name in ("mean", "low", "high")] == [expected[name] for name in ("mean", "low", "high")]


def test_labels_of_other_documents() -> None:
    """Where nothing of the old lists is judged any more, they cannot be evaluated again: hashes tell what they can."""
    queries = ("q1", "q2", "q3", "q4")
    found = ir.history(
        {"2026-01-01": {q: {"a": 1.0} for q in queries}, "2026-01-02": {q: {"b": 1.0} for q in queries}},
        judgments={"2026-01-01": {q: {"a": 1} for q in queries}, "2026-01-02": {q: {"b": 2} for q in queries}},
        measures="P@1",
    )
    change = found.points[1].change
    assert change is not None
    assert (change.total, change.both, change.labels, change.lists) == (0, 0, 0, 0)
    assert (change.lists_changed, change.labels_changed) == (4, 4)


def test_a_measure_beside_that_is_not_known_here_does_not_matter() -> None:
    """Baselines may have a measure that this process has no definition of; a change of another is taken apart."""
    first, second = (
        replace(made, measures={**made.measures, "mine": "mine[k=3]"})
        for lists in ({"q": ["a", "b"]}, {"q": ["b", "a"]})
        for made in [baseline_of(ir.evaluate({"q": {"a": 1}}, run_of(lists), ["RR"]))]
    )
    assert change_between(first, second, "RR").why == "results changed in 1 query (q)"
