"""Numbers by query that need the lists: of all at once, or part by part where the lists of all are not there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from idealrank.arrays import Floats
from idealrank.decisions import Decisions
from idealrank.evaluation.values import Values
from idealrank.judged_lists.meeting import Meeting

Work = Callable[[list[Meeting]], Floats]
"""Returns (…, Q) numbers of the queries of the meetings; it can be pickled. The systems are those of the rows."""


def by_query(scores: Values, work: Work) -> Floats:
    """(…, Q) what a function makes of the lists of all queries; in parts, one pass over the rows."""
    if scores.parts is None:
        return work(scores.meetings)
    found = scores.parts.rows.each(partial(_named, work=work, decisions=scores.setting.decisions))
    place = {query: q for q, query in enumerate(scores.queries)}
    order = np.argsort([place[query] for names, _ in found for query in names])
    return np.concatenate([numbers for _, numbers in found], axis=-1)[..., order]


def _named(meetings: list[Meeting], work: Work, decisions: Decisions) -> tuple[list[str], Floats]:
    return meetings[0].judged_queries(decisions), work(meetings)
