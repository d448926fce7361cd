"""The ideal order: whether it scores 1, and whether another order scores more."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.decisions import Decisions
from idealrank.measures import Definition
from tests.properties import model
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import CLOSE, counterexample
from tests.properties.ranked import Corpus, Grade, at_random, every, nearly_ideal, scores, settled


@functools.cache
def permuted() -> tuple[Corpus, Any, Any]:
    """Every order of short lists, and long lists with two neighbours exchanged.

    Returns the corpus, the list each order belongs to, and whether nothing was missed.
    """
    short = every((None, -1.0, 0.0, 0.5, 1.0, 3.0), 2, ((), (2.0,))) + at_random(120, 4, seed=3, shortest=3)
    distinct = {(tuple(sorted(q.grades, key=str)), q.missed): q for q in short if q.grades}.values()
    complete = [replace(q, missed=()) for q in distinct]
    owners, orders = [], []
    for owner, query in enumerate([*distinct, *complete]):
        for grades in sorted(set(itertools.permutations(query.grades)), key=str):
            owners.append(owner)
            orders.append(replace(query, grades=grades))
    for owner, group in enumerate(nearly_ideal(40, 12, seed=6), owners[-1] + 1):
        owners += [owner] * len(group)
        orders += group
    return Corpus(tuple(orders)), np.array(owners), np.array([not q.missed for q in orders])


def _in_ideal_order(definition: Definition, decisions: Decisions) -> tuple[Corpus, Any]:
    """The orders of `permuted`, and whether no result is better than one before it.

    Under the answers to ties the equally good results of an ideal order are tied.
    """
    worth = frozenset((grade, model.goodness(grade, definition, decisions)) for grade in _grades())
    return _ordered_by(worth, decisions.ties != "docid_desc")


@functools.cache
def _grades() -> frozenset[Grade]:
    return frozenset(grade for query in permuted()[0].queries for grade in query.grades)


@functools.lru_cache(8)
def _ordered_by(worth: frozenset[tuple[Grade, float]], tied: bool) -> tuple[Corpus, Any]:
    # Most measures and answers order the grades alike: they share the lists, and what was arranged of them.
    corpus, goodness = permuted()[0], dict(worth)
    good = [[goodness[grade] for grade in query.grades] for query in corpus.queries]
    ideal = np.array([all(a >= b for a, b in itertools.pairwise(values)) for values in good])
    if not tied:
        return corpus, ideal
    lists = [
        replace(query, ties=_equal_runs(values)) if best else query
        for query, values, best in zip(corpus.queries, good, ideal, strict=True)
    ]
    return Corpus(tuple(lists)), ideal


def _equal_runs(values: list[float]) -> tuple[tuple[int, int], ...]:
    runs, first = [], 1
    for _, group in itertools.groupby(values):
        size = len(list(group))
        runs += [(first, first + size - 1)] if size > 1 else []
        first += size
    return tuple(runs)


def ideal_is_not_one(definition: Definition, answer: Answer) -> str | None:
    """A list with everything judged returned in ideal order whose score is not 1 (0/0 apart)."""
    corpus, ideal = _in_ideal_order(definition, answer.given())
    complete = permuted()[2]
    for measure in measures(definition, answer.given()):
        values = scores(corpus, measure)
        if found := counterexample(ideal & complete & (np.abs(values - 1) > CLOSE), measure, corpus.queries, values):
            return found
    return None


def ideal_is_not_best(definition: Definition, answer: Answer) -> str | None:
    """A list in ideal order that scores less than another order of the same results."""
    corpus, ideal = _in_ideal_order(definition, answer.given())
    owners = permuted()[1]
    for measure in measures(definition, answer.given()):
        values = np.nan_to_num(settled(corpus, measure))
        best = np.full(owners[-1] + 1, -np.inf)
        np.maximum.at(best, owners, values)
        if found := counterexample(
            ideal & (values < best[owners] - CLOSE), measure, corpus.queries, values, best[owners]
        ):
            return found
    return None
