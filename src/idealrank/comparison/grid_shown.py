"""The grid as a compact table: of two settings a matrix of means, of others a line per point."""

from collections.abc import Sequence

from idealrank.comparison.findings import Findings
from idealrank.comparison.grid import BEST, MAY_BE, settings_in
from idealrank.comparison.pairing import Pairing
from idealrank.display.blocks import Grid
from idealrank.display.grid import Column
from idealrank.display.numbers import decimal, number_text, p_text
from idealrank.display.table import Table
from idealrank.errors import plural

MARKS = {BEST: " *", MAY_BE: " ~"}
"""What is written after a mean, by the standing of its point."""

SHOWN = 20
"""Points that are shown before it is said how many more there are."""


def grid_shown(findings: Findings, grid: Table) -> Grid:
    """Return the means of the deciding measure on a grid, with the best and those that cannot be told from it marked.

    With three settings and more, the best comes first.
    """
    pairing = findings.pairing if findings.tuning is None else findings.tuning.pairing
    label = pairing.scores.labels[0]
    names = settings_in(grid)
    columns = _matrix(grid, label, names) if len(names) == 2 else _rows(grid, label, names, pairing)
    more = len(grid) - SHOWN if len(names) != 2 and len(grid) > SHOWN else 0
    where = "" if findings.tuning is None else f" on the {plural(len(findings.tuning.queries), 'tuning query')}"
    note = "* best mean; ~ cannot be told from the best (Tukey's randomised test of all pairs)"
    return Grid(columns, f"{label} by setting{where}", more, note)


def _matrix(grid: Table, label: str, names: Sequence[str]) -> list[Column]:
    """Return a row per value of the first setting, a column per value of the second."""
    down, across = (list(dict.fromkeys(grid[name])) for name in names)
    cells = {(row[names[0]], row[names[1]]): _mean(row[label], row["standing"]) for row in grid}
    across = sorted(across) if grid.numeric(names[1]) else across
    columns = [
        Column(f"{names[1]}={value}", [cells.get((first, value), "") for first in down], numeric=True)
        for value in across
    ]
    return [Column(names[0], list(map(str, down)), numeric=grid.numeric(names[0])), *columns]


def _mean(value: float, standing: str) -> str:
    return f"{decimal(value)}{MARKS.get(standing, '  ')}"


def _rows(grid: Table, label: str, names: Sequence[str], pairing: Pairing) -> list[Column]:
    """Return a row per point: its settings, its mean, and its difference from the baseline."""
    rows = list(grid)
    if len(names) > 2:
        sign = 1 if pairing.scores.measures[0].definition.properties.direction == "lower" else -1
        rows.sort(key=lambda row: sign * row[label])
    rows = rows[:SHOWN]
    columns = [Column(name, [str(row[name]) for row in rows], numeric=grid.numeric(name)) for name in names]
    columns.append(Column(label, [_mean(row[label], row["standing"]) for row in rows], numeric=True))
    if "difference" in grid.columns:
        differences = [number_text(row["difference"], "+.4f") for row in rows]
        columns.append(Column("difference", differences, numeric=True))
        columns.append(Column("corrected p", [p_text(row["corrected p"]) for row in rows], numeric=True))
    return columns
