"""The units of a table's documents: a column, a rule on ids or a map says what each is a part of.

What each row's unit is, by the decision `unit`; `judged_lists/units.py` rolls the parts up to it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar, cast

import numpy as np

from idealrank._core import Column, from_columns
from idealrank.arrays import Cache, Mask
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import Keyed, id_text, present_ids
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.roles import fold
from idealrank.decisions.question import UnitMap
from idealrank.errors import DataError, NoColumnError, UsageError, listed, nearest, option, plural

Table = TypeVar("Table", Judgments, Results)


@dataclass(frozen=True, eq=False)
class TableUnits(Generic[Table]):
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


def units_of_results(results: Results, unit: str | UnitMap) -> TableUnits[Results]:
    """Return the units of results; found once for each answer.

    Raises
    ------
    DataError
        If a result has no unit.
    NoColumnError
        If there is no such column.
    """
    return results.kept.once(("units", unit), lambda: _find_units(results, unit, needed=True))


def units_of_judgments(judgments: Judgments, unit: str | UnitMap) -> TableUnits[Judgments]:
    """Return the units of judged documents; without the column, the documents are the units.

    Raises
    ------
    DataError
        If a judged document has an empty cell for its unit.
    """
    if judgments.units_by == unit:
        return TableUnits(judgments, judgments.source.ids(judgments.doc), whole=True)
    return judgments.kept.once(("units", unit), lambda: _find_units(judgments, unit, needed=False))


def units_of(table: Table, unit: str | UnitMap) -> TableUnits[Table]:
    """Return the units of judgments or results: see `units_of_judgments` and `units_of_results`."""
    found: Any = units_of_results(table, unit) if isinstance(table, Results) else units_of_judgments(table, unit)
    return cast("TableUnits[Table]", found)


def is_map(unit: str | UnitMap) -> bool:
    """Whether a dict, or a file named as ``map(FILE)``, says the units."""
    return isinstance(unit, UnitMap) or unit.startswith("map(")


def _find_units(table: Table, unit: str | UnitMap, needed: bool) -> TableUnits[Table]:
    ids = table.source.ids(table.doc)
    if is_map(unit):
        return TableUnits(table, _apply_map(table, ids, read_units(unit), needed))
    rule, _, rest = str(unit).partition("(")
    if rule in ("before", "match") and rest:
        units, found = _apply_rule(ids, rule, rest[:-1])
        return TableUnits(table, units, whole=not found)
    return _units_in_column(table, str(unit), needed)


def _apply_rule(ids: Column, rule: str, argument: str) -> tuple[Column, int]:
    if rule == "before":
        return ids.before(argument)
    pattern = re.compile(argument)
    names = [id_text(name) for name in ids.codes()[1].to_list()]
    matched = [(name, found[1]) for name in names if (found := pattern.fullmatch(name)) and found[1]]
    if not matched:
        return ids, 0
    frame = from_columns(["id", "unit"], [list(column) for column in zip(*matched, strict=True)])
    return ids.looked_up(frame.column(0), frame.column(1), True)


def _apply_map(table: Keyed, ids: Column, units: Units, needed: bool) -> Column:
    column, _ = ids.looked_up(units.ids, units.units, not needed)
    if needed:
        way = "Add them to the map, whose first line names its columns and is not read as an id"
        _refuse_missing(table, column, ids, f"in {units.name}", way)
    return column


def _units_in_column(table: Table, name: str, needed: bool) -> TableUnits[Table]:
    ids, places = table.source.ids(table.doc), _matching_columns(table.source.frame.names, name)
    if not places and os.path.isfile(name):
        return TableUnits(table, _apply_map(table, ids, read_units(f"map({name})"), needed))
    if not places and needed:
        raise _no_unit_column(table, name)
    if not places:
        return TableUnits(table, ids, whole=True)
    place = places[0]
    _refuse_role(table, place)
    if place == table.doc:
        return _units_as_documents(table, ids)
    units = table.source.ids(place)
    if table.source.tables and units.to_list() == ids.to_list():
        return TableUnits(table, units, unnamed=True)
    _refuse_missing(table, units, ids, f"in the column {table.source.frame.names[place]}", "Give every one a unit")
    return TableUnits(table, units)


def _matching_columns(names: Sequence[str], name: str) -> list[int]:
    """Return the columns with a name: exactly, else ignoring case and separators, else within an object of a row.

    Examples
    --------
    >>> _matching_columns(["id", "Doc ID", "metadata.source"], "doc_id")
    [1]
    >>> _matching_columns(["id", "metadata/source"], "source")
    [1]
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
    """Refuse a column that has another role, such as the query or the score."""
    name = table.source.frame.names[place]
    for role in ("query", "text", "score", "rank", "system"):
        if place in (table.roles.find(role), table.roles.key if role == "query" else None):
            raise NoColumnError(
                f"{table.name}: the column {name!r} is the {role}, and cannot be the unit. {table.roles.columns}. "
                f"Name the column of documents or sources: {option('unit', 'source')}."
            )


def _units_as_documents(table: Table, units: Column) -> TableUnits[Table]:
    """Return the units of a table whose document column they are; another column may name the parts."""
    other = table.roles.find("doc", but=table.doc)
    if other is None or other == table.doc:
        return TableUnits(table, units, unnamed=True)
    parts = table.source.ids(other)
    _refuse_missing(table, units, parts, "in the column of documents", "Give every one a unit")
    if parts.missing:
        return TableUnits(table, units, unnamed=True)
    return TableUnits(replace(table, doc=other, kept=Cache()), units)


