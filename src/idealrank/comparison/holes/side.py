"""One system's view of the holes: where they are, and what the measure does with their ranks."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.comparison.holes.unknown import Unknown, dense
from idealrank.evaluation.scoring import scored, without_relevant
from idealrank.judged_lists.lists import JudgedLists, reaches
from idealrank.judged_lists.meeting import Meeting
from idealrank.measures import Measure
from idealrank.measures.gains import depth, gains
from idealrank.measures.steps import Steps


@dataclass(frozen=True, eq=False)
class Side:
    """One system.

    Attributes
    ----------
    value
        (Q,) values with every hole at grade 0; NaN where the query is left out.
    empty
        (Q,) whether the system returned nothing: then its value depends on no grade.
    whole
        All its results.
    hit
        (N,) the hit of each hole in `whole`, -1 for none.
    steps
        What the measure does; its lists end at the cutoff.
    limit
        The last rank that counts; None: all.
    tied
        Whether any of its results are tied.
    """

    value: Floats
    empty: Mask
    whole: JudgedLists
    hit: Ints
    steps: Steps
    limit: float | None
    tied: bool

    @functools.cached_property
    def rank(self) -> Ints:
        """(N,) rank of each hole; 0 where it is not among the results that count."""
        ranks = np.where(self.hit >= 0, self.whole.rank[self.hit] if len(self.whole.rank) else 0, 0)
        return ranks if self.limit is None else np.where(ranks <= self.limit, ranks, 0)

    @functools.cached_property
    def hole_of_whole(self) -> Ints:
        """The hole that each hit of `whole` is; -1 for none."""
        holes = np.full(len(self.whole.rank), -1)
        returned = np.flatnonzero(self.hit >= 0)
        holes[self.hit[returned]] = returned
        return holes

    @functools.cached_property
    def hole(self) -> Ints:
        """(H,) the hole that each hit of the lists of `steps` is; -1 for none."""
        if self.steps.lists is self.whole:
            return self.hole_of_whole
        of_row = np.full(int(self.whole.row.max(initial=-1)) + 2, -1)
        of_row[self.whole.row] = self.hole_of_whole
        return of_row[self.steps.lists.row]

    def of_holes(self, values: Floats) -> Floats:
        """(N,) values of hits, for the holes among them; 0 for the others."""
        by_hole = np.zeros(len(self.hit))
        at = np.flatnonzero(self.hole >= 0)
        by_hole[self.hole[at]] = values[at]
        return by_hole


@dataclass(frozen=True, eq=False)
class World:
    """What is known and what is not: measure, holes, scale, one side a system."""

    measure: Measure
    unknown: Unknown
    sides: tuple[Side, ...]
    scale: Floats
    unseen: int

    @property
    def size(self) -> int:
        """Number of queries Q."""
        return len(self.unknown.start) - 1

    @functools.cached_property
    def worth(self) -> Floats:
        """What the grades of the scale are worth to the measure: gains, or 0 and 1."""
        return self.worth_of(self.scale)

    def worth_of(self, grade: Floats) -> Floats:
        """Return what grades are worth to the measure; an unjudged one (NaN) is worth 0."""
        under = self.measure.decisions
        if "gain" in self.measure.definition.reads:
            return gains(grade, under)
        return reaches(grade, under.relevant_from).astype(np.float64)

    def now(self, side: Side | None) -> Floats:
        """(Q,) values of a side with every hole at grade 0; 0 for no side."""
        return np.zeros(self.size) if side is None else side.value

    @property
    def fill(self) -> float:
        """What `no_relevant` makes of 0/0."""
        return without_relevant(self.measure.decisions)


def world(meetings: Sequence[Meeting], measure: Measure, unknown: Unknown, grades: Floats, unseen: int) -> World:
    """Compute each system's side."""
    sides = tuple(_side(meeting, measure, unknown, s) for s, meeting in enumerate(meetings))
    return World(measure, unknown, sides, grades, unseen)


def _side(meeting: Meeting, measure: Measure, unknown: Unknown, s: int) -> Side:
    whole, met = dense(meeting, measure), meeting.met_for(measure.on_lists)
    return Side(
        value=scored(met, measure)[0],
        empty=met.judged.returned == 0,
        whole=whole,
        hit=unknown.hits(s, whole),
        steps=measure.steps(whole),
        limit=depth(measure.cutoff, measure.decisions),
        tied=bool(met.judged.tied.any()),
    )


def with_grades(lists: JudgedLists, hit: Ints, grade: Floats | float) -> JudgedLists:
    """Return the lists with a grade for each hit given; the judgments stay as they are."""
    filled = lists.grade.copy()
    filled[hit] = grade
    return replace(lists, grade=filled)


def padded(values: Floats | Ints, start: Ints, queries: Ints, fill: float) -> Floats:
    """(R, n) the values of each query's holes, filled up to the longest."""
    begin, counts = start[queries], (start[1:] - start[:-1])[queries]
    places = np.arange(int(counts.max(initial=0)))
    inside = places < counts[:, None]
    at = np.where(inside, begin[:, None] + places, 0)
    rows: Floats = np.where(inside, values[at] if len(values) else fill, fill)
    return rows
