"""Findings on grades: scales that mix or say something else than is read, and grades that stand out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.decisions.question import answer_text
from idealrank.doctor.finding import SHOWN, Finding, Mend, mend_findings
from idealrank.doctor.inputs import Inputs, queries_of
from idealrank.errors import plural

FAR = 10
"""A lone highest grade so many times the next one is a slip."""

RARE = 0.01
"""Share of the grades that a slip has, at most."""

SCALE = 4
"""Grades of a scale that is surprising without a 0, at least: fewer may be the relevant documents alone."""

STEEP = 10
"""A grade from which on 2^grade - 1 leaves all lower grades without weight."""


def fractions(inputs: Inputs) -> Iterator[Finding]:
    """Grades lie between 0 and 1, no grade is above 1, and 1 is the first relevant grade (relevant_from=1)."""
    table, level = inputs.judgments, inputs.decisions.relevant_from
    values = table.ratings
    rows = np.flatnonzero(((values > 0) & (values < 1)).any(axis=1))
    if len(rows) and np.nanmax(values) <= 1 and level == 1:
        text = f"{plural(len(rows), 'grade')} of {table.name} above 0 and below 1, which count as not relevant"
        lines = tuple(f"{table.source.place(row)}: grade {values[row].max():g}" for row in rows[:SHOWN].tolist())
        answers = {"relevant_from": "positive"}
        yield Finding(name="grades from 0 to 1", text=text, count=len(rows), examples=lines, answers=answers)


def lowest(inputs: Inputs) -> Iterator[Finding]:
    """The lowest of four or more grades is above 0, so that what was judged worst counts as relevant."""
    table = inputs.judgments
    values = table.ratings
    grades = np.unique(values[~np.isnan(values)])
    if len(grades) >= SCALE and grades[0] >= 1:
        low = float(grades[0])
        text = f"of {table.name} on a scale from {low:g} to {grades[-1]:g}; a mended copy has them from 0"
        yield from mend_findings("lowest grade above 0", "grade", text, [regrade(table, values, values - low)])


def outliers(inputs: Inputs) -> Iterator[Finding]:
    """A grade is ten times the next lower one or more, and hardly any document has it: one 100 among 0 to 3."""
    table = inputs.judgments
    values = table.ratings
    grades, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(grades) < 3 or grades[-2] <= 0 or grades[-1] < FAR * grades[-2] or _are_powers_of_ten(grades):
        return
    if counts[-1] <= max(1, RARE * counts.sum()):
        text = f"of {table.name} far above all others; a mended copy has {grades[-2]:g}, the highest of the others"
        capped = np.minimum(values, grades[-2])
        yield from mend_findings("a grade far above the others", "grade", text, [regrade(table, values, capped)])


def _are_powers_of_ten(grades: Floats) -> bool:
    """Whether grades are 1, 10, 100 …, which some tools write on purpose."""
    above = grades[grades > 0]
    return bool((np.log10(above) % 1 == 0).all())


def steep(inputs: Inputs) -> Iterator[Finding]:
    """The gain is 2^grade - 1 (gain=exp2) and grades go far up, so that the highest grade alone counts."""
    values, table = inputs.judgments.ratings, inputs.judgments
    high = float(np.nanmax(values))
    exponential = inputs.scores is not None and any(
        "gain" in measure.definition.reads and measure.decisions.text("gain") == "exp2"
        for measure in inputs.scores.measures
    )
    if exponential and high >= STEEP:
        rows = np.flatnonzero((values == high).any(axis=1))
        lines = tuple(f"{table.source.place(row)}: grade {high:g}" for row in rows[:SHOWN].tolist())
        text = f"the highest grade of {table.name} is {high:g}, and its gain 2^{high:g} - 1: lower grades hardly count"
        yield Finding(
            name="grades too high for their gain",
            text=text,
            count=len(rows),
            examples=lines,
            answers={"gain": "linear"},
        )


def regrade(table: Judgments, old: Floats, new: Floats) -> Mend:
    """Write new ratings where they differ; labels, whose worth was given, stay."""
    cells = {
        place: {row: answer_text(float(new[row, i])) for row in np.flatnonzero(old[:, i] > new[:, i]).tolist()}
        for i, place in enumerate(table.grades if table.scale is None else ())
    }
    return Mend(table, cells)


# Mixed scales.


FAR_ABOVE = 5
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
        graded = _rater_columns(table, [table.roles.names[place] for place in table.grades])
    elif column is not None:
        code, distinct = column.codes()
        graded = ScaleUse(table, code, [id_text(name) for name in distinct.to_list()], *_first_column(table))
    else:
        return
    if mixed := _find_mixed(graded, FEWEST, least=True):
        way = "Bring the grades of all raters to one scale before they are combined."
        yield replace(_mixed_finding("scales mixed by rater", mixed), way=way)


def _rater_columns(table: Judgments, names: list[str]) -> ScaleUse:
    """Return the grades of raters that each have a column."""
    rows = table.source.frame.rows
    code, row = np.repeat(np.arange(len(names)), rows), np.tile(np.arange(rows), len(names))
    return ScaleUse(table, code, names, table.ratings.T.reshape(-1), row)


def queries(inputs: Inputs) -> Iterator[Finding]:
    """Queries are graded on different scales: the highest grade of some is more than five times the usual one."""
    table = inputs.judgments
    ids = queries_of(table)
    if len(table.grades) > 1:
        return
    if mixed := _find_mixed(ScaleUse(table, ids.code, ids.names, *_first_column(table)), 1, least=False):
        finding, mend = _mixed_finding("scales mixed by query", mixed), _scale_down(mixed)
        if mend.many:
            text = f"{finding.text}; a mended copy multiplies theirs by {mixed.usual:g}/{mixed.highest:g}"
            yield replace(finding, text=text, mends=(mend,))
        else:
            yield replace(finding, way="Give the labels of all queries grades of one scale.")


def _scale_down(mixed: MixedScales) -> Mend:
    """Bring the grades of the higher scale to the usual one; they stay whole numbers if all grades are."""
    table, theirs = mixed.graded.table, np.isin(mixed.graded.code, mixed.above)
    old = table.ratings
    new = old * np.where(theirs, mixed.usual / mixed.highest, 1.0)[:, np.newaxis]
    whole = (old[~np.isnan(old)] % 1 == 0).all()
    return regrade(table, old, np.round(new) if whole else new)


class ScaleUse(NamedTuple):
    """Grades with who or what each is of: a number per grade, the names, the grades, their rows."""

    table: Judgments
    code: Ints
    names: list[str]
    grade: Floats
    row: Ints


def _first_column(table: Judgments) -> tuple[Floats, Ints]:
    """Return the grades of a table with one column of them, and their rows."""
    return table.ratings[:, 0], np.arange(table.source.frame.rows)


class MixedScales(NamedTuple):
    """Grades on two scales: the highest grade of each, those on the higher scale, and the top of the other."""

    graded: ScaleUse
    tops: Floats
    above: Ints
    usual: float

    @property
    def highest(self) -> float:
        """The highest grade of all."""
        return float(np.nanmax(self.tops))


def _find_mixed(graded: ScaleUse, many: int, *, least: bool) -> MixedScales | None:
    """Compare the highest grades: with the lowest of them for raters, who are few, else with the usual one."""
    tops = np.array([_highest_grade(graded, i, many) for i in range(len(graded.names))])
    if not (tops > 0).any():
        return None
    usual = float((np.nanmin if least else np.nanmedian)(tops[tops > 0]))
    above = np.flatnonzero(tops > FAR_ABOVE * usual)
    enough = len(above) >= (1 if least else max(2, SHARE * len(tops)))
    return MixedScales(graded, tops, above, usual) if enough and not _uses_usual_grades(graded, above, usual) else None


def _mixed_finding(name: str, mixed: MixedScales) -> Finding:
    above, graded = mixed.above, mixed.graded
    return Finding(
        name=name,
        text=f"{graded.table.name}: {len(above)} of {len(mixed.tops)} go up to {mixed.highest:g}, "
        f"others to {mixed.usual:g}",
        count=len(above),
        examples=tuple(_describe_example(graded, i) for i in above[:SHOWN].tolist()),
    )


def _highest_grade(graded: ScaleUse, i: int, many: int) -> float:
    """Return the highest grade of one; NaN if there are too few."""
    own = graded.grade[(graded.code == i) & ~np.isnan(graded.grade)]
    return float(own.max()) if len(own) >= many else np.nan


def _uses_usual_grades(graded: ScaleUse, above: Ints, usual: float) -> bool:
    """Whether those on the higher scale give the usual grades, too: then it is one scale, such as 0, 1, 10, 100."""
    theirs = np.isin(graded.code, above) & (graded.grade > 0)
    return bool((graded.grade[theirs] <= usual).mean() > SHARE)


def _describe_example(graded: ScaleUse, i: int) -> str:
    places = np.flatnonzero(graded.code == i)
    place = int(places[np.nanargmax(graded.grade[places])])
    where = graded.table.source.place(int(graded.row[place]))
    return f"{where}: {graded.names[i]}, grade {graded.grade[place]:g}"
