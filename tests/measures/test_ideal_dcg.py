"""ideal_dcg: the best DCG there is at a depth."""

from __future__ import annotations

import math
from typing import Any

import pytest

import idealrank as ir


def test_the_notebooks_number() -> None:
    """Four documents of grade 3 under exp2 are worth 17.93 (B131)."""
    assert round(ir.ideal_dcg(k=4, max_grade=3, gain="exp2"), 2) == 17.93


def test_by_hand() -> None:
    """It is the gain of the top grade times the sum of the discounts."""
    weights = {
        "log2": [1 / math.log2(r + 1) for r in (1, 2, 3)],
        "ln": [1 / math.log(r + 1) for r in (1, 2, 3)],
        "reciprocal": [1, 1 / 2, 1 / 3],
        "log(2)": [1, 1, 1 / math.log2(3)],
        "none": [1, 1, 1],
    }
    for discount, counts in weights.items():
        assert ir.ideal_dcg(3, 2, discount=discount) == pytest.approx(2 * sum(counts))
        assert ir.ideal_dcg(3, 2, "exp2", discount) == pytest.approx(3 * sum(counts))
    assert ir.ideal_dcg(3, 2, {2: 10}, "none") == 30


def test_it_is_the_dcg_of_perfect_results() -> None:
    """It is what `evaluate` gives a list of nothing but top grades, and what nDCG with ideal=max divides by."""
    results = ir.from_grades([3] * 10)
    assert ir.ideal_dcg(10, 3, "exp2") == pytest.approx(ir.evaluate(*results, ["DCG@10"], gain="exp2")["DCG@10"])
    found = ir.explain(*ir.from_grades([3, 0]), "nDCG(ideal=max)@10", gain="exp2")
    assert found.normaliser == pytest.approx(ir.ideal_dcg(10, 3, "exp2"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0, "max_grade": 3}, "k=0: the cutoff k is a whole number from 1 up"),
        ({"k": 2.5, "max_grade": 3}, "k=2.5: the cutoff k is a whole number"),
        ({"k": 10**9, "max_grade": 3}, "k=1000000000: one discount per rank is added up, for at most 10,000,000."),
        ({"k": 1, "max_grade": math.inf}, "finite"),
        ({"k": 1, "max_grade": 3, "gain": "exp3"}, "gain=exp3 is not an answer"),
        ({"k": 1, "max_grade": 3, "discount": "log"}, "discount=log is not an answer"),
    ],
)
def test_what_is_refused(arguments: dict[str, Any], message: str) -> None:
    """A depth below 1, a scale without end and unknown answers are refused."""
    with pytest.raises(ir.UsageError, match=message):
        ir.ideal_dcg(**arguments)


def test_a_list_of_the_highest_grade_has_an_end() -> None:
    """The ideal of ideal=max has a number for every rank: a cutoff that would fill the memory is refused."""
    with pytest.raises(
        ir.UsageError, match=r"^nDCG@99999999: ideal=max adds up one discount per rank, for at most 10,"
    ):
        ir.measure("nDCG(ideal=max)@99999999")
    assert ir.measure("nDCG@99999999").cutoff == 99_999_999
