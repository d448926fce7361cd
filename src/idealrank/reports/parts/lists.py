"""The first results of every query, system by system, and the documents that are judged best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Ints, Mask, offsets, segment_counts
from idealrank.data.documents import Documents
from idealrank.decisions import Decisions
from idealrank.display.numbers import numbers
from idealrank.evaluation.scores import Scores
from idealrank.judged_lists.arrangement import arranged
from idealrank.judged_lists.lists import JudgedLists
from idealrank.judged_lists.meeting import Met
from idealrank.reports.parts.kinds import DocumentsPart


@dataclass(frozen=True, eq=False)
class RankedLists:
    """The first results of Q judged queries, H in all, as one system returned them.

    Attributes
    ----------
    start
        (Q + 1,) the results of query q are ``start[q]:start[q + 1]``, by rank.
    rank, grade
        (H,) 1-based rank; grade, NaN where nobody judged the document.
    row
        (H,) place in the results table.
    documents
        (H,) ids.
    returned
        (Q,) results in all, those below the depth too; ranks that were left out are none.
    step
        (H,) the step of the search that returned each result; None if no query has several.
    """

    start: Ints
    rank: Ints
    grade: Floats
    row: Ints
    documents: list[str]
    returned: Ints
    step: Ints | None = None


def ranked_lists(scores: Scores, depth: int = 10, shown: Mask | None = None) -> dict[str, RankedLists]:
    """Return the first results of judged queries, for each system.

    They are in the order the decisions of the evaluation give them, with the grades these make of the judgments;
    unjudged results are among them, regardless of `unjudged`.

    Parameters
    ----------
    depth
        The last rank that is returned.
    shown
        (Q,) which queries; None: every one.

    Examples
    --------
    >>> import idealrank as ir
    >>> scores = ir.evaluate({"q": {"a": 2}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, ["RR"])
    >>> lists = ranked_lists(scores, 2)["results"]
    >>> lists.documents, lists.grade.tolist(), lists.returned.tolist()
    (['x', 'a'], [nan, 2.0], [3])
    """
    decisions, shown = scores.setting.decisions, _mask(scores, shown)
    return {m.system: _first(m.met(decisions, "dense"), decisions, depth, shown) for m in scores.meetings}


def _mask(scores: Scores, shown: Mask | None) -> Mask:
    return np.ones(len(scores.queries), np.bool_) if shown is None else shown


def _first(met: Met, decisions: Decisions, depth: int, shown: Mask) -> RankedLists:
    lists = _arranged(met, decisions)
    returned = np.diff(lists.hit_start)
    keep = (lists.rank <= depth) & (lists.row >= 0) & np.repeat(shown, returned)
    start = offsets(segment_counts(keep, lists.hit_start)[shown])
    row = lists.row[keep]
    step = None if met.searches is None else met.searches.step[row]
    return RankedLists(start, lists.rank[keep], lists.grade[keep], row, met.run.docs(row), returned[shown], step)


def _arranged(met: Met, decisions: Decisions) -> JudgedLists:
    return arranged(met.lists, decisions.but(unjudged="zero"))


@dataclass(frozen=True, eq=False)
class BestJudged:
    """The judged documents of every query, highest grade first, equal ones as the judgments name them.

    Attributes
    ----------
    start
        (Q + 1,) offsets by query.
    grade
        (J,) grades.
    documents
        (J,) ids.
    """

    start: Ints
    grade: Floats
    documents: list[str]


def best_judged(scores: Scores, depth: int = 10, shown: Mask | None = None) -> BestJudged:
    """Return the best `depth` judged documents of the queries that are shown; None: of every one."""
    met = scores.meetings[0].met(scores.setting.decisions, "dense")
    lists = _arranged(met, scores.setting.decisions)
    order = np.lexsort((met.pool.row[lists.pool_entry], -lists.pool_grade, lists.pool_query))
    shown = _mask(scores, shown)
    kept = order[(lists.pool_place <= depth) & shown[lists.pool_query]]
    counts = np.minimum(np.diff(lists.pool_start)[shown], depth)
    return BestJudged(offsets(counts), lists.pool_grade[kept], met.pool.docs(lists.pool_entry[kept]))


def listed(lists: dict[str, RankedLists], best: BestJudged, depth: int, coded: Coder) -> dict[str, Any]:
    """Return the lists as plain values; each document is the number that `coded` gives it."""
    systems = {
        system: {
            "start": each.start.tolist(),
            "rank": numbers(each.rank),
            "document": coded(each.documents),
            "grade": numbers(each.grade),
            "returned": numbers(each.returned),
            **({} if each.step is None else {"step": numbers(each.step)}),
        }
        for system, each in lists.items()
    }
    shown = {"start": best.start.tolist(), "document": coded(best.documents), "grade": numbers(best.grade)}
    return {"depth": depth, "systems": systems, "best": shown}


Coder = Callable[[list[str]], list[int]]
"""Gives each document its number."""


class Codes:
    """Numbers documents in the order they are first seen."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, documents: Sequence[str]) -> list[int]:
        """Return the number of each document."""
        numbers = self.numbers
        return [numbers.setdefault(doc, len(numbers)) for doc in documents]


def documents_part(ids: list[str], known: Documents | None, pictures: bool) -> DocumentsPart:
    """Return ids, titles and addresses; pictures where they are asked for; None where none are known."""
    if known is None:
        return {"id": ids, "title": None, "url": None, "picture": None}
    shown = known.pictures if pictures else {}
    return {
        "id": ids,
        "title": [known.titles.get(key) for key in ids],
        "url": [known.urls.get(key) for key in ids] if known.urls else None,
        "picture": [shown.get(key) for key in ids] if shown else None,
    }
