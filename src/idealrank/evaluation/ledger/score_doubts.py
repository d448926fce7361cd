"""Scores that can hardly order results from best to worst: all equal, or rising down the list as distances do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.ids import codes, id_text, there
from idealrank.errors import plural
from idealrank.evaluation.counts.score_counts import ScoreCounts
from idealrank.evaluation.ledger.rank_doubts import RankDoubt, answer
from idealrank.judged_lists.meeting import Met

MOST = 0.9
"""Share of the lists in which scores must rise to say that those of a system do."""

FEWEST = 3
"""Scores of a list that must differ, at least, before their order says anything."""


class ScoreOrders(NamedTuple):
    """How the scores of lists run from row to row.

    Attributes
    ----------
    first
        (L,) the place of the first row of each list.
    level, distinct, rising
        (L,) whether it has several scores, and all are the same; whether at least `FEWEST` follow one another that
        differ; and whether these rise, and with the ranks.
    """

    first: Ints
    level: Mask
    distinct: Mask
    rising: Mask

    @property
    def mostly_rising(self) -> bool:
        """Whether the scores of nearly every list rise."""
        return bool(self.distinct.any()) and int(self.rising.sum()) >= MOST * int(self.distinct.sum())


def score_orders(lists: Ints, values: Floats, ranks: Floats | None) -> ScoreOrders:
    """Look how the scores of lists run from row to row.

    Parameters
    ----------
    lists
        (N,) the list of each row.
    values, ranks
        (N,) their scores, and their ranks if there are any.
    """
    order = np.argsort(lists, kind="stable")
    lists, values = lists[order], values[order]
    starts = np.flatnonzero(np.diff(lists, prepend=-2) != 0)
    place = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(lists)))
    within = lists[1:] == lists[:-1]
    up, change = values[1:] >= values[:-1], values[1:] != values[:-1]
    if ranks is not None:
        up &= ranks[order][1:] >= ranks[order][:-1]

    def number(which: Mask) -> Ints:
        return np.bincount(place[1:][within & which], minlength=len(starts))

    changes = number(change)
    distinct = changes >= FEWEST - 1
    level = (changes == 0) & (number(np.ones_like(up)) > 0)
    return ScoreOrders(order[starts], level, distinct, distinct & (number(~up) == 0))


def score_counts(met: Met, *, part: bool = False) -> ScoreCounts | None:
    """Count what is odd about the scores that order a system's results; None where nothing is, or nobody reads them.

    The order of a dict's entries says nothing. A part of a table is counted however healthy: the shares that the doubts
    speak of are those of all parts.
    """
    results = met.results
    if results.score is None or met.order != "score" or met.searches is not None or len(results.left_out):
        return None
    rows = results.rows("" if met.pooled else met.system)
    values = results.score.floats()[rows]
    known = ~np.isnan(values) & there(results.source.ids(results.doc), rows)
    rows, values = rows[known], values[known]
    ranks = None if results.rank is None else results.rank.floats()[rows]
    query = codes(results.keys.query)[rows]
    found = score_orders(query, values, ranks)
    ordered = results.source.frame.format != "dicts"
    if not (part or found.level.any() or (ordered and found.mostly_rising)):
        return None
    _, names = results.keys.query.codes()
    ids = [id_text(name) for name in names.to_list()]

    def named(which: Mask) -> tuple[str, ...]:
        return tuple(sorted(ids[place] for place in query[found.first[which]].tolist()))

    return ScoreCounts(
        several=int((np.unique(query, return_counts=True)[1] > 1).sum()), distinct=int(found.distinct.sum()),
        level=named(found.level), rising=named(found.rising) if ordered else (),
        same=float(values[found.first[found.level]].min(initial=np.inf)),
    )  # fmt: skip


def score_doubts(
    system: str, counts: ScoreCounts | None, columns: Mapping[str, str], answered: Mapping[str, object]
) -> Iterator[RankDoubt]:
    """Say why the scores of a system can hardly order its results, if that is so in several queries.

    Not where somebody said what orders them (`order_by`), or, of equal scores, what becomes of ties (`ties`).

    Parameters
    ----------
    columns
        The columns that were read.
    answered
        The answers to decisions that were given.
    """
    if counts is None or "order_by" in answered:
        return
    other = answer("order_by", "rank" if "rank" in columns else "given")
    if len(counts.level) > 1 and "ties" not in answered and 2 * len(counts.level) > counts.several:
        share = f"{len(counts.level):,} of {plural(counts.several, 'query')}"
        text = f"{system}: the results of a query all have score {counts.same:g} in {share}"
        way = f"Give scores that differ, or order the results by their {_ORDERS['rank' in columns]}: {other}"
        yield RankDoubt(
            "level scores", f"{text}, so the scores do not say which comes first", way, tuple(sorted(counts.level))
        )
    if len(counts.rising) > 1 and len(counts.rising) >= MOST * counts.distinct:
        share = f"{len(counts.rising):,} of {plural(counts.distinct, 'query')}"
        text = f"{system}: scores rise from the first result to the last in {share}, as distances do"
        way = (
            f"If a lower score is better, order the results by their {_ORDERS['rank' in columns]}: {other}. If a "
            f"higher one is, say so: {answer('order_by', 'score')}"
        )
        yield RankDoubt(
            "rising scores", f"{text}, and the highest counts as the best", way, tuple(sorted(counts.rising))
        )


_ORDERS = {True: "ranks", False: "rows"}
"""What else can order results, by whether there are ranks."""
