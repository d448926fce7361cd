"""The queries table: text, segment, frequency, by query id; the id may be in several columns."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from idealrank._core import from_columns
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.formats.folders import suggest_file
from idealrank.data.formats.messages import decimal_points
from idealrank.data.formats.reader import read_frame
from idealrank.data.formats.source import Origin, Source
from idealrank.data.ids import Keyed, codes, could_be_numbers, id_text, plain_ids
from idealrank.data.roles import ALIASES, KNOWN, ChosenColumns, Roles, first_named, fold, has_columns
from idealrank.errors import DataError, NoColumnError, UsageError, either, listed, nearest, plural, quoted_option, some


@dataclass(frozen=True)
class QueryTable:
    """A table of queries.

    Attributes
    ----------
    name
        Its name.
    columns
        Its columns except the id.
    origin
        The file it was read from, if any.
    nested
        The columns that contain lists or objects, whose values are JSON text.
    rows
        How many rows it has.
    varying
        The columns left out because they have several values for one query, where a query may have several rows.
    key
        The column of ids.
    """

    name: str
    columns: tuple[str, ...]
    origin: Origin | None = None
    nested: tuple[str, ...] = ()
    rows: int = 0
    varying: tuple[str, ...] = ()
    key: str = ""


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
    ids: tuple[str, ...] = ()
    """The queries of the table, in the order of its rows; empty where there is none."""

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
        table = _with_weights(self, typed, self.name, names[column], self.place)
        there = np.array([key in typed for key in ids], np.bool_) & keep
        return np.where(there, table.weights(ids, there), np.nan)

    def column_called(self, attribute: str) -> str:
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
        name = self.column_called(attribute)
        if not name:
            columns = ", ".join(self.attributes) or f"none: pass {either('queries=…', '--queries-table FILE')}"
            raise UsageError(
                f"No query attribute called {attribute!r}.{nearest(attribute, self.attributes)} Known: {columns}."
            )
        return [self.attributes[name].get(key) for key in ids]


def read_queries(
    source: Any,
    weights: Any = None,
    *,
    query: str | Sequence[str] | None = None,
    text: str | None = None,
    repeated: bool = False,
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
    repeated
        Whether a query may have several rows, as in a table of judgments, if they agree in its text. Columns in which
        they differ are left out.

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
    base = Queries() if source is None else _read_table(source, columns, repeated)
    if weights is None:
        return base
    if isinstance(weights, str) and (name := base.column_called(weights)):
        return _with_weights(base, base.attributes[name], base.name, name, base.place)
    if isinstance(weights, Mapping) and _is_row(weights):
        return _with_weights(base, dict(zip(plain_ids(weights), weights.values(), strict=True)), "weights")
    if isinstance(weights, str) and not os.path.exists(weights):
        choices = ", ".join(base.attributes) or "none given"
        what = either(f"weights={weights!r}", f"--weights {weights}")
        raise UsageError(
            f"{what} is neither a column of the queries table ({choices}) nor a file.{suggest_file(weights)}"
        )
    table = _read_table(weights, columns)
    names = list(table.attributes)
    roles = Roles(table.name, names, {})
    place = roles.find("weight")
    if place is None:
        raise roles.missing_columns("weight")
    column = names[place]
    joined = Queries(
        {**table.attributes, **base.attributes}, None, base.text or table.text, base.name or table.name,
        tables=(*base.tables, *table.tables),
    )  # fmt: skip
    return _with_weights(joined, table.attributes[column], table.name, column, table.place)


def _is_row(data: Mapping[Any, Any]) -> bool:
    from idealrank.data.formats.objects import is_row

    return is_row(data)


def _with_weights(
    base: Queries,
    weight: Mapping[str, Any],
    name: str,
    column: str = "weight",
    place: Callable[[str], str] | None = None,
) -> Queries:
    numbers: dict[str, float] = {}
    for key, value in _with_points(weight).items():
        try:
            numbers[key] = float(value)
        except (TypeError, ValueError):
            what = "missing" if value in (None, "") else f"{value!r}, not a number"
            where = name if place is None else place(key)
            way = (
                f"Leave out the thousands separator: {plain}"
                if (plain := _without_thousands(value))
                else "Give a number, 0 or more"
            )
            raise DataError(f"{where}: the {column} of query {key!r} is {what}. {way}.") from None
    return Queries(base.attributes, numbers, base.text, base.name or name, base.place, base.tables)


def _with_points(weight: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return weights with points for decimal commas, as grades and scores are read.

    Examples
    --------
    >>> _with_points({"q1": "0,81", "q2": "2"}), _with_points({"q1": "1,200", "q2": "2,500"})
    ({'q1': '0.81', 'q2': '2'}, {'q1': '1,200', 'q2': '2,500'})
    """
    if not all(isinstance(value, str) for value in weight.values()):
        return weight
    points = decimal_points(from_columns(["weight"], [[*weight.values()]]).column(0))
    return weight if points is None else dict(zip(weight, points.to_list(), strict=True))


