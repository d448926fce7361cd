"""Reports that the tests look at."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import idealrank as ir
from idealrank.data.documents import Documents
from idealrank.reports.report import Report

SHOP = Path(__file__).parents[2] / "examples" / "shop"

HOSTILE = [
    "<script>window.hacked = 1</script>",
    "\"quoted\" 'twice' onfocus=window.hacked=2 autofocus",
    "new\nline\r\n\ttab",
    "right\u202eto left",
    "</script><script>window.hacked = 3</script><!--",
    "&amp; &lt; <img src=x onerror=window.hacked=4>",
    "#q=% %41%zz/../?a=b&c#d",
    "אבג 12",
    "__proto__",
    "javascript:window.hacked=5",
    "long " * 2000,
    "\u2028\ufeff\x7f 😀 e\u0301",
]
"""Names that try to be more than text: what is run in one of them sets ``window.hacked``."""


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


@functools.cache
def several(systems: int, queries: int = 12) -> Report:
    """The report on systems compared with the first; each ranks the relevant document one lower than the one before."""
    found = against(systems, queries)
    return Report(found.scores, found)


def against(systems: int, queries: int = 12, **options: Any) -> ir.Comparison:
    """Compare these systems with the first."""
    judgments = {f"q{q}": {"good": 1} for q in range(queries)}
    runs: dict[str, Any] = {
        f"s{s}": {query: _list(s + place % 2) for place, query in enumerate(judgments)} for s in range(systems)
    }
    return ir.compare(judgments, runs, ["RR", "P@3"], baseline="s0", **options)


def _list(above: int) -> dict[str, float]:
    """A list with so many documents above the relevant one."""
    return {**{f"x{i}": float(99 - i) for i in range(above)}, "good": 0.0}


def swept(ranks: dict[str, int], **options: Any) -> Report:
    """A report on systems with the relevant document at one rank, in every third of 24 queries one lower."""
    judged = {f"q{i:02}": {"good": 1} | {f"x{place}": 0 for place in range(12)} for i in range(24)}
    runs = {name: {q: _list(rank - 1 + (i % 3 == 0)) for i, q in enumerate(judged)} for name, rank in ranks.items()}
    found = ir.compare(judged, runs, ["RR", "P@3"], baseline=next(iter(ranks)), **options)
    return Report(found.scores, found)


TWO_SETTINGS = {"q boost=1 mode=or": 6, "q boost=1 mode=and": 3, "q boost=2 mode=or": 1, "q boost=2 mode=and": 2}
"""Names of systems by two settings, and the rank of what is relevant."""


def failing(*failed: str) -> Report:
    """A report on 30 queries: the second system has the relevant document at rank 1 or 2, the first one lower.

    The search of the second system fails for the queries named.
    """
    judged = {f"q{i:02}": {"d": 1} for i in range(30)}
    runs = {"old": _answered(judged, 2, ()), "new": _answered(judged, 1, failed)}
    found = ir.compare(judged, runs, ["RR"])
    return Report(found.scores, found)


def _answered(queries: Iterable[str], rank: int, failed: Sequence[str]) -> dict[str, list[Any]]:
    """Return results with the relevant document at this rank, one lower in every second query."""
    rows = [
        (query, doc, place, "TimeoutError: 5 s" if query in failed else "")
        for i, query in enumerate(queries)
        for place, doc in enumerate([""] if query in failed else [*"xyz"[: rank - 1 + i % 2], "d"], 1)
    ]
    return dict(zip(("query", "doc", "rank", "error"), map(list, zip(*rows, strict=True)), strict=True))


@functools.cache
def hostile() -> Report:
    """A report whose ids, texts, titles, segments and system names try to be more than text."""
    judgments = {query: {HOSTILE[0]: 2, HOSTILE[1]: 1, HOSTILE[8]: 1} for query in HOSTILE}
    results = {
        f"a {HOSTILE[0]}": {query: {HOSTILE[0]: 1.0, HOSTILE[1]: 2.0, HOSTILE[6]: 0.5} for query in HOSTILE},
        HOSTILE[8]: {query: {HOSTILE[1]: 1.0, HOSTILE[2]: 2.0} for query in HOSTILE[:-1]},
        f"b {HOSTILE[4]}": {query: {doc: float(place) for place, doc in enumerate(HOSTILE)} for query in HOSTILE},
    }
    names = [*HOSTILE[:6], *HOSTILE[:6]]
    table = {"query_id": HOSTILE, "query": [f"{query}</b>" for query in HOSTILE], "<i>": names, HOSTILE[8]: names}
    found = ir.compare(judgments, results, queries=table, segments=["<i>", HOSTILE[8]], baseline=f"a {HOSTILE[0]}")
    titles = {HOSTILE[0]: HOSTILE[4], HOSTILE[1]: HOSTILE[10], HOSTILE[2]: HOSTILE[3]}
    return Report(found.scores, found, heading=f"</title>{HOSTILE[0]}", titles=Documents(titles, {}, "<d>"))


GARDEN_JUDGED = {
    "q1": {"hose": 2, "reel": 1, "tap": 0},
    "q2": {"rake": 1},
    "q3": {"spade": 1, "shovel": 1},
    "q4": {"seeds": 1},
    "q5": {"pots": 0},
}
GARDEN_BEFORE = {
    "q1": ["hose", "reel", "tap"],
    "q2": ["broom", "rake"],
    "q3": ["spade", "fork", "shovel"],
    "q5": ["pots"],
    "q6": ["bench"],
}
GARDEN_AFTER = {
    "q1": ["reel", "hose", "pump"],
    "q2": ["rake"],
    "q3": ["shovel", "spade"],
    "q4": ["soil", "pots", "seeds"],
    "q5": ["soil", "pots"],
}
GARDEN_QUERIES = {
    "query_id": ["q1", "q2", "q3", "q4", "q5"],
    "query": ["garden hose", "rake", "spade", "flower seeds", "pots"],
    "segment": ["water", "tools", "tools", "plants", "plants"],
}
GARDEN_TITLES = {"hose": "Garden hose 20 m", "reel": "Hose reel", "rake": "Leaf rake", "spade": "Digging spade"}


@functools.cache
def garden() -> Report:
    """A report whose every number is worked out by hand, with discounts 1, 0.6309 (1 / log2 3), 0.5.

    nDCG@3, before and after, with the ideal in the denominator:

    - q1: (2 + 0.6309) / 2.6309 = 1; (1 + 2 x 0.6309) / 2.6309 = 0.8597
    - q2: 0.6309 / 1; 1 / 1
    - q3: (1 + 0.5) / 1.6309 = 0.9197; 1.6309 / 1.6309 = 1
    - q4: nothing returned, so 0 by no_results; 0.5 / 1
    - q5: nothing is relevant, so 0 / 0 is 0 by no_relevant, twice

    Means 2.5507 / 5 = 0.5101 and 3.3597 / 5 = 0.6719. RR is 1, 1/2, 1, 0, 0 and 1, 1, 1, 1/3, 0: means 0.5 and 0.6667.
    Documents shared of all (Jaccard): 2/4, 1/2, 2/3, 0/3, 1/2. At k = 1 the means of nDCG are (1 + 0 + 1) / 5 = 0.4 and
    (1/2 + 1 + 1) / 5 = 0.5. The interval of the first mean is 0.5101 -+ 2.7764 x 0.4855 / sqrt(5), by Student's t.
    Holes: before has broom and fork; were they worth the most, q2 and q3 would count 1, and its mean 3 / 5.
    q6 is returned by the first system and judged by nobody.
    """
    runs = {"before": _scored(GARDEN_BEFORE), "after": _scored(GARDEN_AFTER)}
    found = ir.compare(GARDEN_JUDGED, runs, ["nDCG@3", "RR"], queries=GARDEN_QUERIES)
    return Report(found.scores, found, heading="Garden", titles=Documents(GARDEN_TITLES, {}, "titles"))


def _scored(lists: dict[str, list[str]]) -> dict[str, dict[str, float]]:
    return {query: {doc: -float(place) for place, doc in enumerate(docs)} for query, docs in lists.items()}
