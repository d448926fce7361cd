"""One fault has one finding, and one advice."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import idealrank as ir

JUDGED = {f"q{i}": {"a": 1, "b": 0, "c": 0} for i in range(30)}


def _rows(values: dict[str, Any], column: str) -> dict[str, list[Any]]:
    pairs = [(query, doc) for query in JUDGED for doc in values]
    return {
        "query_id": [query for query, _ in pairs], "doc_id": [doc for _, doc in pairs],
        column: [values[doc] for _, doc in pairs],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("results", "finding"),
    [
        (_rows({"a": 0.1, "b": 0.2, "c": 0.4}, "score"), "distances read as scores"),
        (_rows({"a": 3, "b": 4, "c": 6}, "rank"), "gaps in the ranks"),
    ],
)
def test_a_fault_is_found_once(results: dict[str, list[Any]], finding: str) -> None:
    """What a check of its own found is not a warning of the ledger as well, whose advice is another."""
    names = [each.name for each in ir.doctor(JUDGED, results).findings]
    assert names.count(finding) == 1
    assert not {"odd judgments or results", "warning of the ledger"} & {*names}
    assert ir.evaluate(JUDGED, results, ["RR"]).ledger.warnings  # which evaluate says all the same


Row = dict[str, Any]


def _clean() -> tuple[list[Row], list[Row]]:
    """Return judgments and results of 24 queries, in which nothing is odd."""
    judged = [{"query": f"q{q}", "doc": f"d{d}", "grade": (q + d) % 3} for q in range(24) for d in range(8)]
    found = [
        {"query": f"q{q}", "doc": f"d{(q * 5 + 3 * r) % 11}", "rank": r, "score": 9.5 - r - q / 100}
        for q in range(24)
        for r in range(1, 7)
    ]
    return judged, found


def _each(**change: Callable[[Row], Any]) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [row | {name: of(row) for name, of in change.items()} for row in rows]


RESULTS: dict[str, Callable[[list[Row]], list[Row]]] = {
    "queries lost": lambda rows: [row for row in rows if row["query"] > "q15"],
    "first rank lost": lambda rows: [row for row in rows if row["rank"] != 1],
    "rows lost": lambda rows: [row for place, row in enumerate(rows) if place % 3],
    "ranks all 0": _each(rank=lambda row: 0),
    "ranks with fractions": _each(rank=lambda row: row["rank"] + 0.5),
    "ranks from 0": _each(rank=lambda row: row["rank"] - 1),
    "ranks turned round": _each(rank=lambda row: 7 - row["rank"]),
    "no ranks": lambda rows: [{name: row[name] for name in row if name != "rank"} for row in rows],
    "scores rise": _each(score=lambda row: -row["score"]),
    "scores all 1": _each(score=lambda row: 1.0),
    "scores mixed": _each(score=lambda row: row["score"] * 7 % 3),
    "twice": lambda rows: rows + [row | {"rank": 9, "score": 0.0} for row in rows[::12]],
    "other case": _each(doc=lambda row: row["doc"].upper()),
    "prefix": _each(doc=lambda row: f"doc:{row['doc']}"),
}
JUDGMENTS: dict[str, Callable[[list[Row]], list[Row]]] = {
    "far grade": lambda rows: [rows[0] | {"grade": 90}, *rows[1:]],
    "grades to 1": _each(grade=lambda row: row["grade"] / 2),
    "grades from 1": _each(grade=lambda row: row["grade"] + 1),
}
ODDITIES = [*RESULTS, *JUDGMENTS]
ANSWER = re.compile(r"(\w+)=(\w+) in Python")


def _answers(text: str) -> dict[str, set[str]]:
    """Return the answers to decisions that an advice names, by decision."""
    named: dict[str, set[str]] = {}
    for decision, value in ANSWER.findall(text):
        named.setdefault(decision, set()).add(value)
    return named


@functools.cache
def _examined(first: str) -> list[tuple[str, ir.Ledger, ir.Diagnosis]]:
    """Return the ledger and the diagnosis of tables that are odd in one way and in each after it."""
    found = []
    for second in ODDITIES[ODDITIES.index(first) :]:
        judged, results = _clean()
        for name in dict.fromkeys((first, second)):
            judged, results = JUDGMENTS.get(name, list)(judged), RESULTS.get(name, list)(results)
        try:
            ledger = ir.evaluate(judged, {"s": results}, ["nDCG@5"], duplicates="first").ledger
            found.append((second, ledger, ir.doctor(judged, {"s": results}, measures="nDCG@5", duplicates="first")))
        except ir.DataError:
            continue  # which asks, and so has one advice
    return found


@pytest.mark.parametrize("first", ODDITIES)
def test_no_two_advices_contradict(first: str) -> None:
    """Of tables that are odd in two ways, each oddity is found once, and no two findings answer a decision apart."""
    for second, ledger, diagnosis in _examined(first):
        findings = diagnosis.findings
        assert max(Counter((each.system, each.kind) for each in ledger.odd).values(), default=1) == 1
        assert max(Counter((each.name, each.system, each.text) for each in findings).values(), default=1) == 1
        advised = [_answers(f"{each.text} {each.way}") for each in findings]
        advised += [{name: {str(value)} for name, value in each.answers.items()} for each in findings]
        for one, other in itertools.combinations(filter(None, advised), 2):
            apart = [name for name in one.keys() & other.keys() if not one[name] & other[name]]
            assert not apart, (first, second, one, other)


TIED = "constant scores"
"""What the ledger says of it is what ties make of the mean; another order is only the advice."""

BOTH_WAYS = {"rank_gaps", "no_relevant"}
"""Decisions that matter to the doctor wherever they do to the ledger; of others it looks at what no accident does."""


@pytest.mark.parametrize("first", ODDITIES)
def test_what_moves_a_mean_is_in_the_ledger_too(first: str) -> None:
    """A decision whose other answer moves a mean for the doctor moves it in the ledger, and the other way round."""
    for second, ledger, diagnosis in _examined(first):
        moving = [each for each in diagnosis.moving if each.name != TIED]
        found = {(shift.system, name) for each in moving for name in each.answers for shift in each.shifts}
        moves = {(move.system, move.decision) for move in ledger.moves}
        assert found <= moves, (first, second)
        assert {one for one in moves if one[1] in BOTH_WAYS} <= found, (first, second)
