"""Table: the one type every function returns."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pandas
import pytest

import idealrank as ir
from idealrank import Table
from idealrank.display.blocks import TextColumn as Column, draw
from idealrank.display.numbers import change_text, span_text

COLUMNS = {"query": ["q1", 'ö,"2"\n', None], "n": np.array([1, 2, 3]), "value": np.array([0.1, math.nan, 1 / 3])}


@pytest.fixture
def table() -> Table:
    """Return a table with text, whole numbers, numbers, and a missing one of the first and the last."""
    return Table(COLUMNS, "example")


def test_columns_rows_and_cells(table: Table) -> None:
    """A table knows its columns, its length, a column as a list, and its rows as dicts."""
    assert table.columns == ["query", "n", "value"]
    assert len(table) == 3
    assert table["n"] == [1, 2, 3]
    assert list(table)[2] == {"query": None, "n": 3, "value": 1 / 3}
    assert table.to_dict()["query"] == COLUMNS["query"]


def test_an_empty_table_has_no_rows() -> None:
    """A table without columns or without rows is a table."""
    assert len(Table({})) == 0
    assert list(Table({"a": []})) == []


def test_columns_are_equally_long() -> None:
    """Columns of different lengths are refused."""
    with pytest.raises(ValueError, match="different lengths"):
        Table({"a": [1], "b": [1, 2]})


def test_nothing_changes_a_table() -> None:
    """Neither what it was made from nor what it gives away is part of a table."""
    numbers, words = np.array([1.0, 2.0]), ["a", "b"]
    table = Table({"number": numbers, "word": words})
    numbers[0] = 9
    words[0] = "z"
    table["word"][0] = "z"
    table["number"][0] = 9
    table.to_dict()["word"].append("z")
    table.columns.append("z")
    assert table.to_dict() == {"number": [1.0, 2.0], "word": ["a", "b"]}
    for name in table.columns:
        with pytest.raises(ValueError, match="read-only"):
            table.array(name)[0] = 5
    with pytest.raises(TypeError):
        table["number"] = [1]  # type: ignore[index]


def test_take_keeps_the_order_asked_for(table: Table) -> None:
    """`take` returns rows in the order of their places."""
    assert table.take([2, 0])["n"] == [3, 1]
    assert len(table.take([])) == 0


def test_numbers_become_numbers() -> None:
    """A list of numbers is a column of numbers; one with a missing value keeps it."""
    table = Table({"a": [1, 2], "b": [1, 2.5], "c": [1, None]})
    assert table.array("a").dtype == np.int64
    assert table.array("b").dtype == np.float64
    assert not table.numeric("c")
    assert table["c"] == [1, None]


def test_csv_holds_every_digit(table: Table) -> None:
    """CSV and TSV read back to the same values; a missing one is empty."""
    for separator in (",", "\t"):
        rows = list(csv.reader(io.StringIO(table.to_csv(separator)), delimiter=separator))
        assert rows[0] == table.columns
        assert [row[0] for row in rows[1:]] == ["q1", COLUMNS["query"][1], ""]
        assert [row[1] for row in rows[1:]] == ["1", "2", "3"]
        assert (float(rows[1][2]), rows[2][2], float(rows[3][2])) == (0.1, "", 1 / 3)


def test_json_holds_every_digit(table: Table) -> None:
    """JSON is an array of objects; NaN and infinity are null."""
    rows = json.loads(table.to_json())
    assert rows[1] == {"query": COLUMNS["query"][1], "n": 2, "value": None}
    assert rows[2]["value"] == 1 / 3
    assert json.loads(Table({"x": [math.inf]}).to_json()) == [{"x": None}]


def test_pandas(table: Table) -> None:
    """The pandas frame has the columns, their types and values, and is a copy."""
    frame = table.to_pandas()
    assert list(frame.columns) == table.columns
    assert frame["n"].dtype == np.int64
    assert frame["value"].isna().tolist() == [False, True, False]
    assert frame["query"].isna().tolist() == [False, False, True]
    frame.loc[0, "n"] = 99
    assert table["n"] == [1, 2, 3]
    assert isinstance(frame, pandas.DataFrame)


def test_a_table_of_the_library_is_an_input_of_the_library() -> None:
    """A table goes back in as judgments."""
    import idealrank as ir

    judgments = Table({"query_id": ["q", "q"], "doc_id": ["d1", "d2"], "grade": [1.0, 0.0]})
    assert ir.evaluate(judgments, {"q": {"d2": 2, "d1": 1}}, ["RR"])["RR"] == 0.5


def test_sets_of_documents_travel() -> None:
    """A column of tuples is a list in JSON, words in CSV, lists in pandas."""
    table = Table({"docs": [("d1", "d2"), ()]})
    assert json.loads(table.to_json()) == [{"docs": ["d1", "d2"]}, {"docs": []}]
    assert table.to_csv() == 'docs\nd1 d2\n""\n'
    assert [list(docs) for docs in table.to_pandas()["docs"]] == [["d1", "d2"], []]


def test_repr_is_the_table(table: Table) -> None:
    """The repr shows every column, four decimals, and a dash for what is missing."""
    lines = repr(Table({"query": ["q1", None], "value": [0.123456, math.nan]})).splitlines()
    assert lines[0].split() == ["query", "value"]
    assert lines[2].split() == ["q1", "0.1235"]
    assert lines[3].split() == ["–", "–"]


def test_repr_of_many_rows_says_how_many_more() -> None:
    """A long table is cut and says so; the cut rows are still there."""
    table = Table({"n": list(range(100))})
    assert repr(table).splitlines()[-1] == "40 more rows"
    assert "40 more rows" in table._repr_html_()
    assert len(table.to_csv().splitlines()) == 101


@pytest.mark.heavy
def test_no_dataframe_library_is_imported() -> None:
    """Evaluating and reading tables imports none of pandas, polars and pyarrow."""
    import subprocess
    import sys

    code = (
        "import sys, idealrank as ir; s = ir.evaluate({'q': {'d': 1}}, {'q': {'d': 1}}, ['RR']); "
        "repr(s), s._repr_html_(), s.per_query.to_csv(); "
        "print([m for m in ('pandas', 'polars', 'pyarrow', 'rich', 'click') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
    assert found.stderr == ""


def test_a_file_is_no_separator(table: Table) -> None:
    """A file's name given to `to_csv` is refused with the way to write one."""
    with pytest.raises(ir.UsageError, match="to_csv returns text; write it to a file"):
        table.to_csv("x.csv")