def _no_unit_column(table: Keyed, name: str) -> NoColumnError:
    ways = "a rule such as before(#), match(PATTERN) or map(FILE)"
    found = "the table has no named columns" if table.form else table.roles.columns
    return NoColumnError(
        f"{table.name}: no column called {name!r} for the unit.{nearest(name, table.source.frame.names)} {found}. "
        f"Name a column, or use {ways}: {option('unit', 'before(#)')}."
    )


def no_match(results: Results, unit: str) -> DataError:
    """Build the error for a rule on ids that matches none of the results."""
    ids = listed(_example_ids(results.source.ids(results.doc), slice(None)))
    return DataError(
        f"{results.name}: unit={unit} matches none of its ids, such as {ids}. "
        "Give the text between a document and its part, or a pattern with the document in brackets."
    )


def _refuse_missing(table: Keyed, units: Column, ids: Column, where: str, way: str) -> None:
    """Refuse documents without a unit, counted and with three examples."""
    rows = np.arange(len(units))
    if not units.missing:
        return
    lost: Mask = ~present_ids(units, rows) & present_ids(ids, rows)
    if lost.any():
        first = table.source.place(int(np.argmax(lost)))
        many = f"{plural(int(lost.sum()), 'row')} {'has' if lost.sum() == 1 else 'have'} no unit {where}"
        raise DataError(f"{first}: {many}: {listed(_example_ids(ids, lost))}. {way}; or leave them out.")


def _example_ids(ids: Column, rows: Mask | slice) -> list[str]:
    places = np.arange(len(ids))[rows]
    return list(dict.fromkeys(id_text(name) for name in ids.to_list(places[:1000]) if name not in (None, "")))


# Maps of units: what each id is a part of, as a file or a dict says.


class Units(NamedTuple):
    """The units of ids: two columns of equal length, without ids twice; a unit is its own unit.

    Attributes
    ----------
    name
        Where they come from, in messages.
    ids, units
        Each id, and its unit.
    """

    name: str
    ids: Column
    units: Column

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, str]], name: str) -> Units:
        """Collect pairs of an id and its unit.

        Raises
        ------
        DataError
            If an id has two units; the message counts such ids and names three.

        Examples
        --------
        >>> Units.from_pairs([("c1", "d1"), ("c2", "d1")], "chunks.csv").ids.to_list()
        ['c1', 'c2', 'd1']
        """
        units: dict[str, str] = {}
        torn: dict[str, str] = {}
        for part, unit in pairs:
            if units.setdefault(part, unit) != unit:
                torn.setdefault(part, f"{part} ({units[part]} and {unit})")
        if torn:
            many = f"{plural(len(torn), 'id')} {'has' if len(torn) == 1 else 'have'} two units"
            raise DataError(f"{name}: {many}: {listed(torn.values())}. Give every id one.")
        for unit in list(units.values()):
            units.setdefault(unit, unit)
        frame = from_columns(["id", "unit"], [list(units), list(units.values())])
        return cls(name, frame.column(0), frame.column(1))


@functools.lru_cache(maxsize=4)  # every table of a comparison asks for the same map
def read_units(unit: str | UnitMap) -> Units:
    """Read a map of units: that of a dict, or a file named as ``map(FILE)``.

    A file is a table of two columns, id and unit, or a JSON object: ``{id: unit}`` or ``{unit: [ids]}``.

    Raises
    ------
    DataError
        If it cannot be read, has other columns, or gives an id two units.
    """
    if isinstance(unit, UnitMap):
        return Units.from_pairs(unit.units.items(), "the map of units")
    path = unit.removeprefix("map(").removesuffix(")")
    pairs = _read_json_map(path).units.items() if path.endswith(".json") else _read_table_pairs(path)
    return Units.from_pairs(pairs, os.path.basename(path))


def _read_json_map(path: str) -> UnitMap:
    import json

    from idealrank.data.formats.json_text import read_whole

    try:
        with open(path, encoding="utf-8-sig") as file:
            content = json.load(file, parse_int=read_whole)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as a map of units: {error}.") from None
    if not isinstance(content, dict) or not content:
        raise DataError(f"{path}: no map of units. Give a JSON object: {{id: unit}} or {{unit: [ids]}}.")
    try:
        return UnitMap(content)
    except UsageError as error:
        raise DataError(f"{path}: {str(error).removeprefix('unit: ')}") from None


def _read_table_pairs(path: str) -> Iterator[tuple[str, str]]:
    table = read_frame(path, "units")
    places = _map_columns(table)
    columns = [table.ids(place).to_list() for place in places]
    for row, (part, unit) in enumerate(zip(*columns, strict=True)):
        if part in (None, "") or unit in (None, ""):
            name = table.frame.names[places[part not in (None, "")]]
            raise DataError(f"{table.place(row)}: {name} is missing. Give both.")
        yield id_text(part), id_text(unit)


_PARTS = frozenset(("chunk", "chunkid", "node", "nodeid", "passage", "passageid", "part", "partid", "id"))
_UNITS = frozenset(("unit", "doc", "docid", "document", "documentid", "source", "parent", "parentid", "page"))


def _map_columns(table: Source) -> tuple[int, int]:
    """Return the columns of the ids and of their units: the only two, or those with such names."""
    names = table.frame.names
    if len(names) == 2:
        return (0, 1)
    parts, units = ([place for place, name in enumerate(names) if fold(name) in known] for known in (_PARTS, _UNITS))
    if len(parts) == len(units) == 1:
        return parts[0], units[0]
    raise DataError(
        f"{table.name}: {plural(len(names), 'column')} ({listed(names, 5)}). A map of units has two columns: the id of "
        "a result, and its unit; or, among others, one called chunk_id and one called doc_id."
    )
