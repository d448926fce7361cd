"""The queries table: text, segment, frequency, by query id."""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.arrays import Floats, Mask
from idealrank.data.formats.objects import is_row
from idealrank.data.formats.origin import Origin
from idealrank.data.formats.paths import near_file
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text, plain_ids
from idealrank.data.queries_together import by_columns_together
from idealrank.data.roles import ChosenColumns, Roles, fold, has_all
from idealrank.errors import DataError, NoColumnError, UsageError, either, nearest, plural, some


@dataclass(frozen=True)
class QueryTable:
    """A table of queries: its name, its columns except the id, and the file it was read from, if any."""

    name: str
    columns: tuple[str, ...]
    origin: Origin | None


@dataclass(frozen=True, eq=False)
class Queries:
    """Attributes of queries.

    Attributes
    ----------
    attributes
        ``{column: {query id: value}}``.
    weight
        ``{query id: weight}``, or None.
    text
        Name of the column with the query's text, or "".
    """

    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    weight: Mapping[str, float] | None = None
    text: str = ""
    name: str = ""
    place: Callable[[str], str] | None = None
    """Returns the location of a query's row, for messages."""
    tables: tuple[QueryTable, ...] = ()
    """The tables the attributes and the weights were read from."""

    def weights(self, ids: Sequence[str], keep: Mask | None = None) -> Floats:
        """(Q,) weight of each query; 0 for queries that are not kept, which need none.

        Raises
        ------
        DataError
            If a query has no weight, or a negative one.
        """
        if self.weight is None:
            way = either(
                "weights=…: a column of queries, a dict {query: weight}, or a table",
                "--weights: a file, or a column of --queries-table",
            )
            raise UsageError(f"The mean should be weighted, but there are no weights. Give {way}.")
        kept = list(ids) if keep is None else [key for key, wanted in zip(ids, keep, strict=True) if wanted]
        missing = [key for key in kept if key not in self.weight]
        if missing:
            have = "has" if len(missing) == 1 else "have"
            raise DataError(
                f"{self.name}: {len(missing)} of {plural(len(kept), 'query')} {have} no weight: {some(missing)}. "
                "Give each a weight."
            )
        weights = np.zeros(len(ids)) if keep is None else keep.astype(np.float64)
        weights[slice(None) if keep is None else keep] = [self.weight[key] for key in kept]
        if not (np.isfinite(weights) & (weights >= 0)).all():
            bad = ids[int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])]
            raise DataError(
                f"{self.name}: the weight of query {bad!r} is {self.weight[bad]}. Weights must be 0 or more."
            )
        return weights

    def frequencies(self, ids: Sequence[str], keep: Mask) -> Floats:
        """(Q,) how often each query is asked: the weights, else the table's own column, NaN if that is empty.

        Raises
        ------
        UsageError
            If there is neither.
        """
        if self.weight is not None:
            return self.weights(ids, keep)
        names = list(self.attributes)
        column = Roles(self.name, names, {}).find("weight") if names else None
        if column is None:
            way = either(
                "queries=…, a table with a column frequency, or weights=…, which also weight the means",
                "--queries-table FILE with a column frequency, or --weights, which also weight the means",
            )
            raise UsageError(
                f"To compute lost value, idealrank needs to know how often each query is asked. Give {way}."
            )
        typed = {key: value for key, value in self.attributes[names[column]].items() if value not in (None, "")}
        table = _weighted(self, typed, self.name, names[column], self.place)
        there = np.array([key in typed for key in ids], np.bool_) & keep
        return np.where(there, table.weights(ids, there), np.nan)

    def named(self, attribute: str) -> str:
        """Return the name of the matching column, ignoring case and separators; "" if there is none."""
        folded = {fold(name): name for name in self.attributes}
        return attribute if attribute in self.attributes else folded.get(fold(attribute), "")

    def values(self, attribute: str, ids: Sequence[str]) -> list[Any]:
        """Return one attribute of each query, None if the table has none.

        Raises
        ------
        UsageError
            If there is no such attribute.
        """
        name = self.named(attribute)
        if not name:
            columns = ", ".join(self.attributes) or f"none: pass {either('queries=…', '--queries-table FILE')}"
            raise UsageError(
                f"No query attribute called {attribute!r}.{nearest(attribute, self.attributes)} Known: {columns}."
            )
        return [self.attributes[name].get(key) for key in ids]


