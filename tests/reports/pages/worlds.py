"""Reports whose pages were read and approved: small worlds, each with something that a page says in its own way.

Where nothing else is said, `full` has the one relevant document at rank 1 and `part` at rank 2, but no results of d.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import idealrank as ir
from tests.comparison.worlds import one_relevant, reciprocal
from tests.reports.drawn_worlds import several_timed
from tests.reports.worlds import GARDEN_JUDGED, TWO_SETTINGS, against, failing, several, swept

JUDGED = {query: {"d": 1} for query in "abcd"}
KINDS = {"hose": {"kind": "goods"}, "reel": {"kind": "goods"}, "seeds": {"kind": "plants"}, "tap": {"kind": "plants"}}
LINE = {"q boost=10": 3, "q boost=2": 1, "q boost=4": 2}
QUERIES = [f"q{i:03}" for i in range(24)]


def scored(*docs: str) -> dict[str, float]:
    """Give documents scores that keep their order."""
    return {doc: -float(place) for place, doc in enumerate(docs)}


FULL = {query: scored("d", "x") for query in JUDGED}
PART = {query: scored("x", "d") for query in "abc"}


def evaluated(runs: dict[str, Any], measures: list[str], **options: Any) -> ir.Report:
    """Report on systems that are not compared."""
    return ir.report(ir.evaluate(JUDGED, runs, measures, **options))


def compared(runs: dict[str, Any], measures: list[str], **options: Any) -> ir.Report:
    """Report on systems that are."""
    return ir.report(ir.compare(JUDGED, runs, measures, draws=100, **options))


def ranked(ranks: tuple[int, ...], measures: list[str], **options: Any) -> ir.Report:
    """Report on systems with the relevant document at a rank, one lower in every third of 24 queries."""
    runs = {f"s{r}": reciprocal({query: r + (i % 3 == 0) for i, query in enumerate(QUERIES)}) for r in ranks}
    return ir.report(ir.compare(one_relevant(24), runs, measures, baseline=f"s{ranks[0]}", **options))


def undecided() -> ir.Report:
    """Half of the queries gain what the others lose."""
    even = reciprocal({query: 2 if i % 2 else 6 for i, query in enumerate(QUERIES)})
    runs = {"old": reciprocal(dict.fromkeys(QUERIES, 3)), "new": even}
    return ir.report(ir.compare(one_relevant(24), runs, ["RR"]))


def unjudged() -> ir.Report:
    """Before has x, y and z above the relevant documents, after has z below one; x has a title.

    Were all holes relevant, RR of `before` is 1 and P@2 too; that of `after` 1/2 and 1. As they are, `before` has 1/3
    and 1/2, and P@2 of 0 and 1/2; `after` 1 and 1, and P@2 of 1/2 twice. With a label x would make RR of `before` 1 in
    place of 1/3, z 1 in place of 1/2, y 1/2 in place of 1/3; half of that moves the mean.
    """
    runs = {
        "before": {"a": scored("x", "y", "d"), "b": scored("z", "d")},
        "after": {"a": scored("d"), "b": scored("d", "z")},
    }
    found = ir.compare({query: JUDGED[query] for query in "ab"}, runs, ["RR", "P@2"], draws=100)
    return ir.report(found, documents={"x": "Red <shoe>"})


def tiny(before: int, after: int) -> ir.Report:
    """From one rank to another in three queries."""
    runs = {
        name: {query: scored(*(f"x{i}" for i in range(rank - 1)), "d") for query in "abc"}
        for name, rank in (("base", before), ("new", after))
    }
    return compared(runs, ["RR"], only=list("abc"))


def by_document() -> ir.Report:
    """One system, by the kind of documents."""
    runs = {"q1": scored("hose", "reel", "tap"), "q2": scored("broom", "rake")}
    return ir.report(ir.evaluate(GARDEN_JUDGED, runs, ["nDCG@3", "RR"]), documents=KINDS, by_document="kind")


def lowest() -> ir.Report:
    """Six systems of which one has no value at all."""
    runs = {"none": {"e": scored("d")}, **{f"s{s}": FULL for s in range(5)}}
    judged = JUDGED | {"e": {"d": 1}}
    return ir.report(ir.evaluate(judged, runs, ["RR"], no_results="skip", only=list("abcd")))


WORLDS: dict[str, Callable[[], ir.Report]] = {
    "three pairs": lambda: several(4),
    "four pairs": lambda: several(5),
    "not corrected": lambda: ir.report(against(2, correction="none")),
    "corrected by holm": lambda: ir.report(against(5, correction="holm")),
    "level 90": lambda: ranked((3, 1), ["RR"], level=0.9),
    "worse": lambda: ranked((1, 3), ["RR"]),
    "undecided": undecided,
    "lower is better": lambda: ranked((3, 1), ["ARP", "RR"]),
    "lower is better, six": lambda: ranked((4, 1, 6, 3, 5, 2), ["ARP", "RR"]),
    "all pairs": lambda: compared(dict.fromkeys("stuv", FULL), ["RR"]),
    "failed": lambda: failing("q07"),
    "two": lambda: evaluated({"full": FULL, "part": PART}, ["RR"]),
    "two, other counts": lambda: evaluated({"full": FULL, "part": PART}, ["RR"], no_results="skip"),
    "six": lambda: evaluated({"full": FULL, "part": PART} | {f"s{s}": FULL for s in range(4)}, ["RR"]),
    "six, other counts": lambda: evaluated(
        {"full": FULL, "part": PART} | {f"s{s}": FULL for s in range(4)}, ["RR"], no_results="skip"
    ),
    "six, one without a mean": lowest,
    "fewer pairs": lambda: compared({"old": FULL, "new": PART}, ["RR[no_results=skip]", "P@1"]),
    "fewer pairs of all": lambda: compared({"old": FULL, "new": PART}, ["RR", "P@1"], no_results="skip"),
    "weight 0": lambda: compared({"old": FULL, "new": FULL}, ["RR"], weights={"a": 1, "b": 0, "c": 2, "d": 0}),
    "changed decisions": lambda: evaluated({"full": FULL}, ["nDCG@3"], gain="exp2"),
    "only some queries": lambda: evaluated({"part": PART}, ["RR"], only=["a"]),
    "unjudged": unjudged,
    "tiny gain": lambda: tiny(46, 45),
    "tiny loss": lambda: tiny(45, 46),
    "no difference": lambda: tiny(45, 45),
    "less than shown": lambda: tiny(200, 199),
    "a line of settings": lambda: swept(LINE),
    "words as settings": lambda: swept({"q mode=or": 3, "q mode=and": 1}),
    "two settings": lambda: swept(TWO_SETTINGS),
    "three settings": lambda: swept({"q a=1 b=1 c=1": 3, "q a=1 b=2 c=1": 1, "q a=2 b=2 c=2": 2}),
    "tuned": lambda: swept({"old": 3, **LINE}, hold_out=0.5),
    "tuned, no settings": lambda: swept({"old": 3, "new": 1}, hold_out=0.5),
    "by document": by_document,
    "timed": lambda: ir.report(ir.compare(several_timed(2), draws=100)),
}
