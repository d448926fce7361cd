"""Findings on ranks and scores: ranks with gaps, scores that do not order, lists of different depths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from idealrank._core import Run
from idealrank.arrays import Floats
from idealrank.doctor.finding import SHOWN, Finding, Mend, mend_findings
from idealrank.doctor.inputs import (
    DEEP,
    Inputs,
    is_constant,
    name_systems,
    queries_of,
    query_places,
    rows_below,
    tied_lists,
)
from idealrank.errors import plural
from idealrank.evaluation.ledger.counting import count_rows, reads_ranks, score_orders
from idealrank.evaluation.ledger.oddities import NEARLY_ALL
from idealrank.judged_lists.join import SystemLists

# Scores.


TIED = 0.01
"""Share of the results that are tied, from which on ties are no accident."""


def distances(inputs: Inputs) -> Iterator[Finding]:
    """Scores rise from the first result to the last, as distances do, and the highest counts as the best."""
    for results in inputs.results:
        place = results.roles.find("score")
        if results.score is None or place is None or results.order(inputs.decisions.order_by) != "score":
            continue
        if _rise_down_lists([joined.parts for joined in inputs.system_lists if joined.results is results]):
            values = results.score.floats()
            # Subtracted from 0, since the negative of a distance of 0 is -0.0.
            cells = {row: repr(float(0.0 - values[row])) for row in np.flatnonzero(~np.isnan(values)).tolist()}
            text = f"of {results.name} with scores that rise down the list, as distances do; a mended copy negates them"
            yield from mend_findings("distances read as scores", "result", text, [Mend(results, {place: cells})])


def _rise_down_lists(runs: Iterable[Run]) -> bool:
    """Whether the scores of nearly every list rise from row to row, and with the ranks where there are any."""
    found = [score_orders(run) for run in runs]
    distinct = sum(int(orders.distinct.sum()) for orders in found)
    return distinct > 0 and sum(int(orders.rising.sum()) for orders in found) >= NEARLY_ALL * distinct


def constant(inputs: Inputs) -> Iterator[Finding]:
    """All results of nearly every query have the same score, so that the ids of documents decide the order."""
    for joined in inputs.system_lists:
        lists = tied_lists(joined)
        if joined.order == "score" and is_constant(joined):
            text = f"all scores are the same in {plural(len(lists), 'query')} of {joined.system}: ids decide the order"
            other = "given" if joined.results.rank is None else "rank"
            lines = query_places(joined, lists.tolist(), SHOWN)
            yield Finding(
                name="constant scores",
                text=text,
                count=len(lists),
                system=joined.system,
                examples=lines,
                answers={"order_by": other},
            )


def ties(inputs: Inputs) -> Iterator[Finding]:
    """Results with the same score could stand in another order, which moves a mean."""
    if inputs.scores is None:
        return
    table = inputs.scores.tie_ranges
    names = [row.get("system", inputs.system_lists[0].system) for row in table]
    for joined in inputs.system_lists:
        tied = joined.judged.tied.sum() >= TIED * joined.judged.returned.sum()
        if is_constant(joined) or joined.order == "given" or not tied:
            continue
        rows = [row for row, name in zip(table, names, strict=True) if name == joined.system]
        wide = [row for row in rows if row["highest"] - row["lowest"] > inputs.by]
        if wide:
            yield _tie_finding(joined, wide[0])


def _tie_finding(joined: SystemLists, row: dict[str, object]) -> Finding:
    tied = int(joined.judged.tied.sum())
    share = tied / max(1, int(joined.judged.returned.sum()))
    return Finding(
        name="tied results",
        text=f"{plural(tied, 'result')} of {joined.system} ({share:.0%}) tied by {joined.order}: their order makes "
        f"{row['measure']} anything from {row['lowest']:.4f} to {row['highest']:.4f}",
        count=tied,
        system=joined.system,
        examples=query_places(joined, np.flatnonzero(joined.judged.tied > 0).tolist(), SHOWN),
        answers={"ties": "average"},
    )


# Depths.


CUT = 0.5
"""Share of the lists that are as long as the longest, from which on they were cut there."""

UNEVEN = 0.3
"""Share of the top 10 that was judged for one system and not for another, from which on it is a bias."""


def depths(inputs: Inputs) -> Iterator[Finding]:
    """One system's lists were cut at a smaller rank than another's, and a measure looks deeper."""
    systems_joined = [
        joined for joined in inputs.system_lists if joined.searches is None
    ]  # others are as long as their searches are many
    cut = {joined.system: depth for joined in systems_joined if (depth := _cut_depth(joined))}
    if not cut or inputs.scores is None:
        return
    least = min(cut.values())
    deeper = [joined for joined in systems_joined if joined.judged.returned.max(initial=0) > least]
    looks = [m.name for m in inputs.scores.measures if m.cutoff is None or m.cutoff > least]
    if deeper and looks:
        short = name_systems([joined for joined in systems_joined if cut.get(joined.system) == least])
        rows = {joined: rows_below(joined, least) for joined in deeper}
        yield Finding(
            name="lists cut at different depths",
            text=f"lists of {short} end at rank {least}, those of {name_systems(deeper)} do not, and "
            f"{', '.join(looks)} look deeper; a mended copy ends all lists at rank {least}",
            count=sum(map(len, rows.values())),
            examples=tuple(f"{joined.results.source.place(row)}" for joined in deeper for row in rows[joined][:1])[
                :SHOWN
            ],
            mends=_cut_mends(rows),
        )


def _cut_depth(joined: SystemLists) -> int:
    """Return the rank at which a system's lists were cut; 0 if they were not."""
    returned = joined.judged.returned[joined.judged.returned > 0]
    longest = int(returned.max(initial=0))
    return longest if len(returned) > 1 and (returned == longest).mean() >= CUT else 0


