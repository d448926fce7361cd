"""Which value is explained: a query by id or text, a measure, a system; and queries without results."""

from __future__ import annotations

import json
import math

import pytest

import idealrank as ir
from tests.evaluation.worlds import JUDGMENTS, RESULTS, several


def test_a_query_by_id_or_by_text() -> None:
    """A query is found by its id, whatever its type, and else by its text; an id wins over a text."""
    judgments = {"query_id": [1, 2, 3], "query": ["red", "blue", "1"], "doc": ["d"] * 3, "grade": [1, 0, 1]}
    results = {"query_id": [1, 2, 3], "doc": ["d"] * 3, "rank": [1, 1, 1]}
    for query in (1, "1", 1.0, "red"):
        found = ir.explain(judgments, results, "RR", query=query)
        assert (found.query, found.text, found.score) == ("1", "red", 1.0)


def test_a_text_of_several_ids_names_them() -> None:
    """A text that belongs to several ids is refused, and the ids are named."""
    judgments = {"query_id": [1, 2], "query": ["red", "red"], "doc": ["d", "d"], "grade": [1, 1]}
    results = {"query_id": [1, 2], "doc": ["d", "d"], "rank": [1, 1]}
    with pytest.raises(ir.UsageError, match="'red' is the text of 2 queries: '1', '2'"):
        ir.explain(judgments, results, "RR", query="red")


def test_a_query_that_is_not_there() -> None:
    """An unknown query is answered by the nearest; one without judgments is told so."""
    with pytest.raises(ir.UsageError, match=r"No judged query 'q11'\. Did you mean q1\?"):
        ir.explain(JUDGMENTS, RESULTS, "RR", query="q11")
    with pytest.raises(ir.UsageError, match="'q9' has results but no judgments"):
        ir.explain(JUDGMENTS, RESULTS, "RR", query="q9")


def test_the_only_query_needs_no_name() -> None:
    """Where there is one query it is explained; where there are more, one must be named."""
    assert ir.explain(*ir.from_grades([3, 2]), "DCG").query == "q"
    with pytest.raises(ir.UsageError, match="Which of the 3 queries"):
        ir.explain(JUDGMENTS, RESULTS, "RR")


def test_one_measure_and_one_system() -> None:
    """Several measures or systems are refused; one system is named."""
    with pytest.raises(ir.UsageError, match="one measure with one cutoff"):
        ir.explain(JUDGMENTS, RESULTS, "nDCG@5,10", query="q1")
    with pytest.raises(ir.UsageError, match="Several systems: up, down"):
        ir.explain(JUDGMENTS, several(RESULTS), "RR", query="q1")
    found = ir.explain(JUDGMENTS, several(RESULTS), "RR", query="q2", system="up")
    assert (found.system, found.score) == ("up", 0.5)


def test_a_query_without_results() -> None:
    """A query without results has no steps, its own ideal, and the score its decision gives it."""
    found = ir.explain(JUDGMENTS, RESULTS, "nDCG", query="q3")
    assert len(found.steps) == 0
    assert found.ideal["doc"] == ["d1"]
    assert found.score == 0.0
    assert found.notes == ("The system returned nothing for this query: it counts 0 (no_results=0).",)
    skipped = ir.explain(JUDGMENTS, RESULTS, "nDCG", query="q3", no_results="skip")
    assert math.isnan(skipped.score)
    assert "is left out of the mean (no_results=skip)" in skipped.notes[0]
    assert json.loads(skipped.to_json())["score"] is None
    assert "contributions" not in repr(skipped)
    assert "no results" in repr(found)


def test_explanation_of_finished_scores() -> None:
    """Finished scores explain their own values as `explain` does."""
    scores = ir.evaluate(JUDGMENTS, RESULTS, ["nDCG", "AP"])
    again = ir.explain(JUDGMENTS, RESULTS, "AP", query="q1")
    assert scores.explain("map", "q1").to_dict() == again.to_dict()
