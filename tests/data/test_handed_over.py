"""What a person may hand over as ids and documents in Python: each kind has one reading, or one refusal."""

from __future__ import annotations

import datetime
import enum
import json
import uuid
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir


def id_of(number: int) -> uuid.UUID:
    """Return an id as databases of vectors give them."""
    return uuid.UUID(int=number)


class Answer(enum.Enum):
    """No id."""

    YES = 1


IDS = [(id_of(4), id_of(5)), (datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)), (np.int64(4), np.int64(5))]


@pytest.mark.parametrize(("right", "wrong"), IDS)
def test_ids_in_lists_are_those_of_columns(right: Any, wrong: Any) -> None:
    """An id of a known class is its text, by whatever door: in lists, rows, columns, frames and rankings."""
    judged, returned = {"a": [right]}, {"a": [wrong, right]}
    rows = [{"query": "a", "doc": right, "grade": 1}], [{"query": "a", "retrieved_ids": [wrong, right]}]
    columns = {"query": ["a", "a"], "doc": [wrong, right], "score": [2.0, 1.0]}
    for judgments, results in (
        (judged, returned), rows, (judged, columns), (judged, pd.DataFrame(columns)),
        (judged, pd.DataFrame({"query": ["a"], "retrieved_ids": [[wrong, right]]})),
        (judged, ir.replay({"a": "a"}, lambda _: [wrong, right])),
        (judged, ir.replay({"a": "a"}, lambda _: [{"id": wrong, "score": 2.0}, {"id": right, "score": 1.0}])),
        ir.from_ranking([wrong, right], {right: 1}), ir.from_ranking([wrong, right], [right]),
    ):  # fmt: skip
        assert ir.evaluate(judgments, results, ["RR"])["RR"] == 0.5
    assert ir.evaluate(judged, {"a": [wrong]}, ["RR"])["RR"] == 0.0


@pytest.mark.parametrize("odd", [Path("d"), b"d", Answer.YES, object()])
def test_objects_that_are_no_ids_are_refused_by_their_class(odd: object) -> None:
    """The printed form of any other object would be an id that means nothing."""
    for call in (
        lambda: ir.evaluate({"a": ["d"]}, {"a": [odd]}, ["RR"]), lambda: ir.from_ranking([odd], {"d": 1}),
        lambda: ir.from_ranking(["d"], [odd]),
    ):  # fmt: skip
        with pytest.raises(ir.DataError, match=f"{type(odd).__name__} is no id of a document"):
            call()


def test_a_set_has_no_order_by_any_door() -> None:
    """By query, in rows, columns, frames, as one ranking and of a search, a set is refused in the same words."""
    returned = {"d9", "d1", "d2"}
    for call in (
        lambda: ir.evaluate({"q1": ["d1"]}, {"q1": returned}, ["RR"]),
        lambda: ir.evaluate({"q1": ["d1"]}, [{"query": "q1", "retrieved_ids": returned}], ["RR"]),
        lambda: ir.evaluate({"q1": ["d1"]}, {"query": ["q1"], "retrieved_ids": [returned]}, ["RR"]),
        lambda: ir.evaluate({"q1": ["d1"]}, pd.DataFrame({"query": ["q1"], "retrieved_ids": [returned]}), ["RR"]),
        lambda: ir.replay({"q1": "q1"}, lambda _: returned),
        lambda: ir.from_ranking(returned, {"d1": 1}),
    ):
        with pytest.raises(ir.DataError, match="a set has no order"):
            call()


def test_a_ranking_with_scores_and_relevant_ids() -> None:
    """from_ranking orders a dict by its scores, and takes the ids of relevant documents in the place of grades."""
    assert ir.evaluate(*ir.from_ranking({"a": 0.5, "b": 0.9}, {"a": 1}), ["RR"])["RR"] == 0.5
    assert ir.evaluate(*ir.from_ranking(pd.Series({"a": 0.5, "b": 0.9}), pd.Series({"a": 1})), ["RR"])["RR"] == 0.5
    for relevant in (["A", "B", "C"], pd.Series(["A", "B", "C"]), np.array(["A", "B", "C"])):
        found = ir.evaluate(*ir.from_ranking(["A", "Z", "B", "X"], relevant), ["AP@3"])
        assert found["AP@3"] == pytest.approx((1 + 2 / 3) / 3)
    for ranking, grades in (
        ("d1", {"d1": 1}), (["d1"], None), (["d1"], 3), (pd.DataFrame({"doc": ["a"]}), {"a": 1}),
        (["d1", "d2", "d3"], [1, 0, 1]),
    ):  # fmt: skip
        with pytest.raises(ir.DataError):
            ir.from_ranking(ranking, grades)  # type: ignore[arg-type]


def test_arrays_of_ids_by_query() -> None:
    """The rows of an index's answer are read as lists are, whether they are equally long or not."""
    judged = {"u1": ["x"], "u2": ["x"]}
    for more in ([], ["z"]):
        returned = {"u1": np.array(["y", "x"]), "u2": np.array(["y", "x", *more])}
        assert ir.evaluate(judged, returned, ["RR"])["RR"] == 0.5
        columns = {query: pd.Series(ids) for query, ids in returned.items()}
        rows = [{"query": query, "retrieved_ids": ids} for query, ids in returned.items()]
        assert ir.evaluate(judged, columns, ["RR"])["RR"] == ir.evaluate(judged, rows, ["RR"])["RR"] == 0.5
    scores = {"u1": pd.Series({"x": 0.5, "y": 0.9}), "u2": pd.Series({"x": 0.5, "z": 0.9})}
    assert ir.evaluate(judged, scores, ["RR"])["RR"] == 0.5


