"""Sums beyond the largest number are refused in words: no 0, no infinity and no warning stands in their place."""

from __future__ import annotations

from typing import Any

import pytest

import idealrank as ir
from idealrank.errors import DataError
from idealrank.measures import DEFINITIONS

HUGE = {"q": {"a": 1e308, "b": 1e308, "c": 1e308, "d": 0.0}}
RESULTS = {"q": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "x": 1.0}}
PLAIN = [d.name for d in DEFINITIONS if d.is_plain]
ADDING = ["nDCG", "nDCG@2", "nDCGRel", "RnDCG", "NormalisedRBP", "ARP", "Q", "CG", "DCG", "G"]


@pytest.mark.parametrize("name", ADDING)
def test_sums_that_overflow_are_refused(name: str) -> None:
    """Three grades of 1e308 add up to more than 1.8e308: evaluate and explain say so, and what to do."""
    for ask in (lambda: ir.evaluate(HUGE, RESULTS, [name]), lambda: ir.explain(HUGE, RESULTS, name, query="q")):
        if name == "nDCG@2":  # 1e308 + 1e308 / log2(3) still fits
            ask()
            continue
        with pytest.raises(DataError, match=r"more than the largest number \(1\.8e308\)\. Give smaller grades"):
            ask()


@pytest.mark.parametrize("extra", [{}, {"ideal": "max"}, {"unjudged": 1e308}, {"ties": "average"}], ids=str)
@pytest.mark.parametrize("name", PLAIN)
def test_no_measure_gives_a_number_that_overflowed(name: str, extra: dict[str, Any]) -> None:
    """Every other measure has a value between 0 and ten, or is refused; no warning is left to read."""
    try:
        value = ir.evaluate(HUGE, RESULTS, [name], **extra)[name]
    except DataError:
        return
    assert 0 <= value <= 10 or value == 1e308
    if name == "nDCG":
        pytest.fail("nDCG cannot be computed here")
