"""The overlap of two systems' results, query by query, for the table of a comparison."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from idealrank.arrays import Floats
from idealrank.statistics.list_overlap import shared_part

if TYPE_CHECKING:
    from idealrank.comparison.pairing import Pair
    from idealrank.decisions import Decisions
    from idealrank.judged_lists.meeting import Meeting


def overlap_at(meetings: Sequence[Meeting], pair: Pair, decisions: Decisions, k: int | None) -> Floats:
    """Return the overlap@k of two systems for each judged query.

    Documents among the first k of both / documents among the first k of the one that has more; 1 where neither
    returned anything. Judged or not, all results count, as they were returned: `unjudged` removes none.

    Parameters
    ----------
    meetings
        The systems with the judgments they share.
    pair
        The places of two of them.
    decisions
        Of them those count that shape a list: `duplicates`, `order_by`, `rank_gaps`, `ties`, `score_precision`.
    k
        The cutoff; None: all results.

    Returns
    -------
    (Q,) overlaps from 0 to 1.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"d": 1}}, {"old": {"q": {"d": 2, "x": 1}}, "new": {"q": {"d": 2, "y": 1}}}, ["RR"])
    >>> overlap_at(scores.meetings, (0, 1), scores.setting.decisions, 2).tolist()
    [0.5]
    """
    first, second = (_sets(meetings[place], decisions, k) for place in pair)
    return np.array([shared_part(a, b) for a, b in zip(first, second, strict=True)], np.float64)


def _sets(meeting: Meeting, decisions: Decisions, k: int | None) -> list[set[str]]:
    """Return the documents within the cutoff, query by query."""
    met = meeting.met(decisions, "dense")
    rank, _, _, row, *_ = met.judged.hits(0, met.size)
    within = np.ones(len(rank), np.bool_) if k is None else rank <= k
    docs = met.run.docs(row[within])
    counted = np.concatenate(([0], np.cumsum(within)))[met.judged.hit_start]
    return [set(docs[i:j]) for i, j in itertools.pairwise(counted.tolist())]
