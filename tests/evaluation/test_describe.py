"""describe: statistics of the values, of all queries and by group."""

from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path
from typing import Any

import pandas
import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from tests.evaluation.worlds import RANDOMLY

GOLDEN = Path(__file__).parents[1] / "golden" / "seeds" / "004.json"


def scored(values: dict[str, int | None]) -> tuple[Any, Any]:
    """Return judgments and results whose RR is 1/rank for each query, 0 for None."""
    judgments = {query: {"d": 1.0} for query in values}
    results = {
        query: {"d": 1.0} | {f"x{i}": 2.0 for i in range(1, rank)} if rank else {"x": 1.0}
        for query, rank in values.items()
    }
    return judgments, results


RANKS = {"1": 1, "2": 2, "3": 4, "51": 1, "52": None, "101": 5, "x": 2}


def test_statistics_by_hand() -> None:
    """Count, mean, sd with n - 1, quartiles interpolated, min, max."""
    row = next(iter(ir.evaluate(*scored(RANKS), ["RR"]).describe()))
    values = [1, 0.5, 0.25, 1, 0, 0.2, 0.5]
    assert row["count"] == 7
    assert row["mean"] == pytest.approx(sum(values) / 7)
    assert row["sd"] == pytest.approx(statistics.stdev(values))
    # Sorted: 0, 0.2, 0.25, 0.5, 0.5, 1, 1; places 1.5, 3 and 4.5.
    assert [row[q] for q in ("min", "25%", "50%", "75%", "max")] == pytest.approx([0, 0.225, 0.5, 0.75, 1])


@RANDOMLY
@given(st.lists(st.sampled_from([None, 1, 2, 3, 5]), min_size=2, max_size=12).filter(any))
def test_statistics_are_those_of_pandas(ranks: list[int | None]) -> None:
    """The statistics are those `DataFrame.describe` gives (B109)."""
    scores = ir.evaluate(*scored({str(i): rank for i, rank in enumerate(ranks)}), ["RR"])
    row = next(iter(scores.describe()))
    expected = pandas.Series(scores.per_query["RR"]).describe()
    for ours, theirs in {"sd": "std"}.items() | {(name, name) for name in ("count", "mean", "min", "25%", "max")}:
        assert row[ours] == pytest.approx(expected[theirs], abs=1e-12)


def test_statistics_the_notebook_prints() -> None:
    """The statistics of the golden case of notebook 004 (cell 21): the keys 1 to 50, here as the CG of 50 queries."""
    case = next(c for c in json.loads(GOLDEN.read_text("utf-8"))["cases"] if c["id"] == "s004-21-describe-querykey")
    judgments = {str(key): {"d": float(key)} for key in range(1, 51)}
    results = {str(key): {"d": 1.0} for key in range(1, 51)}
    row = next(iter(ir.evaluate(judgments, results, ["CG"]).describe()))
    for ours, theirs in {"sd": "std"}.items() | {(n, n) for n in ("count", "mean", "min", "25%", "50%", "75%", "max")}:
        assert row[ours] == pytest.approx(case["expected"][theirs], abs=case["tolerance"])


def test_one_value_has_no_deviation() -> None:
    """The sd of one value and the statistics of none are missing."""
    one = next(iter(ir.evaluate(*scored({"1": 2}), ["RR"]).describe()))
    assert (one["count"], one["mean"]) == (1, 0.5)
    assert math.isnan(one["sd"])
    none = ir.evaluate({"q": {"d": 0.0}}, {"q": {"d": 1.0}}, ["AP"], no_relevant="skip").describe()
    assert none["count"] == [0]
    assert math.isnan(none["mean"][0])


def test_groups_by_attribute() -> None:
    """A group is all queries with one value of the attribute; those without have a group of their own."""
    table = {"query_id": ["1", "2", "3", "51", "52", "101"], "segment": ["b", "a", "b", "a", None, ""]}
    found = ir.evaluate(*scored(RANKS), ["RR"], queries=table).describe(by="segment")
    assert found["group"] == ["a", "b", "(none)"]
    assert found["count"] == [2, 2, 3]
    assert found["mean"] == pytest.approx([0.75, 0.625, 0.7 / 3])


def test_groups_of_numbers_are_in_the_order_of_numbers() -> None:
    """Groups of a numeric attribute are sorted as numbers."""
    table = {"query_id": list(RANKS), "words": [10, 2, 1, 2, 10, 1, 3]}
    found = ir.evaluate(*scored(RANKS), ["RR"], queries=table).describe(by="Words")
    assert found["group"] == ["1", "2", "3", "10"]


def test_groups_by_ranges_of_ids() -> None:
    """Ranges group by the ids, not by row position; what lies outside every range is a group (B110, B111)."""
    scores = ir.evaluate(*scored(RANKS), ["RR"])
    found = scores.describe(by=["1..50", "51..100"])
    assert found["group"] == ["1..50", "51..100", "(others)"]
    assert found["count"] == [3, 2, 2]
    assert found["mean"] == pytest.approx([1.75 / 3, 0.5, 0.35])
    named = scores.describe(by={"head": "1..50", "tail": "51..101"})
    assert named["group"] == ["head", "tail", "(others)"]
    assert scores.describe(by="1..50")["group"] == ["1..50", "(others)"]


def test_groups_do_not_depend_on_the_order_of_the_judgments() -> None:
    """Judgments in any order give the same groups (B111)."""
    judgments, results = scored(RANKS)
    expected = ir.evaluate(judgments, results, ["RR"]).describe(by=["1..50", "51..100"]).to_dict()
    for seed in range(5):
        keys = random.Random(seed).sample(list(judgments), len(judgments))
        shuffled = {key: judgments[key] for key in keys}
        assert ir.evaluate(shuffled, results, ["RR"]).describe(by=["1..50", "51..100"]).to_dict() == expected


def test_groups_of_several_systems_and_measures() -> None:
    """There is one row for each group, system and measure."""
    judgments, results = scored(RANKS)
    scores = ir.evaluate(judgments, {"a": ir.read_results(results), "b": ir.read_results(results)}, ["RR", "P@1"])
    found = scores.describe(by=["1..50", "51..200"])
    assert found.columns[:3] == ["group", "system", "measure"]
    assert len(found) == 3 * 2 * 2


def test_groups_that_are_not_there() -> None:
    """An attribute that is not in the table and a range that is none are refused."""
    scores = ir.evaluate(*scored(RANKS), ["RR"], queries={"query_id": list(RANKS), "segment": ["a"] * 7})
    with pytest.raises(ir.UsageError, match="Did you mean segment"):
        scores.describe(by="segmnt")
    with pytest.raises(ir.UsageError, match="is no range"):
        scores.describe(by=["1..50", "tail"])
    with pytest.raises(ir.UsageError, match="pass queries="):
        ir.evaluate(*scored(RANKS), ["RR"]).describe(by="segment")


def test_ranges_joined_by_commas() -> None:
    """Ranges in one text are the same as in a list; a text that is no range of several is told."""
    judgments = {"1": {"a": 1}, "60": {"a": 1}, "200": {"a": 1}}
    scores = ir.evaluate(judgments, {query: {"a": 1.0} for query in judgments}, ["RR"])
    found = scores.describe(by="1..50, 51..100")
    assert found["group"] == ["1..50", "51..100", "(others)"]
    assert repr(found) == repr(scores.describe(by=["1..50", "51..100"]))
    with pytest.raises(ir.UsageError, match=r"'a' is no range of query ids\. Write 1\.\.50\."):
        scores.describe(by="1..50,a")
