"""CG, DCG and nDCG of six results: the numbers of notebook 002."""

from __future__ import annotations

import pytest

from tests.examples.running import CASES, Ran, expected, per_query, taught


@pytest.fixture
def ran() -> Ran:
    """The lesson, run."""
    return taught("lesson-ndcg-step-by-step")


def test_cg(ran: Ran) -> None:
    """CG is 11, whatever the order."""
    assert per_query(ran["scores"], "CG") == expected("s002-01")
    assert per_query(ran["swapped"], "CG") == expected("s002-01")


def test_dcg_depends_on_the_order(ran: Ran) -> None:
    """Swapping two documents lowers DCG."""
    assert per_query(ran["swapped"], "DCG") == expected("s002-05")
    assert ran["swapped"]["DCG"] < ran["scores"]["DCG"] == pytest.approx(6.861126688593502, abs=1e-12)


def test_columns(ran: Ran) -> None:
    """The discount of each rank and the discounted gain."""
    case = CASES["s002-02"]["expected"]
    rows = [dict(zip(case["columns"], row, strict=True)) for row in case["rows"]]
    steps = ran["why"].steps
    assert steps["grade"] == [row["grade"] for row in rows]
    assert [1 / d for d in steps["discount"]] == pytest.approx([row["divisor"] for row in rows], abs=5.1e-7)
    assert steps["contribution"] == pytest.approx([row["contribution"] for row in rows], abs=5.1e-7)


def test_ideal_is_cut_to_six_of_eight(ran: Ran) -> None:
    """The ideal holds the best six of all judged grades, and is worth 8.74."""
    assert ran["why"].ideal["grade"] == CASES["s002-07"]["expected"] == CASES["s002-06"]["expected"][:6]
    assert {"q": ran["why"].normaliser} == expected("s002-08")


def test_ndcg(ran: Ran) -> None:
    """6.861 / 8.740 is 0.785."""
    assert per_query(ran["scores"], "nDCG@6") == expected("s002-09")
    assert [round(ran["why"].total, 3), round(ran["why"].normaliser, 2)] == CASES["s002-10"]["inputs"]


def test_rounding_on_request(ran: Ran) -> None:
    """Rounding every row before the sum gives the notebook's 6.861000000000001, on request only."""
    assert per_query(ran["rounded"], "DCG") == expected("s002-04")
