"""Tables of polars are refused like those of pandas, and what only they can hold is read."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import idealrank as ir
from tests.data.refused import NO_ROW
from tests.data.test_columns import refusal, values
from tests.data.test_refused_objects import NO_TABLE, J, R

JUDGMENTS: dict[str, tuple[Any, str]] = {
    "a column": (pl.Series([1]), f"judgments: Series {NO_TABLE}"),
    "a frame without rows": (pl.DataFrame(J)[:0], f"judgments: {NO_ROW}"),
    "a column of lists": (
        pl.DataFrame({**J, "doc_id": [["a", "b"], None, ["c"]]}),
        'judgments row 0: doc_id \'["a","b"]\' is a list or an object. Give one text or number, with one row per '
        "document.",
    ),
    "a column of objects": (
        pl.DataFrame({**J, "doc_id": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}),
        'judgments row 0: doc_id \'{"id":"a"}\' is a list or an object. Give one text or number, with one row per '
        "document.",
    ),
}


@pytest.mark.parametrize("case", JUDGMENTS)
def test_judgments_refused(case: str) -> None:
    """Bad judgments in polars are refused with the row."""
    given, message = JUDGMENTS[case]
    assert refusal(lambda: ir.evaluate(given, R)) == message


def test_large_ids_keep_their_digits() -> None:
    """Unsigned integers of 64 bits are ids by their digits."""
    ids = pl.Series([2**53, 2**53 + 1, 2**63 + 5], dtype=pl.UInt64)
    judgments = pl.DataFrame({"query_id": ["q"] * 3, "doc_id": ids, "grade": [1, 2, 3]})
    assert values(judgments, {"query_id": ["q"], "doc_id": [str(2**53 + 1)], "rank": [1]}) == {"q": 2.0}


def test_wide_integers_of_polars() -> None:
    """Integers of 128 bits are ids by their digits, and grades where a float64 holds them."""
    ids = pl.Series("doc_id", [2**100, 2**100 + 1], dtype=pl.Int128)
    table = pl.DataFrame([pl.Series("query_id", ["q", "q"]), ids, pl.Series("grade", [1, 2**60], dtype=pl.UInt128)])
    judgments = ir.read_judgments(table)
    assert ir.evaluate(judgments, {"q": {str(2**100 + 1): 1.0}}, ["CG"])["CG"] == 2.0**60
    table = table.with_columns(pl.Series("grade", [1, 2**100 + 1], dtype=pl.Int128))
    with pytest.raises(ir.DataError, match=r"row 1: grade '\d+' has more digits than a float64 can store. Round it\."):
        ir.evaluate(table, {"q": {"x": 1.0}}, ["CG"])


def test_a_column_of_polars_without_values() -> None:
    """A column of the null type has no values: no grade, so no judgment."""
    table = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "grade": [1, 2], "note": [None, None]})
    assert ir.read_judgments(table).source.frame.column(3).missing == 2
