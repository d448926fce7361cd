"""The front of a report: headline, sentences, order, ranks, from ranks worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

import idealrank as ir
from idealrank.reports.report import Report
from tests.comparison.worlds import one_relevant, reciprocal
from tests.reports.worlds import against, failing, shop

QUERIES = [f"q{i:03}" for i in range(24)]
FAILED = [f"q{i:02}" for i in range(15)]


def ranked(rank: int) -> dict[str, dict[str, float]]:
    """Return results with the relevant document at this rank, one lower in every third query."""
    return reciprocal({query: rank + (i % 3 == 0) for i, query in enumerate(QUERIES)})


def front(runs: dict[str, Any], measures: list[str], **options: Any) -> dict[str, Any]:
    """Return the summary of a comparison."""
    return dict(ir.report(ir.compare(one_relevant(24), runs, measures, **options)).summary)


def test_one_pair_has_the_words_of_its_verdict() -> None:
    """Headline, sentences and steps are the verdict's; it is about hybrid in the place of bm25."""
    report = shop()
    assert report.comparison is not None
    verdict = report.comparison.verdict["hybrid"]
    found = report.summary
    assert (found["outcome"], found["headline"]) == (verdict.outcome, verdict.headline)
    assert (found["sentences"], found["steps"]) == (list(verdict.summary), list(verdict.steps))
    assert (found["pair"], found["order"]) == (["bm25", "hybrid"], ["hybrid", "bm25"])


def test_the_doubt_of_a_gain_is_noted() -> None:
    """Of 30 queries 15 fail, each may have lost all: the interval is above 0, yet it is CAN'T TELL, and why is said."""
    found = failing(*FAILED).summary
    assert found["outcome"] == "CAN'T TELL"
    assert found["sentences"][-1].endswith("but that is not certain: see the reason.")
    doubt, failed = found["notes"]
    assert doubt.startswith("With the failed queries at their worst, RR is between ")
    assert failed.startswith("The search failed for 15 queries (new: q00, q01, q02 and 12 more).")


def test_the_best_of_several_has_its_notes() -> None:
    """What is noted of the system that is ahead stands on the front of three systems, too."""
    judged, runs = one_relevant(24), {f"s{rank}": ranked(rank) for rank in (3, 2)}
    table = {"query": QUERIES, "doc": ["d"] * 23 + [""], "rank": [1] * 24, "error": [""] * 23 + ["down"]}
    found = ir.report(ir.compare(judged, runs | {"s1": table}, ["RR"], baseline="s3")).summary
    assert found["pair"] == ["s3", "s1"]
    assert any("(s1: q023)" in note for note in found["notes"])


def test_the_best_that_ships_is_ahead() -> None:
    """Of four systems the relevant document is highest in s1: the league begins with it, and with its difference.

    Two thirds of the queries have it at r, the others at r + 1: RR is 2/3 + 1/6 = 0.8333 for s1, 2/3 x 1/3 + 1/3 x 1/4
    = 0.3056 for s3.
    """
    runs = {f"s{rank}": ranked(rank) for rank in (3, 2, 9, 1)}
    found = front(runs, ["RR"], baseline="s3")
    assert found["outcome"] == "SHIP"
    assert found["headline"].startswith("s1 is ahead: +0.53 (+0.")
    assert found["sentences"][0].startswith("s1 scores 0.83 on RR, s3 0.31: +0.53 (")
    assert found["sentences"][1] == "Of 3 other systems, 2 are better than s3, 1 is worse or no better."
    assert (found["order"], found["pair"]) == (["s1", "s2", "s3", "s9"], ["s3", "s1"])


def test_all_pairs_have_a_leader() -> None:
    """Every pair of three systems differs in every query: the first is ahead of all, each has a rank of its own."""
    found = front({f"s{rank}": ranked(rank) for rank in (2, 1, 9)}, ["RR"])
    assert (found["headline"], found["outcome"]) == ("s1 is ahead of every other system", "SHIP")
    assert found["ranks"] == {"s1": [1, 1], "s2": [2, 2], "s9": [3, 3]}


def twice(first: int, second: int) -> dict[str, dict[str, float]]:
    """Return results with two relevant documents at these ranks, the first one lower in every third query."""
    lists = {}
    for i, query in enumerate(QUERIES):
        places = {first + (i % 3 == 0): "a", second: "b"}
        lists[query] = {places.get(rank, f"x{rank}"): -float(rank) for rank in range(1, 12)}
    return lists


@pytest.mark.parametrize("order", [("s2", "s5", "s1"), ("s1", "s2", "s5"), ("s2", "s1", "s5")])
def test_a_leader_whose_guardrail_fails_is_not_clear(order: tuple[str, ...]) -> None:
    """The second document of s1 is far down: best by RR, worse by P@4, which guards, so it is not called ahead.

    Neither where s1 is the newcomer of both pairs, nor where it is the baseline of one or both.
    """
    found = {"s2": twice(2, 4), "s5": twice(5, 8), "s1": twice(1, 11)}
    runs = {name: found[name] for name in order}
    judged = {query: {"a": 1, "b": 1} | {f"x{rank}": 0 for rank in range(1, 12)} for query in QUERIES}
    said = ir.report(ir.compare(judged, runs, ["RR", "P@4"])).summary
    assert (said["headline"], said["outcome"]) == ("s1 leads, but not clearly", "CAN'T TELL")
    assert said["sentences"][1] == "The margin or a guardrail keeps it from being clearly better than s2."


