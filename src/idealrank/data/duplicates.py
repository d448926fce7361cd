"""One judgment in several rows: one row per rater, or per system that returned the document."""

from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.grades import combine_ratings

COMBINING = ("mean", "median", "majority")
"""Answers to `duplicates` that combine several grades into one, as `raters` does; results have no grades."""


class JudgmentRows(NamedTuple):
    """Rows of judgments, each (N,): codes of (query, document), rater and system; the grade, NaN if none."""

    pair: Ints
    rater: Ints
    system: Ints
    grade: Floats

    @property
    def rated_pair(self) -> Ints:
        """(N,) a code for (query, document, rater)."""
        codes: Ints = self.pair * (self.rater.max(initial=0) + 1) + self.rater
        return codes


class DuplicateClash(NamedTuple):
    """A row that repeats or contradicts an earlier row."""

    row: int
    first: int


def first_clash(rows: JudgmentRows, again: bool = False) -> DuplicateClash | None:
    """Return the first row that a rater may not have: repeated for a system, or with another grade.

    Parameters
    ----------
    again
        Whether a rater may give the same grade again.

    Examples
    --------
    >>> pair, rater = np.zeros(2, np.int64), np.zeros(2, np.int64)
    >>> first_clash(JudgmentRows(pair, rater, np.array([0, 1]), np.array([3.0, 3.0])))
    >>> first_clash(JudgmentRows(pair, rater, np.array([0, 1]), np.array([3.0, 2.0])))
    DuplicateClash(row=1, first=0)
    """
    graded, repeated, otherwise = _earlier_rows(rows)
    bad = (otherwise >= 0) | ((repeated >= 0) & (not again))
    if not bad.any():
        return None
    place = int(np.argmax(bad))
    first = otherwise[place] if again or repeated[place] < 0 else repeated[place]
    return DuplicateClash(int(graded[place]), int(graded[first]))


def count_clashes(rows: JudgmentRows) -> int:
    """Count the rows `first_clash` would find one after the other."""
    _, again, otherwise = _earlier_rows(rows)
    return int(((again >= 0) | (otherwise >= 0)).sum())


def _earlier_rows(rows: JudgmentRows) -> tuple[Ints, Ints, Ints]:
    """Return the graded rows, and for each the row of the same rater and system, and of the rater with another grade.

    The places are -1 if there is none.
    """
    graded = np.flatnonzero(~np.isnan(rows.grade))
    voice, system, grade = rows.rated_pair[graded], rows.system[graded], rows.grade[graded]
    place = np.arange(len(graded))
    again = first_equal(voice * (rows.system.max(initial=0) + 1) + system)
    other = first_equal(voice)
    return graded, np.where(again == place, -1, again), np.where(grade == grade[other], -1, other)


def first_equal(keys: Ints) -> Ints:
    """(N,) place of the first equal key.

    Examples
    --------
    >>> first_equal(np.array([7, 5, 7])).tolist()
    [0, 1, 0]
    """
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return first[which]


def combined_grades(rows: JudgmentRows, raters: str, duplicates: str) -> Floats:
    """(N,) the grade of each row's document, combined over its raters.

    Parameters
    ----------
    raters, duplicates
        Answers to these decisions; ``error`` takes the first, since `first_clash` found no other.

    Examples
    --------
    >>> zeros = np.zeros(2, np.int64)
    >>> combined_grades(JudgmentRows(zeros, np.array([0, 1]), zeros, np.array([1.0, 2.0])), "median", "error").tolist()
    [1.5, 1.5]
    """
    pairs, value = _combine_by_key(*_one_per_rater(rows, duplicates), raters)
    by_pair = np.full(rows.pair.max(initial=0) + 1, np.nan)
    by_pair[pairs] = value
    return by_pair[rows.pair]


def _combine_by_key(key: Ints, value: Floats, rule: str) -> tuple[Ints, Floats]:
    """Combine the values of each key by an answer to `raters`: the keys, and a value for each."""
    order = np.argsort(key, kind="stable")
    keys, start, counts = np.unique(key[order], return_index=True, return_counts=True)
    # One row of a matrix per key, filled up with NaN, as `combine_ratings` takes them.
    ratings = np.full((len(keys), counts.max(initial=1)), np.nan)
    row = np.repeat(np.arange(len(keys)), counts)
    ratings[row, np.arange(len(key)) - start[row]] = value[order]
    return keys, combine_ratings(ratings, rule)


def _one_per_rater(rows: JudgmentRows, duplicates: str) -> tuple[Ints, Floats]:
    """Return the (query, document) and the grade of every rater, one grade per rater."""
    graded = np.flatnonzero(~np.isnan(rows.grade))
    if duplicates in COMBINING:
        voice, value = _combine_by_key(rows.rated_pair[graded], rows.grade[graded], duplicates)
        return voice // (rows.rater.max(initial=0) + 1), value
    # The order decides which row of a rater counts: np.unique returns the first of each.
    if duplicates == "last":
        graded = graded[::-1]
    elif duplicates == "max":
        graded = graded[np.argsort(-rows.grade[graded], kind="stable")]
    chosen = graded[np.unique(rows.rated_pair[graded], return_index=True)[1]]
    return rows.pair[chosen], rows.grade[chosen]
