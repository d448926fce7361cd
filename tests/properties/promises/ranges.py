"""The range of scores: what lies outside it, an end that nothing comes near, a parameter without effect."""

from __future__ import annotations

import itertools

import numpy as np

from idealrank.decisions import Decisions
from idealrank.measures import Definition
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import CLOSE, counterexample, differ
from tests.properties.promises.ideal_order import permuted
from tests.properties.ranked import CORPORA, GRADED, VERY_LONG, Corpus, Ranked, scores, settled


def out_of_range(definition: Definition, answer: Answer) -> str | None:
    """A query whose score lies outside the declared range."""
    low, high = definition.properties.lowest, definition.properties.highest
    for measure, corpus in itertools.product(
        measures(definition, answer.given()), (*CORPORA, permuted()[0], VERY_LONG)
    ):
        values = settled(corpus, measure)
        bad = (values < low - CLOSE) | (values > high + CLOSE)
        if found := counterexample(bad, measure, corpus.queries, values):
            return found
    return None


def slack(definition: Definition) -> str | None:
    """An end of the declared range that no list comes near."""
    low, high = definition.properties.lowest, definition.properties.highest
    for measure in measures(definition, Decisions()):
        if measure.cutoff is None:
            values = np.concatenate([settled(corpus, measure) for corpus in (*CORPORA, VERY_LONG, PERFECT)])
            least, most = values.min(), values.max()
            if least > max(low + 0.01, -1) or most < min(high - 0.01, 5):
                return f"{measure} is from {least} to {most}"
    return None


PERFECT = Corpus((Ranked((8.0,) * 1500),))
"""Nothing but top documents, all returned."""


def without_effect(definition: Definition) -> str | None:
    """A value of a parameter under which every list scores as under the value before."""
    found = list(measures(definition, Decisions()))
    whole = [measure for measure in found if measure.cutoff is None]
    for one, other in itertools.pairwise(whole):
        if not any(differ(settled(corpus, one), settled(corpus, other)).any() for corpus in (GRADED, VERY_LONG)):
            return f"{other} scores every list as {one}"
    return None


def infinite(definition: Definition, answer: Answer) -> str | None:
    """A query whose score is infinite."""
    for measure, corpus in itertools.product(measures(definition, answer.given()), CORPORA):
        values = scores(corpus, measure)
        if found := counterexample(np.isinf(values), measure, corpus.queries, values):
            return found
    return None
