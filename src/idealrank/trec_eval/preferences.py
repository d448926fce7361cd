"""The preferences of a topic: which document is better than which, and how many of them a run fulfils.

Documents go by their place: the returned ones first, in their order, then the others.
"""

from __future__ import annotations

import functools
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idealrank.lists import Floats, Ints, Mask
from idealrank.trec_eval.groups import Row
from idealrank.trec_eval.stop import ABORTED, CALCULATION, Stop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.uint16]

NO_LEVEL = -3.0
"""trec_eval's mark for no level yet: where the highest level is this, its lowest one is passed over."""


@dataclass(frozen=True, eq=False)
class Group(ABC):
    """The preferences of one judgment group, over J places of which the first ones are returned.

    Attributes
    ----------
    better
        (J, J) how often the document in the row is preferred to the one in the column.
    returned
        How many places are those of returned documents.
    relevant, other
        Places of the documents above level 0, and of those that are not relevant.
    """

    better: Counts
    returned: int
    relevant: Ints
    other: Ints

    @functools.cached_property
    def possible(self) -> tuple[int, int, int]:
        """Preferences between two returned documents, with one of them, with none."""
        rows = self.better.sum(axis=1, dtype=np.int64)
        inside = self.better[: self.returned, : self.returned].sum(dtype=np.int64)
        outside = self.better[self.returned :, self.returned :].sum(dtype=np.int64)
        return int(inside), int(rows.sum() - inside - outside), int(outside)

    @functools.cached_property
    def fulfilled(self) -> tuple[int, int]:
        """Those of the first two that the order of the results fulfils."""
        inside = np.triu(self.better[: self.returned, : self.returned]).sum(dtype=np.int64)
        return int(inside), int(self.better[: self.returned, self.returned :].sum(dtype=np.int64))

    def among(self, places: Ints) -> int:
        """How many of these places are returned."""
        return int((places < self.returned).sum())

    def balanced(self, only_returned: bool) -> float:
        """The share fulfilled with as many documents that are not relevant as are; NaN where there are none."""
        relevant = self.among(self.relevant) if only_returned else len(self.relevant)
        other = self.among(self.other) if only_returned else len(self.other)
        if relevant < other:
            fulfilled, possible = self.cut(only_returned)
        else:
            fulfilled, possible = self.fulfilled[0], self.possible[0]
            if not only_returned:
                fulfilled, possible = sum(self.fulfilled), sum(self.possible)
            fulfilled += self.among(self.relevant) * (relevant - other)
            possible += len(self.relevant) * (relevant - other)
        return fulfilled / possible if possible else float("nan")

    @abstractmethod
    def cut(self, only_returned: bool) -> tuple[int, int]:
        """Preferences fulfilled and possible, with only so many of the documents that are not relevant."""


@dataclass(frozen=True, eq=False)
class Levels(Group):
    """A group without subgroups: every document of a level is preferred to all of lower ones.

    Attributes
    ----------
    classes
        Places by level, the highest first.
    last
        Places of the lowest level and what trec_eval keeps behind them: the places of the groups that follow.
    """

    classes: tuple[Ints, ...]
    last: Ints

    def cut(self, only_returned: bool) -> tuple[int, int]:
        """Count by level; the lowest one meets itself, too, as it does in trec_eval."""
        many = self.among(self.relevant) if only_returned else len(self.relevant)
        within = self.returned if only_returned else len(self.better)
        higher = [places[places < within] for places in self.classes]
        first = self.last[:many]
        lowest = first[: np.argmax(first >= within)] if (first >= within).any() else first
        pairs = [*itertools.combinations(higher[:-1], 2), *((places, lowest) for places in higher)]
        fulfilled = sum(int(((one[:, None] < other) & (one[:, None] < self.returned)).sum()) for one, other in pairs)
        return fulfilled, sum(len(one) * len(other) for one, other in pairs)


@dataclass(frozen=True, eq=False)
class Partial(Group):
    """A group of several subgroups: what follows from their preferences is preferred, too."""

    def cut(self, only_returned: bool) -> tuple[int, int]:
        """Count without the documents that are not relevant behind the first so many, for both by all relevant."""
        other = np.sort(self.other)
        if only_returned:
            other = other[other < self.returned]
        better = self.better.copy()
        surplus = other[len(self.relevant) :]
        better[surplus], better[:, surplus] = 0, 0
        left = Partial(better, self.returned, self.relevant, self.other)
        if only_returned:
            return left.fulfilled[0], left.possible[0]
        return sum(left.fulfilled), sum(left.possible)


