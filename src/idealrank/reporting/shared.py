"""How much the first results of two systems share, query by query."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.comparison.rankings.list_overlap import ListOverlap, Ranked, list_overlap
from idealrank.comparison.rankings.rank_overlap import PERSISTENCE
from idealrank.reporting.plain import number, numbers

if TYPE_CHECKING:
    from idealrank.reporting.lists import RankedLists

NUMBERS = ("jaccard", "rbo", "churn")


def shared(pairs: list[tuple[str, str]], lists: dict[str, RankedLists]) -> list[dict[str, Any]]:
    """Return one entry a pair: Jaccard, rank-biased overlap and churn of the lists by query, and their means."""
    return [_pair(baseline, system, lists[baseline], lists[system]) for baseline, system in pairs]


def _pair(baseline: str, system: str, a: RankedLists, b: RankedLists) -> dict[str, Any]:
    found = [list_overlap(left, right, PERSISTENCE, "a") for left, right in zip(_ranked(a), _ranked(b), strict=True)]
    values = {name: np.array([_value(one, name) for one in found], np.float64) for name in NUMBERS}
    return {
        "baseline": baseline,
        "system": system,
        **{name: numbers(each) for name, each in values.items()},
        "summary": {name: _mean(each) for name, each in values.items()},
    }


def _value(found: ListOverlap, name: str) -> float:
    return found.rbo.extrapolated if name == "rbo" else float(getattr(found, name))


def _mean(values: Any) -> float | None:
    known = values[~np.isnan(values)]
    return number(math.fsum(known.tolist()) / len(known)) if len(known) else None


def _ranked(lists: RankedLists) -> list[Ranked]:
    start = lists.start.tolist()
    return [
        Ranked(lists.documents[i:j], lists.rank[i:j], lists.rank[i:j], lists.rank[i:j])
        for i, j in itertools.pairwise(start)
    ]
