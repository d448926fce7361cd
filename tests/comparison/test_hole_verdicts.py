"""What unjudged documents do to a verdict: it stands, it is turned by so many, or nobody can tell."""

from __future__ import annotations

import pytest

import idealrank as ir
from tests.comparison.worlds import random_world


def world(queries: int, holes: int) -> tuple[dict, dict]:
    """Return judgments and two systems: test finds the relevant document first, control second.

    In the first `holes` queries the first result of control is unjudged, in the others judged 0.
    """
    judgments = {f"q{i:03}": {"d": 1, "other": 1, **({} if i < holes else {"x": 0})} for i in range(queries)}
    control = {q: {"x": 2.0, "d": 1.0} for q in judgments}
    test = {q: {"d": 2.0, "y": 1.0} for q in judgments}
    for grades in judgments.values():
        grades["y"] = 0
    return judgments, {"control": control, "test": test}


def test_stands_whatever_the_holes_hold() -> None:
    """Two holes in twenty queries cannot turn a gain in all of them; the sentence says so."""
    found = ir.compare(*world(20, 2), ["RR"])
    assert found.verdict.outcome == "SHIP"
    assert "whatever the 2 holes hold; SHIP stands" in found.verdict.holes
    low, high = found.holes[0, 1].first.low, found.holes[0, 1].first.high
    assert (low, high) == pytest.approx((0.5 * 18 / 20, 0.5))


def test_so_many_would_turn_it() -> None:
    """With holes in half the queries, relevant ones in some would turn the verdict: judging so many relevant does."""
    judgments, runs = world(40, 20)
    found = ir.compare(judgments, runs, ["RR"], margin=0.2)
    assert found.verdict.outcome == "SHIP"
    turning = found.holes[0, 1].turning
    assert turning is not None
    assert f"{turning} relevant holes are enough to turn it" in found.verdict.holes

    def judged(relevant: int) -> str:
        grades = {q: {**g, "x": int(i < relevant)} for i, (q, g) in enumerate(judgments.items())}
        return ir.compare(grades, runs, ["RR"], margin=0.2).verdict.outcome

    assert judged(turning) != "SHIP"
    assert judged(turning - 1) == "SHIP"


def test_worst_case_decides() -> None:
    """Under holes=worst_case a verdict that holes could turn is CAN'T TELL, and the holes are what to judge."""
    found = ir.compare(*world(20, 20), ["RR"], holes="worst_case")
    assert found.verdict.outcome == "CAN'T TELL"
    assert found.verdict.settle.startswith("Judge the 20 holes")
    assert ir.compare(*world(20, 2), ["RR"], holes="worst_case").verdict.outcome == "SHIP"


def test_estimate_changes_the_verdict() -> None:
    """A gain over unjudged first results, where all judged first results are relevant, is no gain by estimate."""
    judgments = {f"q{i:03}": {"a": 1, "b": 1, "c": 1} for i in range(40)}
    control = {q: {("a" if i < 20 else "u"): 2.0, "b": 1.0} for i, q in enumerate(judgments)}
    test = {q: {"a": 2.0, "b": 1.0} for q in judgments}
    found = ir.compare(judgments, {"control": control, "test": test}, ["P@1"])
    assert found["P@1"].gain.low > 0
    assert found.verdict.outcome == "CAN'T TELL"
    assert "with hole grades as estimated" in found.verdict.reason
    assert found.verdict.settle.startswith("Judge the 20 holes")


def test_unseen_documents_count() -> None:
    """Relevant documents nobody returned widen what the holes allow of nDCG, and nothing of P."""
    judgments, runs = random_world(3, holes=0.3)
    spans = {}
    for unseen in (0, 2):
        found = ir.compare(judgments, runs, ["nDCG@5", "P@5"], unseen=unseen)
        spans[unseen] = [(r.low, r.high) for r in found.holes[0, 1].ranges]
    assert spans[2][0][0] <= spans[0][0][0] <= spans[0][0][1] <= spans[2][0][1]
    assert spans[2][1] == spans[0][1]
    assert spans[2][0] != spans[0][0]


def test_unknown_bounds_are_said() -> None:
    """Under a measure without bounds the verdict says why there are none."""
    judgments, runs = random_world(3, holes=0.3)
    found = ir.compare(judgments, runs, ["bpref"])
    assert "no bounds known" in found.verdict.holes
    assert found.differences["bounds"] == ["unknown"]


def test_identical_systems_with_holes() -> None:
    """Two systems that are one stay DON'T whatever the holes hold."""
    judgments, runs = random_world(3, holes=0.5)
    found = ir.compare(judgments, {"a": runs["s0"], "b": runs["s0"]}, ["nDCG@5", "RR"])
    assert found.verdict.outcome == "DON'T"
    assert [(r.low, r.high) for r in found.holes[0, 1].ranges] == [(0.0, 0.0)] * 2


def test_to_judge_names_what_moves_most() -> None:
    """The first hole to judge is the one whose label, put into the judgments, moves the mean difference most."""
    judgments, runs = random_world(11, queries=12, holes=0.4)
    found = ir.compare(judgments, runs, ["nDCG@5"])
    table = found.to_judge(1000)
    before = found["nDCG@5"].difference
    rows = list(table)
    assert abs(rows[0]["move"]) == max(abs(row["move"]) for row in rows)
    for row in rows[:5]:
        labelled = {**judgments, row["query"]: {**judgments[row["query"]], row["document"]: 3}}
        again = ir.compare(labelled, runs, ["nDCG@5"])["nDCG@5"].difference
        assert again - before == pytest.approx(row["move"], abs=1e-12)
        run = sorted(runs["s1"][row["query"]].items(), key=lambda item: -item[1])
        place = [doc for doc, _ in run].index(row["document"]) + 1 if row["document"] in dict(run) else None
        assert row["rank"] == place or (place is None and row["rank"] != row["rank"])
    assert found.to_judge(2)["document"] == table["document"][:2]
