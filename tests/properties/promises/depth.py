"""Depth: whether results count to the rank that is declared, and not beyond."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import replace

from idealrank.decisions import Decisions
from idealrank.measures import Definition, Measure
from tests.properties import model
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import counterexample, differ
from tests.properties.ranked import CORPORA, Corpus, Ranked, at_random, settled, thinned


def _limits(measure: Measure, queries: Sequence[Ranked]) -> tuple[int, ...]:
    """The last rank each query is read to, counted in results as they were returned."""
    decisions = measure.decisions
    if measure.definition.properties.depth == "R":
        deep = [model.relevant_judged(q, decisions) for q in queries]
    else:
        deep = [model.last_rank(measure, len(q.grades)) for q in queries]
    return tuple(_as_returned(q, d, decisions) for q, d in zip(queries, deep, strict=True))


def _as_returned(query: Ranked, depth: int, decisions: Decisions) -> int:
    if decisions.unjudged == "filter":
        places = [i for i, g in enumerate(query.grades, 1) if model.judged(g, decisions) is not None]
        depth = (places[depth - 1] if depth else 0) if depth <= len(places) else len(query.grades)
    if decisions.ties in ("average", "best", "worst"):
        depth = max([depth, *(last for first, last in query.ties if first <= depth)])
    return min(depth, len(query.grades))


@functools.cache
def _changed_beyond(which: int, limits: tuple[int, ...]) -> tuple[Corpus, Corpus]:
    """Lists, and the same with the results beyond the limit in another order, unjudged, gone, or exchanged."""
    before, after = [], []
    for query, limit in zip(thinned(which).queries, limits, strict=True):
        tail = query.grades[limit:]
        if not tail:
            continue
        # An emptied list is no shorter list: what it counts is not the measure's business (no_results).
        others = [tail[::-1], (None,) * len(tail), (*tail, *query.missed), (*query.missed, None, *tail)]
        for new in [*others, ()] if limit else others:
            before.append(query)
            after.append(_with_tail(query, limit, new))
    top = thinned(which).highest
    return Corpus(tuple(before), top), Corpus(tuple(after), top)


def _with_tail(query: Ranked, limit: int, tail: Sequence[float | None]) -> Ranked:
    """The query with other results beyond the limit, and the same judgments."""
    grades = (*query.grades[:limit], *tail)
    missed = list(query.pool)
    for grade in grades:
        if grade is not None:
            missed.remove(grade)
    ties = tuple((first, last) for first, last in query.ties if last <= limit)
    return Ranked(grades, ties, tuple(missed))


def changed_by_deeper_results(definition: Definition, answer: Answer) -> str | None:
    """A list whose score depends on results beyond the rank it is said to read to."""
    for measure, which in itertools.product(measures(definition, answer.given()), range(len(CORPORA))):
        before, after = _changed_beyond(which, _limits(measure, thinned(which).queries))
        old, new = settled(before, measure), settled(after, measure)
        if found := counterexample(differ(old, new), measure, before.queries, old, new):
            return found
    return None


@functools.cache
def _changed_at(which: int, limits: tuple[int, ...]) -> tuple[Corpus, Corpus]:
    """Lists, and the same with the result at the limit unjudged, exchanged, or gone with all behind it."""
    before, after = [], []
    for query, limit in zip(thinned(which).queries, limits, strict=True):
        if limit:
            tail = query.grades[limit:]
            others = [(None, *tail), (), *((grade, *tail) for grade in query.missed)]
            before += [query] * len(others)
            after += [_with_tail(replace(query, ties=()), limit - 1, other) for other in others]
    top = thinned(which).highest
    return Corpus(tuple(before), top), Corpus(tuple(after), top)


def untouched_by_the_last_rank(definition: Definition, answer: Answer) -> str | None:
    """A cutoff at which no change of the last result that counts changes any score."""
    for measure in measures(definition, answer.given()):
        some = measure.cutoff is None or model.last_rank(measure, measure.cutoff) > 0
        if some and not any(_last_counts(measure, which) for which in range(len(CORPORA))):
            return f"{measure} does not read its last rank"
    return None


def _last_counts(measure: Measure, which: int) -> bool:
    before, after = _changed_at(which, _limits(measure, thinned(which).queries))
    return bool(differ(settled(before, measure), settled(after, measure)).any())


LONG = Corpus(at_random(40, 40, seed=4, shortest=30))


def untouched_by_deep_results(definition: Definition, answer: Answer) -> str | None:
    """Word that nothing beyond rank 20 matters, for a measure said to read everything."""
    before, after = [], []
    for query in LONG.queries:
        for tail in ((), (None,) * 10, query.missed):
            before.append(query)
            after.append(_with_tail(query, 20, tail))
    old, new = Corpus(tuple(before), LONG.highest), Corpus(tuple(after), LONG.highest)
    for measure in measures(definition, answer.given()):
        if differ(settled(old, measure), settled(new, measure)).any():
            return None
    return f"{definition.name} reads no result beyond rank 20"
