"""The queries table: text, segment, frequency, by query id; and which queries to keep."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from idealrank.errors import DataError, NoColumnError, UsageError, nearest, some
from idealrank.lists import Floats, Mask
from idealrank.read import Source, read_frame
from idealrank.read.keys import id_text
from idealrank.read.objects import is_row
from idealrank.read.roles import Roles, fold


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
        Name of the column that holds the query's text, or "".
    """

    attributes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    weight: Mapping[str, float] | None = None
    text: str = ""
    name: str = ""

    def weights(self, ids: Sequence[str]) -> Floats:
        """(Q,) weight of each query.

        Raises
        ------
        DataError
            If a query has none, or one is negative.
        """
        if self.weight is None:
            raise UsageError("weights=given needs weights: a column of queries, a dict {query: weight}, or a table.")
        missing = [key for key in ids if key not in self.weight]
        if missing:
            raise DataError(
                f"{self.name}: {len(missing)} of {len(ids)} queries have no weight: {some(missing)}. Give each one."
            )
        found = np.array([self.weight[key] for key in ids], np.float64)
        if not (np.isfinite(found) & (found >= 0)).all():
            bad = ids[int(np.flatnonzero(~(np.isfinite(found) & (found >= 0)))[0])]
            raise DataError(
                f"{self.name}: the weight of query {bad!r} is {self.weight[bad]}. Weights are numbers from 0 up."
            )
        return found

    def named(self, attribute: str) -> str:
        """Return the name of the column that is called so, but for case and separators; "" if none is."""
        folded = {fold(name): name for name in self.attributes}
        return attribute if attribute in self.attributes else folded.get(fold(attribute), "")

    def values(self, attribute: str, ids: Sequence[str]) -> list[Any]:
        """Return one attribute of each query, None where the table has none.

        Raises
        ------
        UsageError
            If there is no such attribute.
        """
        name = self.named(attribute)
        if not name:
            known = ", ".join(self.attributes) or "none: pass queries=…"
            raise UsageError(
                f"No query attribute called {attribute!r}.{nearest(attribute, self.attributes)} Known: {known}."
            )
        return [self.attributes[name].get(key) for key in ids]


def read_queries(source: Any, weights: Any = None) -> Queries:
    """Read a queries table and the weights, which may be one of its columns or a table of their own.

    Parameters
    ----------
    source
        What `read_judgments` takes, one row a query, or None.
    weights
        A column of that table, ``{query: weight}``, a table of their own, or None.

    Raises
    ------
    DataError
        If it cannot be read, a query has two rows or no id, or a weight is no number.
    UsageError
        If `weights` names neither a column nor a file.

    Examples
    --------
    >>> read_queries(None, {12: 3, "q7": 1}).weights(["12", "q7"]).tolist()
    [3.0, 1.0]
    """
    base = source if isinstance(source, Queries) else Queries() if source is None else _read(source)
    if weights is None:
        return base
    if isinstance(weights, str) and (name := base.named(weights)):
        return _weighted(base, base.attributes[name], base.name)
    if isinstance(weights, Mapping) and is_row(weights):
        return _weighted(base, {id_text(key): value for key, value in weights.items()}, "weights")
    if isinstance(weights, str) and not os.path.exists(weights):
        known = ", ".join(base.attributes) or "none given"
        raise UsageError(f"weights={weights!r} is neither a column of the queries table ({known}) nor a file.")
    table = _read(weights)
    column = Roles(table.name, list(table.attributes), {}).the("weight")
    joined = Queries({**table.attributes, **base.attributes}, None, base.text or table.text, base.name or table.name)
    return _weighted(joined, table.attributes[list(table.attributes)[column]], table.name)


def _weighted(base: Queries, weight: Mapping[str, Any], name: str) -> Queries:
    numbers: dict[str, float] = {}
    for key, value in weight.items():
        try:
            numbers[key] = float(value)
        except (TypeError, ValueError):
            said = "missing" if value is None else f"{value!r}, not a number"
            raise DataError(f"{name}: the weight of query {key!r} is {said}. Give a number from 0 up.") from None
    return Queries(base.attributes, numbers, base.text, base.name or name)


