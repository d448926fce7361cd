"""The units of a table's documents: a column, a rule on ids or a map says what each is a part of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Kept, Mask
from idealrank.data.ids import Keyed, id_text, there
from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.data.results import Results
from idealrank.data.roles import fold
from idealrank.data.unit_maps import Units, read_units
from idealrank.decisions import UnitMap
from idealrank.errors import DataError, NoColumnError, listed, nearest, option, plural

AS_RETURNED = "as_returned"
"""The unit of those who judge each result by its own id."""


Table = TypeVar("Table", Judgments, Results)


@dataclass(frozen=True, eq=False)
class InUnits(Generic[Table]):
    """The units of a table's rows.

    Attributes
    ----------
    table
        The table, whose documents are the parts.
    units
        (N,) the unit of each row.
    unnamed
        Whether the parts have no ids but their unit's.
    whole
        Whether every document is its own unit.
    """

    table: Table
    units: Column
    unnamed: bool = False
    whole: bool = False


def judgments_of_units(source: Any, unit: str | UnitMap) -> Judgments:
    """Read judgments, whose documents may be in the column of the unit.

    Raises
    ------
    DataError
        If they cannot be read.
    """
    try:
        return read_judgments(source)
    except NoColumnError as error:
        if not isinstance(unit, str) or "(" in unit or unit == AS_RETURNED:
            raise
        try:
            return read_judgments(source, doc=unit)
        except DataError:
            raise error from None


def units_of_results(results: Results, unit: str | UnitMap) -> InUnits[Results]:
    """Return the units of results; found once for each answer.

    Raises
    ------
    DataError
        If a result has no unit.
    NoColumnError
        If there is no such column.
    """
    return results.kept.once(("units", unit), lambda: _found(results, unit, needed=True))


def units_of_judgments(judgments: Judgments, unit: str | UnitMap) -> InUnits[Judgments]:
    """Return the units of judged documents; without the column, the documents are the units.

    Raises
    ------
    DataError
        If a judged document has an empty cell for its unit.
    """
    if judgments.units_by == unit:
        return InUnits(judgments, judgments.source.ids(judgments.doc), whole=True)
    return judgments.kept.once(("units", unit), lambda: _found(judgments, unit, needed=False))


def _found(table: Table, unit: str | UnitMap, needed: bool) -> InUnits[Table]:
    ids = table.source.ids(table.doc)
    rule, _, rest = unit.partition("(") if isinstance(unit, str) else ("map", "", "")
    if rule == "map":
        return InUnits(table, _mapped(table, ids, read_units(unit), needed))
    if rule in ("before", "match") and rest:
        units, found = _cut(ids, rule, rest[:-1])
        return InUnits(table, units, whole=not found)
    return _in_column(table, str(unit), needed)


def _cut(ids: Column, rule: str, said: str) -> tuple[Column, int]:
    if rule == "before":
        return ids.before(said)
    pattern = re.compile(said)
    names = [id_text(name) for name in ids.codes()[1].to_list()]
    matched = [(name, found[1]) for name in names if (found := pattern.fullmatch(name)) and found[1]]
    if not matched:
        return ids, 0
    frame = from_columns(["id", "unit"], [list(column) for column in zip(*matched, strict=True)])
    return ids.looked_up(frame.column(0), frame.column(1), True)


def _mapped(table: Keyed, ids: Column, units: Units, needed: bool) -> Column:
    column, _ = ids.looked_up(units.ids, units.units, not needed)
    if needed:
        way = "Add them to the map, whose first line names its columns and is not read as an id"
        _refuse_missing(table, column, ids, f"in {units.name}", way)
    return column


def _in_column(table: Table, name: str, needed: bool) -> InUnits[Table]:
    ids, places = table.source.ids(table.doc), _places(table.source.frame.names, name)
    if not places and Path(name).is_file():
        return InUnits(table, _mapped(table, ids, read_units(f"map({name})"), needed))
    if not places and needed:
        raise _no_column(table, name)
    if not places:
        return InUnits(table, ids, whole=True)
    place = places[0]
    _refuse_role(table, place)
    if place == table.doc:
        return _beside(table, ids)
    units = table.source.ids(place)
    if table.source.tables and units.to_list() == ids.to_list():
        return InUnits(table, units, unnamed=True)
    _refuse_missing(table, units, ids, f"in the column {table.source.frame.names[place]}", "Give every one a unit")
    return InUnits(table, units)


def _places(names: Sequence[str], name: str) -> list[int]:
    """Return the columns of a name: spelled so, else but for case and separators, else within an object of a row.

    Examples
    --------
    >>> _places(["id", "Doc ID", "metadata.source"], "doc_id"), _places(["id", "metadata/source"], "source")
    ([1], [1])
    """
    alike = (
        lambda other: other == name,
        lambda other: fold(other) == fold(name),
        lambda other: fold(other.replace("/", ".")) == fold(name) and "/" in other,
        lambda other: fold(other.rpartition("/")[2]) == fold(name),
    )
    found = ([place for place, other in enumerate(names) if same(other)] for same in alike)
    return next(filter(None, found), [])


def _refuse_role(table: Keyed, place: int) -> None:
    """Refuse a column that says something else of a row, such as its query or score."""
    name = table.source.frame.names[place]
    for role in ("query", "text", "score", "rank", "system"):
        if place in (table.roles.find(role), table.roles.key if role == "query" else None):
            raise NoColumnError(
                f"{table.name}: the column {name!r} is the {role}, and cannot be the unit. {table.roles.columns}. "
                f"Name the column of documents or sources: {option('unit', 'source')}."
            )


def _beside(table: Table, units: Column) -> InUnits[Table]:
    """Return the units of a table whose document column they are; another column may name the parts."""
    other = table.roles.find("doc", but=table.doc)
    if other is None or other == table.doc:
        return InUnits(table, units, unnamed=True)
    parts = table.source.ids(other)
    _refuse_missing(table, units, parts, "in the column of documents", "Give every one a unit")
    if parts.missing:
        return InUnits(table, units, unnamed=True)
    return InUnits(replace(table, doc=other, kept=Kept()), units)


def _no_column(table: Keyed, name: str) -> NoColumnError:
    ways = "a rule such as before(#), match(PATTERN) or map(FILE)"
    found = "the table has no named columns" if table.form else table.roles.columns
    return NoColumnError(
        f"{table.name}: no column called {name!r} for the unit.{nearest(name, table.source.frame.names)} {found}. "
        f"Name a column, or use {ways}: {option('unit', 'before(#)')}."
    )


def matches_nothing(results: Results, unit: str) -> DataError:
    """Build the error for a rule on ids that matches none of the results."""
    ids = listed(_examples(results.source.ids(results.doc), slice(None)))
    return DataError(
        f"{results.name}: unit={unit} matches none of its ids, such as {ids}. "
        "Give the text between a document and its part, or a pattern with the document in brackets."
    )


def _refuse_missing(table: Keyed, units: Column, ids: Column, where: str, way: str) -> None:
    """Refuse documents without a unit, counted and with three examples."""
    rows = np.arange(len(units))
    if not units.missing:
        return
    lost: Mask = ~there(units, rows) & there(ids, rows)
    if lost.any():
        first = table.source.place(int(np.argmax(lost)))
        many = f"{plural(int(lost.sum()), 'row')} {'has' if lost.sum() == 1 else 'have'} no unit {where}"
        raise DataError(f"{first}: {many}: {listed(_examples(ids, lost))}. {way}; or leave them out.")


def _examples(ids: Column, rows: Mask | slice) -> list[str]:
    """Return the ids of some rows, each once."""
    places = np.arange(len(ids))[rows]
    return list(dict.fromkeys(id_text(name) for name in ids.to_list(places[:1000]) if name not in (None, "")))
