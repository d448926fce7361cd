"""Judgments by subtopic: how good a document is for each of a query's subtopics."""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from idealrank.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Subtopics:
    """The subtopics of J judged documents, by the entries of the pool.

    Attributes
    ----------
    start
        (J + 1,) the judgments of entry j are ``start[j]:start[j + 1]``.
    subtopic, grade
        (N,) number of the subtopic, the same in every query; grade.
    docs
        Returns the ids of the J documents.
    """

    start: Ints
    subtopic: Ints
    grade: Floats
    docs: Callable[[], list[str]]

    @property
    def with_several(self) -> int:
        """Number of documents judged under more than one subtopic."""
        return int((np.diff(self.start) > 1).sum())

    @functools.cached_property
    def place_by_id(self) -> Ints:
        """(J,) place of each entry's document in the order of ids, compared as UTF-8 bytes."""
        ids = [doc.encode() for doc in self.docs()]
        place = np.empty(len(ids), np.int64)
        place[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        return place

    def judgments_of(self, entries: Ints) -> tuple[Ints, Ints]:
        """Return the judgments of some entries (-1: none): for each, its place in `entries` and its index."""
        judged = np.flatnonzero(entries >= 0)
        first = self.start[entries[judged]]
        counts = self.start[entries[judged] + 1] - first
        end = np.cumsum(counts)
        which = np.arange(counts.sum()) + np.repeat(first - (end - counts), counts)
        return np.repeat(judged, counts), which


def subtopic_codes(pair: Ints, subtopic: Ints) -> Ints:
    """(N,) a number for each (query, document) and subtopic, from 0 without gaps.

    Examples
    --------
    >>> subtopic_codes(np.array([0, 0, 0]), np.array([1, 0, 1])).tolist()
    [1, 0, 1]
    """
    return np.unique(pair * (subtopic.max(initial=-1) + 2) + subtopic + 1, return_inverse=True)[1]


def highest_grades(pair: Ints, grade: Floats) -> Floats:
    """(N,) the highest grade of all rows of the same (query, document), NaN if none has one.

    Examples
    --------
    >>> highest_grades(np.array([0, 1, 0]), np.array([1.0, np.nan, 2.0])).tolist()
    [2.0, nan, 2.0]
    """
    top = np.full(pair.max(initial=-1) + 1, -np.inf)
    np.maximum.at(top, pair, np.where(np.isnan(grade), -np.inf, grade))
    top_of_row: Floats = np.where(np.isneginf(top), np.nan, top)[pair]
    return top_of_row


def subtopics_of(
    pair: Ints, subtopic: Ints, grade: Floats, entry_row: Ints, docs: Callable[[], list[str]]
) -> Subtopics:
    """Gather the rows of judgments by entry of the pool.

    Parameters
    ----------
    pair, subtopic, grade
        (N,) of each row: number of its (query, document), of its subtopic (-1: none), grade (NaN: none).
    entry_row
        (J,) a row of each entry.
    docs
        Returns the ids of the J documents.
    """
    entry = np.full(pair.max(initial=-1) + 1, -1, np.int64)
    entry[pair[entry_row]] = np.arange(len(entry_row))
    (rows,) = np.nonzero((subtopic >= 0) & ~np.isnan(grade))
    keys = entry[pair[rows]] * (subtopic.max(initial=-1) + 1) + subtopic[rows]
    # One row per subtopic: the others say the same for another rater or system.
    rows = rows[np.unique(keys, return_index=True)[1]]
    start = np.searchsorted(entry[pair[rows]], np.arange(len(entry_row) + 1))
    return Subtopics(start, subtopic[rows], grade[rows], docs)
