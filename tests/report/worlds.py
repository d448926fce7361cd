"""Reports that the tests look at."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import idealrank as ir
from idealrank.reporting.documents import Documents
from idealrank.reporting.report import Report

SHOP = Path(__file__).parents[2] / "examples" / "shop"

HOSTILE = [
    "<script>alert(1)</script>",
    "\"quoted\" 'twice'",
    "new\nline",
    "right\u202eto left",
    "</script><!--",
    "&amp; &lt;",
    "#q=% %41",
    "אבג 12",
]


@functools.cache
def shop() -> Report:
    """The report on the shop's two systems."""
    results = [str(SHOP / "bm25.csv"), str(SHOP / "hybrid.csv")]
    found = ir.compare(str(SHOP / "judgments.csv"), results, queries=str(SHOP / "queries.csv"))
    return Report(found.scores, found)


@functools.cache
def alone() -> Report:
    """The report on one of them."""
    return Report(ir.evaluate(str(SHOP / "judgments.csv"), str(SHOP / "bm25.csv"), queries=str(SHOP / "queries.csv")))


def several(systems: int, queries: int = 12) -> Report:
    """The report on systems compared with the first; each ranks the relevant document one lower than the one before."""
    judgments = {f"q{q}": {"good": 1} for q in range(queries)}
    runs: dict[str, Any] = {
        f"s{s}": {query: _list(s + place % 2) for place, query in enumerate(judgments)} for s in range(systems)
    }
    found = ir.compare(judgments, runs, ["RR", "P@3"], baseline="s0")
    return Report(found.scores, found)


def _list(above: int) -> dict[str, float]:
    """A list with so many documents above the relevant one."""
    return {**{f"x{i}": float(99 - i) for i in range(above)}, "good": 0.0}


@functools.cache
def hostile() -> Report:
    """A report whose ids, texts, titles and system names try to be more than text."""
    judgments = {query: {HOSTILE[0]: 2, HOSTILE[1]: 1} for query in HOSTILE}
    results = {
        f"a {HOSTILE[0]}": {query: {HOSTILE[0]: 1.0, HOSTILE[1]: 2.0} for query in HOSTILE},
        f"b {HOSTILE[4]}": {query: {HOSTILE[1]: 1.0, HOSTILE[2]: 2.0} for query in HOSTILE},
    }
    table = {"query_id": HOSTILE, "query": [f"{query}</b>" for query in HOSTILE], "<i>": ["x", "</td>"] * 4}
    found = ir.compare(judgments, results, queries=table)
    titles = {HOSTILE[0]: "</script><script>alert(2)</script>", HOSTILE[1]: "long " * 2000}
    return Report(found.scores, found, heading="</title><script>alert(3)</script>", titles=Documents(titles, {}, "<d>"))
