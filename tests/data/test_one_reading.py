"""One shape, one reading: by whatever door a shape of docs/inputs.md comes in, the outcome is the same.

The doors are a file of JSON, JSON lines, YAML and Parquet, a CSV whose cells contain lists, the Python object, and
frames of pandas, polars and pyarrow. The outcome is the numbers, which were counted by hand, or the same refusal.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

import idealrank as ir

Object = Any

JUDGED: dict[str, Object] = {
    "query, document, number": {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}},
    "query, documents": {"q1": ["a"], "q2": ["c"]},
    "rows with a grade": [
        {"query": "q1", "doc": "a", "grade": 1},
        {"query": "q1", "doc": "b", "grade": 0},
        {"query": "q2", "doc": "c", "grade": 1},
    ],
    "rows with a list called relevant": [
        {"query": "q1", "relevant_docs": ["a"]},
        {"query": "q2", "relevant_docs": ["c"]},
    ],
    "rows with one relevant document": [
        {"query": "q1", "expected_doc_id": "a"},
        {"query": "q2", "expected_doc_id": "c"},
    ],
    "rows with lists of ids and grades": [
        {"query": "q1", "doc_ids": ["a", "b"], "grades": [1, 0]},
        {"query": "q2", "doc_ids": ["c"], "grades": [1]},
    ],
    "columns": {"query": ["q1", "q1", "q2"], "doc": ["a", "b", "c"], "grade": [1, 0, 1]},
    "columns of lists": {"query": ["q1", "q2"], "relevant_ids": [["a"], ["c"]]},
    "rows with an object that nobody asked for": [
        {"query": "q1", "doc": "a", "grade": 1, "meta": {"by": "Ana"}},
        {"query": "q2", "doc": "c", "grade": 1, "meta": {"by": "Ben"}},
    ],
    "rows under data": {"data": [{"query": "q1", "gold_id": "a"}, {"query": "q2", "gold_id": "c"}]},
    "an object around a query's documents": [
        {"query": "q1", "judgments": [{"doc_id": "a", "grade": 1}, {"doc_id": "b", "grade": 0}]},
        {"query": "q2", "judgments": [{"doc_id": "c", "grade": 1}]},
    ],
}
"""Shapes of judgments: a is relevant for q1, c for q2."""

RETURNED: dict[str, Object] = {
    "query, document, number": {"q1": {"b": 2.5, "a": 1.5}, "q2": {"c": 0.5}},
    "query, documents": {"q1": ["b", "a"], "q2": ["c"]},
    "query, documents with scores": {
        "q1": [{"id": "b", "score": 2.5}, {"id": "a", "score": 1.5}],
        "q2": [{"id": "c", "score": 0.5}],
    },
    "query, pairs": {"q1": [["b", 2.5], ["a", 1.5]], "q2": [["c", 0.5]]},
    "rows with a score": [
        {"query": "q1", "doc": "b", "score": 2.5},
        {"query": "q1", "doc": "a", "score": 1.5},
        {"query": "q2", "doc": "c", "score": 0.5},
    ],
    "rows with a rank": [
        {"query": "q1", "doc": "b", "rank": 1},
        {"query": "q1", "doc": "a", "rank": 2},
        {"query": "q2", "doc": "c", "rank": 1},
    ],
    "rows with a list called retrieved": [
        {"query": "q1", "retrieved_ids": ["b", "a"]},
        {"query": "q2", "retrieved_ids": ["c"]},
    ],
    "rows with lists of ids and scores": [
        {"query": "q1", "retrieved_ids": ["a", "b"], "scores": [1.5, 2.5]},
        {"query": "q2", "retrieved_ids": ["c"], "scores": [0.5]},
    ],
    "rows with pairs": [{"query": "q1", "results": [["b", 2.5], ["a", 1.5]]}, {"query": "q2", "results": [["c", 0.5]]}],
    "rows with hits": [
        {"query": "q1", "hits": [{"id": "b", "score": 2.5}, {"id": "a", "score": 1.5}]},
        {"query": "q2", "hits": [{"id": "c", "score": 0.5}]},
    ],
    "rows with a payload": [
        {"query": "q1", "doc": "b", "score": 2.5, "payload": {"lang": "de"}},
        {"query": "q1", "doc": "a", "score": 1.5, "payload": {"lang": "en"}},
        {"query": "q2", "doc": "c", "score": 0.5, "payload": {"lang": "en"}},
    ],
    "columns": {"query": ["q1", "q1", "q2"], "doc": ["b", "a", "c"], "score": [2.5, 1.5, 0.5]},
    "columns of lists": {"query": ["q1", "q2"], "retrieved_ids": [["b", "a"], ["c"]]},
    "a query called query": {"query": ["b", "a"], "q2": ["c"]},
}
"""Shapes of results: a is second for q1, c first for q2."""

REFUSED: dict[str, Object] = {
    "documents without an id": [{"query": "q1", "hits": [{"name": "b"}]}],
    "columns of unequal length": {"query": ["q1", "q2"], "doc": ["a"]},
    "columns without documents": {"q": ["a"], "q2": ["c"]},
    "names in another language": [{"Suche": "q1", "Ware": "a", "Note": 1}, {"Suche": "q1", "Ware": "b", "Note": 0}],
}
"""Shapes that nobody can read without being told more."""


def _written(ending: str, write: Callable[[Path, Object], object]) -> Callable[[Object, Path], Object]:
    def door(shape: Object, folder: Path) -> Object:
        path = folder / f"table.{ending}"
        write(path, shape)
        return path

    return door


DOORS: dict[str, Callable[[Object, Path], Object]] = {
    "Python": lambda shape, _: shape,
    "JSON": _written("json", lambda path, shape: path.write_text(json.dumps(shape))),
    "YAML": _written("yaml", lambda path, shape: path.write_text(yaml.safe_dump(shape, sort_keys=False))),
}
"""Doors for any shape."""

ROWS: dict[str, Callable[[Object, Path], Object]] = {
    "JSON lines": _written("jsonl", lambda path, rows: path.write_text("\n".join(map(json.dumps, rows)))),
    "CSV": _written("csv", lambda path, rows: pd.DataFrame(_cells(rows)).to_csv(path, index=False)),
    "pandas": lambda rows, _: pd.DataFrame(rows),
}
"""Doors for rows alone."""


def _polars(rows: Object) -> Object:
    import polars

    return polars.DataFrame(rows)


def _arrow(rows: Object) -> Object:
    import pyarrow

    return pyarrow.Table.from_pylist(rows)


TYPED: dict[str, Callable[[Object, Path], Object]] = {
    "Parquet": _written("parquet", lambda path, rows: _polars(rows).write_parquet(path)),
    "polars": lambda rows, _: _polars(rows),
    "pyarrow": lambda rows, _: _arrow(rows),
}
"""Doors for rows whose columns have one type each, through libraries of the last ring."""


def _doors(shape: Object, typed: bool) -> dict[str, Callable[[Object, Path], Object]]:
    if typed:
        return TYPED if isinstance(shape, list) and shape != RETURNED["rows with pairs"] else {}
    return {**DOORS, **(ROWS if isinstance(shape, list) else {})}


RINGS = pytest.mark.parametrize("typed", [False, pytest.param(True, marks=pytest.mark.heavy)], ids=["plain", "typed"])


def _cells(rows: list[dict[str, Object]]) -> list[dict[str, Object]]:
    """Write lists and objects into cells as JSON."""
    return [{n: json.dumps(v) if isinstance(v, list | dict) else v for n, v in row.items()} for row in rows]


JUDGMENTS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RESULTS = {"q1": {"b": 2.5, "a": 1.5}, "q2": {"c": 0.5}}
RIGHT = {"rows with lists of ids and scores": 1.0}
"""RR by hand: (1/2 + 1)/2, but where the order of the list counts, which is another one than that of the scores."""

READ = [
    pytest.param(side, shape, RIGHT.get(name, 0.75), id=f"{side}: {name}")
    for side, shapes in (("judgments", JUDGED), ("results", RETURNED))
    for name, shape in shapes.items()
]


@RINGS
@pytest.mark.parametrize(("side", "shape", "right"), READ)
def test_every_door_gives_the_number_counted_by_hand(
    side: str, shape: Object, right: float, typed: bool, tmp_path: Path
) -> None:
    """A shape has the same number from any file, frame and object."""
    first = "query" if isinstance(shape, dict) and len(shape.get("query", [])) == 2 and "q2" in shape else "q1"
    for door, make in _doors(shape, typed).items():
        given = make(shape, tmp_path)
        other = {first if name == "q1" else name: documents for name, documents in RESULTS.items()}
        judged = {first if name == "q1" else name: documents for name, documents in JUDGMENTS.items()}
        pair = (given, other) if side == "judgments" else (judged, given)
        assert ir.evaluate(*pair, ["RR"])["RR"] == pytest.approx(right), door


@RINGS
@pytest.mark.parametrize("shape", REFUSED.values(), ids=REFUSED)
def test_every_door_refuses_in_the_same_words(shape: Object, typed: bool, tmp_path: Path) -> None:
    """What cannot be read is refused by every door with the same sentence, after the name of the table."""
    said = set()
    for make in [DOORS["Python"], *_doors(shape, typed).values()]:
        given = make(shape, tmp_path)
        with pytest.raises(ir.DataError) as refused:
            ir.read_results(given)
        name = str(given) if isinstance(given, Path) else "results"
        said.add(str(refused.value).removeprefix(name).replace(repr(name), "table"))
    assert len(said) == 1, said
