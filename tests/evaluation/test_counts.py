"""Counts of some queries and of others add up field by field."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any, get_type_hints

import pytest

from idealrank.evaluation.ledger.counts import (
    JudgmentCounts,
    RankCounts,
    ResultCounts,
    ScoreCounts,
    SearchCounts,
    TimeCounts,
    add_up,
)

KINDS = (JudgmentCounts, RankCounts, ResultCounts, ScoreCounts, SearchCounts, TimeCounts)


def _of(kind: type, said: bool) -> dict[str, Any]:
    """Return a value of every field, which says something or nothing."""
    every = {bool: said, int: 2 * said, float: 2.0 * said, str: "x" * said}
    found: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        if name == "times" and kind is TimeCounts:
            found[name] = {"took": {"q": 1.0} if said else {}}
        elif name == "unread" and kind is TimeCounts:
            found[name] = {"took": "why" if said else ""}
        elif name == "holes":
            found[name] = {None: (2, 3)} if said else {}
        elif hint in every:
            found[name] = every[hint]
        elif str(hint).startswith("tuple"):
            found[name] = ("q",) * said
        elif "None" in str(hint):
            found[name] = None
        else:
            found[name] = {"k": ("q",) if str(hint).endswith("tuple[str, ...]]") else 2} if said else {}
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_counts(kind: Any) -> None:
    """What only one bucket says is said of all, whichever comes first."""
    nothing, full = (kind(**_of(kind, said)) for said in (False, True))
    either = {"ranked": False, "like_judgments": False, "lowest": 0.0, "lowest_rank": 0.0, "same": 0.0, "fraction": 0.0}
    for one, other in ((nothing, full), (full, nothing)):
        added = one + other
        for field in dataclasses.fields(kind):
            assert getattr(added, field.name) == either.get(field.name, getattr(full, field.name)), field.name


def test_both_sides_count() -> None:
    """Numbers are added, also by key, and of texts the first that says anything counts."""
    first, second = (
        TimeCounts(times={"took": {"q": ms}, "latency": {}}, searched=(name,)) for ms, name in ((1.0, "a"), (2.0, "b"))
    )
    assert (first + second).times["took"] == {"q": 1.0}
    assert (first + second).searched == ("a", "b")
    searches = SearchCounts(apart=False, searches=1, tasks=1, most=3, never_found={"RR": ("q",)})
    both = searches + searches
    assert (both.searches, both.most, both.never_found) == (2, 3, {"RR": ("q", "q")})


def test_buckets_stay_in_order() -> None:
    """However many buckets there are, what they name comes in their order."""
    for count in range(1, 9):
        parts = [RankCounts(lists=1, level=(str(number),)) for number in range(count)]
        whole = add_up(parts)
        assert whole.lists == count
        assert whole.level == tuple(map(str, range(count)))
        assert whole == list(itertools.accumulate(parts, lambda one, other: one + other))[-1]
