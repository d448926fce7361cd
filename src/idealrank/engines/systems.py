"""Systems: each an engine, a template and settings, under a name of its own."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from idealrank.engines.adapters import address_of, engine_at
from idealrank.engines.adapters.function import Function
from idealrank.engines.address import Address
from idealrank.engines.engine import Engine, SearchOptions
from idealrank.engines.queries import OWN, ReplayQueries
from idealrank.errors import DataError, UsageError, listed, nearest, option

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class System:
    """A system.

    Attributes
    ----------
    name
        What it is called, here and in its results.
    engine
        The engine with its template.
    settings
        ``{name: value}`` for its template.
    """

    name: str
    engine: Engine
    settings: Settings = field(default_factory=dict)


def make_systems(engines: Sequence[Any], name: str, wishes: SearchOptions, grid: Sequence[Settings]) -> list[System]:
    """Return the systems: each engine under each of the settings that its template names.

    Raises
    ------
    UsageError
        If two have one name, a setting is named by no template, or an address cannot be used.
    """
    if not engines:
        raise UsageError("No engine to ask. Name one: opensearch+http://HOST:9200/INDEX, sqlite:documents.csv, …")
    made = [_make_engine(engine, name, wishes) for engine in engines]
    found = [
        System(_system_name(base, mine), engine, mine) for base, engine in made for mine in _settings_of(engine, grid)
    ]
    _refuse_unused([engine for _, engine in made], grid)
    _refuse_same([system.name for system in found])
    return found


def _make_engine(engine: Any, name: str, wishes: SearchOptions) -> tuple[str, Engine]:
    if callable(engine):
        return name or _function_name(engine), Function(engine, "", wishes)
    address = engine if isinstance(engine, Address) else address_of(str(engine))
    return name or address.system, engine_at(address, replace(wishes, secrets=address.secrets))


def _function_name(search: Any) -> str:
    """Return what a function is called; replay if it has no name."""
    name = str(getattr(search, "__name__", ""))
    return name if name.isidentifier() else "replay"


def _settings_of(engine: Engine, grid: Sequence[Settings]) -> list[dict[str, Any]]:
    """Return the different settings of an engine, which may name only some of them."""
    mine = [{name: value for name, value in point.items() if name in engine.takes} for point in grid]
    once = {json.dumps(point, default=str): point for point in mine}
    return list(once.values()) or [{}]


def _system_name(base: str, settings: Settings) -> str:
    return " ".join([base, *(f"{name}={value}" for name, value in settings.items())])


def _refuse_unused(engines: Sequence[Engine], grid: Sequence[Settings]) -> None:
    named = frozenset[str]().union(*(engine.takes for engine in engines))
    for name in dict.fromkeys(itertools.chain.from_iterable(grid)):
        if name not in named:
            known = listed(sorted(named - set(OWN)), 10) or "none but query, query_id and k"
            raise UsageError(
                f"{option('settings', name, 'set')}: no template names {{{{{name}}}}}.{nearest(name, named)} "
                f"Values they name: {known}."
            )


def _refuse_same(names: Sequence[str]) -> None:
    double = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if double is not None:
        raise UsageError(
            f"Two systems are called {double!r}. Name them: bm25=opensearch+http://…, or give their templates other "
            "names."
        )


def refuse_unknown(systems: Sequence[System], questions: ReplayQueries) -> None:
    """Refuse a template that names a value there is not, and a setting that hides a column.

    Raises
    ------
    UsageError
        If there is one.
    """
    for system in systems:
        known = {*OWN, *questions.columns, *system.settings}
        strange = next(iter(sorted(system.engine.names - known)), None)
        if strange in questions.varying:
            raise UsageError(
                f"{system.engine.origin or system.name}: {{{{{strange}}}}} has several values for one query in "
                f"{questions.name}. Give a table with one row per query."
            )
        if strange is not None:
            raise UsageError(
                f"{system.engine.origin or system.name}: {{{{{strange}}}}} is neither a column of the queries nor a "
                f"setting.{nearest(strange, known)} Known: {listed(known, 20)}. For a setting: "
                f"{option('settings', strange + '=1,2', 'set')}."
            )
        if not system.engine.names & ({"query", "query_id"} | set(questions.columns)):
            raise UsageError(
                f"{system.engine.origin or system.name}: names no value of the queries, so every query would get the "
                "same list. Write {{query}}."
            )
        both = next((name for name in system.settings if name in questions.columns or name in OWN), None)
        if both is not None:
            raise UsageError(f"{both} is a column of the queries and a setting. Call the setting otherwise.")


def grid(settings: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return every combination of some values; the last name varies fastest.

    Examples
    --------
    >>> grid({"boost": [1, 2], "fuzzy": [0]})
    [{'boost': 1, 'fuzzy': 0}, {'boost': 2, 'fuzzy': 0}]
    """
    return [dict(zip(settings, values, strict=True)) for values in itertools.product(*settings.values())]


def read_settings(file: str) -> list[dict[str, Any]]:
    """Return the settings of a table in CSV or TSV, a row each; cells are read as by `parse_values`.

    Raises
    ------
    DataError
        If it cannot be read, or a row has other columns than the first line.
    """
    try:
        lines = Path(file).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise DataError(
            f"{file}: the settings cannot be read: {why}. Give a CSV file with a column per name."
        ) from None
    names, *rows = csv.reader(lines, delimiter="\t" if lines and "\t" in lines[0] else ",") if lines else [[]]
    odd = next((line for line, row in enumerate(rows, 2) if len(row) != len(names)), None)
    if odd is not None or not names or not rows:
        where = f"{file} line {odd or 1}"
        raise DataError(f"{where}: not a row of settings. Give a line of names, and a value for each on every line.")
    return [dict(zip(names, (_parse_value(cell.strip()) for cell in row), strict=True)) for row in rows]


def parse_values(text: str) -> list[Any]:
    """Return the values of a setting: numbers, true, false and null as such, anything else as text.

    Examples
    --------
    >>> parse_values("1,2.5,AUTO,true")
    [1, 2.5, 'AUTO', True]
    """
    return [_parse_value(part.strip()) for part in text.split(",")]


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except ValueError:
        return text


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
