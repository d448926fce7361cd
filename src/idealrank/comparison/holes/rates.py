"""Rates: how often each grade was seen at about a rank."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions import Decisions
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Meeting
from idealrank.measures import Measure

FROM = np.array([1, 2, 3, 4, 6, 11, 21, 51, 101, 201, 501, 1001])
"""The first rank of each stretch of ranks that count as about the same."""


class Rates(NamedTuple):
    """The chance of each grade, by stretch of ranks.

    Attributes
    ----------
    grade
        (G,) grades that were given, lowest first.
    upto
        (B, G) chance of this grade or a lower one.
    """

    grade: Floats
    upto: Floats

    def drawn(self, rank: Ints, chance: Floats) -> Floats:
        """(N,) the grade of a document at each rank, given a number from 0 to 1 for each."""
        stretch = np.searchsorted(FROM, rank, side="right") - 1
        place = (chance[:, None] >= self.upto[stretch]).sum(axis=1)
        grades: Floats = self.grade[np.minimum(place, len(self.grade) - 1)]
        return grades


def unestimated(measure: Measure, meeting: Meeting) -> str:
    """Say why rates tell nothing of a measure's holes; an empty string where they do.

    Without a cutoff holes lie far beyond what was judged, and the few judged results there, found by other systems
    high up, say nothing about them. Where all judgments have one grade, as a list of what is expected has, nobody
    noted what is not relevant, and rates would take every hole for relevant.
    """
    if measure.cutoff is None:
        return "there is no cutoff"
    return "all judgments have the same grade" if len(np.unique(meeting.met(measure.on_lists).pool.grade)) == 1 else ""


def seen(every: Iterable[JudgedLists], decisions: Decisions) -> Rates:
    """Count the grades of judged results at each stretch of ranks, over all systems and queries.

    Each stretch counts one result more, whose grade has the rates of all stretches together: few results
    say little, none say nothing. Where no result is judged, the rates are those of all judgments.
    """
    grade, rank = _judged(list(every), decisions)
    grades, place = np.unique(grade, return_inverse=True)
    stretch = np.searchsorted(FROM, rank, side="right") - 1
    cells = np.bincount(stretch * len(grades) + place, minlength=len(FROM) * len(grades))
    counts = cells.reshape(len(FROM), len(grades)).astype(np.float64)
    counts += counts.sum(axis=0) / counts.sum()
    return Rates(grades, np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True))


def _judged(lists: list[JudgedLists], decisions: Decisions) -> tuple[Floats, Ints]:
    """Return grades and ranks of judged results; without any, of all judgments, as of rank 1; else grade 0."""
    least = -np.inf if decisions.negative == "keep" else 0.0
    pool = lists[0].pool_grade
    results = np.concatenate([each.grade for each in lists]), np.concatenate([each.rank for each in lists])
    for grade, rank in (results, (pool, np.ones(len(pool), np.int64))):
        labelled = grade >= least
        if labelled.any():
            return grade[labelled], rank[labelled]
    return np.zeros(1), np.ones(1, np.int64)
