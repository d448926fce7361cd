"""Maps of units: what each id is a part of, as a file or a dict says."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from idealrank._core import Column, from_columns
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.roles import fold
from idealrank.decisions import UnitMap
from idealrank.errors import DataError, UsageError, listed, plural


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
    def of(cls, pairs: Iterable[tuple[str, str]], name: str) -> Units:
        """Collect pairs of an id and its unit.

        Raises
        ------
        DataError
            If an id has two units; the message counts such ids and names three.

        Examples
        --------
        >>> Units.of([("c1", "d1"), ("c2", "d1")], "chunks.csv").ids.to_list()
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


@functools.lru_cache(maxsize=4)
def read_units(unit: str | UnitMap) -> Units:
    """Read a map of units: that of a dict, or a file named as ``map(FILE)``.

    A file is a table of two columns, id and unit, or a JSON object: ``{id: unit}`` or ``{unit: [ids]}``.

    Raises
    ------
    DataError
        If it cannot be read, has other columns, or gives an id two units.
    """
    if isinstance(unit, UnitMap):
        return Units.of(unit.units.items(), "the map of units")
    path = unit.removeprefix("map(").removesuffix(")")
    pairs = _json_map(path).units.items() if path.endswith(".json") else _table_pairs(path)
    return Units.of(pairs, os.path.basename(path))


def _json_map(path: str) -> UnitMap:
    try:
        with open(path, encoding="utf-8-sig") as file:
            said = json.load(file)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read as a map of units: {error}.") from None
    if not isinstance(said, dict) or not said:
        raise DataError(f"{path}: no map of units. Give a JSON object: {{id: unit}} or {{unit: [ids]}}.")
    try:
        return UnitMap(said)
    except UsageError as error:
        raise DataError(f"{path}: {str(error).removeprefix('unit: ')}") from None


def _table_pairs(path: str) -> Iterator[tuple[str, str]]:
    table = read_frame(path, "units")
    places = _columns(table)
    columns = [table.ids(place).to_list() for place in places]
    for row, (part, unit) in enumerate(zip(*columns, strict=True)):
        if part in (None, "") or unit in (None, ""):
            name = table.frame.names[places[part not in (None, "")]]
            raise DataError(f"{table.place(row)}: {name} is missing. Give both.")
        yield id_text(part), id_text(unit)


_PARTS = frozenset(("chunk", "chunkid", "node", "nodeid", "passage", "passageid", "part", "partid", "id"))
_UNITS = frozenset(("unit", "doc", "docid", "document", "documentid", "source", "parent", "parentid", "page"))


def _columns(table: Source) -> tuple[int, int]:
    """Return the columns of the ids and of their units: the two there are, or those that are called so."""
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
