"""Judged lists built in plain Python from grades in rank order, many queries at once, exhaustive or random."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from hypothesis import strategies as st

from idealrank.arrays import Floats
from idealrank.data.spans import SpanBounds as Stretches, Spans
from idealrank.data.subtopics import Subtopics
from idealrank.evaluation.scoring import fills_empty
from idealrank.judged_lists.arrangement import arrange
from idealrank.judged_lists.lists import JudgedLists
from idealrank.measures import Measure

Grade = float | None
Form = Literal["sparse", "dense"]
GRADES: tuple[Grade, ...] = (None, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Ranked:
    """One query: the grades of its results in rank order, their ties, and what was judged but not returned.

    Attributes
    ----------
    grades
        Grade at rank 1, 2 …; None for an unjudged result.
    ties
        First and last rank of each span of tied results.
    missed
        Grades of judged documents that were not returned.
    """

    grades: tuple[Grade, ...]
    ties: tuple[tuple[int, int], ...] = ()
    missed: tuple[float, ...] = ()

    @functools.cached_property
    def pool(self) -> list[float]:
        """All judgments, highest grade first; not to be written into."""
        return sorted([*self.missed, *(g for g in self.grades if g is not None)], reverse=True)

    @functools.cached_property
    def hits(self) -> list[tuple[int, float, int, int, int]]:
        """Of each result its rank, grade, place in the pool (-1 and NaN if unjudged), and the ranks it is tied with.

        A query stands in many corpora: it is laid out once.
        """
        judged = [(-g, place) for place, g in enumerate(self.grades) if g is not None]
        judged = sorted(judged + [(-g, -1) for g in self.missed])
        entries = {place: entry for entry, (_, place) in enumerate(judged)}
        tied = {rank: span for span in self.ties for rank in range(span[0], span[1] + 1)}
        return [
            (rank, np.nan, -1, *tied.get(rank, (rank, rank)))
            if grade is None
            else (rank, grade, entries[rank - 1], *tied.get(rank, (rank, rank)))
            for rank, grade in enumerate(self.grades, 1)
        ]

    def swapped(self, place: int) -> Ranked:
        """The same query with the results at ``place`` and ``place + 1`` (0-based) exchanged."""
        g = self.grades
        return replace(self, grades=(*g[:place], g[place + 1], g[place], *g[place + 2 :]))

    def orders(self) -> Iterator[Ranked]:
        """Every order of the tied results, as queries without ties."""
        blocks, end = [], 0
        for first, last in (*self.ties, (len(self.grades) + 1, len(self.grades) + 1)):
            blocks += [(g,) for g in self.grades[end : first - 1]]
            blocks += [self.grades[first - 1 : last]] if first <= len(self.grades) else []
            end = last
        for order in itertools.product(*map(itertools.permutations, blocks)):
            yield replace(self, grades=tuple(itertools.chain.from_iterable(order)), ties=())


def build(
    queries: Sequence[Ranked], form: Form, max_grade: float | None = None, by_subtopic: bool = True
) -> JudgedLists:
    """Make judged lists of queries; the top of the scale is the highest grade there is unless declared."""
    pool = list(itertools.chain.from_iterable(query.pool for query in queries))
    pool_start = np.cumsum([0, *(len(query.pool) for query in queries)])
    returned = np.array([len(query.grades) for query in queries], np.int64)
    hits = np.array(list(itertools.chain.from_iterable(query.hits for query in queries)), float).reshape(-1, 5)
    owner, judged = np.repeat(np.arange(len(queries)), returned), hits[:, 2] >= 0
    hits[judged, 2] += pool_start[owner[judged]]
    if form == "sparse":
        hits, owner = hits[judged], owner[judged]
    rank, grade, entry, first, last = hits.T
    whole = [np.array(column, np.int64) for column in (rank, entry, first, last)]
    return JudgedLists(
        returned,
        np.searchsorted(owner, np.arange(len(queries) + 1)),
        whole[0],
        grade.copy(),
        whole[1],
        np.arange(len(hits)),
        *whole[2:],
        pool_start,
        np.array(pool, float),
        np.arange(len(pool)),
        max(pool, default=0.0) if max_grade is None else max_grade,
        form,
        read_subtopics=functools.cache(lambda: _by_subtopic(pool) if by_subtopic else None),
        spans=_spans(len(pool), whole[1]),
    )


def _spans(judged: int, entry: Any) -> Spans:
    """Make every result one chunk of its own document, and judge just this chunk: characters are documents."""
    alike = np.where(entry < 0, judged + np.arange(len(entry)), entry)
    return Spans(*(Stretches(doc, np.zeros_like(doc), np.full_like(doc, 10)) for doc in (np.arange(judged), alike)))


SERVES = {1.0: (1, 2, 5), 2.0: (0, 1, 2, 3, 6), 3.0: (0, 3, 4, 6)}
"""The subtopics a document is judged under, by its grade; (0,) for the others."""


def _by_subtopic(pool: Sequence[float]) -> Subtopics:
    """Judge each document under some subtopics, by its grade."""
    serves = [SERVES.get(grade, (0,)) for grade in pool]
    start = np.cumsum([0, *map(len, serves)])
    subtopic = np.array(list(itertools.chain.from_iterable(serves)), np.int64)
    grades = np.repeat(np.array(pool, float), np.diff(start))
    return Subtopics(start, subtopic, grades, lambda: [f"{place:07d}" for place in range(len(pool))])


@dataclass(frozen=True, eq=False)
class Corpus:
    """Queries that share one judgment table, and so the top of the grade scale."""

    queries: tuple[Ranked, ...]
    top: float | None = None
    cache: dict[Any, JudgedLists] = field(default_factory=dict, repr=False)

    @functools.cached_property
    def empty(self) -> Any:
        """(Q,) whether nothing was returned."""
        return np.array([not query.grades for query in self.queries], bool)

    @functools.cached_property
    def highest(self) -> float:
        """The highest grade of the table, 0 at the least."""
        found = max((g for query in self.queries for g in query.pool), default=0.0) if self.top is None else self.top
        return max(found, 0.0)

    def lists(self, measure: Measure, form: Form = "sparse") -> JudgedLists:
        """The judged lists a measure reads; in the dense form where an unjudged result is worth something to it."""
        decisions = measure.decisions
        explicit = decisions.unjudged == "zero" and _zero_is_worth(measure) != 0
        top = self.highest if decisions.max_grade == "highest" else float(decisions.max_grade)
        dense = explicit or isinstance(decisions.unjudged, float) or measure.definition.by_span
        key: tuple[Form, float, bool] = ("dense" if dense else form, top, measure.definition.by_subtopic)
        if key not in self.cache:
            self.cache[key] = build(self.queries, *key)
        if measure.definition.below_zero == "kept" and decisions.negative == "unjudged":
            decisions = decisions.but(negative="keep")
        decisions = decisions.but(unjudged="zero") if measure.definition.by_span else decisions
        return arrange(self.cache[key], decisions.but(unjudged=0.0) if explicit else decisions)


def _zero_is_worth(measure: Measure) -> float:
    """The gain of grade 0: not nothing only if a gain table says so, to a measure that reads gains."""
    table = measure.decisions.gain
    reads = "gain" in measure.definition.reads and not isinstance(table, str)
    return float(dict(table).get(0.0, 0.0)) if reads else 0.0


@functools.lru_cache(2048)
def scores(corpus: Corpus, measure: Measure, form: Form = "sparse") -> Floats:
    """Score of every query, not to be written into; NaN where the measure is 0/0.

    Several promises ask for the same, one after the other: what was computed last is kept.
    """
    values = measure.steps(corpus.lists(measure, form)).scores(measure.decisions)
    values.flags.writeable = False
    return values


def settled(corpus: Corpus, measure: Measure) -> Floats:
    """Score of every query with 0/0 filled as `no_relevant` says; 0 where nothing was returned, if that fills it."""
    values = scores(corpus, measure)
    if measure.decisions.no_relevant != "skip":
        values = np.where(np.isnan(values), float(measure.decisions.no_relevant), values)
    return np.where(corpus.empty & fills_empty(measure.definition), 0.0, values)


def every(grades: Iterable[Grade], longest: int, missed: Iterable[tuple[float, ...]]) -> tuple[Ranked, ...]:
    """Every ranking of these grades up to a length, with every choice of what was missed."""
    rankings = [r for n in range(longest + 1) for r in itertools.product(tuple(grades), repeat=n)]
    return tuple(Ranked(ranking, (), other) for ranking in rankings for other in missed)


def at_random(count: int, longest: int, seed: int, *, shortest: int = 0, tied: bool = False) -> tuple[Ranked, ...]:
    """Random queries from a seeded NumPy generator."""
    rng = np.random.default_rng(seed)
    return tuple(_random_query(rng, int(rng.integers(shortest, longest + 1)), tied) for _ in range(count))


def _random_query(rng: np.random.Generator, length: int, tied: bool) -> Ranked:
    # Some queries use few grades, so that extremes (all relevant, nothing judged) come up.
    kinds = rng.choice(len(GRADES), size=int(rng.integers(1, len(GRADES) + 1)), replace=False)
    grades = tuple(GRADES[i] for i in rng.choice(kinds, length))
    missed = tuple(g for i in rng.choice(kinds, int(rng.integers(0, 4))) if (g := GRADES[i]) is not None)
    return Ranked(grades, _random_spans(rng, length) if tied else (), missed)


def _random_spans(rng: np.random.Generator, length: int) -> tuple[tuple[int, int], ...]:
    ends = sorted({0, length, *rng.integers(0, length + 1, size=int(rng.integers(1, 4))).tolist()})
    return tuple((a + 1, b) for a, b in itertools.pairwise(ends) if b - a >= 2 and rng.random() < 0.8)


def nearly_ideal(count: int, longest: int, seed: int) -> list[list[Ranked]]:
    """Random complete lists, each in ideal order and then with every two neighbours exchanged."""
    found = []
    for query in at_random(count, longest, seed, shortest=longest - 4):
        best = Ranked(tuple(sorted(query.grades, key=lambda grade: grade or 0.0, reverse=True)))
        found.append([best, *(best.swapped(place) for place in range(len(best.grades) - 1))])
    return found


EMPTY = (Ranked((), (), ()), Ranked((), (), (2.0, 0.0)), Ranked((), (), (0.0,)))
GRADED = Corpus(
    every((None, -1.0, 0.0, 0.5, 1.0, 2.0), 3, ((), (1.0,), (0.0,), (2.0, 1.0, 0.0)))
    + at_random(250, 12, seed=1, shortest=4)
    + tuple(itertools.chain.from_iterable(nearly_ideal(15, 12, seed=5)))
    + (Ranked((2.0, 3.0, 1.0, 2.0)),)
    + EMPTY
)
BINARY = Corpus(every((None, 0.0, 1.0), 4, ((), (1.0,), (0.0,))))
NOTHING_GOOD = Corpus(every((None, -1.0, 0.0), 2, ((), (0.0,), (-1.0,))))
TIED = Corpus(at_random(150, 6, seed=2, shortest=2, tied=True))
VERY_LONG = Corpus(
    (Ranked((3.0,) * 1500), Ranked((None, 0.0, 1.0, 3.0, 2.0) * 300, (), (3.0, 1.0)), Ranked((None,) * 1500))
)
"""Lists far beyond any cutoff, for sums that grow with the length."""
CORPORA = (GRADED, BINARY, NOTHING_GOOD, TIED)
"""The tables every promise is tried on: graded, of 0 and 1, without any relevant document, with ties."""


@st.composite
def ranked(draw: st.DrawFn, longest: int = 8, tied: bool = False, grades: Sequence[Grade] = GRADES) -> Ranked:
    """Hypothesis strategy: one query."""
    results = draw(st.lists(st.sampled_from(grades), max_size=longest))
    numbers = [g for g in grades if g is not None]
    missed = draw(st.lists(st.sampled_from(numbers), max_size=4))
    spans: list[tuple[int, int]] = []
    if tied and len(results) > 1:
        ends = sorted(draw(st.sets(st.integers(0, len(results)), min_size=2, max_size=4)))
        spans = [(a + 1, b) for a, b in itertools.pairwise(ends) if b - a > 1]
    return Ranked(tuple(results), tuple(spans), tuple(missed))


@functools.cache
def thinned(which: int) -> Corpus:
    """A part of a corpus, for what is slow, with all its empty lists."""
    corpus = CORPORA[which]
    return Corpus(corpus.queries[:: 7 if corpus is GRADED else 3] + EMPTY, corpus.highest)
