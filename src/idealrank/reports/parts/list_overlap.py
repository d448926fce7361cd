"""How much the lists of two systems share, query by query, as they met the judgments."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.selection import chosen
from idealrank.display.plain import number, numbers
from idealrank.display.table import Table
from idealrank.statistics.list_overlap import Ranked
from idealrank.statistics.rank_biased_overlap import PERSISTENCE, overlap_of
from idealrank.statistics.sample import sampled

if TYPE_CHECKING:
    from idealrank.comparison.comparison import Comparison
    from idealrank.evaluation.scores import Scores
    from idealrank.judged_lists.meeting import Meeting

NUMBERS = ("jaccard", "rbo", "churn")


def list_overlap(scores: Scores, pair: tuple[int, int], depth: int) -> Table:
    """Compare the first results of two systems: one row a judged query, with Jaccard, RBO and churn.

    Judged or not, all results count, as they were returned: `unjudged` removes none.

    Parameters
    ----------
    pair
        Places of the baseline and the system.
    depth
        Only the first so many results of each.

    Returns
    -------
    jaccard: documents of both / documents of either, 1 where neither returned anything; rbo: rank-biased overlap at
    persistence 0.9, extrapolated; churn: the share of the system's documents that the baseline has not.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"old": {"q": {"d": 2, "x": 1}}, "new": {"q": {"d": 2, "y": 1}}}, ["RR"])
    >>> (row,) = list_overlap(scores, (0, 1), 10)
    >>> round(row["jaccard"], 4), round(row["rbo"], 4), row["churn"]
    (0.3333, 0.55, 0.5)
    """
    first, second = (_lists(scores, scores.meetings[place], depth) for place in pair)
    shared = np.array([_shared(a, b) for a, b in zip(first, second, strict=True)], np.float64).reshape(-1, 3)
    columns = dict(zip(NUMBERS, shared.T, strict=True))
    return Table({"query": scores.queries, **columns}, "overlap")


def overlaps(comparison: Comparison, depth: int) -> list[dict[str, Any]]:
    """Return one entry a pair: its systems, the numbers of the queries asked for, and their (weighted) means."""
    return [_entry(comparison.scores, pair, depth) for pair in comparison.pairing.pairs]


def _entry(scores: Scores, pair: tuple[int, int], depth: int) -> dict[str, Any]:
    table = list_overlap(scores, pair, depth)
    mask = chosen(scores.only, scores.queries)
    values = {name: np.where(mask, table.array(name), np.nan) for name in NUMBERS}
    named = {name: scores.systems[s] for name, s in zip(("baseline", "system"), pair, strict=True)}
    means = {name: number(_mean(each, scores.weights)) for name, each in values.items()}
    return {**named, **{name: numbers(each) for name, each in values.items()}, "summary": means}


def _shared(a: Ranked, b: Ranked) -> tuple[float, float, float]:
    place = {doc: i for i, doc in enumerate(b.docs)}
    pairs = np.array([(i, place[doc]) for i, doc in enumerate(a.docs) if doc in place], np.int64).reshape(-1, 2)
    both, either = len(pairs), len(a.docs) + len(b.docs) - len(pairs)
    rbo = overlap_of(a.side(pairs[:, 0]), b.side(pairs[:, 1]), PERSISTENCE, "a").extrapolated
    churn = (len(b.docs) - both) / len(b.docs) if b.docs else np.nan
    return both / either if either else 1.0, rbo, churn


def _lists(scores: Scores, meeting: Meeting, depth: int) -> list[Ranked]:
    met = meeting.met(scores.setting.decisions, "dense")
    lists = met.lists
    docs, start, kept = met.run.docs(lists.row), lists.hit_start.tolist(), _ends(lists.rank, lists.hit_start, depth)
    last = np.minimum(lists.tie_last, depth)
    return [
        Ranked(docs[i:j], lists.rank[i:j], lists.tie_first[i:j], last[i:j])
        for (i, _), j in zip(itertools.pairwise(start), kept, strict=True)
    ]


def _ends(rank: Ints, start: Ints, depth: int) -> list[int]:
    """Return for each query the place behind its last result within the depth."""
    within = np.concatenate(([0], np.cumsum(rank <= depth)))
    ends: list[int] = (start[:-1] + within[start[1:]] - within[start[:-1]]).tolist()
    return ends


def _mean(values: Floats, weights: Floats | None) -> float:
    """Average the values there are, in the weights of their queries; NaN where there are none, or of no weight."""
    there = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
    return sampled(values[there], None if weights is None else weights[there]).mean if there.any() else math.nan
