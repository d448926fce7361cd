"""Counts of some queries and of others are joined field by field, as their declarations say."""

from __future__ import annotations

import dataclasses
from typing import Any, get_type_hints

import numpy as np
import pytest

from idealrank.evaluation.ledger.counts import (
    JudgmentCounts,
    RankCounts,
    ResultCounts,
    ScoreCounts,
    SearchCounts,
    TimeCounts,
    join,
)

KINDS = (JudgmentCounts, RankCounts, ResultCounts, ScoreCounts, SearchCounts, TimeCounts)
NONE = np.zeros(0, np.int64)


def _of(kind: type, said: bool) -> dict[str, Any]:
    """Return a value of every field, which says something or nothing."""
    every = {bool: said, int: 2 * said, float: 2.0 * said, str: "x" * said}
    found: dict[str, Any] = {}
    for name, hint in get_type_hints(kind).items():
        text = str(hint)
        if name == "times" and kind is TimeCounts:
            found[name] = {"took": {"q": 1.0} if said else {}}
        elif name == "unread" and kind is TimeCounts:
            found[name] = {"took": "why" if said else ""}
        elif name in ("lengths", "nothing", "tied", "holes"):
            found[name] = {None: NONE} if name == "holes" else NONE
        elif hint in every:
            found[name] = every[hint]
        elif text.startswith("tuple"):
            found[name] = ("q",) * said
        elif "None" in text:
            found[name] = None
        else:
            value: Any = ("q",) if text.endswith("tuple[str, ...]]") else "x" if text.endswith(", str]") else 2
            found[name] = {"k": value} if said else {}
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_counts(kind: Any) -> None:
    """What only one part says is said of all, whichever comes first."""
    nothing, full = (kind(**_of(kind, said)) for said in (False, True))
    either = {"ranked": False, "like_judgments": False, "lowest": 0.0, "lowest_rank": 0.0, "same": 0.0, "fraction": 0.0}
    for parts in ([nothing, full], [full, nothing], [nothing, full, nothing]):
        joined = join(parts, NONE)
        for field in dataclasses.fields(kind):
            expected = either.get(field.name, getattr(full, field.name))
            assert repr(getattr(joined, field.name)) == repr(expected), field.name


def test_numbers_are_added() -> None:
    """Numbers are added, also by key; the highest of what is a highest counts; queries are in their natural order."""
    first, second = (
        TimeCounts(times={"took": {q: ms}, "latency": {}}, searched=(q,)) for ms, q in ((1.0, "q10"), (2.0, "q9"))
    )
    joined = join([first, second], NONE)
    assert joined.times == {"took": {"q10": 1.0, "q9": 2.0}, "latency": {}}
    assert joined.searched == ("q9", "q10")
    searches = SearchCounts(by_search=False, searches=1, tasks=1, most=3, missed=(("q10", "d"), ("q9", "e")))
    both = join([searches, dataclasses.replace(searches, missed=(("q9", "a"),), never_found={"RR": ("q",)})], NONE)
    assert (both.searches, both.most, both.never_found) == (2, 3, {"RR": ("q",)})
    assert both.missed == (("q9", "e"), ("q9", "a"), ("q10", "d"))


def test_columns_of_queries_come_in_the_order_of_all() -> None:
    """Columns are appended, and brought into the order of the queries; those of several numbers per query, too."""
    nothing, parts = ResultCounts(**_of(ResultCounts, False)), []
    for many in (np.array([3, 1]), np.array([2])):
        columns = dict.fromkeys(("tied", "lengths", "nothing"), many)
        parts.append(dataclasses.replace(nothing, **columns, holes={5: np.stack([many, many])}))
    joined = join(parts, np.array([1, 2, 0]))
    assert joined.tied.tolist() == [1, 2, 3]
    assert joined.holes[5].tolist() == [[1, 2, 3], [1, 2, 3]]
