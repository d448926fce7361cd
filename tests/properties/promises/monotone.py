"""Monotone: whether a better document one place up ever lowers the score."""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any, NamedTuple

import numpy as np

from idealrank.measures import Definition
from tests.properties import model
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import CLOSE, counterexample
from tests.properties.ranked import CORPORA, Corpus, Grade, settled


class Swaps(NamedTuple):
    """Every swap of two neighbours that differ in the lists of a corpus.

    Attributes
    ----------
    more
        The lists after the swaps that the corpus does not hold.
    before, after
        Which list is swapped, and which it becomes, among those of the corpus and these.
    grades
        The grades of the upper and the lower before the swap.
    """

    more: Corpus
    before: Any
    after: Any
    grades: list[tuple[Grade, Grade]]


@functools.cache
def _swaps(which: int) -> Swaps:
    corpus = CORPORA[which]
    numbers = {query: number for number, query in enumerate(corpus.queries)}
    before, after, grades, more = [], [], [], []
    for number, query in enumerate(corpus.queries):
        for place, (upper, lower) in enumerate(itertools.pairwise(query.grades)):
            if upper != lower:
                swapped = query.swapped(place)
                if swapped not in numbers:
                    numbers[swapped] = len(corpus.queries) + len(more)
                    more.append(swapped)
                before.append(number)
                after.append(numbers[swapped])
                grades.append((upper, lower))
    return Swaps(Corpus(tuple(more), corpus.highest), np.array(before, int), np.array(after, int), grades)


def promised_monotone(definition: Definition, answer: Answer) -> bool:
    """Whether the declaration promises that a better document one place up never lowers the score."""
    declared = definition.properties.monotone
    if declared in ("always", "no"):
        return declared == "always"
    return answer.given().ideal in re.findall(r"\w+", declared)


def lowered_by_a_better_document(definition: Definition, answer: Answer) -> str | None:
    """A list that scores less once a better document is swapped one place up."""
    decisions = answer.given()
    for which in range(len(CORPORA)):
        swaps, corpus = _swaps(which), CORPORA[which]
        queries = corpus.queries + swaps.more.queries
        good = {g: model.goodness(g, definition, decisions) for g in set(itertools.chain.from_iterable(swaps.grades))}
        better = np.array([good[lower] > good[upper] for upper, lower in swaps.grades], bool)
        for measure in measures(definition, decisions):
            values = np.concatenate([settled(part, measure) for part in (corpus, swaps.more) if part.queries])
            old, new = values[swaps.before], values[swaps.after]
            bad = better & (np.nan_to_num(new) < np.nan_to_num(old) - CLOSE)
            if found := counterexample(bad, measure, [queries[number] for number in swaps.before], old, new):
                return f"{found} after the swap to {queries[swaps.after[np.flatnonzero(bad)[0]]].grades}"
    return None
