"""The queries table: text, segment, frequency, by query id; and which queries to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from idealrank.errors import DataError, UsageError, nearest, some
from idealrank.lists import Floats, Mask
from idealrank.read import read_frame
from idealrank.read.roles import Roles, fold
from idealrank.tables import id_text


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
                f"{self.name}: {len(missing)} judged queries have no weight: {some(missing)}. Give each one."
            )
        found = np.array([self.weight[key] for key in ids], np.float64)
        if not (np.isfinite(found) & (found >= 0)).all():
            bad = ids[int(np.flatnonzero(~(np.isfinite(found) & (found >= 0)))[0])]
            raise DataError(
                f"{self.name}: the weight of query {bad!r} is {self.weight[bad]}. Weights are numbers from 0 up."
            )
        return found

    def values(self, attribute: str, ids: Sequence[str]) -> list[Any]:
        """Return one attribute of each query, None where the table has none.

        Raises
        ------
        UsageError
            If there is no such attribute.
        """
        folded = {fold(name): name for name in self.attributes}
        name = attribute if attribute in self.attributes else folded.get(fold(attribute), "")
        if not name:
            known = ", ".join(self.attributes) or "none: pass queries=…"
            raise UsageError(
                f"No query attribute called {attribute!r}.{nearest(attribute, self.attributes)} Known: {known}."
            )
        return [self.attributes[name].get(key) for key in ids]


def read_queries(source: Any, weights: Any = None) -> Queries:
    """Read a queries table and the weights, which may be one of its columns or a table of their own."""
    if isinstance(source, Queries):
        return source
    base = Queries() if source is None else _read(source)
    if weights is None:
        return base
    if isinstance(weights, str) and weights in base.attributes:
        return _weighted(base, base.attributes[weights], base.name)
    if isinstance(weights, Mapping) and not any(
        isinstance(v, (list, Mapping)) or hasattr(v, "dtype") for v in weights.values()
    ):
        return _weighted(base, {id_text(key): value for key, value in weights.items()}, "weights")
    if isinstance(weights, str) and not Path(weights).exists():
        known = [*base.attributes]
        raise UsageError(
            f"weights={weights!r} is neither a column of the queries table "
            f"({', '.join(known) or 'none given'}) nor a file."
        )
    table = _read(weights)
    column = Roles(table.name, list(table.attributes), {}).need("weight")
    joined = Queries({**table.attributes, **base.attributes}, None, base.text or table.text, base.name or table.name)
    return _weighted(joined, table.attributes[list(table.attributes)[column]], table.name)


def _weighted(base: Queries, weight: Mapping[str, Any], name: str) -> Queries:
    numbers: dict[str, float] = {}
    for key, value in weight.items():
        try:
            numbers[key] = float(value)
        except (TypeError, ValueError):
            raise DataError(f"{name}: the weight of query {key!r} is {value!r}, not a number.") from None
    return Queries(base.attributes, numbers, base.text, base.name or name)


def _read(source: Any) -> Queries:
    table = read_frame(source, "queries")
    frame, name = table.frame, table.name
    roles = Roles(name, frame.names, {})
    key, text = roles.find("query"), roles.find("text")
    index = key if key is not None else text
    if index is None:
        raise roles.missing("query")
    ids = [id_text(value) for value in frame.column(index).to_list(None)]
    attributes = {
        column: dict(zip(ids, _typed(frame.column(i)), strict=True))
        for i, column in enumerate(frame.names)
        if i != index
    }
    repeated = len(ids) - len(set(ids))
    if repeated:
        raise DataError(f"{name}: {repeated} query ids come more than once. One row a query.")
    return Queries(attributes, None, frame.names[text] if text is not None and text != index else "", name)


def _typed(column: Any) -> list[Any]:
    return list(column.to_list(None))


def chosen(only: Any, ids: Sequence[str]) -> Mask:
    """(Q,) which queries to keep.

    Parameters
    ----------
    only
        None (all), a list of ids, ``"1..50"`` (a range of numbers), ids joined by commas, or a file of ids.

    Raises
    ------
    UsageError
        If none of the queries is left.
    """
    if only is None:
        return np.ones(len(ids), np.bool_)
    wanted = _wanted(only)
    keep = np.array([wanted(key) for key in ids], np.bool_)
    if not keep.any():
        raise UsageError(f"None of the {len(ids)} judged queries is among {only!r}. They look like {some(ids, 3)}.")
    return keep


def _wanted(only: Any) -> Any:
    if isinstance(only, str):
        if (span := key_range(only)) is not None:
            return lambda key: key.lstrip("-").isdigit() and span[0] <= int(key) <= span[1]
        if Path(only).is_file():
            only = [line.split("\t")[0].strip() for line in Path(only).read_text("utf-8-sig").splitlines()]
        else:
            only = [part.strip() for part in only.split(",")]
    ids = {id_text(key) for key in only}
    return ids.__contains__


def key_range(text: str) -> tuple[int, int] | None:
    """Read ``1..50`` as the numbers from 1 to 50, both included; None if it is no range."""
    low, dots, high = text.partition("..")
    if dots and low.strip().lstrip("-").isdigit() and high.strip().lstrip("-").isdigit():
        return int(low), int(high)
    return None
