"""The rows of ranked lists: which rows of a table a system returned, at which rank."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from idealrank.arrays import Ints
from idealrank.errors import listed
from idealrank.judged_lists.meeting import Met

MOST = 0.9
"""Share of the lists in which something must be so to be so in all."""

DEEP = 10
"""Ranks that people look at, and that judges should have seen."""


def top_rows(met: Met, depth: int) -> list[int]:
    """Return the rows of the results of judged queries down to a rank."""
    lists = met.lists
    rows: list[int] = lists.row[lists.rank <= depth].tolist()
    return rows


def rows_below(met: Met, depth: int) -> list[int]:
    """Return the rows of the results of judged queries below a rank."""
    lists = met.lists
    rows: list[int] = lists.row[lists.rank > depth].tolist()
    return rows


def placed(met: Met, queries: Iterable[int], most: int = 3) -> tuple[str, ...]:
    """Name some judged queries, each with the place of its first result."""
    start, row = met.lists.hit_start, met.lists.row
    chosen = [q for q in queries if start[q] < start[q + 1]][:most]
    places = [int(row[start[q] : start[q + 1]].min()) for q in chosen]
    return tuple(f"{met.results.source.place(p)}: query {met.queries[q]}" for p, q in zip(places, chosen, strict=True))


def systems(mets: Iterable[Met]) -> str:
    """Name the systems of some lists."""
    return listed(met.system for met in mets)


def tied_lists(met: Met) -> Ints:
    """Return the judged queries of several results that all have the same key."""
    returned = met.judged.returned
    return np.flatnonzero((returned > 1) & (met.judged.tied == returned))


def is_constant(met: Met) -> bool:
    """Whether nearly all lists of several results have the same key throughout."""
    several = int((met.judged.returned > 1).sum())
    return several > 0 and len(tied_lists(met)) >= MOST * several
