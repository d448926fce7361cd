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
        if _rise_down_lists([met.parts for met in inputs.system_lists if met.results is results]):
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
    for met in inputs.system_lists:
        lists = tied_lists(met)
        if met.order == "score" and is_constant(met):
            text = f"all scores are the same in {plural(len(lists), 'query')} of {met.system}: ids decide the order"
            other = "given" if met.results.rank is None else "rank"
            lines = query_places(met, lists.tolist(), SHOWN)
            yield Finding(
                name="constant scores",
                text=text,
                count=len(lists),
                system=met.system,
                examples=lines,
                answers={"order_by": other},
            )


def ties(inputs: Inputs) -> Iterator[Finding]:
    """Results with the same score could stand in another order, which moves a mean."""
    if inputs.scores is None:
        return
    table = inputs.scores.tie_ranges
    names = [row.get("system", inputs.system_lists[0].system) for row in table]
    for met in inputs.system_lists:
        tied = met.judged.tied.sum() >= TIED * met.judged.returned.sum()
        if is_constant(met) or met.order == "given" or not tied:
            continue
        rows = [row for row, name in zip(table, names, strict=True) if name == met.system]
        wide = [row for row in rows if row["highest"] - row["lowest"] > inputs.by]
        if wide:
            yield _tie_finding(met, wide[0])


def _tie_finding(met: SystemLists, row: dict[str, object]) -> Finding:
    tied = int(met.judged.tied.sum())
    share = tied / max(1, int(met.judged.returned.sum()))
    return Finding(
        name="tied results",
        text=f"{plural(tied, 'result')} of {met.system} ({share:.0%}) tied by {met.order}: their order makes "
        f"{row['measure']} anything from {row['lowest']:.4f} to {row['highest']:.4f}",
        count=tied,
        system=met.system,
        examples=query_places(met, np.flatnonzero(met.judged.tied > 0).tolist(), SHOWN),
        answers={"ties": "average"},
    )


# Depths.


CUT = 0.5
"""Share of the lists that are as long as the longest, from which on they were cut there."""

UNEVEN = 0.3
"""Share of the top 10 that was judged for one system and not for another, from which on it is a bias."""


def depths(inputs: Inputs) -> Iterator[Finding]:
    """One system's lists were cut at a smaller rank than another's, and a measure looks deeper."""
    mets = [met for met in inputs.system_lists if met.searches is None]  # others are as long as their searches are many
    cut = {met.system: depth for met in mets if (depth := _cut_depth(met))}
    if not cut or inputs.scores is None:
        return
    least = min(cut.values())
    deeper = [met for met in mets if met.judged.returned.max(initial=0) > least]
    looks = [m.name for m in inputs.scores.measures if m.cutoff is None or m.cutoff > least]
    if deeper and looks:
        short = name_systems([met for met in mets if cut.get(met.system) == least])
        rows = {met: rows_below(met, least) for met in deeper}
        yield Finding(
            name="lists cut at different depths",
            text=f"lists of {short} end at rank {least}, those of {name_systems(deeper)} do not, and "
            f"{', '.join(looks)} look deeper; a mended copy ends all lists at rank {least}",
            count=sum(map(len, rows.values())),
            examples=tuple(f"{met.results.source.place(row)}" for met in deeper for row in rows[met][:1])[:SHOWN],
            mends=_cut_mends(rows),
        )


def _cut_depth(met: SystemLists) -> int:
    """Return the rank at which a system's lists were cut; 0 if they were not."""
    returned = met.judged.returned[met.judged.returned > 0]
    longest = int(returned.max(initial=0))
    return longest if len(returned) > 1 and (returned == longest).mean() >= CUT else 0


def _cut_mends(rows: dict[SystemLists, list[int]]) -> tuple[Mend, ...]:
    """Leave out the rows of each table, which may contain several systems."""
    tables = {id(met.results.source): met.results for met in rows}
    gone = {key: [row for met, of in rows.items() if id(met.results.source) == key for row in of] for key in tables}
    return tuple(Mend(tables[key], dropped=dropped) for key, dropped in gone.items())


def pools(inputs: Inputs) -> Iterator[Finding]:
    """The top 10 of one system were judged far more than those of another, whose unjudged results count as 0."""
    shares = np.array([_judged_share(met) for met in inputs.system_lists])
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


def _judged_share(met: SystemLists) -> float:
    """Return the share of the top 10 that was judged; NaN if nothing was returned."""
    grade: Floats = met.lists.grade[met.lists.rank <= DEEP]
    return float((~np.isnan(grade)).mean()) if len(grade) else np.nan


# Ranks.


def from_zero(inputs: Inputs) -> Iterator[Finding]:
    """Ranks start at 0; they are read in their order, but other tools count them from 1."""
    for results in {met.results: met for met in inputs.system_lists if reads_ranks(met) and met.parts.lowest_rank == 0}:
        rank, place = results.rank, results.roles.find("rank")
        if rank is not None and place is not None:
            values = rank.floats()
            cells = {row: f"{values[row] + 1:g}" for row in np.flatnonzero(~np.isnan(values)).tolist()}
            text = f"of {results.name} with ranks from 0; a mended copy has them from 1"
            yield from mend_findings("ranks from 0", "result", text, [Mend(results, {place: cells})])


def gaps(inputs: Inputs) -> Iterator[Finding]:
    """Ranks leave some out; results close up, or every missing rank counts as an unjudged result (rank_gaps=keep)."""
    for met in inputs.system_lists:
        count = count_rows(met)["queries with gaps in the ranks"]
        closed = inputs.decisions.rank_gaps == "close" and met.searches is None
        if count and closed and met.order == "rank":
            text = f"{plural(count, 'query')} of {met.system} with gaps in the ranks, which are closed"
            lines = query_places(met, _queries_with_gaps(met))
            yield Finding(
                name="gaps in the ranks",
                text=text,
                count=count,
                system=met.system,
                examples=lines,
                answers={"rank_gaps": "keep"},
            )


def _queries_with_gaps(met: SystemLists) -> list[int]:
    """Return the judged queries whose highest rank is above their number of results."""
    rank = met.results.rank
    assert rank is not None
    lists, values, low = met.lists, rank.floats(), met.run.lowest_rank == 0
    spans = zip(lists.hit_start[:-1].tolist(), lists.hit_start[1:].tolist(), strict=True)
    return [q for q, (a, b) in enumerate(spans) if b > a and np.nanmax(values[lists.row[a:b]]) + low > b - a]


def contradictions(inputs: Inputs) -> Iterator[Finding]:
    """Ranks and scores order the results of a query differently, and only one of them counts."""
    doubted = {each.system for each in inputs.scores.ledger.odd} if inputs.scores is not None else set()
    for met in inputs.system_lists:
        # Of ranks or scores that are odd, the warning says which of the two to trust.
        conflicts = [] if is_constant(met) or met.system in doubted else _conflicts(met)
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


def _conflicts(met: SystemLists) -> list[str]:
    """Return the queries that ranks and scores order differently, but not if they are opposites in most."""
    if met.results.rank is None or met.results.score is None or met.searches is not None:
        return []
    conflict, _ = met.parts.order_conflict()
    # Most lists exactly reversed: the scores are distances, which has a finding of its own.
    if (conflict == 2).mean() > 1 / 2:
        return []
    return [met.run.queries[q] for q in np.flatnonzero(conflict > 0)]
