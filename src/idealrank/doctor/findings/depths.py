"""Lists that are not alike from system to system: cut at different depths, or judged more for one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats
from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.lists import DEEP, rows_below, systems
from idealrank.doctor.mend import Mend
from idealrank.errors import plural
from idealrank.judged_lists.meeting import Met

CUT = 0.5
"""Share of the lists that are as long as the longest, from which on they were cut there."""

UNEVEN = 0.3
"""Share of the top 10 that was judged for one system and not for another, from which on it is a bias."""


def depths(inputs: Inputs) -> Iterator[Finding]:
    """One system's lists were cut at a smaller rank than another's, and a measure looks deeper."""
    mets = [met for met in inputs.mets if met.searches is None]  # others are as long as their searches are many
    cut = {met.system: depth for met in mets if (depth := _cut(met))}
    if not cut or inputs.scores is None:
        return
    least = min(cut.values())
    deeper = [met for met in mets if met.judged.returned.max(initial=0) > least]
    looks = [m.name for m in inputs.scores.measures if m.cutoff is None or m.cutoff > least]
    if deeper and looks:
        short = systems([met for met in mets if cut.get(met.system) == least])
        rows = {met: rows_below(met, least) for met in deeper}
        yield Finding(
            name="lists cut at different depths",
            text=f"lists of {short} end at rank {least}, those of {systems(deeper)} do not, and {', '.join(looks)} "
            f"look deeper; a mended copy ends all lists at rank {least}",
            count=sum(map(len, rows.values())),
            examples=tuple(f"{met.results.source.place(row)}" for met in deeper for row in rows[met][:1])[:SHOWN],
            mends=_cut_off(rows),
        )


def _cut(met: Met) -> int:
    """Return the rank at which a system's lists were cut; 0 if they were not."""
    returned = met.judged.returned[met.judged.returned > 0]
    longest = int(returned.max(initial=0))
    return longest if len(returned) > 1 and (returned == longest).mean() >= CUT else 0


def _cut_off(rows: dict[Met, list[int]]) -> tuple[Mend, ...]:
    """Leave out the rows of each table, which may contain several systems."""
    tables = {id(met.results.source): met.results for met in rows}
    gone = {key: [row for met, of in rows.items() if id(met.results.source) == key for row in of] for key in tables}
    return tuple(Mend(tables[key], dropped=dropped) for key, dropped in gone.items())


def pools(inputs: Inputs) -> Iterator[Finding]:
    """The top 10 of one system were judged far more than those of another, whose unjudged results count as 0."""
    shares = np.array([_judged(met) for met in inputs.mets])
    if len(shares) < 2 or np.isnan(shares).all() or np.nanmax(shares) - np.nanmin(shares) < UNEVEN:
        return
    most, least = (inputs.mets[int(place)] for place in (np.nanargmax(shares), np.nanargmin(shares)))
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


def _judged(met: Met) -> float:
    """Return the share of the top 10 that was judged; NaN if nothing was returned."""
    grade: Floats = met.lists.grade[met.lists.rank <= DEEP]
    return float((~np.isnan(grade)).mean()) if len(grade) else np.nan
