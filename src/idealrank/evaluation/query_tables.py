"""Tables of the values of single queries, and of what is shown beside them."""

from typing import Any, NamedTuple

import numpy as np

from idealrank.arrays import Floats, Ints
from idealrank.display.table import Table, fingerprint_columns
from idealrank.evaluation.values import Values


class ByQuery(NamedTuple):
    """What a table says of one system: its place, the places of the queries in order, and (Q,) columns of numbers."""

    system: int
    order: Ints
    columns: dict[str, Floats]


def sorted_places(values: Floats) -> Ints:
    """Return the places of the values that are not NaN, the lowest value first, equal ones in order."""
    there = np.flatnonzero(~np.isnan(values))
    return there[np.argsort(values[there], kind="stable")]


def query_table(scores: Values, m: int, rows: list[ByQuery], title: str) -> Table:
    """Return one row per query (and system): its id and text first, then the columns."""
    queries = [scores.queries[q] for one in rows for q in one.order]
    columns: dict[str, Any] = {"query": queries}
    if scores.texts:
        columns["text"] = [scores.texts.get(query) for query in queries]
    if len(scores.systems) > 1:
        columns["system"] = [scores.systems[one.system] for one in rows for _ in one.order]
    for name in rows[0].columns:
        columns[name] = np.concatenate([one.columns[name][one.order] for one in rows])
    label = scores.labels[m]
    return Table(columns, title, fingerprint_columns({label: scores.fingerprints[label]}))


def beside_values(scores: Values, m: int, systems: list[int], columns: list[dict[str, Floats]], title: str) -> Table:
    """Return the queries that have a value, with their value and a system's columns beside it."""
    rows = [
        ByQuery(s, np.flatnonzero(~np.isnan(scores.values[s, m])), {scores.labels[m]: scores.values[s, m]} | each)
        for s, each in zip(systems, columns, strict=True)
    ]
    return query_table(scores, m, rows, title)


def measure_table(scores: Values, rows: list[dict[str, Any]], title: str) -> Table:
    """Return rows that each belong to a measure."""
    prints = [scores.fingerprints[row["measure"]] for row in rows]
    return Table({name: [row[name] for row in rows] for name in rows[0]}, title, {"fingerprint": prints})


def beside_means(scores: Values, columns: dict[tuple[int, int], dict[str, float]], title: str) -> Table:
    """Return one row per measure (and system): its mean, and the columns of the place of the system and the measure."""
    rows: list[dict[str, Any]] = []
    for (s, m), each in columns.items():
        row: dict[str, Any] = {"measure": scores.labels[m]}
        row |= {"system": scores.systems[s]} if len(scores.systems) > 1 else {}
        rows.append(row | {"mean": scores.all_means[s][m]} | each)
    return measure_table(scores, rows, title)