def _cut_mends(rows: dict[SystemLists, list[int]]) -> tuple[Mend, ...]:
    """Leave out the rows of each table, which may contain several systems."""
    tables = {id(joined.results.source): joined.results for joined in rows}
    gone = {
        key: [row for joined, of in rows.items() if id(joined.results.source) == key for row in of] for key in tables
    }
    return tuple(Mend(tables[key], dropped=dropped) for key, dropped in gone.items())


def pools(inputs: Inputs) -> Iterator[Finding]:
    """The top 10 of one system were judged far more than those of another, whose unjudged results count as 0."""
    shares = np.array([_judged_share(joined) for joined in inputs.system_lists])
    if len(shares) < 2 or np.isnan(shares).all() or np.nanmax(shares) - np.nanmin(shares) < UNEVEN:
        return
    most, least = (inputs.system_lists[int(place)] for place in (np.nanargmax(shares), np.nanargmin(shares)))
    lists = least.lists
    rows = lists.row[(lists.rank <= DEEP) & np.isnan(lists.grade)].tolist()
    yield Finding(
        name="one system judged more than another",
        text=f"of the top {DEEP}, {np.nanmax(shares):.0%} were judged for {most.system}, and {np.nanmin(shares):.0%} "
        f"for {least.system}, whose {plural(len(rows), 'unjudged result')} there count as not relevant",
        count=len(rows),
        system=least.system,
        examples=tuple(f"{least.results.source.place(row)}: unjudged" for row in rows[:SHOWN]),
        answers={"unjudged": "filter"},
    )


def _judged_share(joined: SystemLists) -> float:
    """Return the share of the top 10 that was judged; NaN if nothing was returned."""
    grade: Floats = joined.lists.grade[joined.lists.rank <= DEEP]
    return float((~np.isnan(grade)).mean()) if len(grade) else np.nan


# Ranks.


def from_zero(inputs: Inputs) -> Iterator[Finding]:
    """Ranks start at 0; they are read in their order, but other tools count them from 1."""
    for results in {
        joined.results: joined
        for joined in inputs.system_lists
        if reads_ranks(joined) and joined.parts.lowest_rank == 0
    }:
        rank, place = results.rank, results.roles.find("rank")
        if rank is not None and place is not None:
            values = rank.floats()
            cells = {row: f"{values[row] + 1:g}" for row in np.flatnonzero(~np.isnan(values)).tolist()}
            text = f"of {results.name} with ranks from 0; a mended copy has them from 1"
            yield from mend_findings("ranks from 0", "result", text, [Mend(results, {place: cells})])


def gaps(inputs: Inputs) -> Iterator[Finding]:
    """Ranks leave some out; results close up, or every missing rank counts as an unjudged result (rank_gaps=keep)."""
    for joined in inputs.system_lists:
        count = count_rows(joined)["queries with gaps in the ranks"]
        closed = inputs.decisions.rank_gaps == "close" and joined.searches is None
        if count and closed and joined.order == "rank":
            text = f"{plural(count, 'query')} of {joined.system} with gaps in the ranks, which are closed"
            lines = query_places(joined, _queries_with_gaps(joined))
            yield Finding(
                name="gaps in the ranks",
                text=text,
                count=count,
                system=joined.system,
                examples=lines,
                answers={"rank_gaps": "keep"},
            )


def _queries_with_gaps(joined: SystemLists) -> list[int]:
    """Return the judged queries whose highest rank is above their number of results."""
    rank = joined.results.rank
    assert rank is not None
    lists, values, low = joined.lists, rank.floats(), joined.run.lowest_rank == 0
    spans = zip(lists.hit_start[:-1].tolist(), lists.hit_start[1:].tolist(), strict=True)
    return [q for q, (a, b) in enumerate(spans) if b > a and np.nanmax(values[lists.row[a:b]]) + low > b - a]


def contradictions(inputs: Inputs) -> Iterator[Finding]:
    """Ranks and scores order the results of a query differently, and only one of them counts."""
    doubted = {each.system for each in inputs.scores.ledger.odd} if inputs.scores is not None else set()
    for joined in inputs.system_lists:
        # Of ranks or scores that are odd, the warning says which of the two to trust.
        conflicts = [] if is_constant(joined) or joined.system in doubted else _conflicts(joined)
        if conflicts and joined.order in ("rank", "score"):
            other = "score" if joined.order == "rank" else "rank"
            many = plural(len(conflicts), "query")
            text = f"rank and score disagree in {many} of {joined.system}, ordered by {joined.order}"
            ids = queries_of(joined.results)
            rows = [int(np.flatnonzero(ids.code == ids.names.index(query))[0]) for query in conflicts[:3]]
            lines = tuple(
                f"{joined.results.source.place(r)}: query {q}" for r, q in zip(rows, conflicts[:3], strict=True)
            )
            yield Finding(
                name="ranks against scores",
                text=text,
                count=len(conflicts),
                system=joined.system,
                examples=lines,
                answers={"order_by": other},
            )


def _conflicts(joined: SystemLists) -> list[str]:
    """Return the queries that ranks and scores order differently, but not if they are opposites in most."""
    if joined.results.rank is None or joined.results.score is None or joined.searches is not None:
        return []
    conflict, _ = joined.parts.order_conflict()
    # Most lists exactly reversed: the scores are distances, which has a finding of its own.
    if (conflict == 2).mean() > 1 / 2:
        return []
    return [joined.run.queries[q] for q in np.flatnonzero(conflict > 0)]
