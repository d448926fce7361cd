"""Which documents moved between the top of two lists of one query."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from idealrank.arranging import arranged
from idealrank.decisions import answer_text
from idealrank.table import Table

if TYPE_CHECKING:
    from idealrank.comparison.outcome import Comparison
    from idealrank.judge import Meeting
    from idealrank.lists import Ints
    from idealrank.measures import Measure

SHOWN = 5
"""Moves of a query that are written out."""

LEGEND = "document (grade) rank before→after"
"""How a move is written."""


@dataclass(frozen=True)
class Move:
    """One document that stands elsewhere.

    Attributes
    ----------
    doc, grade
        The document and its grade; NaN where it is unjudged.
    before, after
        Its rank in either list; None where it is not in its top k.
    """

    doc: str
    grade: float
    before: int | None
    after: int | None

    def __str__(self) -> str:
        grade = "–" if math.isnan(self.grade) else answer_text(self.grade)
        return f"{self.doc} ({grade}) {self.before or 'out'}→{self.after or 'out'}"


def losses_with_moves(
    comparison: Comparison, n: int = 10, measure: str | None = None, system: str | None = None
) -> Table:
    """Return `Comparison.losses` with a last column: what moved in the top k, as text."""
    table = comparison.losses(n, measure, system)
    pair, m = comparison.key(measure, system)
    scores = comparison.scores
    place = {query: q for q, query in enumerate(scores.queries)}
    queries = [place[query] for query in table["query"]]
    lists = [_ranked(scores.meetings[s], scores.measures[m], queries) for s in pair]
    said = [moves_text(moves(before, after)) for before, after in zip(*lists, strict=True)]
    columns: dict[str, Any] = {name: table.array(name) for name in table.columns}
    return Table(columns | {"moves": said}, table.title)


Ranked = dict[str, tuple[int, float]]
"""Rank and grade of the documents in the top k of a list."""


def moves(before: Ranked, after: Ranked) -> list[Move]:
    """Return the documents that stand elsewhere: the highest grade first, then by the better of both ranks."""
    found = [
        Move(doc, (before.get(doc) or after[doc])[1], _rank(before, doc), _rank(after, doc))
        for doc in dict.fromkeys((*before, *after))
        if _rank(before, doc) != _rank(after, doc)
    ]
    return sorted(found, key=_weight)


def moves_text(found: list[Move]) -> str:
    """Write the first moves, and count the rest."""
    shown = [str(move) for move in found[:SHOWN]]
    return "; ".join([*shown, *([f"{len(found) - SHOWN} more"] if len(found) > SHOWN else [])])


def _rank(ranked: Ranked, doc: str) -> int | None:
    return ranked[doc][0] if doc in ranked else None


def _weight(move: Move) -> tuple[float, int, str]:
    grade = -math.inf if math.isnan(move.grade) else move.grade
    return -grade, min(rank for rank in (move.before, move.after) if rank), move.doc


def _ranked(meeting: Meeting, measure: Measure, queries: list[int]) -> list[Ranked]:
    """Return the top k of some queries, as the measure sees it; of a measure without a cutoff all results."""
    return list(_each(meeting, measure, np.array(queries, np.int64))) if queries else []


def _each(meeting: Meeting, measure: Measure, queries: Ints) -> Iterator[Ranked]:
    met = meeting.met_for(measure, "dense", np.unique(queries))
    lists = arranged(met.lists, replace(measure.on_lists, unjudged=_shown(measure)))
    for q in queries:
        hits = np.arange(lists.hit_start[q], lists.hit_start[q + 1])
        hits = hits[lists.rank[hits] <= (measure.cutoff or math.inf)]
        docs = met.run.docs(lists.row[hits])
        yield {
            doc: (int(rank), float(grade))
            for doc, rank, grade in zip(docs, lists.rank[hits], lists.grade[hits], strict=True)
        }


def _shown(measure: Measure) -> Any:
    """An unjudged result is shown as one, whatever grade it is given."""
    return "filter" if measure.on_lists.unjudged == "filter" else "zero"
