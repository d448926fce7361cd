"""What needs the lists: a pass over the buckets, of which there is one where all lists are in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.decisions.decisions import Decisions
from idealrank.evaluation.values import Values
from idealrank.judged_lists.join import Join

Made = TypeVar("Made")
Numbers = TypeVar("Numbers", Floats, Ints)


def each_bucket(scores: Values, work: Callable[[list[Join]], Made]) -> list[tuple[list[str], Made]]:
    """Return the judged queries of every bucket, with what a function makes of the lists of all systems there.

    A bucket has every row of its queries. The function can be pickled.
    """
    return scores.lists.each(partial(_named, work=work, decisions=scores.setting.decisions))


def _named(meetings: list[Join], work: Callable[[list[Join]], Made], decisions: Decisions) -> tuple[list[str], Made]:
    return meetings[0].judged_queries(decisions), work(meetings)


def per_query(scores: Values, work: Callable[[list[Join]], Numbers]) -> Numbers:
    """(…, Q) what a function makes of the lists of all queries, bucket by bucket."""
    found = each_bucket(scores, work)
    if len(found) == 1 and found[0][0] == scores.queries:
        return found[0][1]
    place = {query: q for q, query in enumerate(scores.queries)}
    order = np.argsort([place[query] for names, _ in found for query in names])
    whole: Numbers = np.concatenate([numbers for _, numbers in found], axis=-1)[..., order]
    return whole
