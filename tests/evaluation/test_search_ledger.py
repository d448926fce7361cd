"""The ledger of several searches: what was asked for and not returned is told from what nobody asked for."""

from __future__ import annotations

import random
from typing import Any

import pytest

import idealrank as ir
from idealrank.evaluation.ledger.ledger import NEVER
from tests.amounts import tried

JUDGMENTS = {
    "query": ["t1", "t1", "t1", "t2", "t2", "t3"],
    "doc": ["a", "b", "c", "d", "k", "y"],
    "grade": [1, 1, 0, 1, 1, 1],
}
RESULTS: dict[str, list[Any]] = {
    "query": ["t1", "t1", "t1", "t1", "t2", "t2"],
    "step": [1, 1, 2, 2, 1, 2],
    "rank": [1, 2, 1, 2, 1, None],
    "doc": ["x", "a", "x", "b", "y", None],
}
"""Nothing is searched for t3; t2 is searched for twice, and d and k do not come back."""

ASKED = "2 relevant documents asked for and not returned: d (t2), k (t2)"
UNASKED = "1 relevant document never asked for, without a search: y (t3)"


@pytest.mark.parametrize("steps", ["union", "last", "each"])
def test_asked_for_and_never_asked(steps: str) -> None:
    """By hand: d and k of t2 were asked for, y of t3 was not; a and b came back, in whichever search."""
    ledger = ir.evaluate(JUDGMENTS, RESULTS, ["R"], steps=steps).ledger
    assert {ASKED, UNASKED} <= set(ledger.notes)
    (account,) = ledger.systems
    assert account.never_asked == ("t3",)


def test_a_step_that_was_never_made() -> None:
    """Where the judgments say that step 3 needs k, it was never asked for: only steps 1 and 2 were."""
    judged = JUDGMENTS | {"step": [1, 2, None, 1, 3, None]}
    for steps in ("union", "each"):
        notes = ir.evaluate(judged, RESULTS, ["R"], steps=steps).ledger.notes
        assert "1 relevant document asked for and not returned: d (t2)" in notes
        assert "2 relevant documents never asked for, without a search: k (t2), y (t3)" in notes
    assert ir.evaluate(judged, RESULTS, ["R"], steps="each").ledger.systems[0].never_asked == ("t2/3", "t3")


def test_one_search_each_tells_them_apart_too() -> None:
    """With one search per task no answer is needed, and a step of the judgments may still not have been made."""
    once = {name: [cells[0], cells[4]] for name, cells in RESULTS.items()} | {"doc": ["a", "d"]}
    notes = ir.evaluate(JUDGMENTS | {"step": [1, 2, None, 1, 3, None]}, once, ["R"]).ledger.notes
    assert "3 relevant documents never asked for, without a search: b (t1), k (t2), y (t3)" in notes
    assert not any("asked for and not returned" in note for note in notes)


def test_without_steps_nothing_is_said_of_searches() -> None:
    """Where no column says which searches were made, a query without results is one for which nothing came back."""
    plain = {name: cells[:4] for name, cells in RESULTS.items() if name != "step"} | {"doc": ["x", "a", "b", "c"]}
    ledger = ir.evaluate(JUDGMENTS, plain | {"rank": [1, 2, 3, 4]}, ["R"]).ledger
    assert ledger.systems[0].judged_nothing_returned == ("t2", "t3")
    assert ledger.systems[0].never_asked == ()
    assert not any("asked for" in note for note in ledger.notes)


def test_how_many_searches() -> None:
    """The ledger counts searches and says what became of them; an empty last one is a list of nothing."""
    notes = ir.evaluate(JUDGMENTS, RESULTS, ["R"], steps="last").ledger
    assert "4 searches for 2 queries, at most 2 each; one list per query (steps=last)" in notes.notes
    assert notes.systems[0].judged_nothing_returned == ("t2",)
    notes = ir.evaluate(JUDGMENTS, RESULTS, ["R"], steps="each").ledger
    assert any("every search counts as a query of its own (steps=each)" in note for note in notes.notes)


def test_searches_that_never_found_it() -> None:
    """They count one more than the most, and the ledger names their queries; no_results=0 does not make them best."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["StepsToFirst(most=4)"], steps="union")
    assert scores.values[0, 0].tolist() == [1, 5, 5]
    told = "StepsToFirst(most=4): not found within 4 searches for 2 queries, which count 5: t2, t3"
    assert told in scores.ledger.notes
    assert not any("no_results" in note for note in scores.ledger.notes)
    left_out = ir.evaluate(JUDGMENTS, RESULTS, ["StepsToFirst(most=4)"], steps="union", no_results="skip")
    assert left_out["StepsToFirst(most=4)"] == (1 + 5) / 2


def test_a_search_that_failed_is_no_empty_one() -> None:
    """Under steps=each it is left out alone; in one list of all steps it leaves out its query."""
    failed = RESULTS | {"error": [None] * 5 + ["timeout"]}
    each = ir.evaluate(JUDGMENTS, failed, ["R"], steps="each").ledger.systems[0]
    assert (each.failed, each.judged_nothing_returned) == (("t2/2",), ())
    assert ir.evaluate(JUDGMENTS, failed, ["R"], steps="union").ledger.systems[0].failed == ("t2",)


@pytest.mark.parametrize("seed", range(tried(40)))
def test_both_accounts_sum(seed: int) -> None:
    """Each judged query is in one state of each account, and each relevant document returned, asked for or neither."""
    rng = random.Random(seed)
    judged = {f"t{task}": {doc: rng.randrange(2) for doc in "abcd"} | {"e": 1} for task in range(4)}
    rows: list[tuple[Any, ...]] = [("t0", 1, 1, "a"), ("t0", 2, 1, "b")]
    for task in range(1, 5):
        for step in range(rng.randrange(3)):
            docs = rng.sample("abcdexy", rng.randrange(4))
            rows += [(f"t{task}", step, rank, doc) for rank, doc in enumerate(docs, 1)] or [
                (f"t{task}", step, None, None)
            ]
    results = dict(zip(("query", "step", "rank", "doc"), map(list, zip(*rows, strict=True)), strict=True))
    for steps in ("union", "last", "each"):
        check(ir.evaluate(judged, results, ["R", "StepsToAll"], steps=steps))
    asked, came = {row[0] for row in rows}, {(row[0], row[3]) for row in rows}
    wanted = [(task, doc) for task, docs in judged.items() for doc, grade in docs.items() if grade]
    missed = [task in asked for task, doc in wanted if (task, doc) not in came]
    notes = " ".join(ir.evaluate(judged, results, ["R"], steps="union").ledger.notes)
    for many, words in ((sum(missed), "asked for and not returned"), (len(missed) - sum(missed), "never asked for")):
        assert (f"{many} relevant document{'s' * (many != 1)} {words}" in notes) == (many > 0)


def check(scores: ir.Scores) -> None:
    """Sum both accounts."""
    account = scores.ledger.systems[0]
    states = (account.judged_nothing_returned, account.never_asked, account.failed)
    assert account.judged_and_returned + sum(map(len, states)) == len(scores.queries)
    assert list(scores.ledger.queries["state"]).count(NEVER) == len(account.never_asked)
    for row in scores.ledger.measures:
        assert sum(row[2:-1]) == len(scores.queries)
