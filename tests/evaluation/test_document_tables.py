"""Tables of documents whose column makes segments: what they may be, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

import idealrank as ir
from tests.evaluation.test_document_segments import JUDGED, RUN, TYPES, ranked, rows


@pytest.mark.parametrize(
    "documents",
    [
        {"a": "page", "b": "page", "f": "pdf", "c": "mail"},
        pd.DataFrame({"doc_id": ["a", "b", "f", "c"], "type": ["page", "page", "pdf", "mail"]}),
        [{"id": key, "type": row["type"], "title": "x"} for key, row in TYPES.items()],
    ],
    ids=["dict of values", "pandas", "rows with titles"],
)
def test_tables_in_memory(documents: Any) -> None:
    """A dict of values, a frame and rows give what a dict of rows gives."""
    scores = ir.evaluate(JUDGED, RUN, ["nDCG"])
    assert rows(scores, documents) == rows(scores)


def test_numbers_are_in_their_order() -> None:
    """Whole numbers are written without decimals and in order, behind them words and documents without a value."""
    years = {"a": 2024.0, "b": 999.0, "f": math.nan, "c": "old"}
    assert list(rows(ir.evaluate(JUDGED, RUN, ["R"]), years)) == ["999", "2024", "old", "(none)"]


def test_a_column_that_is_not_there() -> None:
    """The nearest spelling and the columns are named."""
    with pytest.raises(ir.DataError, match=r"no column called 'typ' for the segments\. Did you mean type\? Found: "):
        rows(ir.evaluate(JUDGED, RUN, ["R"]), column="typ")


@pytest.mark.parametrize("column", [None, "", 5, ["type"]])
def test_names_that_are_no_column(column: Any) -> None:
    """What is no text, or empty, names no column."""
    with pytest.raises(ir.UsageError, match=r"names no column\. Name one column of the documents, such as 'type'"):
        rows(ir.evaluate(JUDGED, RUN, ["R"]), column=column)


def test_too_many_segments() -> None:
    """100 segments are allowed; 101 are refused, with how many there are."""
    docs = [f"d{i:03}" for i in range(101)]
    scores = ir.evaluate({"q": dict.fromkeys(docs, 1)}, {"q": ranked(*docs[:3])}, ["R"])
    table = {"doc_id": docs, "type": docs}
    with pytest.raises(ir.DataError, match="have 101 values in the column type, and segments are made of at most 100"):
        scores.by_document("type", table)
    assert len(scores.by_document("type", {name: column[1:] for name, column in table.items()}).table) == 101


def test_tables_of_other_documents() -> None:
    """A table without any judged document is refused, with what ids look like on either side."""
    with pytest.raises(ir.DataError, match=r"none of the judged documents\. Ids look like 'z' there, and like 'a' in"):
        rows(ir.evaluate(JUDGED, RUN, ["R"]), {"z": {"type": "page"}})


def test_tables_without_ids() -> None:
    """A table without a column of documents is refused with the columns there are."""
    with pytest.raises(ir.DataError, match=r"no doc column\. Found: type"):
        rows(ir.evaluate(JUDGED, RUN, ["R"]), {"type": ["page"]})


def test_documents_of_two_types() -> None:
    """A document with two values is refused, unless duplicates= says which counts; the same value twice is one."""
    table = {"doc_id": ["a", "a", "b", "b"], "type": ["page", "pdf", "page", "page"]}
    with pytest.raises(ir.DataError, match="document 'a' has the type 'pdf', but 'page' in row 0"):
        rows(ir.evaluate(JUDGED, RUN, ["R"]), table)
    for answer, kind in (("first", "page"), ("last", "pdf")):
        scores = ir.evaluate({"q": {"a": 1}}, {"q": ranked("a")}, ["R"], duplicates=answer)
        assert [row["segment"] for row in scores.by_document("type", table).table] == [kind]
