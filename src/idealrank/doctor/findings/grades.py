"""Scales of grades that say something else than is read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from idealrank.arrays import Floats
from idealrank.data.judgments import Judgments
from idealrank.decisions import answer_text
from idealrank.doctor.finding import SHOWN, Finding, of_mends
from idealrank.doctor.inputs import Inputs
from idealrank.doctor.mend import Mend
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
        yield from of_mends("lowest grade above 0", "grade", text, [regraded(table, values, values - low)])


def outliers(inputs: Inputs) -> Iterator[Finding]:
    """A grade is ten times the next lower one or more, and hardly any document has it: one 100 among 0 to 3."""
    table = inputs.judgments
    values = table.ratings
    grades, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if len(grades) < 3 or grades[-2] <= 0 or grades[-1] < FAR * grades[-2] or _by_tens(grades):
        return
    if counts[-1] <= max(1, RARE * counts.sum()):
        text = f"of {table.name} far above all others; a mended copy has {grades[-2]:g}, the highest of the others"
        capped = np.minimum(values, grades[-2])
        yield from of_mends("a grade far above the others", "grade", text, [regraded(table, values, capped)])


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


def _by_tens(grades: Floats) -> bool:
    """Whether grades are 1, 10, 100 …, which some tools write on purpose."""
    above = grades[grades > 0]
    return bool((np.log10(above) % 1 == 0).all())


def regraded(table: Judgments, old: Floats, new: Floats) -> Mend:
    """Write new ratings where they differ; labels, whose worth was given, stay."""
    cells = {
        place: {row: answer_text(float(new[row, i])) for row in np.flatnonzero(old[:, i] > new[:, i]).tolist()}
        for i, place in enumerate(table.grades if table.scale is None else ())
    }
    return Mend(table, cells)
