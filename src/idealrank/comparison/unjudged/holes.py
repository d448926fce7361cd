"""holes: the unjudged documents in the top of compared lists, and what they can do to a measure."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.arrays import Cache, Floats, Ints, Mask
from idealrank.comparison.unjudged.bounds import Bounds, find_bounds
from idealrank.comparison.unjudged.bounds.sums import unjudged_weights
from idealrank.comparison.unjudged.documents import (
    FillingScale,
    SystemUnjudged,
    UnjudgedDocs,
    dense_lists,
    filling_scale,
    find_unjudged,
    grade_scale,
)
from idealrank.comparison.unjudged.estimate import (
    MOST_ALONE,
    DrawnGrades,
    FillInput,
    GradeCounts,
    fill_input,
    values_alone,
    values_in_turn,
    why_no_rates,
)
from idealrank.errors import UsageError, plural, refuse_count, unknown
from idealrank.judged_lists.join import Join
from idealrank.measures.definition import Measure
from idealrank.measures.gains import discount
from idealrank.statistics.draws import keyed_chances, query_keys

_DISCOUNTED = ("CG", "DCG", "nDCG", "P", "RBP")
"""Measures whose steps say what a rank counts."""


@dataclass(frozen=True)
class UnjudgedFacts:
    """What all queries decide about the holes of a measure; those of some queries and of others add up.

    Attributes
    ----------
    size, queries
        How many holes there are, and in how many queries.
    grades, top
        The different grades of all judgments, and the top of the scale.
    tied
        Whether any result is tied.
    counts
        How often each grade was given, for rates by rank.
    """

    size: int
    queries: int
    grades: frozenset[float]
    top: float
    tied: bool
    counts: GradeCounts

    def __add__(self, other: UnjudgedFacts) -> UnjudgedFacts:
        return UnjudgedFacts(
            self.size + other.size, self.queries + other.queries, self.grades | other.grades,
            max(self.top, other.top), self.tied or other.tied, self.counts + other.counts,
        )  # fmt: skip

    def why_no_rates(self, measure: Measure) -> str:
        """Say why rates tell nothing of a measure's holes; an empty string where they do."""
        return why_no_rates(measure, tuple(self.grades))


