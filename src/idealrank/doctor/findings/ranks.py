"""Ranks that do not count from 1, or not like the scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.doctor.finding import Finding, of_mends
from idealrank.doctor.ids import queries_of
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.lists import is_constant, placed
from idealrank.doctor.mend import Mend
from idealrank.errors import plural
from idealrank.evaluation.ledger.order_counts import reads_ranks, row_counts
from idealrank.judged_lists.meeting import Met


def from_zero(inputs: Inputs) -> Iterator[Finding]:
    """Ranks start at 0; they are read in their order, but other tools count them from 1."""
    for results in {met.results: met for met in inputs.mets if reads_ranks(met) and met.parts.lowest_rank == 0}:
        rank, place = results.rank, results.roles.find("rank")
        if rank is not None and place is not None:
            values = rank.floats()
            cells = {row: f"{values[row] + 1:g}" for row in np.flatnonzero(~np.isnan(values)).tolist()}
            text = f"of {results.name} with ranks from 0; a mended copy has them from 1"
            yield from of_mends("ranks from 0", "result", text, [Mend(results, {place: cells})])


def gaps(inputs: Inputs) -> Iterator[Finding]:
    """Ranks leave some out; results close up, or every missing rank counts as an unjudged result (rank_gaps=keep)."""
    for met in inputs.mets:
        count = row_counts(met)["queries with gaps in the ranks"]
        closed = inputs.decisions.rank_gaps == "close" and met.searches is None
        if count and closed and met.order == "rank":
            text = f"{plural(count, 'query')} of {met.system} with gaps in the ranks, which are closed"
            lines = placed(met, _gapped(met))
            yield Finding(
                name="gaps in the ranks",
                text=text,
                count=count,
                system=met.system,
                examples=lines,
                answers={"rank_gaps": "keep"},
            )


def _gapped(met: Met) -> list[int]:
    """Return the judged queries whose highest rank is above their number of results."""
    rank = met.results.rank
    assert rank is not None
    lists, values, low = met.lists, rank.floats(), met.run.lowest_rank == 0
    spans = zip(lists.hit_start[:-1].tolist(), lists.hit_start[1:].tolist(), strict=True)
    return [q for q, (a, b) in enumerate(spans) if b > a and np.nanmax(values[lists.row[a:b]]) + low > b - a]


def contradictions(inputs: Inputs) -> Iterator[Finding]:
    """Ranks and scores order the results of a query differently, and only one of them counts."""
    for met in inputs.mets:
        conflicts = [] if is_constant(met) else _conflicts(met)
        if conflicts and met.order in ("rank", "score"):
            other = "score" if met.order == "rank" else "rank"
            text = (
                f"rank and score disagree in {plural(len(conflicts), 'query')} of {met.system}, ordered by {met.order}"
            )
            ids = queries_of(met.results)
            rows = [int(np.flatnonzero(ids.code == ids.names.index(query))[0]) for query in conflicts[:3]]
            lines = tuple(f"{met.results.source.place(r)}: query {q}" for r, q in zip(rows, conflicts[:3], strict=True))
            yield Finding(
                name="ranks against scores",
                text=text,
                count=len(conflicts),
                system=met.system,
                examples=lines,
                answers={"order_by": other},
            )


def _conflicts(met: Met) -> list[str]:
    """Return the queries that ranks and scores order differently, but not if they are opposites in most."""
    if met.results.rank is None or met.results.score is None or met.searches is not None:
        return []
    conflict, _ = met.parts.order_conflict()
    if (conflict == 2).mean() > 1 / 2:
        return []
    return [met.run.queries[q] for q in np.flatnonzero(conflict > 0)]