def test_a_leader_that_unjudged_results_make_unsure() -> None:
    """What t puts first was never judged, and may be as good: neither a margin nor a guardrail is the reason."""
    judged = {query: {"d": 1, "e": 0 if i % 4 else 1, "x": 0} for i, query in enumerate(QUERIES)}
    lists = {"s": ("d", "e", "x"), "t": ("new", "d", "e"), "u": ("x", "e", "d")}
    runs = {
        name: {query: {d: -float(i) for i, d in enumerate(docs)} for query in QUERIES} for name, docs in lists.items()
    }
    said = ir.report(ir.compare(judged, runs, ["nDCG@10"])).summary
    assert (said["headline"], said["outcome"]) == ("s leads, but not clearly", "CAN'T TELL")
    assert said["sentences"][1:] == ["But too little was judged to be sure that s is better than t."]


def test_a_leader_within_the_margin_is_not_called_ahead() -> None:
    """1/2 and 1/3 in every query: neither is worth a margin of 0.3, and the better one is not ahead by it."""
    found = front({"s2": ranked(2), "s3": ranked(3), "s9": ranked(9)}, ["RR"], margin=0.3)
    assert (found["headline"], found["outcome"]) == ("s2 leads, but not clearly", "CAN'T TELL")


def test_a_leader_that_may_lose_is_not_called_ahead() -> None:
    """Ranks 2 and 3 against 1: a loss of up to 0.8 is allowed, and none of it is called a gain."""
    runs = {f"s{rank}": ranked(rank) for rank in (1, 2, 3)}
    found = front(runs, ["RR"], baseline="s1", rule="not_worse", margin=0.8)
    assert found["headline"].startswith("s2 loses no more than is allowed: −0.3")
    assert found["sentences"][1] == "Of 2 other systems, 2 are good enough to replace s1."


def test_a_leader_that_is_not_alone() -> None:
    """Two systems are equal, the third is worse: they share the first ranks, and the leader is not clear."""
    found = front({"s": ranked(1), "t": ranked(1), "u": ranked(9)}, ["RR"])
    assert (found["headline"], found["outcome"]) == ("s leads, but not clearly", "CAN'T TELL")
    assert found["sentences"] == ["s and t lead with the same RR (0.833); the other system is worse."]
    assert found["ranks"] == {"s": [1, 2], "t": [1, 2], "u": [3, 3]}


@pytest.mark.parametrize(
    ("measure", "headline"),
    [
        ("nDCG@3", "results answers 63% as well as a perfect ranking could (nDCG@3)"),
        ("RR", "results scores 0.500 on RR"),
    ],
)
def test_one_system(measure: str, headline: str) -> None:
    """At rank 2 the nDCG of one relevant document is 1/log2(3) = 0.6309; only nDCG is a share of a perfect ranking."""
    assert math.isclose(1 / math.log2(3), 0.6309, abs_tol=1e-4)
    report = ir.report(ir.evaluate({"q": {"d": 1}}, {"q": {"x": 2.0, "d": 1.0}}, [measure]))
    assert (report.summary["outcome"], report.summary["headline"]) == ("", headline)


def checks(report: Report) -> dict[str, bool]:
    """Return each check with whether it warns."""
    return {check["text"]: check["warns"] for check in report.summary["checks"]}


def test_checks_of_the_shop() -> None:
    """41 queries; one of each system without results; 59 of 370 and 90 of 386 results shown are unjudged."""
    found = checks(shop())
    shown = shop().holes["shown"]
    assert [round(100 * holes / shown[system]) for system, holes in (("bm25", 59), ("hybrid", 90))] == [16, 23]
    assert found == {
        "all 41 queries counted": False,
        "no results for q19 (bm25), q28 (hybrid)": False,
        "never judged in the top 10: 16% of bm25, 23% of hybrid": True,
        "idealrank-1": False,
    }


@pytest.mark.parametrize(("queries", "warns"), [(24, True), (25, False)])
def test_few_queries_warn(queries: int, warns: bool) -> None:
    """Fewer than 25 queries are a warning."""
    found = checks(ir.report(against(2, queries)))
    assert found[f"{'only' if warns else 'all'} {queries} queries counted"] is warns


@pytest.mark.parametrize(("answered", "warns"), [(37, True), (38, False)])
def test_queries_without_results_warn(answered: int, warns: bool) -> None:
    """Of 40 queries 3 without results are 7.5 %, above 5 %; 2 are 5 %, which is not above."""
    judged = {f"q{q:02}": {"d": 1} for q in range(40)}
    run = {query: {"d": 1.0} for query in list(judged)[:answered]}
    found = checks(ir.report(ir.evaluate(judged, {"s": run}, ["RR"])))
    (text,) = [text for text in found if text.startswith("no results for")]
    assert found[text] is warns


@pytest.mark.parametrize(("judged", "warns"), [(4, False), (3, True)])
def test_unjudged_results_warn(judged: int, warns: bool) -> None:
    """Of five results one without a label is 20 %, which is not above; two are 40 %."""
    run = {"q": {f"d{i}": -float(i) for i in range(5)}}
    found = checks(ir.report(ir.evaluate({"q": {f"d{i}": 1 for i in range(judged)}}, run, ["RR"])))
    assert found[f"never judged in the top 5: {20 * (5 - judged)}% of results"] is warns
