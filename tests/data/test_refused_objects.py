"""Data in memory is refused like files: rows count from 0, as in the frame."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from tests.data.refused import EMPTY, FINITE, NO_ROW, NUMBER
from tests.data.test_columns import refusal

NAN, INF = float("nan"), float("inf")
NO_TABLE = (
    "is not a table. Give a path, a dataframe (pandas, polars, pyarrow, DuckDB), "
    "a dict of columns, a dict of dicts, or a list of rows."
)
MISSING = "id is missing. Give every row one."
WHOLE = "is not a whole number. Ids must be text or whole numbers."
WAYS = "Remove one, or choose: duplicates=first, last or max."
PARTS = "If rows are parts of documents, such as chunks: unit=doc_id."
JUDGED_WAYS = "Remove one, or choose: duplicates=first, last, max, mean, median or majority."
TWICE = "is judged a second time for query"
NO_SCORE = "the score is missing or NaN. Give a finite number."
J = {"query_id": [1, 1, 2], "doc_id": ["a", "b", "c"], "grade": [3, 1, 2]}
R = {"query_id": [1, 1, 2], "doc_id": ["a", "b", "c"], "score": [9.5, 8.5, 7.5]}

JUDGMENTS: dict[str, tuple[Any, str]] = {
    "None": (None, f"judgments: NoneType {NO_TABLE}"),
    "a number": (3, f"judgments: int {NO_TABLE}"),
    "a single column": (pd.Series([1]), f"judgments: Series {NO_TABLE}"),
    "an empty dict": ({}, f"judgments: {EMPTY}"),
    "an empty list": ([], f"judgments: {EMPTY}"),
    "a frame without rows": (pd.DataFrame(J)[:0], f"judgments: {NO_ROW}"),
    "the grades of one ranking": (
        {"a": 3},
        "judgments: this dict is neither a dict of columns {name: [values]} nor a dict of dicts "
        "{query: {document: number}}. For a single ranking and its grades, use from_ranking.",
    ),
    "a dict of both": (
        {"q1": {"a": 3}, "q2": [1]},
        "judgments['q2'] is a list, not a dict of documents. Give {document: number}, or {} where there is none.",
    ),
    "columns of different length": (
        {**J, "grade": [1]},
        "judgments: the columns differ in length (query_id 3, doc_id 3, grade 1). Give every column one value per row.",
    ),
    "a column of two dimensions": (
        {**J, "grade": pd.DataFrame([[1], [2], [3]]).to_numpy()},
        "judgments: column 'grade' has 2 dimensions. Give one value per row.",
    ),
    "tuples": ([(1, "a", 3)], "judgments row 0: (1, 'a', 3) is not a row. Give dicts or named tuples."),
    "a row that is none": (
        [{"query_id": 1, "doc_id": "a", "grade": 1}, None],
        "judgments row 1: None is not a row. Give dicts or named tuples.",
    ),
    "two columns of one name": (
        pd.DataFrame(J).set_axis(["query_id", "doc_id", "doc_id"], axis=1),
        "judgments: two columns are called 'doc_id'. Rename one.",
    ),
    "a grade that is no number": ({**J, "grade": [3, "x", 2]}, f"judgments row 1: grade 'x' {NUMBER}"),
    "a grade of a dict that is no number": (
        {1: {"a": "x"}},
        "judgments query 1, document 'a': grade 'x' is a word, not a number. Say what each label is worth: "
        "grades={'x': …}.",
    ),
    "an inf grade": (pd.DataFrame({**J, "grade": [3, INF, 2]}), f"judgments row 1: grade 'inf' {FINITE}"),
    "an inf grade of a dict": ({1: {"b": 1, "a": INF}}, f"judgments['1']['a']: grade 'inf' {FINITE}"),
    "a duplicate": (
        {**J, "query_id": [1, 2, 2], "doc_id": ["a", "b", "b"]},
        f"judgments row 2: document 'b' {TWICE} '2', with grade 2 after 1 (first: row 1). {JUDGED_WAYS}",
    ),
    "no document id in a dict": ({1: {"a": 1, None: 2}}, f"judgments[1][None]: the doc {MISSING}"),
    "a fraction as a key": ({1.5: {"a": 1}}, f"judgments[1.5]['a']: query id 1.5 {WHOLE}"),
    "a fraction as a document": ({1: {2.5: 1}}, f"judgments[1][2.5]: doc id 2.5 {WHOLE}"),
}  # fmt: skip

RESULTS: dict[str, tuple[Any, str]] = {
    "an empty list": ([], f"results: {EMPTY}"),
    "a NaN score": (pd.DataFrame({**R, "score": [1, NAN, 2]}), f"results row 1: {NO_SCORE}"),
    "a missing score": ({**R, "score": [1, None, 2]}, f"results row 1: {NO_SCORE}"),
    "a NaN score in a dict": ({1: {"a": 1.0, "b": NAN}}, f"results['1']['b']: {NO_SCORE}"),
    "scores that are all NaN": ({**R, "score": [NAN] * 3}, f"results row 0: {NO_SCORE}"),
    "an inf score": ({**R, "score": [1, -INF, 2]}, f"results row 1: score '-inf' {FINITE}"),
    "an inf score in a dict": ({1: {"a": INF}}, f"results['1']['a']: score 'inf' {FINITE}"),
    "a duplicate": (
        pd.DataFrame({**R, "doc_id": ["a", "a", "c"]}),
        f"results row 1: document 'a' is returned a second time for query '1' (first: row 0). {WAYS} {PARTS}",
    ),
    "what FAISS pads with": (
        pd.DataFrame({**R, "doc_id": ["-1", "-1", "c"]}),
        f"results row 1: document '-1' is returned a second time for query '1' (first: row 0). {WAYS} FAISS returns -1 "
        "where it found nothing: leave these rows out.",
    ),
    "no query id": ({**R, "query_id": [1, None, 2]}, f"results row 1: the query {MISSING}"),
    "an empty query id": ({**R, "query_id": ["1", "", "2"]}, f"results row 1: the query {MISSING}"),
}


@pytest.mark.parametrize("case", JUDGMENTS)
def test_judgments_refused(case: str) -> None:
    """Bad judgments in memory are refused with the row, or the key."""
    given, message = JUDGMENTS[case]
    assert refusal(lambda: ir.evaluate(given, R)) == message


@pytest.mark.parametrize("case", RESULTS)
def test_results_refused(case: str) -> None:
    """Bad results in memory are refused with the row."""
    given, message = RESULTS[case]
    assert refusal(lambda: ir.evaluate(J, given)) == message
