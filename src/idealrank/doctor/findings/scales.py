"""Mixed scales: raters, or queries, that were graded on different scales."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.ids import codes, id_text
from idealrank.data.judgments import Judgments
from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.ids import queries_of
from idealrank.doctor.inputs import Inputs

APART = 4
"""Two scales differ if the highest grade of one is more than so many times that of the other."""

FEWEST = 5
"""Grades of a rater, at least, before his scale is judged."""

SHARE = 0.1
"""Share of the queries on the higher scale, at least: fewer may be slips."""


def raters(inputs: Inputs) -> Iterator[Finding]:
    """Raters use different scales: the highest grade of one is more than four times that of another."""
    table = inputs.judgments
    column = table.column("rater") if len(table.grades) == 1 else None
    if column is None:
        return
    code, names = codes(column), [id_text(name) for name in column.codes()[1].to_list()]
    yield from _mixed("scales mixed by rater", table, code, names, many=FEWEST, share=0.0)


def queries(inputs: Inputs) -> Iterator[Finding]:
    """Queries are graded on different scales: the highest grade of some is more than four times the usual one."""
    table = inputs.judgments
    ids = queries_of(table)
    if len(table.grades) == 1 and len(ids.names) > 1:
        yield from _mixed("scales mixed by query", table, ids.code, ids.names, many=1, share=SHARE)


def _mixed(name: str, table: Judgments, code: Ints, names: list[str], many: int, share: float) -> Iterator[Finding]:
    grade = _grades(table)
    tops = np.full(len(names), np.nan)
    for i in range(len(names)):
        own = grade[(code == i) & ~np.isnan(grade)]
        tops[i] = own.max() if len(own) >= many else np.nan
    usual = np.nanmedian(tops[tops > 0]) if (tops > 0).any() else np.nan
    usual = np.nanmin(tops[tops > 0]) if share == 0.0 and (tops > 0).any() else usual
    above = np.flatnonzero(tops > APART * usual)
    if len(above) >= max(1 + (share > 0), share * len(names)) and not _in_use(grade, code, above, usual):
        yield Finding(
            name=name,
            text=f"{len(above)} of {len(names)} go up to {np.nanmax(tops):g} in {table.name}, and others to {usual:g}",
            count=len(above),
            examples=tuple(_example(table, code, grade, names, i) for i in above[:SHOWN].tolist()),
            way="Bring all grades to one scale before they are combined.",
        )


def _grades(table: Judgments) -> Floats:
    column = table.source.number(table.grades[0])
    assert column is not None
    return column.floats()


def _in_use(grade: Floats, code: Ints, above: Ints, usual: float) -> bool:
    """Whether those on the higher scale give the usual grades, too: then it is one scale, such as 0, 1, 10, 100."""
    theirs = np.isin(code, above) & (grade > 0)
    return bool((grade[theirs] <= usual).mean() > SHARE)


def _example(table: Judgments, code: Ints, grade: Floats, names: list[str], i: int) -> str:
    rows = np.flatnonzero(code == i)
    row = int(rows[np.nanargmax(grade[rows])])
    return f"{table.source.place(row)}: {names[i]}, grade {grade[row]:g}"
