"""Queries ranked by lost value: frequency times the value before less the value after."""

from __future__ import annotations

import math
from typing import Any

import pytest

import idealrank as ir

# RR by hand: the relevant document is first (1), second (0.5) or third (1/3).
LISTS = {1: ["r", "x", "y"], 2: ["x", "r", "y"], 3: ["x", "y", "r"]}
BEFORE = {"a": 1, "b": 1, "c": 2, "d": 1, "e": 2, "f": 1}
AFTER = {"a": 2, "b": 3, "c": 1, "d": 2, "e": 2, "f": 2}
ASKED = {"a": 10, "b": 3, "c": 8, "d": 10, "e": 50, "f": ""}


def results(ranks: dict[str, int]) -> dict[str, list[Any]]:
    """Return a table of results with the relevant document at these ranks."""
    rows = [(query, doc, place) for query, rank in ranks.items() for place, doc in enumerate(LISTS[rank], 1)]
    return dict(zip(("query_id", "doc_id", "rank"), map(list, zip(*rows, strict=True)), strict=True))


def compared(**options: Any) -> ir.Comparison:
    """Compare two systems, and a third that is the second again."""
    judgments = {query: {"r": 1} for query in BEFORE}
    queries = {"query_id": list(ASKED), "frequency": list(ASKED.values())}
    systems = {"before": results(BEFORE), "after": results(AFTER), "again": results(AFTER)}
    return ir.compare(judgments, systems, ["RR"], queries=queries, baseline="before", **options)


def test_by_hand() -> None:
    """The greatest loss first, equal ones by id, gains last with a value below 0, then those without a frequency."""
    found = compared().lost_value(system="after")
    lost = {"a": 10 * 0.5, "d": 10 * 0.5, "b": 3 * 2 / 3, "e": 0.0, "c": 8 * -0.5}
    assert found["query"] == [*lost, "f"]
    assert found["lost"][:-1] == pytest.approx(list(lost.values()), abs=1e-12)
    assert math.isnan(found["lost"][-1])
    assert math.isnan(found["frequency"][-1])
    row = next(iter(found))
    assert (row["frequency"], row["baseline value"], row["value"], row["measure"]) == (10, 1.0, 0.5, "RR")


def test_n_of_each_system() -> None:
    """Without a system, the n queries of each that lose most."""
    found = compared().lost_value(2)
    assert found["query"] == ["a", "d", "a", "d"]
    assert found["system"] == ["after", "after", "again", "again"]
    assert set(found["baseline"]) == {"before"}


def test_weights_are_frequencies() -> None:
    """Weights go before the column of frequencies, as for the lost value of scores."""
    found = compared(weights={"a": 1, "b": 9, "c": 1, "d": 1, "e": 1, "f": 2}).lost_value(2, system="after")
    assert (found["query"], found["lost"]) == (["b", "f"], pytest.approx([6.0, 1.0]))


def test_no_frequencies() -> None:
    """Without any frequency the call is refused with what to give."""
    judgments = {query: {"r": 1} for query in BEFORE}
    found = ir.compare(judgments, {"before": results(BEFORE), "after": results(AFTER)}, ["RR"])
    with pytest.raises(ir.UsageError, match="needs to know how often each query is asked"):
        found.lost_value()


@pytest.mark.parametrize("n", [0, -1, 1.5, "RR", True])
def test_how_many(n: Any) -> None:
    """How many queries is a whole number from 1 up."""
    with pytest.raises(ir.UsageError, match="whole number from 1 up"):
        compared().lost_value(n)


def test_unknown_names() -> None:
    """A system that is not compared and a measure that was not asked for are refused."""
    with pytest.raises(ir.UsageError, match="No system compared called 'befor'"):
        compared().lost_value(system="befor")
    with pytest.raises(ir.UsageError, match="nDCG"):
        compared().lost_value(measure="nDCG@10")
