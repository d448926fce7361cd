"""The documents through which a decision changes the value of a query."""

from collections.abc import Iterable

import numpy as np

from idealrank.arrays import Ints, Mask
from idealrank.errors import listed
from idealrank.judged_lists.meeting import Met

_ORDER = frozenset({"ties", "score_precision", "order_by", "rank_gaps"})
_HOLES = frozenset({"unjudged", "negative", "short_list"})
_MISSED = frozenset({"ideal", "ideal_depth", "recall_denominator", "ap_denominator", "max_grade"})


def documents_behind(met: Met, query: int, decisions: Iterable[str], cutoff: int | None) -> str:
    """Name the tied, unjudged or missing documents of a query that the decisions concern; "" for none.

    Parameters
    ----------
    met
        Dense lists that contain the query.
    cutoff
        Results that cannot be within it are left out.
    """
    names = set(decisions)
    rank, grade, entry, row, first, last = met.judged.hits(query, query + 1)
    within = (first <= cutoff) if cutoff is not None else np.ones(len(rank), np.bool_)
    parts = []
    if names & _ORDER:
        parts.append(("tied", met.run.docs(_rows(row, within & (first != last), rank))))
    if names & _HOLES:
        parts.append(("unjudged", met.run.docs(_rows(row, within & ((entry < 0) | (grade < 0)), rank))))
    if names & _MISSED:
        parts.append(("missing", met.pool.docs(_missed(met, query, entry))))
    return "; ".join(f"{what} {listed(docs, between=' ')}" for what, docs in parts if docs)


def _rows(row: Ints, chosen: Mask, rank: Ints) -> Ints:
    order = np.argsort(rank[chosen], kind="stable")
    return row[chosen][order]


def _missed(met: Met, query: int, entry: Ints) -> Ints:
    """The judged documents of a grade above 0 that were not returned, best first."""
    judged = np.arange(met.pool.start[query], met.pool.start[query + 1])
    judged = judged[met.pool.grade[judged] > 0]
    return judged[~np.isin(judged, entry)]
