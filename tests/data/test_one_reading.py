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
    "query, nothing": {"q1": ["a"], "q2": ["c"], "q3": []},
    "rows without a grade": [{"query": "q1", "doc": "a"}, {"query": "q2", "doc": "c"}],
    "rows with the grades of two raters": [
        {"query": "q1", "doc": "a", "rating_1": 1, "rating_2": 2},
        {"query": "q1", "doc": "b", "rating_1": 0, "rating_2": 0},
        {"query": "q2", "doc": "c", "rating_1": 1, "rating_2": 1},
    ],
    "rows with a rater": [
        {"query": "q1", "doc": "a", "grade": 1, "rater": "Ana"},
        {"query": "q1", "doc": "a", "grade": 1, "rater": "Ben"},
        {"query": "q2", "doc": "c", "grade": 1, "rater": "Ana"},
    ],
    "rows with a missing grade": [
        {"query": "q1", "doc": "a", "grade": 1},
        {"query": "q1", "doc": "b", "grade": None},
        {"query": "q2", "doc": "c", "grade": 1},
    ],
    "rows with lists in a list": [
        {"query": "q1", "retrieval_gt": [["a"], ["x"]]},
        {"query": "q2", "retrieval_gt": [["c"]]},
    ],
    "rows with {document: grade}": [
        {"query": "q1", "relevant_docs": {"a": 1, "b": 0}},
        {"query": "q2", "relevant_docs": {"c": 1}},
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
    "query, nothing": {"q1": ["b", "a"], "q2": ["c"], "q3": []},
    "answers of a store": {
        "q1": {"matches": [{"id": "b", "score": 2.5}, {"id": "a", "score": 1.5}]},
        "q2": {"matches": [{"id": "c", "score": 0.5}]},
    },
    "answers of a store that have no scores": {
        "q1": {"objects": [{"uuid": "b"}, {"uuid": "a"}]},
        "q2": {"objects": [{"uuid": "c"}]},
    },
    "rows with an answer": [
        {"query": "q1", "points": [{"id": "b", "score": 2.5}, {"id": "a", "score": 1.5}]},
        {"query": "q2", "points": [{"id": "c", "score": 0.5}]},
    ],
    "rows with documents in documents": [
        {"query": "q1", "results": [{"metadata": {"doc_id": "b"}}, {"metadata": {"doc_id": "a"}}]},
        {"query": "q2", "results": [{"metadata": {"doc_id": "c"}}]},
    ],
    "rows with {document: score}": [
        {"query": "q1", "results": {"a": 1.5, "b": 2.5}},
        {"query": "q2", "results": {"c": 0.5}},
    ],
    "rows with ranks from 0": [
        {"query": "q1", "doc": "b", "rank": 0},
        {"query": "q1", "doc": "a", "rank": 1},
        {"query": "q2", "doc": "c", "rank": 0},
    ],
    "rows with a system": [
        {"query": "q1", "doc": "b", "rank": 1, "system": "s"},
        {"query": "q1", "doc": "a", "rank": 2, "system": "s"},
        {"query": "q2", "doc": "c", "rank": 1, "system": "s"},
    ],
    "rows with lists of ids and ranks": [
        {"query": "q1", "retrieved_ids": ["a", "b"], "ranks": [2, 1]},
        {"query": "q2", "retrieved_ids": ["c"], "ranks": [1]},
    ],
    "columns": {"query": ["q1", "q1", "q2"], "doc": ["b", "a", "c"], "score": [2.5, 1.5, 0.5]},
    "columns of lists": {"query": ["q1", "q2"], "retrieved_ids": [["b", "a"], ["c"]]},
    "a query called query": {"query": ["b", "a"], "q2": ["c"]},
}
"""Shapes of results: a is second for q1, c first for q2."""