def _without_thousands(value: object) -> str:
    """Return a number without its thousands separators; "" for anything else.

    Examples
    --------
    >>> _without_thousands("1,200"), _without_thousands("1,2")
    ('1200', '')
    """
    return re.sub(r"[,.' ]", "", str(value)) if re.fullmatch(r"\d{1,3}([,.' ]\d{3})+", str(value).strip()) else ""


def _read_table(source: Any, columns: ChosenColumns, repeated: bool = False) -> Queries:
    if isinstance(source, Queries):
        return source
    table = read_frame(source, "queries")
    frame, name = table.frame, table.name
    if table.nameless:
        raise DataError(
            f"{name}: this is text without column names, not a table of queries. Give a table with a query id and "
            "other columns."
        )
    columns = {role: column for role, column in columns.items() if column and has_columns(frame.names, column)}
    table, named = join_query_columns(table, columns)
    roles = Roles(
        name,
        frame.names,
        columns if table.query_columns == () else {**named, "query": frame.names[table.query_columns[-1]]},
    )
    key, text = roles.find("query"), roles.find("text")
    if key is None:
        key = first_named(frame.names, ("id",))  # a name that is clear only in a table of queries
    if key is None and text is not None:
        key, text = text, roles.find("text", but=text)
    text = first_named(frame.names, ("text",)) if text is None else text
    if key is None:
        both = "them: --query-col queries:NAME --text-col queries:NAME" if repeated else "it: --query-col queries:NAME"
        way = either("", f", or name {both}")
        raise NoColumnError(
            f"{name}: no query column. {roles.columns}. Call it query_id, or query if it contains texts{way}."
        )
    keys = table.ids(key).to_list(None)
    by_text = columns.get("text") == frame.names[key]
    if repeated and text is None and (by_text or any(" " in str(word).strip() for word in keys)):
        text = key  # the queries are known by their texts, as in Quepid's ratings
    beside = [i for i in range(len(frame.names)) if i != key or i == text]
    values = {frame.names[i]: keys if i == key else frame.column(i).to_list(None) for i in beside}
    text_column = "" if text is None else frame.names[text]
    varying: tuple[str, ...] = ()
    if repeated and len(set(keys)) < len(keys):
        ids, values, varying = _merge_rows(table, keys, values, text_column)
    else:
        ids = _unique_ids(table, keys)
    attributes = {column: dict(zip(ids, of, strict=True)) for column, of in values.items()}
    nested = tuple(column for i, column in enumerate(frame.names) if column in attributes and table.is_nested(i))
    read = QueryTable(name, tuple(attributes), table.origin, nested, len(keys), varying, frame.names[key])
    rows = {query: row for row, query in reversed(list(enumerate(map(id_text, keys))))}
    return Queries(attributes, None, text_column, name, lambda query: table.place(rows[query]), (read,), tuple(ids))


def _merge_rows(
    table: Source, keys: Sequence[Any], values: Mapping[str, list[Any]], text: str
) -> tuple[list[str], dict[str, list[Any]], tuple[str, ...]]:
    """Return the ids of queries with several rows, what their rows agree in, and the columns in which they do not.

    Raises
    ------
    DataError
        If a query has two texts, or a row no query.
    """
    first: dict[str, int] = {}
    rows = []
    for row, key in enumerate(keys):
        if key in (None, ""):
            raise table.bad_row("missing_id", row, "query", "", "", -1)
        rows.append(first.setdefault(id_text(key), row))
    for row, begin in enumerate(rows if text else ()):
        was, now = values[text][begin], values[text][row]
        if was != now:
            raise DataError(
                f"{table.place(row)}: query {id_text(keys[row])!r} is {now!r}, and {was!r} in {table.where(begin)}. "
                "Give each text an id of its own."
            )
    same = {column: all(of[row] == of[begin] for row, begin in enumerate(rows)) for column, of in values.items()}
    kept = {column: [of[row] for row in first.values()] for column, of in values.items() if same[column]}
    return list(first), kept, tuple(column for column, agrees in same.items() if not agrees)


def _unique_ids(table: Source, keys: Sequence[Any]) -> list[str]:
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


# Tables of segments, whose columns are added to those of the queries.


def add_segments(queries: Queries | None, tables: Sequence[Queries]) -> tuple[Queries | None, list[str]]:
    """Add the columns of tables of segments to the queries, and return which of them make segments.

    That is the column called segment; without one, all columns but the texts and the frequencies.
    """
    names: list[str] = []
    for table in tables:
        columns = [table.column_called("segment")] if table.column_called("segment") else _segment_columns(table)
        if not columns:
            others = ", ".join(table.attributes) or "only ids"
            raise NoColumnError(f"{table.name}: no column to make segments of ({others}). Call one segment.")
        names += columns
        queries = (
            table
            if queries is None
            else replace(
                queries, attributes={**table.attributes, **queries.attributes}, tables=(*queries.tables, *table.tables)
            )
        )
    return queries, names


