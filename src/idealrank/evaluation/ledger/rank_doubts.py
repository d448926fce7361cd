"""Ranks that can hardly be right: all equal, with fractions, without the first, with gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from idealrank.arrays import Mask
from idealrank.data.ids import codes, id_text, there
from idealrank.errors import listed, plural
from idealrank.evaluation.counts.rank_counts import RankCounts
from idealrank.evaluation.ledger.order_counts import reads_ranks
from idealrank.judged_lists.meeting import Met

MANY = 0.05
"""The share of queries above which what is odd about them is no accident of a few."""

FAR = 100
"""Ranks beyond this that a list begins with are counted as one: they are numbers of rows, not ranks of results."""


def many(queries: int, of: int) -> bool:
    """Whether so many queries are odd that it is no accident of a few."""
    return queries > 1 and queries > MANY * of


def rank_counts(met: Met, *, part: bool = False) -> RankCounts | None:
    """Count what is odd about the ranks of a system; None where nothing is, or where nobody reads them.

    A part of a table is counted however healthy: the shares that the doubts speak of are those of all parts.
    """
    results = met.results
    if results.rank is None or met.searches is not None or len(results.left_out) or not reads_ranks(met):
        return None
    rows = results.rows("" if met.pooled else met.system)
    ranks = results.rank.floats()[rows]
    ranks = np.where(np.isfinite(ranks), ranks, np.nan)  # an infinite rank is none, as in the core
    fractions = ranks % 1 != 0  # NaN % 1 != 0, too
    fractions &= ~np.isnan(ranks)
    # The reader counts gaps and repeats as it groups rows: healthy tables are not looked through a second time.
    if not (part or met.parts.rank_gaps or met.parts.rank_repeats or fractions.any()):
        return None
    known = ~np.isnan(ranks) & there(results.source.ids(results.doc), rows)
    rows, ranks, fractions = rows[known], ranks[known], fractions[known]
    places, query = np.unique(codes(results.keys.query)[rows], return_inverse=True)
    low, high = np.full(len(places), np.inf), np.full(len(places), -np.inf)
    np.minimum.at(low, query, ranks)
    np.maximum.at(high, query, ranks)
    size = np.bincount(query, minlength=len(places))
    odd = np.bincount(query, fractions, minlength=len(places)) > 0
    level = (low == high) & (size > 1)
    late = ~odd & ~level & (low > 1) & (low <= FAR)
    gapped = ~odd & ~level & (high - low + 1 > size)
    begins, counts = np.unique(np.minimum(np.floor(low), FAR + 1), return_counts=True)
    _, names = results.keys.query.codes()
    ids = [id_text(name) for name in names.to_list()]

    def named(which: Mask) -> tuple[str, ...]:
        return tuple(sorted(ids[place] for place in places[which].tolist()))

    return RankCounts(
        lists=len(places), several=int((size > 1).sum()),
        first=dict(zip(begins.astype(int).tolist(), counts.tolist(), strict=True)),
        level=named(level), fractional=named(odd), late=named(late), gapped=named(gapped),
        same=float(low[level].min(initial=np.inf)), fraction=float(ranks[fractions].min(initial=np.inf)),
    )  # fmt: skip


class RankDoubt(NamedTuple):
    """Why the ranks or the scores of a system can hardly be right.

    Attributes
    ----------
    kind
        ``level``, ``fractional``, ``late`` or ``gapped`` of ranks; ``level scores`` or ``rising scores``.
    text, advice
        What is odd, and what to do about it.
    queries
        The queries it is about.
    """

    kind: Literal["level", "fractional", "late", "gapped", "level scores", "rising scores"]
    text: str
    advice: str
    queries: tuple[str, ...]


def rank_doubts(
    system: str, counts: RankCounts | None, order: str, columns: Mapping[str, str], answered: Mapping[str, object]
) -> Iterator[RankDoubt]:
    """Say why the ranks of a system can hardly be right.

    A doubt that a decision answers is not raised where somebody gave that answer: `order_by` for ranks that are equal
    or have fractions, `rank_gaps` for those that are missing.

    Parameters
    ----------
    order, columns
        What orders the results, and the columns that were read.
    answered
        The answers to decisions that were given.
    """
    if counts is None:
        return
    if order == "rank" and "order_by" not in answered:
        if counts.level and 2 * len(counts.level) > counts.several:
            text = f"{system}: the results of a query all have rank {counts.same:g} in {_of(counts.level, counts)}"
            way = (
                f"Order the results by their scores: {answer('order_by', 'score')}"
                if "score" in columns
                else "Give ranks that differ"
            )
            yield RankDoubt(
                "level", f"{text}, so the ranks do not say which comes first", way, tuple(sorted(counts.level))
            )
        if many(len(counts.fractional), counts.lists):
            text = f"{system}: ranks with fractions, such as {counts.fraction:g}, in {_of(counts.fractional, counts)}"
            text += ", as if the columns of ranks and scores were swapped" if "score" in columns else ""
            way = f"Check which column is the rank. If it is the right one, say so: {answer('order_by', 'rank')}"
            yield RankDoubt("fractional", text, way, tuple(sorted(counts.fractional)))
    if "rank_gaps" in answered or not counts.lists:
        return
    way = f"Check that no row is missing. If none is, say so: {answer('rank_gaps', 'close')}"
    begin, most = max(sorted(counts.first.items()), key=lambda each: each[1])
    if 1 < begin <= FAR and 2 * most > counts.lists > 1:
        text = f"{system}: the results of {_of(counts.late, counts)} begin at rank {begin}, so the first are missing"
        yield RankDoubt("late", text, way, tuple(sorted(counts.late)))
        return
    # Ranks that run on from one query to the next begin anywhere; where most lists begin at 1, the others lost results.
    lost = counts.late if 2 * (counts.first.get(0, 0) + counts.first.get(1, 0)) > counts.lists else ()
    gapped = tuple(sorted({*lost, *counts.gapped}))
    if many(len(gapped), counts.lists):
        text = f"{system}: ranks are left out in {_of(gapped, counts)} ({listed(gapped)}), as if results were missing"
        yield RankDoubt("gapped", text, way, gapped)


def answer(decision: str, value: str) -> str:
    """Write the answer to a decision as it is typed, and as it is passed."""
    return f"--{decision.replace('_', '-')} {value} ({decision}={value} in Python)"


def _of(queries: Sequence[str], counts: RankCounts) -> str:
    return f"{len(queries):,} of {plural(counts.lists, 'query')}"
