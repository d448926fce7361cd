"""Means by segment and weights of queries, worked out by hand."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.reports.sections.test_arithmetic import scored

JUDGED = {query: {"d": 1} for query in "abcd"}
RUN = {"a": scored("d"), "b": scored("x", "d"), "c": scored("x", "y", "z", "d"), "d": scored("d")}
"""RR is 1, 1/2, 1/4 and 1."""
TABLE = {"query_id": list("abcd"), "segment": ["s", "s", "t", "t"]}
WEIGHTS = {"a": 3, "b": 1, "c": 2, "d": 0}


def rows(scores: ir.Scores) -> list[tuple[str, str, int, float]]:
    """Return system, segment, queries and mean of each segment of the queries table."""
    found = ir.report(scores).segments["means"]
    return [(r["system"], r["segment"], r["queries"], r["mean"]) for r in found if r["attribute"] == "segment"]


def test_means_of_segments_are_weighted() -> None:
    """In weights of 3 and 1 the mean of 1 and 1/2 is 7/8; a query of weight 0 is neither counted nor in the mean."""
    scores = ir.evaluate(JUDGED, RUN, ["RR"], queries=TABLE, weights=WEIGHTS)
    assert rows(scores) == [("results", "s", 2, 7 / 8), ("results", "t", 1, 1 / 4)]


def test_without_weights_each_query_counts_once() -> None:
    """The means of 1 and 1/2, and of 1/4 and 1; two queries each."""
    assert rows(ir.evaluate(JUDGED, RUN, ["RR"], queries=TABLE)) == [
        ("results", "s", 2, 3 / 4),
        ("results", "t", 2, 5 / 8),
    ]


def test_only_queries_in_the_mean_are_counted() -> None:
    """A query that is left out is not counted in its segment, and a segment without any other has no row."""
    run = {key: RUN[key] for key in "ac"}
    assert rows(
        ir.evaluate(JUDGED, {"x": RUN, "y": run}, ["RR"], queries=TABLE, no_results="skip", only=list("acd"))
    ) == [("x", "s", 1, 1.0), ("y", "s", 1, 1.0), ("x", "t", 2, 5 / 8), ("y", "t", 1, 1 / 4)]
    apart = {"query_id": list("abcd"), "segment": ["s", "u", "t", "t"]}
    found = rows(ir.evaluate(JUDGED, RUN, ["RR"], queries=apart, only=list("acd")))
    assert [(segment, queries) for _, segment, queries, _ in found] == [("s", 1), ("t", 2)]


def test_the_weight_of_each_query_is_told() -> None:
    """The weights are those given, in the order of the queries; without any there are none."""
    queries = ir.report(ir.evaluate(JUDGED, RUN, ["RR"], weights=WEIGHTS)).queries
    assert dict(zip(queries["id"], queries["weight"], strict=True)) == WEIGHTS
    assert ir.report(ir.evaluate(JUDGED, RUN, ["RR"])).queries["weight"] is None


def test_the_overlap_is_averaged_in_the_weights_of_the_queries() -> None:
    """Jaccard is 1, 1/2, 1/4 and 1: in weights 3, 1, 2 and 0 the mean is 4 / 6; churn 0, 1/2, 0 and 0 make 1 / 12."""
    other = {"a": scored("d"), "b": scored("d", "y"), "c": scored("d"), "d": scored("d")}
    mine = {**RUN, "b": scored("d")}
    found = ir.report(ir.compare(JUDGED, {"x": mine, "y": other}, ["RR"], weights=WEIGHTS, draws=100)).overlap[0]
    assert found["jaccard"] == [1, 1 / 2, 1 / 4, 1]
    assert found["churn"] == [0, 1 / 2, 0, 0]
    assert found["summary"]["jaccard"] == pytest.approx(4 / 6)
    assert found["summary"]["churn"] == pytest.approx(1 / 12)


def test_segments_without_a_pair_are_left_out() -> None:
    """A segment none of whose queries has a value on both sides is no row of the differences."""
    judged = {query: {"d": 1, "x": 0} for query in "abcd"}
    full = {query: {"d": 2.0, "x": 1.0} for query in "abcd"}
    runs = {"full": full, "part": {query: {"x": 2.0, "d": 1.0} for query in "ab"}}
    table = {"query_id": list("abcd"), "kind": ["x", "x", "y", "y"]}
    found = ir.report(ir.compare(judged, runs, ["RR"], queries=table, no_results="skip", segments="kind"))
    assert [(row["segment"], row["queries"]) for row in found.segments["differences"]] == [("x", 2)]