@dataclass(frozen=True, eq=False, repr=False)
class MeasureUnjudged:
    """The holes of S systems under one measure: N unjudged documents of Q judged queries.

    A document is a hole of a query if nobody judged it and any of the systems returned it within the
    measure's cutoff (without a cutoff: anywhere). It is one document, with one grade, in every list
    that holds it. Every other unjudged document counts as grade 0.

    Attributes
    ----------
    measure, systems
        What is computed, and of what.
    unseen
        So many relevant documents that nobody returned may exist for each query, besides.
    of_all
        What all queries decide, where these are some of them; None where they are all.
    known
        What measures that see the same lists share.
    """

    measure: Measure
    systems: tuple[str, ...]
    unseen: int
    joins: tuple[Join, ...]
    docs: UnjudgedDocs
    of_all: UnjudgedFacts | None = None
    known: Cache = field(default_factory=Cache, repr=False)

    @property
    def queries(self) -> list[str]:
        """The Q judged queries."""
        return self.joins[0].lists(self.measure.on_lists).pool.queries

    @property
    def query(self) -> Ints:
        """(N,) index of the query of each hole; by query, then by document id."""
        return self.docs.query

    @property
    def document(self) -> tuple[str, ...]:
        """(N,) document id of each hole."""
        return self.docs.document

    @functools.cached_property
    def facts(self) -> UnjudgedFacts:
        """What all queries decide."""
        if self.of_all is not None:
            return self.of_all
        every = tuple(dense_lists(join, self.measure) for join in self.joins)
        joined = tuple(join.lists_for(self.measure.on_lists) for join in self.joins)

        def of_lists() -> dict[str, Any]:
            return {
                "grades": frozenset(np.unique(joined[0].pool.grade).tolist()),
                "top": joined[0].max_grade,
                "tied": any(bool(each.judged.tied.any()) for each in joined),
                "counts": GradeCounts.count_grades(every),
            }

        size, queries = self.docs.size, int((self.total > 0).sum())
        return UnjudgedFacts(size=size, queries=queries, **self.known.once(("facts", every, joined), of_lists))

    @functools.cached_property
    def rank(self) -> Ints:
        """(S, N) rank each system gives each hole, at any depth; 0 where it did not return it."""
        ranks = np.zeros(self.docs.row.shape, np.int64)
        for s, join in enumerate(self.joins):
            lists = dense_lists(join, self.measure)
            hit = self.docs.hits(s, lists)
            ranks[s, hit >= 0] = lists.rank[hit[hit >= 0]]
        return ranks

    @property
    def best_rank(self) -> Ints:
        """(N,) the best rank any of the systems gives each hole."""
        return _best_rank(self.rank)

    @functools.cached_property
    def discounts(self) -> Floats:
        """(S, N) what the rank of each hole counts in each list; of measures that are no such sum, as in nDCG."""
        sides = self._fill_scale.sides
        if self.measure.definition.name in _DISCOUNTED:
            return np.stack([unjudged_weights(side) for side in sides])
        weigh = discount(self.measure.decisions)
        ranks = np.stack([side.rank for side in sides])
        return np.where(ranks > 0, weigh(np.maximum(ranks, 1).astype(np.float64)), 0.0)

    @functools.cached_property
    def counts(self) -> Ints:
        """(S, Q) holes among the results of each system that count, by query."""
        size = len(self.docs.start) - 1
        inside = [side.rank > 0 for side in self._fill_scale.sides]
        return np.stack([np.bincount(self.query[kept], minlength=size) for kept in inside])

    @property
    def total(self) -> Ints:
        """(Q,) holes of each query, a document that several systems returned counting once."""
        return np.diff(self.docs.start)

    @functools.cached_property
    def scale(self) -> Floats:
        """(G,) the grades a hole may have, lowest first."""
        return grade_scale(np.array(sorted(self.facts.grades)), self.facts.top, self.measure.decisions)

    @functools.cached_property
    def _fill_scale(self) -> FillingScale:
        return filling_scale(self.joins, self.measure, self.docs, self.scale, self.unseen, self.facts.tied)

    def _side(self, system: str | int) -> SystemUnjudged:
        if isinstance(system, int):
            return self._fill_scale.sides[system]
        if system not in self.systems:
            raise unknown("system", system, self.systems)
        return self._fill_scale.sides[self.systems.index(system)]

    def bounds(self, system: str | int) -> Bounds:
        """Return the lowest and the highest value a system can have, query by query, over all grades of all holes.

        Grades range over `scale`. A hole that only another system returned has a grade, too: it moves
        the ideal and the number of relevant documents. `unseen` relevant documents move these only.

        - CG, DCG, P, RBP, nDCG with ``ideal=max``: exact. Each hole has a weight of its own, and takes the end
          of the scale that serves.
        - nDCG, R: exact. For given counts of holes at or above each grade the ideal is given, and the best is to
          give the higher grades to the greater weights; of all counts that never rise with the grade the best are
          found level by level (Dinkelbach 1967), which finds what trying each would.
        - RR, Success: exact. One relevant hole does all that several can.
        - AP: exact. For a given number of relevant holes the first give the most, the last the least; every
          number is tried.
        - ERR: exact. A better grade never lowers it.

        Under ``no_relevant=skip`` a query without a relevant document stays left out, though a relevant
        hole would bring it back.

        No bounds are known for other measures, nor where a label of 0 is not the same as no label
        (``unjudged`` other than ``zero``, ``short_list=judged``, ``relevant_from`` of 0 or less, a gain of grade
        0), nor with divisors that count what is found, rounded values, nDCG with gains below zero, ties that
        labels put in order (``best``, ``worst``), or averages over ties of measures that are no sum. `Bounds.why`
        then says so, and the values are NaN.

        Raises
        ------
        UsageError
            If there is no such system.

        Examples
        --------
        >>> import idealrank as ir
        >>> one = ir.evaluate({"q": {"a": 2, "b": 0}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, ["P@2"])
        >>> found = holes(one.joins, one.measures[0]).bounds("results")
        >>> found.low.tolist(), found.high.tolist(), found.kind
        ([0.5], [1.0], 'exact')
        """
        return find_bounds(self._fill_scale, self._side(system))

    def difference(self, baseline: str | int, system: str | int) -> Bounds:
        """Return the lowest and the highest of a system's value less the baseline's, for each query.

        Jointly: a document has one grade in both lists, so what both gain from it cancels.

        - CG, DCG, P, RBP, RR, Success, nDCG with ``ideal=max``: exact, as for one system.
        - nDCG with ``ideal=global``, R: exact, as for one system, the weight of a hole being the difference of its
          weights. Where the two divisors differ (``ideal_depth=returned``, ``min(R,k,n)``), see the next.
        - nDCG with ``ideal=local`` or ``returned``: exact where both ideals contain the same documents; else an
          enclosure: the highest of the one less the lowest of the other.
        - AP: exact as long as every choice of the holes in both lists, with every number of the others, can be
          tried (a quarter of a million; always, where lists count 10 results). Else an enclosure: for each number of
          relevant holes the lesser of what the lists' own extremes allow and of what holes and pairs of holes add
          at most.
        - ERR: exact up to 12 holes that are in both lists; beyond, an enclosure: the further ones
          may have one grade in the one list and another in the other.

        Where both lists contain the same documents at the same ranks, no grade changes the difference.

        Raises
        ------
        UsageError
            If there is no such system.
        """
        return find_bounds(self._fill_scale, self._side(system), self._side(baseline))

    def drawn(self, draws: int, only: Mask | None = None, seed: int = 0) -> Iterator[Floats]:
        """Return (S, Q) values of all systems draw by draw, the holes' grades drawn from the rates seen at their ranks.

        The rate of a grade at about a rank (1, 2, 3, 4–5, 6–10, 11–20, 21–50 …) is its share among the
        judged results there, of all systems and queries; one result with the rates of all ranks together is added,
        so that few results decide little. A hole has the best rank any system gives it, is drawn once for
        all, and joins the judgments, so that the ideal moves with it. Holes are drawn independently, by random numbers
        that follow from the seed, the query and the place of the hole among those of its query: other queries beside
        it change nothing. Documents nobody returned are not drawn; holes that are not among `only` (N,) have grade 0.
        This is true under every answer to every decision: the values are computed as with these judgments.

        Assumes that an unjudged result is as good as the judged ones at its rank; where judges saw the
        best of every system first, it is likely worse, and the estimate too favourable, most of all without a
        cutoff.

        Raises
        ------
        UsageError
            If the measure reads judgments by subtopic.
        """
        rates, docs = self.facts.counts.rates(self.measure.decisions), self.docs
        keys = query_keys(seed, "holes", self.queries)[docs.query]
        place = np.arange(docs.size) - docs.start[docs.query]
        drawn_grades, best = self._drawn_grades(), self.best_rank
        drawn = (rates.draw_grades(best, keyed_chances(keys, (draw << 32) + place)) for draw in range(draws))
        return (drawn_grades.values(grade if only is None else np.where(only, grade, 0.0)) for grade in drawn)

    def filled(self, grade: Floats) -> Floats:
        """Return (S, Q) values of all systems, computed as if the judgments held a grade for each hole.

        Parameters
        ----------
        grade
            (N,) grades, in the order of `document`.

        Raises
        ------
        UsageError
            If there are more or fewer grades than holes, or the measure reads judgments by subtopic.
        """
        if np.shape(grade) != (self.docs.size,):
            raise UsageError(f"{plural(self.docs.size, 'hole')}, and grades of shape {np.shape(grade)}: give one each.")
        return self._drawn_grades().values(np.asarray(grade, np.float64))

    def alone(self, *places: int) -> Floats:
        """Return (S, N) the value of each hole's query, were the hole of the top grade and all others of grade 0.

        Against the values as they are it says which labels would move a comparison most.

        Parameters
        ----------
        *places
            The places of the systems whose values these are; none: all.

        Raises
        ------
        UsageError
            If the measure reads judgments by subtopic or by span.
        """
        chosen = places or tuple(range(len(self.systems)))
        if int(self.total.max(initial=0)) > MOST_ALONE:  # which holes are tried depends on which systems these are
            return self._values_alone(*chosen)
        missing = [s for s in chosen if s not in self._alone]
        if missing:
            self._alone.update(zip(missing, self._values_alone(*missing), strict=True))
        return np.stack([self._alone[s] for s in chosen])

    @functools.cached_property
    def _alone(self) -> dict[int, Floats]:
        """What `alone` returned for each system, since every pair with it asks."""
        return {}

    def _values_alone(self, *places: int) -> Floats:
        rank = _best_rank(self.rank[list(places)])
        return values_alone(self._drawn_grades(*places), self.docs, rank, float(self.scale[-1]))

    def in_turn(self, order: Ints, *places: int) -> Floats:
        """Return (S, n) the value of each hole's query once this hole and those of its query before it are relevant.

        Parameters
        ----------
        order
            (n,) holes, which have the top grade one after the other; the others have grade 0.
        *places
            The places of the systems whose values these are; none: all.
        """
        return values_in_turn(self._drawn_grades(*places), self.docs, order, float(self.scale[-1]))

    def _drawn_grades(self, *places: int) -> DrawnGrades:
        """Take what is needed to evaluate some of the systems (none: all) with grades for the holes."""
        definition, joined = self.measure.definition, self.joins[0].lists(self.measure.on_lists)
        if not definition.is_plain or (definition.properties.in_pairs and joined.subtopics() is not None):
            raise UsageError(
                f"{self.measure} reads judgments by subtopic or by span: no grades are drawn for holes. "
                "Take another measure."
            )
        chosen = places or range(len(self.systems))
        return DrawnGrades(
            [self._fill_inputs.once(s, functools.partial(self._fill_input, s)) for s in chosen], self.docs
        )

    def forget_lists(self) -> None:
        """Let go of the lists that `drawn`, `alone` and `in_turn` took; they are taken again when asked for."""
        self._fill_inputs.forget()

    @functools.cached_property
    def _fill_inputs(self) -> Cache:
        return Cache()

    def _fill_input(self, s: int) -> FillInput:
        return fill_input(self.joins[s], self.measure, self.docs, s)

    @property
    def sentence(self) -> str:
        """The holes in a sentence."""
        k = self.measure.cutoff
        where = f"the top {k} of any system" if k else "the results of any system"
        queries = plural(self.facts.queries, "query")
        counted = f"{plural(self.facts.size, 'unjudged document')} in {where}, in {queries}"
        unseen = f"; for each query up to {plural(self.unseen, 'relevant document')} that nobody returned"
        return f"{counted}{unseen if self.unseen else ''}; every other unjudged document counts as grade 0"

    def __repr__(self) -> str:
        return self.sentence


