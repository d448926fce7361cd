"""Documents and their numbers in two lists, or in pairs."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from idealrank.data.formats.head import HEAD

GRADES = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d9": 3}}
ORDER = {"q1": ["d1", "d2", "d3"], "q2": ["d9"]}
DCG = ((1 + 2 / math.log2(4)) + 3) / 2
"""By hand, of `ORDER`: grades 1, 0, 2 at ranks 1 to 3, and grade 3 at rank 1."""

FORMS = ["rows", "jsonl", "json", "pandas", "csv", "by query", "JSON by query"]


def given(rows: list[dict[str, Any]], form: str, folder: Path) -> Any:
    """Return rows with lists in one of the forms people have them in."""
    by_query = {row["query"]: {name: value for name, value in row.items() if name != "query"} for row in rows}
    if form in ("rows", "pandas", "by query"):
        return {"rows": rows, "pandas": pd.DataFrame(rows), "by query": by_query}[form]
    path = folder / f"x.{'json' if form == 'JSON by query' else form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif form == "csv":
        pd.DataFrame(rows).to_csv(path, index=False)
    else:
        path.write_text(json.dumps(rows if form == "json" else by_query))
    return path


@pytest.mark.parametrize(
    ("names", "form"),
    [("doc_ids grades", form) for form in FORMS]
    + [(names, "rows") for names in ("relevant_ids relevance", "doc_id grade", "docs labels")],
)
def test_grades_beside_documents(names: str, form: str, tmp_path: Path) -> None:
    """A list of grades beside a list of documents gives each document its grade."""
    docs, grades = names.split()
    rows = [{"query": q, docs: list(graded), grades: list(graded.values())} for q, graded in GRADES.items()]
    assert ir.evaluate(given(rows, form, tmp_path), ORDER, ["DCG"])["DCG"] == pytest.approx(DCG)


@pytest.mark.parametrize(
    ("names", "form"),
    [("retrieved_ids scores", form) for form in FORMS]
    + [(names, "rows") for names in ("doc_ids retrieved_scores", "product_ids score")],
)
def test_scores_beside_documents(names: str, form: str, tmp_path: Path) -> None:
    """Results are ordered by the scores beside them, not by their place in the list."""
    docs, scores = names.split()
    rows = [
        {"query": "q1", docs: ["d3", "d2", "d1"], scores: [0.1, 0.2, 0.9]},
        {"query": "q2", docs: ["d9"], scores: [1.0]},
    ]
    assert ir.evaluate(GRADES, given(rows, form, tmp_path), ["DCG"], order_by="score")["DCG"] == pytest.approx(DCG)


def test_ranks_beside_documents() -> None:
    """Results are ordered by the ranks beside them."""
    rows = [
        {"query": "q1", "doc_ids": ["d3", "d2", "d1"], "ranks": [3, 2, 1]},
        {"query": "q2", "doc_ids": ["d9"], "ranks": [1]},
    ]
    assert ir.evaluate(GRADES, rows, ["DCG"])["DCG"] == pytest.approx(DCG)


def test_numbers_belong_to_the_list_of_their_kind() -> None:
    """Beside two lists, grades belong to the relevant documents and scores to the results, by their ids."""
    row = {
        "question": "a", "relevant_ids": ["d1", "d3"], "grades": [1, 2], "retrieved_chunks": ["one", "two", "three"],
        "retrieved_ids": ["d3", "d2", "d1"], "scores": [0.1, 0.2, 0.9],
    }  # fmt: skip
    assert ir.evaluate([row], measures=["DCG"], order_by="score")["DCG"] == pytest.approx(1 + 2 / math.log2(4))


def test_graded_results() -> None:
    """Grades beside results are their judgments; the results keep their order."""
    row = {"question": "a", "retrieved_ids": ["d1", "d2", "d3"], "grades": [1, 0, 2]}
    assert ir.evaluate([row], measures=["DCG"])["DCG"] == pytest.approx(1 + 2 / math.log2(4))


def test_words_as_grades() -> None:
    """Labels in words beside documents are grades on the scale that is given."""
    found = ir.read_judgments([{"query": "a", "doc_ids": ["d1", "d2"], "labels": ["E", "S"]}], grades="E=3,S=2")
    assert found.ratings.ravel().tolist() == [3, 2]


SHORT = [
    {"query": "a", "retrieved_ids": ["d1", "d2"], "scores": [0.9, 0.8]},
    {"query": "b", "retrieved_ids": ["d1", "d2"], "scores": [0.9]},
]
WHERE = {"rows": "row 1", "jsonl": "line 2", "json": "row 1", "pandas": "row 1", "csv": "line 3"}


@pytest.mark.parametrize("form", WHERE)
def test_lists_of_different_lengths(form: str, tmp_path: Path) -> None:
    """A list of scores that is too short is refused with its row."""
    with pytest.raises(ir.DataError, match=rf"{WHERE[form]}: retrieved_ids contains 2 values and scores contains 1\."):
        ir.read_results(given(SHORT, form, tmp_path))


def test_documents_without_grades_among_others() -> None:
    """A row without the list of grades that other rows have is refused."""
    rows = [{"query": "a", "doc_ids": ["d1"], "grades": [1]}, {"query": "b", "doc_ids": ["d1"]}]
    with pytest.raises(ir.DataError, match="row 1: doc_ids contains documents without a grade"):
        ir.read_judgments(rows)


@pytest.mark.parametrize("form", WHERE)
def test_a_bad_number_is_named_by_the_row_of_the_input(form: str, tmp_path: Path) -> None:
    """The row in a message is the input's, not that of the rows the lists become."""
    rows = [
        {"query": "a", "retrieved_ids": ["d1", "d2"], "scores": [0.9, 0.8]},
        {"query": "b", "retrieved_ids": ["d1"], "scores": ["x"]},
    ]
    with pytest.raises(ir.DataError, match=f"{WHERE[form]}: score 'x'"):
        ir.evaluate({"a": {"d1": 1}}, given(rows, form, tmp_path), ["DCG"], order_by="score")


