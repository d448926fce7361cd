"""What peek counts: the same as in texts, without one for every row."""

import itertools
import tracemalloc
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank._core import from_columns
from idealrank.data.recognition.recognize import count_judgments, count_results
from idealrank.data.rows_to_count import places_among

JUDGED: list[Any] = [
    [{"query": 1, "doc": 12, "grade": 1}, {"query": 2, "doc": 13, "grade": None}, {"query": 1, "doc": 12, "grade": 1}],
    [{"query": "1", "doc": "12", "grade": 1}, {"query": "r", "doc": "", "grade": None}],
    [{"query": "q", "doc": "a", "rater": "y", "grade": 1}, {"query": "q", "doc": "a", "rater": "x", "grade": 2}],
]
RETURNED: list[Any] = [
    [{"query": "1", "doc": "12", "score": 2.5}, {"query": "1", "doc": "7", "score": 1.5}, {"query": "z", "doc": None}],
    [{"query": 1, "doc": 13, "system": "b", "score": 2.5}, {"query": 3, "doc": 12, "system": "a", "score": 2.5}],
    [{"query": "q", "doc": "a", "score": 2.5}, {"query": "q", "doc": "a", "score": 1.5}],
    [{"query": "q", "doc": "", "rank": None, "error": "late"}, {"query": "1", "doc": "12", "rank": 1, "error": ""}],
    [
        {"query": "q", "doc": "a", "rank": 1},
        {"query": "q", "doc": "b", "rank": 2},
        {"query": "1", "doc": "b", "rank": 1},
    ],
]


@pytest.mark.parametrize(("judged", "returned"), list(itertools.product(JUDGED, RETURNED)))
def test_counts_are_those_of_the_texts(judged: Any, returned: Any) -> None:
    """Ids meet by their text: the number 12 and the text 12 are one document."""
    judgments, results = ir.read_judgments(judged), ir.read_results(returned)
    for table, counted in ((judgments, count_judgments), (results, count_results)):
        rows, found = table.rows_to_write(), counted(table.rows_to_count())
        assert (found.rows, found.queries) == (len(rows), frozenset(rows.query))
        assert found.documents == len(set(filter(None, rows.doc)))
    graded = judgments.rows_to_write()
    pairs = {
        (query, doc)
        for query, doc, grade in zip(graded.query, graded.doc, graded.grade, strict=True)
        if doc and not np.isnan(grade)
    }
    rows = results.rows_to_write()
    came = {pair for pair in zip(rows.query, rows.doc, strict=True) if pair[1]}
    asked = [pair for pair in came if pair[0] in {query for query, _ in pairs}]
    (joined,) = ir.peek(judged, returned).joined
    assert joined.judged_share == (sum(pair in pairs for pair in asked) / len(asked) if asked else None)
    documents = {doc for _, doc in came}
    known = documents & {doc for _, doc in pairs}
    assert joined.seen_share == (len(known) / len(documents) if documents else None)


def test_a_row_for_each_rater() -> None:
    """A table with a column for each rater has a row for each, and only some have a grade."""
    rows = [{"query": "q", "doc": "a", "x": 1, "y": None}, {"query": "q", "doc": "b", "x": 2, "y": 1}]
    found = count_judgments(ir.read_judgments(rows, grade=["x", "y"]).rows_to_count())
    assert (found.rows, found.documents, found.ungraded, found.raters) == (4, 2, 1, ("x", "y"))
    assert found.grades == {"1": 2, "2": 1}


def test_an_id_that_is_none_of_the_known_ones() -> None:
    """It has the place −1."""
    known = from_columns(["id"], [np.array([12, 5])]).column(0)
    assert places_among(from_columns(["id"], [["5", "x", "12"]]).column(0), known).tolist() == [1, -1, 0]


def test_no_text_for_every_row() -> None:
    """What Python and NumPy hold at most is some numbers a row, not two texts and a pair."""
    many = 40_000
    run = "".join(f"query{row // 100} Q0 document{row} 1 {100 - row % 100} s\n" for row in range(many)).encode()
    ir.peek(b"query1 0 document1 1\n", run[:1000])  # what is imported for it
    tracemalloc.start()
    ir.peek(b"query1 0 document1 1\n", run)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 60 * many, most / many
