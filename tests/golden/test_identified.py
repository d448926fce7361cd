"""identify finds the setting behind every number the notebooks print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from tests.golden.tables import read_cases

Case = dict[str, Any]


def numbers() -> Iterator[Any]:
    """Each case that prints values: its data, the measure, the answers of its cell, and the printed numbers."""
    for case in read_cases():
        call = {"convention": case.get("convention", "idealrank-1"), **case.get("decisions", {})}
        data = case.get("judgments"), case.get("results")
        if case["kind"] in ("per_query", "mean"):
            yield pytest.param(data, case["measure"], call, case["expected"], id=case["id"])
        if case["kind"] == "per_system":
            for system, printed in case["expected"].items():
                data = case["judgments"], case["systems"][system]
                for measure, number in printed.items():
                    yield pytest.param(data, measure, call, number, id=f"{case['id']} {system} {measure}")


@pytest.mark.parametrize(("data", "measure", "call", "printed"), list(numbers()))
def test_every_number_is_traced(data: tuple[Any, Any], measure: str, call: Case, printed: Any) -> None:
    """The setting of the cell gives the numbers, and is among the classes found for them; alone, it is identified."""
    truth = ir.evaluate(*data, [measure], **call)
    text = {q: repr(v) for q, v in printed.items()} if isinstance(printed, dict) else repr(printed)
    for departures in (0, 1, 2, 3):
        found = ir.identify(*data, {measure: text}, departures=departures)
        if any(equal(truth, data, measure, match.setting) for group in found.classes for match in group[:20]):
            assert found.identified == (len(found.classes) == 1)
            return
    pytest.fail(f"{measure}={text} under {call} is not found: {found}")


def equal(truth: ir.Scores, data: tuple[Any, Any], measure: str, setting: str) -> bool:
    """Whether a setting gives the true values; data in whose rank and score disagree is refused under some."""
    try:
        other = ir.evaluate(*data, [measure], convention=setting)
    except ir.DataError:
        return False
    same = truth.queries == other.queries and np.allclose(
        truth.values, other.values, rtol=0, atol=1e-11, equal_nan=True
    )
    return bool(same)