def test_long_lists_in_the_first_row(tmp_path: Path) -> None:
    """Grades are read even if the documents of the first row fill the beginning of the file that is looked at."""
    docs = [f"document-{n:06}" for n in range(HEAD // 10)]
    rows = [{"query": "q", "doc_ids": docs, "grades": [n % 3 for n in range(len(docs))]}]
    for path in (tmp_path / "x.json", tmp_path / "x.jsonl"):
        path.write_text(json.dumps(rows if path.suffix == ".json" else rows[0]))
        assert ir.read_judgments(path).ratings.ravel().tolist()[:4] == [0, 1, 2, 0]


PAIRS = [("d3", 0.1), ("d2", 0.2), ("d1", 0.9)]
"""Best last, so that the order of the list and that of the scores differ."""


OBJECTS = [(SimpleNamespace(id=doc, metadata={}), score) for doc, score in PAIRS]


@pytest.mark.parametrize(
    "results",
    [
        [{"query": "q1", "retrieved": PAIRS}, {"query": "q2", "retrieved": [("d9", 1)]}],
        [{"query": "q1", "retrieved": [list(pair) for pair in PAIRS]}, {"query": "q2", "retrieved": [["d9", 1]]}],
        [{"query": "q1", "docs": OBJECTS}, {"query": "q2", "docs": [("d9", 1)]}],
        {"q1": PAIRS, "q2": [("d9", 1), ("d2", 0), ("d3", 0)]},
        {"q1": [list(pair) for pair in PAIRS], "q2": [["d9", 1]]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("file", [False, True])
def test_pairs_of_documents_and_scores(results: Any, file: bool, tmp_path: Path) -> None:
    """Each pair of a document, or its id, and a number is a result with that score."""
    if file:
        path = tmp_path / "x.json"
        path.write_text(json.dumps(results, default=lambda document: document.id))
        results = path
    assert ir.evaluate(GRADES, results, ["DCG"], order_by="score")["DCG"] == pytest.approx(DCG)


@pytest.mark.parametrize(
    ("cells", "docs"),
    [
        (["['d1' 'd3']", "['d9']"], ["d1", "d3", "d9"]),
        (["['d1'\n 'd3']", '["d9"]'], ["d1", "d3", "d9"]),
        (["[\"d'1\" 'd 3']", "['d9' 'd8']"], ["d'1", "d 3", "d9", "d8"]),
        (["[1 3]", "[9]"], ["1", "3", "9"]),
        (["[ 1. 30.]", "[9.]"], ["1", "30", "9"]),
    ],
)
def test_lists_as_numpy_prints_them(cells: list[str], docs: list[str], tmp_path: Path) -> None:
    """Arrays of NumPy that pandas wrote as text are lists: Python would read the texts as one, 'd1d3'."""
    path = tmp_path / "x.csv"
    pd.DataFrame({"query": ["q1", "q2"], "relevant_ids": cells}).to_csv(path, index=False)
    results = {query: {doc: 1 / rank for rank, doc in enumerate(docs, 1)} for query in ("q1", "q2")}
    assert ir.evaluate(path, results, ["NumRelRet"])["NumRelRet"] == len(docs)


@pytest.mark.parametrize("cell", ["['d1' ... 'd3']", "[d1, d3]", "('d1')", "[1 3"])
def test_cells_that_are_no_lists(cell: str, tmp_path: Path) -> None:
    """A cell that begins like the lists of its column, and is none, would be one document that nobody returned."""
    path = tmp_path / "x.csv"
    pd.DataFrame({"query": ["q1", "q2"], "relevant_ids": ['["d9"]', cell]}).to_csv(path, index=False)
    with pytest.raises(ir.DataError, match=r"line 3: relevant_ids is a list in other rows, but cannot be read as one"):
        ir.read_judgments(path)
