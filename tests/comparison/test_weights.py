"""Weights reach every number of a comparison, and what is no weight is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.statistics.corrections import CORRECTIONS
from idealrank.statistics.paired_tests import TESTS

GRADES = {f"q{i}": {"a": 3, "b": i % 3, "c": 1} for i in range(12)}
ONE = {key: {"a": 3.0, "b": 2.0, "c": 1.0 + (i * 7 % 5)} for i, key in enumerate(GRADES)}
TWO = {key: {"a": 1.0 + (i * 3 % 4), "b": 2.0, "c": 1.5} for i, key in enumerate(GRADES)}
WEIGHTS = {key: 1.0 + (i * 5 % 7) for i, key in enumerate(GRADES)}


def compared(weights: Any, **options: Any) -> ir.Comparison:
    """Compare two systems under two measures."""
    return ir.compare(GRADES, {"one": ONE, "two": TWO}, ["nDCG@10", "DCG"], weights=weights, draws=400, **options)


def numbers(found: ir.Comparison) -> np.ndarray:
    """Return every number of the tables of a comparison, but for the weights."""
    tables = [found.means, found.differences, found.segments.table]
    columns = [table.array(name) for table in tables for name in table.columns if table.numeric(name)]
    return np.concatenate([np.asarray(column, np.float64) for column in columns])


@pytest.mark.parametrize(
    ("test", "correction"), [*((test, "holm") for test in TESTS), *(("t", each) for each in CORRECTIONS)]
)
def test_equal_weights_are_none(test: str, correction: str) -> None:
    """Weights of 2 for every query give the numbers that no weights give."""
    options = {"test": test, "correction": correction, "segments": "length", "queries": LENGTHS}
    plain, weighted = compared(None, **options), compared(dict.fromkeys(GRADES, 2.0), **options)
    assert numbers(weighted) == pytest.approx(numbers(plain), abs=1e-9, nan_ok=True)


LENGTHS = {"query_id": list(GRADES), "query_text": ["one", "two words"] * 6}


@pytest.mark.parametrize(
    ("scale", "correction"), [(1e-200, "max_t"), (1e300, "max_t"), *((0.001, each) for each in CORRECTIONS)]
)
def test_weights_of_another_scale_change_nothing(scale: float, correction: str) -> None:
    """Only the proportions of weights count: any multiple of them gives every number again, and the verdict."""
    options = {"queries": LENGTHS, "correction": correction}
    found = [compared({key: w * each for key, w in WEIGHTS.items()}, **options) for each in (1, scale)]
    assert found[1].verdict.sentence == found[0].verdict.sentence
    assert next(iter(found[1].per_query["weight"])) == next(iter(WEIGHTS.values())) * scale
    assert numbers(found[1]) == pytest.approx(numbers(found[0]), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("interval", ["student_t", "percentile", "bca"])
def test_weighted_means_and_differences(interval: str) -> None:
    """Means and differences are NumPy's weighted averages, and lie in their intervals."""
    found = compared(WEIGHTS, interval=interval)
    weights = list(WEIGHTS.values())
    for label in ("nDCG@10", "DCG"):
        one, two = (np.average(found.scores.of(label, name), weights=weights) for name in ("one", "two"))
        contrast = found[label]
        expected = (one, two, two - one)
        assert (contrast.baseline_mean, contrast.mean, contrast.difference) == pytest.approx(expected, abs=1e-12)
        assert contrast.interval.low < contrast.difference < contrast.interval.high
    for row in found.means:
        assert row["low"] < row["mean"] < row["high"]
        assert row["mean"] == pytest.approx(
            np.average(found.scores.of(row["measure"], row["system"]), weights=weights), abs=1e-12
        )


def test_unequal_weights_reach_the_numbers() -> None:
    """Unequal weights change means, differences, intervals, p, corrected p, effect and what is detectable."""
    plain, weighted = (next(iter(compared(w).differences)) for w in (None, WEIGHTS))
    same = [name for name, value in plain.items() if weighted[name] == value]
    changed = {"baseline mean", "mean", "difference", "low", "high", "uncorrected p", "corrected p", "corrected low"}
    assert not (changed | {"corrected high", "effect", "detectable"}) & set(same)


def test_a_query_of_weight_0_is_as_good_as_not_asked_for() -> None:
    """Weights of 0 and 1 give the numbers of the queries of weight 1 alone, and the others are named."""
    kept = [key for i, key in enumerate(GRADES) if i % 4]
    found = compared({key: float(key in kept) for key in GRADES})
    alone = compared(dict.fromkeys(GRADES, 1.0), only=kept)
    assert found["nDCG@10"] == alone["nDCG@10"]
    assert found["nDCG@10"].queries == 9
    assert found.pairing.weightless == ("q0", "q4", "q8")
    assert "3 queries of weight 0, in no mean and no test (q0, q4, q8)" in str(found)
    assert found.to_dict()["weight_0"] == ["q0", "q4", "q8"]
    assert alone.pairing.weightless == ()


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (dict.fromkeys(list(GRADES)[1:], 1.0), "weights: 1 of 12 queries has no weight: 'q0'. Give each a weight."),
        (WEIGHTS | {"q3": -1.0}, "weights: the weight of query 'q3' is -1.0. Weights must be 0 or more."),
        (WEIGHTS | {"q3": float("nan")}, "weights: the weight of query 'q3' is nan. Weights must be 0 or more."),
        (dict.fromkeys(GRADES, 0.0), "weights: all are 0. Give at least one query a weight above 0."),
    ],
    ids=["missing", "negative", "NaN", "all 0"],
)
def test_what_is_no_weight(weights: dict[str, float], said: str) -> None:
    """A missing, negative or unknown weight, and weights that are all 0, are refused with what to give."""
    with pytest.raises(ir.DataError) as refused:
        compared(weights)
    assert str(refused.value) == said


def test_queries_not_asked_for_need_no_weight() -> None:
    """Where only some queries are asked for, only they need a weight."""
    found = compared({"q1": 2.0, "q2": 1.0}, only=["q1", "q2"])
    assert found["nDCG@10"].queries == 2