def test_arrays_of_a_row_for_each_query() -> None:
    """Grades and scores of queries by documents, as scikit-learn takes them, need no groups."""
    grades, scores = [[1, 0, 2], [0, 1, 0]], [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]
    for make in (np.array, list):
        assert ir.evaluate(*ir.from_groups(make(grades), make(scores)), ["RR"])["RR"] == 0.75
    for other in (np.ones((2, 2)), np.ones((1, 2, 3)), np.ones(6)):
        with pytest.raises(ir.DataError, match="in a row for each query"):
            ir.from_groups(grades, other)
    with pytest.raises(ir.DataError, match="which has one document or more"):
        ir.from_groups([[1, 0], []], [[0.1, 0.2], []])  # no query vanishes


def test_a_payload_is_a_column_that_nobody_asked_for() -> None:
    """Rows with an object beside query and document are read as the same rows of a file or a frame are."""
    rows = [{"query": "q1", "doc": doc, "score": score, "payload": {"x": 1}} for doc, score in (("b", 2.0), ("a", 1.0))]
    judged = [{"query": "q1", "doc": "a", "grade": 1, "meta": {"x": 1}}]
    assert ir.evaluate(judged, rows, ["RR"])["RR"] == ir.evaluate(judged, pd.DataFrame(rows), ["RR"])["RR"] == 0.5
    tagged = [{**row, "tags": {"new"}} for row in rows]
    assert ir.evaluate(judged, tagged, ["RR"])["RR"] == 0.5


def test_a_row_of_unknown_names_may_have_an_object_beside() -> None:
    """Predictions with details are rows, as tuples and as dicts, whose columns are named by the caller."""
    Prediction = namedtuple("Prediction", "uid iid r_ui est details")
    rows = [Prediction("u", "a", 1.0, 0.5, {"k": 3}), Prediction("u", "b", 0.0, 0.9, {"k": 3})]
    for given in (rows, [row._asdict() for row in rows]):
        judged = ir.read_judgments(given, query="uid", doc="iid", grade="r_ui")
        assert ir.evaluate(judged, ir.read_results(given, query="uid", doc="iid", score="est"), ["RR"])["RR"] == 0.5


@pytest.mark.parametrize(
    ("given", "way"),
    [([["A", "B"], ["C"]], "dict(enumerate(relevant))"), (["one", "two"], "ir.from_ranking(returned, relevant)"),
     ([("A", "B"), ("C",)], "dict(enumerate(relevant))"), ([{"A"}, {"B"}], "dict(enumerate(relevant))"),
     ([[1, 2], [3]], "dict(enumerate(relevant))"), (np.array([["A", "B"]]), "dict(enumerate(relevant))"),
     (np.zeros((2, 3)), "ir.from_groups(grades, scores)")],
)  # fmt: skip
def test_what_is_no_table_is_told_the_way(given: Any, way: str) -> None:
    """Parallel lists of ids, the ids of one query and arrays of numbers are refused with the call that takes them."""
    with pytest.raises(ir.DataError) as refused:
        ir.read_judgments(given)
    assert way in str(refused.value)


def test_answers_by_query_are_read_as_their_file(tmp_path: Path) -> None:
    """What a vector store answers for each query, as Python has it, is read as the same JSON is."""
    answers = {
        "red shoes": {"matches": [{"id": "b", "score": 1.0}, {"id": "a", "score": 0.5}], "namespace": ""},
        "bag": {"matches": [{"id": "e", "score": 0.5}], "namespace": ""},
    }
    points = {query: {"points": answer["matches"]} for query, answer in answers.items()}
    objects = {
        query: {"objects": [{"uuid": one["id"]} for one in answer["matches"]]} for query, answer in answers.items()
    }
    for shape in (answers, points, objects):
        (tmp_path / "answers.json").write_text(json.dumps(shape))
        rows = [{"query": query, **answer} for query, answer in shape.items()]
        kept = [{"query": query, "response": answer} for query, answer in shape.items()]
        for given in (shape, tmp_path / "answers.json", rows, pd.DataFrame(rows), kept):
            assert ir.evaluate({"red shoes": {"a": 1}, "bag": {"e": 1}}, given, ["RR"])["RR"] == 0.75


def test_passages_that_say_whether_they_have_the_answer(tmp_path: Path) -> None:
    """Retrieved passages with has_answer are results and their judgments, by that and never by their scores."""
    passages = [{"id": "1", "score": 9.1, "has_answer": False}, {"id": "2", "score": 8.1, "has_answer": True}]
    rows, path = [{"question": "who was it", "answers": ["Ann"], "ctxs": passages}], tmp_path / "dpr.json"
    path.write_text(json.dumps(rows))
    for given in (rows, pd.DataFrame(rows), path):
        assert ir.evaluate(given, measures=["RR"])["RR"] == 0.5
    for one in passages:
        del one["has_answer"]
    path.write_text(json.dumps(rows))
    with pytest.raises(ir.DataError, match="its scores are the grades, and as the results"):
        ir.evaluate(ir.read_judgments(path, doc="ctxs"), path, ["RR"])
