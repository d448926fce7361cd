"""What a person may hand over as ids and documents in Python: each kind has one reading, or one refusal."""

from __future__ import annotations

import datetime
import enum
import uuid
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


def test_a_ranking_with_scores_and_relevant_ids() -> None:
    """from_ranking orders a dict by its scores, and takes the ids of relevant documents in the place of grades."""
    assert ir.evaluate(*ir.from_ranking({"a": 0.5, "b": 0.9}, {"a": 1}), ["RR"])["RR"] == 0.5
    assert ir.evaluate(*ir.from_ranking(pd.Series({"a": 0.5, "b": 0.9}), pd.Series({"a": 1})), ["RR"])["RR"] == 0.5
    found = ir.evaluate(*ir.from_ranking(["A", "Z", "B", "X"], ["A", "B", "C"]), ["AP@3"])
    assert found["AP@3"] == pytest.approx((1 + 2 / 3) / 3)
    for ranking, grades in (("d1", {"d1": 1}), (["d1"], None), (["d1"], 3), (pd.DataFrame({"doc": ["a"]}), {"a": 1})):
        with pytest.raises(ir.DataError):
            ir.from_ranking(ranking, grades)  # type: ignore[arg-type]


def test_arrays_of_ids_by_query() -> None:
    """The rows of an index's answer are read as lists are, whether they are equally long or not."""
    judged = {"u1": ["x"], "u2": ["x"]}
    for more in ([], ["z"]):
        returned = {"u1": np.array(["y", "x"]), "u2": np.array(["y", "x", *more])}
        assert ir.evaluate(judged, returned, ["RR"])["RR"] == 0.5


def test_a_payload_is_a_column_that_nobody_asked_for() -> None:
    """Rows with an object beside query and document are read as the same rows of a file or a frame are."""
    rows = [{"query": "q1", "doc": doc, "score": score, "payload": {"x": 1}} for doc, score in (("b", 2.0), ("a", 1.0))]
    judged = [{"query": "q1", "doc": "a", "grade": 1, "meta": {"x": 1}}]
    assert ir.evaluate(judged, rows, ["RR"])["RR"] == ir.evaluate(judged, pd.DataFrame(rows), ["RR"])["RR"] == 0.5


@pytest.mark.parametrize(
    ("given", "way"),
    [([["A", "B"], ["C"]], "dict(enumerate(relevant))"), (["one", "two"], "ir.from_ranking(returned, relevant)"),
     (np.zeros((2, 3)), "ir.from_groups(grades, scores)")],
)  # fmt: skip
def test_what_is_no_table_is_told_the_way(given: Any, way: str) -> None:
    """Parallel lists of ids, the ids of one query and arrays of numbers are refused with the call that takes them."""
    with pytest.raises(ir.DataError) as refused:
        ir.read_judgments(given)
    assert way in str(refused.value)
