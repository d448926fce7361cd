"""Mixed scales: raters, or queries, that were graded on different scales."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.doctor.finding import SHOWN, Finding
from idealrank.doctor.findings.grades import regraded
from idealrank.doctor.ids import queries_of
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend

APART = 5
"""Two scales differ if the highest grade of one is more than so many times that of the other."""

FEWEST = 5
"""Grades of a rater, at least, before their scale is judged."""

SHARE = 0.1
"""Share of the queries on the higher scale, at least: fewer may be slips."""


def raters(inputs: Inputs) -> Iterator[Finding]:
    """Raters use different scales: the highest grade of one is more than five times that of another."""
    table = inputs.judgments
    column = table.column("rater")
    if len(table.grades) > 1:
        graded = _by_column(table, [table.roles.names[place] for place in table.grades])
    elif column is not None:
        code, distinct = column.codes()
        graded = Graded(table, code, [id_text(name) for name in distinct.to_list()], *_first(table))
    else:
        return
    if mixed := _mixed(graded, FEWEST, least=True):
        way = "Bring the grades of all raters to one scale before they are combined."
        yield replace(_finding("scales mixed by rater", mixed), way=way)


def queries(inputs: Inputs) -> Iterator[Finding]:
    """Queries are graded on different scales: the highest grade of some is more than five times the usual one."""
    table = inputs.judgments
    ids = queries_of(table)
    if len(table.grades) > 1:
        return
    if mixed := _mixed(Graded(table, ids.code, ids.names, *_first(table)), 1, least=False):
        finding, mend = _finding("scales mixed by query", mixed), _to_usual(mixed)
        if mend.many:
            text = f"{finding.text}; a mended copy multiplies theirs by {mixed.usual:g}/{mixed.highest:g}"
            yield replace(finding, text=text, mends=(mend,))
        else:
            yield replace(finding, way="Give the labels of all queries grades of one scale.")


class Graded(NamedTuple):
    """Grades with who or what each is of: a number per grade, the names, the grades, their rows."""

    table: Judgments
    code: Ints
    names: list[str]
    grade: Floats
    row: Ints


def _by_column(table: Judgments, names: list[str]) -> Graded:
    """Return the grades of raters that each have a column."""
    rows = table.source.frame.rows
    code, row = np.repeat(np.arange(len(names)), rows), np.tile(np.arange(rows), len(names))
    return Graded(table, code, names, table.ratings.T.reshape(-1), row)


def _first(table: Judgments) -> tuple[Floats, Ints]:
    """Return the grades of a table with one column of them, and their rows."""
    return table.ratings[:, 0], np.arange(table.source.frame.rows)


class Mixed(NamedTuple):
    """Grades on two scales: the highest grade of each, those on the higher scale, and the top of the other."""

    graded: Graded
    tops: Floats
    above: Ints
    usual: float

    @property
    def highest(self) -> float:
        """The highest grade of all."""
        return float(np.nanmax(self.tops))


def _mixed(graded: Graded, many: int, *, least: bool) -> Mixed | None:
    """Compare the highest grades: with the lowest of them for raters, who are few, else with the usual one."""
    tops = np.array([_top(graded, i, many) for i in range(len(graded.names))])
    if not (tops > 0).any():
        return None
    usual = float((np.nanmin if least else np.nanmedian)(tops[tops > 0]))
    above = np.flatnonzero(tops > APART * usual)
    enough = len(above) >= (1 if least else max(2, SHARE * len(tops)))
    return Mixed(graded, tops, above, usual) if enough and not _in_use(graded, above, usual) else None


def _finding(name: str, mixed: Mixed) -> Finding:
    above, graded = mixed.above, mixed.graded
    return Finding(
        name=name,
        text=f"{graded.table.name}: {len(above)} of {len(mixed.tops)} go up to {mixed.highest:g}, "
        f"others to {mixed.usual:g}",
        count=len(above),
        examples=tuple(_example(graded, i) for i in above[:SHOWN].tolist()),
    )


def _to_usual(mixed: Mixed) -> Mend:
    """Bring the grades of the higher scale to the usual one; they stay whole numbers if all grades are."""
    table, theirs = mixed.graded.table, np.isin(mixed.graded.code, mixed.above)
    old = table.ratings
    new = old * np.where(theirs, mixed.usual / mixed.highest, 1.0)[:, np.newaxis]
    whole = (old[~np.isnan(old)] % 1 == 0).all()
    return regraded(table, old, np.round(new) if whole else new)


def _top(graded: Graded, i: int, many: int) -> float:
    """Return the highest grade of one; NaN if there are too few."""
    own = graded.grade[(graded.code == i) & ~np.isnan(graded.grade)]
    return float(own.max()) if len(own) >= many else np.nan


def _in_use(graded: Graded, above: Ints, usual: float) -> bool:
    """Whether those on the higher scale give the usual grades, too: then it is one scale, such as 0, 1, 10, 100."""
    theirs = np.isin(graded.code, above) & (graded.grade > 0)
    return bool((graded.grade[theirs] <= usual).mean() > SHARE)


def _example(graded: Graded, i: int) -> str:
    places = np.flatnonzero(graded.code == i)
    place = int(places[np.nanargmax(graded.grade[places])])
    where = graded.table.source.place(int(graded.row[place]))
    return f"{where}: {graded.names[i]}, grade {graded.grade[place]:g}"