def _segment_columns(table: Queries) -> list[str]:
    frequencies = frozenset[str]().union(*ALIASES["weight"])
    return [name for name in table.attributes if name != table.text and fold(name) not in frequencies]


# Queries that several columns name together, such as a language and a text.


_MOST = 1000
"""Values of a column that may tell queries apart."""


def join_query_columns(
    table: Source, columns: Mapping[str, str | tuple[str, ...] | None]
) -> tuple[Source, dict[str, str | tuple[str, ...] | None]]:
    """Return a table whose query is named by several columns, if several were chosen, and the names of the columns.

    Raises
    ------
    NoColumnError
        If one of them is missing, or the table has no names of columns.
    """
    names = columns.get("query")
    if not isinstance(names, tuple):
        return table, dict(columns)
    if table.nameless or table.frame.format == "dicts":
        raise NoColumnError(
            f"{table.name}: the query cannot be named by {listed(names)}, as its columns have no names. Give a table "
            "whose first line names them."
        )
    places = []
    for name in names:
        place = Roles(table.name, table.frame.names, {"query": name}).find("query")
        assert place is not None
        places.append(place)
    return replace(table, query_columns=tuple(places)), {**columns, "query": " + ".join(names)}


def distinguishing_column(table: Keyed, group: Ints, rows: Ints) -> str:
    """Return the first column of words without a role that differs wherever rows are in one group; "" for none."""
    for place, name in enumerate(table.roles.names):
        if fold(name) in KNOWN or place in table.roles.chosen.values() or place in table.source.query_columns:
            continue
        if table.source.frame.nested(place) is not None or name in table.source.unfit:
            continue
        column = table.source.frame.column(place)
        if not 1 < len(column.distinct(_MOST)) < _MOST or could_be_numbers(column, name):
            continue
        values = codes(column)[rows]
        if len(np.unique(np.column_stack((group, values)), axis=0)) == len(rows):
            return name
    return ""


def suggest_query_columns(table: Keyed, name: str) -> str:
    """Say how to name queries by their column and another one."""
    key = table.roles.key
    if key is None or table.form:
        return ""
    names = (name, table.roles.names[key])
    typed = " ".join(quoted_option("query-col", one) for one in names)
    return f" If {name} and {names[1]} name the query together: {either(f'query={list(names)!r}', typed)}."


def suggest_for_repeated(table: Keyed, pairs: Ints, *, judged: bool) -> str:
    """Say how to read rows that repeat a query and a document, if another column tells them apart; "" otherwise."""
    if table.form:
        return ""
    column = distinguishing_column(table, pairs, np.arange(len(pairs)))
    if not column:
        return ""
    rater = either(f"rater={column!r}", quoted_option("rater-col", column))
    way = f" If {column} says who judged: {rater}." if judged and table.roles.find("rater") is None else ""
    named = table.roles.chosen.get("query") is not None  # by one who knows which columns name the query
    return way if named else way + suggest_query_columns(table, column)


# Segments and frequencies of queries that stand beside their judgments or results.


OF_QUERIES = ALIASES["weight"][0] | {"segment", "segments", "querysegment", "querytype"}
"""Names of columns that say something about the query, folded."""

Attributes = Mapping[str, Mapping[str, Any] | None]
"""By column of one table, the value of each query; None if a query has several."""


def queries_in(tables: Iterable[Keyed]) -> Queries:
    """Return the segments and frequencies in tables of judgments and results, by query.

    A column counts if it has one value for each query.
    """
    return merge_tables(map(attributes_in, tables))


def merge_tables(tables: Iterable[Attributes]) -> Queries:
    """Return the attributes that the tables know, each from the first that has one value for each query."""
    attributes: dict[str, Mapping[str, Any]] = {}
    for table in tables:
        for name, values in table.items():
            if values and name not in attributes:
                attributes[name] = values
    return Queries(attributes)


def attributes_in(table: Keyed) -> Attributes:
    """Return the columns of a table that say something about the query."""
    if table.form:
        return {}
    places = {name: place for place, name in enumerate(table.roles.names) if fold(name) in OF_QUERIES}
    return {name: _value_per_query(table, place) for name, place in places.items()}


def merge_part_files(parts: Sequence[Attributes]) -> Attributes:
    """Put together what the parts of a table say, each of which has all rows of its queries."""
    whole: dict[str, Mapping[str, Any] | None] = {}
    for name in dict.fromkeys(itertools.chain.from_iterable(parts)):
        known = [part.get(name, {}) for part in parts]
        several = any(values is None for values in known)
        whole[name] = None if several else dict(itertools.chain.from_iterable(v.items() for v in known if v))
    return whole


def _value_per_query(table: Keyed, place: int) -> dict[str, Any] | None:
    """Return the value of each query; None if a query has several."""
    column = table.source.column(place)
    assert column is not None
    values: dict[str, Any] = {}
    pairs = zip(table.keys.query.to_list(None), column.to_list(None), strict=True)
    for key, value in dict.fromkeys((key, value) for key, value in pairs if key is not None and value is not None):
        if values.setdefault(id_text(key), value) != value:
            return None
    return values
