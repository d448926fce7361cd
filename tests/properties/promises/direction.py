"""Direction: whether good results raise the score, lower it, or leave it."""

from __future__ import annotations

import functools

import numpy as np

from idealrank.measures import Definition
from tests.properties import model
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import CLOSE, counterexample, differ
from tests.properties.ranked import Corpus, Grade, Ranked, settled


@functools.cache
def _good_and_bad(worthless: Grade) -> tuple[Corpus, Corpus]:
    """Lists of top documents, and the same with worthless ones returned in their place."""
    lengths, judged = range(1, 7), () if worthless is None else (worthless,)
    good = [Ranked((3.0,) * n, (), judged * n) for n in lengths]
    bad = [Ranked((worthless,) * n, (), (3.0,) * n) for n in lengths]
    return Corpus(tuple(good)), Corpus(tuple(bad))


def not_raised_by_good_results(definition: Definition, answer: Answer) -> str | None:
    """A list of top documents that does not score more than one of worthless documents."""
    decisions = answer.given()
    # From level 0 on even grade 0 is relevant, and only the unjudged are not.
    good, bad = _good_and_bad(None if model.relevant(0.0, decisions) else 0.0)
    for measure in measures(definition, decisions):
        if not model.last_rank(measure, 1):
            continue  # rank < 1 leaves nothing to score
        high, low = settled(good, measure), settled(bad, measure)
        if found := counterexample(
            ~(np.nan_to_num(high) > np.nan_to_num(low) + CLOSE), measure, good.queries, high, low
        ):
            return found
    return None


def not_lowered_by_good_results(definition: Definition, answer: Answer) -> str | None:
    """A list of top documents that does not score less than one of worthless documents."""
    decisions = answer.given()
    # From level 0 on even grade 0 is relevant, and only the unjudged are not.
    good, bad = _good_and_bad(None if model.relevant(0.0, decisions) else 0.0)
    for measure in measures(definition, decisions):
        if not model.last_rank(measure, 1):
            continue  # rank < 1 leaves nothing to score
        high, low = settled(good, measure), settled(bad, measure)
        if found := counterexample(
            ~(np.nan_to_num(high) < np.nan_to_num(low) - CLOSE), measure, good.queries, high, low
        ):
            return found
    return None


def moved_by_good_results(definition: Definition, answer: Answer) -> str | None:
    """A list of top documents that does not score the same as one of worthless documents."""
    good, bad = _good_and_bad(0.0)
    for measure in measures(definition, answer.given()):
        high, low = settled(good, measure), settled(bad, measure)
        if found := counterexample(differ(high, low), measure, good.queries, high, low):
            return found
    return None
