"""Real judgments and results cause no false alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

import idealrank as ir

ROOT = Path(__file__).parents[2]
SHOP, TOOLS = ROOT / "examples" / "shop", ROOT / "tests" / "golden" / "tools"
COVID = ROOT.parent / "shared" / "data" / "trec-covid-round1"
TIED = "wistud_noSearch"
"""The one run of TREC-COVID with tied scores in most of its results."""


def test_shop() -> None:
    """The shop's one query without a relevant document is found, and the one query that each system has nothing for."""
    found = ir.doctor(SHOP / "judgments.csv", SHOP / "bm25.csv", SHOP / "hybrid.csv").findings
    missing = "judged queries without results"
    assert [each.name for each in found] == ["queries without relevant documents", missing, missing]
    assert found[0].examples == (f"{SHOP}/judgments.csv line 202: query q18",)
    assert [one.examples[0].partition(": ")[2] for one in found[1:]] == ["query q19", "query q28"]


def test_tools() -> None:
    """The run that other tools were run on has nothing wrong."""
    assert ir.doctor(TOOLS / "qrels.txt", TOOLS / "run.txt").findings == ()


@pytest.mark.skipif(not COVID.exists(), reason="the TREC runs are not beside the repository")
def test_trec_covid() -> None:
    """Of nine runs, ranks from 0, ranks like scores and negative scores among them, one has ties that matter."""
    runs = sorted((COVID / "runs").iterdir())
    found = {run.stem: [each.name for each in ir.doctor(COVID / "qrels.txt", run).findings] for run in runs}
    assert found == {run.stem: ["tied results"] if run.stem == TIED else [] for run in runs}