BOTH: dict[str, Object] = {
    "rows with relevant and retrieved": [
        {"query": "q1", "relevant_ids": ["a"], "retrieved_ids": ["b", "a"]},
        {"query": "q2", "relevant_ids": ["c"], "retrieved_ids": ["c"]},
    ],
    "rows with one expected and retrieved": [
        {"query": "q1", "expected_id": "a", "retrieved_ids": ["b", "a"]},
        {"query": "q2", "expected_id": "c", "retrieved_ids": ["c"]},
    ],
    "rows with a grade and a rank": [
        {"query": "q1", "doc": "b", "grade": 0, "rank": 1},
        {"query": "q1", "doc": "a", "grade": 1, "rank": 2},
        {"query": "q2", "doc": "c", "grade": 1, "rank": 1},
    ],
    "rows of a ranker": [
        {"group": "q1", "label": 0, "prediction": 2.5},
        {"group": "q1", "label": 1, "prediction": 1.5},
        {"group": "q2", "label": 1, "prediction": 0.5},
    ],
    "passages that say whether they have the answer": [
        {"question": "q1", "ctxs": [{"id": "b", "score": 2.5, "has_answer": False},
                                    {"id": "a", "score": 1.5, "has_answer": True}]},
        {"question": "q2", "ctxs": [{"id": "c", "score": 0.5, "has_answer": True}]},
    ],
    "columns": {"query": ["q1", "q1", "q2"], "doc": ["b", "a", "c"], "grade": [0, 1, 1], "rank": [1, 2, 1]},
}  # fmt: skip
"""Shapes of judgments and results at once: a is second for q1, c first for q2."""

SYSTEMS: dict[str, Object] = {
    "system, query, documents": {"s": {"q1": ["b", "a"], "q2": ["c"]}, "t": {"q1": ["a"], "q2": ["c"]}},
    "rows with two systems": [
        {"query": "q1", "doc": "b", "rank": 1, "system": "s"},
        {"query": "q1", "doc": "a", "rank": 2, "system": "s"},
        {"query": "q2", "doc": "c", "rank": 1, "system": "s"},
        {"query": "q1", "doc": "a", "rank": 1, "system": "t"},
        {"query": "q2", "doc": "c", "rank": 1, "system": "t"},
    ],
    "rows with lists of two systems": [
        {"query": "q1", "retrieved_ids": ["b", "a"], "system": "s"},
        {"query": "q2", "retrieved_ids": ["c"], "system": "s"},
        {"query": "q1", "retrieved_ids": ["a"], "system": "t"},
        {"query": "q2", "retrieved_ids": ["c"], "system": "t"},
    ],
}
"""Shapes of the results of two systems: s as above, and t, which has every relevant document first."""

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


UNTYPED = [
    RETURNED["rows with pairs"], RETURNED["rows with {document: score}"], JUDGED["rows with {document: grade}"],
]  # fmt: skip
"""Rows whose lists have several types, or whose objects have other keys in each row."""


def _doors(shape: Object, typed: bool) -> dict[str, Callable[[Object, Path], Object]]:
    if typed:
        return TYPED if isinstance(shape, list) and shape not in UNTYPED else {}
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
@pytest.mark.parametrize("shape", BOTH.values(), ids=BOTH)
def test_every_door_finds_judgments_and_results_in_one_table(shape: Object, typed: bool, tmp_path: Path) -> None:
    """A shape that contains both is given alone, whatever it is in."""
    for door, make in _doors(shape, typed).items():
        assert ir.evaluate(make(shape, tmp_path), measures=["RR"])["RR"] == pytest.approx(0.75), door


@RINGS
@pytest.mark.parametrize("shape", SYSTEMS.values(), ids=SYSTEMS)
def test_every_door_tells_systems_apart(shape: Object, typed: bool, tmp_path: Path) -> None:
    """Two systems in one shape have a number each."""
    for door, make in _doors(shape, typed).items():
        scores = ir.evaluate(JUDGMENTS, make(shape, tmp_path), ["RR"])
        found = {system: scores.values[s][0].mean() for s, system in enumerate(scores.systems)}
        assert found == {"s": pytest.approx(0.75), "t": pytest.approx(1.0)}, door


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


def test_answers_that_say_their_query(tmp_path: Path) -> None:
    """Answers that say their query, beside them or around them, are not numbered by their order: RR is 1 and 1/2."""
    documents = {2: ["b", "a"], 1: ["a"]}
    judged = {1: {"a": 1}, 2: {"a": 1}}
    for name in ("query_id", "qid", "query", "id"):
        answers = [
            {name: query, "took": 3, "hits": {"hits": [{"_id": doc, "_score": 1.0} for doc in docs]}}
            for query, docs in documents.items()
        ]
        around = [{name: answer.pop(name), "response": answer} for answer in map(dict, answers)]
        for rows in (answers, around) if name != "id" else (answers,):
            (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
            (tmp_path / "run.json").write_text(json.dumps(rows), "utf-8")
            for results in (tmp_path / "run.jsonl", tmp_path / "run.json", rows):
                assert ir.evaluate(judged, results, ["RR"]).per_query["RR"] == [1.0, 0.5]