def test_nothing_is_below_zero_that_rounds_to_it() -> None:
    """No number is written as -0.0000; fractional grades have the decimals they need."""
    text = repr(Table({"n": [-0.0, -0.00001, -0.5], "grade": [0.5, 3.0, -0.0], "rank": [1.0, 2.0, 3.0]}))
    assert [line.split() for line in text.splitlines()[2:]] == [
        ["0.0000", "0.5", "1"],
        ["0.0000", "3.0", "2"],
        ["−0.5000", "0.0", "3"],
    ]
    assert span_text(-0.00001, 0.25) == "0.0000 to +0.2500"
    assert change_text(-0.00001) == "▼ 0.0000"


def test_times_are_written_in_three_digits() -> None:
    """A column named after milliseconds shows as many digits as a time deserves; CSV has them all."""
    times = Table({"p50 ms": [0.0542, 45.7476, 215.4898, None], "p50": [0.0542, 45.7476, 215.4898, None]})
    assert [line.split() for line in str(times).splitlines()[2:]] == [
        ["0.054", "0.0542"],
        ["45.7", "45.7476"],
        ["215", "215.4898"],
        ["–", "–"],
    ]
    assert "45.7476" in times.to_csv()


def test_a_second_table_has_the_whole_width() -> None:
    """Words that go on in a second table fold at its own width: none is broken inside."""
    cells = ["results changed in 41 queries"]
    numbers = [Column(f"number {i}", ["0.1234567890"], numeric=True) for i in range(3)]
    drawn = draw([Column("date", ["2026-10-22"], numeric=False), *numbers, Column("why", cells, numeric=False)], 60)
    assert cells[0] in "\n".join(drawn)
