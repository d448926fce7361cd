"""Tie spans: the expected place of relevant results if every order of a span is equally likely."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.judged_lists.lists import JudgedLists, Weight, span_ids


class Span(NamedTuple):
    """One tie span with hits: its position and the hits in it."""

    first: int
    size: int
    hits: slice


def spans(lists: JudgedLists, chosen: Floats) -> Iterator[Span]:
    """Walk the spans of more than one result that contain a chosen hit, in order."""
    ids = span_ids(lists)
    starts = np.searchsorted(ids, np.arange(ids[-1] + 2)) if len(ids) else np.zeros(1, np.int64)
    held = np.bincount(ids, weights=chosen) > 0
    tied = lists.tie_last[starts[:-1]] > lists.tie_first[starts[:-1]]
    for place in np.flatnonzero(held & tied):
        begin, end = int(starts[place]), int(starts[place + 1])
        first, last = int(lists.tie_first[begin]), int(lists.tie_last[begin])
        yield Span(first, last - first + 1, slice(begin, end))


def first_relevant(lists: JudgedLists, relevant: Floats, weight: Weight, limit: float | None) -> Floats:
    """(H,) weight of the rank of the first relevant hit, 0 elsewhere; expected over averaged spans."""
    leading: Floats = relevant * (lists.before(relevant) == 0)
    if lists.ranks == "exact":
        return leading * lists.weights(weight, limit)
    # All relevant hits of the first span that contains one share its expectation.
    span = span_ids(lists)
    sharing: Floats = relevant * (np.bincount(span, weights=leading)[span] > 0)
    share = sharing * lists.weights(weight, limit)
    for item in spans(lists, sharing):
        inside = sharing[item.hits]
        count = int(inside.sum())
        share[item.hits] = inside / count * _expected_first_weight(item, count, weight, limit)
    return share


def _expected_first_weight(span: Span, relevant: int, weight: Weight, limit: float | None) -> float:
    places = np.arange(1, span.size - relevant + 2)
    ranks = (span.first - 1 + places).astype(np.float64)
    counted = weight(ranks) if limit is None else np.where(ranks <= limit, weight(ranks), 0.0)
    return float(counted @ first_place_chances(span.size, relevant))


def first_place_chances(size: int, relevant: int) -> Floats:
    """Probability that the first of r relevant among n results in random order is at each place.

    Returns
    -------
    (n - r + 1,) probabilities C(n-j, r-1) / C(n, r), by the ratio of neighbours.
    """
    places: Ints = np.arange(1, size - relevant + 1)
    ratios = (size - places - relevant + 1) / (size - places)
    chances: Floats = relevant / size * np.concatenate(([1.0], np.cumprod(ratios)))
    return chances