def groups_of(rows: Iterable[Row], place: dict[str, int], returned: int) -> list[Group]:
    """Return the groups of a topic in the order of their names.

    Parameters
    ----------
    rows
        Its judgments.
    place
        Place of each document.
    returned
        How many of them are returned.

    Raises
    ------
    Stop
        If the preferences of a group contradict each other.
    """
    ordered = sorted(rows, key=lambda row: (row.group, row.subgroup, -row.level, place[row.doc]))
    found = [list(members) for _, members in itertools.groupby(ordered, lambda row: row.group)]
    flat = [len({row.subgroup for row in members}) == 1 for members in found]
    kept = np.array([place[r.doc] for members, one in zip(found, flat, strict=True) if one for r in members], np.int64)
    groups: list[Group] = []
    behind = 0
    for members, one in zip(found, flat, strict=True):
        if one:
            groups.append(_levels(members, place, returned, kept[behind:]))
            behind += len(members)
        else:
            groups.append(_partial(members, place, returned))
    return groups


def _levels(members: list[Row], place: dict[str, int], returned: int, kept: Ints) -> Levels:
    level = np.array([row.level for row in members])
    if level[0] == NO_LEVEL:
        level = level[level != level[-1]]
    places = kept[: len(level)]
    bounds = np.flatnonzero(np.diff(level)) + 1
    classes = tuple(np.split(places, bounds)) if len(places) else ()
    by_place = np.full(len(place), np.nan)
    for one, at in zip(classes, level[np.concatenate(([0], bounds))] if classes else (), strict=True):
        if not np.isnan(by_place[one]).all():
            raise Stop(CALCULATION, f"{_where(members)}: a document has two levels. Give each one.")
        by_place[one] = at
    times = np.bincount(places, minlength=len(place)).astype(np.uint16)
    better = np.where(by_place[:, None] > by_place, np.outer(times, times), np.uint16(0))
    last = kept[bounds[-1] if len(bounds) else 0 :]
    return Levels(better, returned, places[level > 0], places[~(level > 0)], classes, last)


def _partial(members: list[Row], place: dict[str, int], returned: int) -> Partial:
    by_place = np.full(len(place), -1.0)
    for row in members:
        before = by_place[place[row.doc]]
        if (before > 0 and row.level == 0) or (before == 0 and row.level > 0):
            raise Stop(CALCULATION, f"{_where(members)}: document {row.doc} has level 0 and one above. Give one.")
        by_place[place[row.doc]] = row.level
    better = np.zeros((len(place), len(place)), np.bool_)
    for _, rows in itertools.groupby(members, lambda row: row.subgroup):
        one = list(rows)
        level, places = np.array([row.level for row in one]), np.array([place[row.doc] for row in one])
        high, low = np.nonzero(level[:, None] > level)
        better[places[high], places[low]] = True
    np.fill_diagonal(better, False)
    better = _followed(better)
    if (better & better.T).any():
        raise Stop(ABORTED, f"{_where(members)}: its subgroups prefer two documents to each other. Take one out.")
    (relevant,), (other,) = np.nonzero(by_place > 0), np.nonzero(by_place == 0)
    return Partial(better.astype(np.uint16), returned, relevant, other)


def _followed(better: Mask) -> Mask:
    """Add what follows: with A better than B and B than C, A is better than C."""
    used = np.flatnonzero(better.any(axis=0) | better.any(axis=1))
    step = better[np.ix_(used, used)] | np.eye(len(used), dtype=np.bool_)
    while True:
        further = (step.astype(np.float32) @ step.astype(np.float32)) > 0
        if (further == step).all():
            break
        step = further
    np.fill_diagonal(step, False)
    found = better.copy()
    found[np.ix_(used, used)] = step
    return found


def _where(members: list[Row]) -> str:
    return f"topic {members[0].topic}, group {members[0].group}"


def pair_shares(groups: list[Group]) -> tuple[Floats, Floats, int]:
    """For each pair of documents of which one is preferred, the share of the groups that the results fulfil.

    Returns
    -------
    Pairs of two returned documents, pairs with one, and how many pairs have none.
    """
    total: Counts = np.zeros_like(groups[0].better)
    for group in groups:
        total += group.better
    n = groups[0].returned
    both, one = np.triu_indices(n, 1), total[:n, n:].ravel()
    inside = _share(total[:n, :n][both], total[:n, :n].T[both])
    outside = total[n:, n:]
    neither = np.count_nonzero(np.triu(outside | outside.T, 1))
    return inside, _share(one, total[n:, :n].T.ravel()), int(neither)


def _share(right: Counts, wrong: Counts) -> Floats:
    every = right.astype(np.float64) + wrong
    known = every > 0
    found: Floats = right[known] / every[known]
    return found