def _read(source: Any) -> Queries:
    table = read_frame(source, "queries")
    frame, name = table.frame, table.name
    if frame.format.startswith("trec-"):
        raise DataError(f"{name}: TREC text, not a table of queries. Give one with a query id and other columns.")
    roles = Roles(name, frame.names, {})
    key, text = roles.find("query"), roles.find("text")
    if key is None and text is not None:
        key, text = text, roles.find("text", but=text)
    if key is None:
        raise NoColumnError(f"{name}: no query column. {roles.found}. Call it query_id, or query if it holds texts.")
    ids = _distinct(table, table.ids(key).to_list(None))
    attributes = {
        column: dict(zip(ids, frame.column(i).to_list(None), strict=True))
        for i, column in enumerate(frame.names)
        if i != key
    }
    return Queries(attributes, None, "" if text is None else frame.names[text], name)


def _distinct(table: Source, keys: Sequence[Any]) -> list[str]:
    """Return the ids as text: one a row, each once."""
    rows: dict[str, int] = {}
    for row, key in enumerate(keys):
        if key in (None, ""):
            raise table.bad_row("missing_id", row, "query", "", "", -1)
        if (first := rows.setdefault(id_text(key), row)) != row:
            raise DataError(
                f"{table.place(row)}: query {id_text(key)!r} comes a second time (first: {table.where(first)}). "
                "Give one row a query."
            )
    return list(rows)


def asked_for(only: Any) -> str | tuple[str, ...] | None:
    """Settle which queries are asked for: a range as it is written, else their ids; None for all.

    Parameters
    ----------
    only
        None, ``"1..50"`` (a range of numbers), ids joined by commas, a file of ids (one a line, what
        stands behind a tab is passed over), one id, or several.

    Raises
    ------
    DataError
        If the file cannot be read.

    Examples
    --------
    >>> asked_for("1..50"), asked_for("a, b"), asked_for([3, 4.0]), asked_for(7)
    ('1..50', ('a', 'b'), ('3', '4'), ('7',))
    """
    if only is None or (isinstance(only, str) and key_range(only) is not None):
        return only
    if isinstance(only, os.PathLike) or (isinstance(only, str) and os.path.isfile(only)):
        return _ids_in(os.fspath(only))
    if isinstance(only, str):
        return tuple(part.strip() for part in only.split(","))
    return tuple(map(id_text, only)) if isinstance(only, Iterable) else (id_text(only),)


def _ids_in(path: str) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise DataError(f"{path}: cannot be read as a file of query ids: {said}.") from None
    return tuple(key for line in lines if (key := line.split("\t")[0].strip()))


def chosen(only: Any, ids: Sequence[str]) -> Mask:
    """(Q,) which queries to keep.

    Parameters
    ----------
    only
        What `asked_for` takes.

    Raises
    ------
    UsageError
        If none of the queries is left.
    """
    asked = asked_for(only)
    if asked is None:
        return np.ones(len(ids), np.bool_)
    keep = np.array(list(map(_wanted(asked), ids)), np.bool_)
    if not keep.any():
        said = repr(asked) if isinstance(asked, str) else some(asked, 3)
        raise UsageError(
            f"None of the {len(ids)} judged queries is asked for by {said}. They look like {some(ids, 3)}."
        )
    return keep


def not_among(only: Any, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids that are asked for, but are not among these.

    Examples
    --------
    >>> not_among(["a", "b"], ["a"])
    ('b',)
    """
    asked = asked_for(only)
    if not isinstance(asked, tuple):
        return ()
    known = set(ids)
    return tuple(key for key in asked if key not in known)


def _wanted(asked: str | tuple[str, ...]) -> Callable[[str], bool]:
    if isinstance(asked, tuple):
        return frozenset(asked).__contains__
    low, high = key_range(asked) or (0, 0)
    return lambda key: key.lstrip("-").isdigit() and low <= int(key) <= high


def key_range(text: str) -> tuple[int, int] | None:
    """Read ``1..50`` as the numbers from 1 to 50, both included; None if it is no range.

    Examples
    --------
    >>> key_range("1..50"), key_range("a..b")
    ((1, 50), None)
    """
    low, dots, high = text.partition("..")
    if dots and low.strip().lstrip("-").isdigit() and high.strip().lstrip("-").isdigit():
        return int(low), int(high)
    return None
