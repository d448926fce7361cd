"""Half a character, as decoding with surrogateescape leaves it, cannot be stored: it is refused with its place."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import idealrank as ir

GOOD = {"q1": {"d": 1.0}}
HALF = "d\udcff"
COLUMNS = {"query": ["q1", "q1"], "doc": ["d", HALF], "rank": [1, 2]}
ROW = r"^results row 1: doc 'd\\udcff' "

RESULTS: dict[str, tuple[Any, str]] = {
    "document of a dict": ({"q1": {"d": 1.0, HALF: 0.5}}, r"^results\['q1'\]: doc 'd\\udcff' "),
    "document of a dict with a whole score": ({"q1": {"d": 1, HALF: 2}}, r"^results\['q1'\]: doc 'd\\udcff' "),
    "query of a dict": ({"q1": {"d": 1.0}, "q\ud83d": {"d": 1.0}}, r"^results: query 'q\\ud83d' "),
    "value of a dict": ({"q0": {}, "q1": {"d": HALF}}, r"^results: the text 'd\\udcff' "),
    "columns": (COLUMNS, ROW),
    "array": ({name: np.array(values) for name, values in COLUMNS.items()}, ROW),
    "rows": ([{name: values[i] for name, values in COLUMNS.items()} for i in (0, 1)], ROW),
    "pandas": (pd.DataFrame(COLUMNS, dtype=object), ROW),
    "name of a column": ({"query": ["q1"], "doc": ["d"], "rank": [1], HALF: [1]}, r"^results: the text 'd\\udcff' "),
}


@pytest.mark.parametrize("form", RESULTS)
def test_where_it_is(form: str) -> None:
    """The message says where it is, what it is, escaped, and how to write it so that ids stay apart."""
    results, where = RESULTS[form]
    with pytest.raises(ir.DataError, match=where + r"contains half a character \(\\ud.*'backslashreplace'"):
        ir.evaluate({"q1": {"d": 1, "e": 0}}, results, ["RR"])


def test_in_judgments() -> None:
    """Judgments are refused in the same words, under their own name."""
    with pytest.raises(ir.DataError, match=r"^judgments\['q1'\]: doc 'd\\udcff' contains half a character"):
        ir.evaluate({"q1": {HALF: 1, "e": 0}}, GOOD, ["RR"])


NESTED: dict[str, tuple[Any, str]] = {
    "lists of ids": ({"q1": ["d", HALF]}, r"results row 1: doc_id 'd\\udcff' "),
    "hits": ([{"query": "q1", "hits": [{"id": HALF, "score": 1}]}], r"results row 0: id 'd\\udcff' "),
    "a file": (io.StringIO(json.dumps({HALF: {"hits": [{"id": "d"}]}, "n": 1})), r"results: the key 'd\\udcff' "),
    "ranks in a file": (
        io.StringIO(json.dumps([{"q": "q1", "doc_ids": [HALF], "scores": [1]}])), r"results row 0: doc_id 'd\\udcff' "
    ),
    "a snapshot in a file": (
        io.StringIO(json.dumps({"docs": {"1": [{"id": HALF}]}, "queries": []})), r"results row 0: doc_id 'd\\udcff' "
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", NESTED)
def test_in_nested_values(form: str) -> None:
    """In lists and in documents of tools, whose rows are numbered as they are read, it is refused alike."""
    results, where = NESTED[form]
    with pytest.raises(ir.DataError, match=rf"^{where}contains half a character \(\\ud.*'backslashreplace'"):
        ir.read_results(results)


def test_in_ids_that_are_given() -> None:
    """Ids of weights and of queries to look at are refused, too."""
    for given in ({"weights": {"q\udcff": 1}}, {"only": ["q\udcff"]}):
        with pytest.raises(ir.DataError, match=r"^query ids: the id 'q\\udcff' contains half a character"):
            ir.evaluate({"q1": {"d": 1}}, GOOD, ["RR"], **given)


@pytest.mark.parametrize("half", [0xDCFF, 0xD83D])
def test_in_an_open_file(half: int) -> None:
    """Text of an open file is refused as its bytes are, with the line."""
    text = io.StringIO(f"query,doc,rank\nq1,d,1\nq1,{chr(half)},2\n")
    with pytest.raises(ir.DataError, match=r"^results line 3: not UTF-8 text\."):
        ir.evaluate({"q1": {"d": 1}}, text, ["RR"])


def test_what_the_message_advises() -> None:
    """The text the message advises is read, and another id stays another id."""
    mended = HALF.encode("utf-8", "backslashreplace").decode()
    assert ir.evaluate({"q1": {mended: 1, "d": 0}}, {"q1": {mended: 1.0, "d": 0.5}}, ["RR"])["RR"] == 1.0


def test_a_whole_character_is_none() -> None:
    """A character beyond 16 bits is one character in Python, not two halves."""
    assert ir.evaluate({"q1": {"\U0001f600": 1}}, {"q1": {"\U0001f600": 1.0}}, ["RR"])["RR"] == 1.0