def _best_rank(rank: Ints) -> Ints:
    best: Ints = np.where(rank > 0, rank, np.iinfo(np.int64).max).min(axis=0)
    return best


def holes(
    joins: Sequence[Join], measure: Measure, unseen: int = 0, of_all: UnjudgedFacts | None = None
) -> MeasureUnjudged:
    """Find the unjudged documents in the top of any of several systems' lists.

    Parameters
    ----------
    joins
        The systems with the judgments, as `Scores.joins` contains them.
    measure
        Its cutoff says how deep the top is; without one, all that was returned.
    unseen
        So many relevant documents (of any grade) that nobody returned may exist for each query.
    of_all
        What all queries decide, where the lists are those of some of them.

    Raises
    ------
    UsageError
        If `unseen` is no whole number from 0 up.

    Examples
    --------
    >>> import idealrank as ir
    >>> two = {"a": {"q": {"d1": 2.0, "x": 1.0}}, "b": {"q": {"x": 3.0, "y": 2.0, "d1": 1.0}}}
    >>> scores = ir.evaluate({"q": {"d1": 1}}, two, ["RR@2"])
    >>> found = holes(scores.joins, scores.measures[0])
    >>> found
    2 unjudged documents in the top 2 of any system, in 1 query; every other unjudged document counts as grade 0
    >>> found.document, found.rank.tolist(), found.counts.tolist()
    (('x', 'y'), [[2, 0], [1, 2]], [[1], [2]])
    >>> both = found.difference("a", "b")
    >>> both.low.tolist(), both.high.tolist()
    ([-1.0], [0.0])
    """
    (found,) = unjudged_by_measure(joins, [measure], unseen, [of_all])
    return found


def unjudged_by_measure(
    joins: Sequence[Join], measures: Sequence[Measure], unseen: int, of_all: Sequence[UnjudgedFacts | None]
) -> list[MeasureUnjudged]:
    """Find the holes under each measure, as `holes` does; under those that see the same lists as deep, once."""
    refuse_count("unseen", unseen, "how many relevant documents nobody returned", least=0)
    systems, known = tuple(join.system for join in joins), Cache()
    return [
        MeasureUnjudged(measure, systems, unseen, tuple(joins), find_unjudged(joins, measure, known), facts, known)
        for measure, facts in zip(measures, of_all, strict=True)
    ]
