"""Ids that are none, or may be another's: refused, or named where they were read as one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank.errors import DataError
from tests.cli.terminal import run

HUGE = float(2**53)
WRONG = {
    "true": (True, r"is true, which is no id\. .* in quotes, as \"true\"\."),
    "a float that was rounded": (HUGE, r"is a float beyond 2\^53, where different ids are the same number"),
}


def row(query: Any = "q", doc: Any = "d") -> dict[str, Any]:
    """Return a judgment."""
    return {"query_id": query, "doc_id": doc, "grade": 1}


@pytest.mark.parametrize(
    ("others", "column", "form"),
    [([1, 2], "query_id", "json"), (["a", "b"], "doc_id", "json"), ([1, "b"], "query_id", "jsonl"),
     ([1.0, 2], "doc_id", "jsonl")],
)  # fmt: skip
@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_id_is_refused(what: str, others: list[Any], column: str, form: str, tmp_path: Path) -> None:
    """It became 1 or 9007199254740992 among numbers, and "true" or the same digits among texts."""
    value, message = WRONG[what]
    rows = [{**row(f"q{n}", f"d{n}"), column: other} for n, other in enumerate([*others, value])]
    lines = ",\n".join(map(json.dumps, rows))
    path = tmp_path / f"j.{form}"
    path.write_text(f"[{lines}]" if form == "json" else lines.replace(",\n", "\n"))
    for read in (lambda: ir.read_judgments(path).rows_to_write(), lambda: ir.evaluate(path, {"q0": {"d0": 1}}, ["RR"])):
        with pytest.raises(DataError, match=rf"j\.{form} line 3.*: {column} {message}"):
            read()


def test_truth_values_alone(tmp_path: Path) -> None:
    """A column of nothing else is refused, too, and so is an array."""
    path = tmp_path / "j.jsonl"
    path.write_text("".join(json.dumps(row(value)) + "\n" for value in (None, False, True)))
    with pytest.raises(DataError, match=r"line 2: query_id is false, which is no id"):
        ir.read_judgments(path).rows_to_write()
    with pytest.raises(DataError, match=r"judgments row 0: query_id is true"):
        ir.read_judgments({"query_id": np.array([True]), "doc_id": ["d"], "grade": [1]}).rows_to_write()


def test_truth_values_are_grades(tmp_path: Path) -> None:
    """In a column of grades they are 1 and 0, as before."""
    path = tmp_path / "j.jsonl"
    path.write_text("".join(json.dumps({**row(doc=n), "grade": n % 2 == 0}) + "\n" for n in range(3)))
    assert ir.read_judgments(path).rows_to_write().grade.tolist() == [1, 0, 1]


def test_fractions_among_texts(tmp_path: Path) -> None:
    """A fraction is no id, as in a column of numbers: 1.10 and 1.1 would be one."""
    path = tmp_path / "j.jsonl"
    path.write_text('{"query_id": "a", "doc_id": "d", "grade": 1}\n{"query_id": 1.10, "doc_id": "d", "grade": 1}\n')
    with pytest.raises(DataError, match=r"line 2: query_id 1\.1 is not a whole number"):
        ir.read_judgments(path).rows_to_write()


def test_parts_of_a_dataset(tmp_path: Path) -> None:
    """What is no id in one file of a folder is still known when the files are one table."""
    for name, value in (("a", "x"), ("b", True)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row("q", "d1")) + "\n" + json.dumps(row(value, "d2")) + "\n")
    with pytest.raises(DataError, match="query_id is true"):
        ir.read_judgments(str(tmp_path / "*.jsonl")).rows_to_write()


@pytest.mark.parametrize("memory", [(), ("--memory", "1MB")], ids=["whole", "in parts"])
def test_in_parts(memory: tuple[str, ...], tmp_path: Path) -> None:
    """Files that are read in parts are refused alike."""
    lines = [json.dumps(row(f"q{n}", f"d{n}")) for n in range(9)]
    (tmp_path / "j.jsonl").write_text("\n".join([*lines, json.dumps(row(True))]) + "\n")
    (tmp_path / "r.csv").write_text("query_id,doc_id,score\nq1,d1,1\n")
    said = run("evaluate", "j.jsonl", "r.csv", "-m", "RR", *memory, cwd=tmp_path)
    assert said.code == 3
    assert "j.jsonl line 10: query_id is true, which is no id" in said.err


SPELLED: Mapping[str, str] = {
    "csv": "query_id,doc_id,grade\n1,a,1\n1.0,b,2\n7,a,1\n",
    "jsonl": "".join(json.dumps(row(query, f"d{n}")) + "\n" for n, query in enumerate(("1", "1.0", 7))),
}


@pytest.mark.parametrize("form", SPELLED)
def test_two_spellings_of_an_id_are_named(form: str, tmp_path: Path) -> None:
    """They are read as one, as documented; it was nowhere said that two ids of the table became one."""
    path = tmp_path / f"j.{form}"
    path.write_text(SPELLED[form])
    scores = ir.evaluate(path, {"1": {"a" if form == "csv" else "d0": 1.0}}, ["RR"])
    words = "1 id of query_id in two spellings, read as one: '1' and '1.0'"
    assert words in scores.ledger.tables[0].text
    assert words in str(ir.peek(path))


def test_one_spelling_is_not_named(tmp_path: Path) -> None:
    """Whole floats alone, as dataframes write them, are nothing to say."""
    path = tmp_path / "j.csv"
    path.write_text(SPELLED["csv"].replace("1,a,1", "1.0,a,1"))
    assert "spellings" not in ir.evaluate(path, {"1": {"a": 1.0}}, ["RR"]).ledger.tables[0].text