def read_queries(
    source: Any, weights: Any = None, *, query: str | Sequence[str] | None = None, text: str | None = None
) -> Queries:
    """Read a queries table and the weights, which may be one of its columns or a separate table.

    Parameters
    ----------
    source
        Anything `read_judgments` takes, with one row per query, or None. A `Queries` value is returned as it is.
    weights
        A column of that table, ``{query: weight}``, a separate table, or None.
    query, text
        Names of the id and text columns, in the tables that have them; several that name the query together.

    Raises
    ------
    DataError
        If it cannot be read, a query has two rows or no id, or a weight is not a number.
    UsageError
        If `weights` names neither a column nor a file.

    Examples
    --------
    >>> read_queries(None, {12: 3, "q7": 1}).weights(["12", "q7"]).tolist()
    [3.0, 1.0]
    """
    query = query if query is None or isinstance(query, str) else tuple(query)
    columns = {"query": query, "text": text}
    base = Queries() if source is None else _read(source, columns)
    if weights is None:
        return base
    if isinstance(weights, str) and (name := base.named(weights)):
        return _weighted(base, base.attributes[name], base.name, name, base.place)
    if isinstance(weights, Mapping) and is_row(weights):
        return _weighted(base, dict(zip(plain_ids(weights), weights.values(), strict=True)), "weights")
    if isinstance(weights, str) and not os.path.exists(weights):
        choices = ", ".join(base.attributes) or "none given"
        what = either(f"weights={weights!r}", f"--weights {weights}")
        raise UsageError(f"{what} is neither a column of the queries table ({choices}) nor a file.{near_file(weights)}")
    table = _read(weights, columns)
    names = list(table.attributes)
    roles = Roles(table.name, names, {})
    place = roles.find("weight")
    if place is None:
        raise roles.missing("weight")
    column = names[place]
    joined = Queries(
        {**table.attributes, **base.attributes}, None, base.text or table.text, base.name or table.name,
        tables=(*base.tables, *table.tables),
    )  # fmt: skip
    return _weighted(joined, table.attributes[column], table.name, column, table.place)


def _weighted(
    base: Queries,
    weight: Mapping[str, Any],
    name: str,
    column: str = "weight",
    place: Callable[[str], str] | None = None,
) -> Queries:
    numbers: dict[str, float] = {}
    for key, value in weight.items():
        try:
            numbers[key] = float(value)
        except (TypeError, ValueError):
            what = "missing" if value in (None, "") else f"{value!r}, not a number"
            where = name if place is None else place(key)
            way = (
                f"Leave out the thousands separator: {plain}"
                if (plain := _ungrouped(value))
                else "Give a number, 0 or more"
            )
            raise DataError(f"{where}: the {column} of query {key!r} is {what}. {way}.") from None
    return Queries(base.attributes, numbers, base.text, base.name or name, base.place, base.tables)


def _ungrouped(value: object) -> str:
    """Return a number without its thousands separators; "" for anything else.

    Examples
    --------
    >>> _ungrouped("1,200"), _ungrouped("1,2")
    ('1200', '')
    """
    return re.sub(r"[,.' ]", "", str(value)) if re.fullmatch(r"\d{1,3}([,.' ]\d{3})+", str(value).strip()) else ""


def _read(source: Any, columns: ChosenColumns) -> Queries:
    if isinstance(source, Queries):
        return source
    table = read_frame(source, "queries")
    frame, name = table.frame, table.name
    if table.nameless:
        raise DataError(
            f"{name}: this is text without column names, not a table of queries. Give a table with a query id and "
            "other columns."
        )
    columns = {role: column for role, column in columns.items() if column and has_all(frame.names, column)}
    table, named = by_columns_together(table, columns)
    roles = Roles(
        name, frame.names, columns if table.together == () else {**named, "query": frame.names[table.together[-1]]}
    )
    key, text = roles.find("query"), roles.find("text")
    if key is None:
        key = _called(frame.names, "id")
    if key is None and text is not None:
        key, text = text, roles.find("text", but=text)
    text = _called(frame.names, "text") if text is None else text
    if key is None:
        way = either("", ", or name it: --query-col queries:NAME")
        raise NoColumnError(
            f"{name}: no query column. {roles.columns}. Call it query_id, or query if it contains texts{way}."
        )
    ids = _distinct(table, table.ids(key).to_list(None))
    attributes = {
        column: dict(zip(ids, frame.column(i).to_list(None), strict=True))
        for i, column in enumerate(frame.names)
        if i != key
    }
    text_column = "" if text is None else frame.names[text]
    read = QueryTable(name, tuple(attributes), table.origin)
    return Queries(attributes, None, text_column, name, lambda query: table.place(ids.index(query)), (read,))


def _called(names: Sequence[str], name: str) -> int | None:
    """Return the column with a name that is clear only in a table of queries."""
    return next((i for i, column in enumerate(names) if fold(column) == name), None)


def _distinct(table: Source, keys: Sequence[Any]) -> list[str]:
    """Return the ids as text: one per row, without repeats."""
    rows: dict[str, int] = {}
    for row, key in enumerate(keys):
        if key in (None, ""):
            raise table.bad_row("missing_id", row, "query", "", "", -1)
        if (first := rows.setdefault(id_text(key), row)) != row:
            raise DataError(
                f"{table.place(row)}: query {id_text(key)!r} appears a second time (first: {table.where(first)}). "
                "Give one row per query."
            )
    return list(rows)
