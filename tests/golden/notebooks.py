"""The cases of the five source notebooks, and what their tests have in common."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir
from tests.golden.tables import read_cases

CASES = read_cases()
Case = dict[str, Any]
KINDS: set[str] = set()


def cases(kind: str) -> Callable[[Callable[[Case], None]], Any]:
    """Run a test on every case of a kind, each under its id."""
    KINDS.add(kind)
    chosen = [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", chosen)


def scores_of(case: Case, measure: str | None = None) -> ir.Scores:
    """Evaluate a case as it says."""
    return ir.evaluate(case["judgments"], case.get("results"), [measure or case["measure"]], **keywords(case))


def keywords(case: Case) -> dict[str, Any]:
    """Return the convention and the decisions of a case."""
    return {"convention": case.get("convention", "idealrank-1"), **case.get("decisions", {})}


def per_query(scores: ir.Scores) -> dict[str, float]:
    """Return the values of the one measure of the one system."""
    return dict(zip(scores.queries, scores.values[0, 0].tolist(), strict=True))


def check_values(found: dict[str, float], case: Case) -> None:
    """Compare with the printed values, and with all digits where the print has fewer."""
    for query, value in case["expected"].items():
        assert abs(found[query] - value) <= case["tolerance"], query
    for query, value in case.get("full", {}).items():
        assert found[query] == pytest.approx(value, abs=1e-12), query


def check_cell(found: float | None, expected: float | None, tolerance: float) -> None:
    """Compare two numbers; what is printed as missing is missing or adds nothing."""
    if expected is None:
        assert found is None or math.isnan(found) or found == 0
    else:
        assert found is not None
        assert abs(found - expected) <= tolerance


def explained(case: Case, measure: str, query: str) -> ir.Explanation:
    """Explain one query of a case."""
    return ir.explain(case["judgments"], case["results"], measure, query=query, **keywords(case))


def rows_of(case: Case) -> list[dict[str, Any]]:
    """Return the expected rows as dicts."""
    return [dict(zip(case["expected"]["columns"], row, strict=True)) for row in case["expected"]["rows"]]
