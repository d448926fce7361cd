"""Ties: whether the average over all orders is exact, and the range from the lowest to the highest."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from idealrank.arrays import Floats
from idealrank.errors import UsageError
from idealrank.evaluation.tie_ranges import has_tie_range
from idealrank.measures import Definition, Measure
from tests.properties.answers import Answer, measures
from tests.properties.promises.counterexamples import counterexample, differ
from tests.properties.ranked import TIED, Corpus, settled


@functools.lru_cache(4)
def orders_of(corpus: Corpus) -> tuple[Corpus, Any]:
    """Every order of the tied results of every query, and the query each belongs to."""
    owners, orders = [], []
    for owner, query in enumerate(corpus.queries):
        for order in query.orders():
            owners.append(owner)
            orders.append(order)
    return Corpus(tuple(orders), corpus.highest), np.array(owners)


def mean_over_orders(corpus: Corpus, measure: Measure) -> Floats:
    """The mean of the scores of all orders of the tied results; an order left out makes it NaN."""
    orders, owners = orders_of(corpus)
    plain = replace(measure, decisions=measure.decisions.but(ties="given"))
    total = np.zeros(len(corpus.queries))
    np.add.at(total, owners, settled(orders, plain))
    return total / np.bincount(owners)


def average_is_not_exact(definition: Definition, answer: Answer) -> str | None:
    """A query whose score under ``ties=average`` is not the mean over all orders, or the refusal of it."""
    for measure in measures(definition, answer.given().but(ties="average")):
        wanted = mean_over_orders(TIED, measure)
        try:
            got = settled(TIED, measure)
        except UsageError as refusal:
            return f"{measure} is refused: {refusal}"
        if found := counterexample(differ(got, wanted), measure, TIED.queries, got, wanted):
            return found
    return None


def tie_range_is_not_exact(definition: Definition, answer: Answer) -> str | None:
    """A query whose lowest or highest score over all orders of its ties is not that of the worst or best first."""
    for measure in filter(has_tie_range, measures(definition, answer.given())):
        low, high = _ends_over_orders(TIED, measure)
        worst, best = (
            np.nan_to_num(settled(TIED, replace(measure, decisions=measure.decisions.but(ties=ties))))
            for ties in ("worst", "best")
        )
        wrong = differ(low, np.minimum(worst, best)) | differ(high, np.maximum(worst, best))
        if found := counterexample(wrong, measure, TIED.queries, worst, low, best, high):
            return found
    return None


def _ends_over_orders(corpus: Corpus, measure: Measure) -> tuple[Floats, Floats]:
    orders, owners = orders_of(corpus)
    values = np.nan_to_num(settled(orders, replace(measure, decisions=measure.decisions.but(ties="given"))))
    low, high = np.full(len(corpus.queries), np.inf), np.full(len(corpus.queries), -np.inf)
    np.minimum.at(low, owners, values)
    np.maximum.at(high, owners, values)
    return low, high
