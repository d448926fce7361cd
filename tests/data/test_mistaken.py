"""Results forgotten, tables given in the wrong order, lists where ids should be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import idealrank as ir

JUDGMENTS = {"a": {"x": 1, "zz": 0, "y": 3}, "b": {"k": 2, "l": 0}}


def warnings(*tables: Any) -> tuple[str, ...]:
    """Return the warnings of an evaluation."""
    return ir.evaluate(*tables, ["RR"]).ledger.warnings


@pytest.mark.parametrize("given", [JUDGMENTS, ir.read_judgments(JUDGMENTS)], ids=["dict", "judgments"])
def test_a_dict_of_dicts_holds_no_results(given: Any) -> None:
    """A dict of dicts of judgments alone is refused, not taken as its own perfect results."""
    with pytest.raises(ir.DataError, match="no results given, and a dict of dicts has one number per document"):
        ir.evaluate(given)


def test_trec_judgments_hold_no_results(tmp_path: Path) -> None:
    """TREC judgments alone are refused: no results were given."""
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    with pytest.raises(ir.DataError, match="no results given, and TREC judgments have one number per document"):
        ir.evaluate(tmp_path / "qrels")


def test_named_columns_without_results() -> None:
    """Where the columns of judgments were named and no results given, the error says so."""
    table = ir.read_judgments({"Q": [1], "D": ["a"], "G": [1]}, query="Q", doc="D", grade="G")
    with pytest.raises(ir.DataError, match="No results were given, so they were looked for in the judgments' table"):
        ir.evaluate(table, None)


def test_judgments_given_twice() -> None:
    """The same dict, or a table whose score is its grade, given as both is warned of; copies are not compared."""
    said = "judgments: given as the results too, and their score is the grade; results come second"
    assert warnings(JUDGMENTS, JUDGMENTS) == (said,)
    table = {"query_id": [1, 1], "doc_id": ["a", "b"], "score": [1, 0]}
    assert warnings(table, table) == (said,)
    ranked = {"query_id": [1, 1], "doc_id": ["a", "b"], "grade": [1, 0], "rank": [2, 1]}
    assert warnings(ranked, ranked) == ()
    assert warnings(JUDGMENTS, {query: dict(inner) for query, inner in JUDGMENTS.items()}) == ()


def test_a_file_given_twice_keeps_its_name(tmp_path: Path) -> None:
    """A path given twice is a system called after the file, as any other."""
    path = tmp_path / "bm25.csv"
    path.write_text("query_id,doc_id,grade,rank\n1,a,1,2\n1,b,0,1\n")
    assert ir.evaluate(path, path, ["RR"]).systems == ("bm25",)


@pytest.mark.parametrize(("numbers", "warned"), [([2.5, 1.0], True), ([2, 1], False), ([2.0, None], False)])
def test_scores_read_as_grades(numbers: list[Any], warned: bool) -> None:
    """Fractions in a column called score are doubted as grades; whole ones, as in a notebook, are grades."""
    results = {"query_id": [1], "doc_id": ["a"], "SCORE": [0.5]}
    found = warnings({"query_id": [1, 1], "doc_id": ["a", "b"], "SCORE": numbers}, results)
    said = "judgments: fractions, and the score is read as the grade; are these results? Judgments come first"
    assert found == ((said,) if warned else ())
    named = ir.read_judgments({"query_id": [1, 1], "doc_id": ["a", "b"], "SCORE": numbers}, grade="SCORE")
    assert warnings(named, results) == ()


@pytest.mark.parametrize("value", [["a"], {"a": 1}, ("a",), {"a"}], ids=["list", "dict", "tuple", "set"])
@pytest.mark.parametrize("kind", ["columns", "pandas", "objects"])
def test_lists_are_no_ids(value: Any, kind: str) -> None:
    """A list or object among Python objects is refused as an id with its row, and passed over in other columns."""
    columns = {"query_id": [1, 1], "doc_id": ["b", value], "grade": [1, 2]}
    table: Any = columns if kind == "columns" else pd.DataFrame(columns, dtype=object if kind == "objects" else None)
    with pytest.raises(ir.DataError, match=r"judgments row 1: doc_id .* is a list or an object\. Give one text"):
        ir.evaluate(table, {"1": {"b": 1.0}})
    spare = {**columns, "doc_id": ["b", "c"], "categories": columns["doc_id"]}
    assert ir.evaluate(spare if kind == "columns" else pd.DataFrame(spare), {"1": {"b": 1.0}}, ["RR"])["RR"] == 1.0


def test_a_query_id_of_blanks() -> None:
    """A query id that nobody sees is none."""
    table = {"query_id": ["q", "  "], "doc_id": ["a", "b"], "grade": [1, 1]}
    with pytest.raises(ir.DataError, match="judgments row 1: the query id is missing"):
        ir.evaluate(table, {"q": {"a": 1.0}})
