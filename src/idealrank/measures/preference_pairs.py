"""The preferences of a query: which document is better than which, and how many of them its results fulfil.

Documents are numbered by place: the returned ones first, in their order, then the others.
"""

from __future__ import annotations

import functools
import itertools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats, Ints, Mask

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.uint16]


class ContradictionError(Exception):
    """A contradiction in the judgments.

    Attributes
    ----------
    what
        The contradiction, in words.
    place
        Place of the document; -1: several.
    """

    def __init__(self, what: str, place: int = -1) -> None:
        super().__init__(what)
        self.what, self.place = what, place


@dataclass(frozen=True, eq=False)
class PreferenceGroup(ABC):
    """The preferences of one judgment group, over J places of which the first ones are returned.

    Attributes
    ----------
    better
        (J, J) how often the document in the row is preferred to the one in the column.
    returned
        Number of places of returned documents.
    relevant, other
        Places of the documents above level 0, and of the others.
    """

    better: Counts
    returned: int
    relevant: Ints
    other: Ints

    @functools.cached_property
    def possible(self) -> tuple[int, int, int]:
        """Preferences between two returned documents, with one returned, with none."""
        rows = self.better.sum(axis=1, dtype=np.int64)
        inside = self.better[: self.returned, : self.returned].sum(dtype=np.int64)
        outside = self.better[self.returned :, self.returned :].sum(dtype=np.int64)
        return int(inside), int(rows.sum() - inside - outside), int(outside)

    @functools.cached_property
    def fulfilled(self) -> tuple[int, int]:
        """The preferences of the first two kinds that the order of the results fulfils."""
        inside = np.triu(self.better[: self.returned, : self.returned]).sum(dtype=np.int64)
        return int(inside), int(self.better[: self.returned, self.returned :].sum(dtype=np.int64))

    def among(self, places: Ints) -> int:
        """How many of these places are returned."""
        return int((places < self.returned).sum())

    def balanced(self, only_returned: bool) -> float:
        """The share fulfilled with equal numbers of relevant and other documents; NaN if there are none."""
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
        """Preferences fulfilled and possible, with only this many of the non-relevant documents."""


@dataclass(frozen=True, eq=False)
class Levels(PreferenceGroup):
    """A group without subgroups: every document of a level is preferred to all documents of lower levels.

    Attributes
    ----------
    classes
        Places by level, the highest first.
    last
        Places of the lowest level, and those trec_eval keeps after them: the places of the groups that follow.
    """

    classes: tuple[Ints, ...]
    last: Ints

    def cut(self, only_returned: bool) -> tuple[int, int]:
        """Count by level; the lowest one is also compared with itself, as in trec_eval."""
        many = self.among(self.relevant) if only_returned else len(self.relevant)
        within = self.returned if only_returned else len(self.better)
        higher = [places[places < within] for places in self.classes]
        first = self.last[:many]
        lowest = first[: np.argmax(first >= within)] if (first >= within).any() else first
        pairs = [*itertools.combinations(higher[:-1], 2), *((places, lowest) for places in higher)]
        fulfilled = sum(int(((one[:, None] < other) & (one[:, None] < self.returned)).sum()) for one, other in pairs)
        return fulfilled, sum(len(one) * len(other) for one, other in pairs)


@dataclass(frozen=True, eq=False)
class Partial(PreferenceGroup):
    """A group of several subgroups, with the preferences that follow from theirs."""

    def cut(self, only_returned: bool) -> tuple[int, int]:
        """Count with only the first of the non-relevant documents, for both kinds over all relevant ones."""
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


def levels(place: Ints, level: Floats, size: int, returned: int, behind: Ints | None = None) -> Levels:
    """Return a group without subgroups.

    Parameters
    ----------
    place, level
        (M,) of its judgments, the highest level first, within a level by place.
    size, returned
        Number of places, and of those returned.
    behind
        What comes after the lowest level.

    Raises
    ------
    ContradictionError
        If a document has two levels.
    """
    bounds = np.flatnonzero(np.diff(level)) + 1
    classes = tuple(np.split(place, bounds)) if len(place) else ()
    by_place = np.full(size, np.nan)
    for one, at in zip(classes, level[np.concatenate(([0], bounds))] if classes else (), strict=True):
        if not np.isnan(by_place[one]).all():
            raise ContradictionError("has two levels", int(one[~np.isnan(by_place[one])][0]))
        by_place[one] = at
    times = np.bincount(place, minlength=size).astype(np.uint16)
    better = np.where(by_place[:, None] > by_place, np.outer(times, times), np.uint16(0))
    last = place[bounds[-1] if len(bounds) else 0 :]
    last = last if behind is None else np.concatenate((last, behind))
    return Levels(better, returned, place[level > 0], place[~(level > 0)], classes, last)


def partial(place: Ints, level: Floats, subgroup: Ints, size: int, returned: int) -> Partial:
    """Return a group of several subgroups, the judgments of each in a row; see `levels`.

    Raises
    ------
    ContradictionError
        If a document has level 0 and one above, or two documents are preferred to each other.
    """
    by_place = np.full(size, -1.0)
    for at, one in zip(place.tolist(), level.tolist(), strict=True):
        before = by_place[at]
        if (before > 0 and one == 0) or (before == 0 and one > 0):
            raise ContradictionError("has level 0 and one above", at)
        by_place[at] = one
    better = np.zeros((size, size), np.bool_)
    for rows in np.split(np.arange(len(place)), np.flatnonzero(np.diff(subgroup)) + 1):
        high, low = np.nonzero(level[rows][:, None] > level[rows])
        better[place[rows][high], place[rows][low]] = True
    np.fill_diagonal(better, False)
    better = _add_implied(better)
    if (better & better.T).any():
        raise ContradictionError("two documents are preferred to each other")
    (relevant,), (other,) = np.nonzero(by_place > 0), np.nonzero(by_place == 0)
    return Partial(better.astype(np.uint16), returned, relevant, other)


def _add_implied(better: Mask) -> Mask:
    """Add what follows: with A better than B and B than C, A is better than C."""
    used = np.flatnonzero(better.any(axis=0) | better.any(axis=1))
    step = better[np.ix_(used, used)] | np.eye(len(used), dtype=np.bool_)
    while True:
        # Each product doubles the length of the chains that are followed. Float32 lets BLAS multiply; a count of
        # chains may be inexact beyond 2^24, but never becomes 0.
        further = (step.astype(np.float32) @ step.astype(np.float32)) > 0
        if (further == step).all():
            break
        step = further
    np.fill_diagonal(step, False)
    followed = better.copy()
    followed[np.ix_(used, used)] = step
    return followed


def pair_shares(groups: list[PreferenceGroup]) -> tuple[Floats, Floats, int]:
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
    inside = _fulfilled_share(total[:n, :n][both], total[:n, :n].T[both])
    outside = total[n:, n:]
    neither = np.count_nonzero(np.triu(outside | outside.T, 1))
    return inside, _fulfilled_share(one, total[n:, :n].T.ravel()), int(neither)


def _fulfilled_share(right: Counts, wrong: Counts) -> Floats:
    every = right.astype(np.float64) + wrong
    judged = every > 0
    shares: Floats = right[judged] / every[judged]
    return shares
