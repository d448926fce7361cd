"""The core and Python follow a plan alike: each is the other's oracle."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from idealrank._core import BadInput, read_json
from idealrank.data.formats.json_text import closed, sample_json as sampled
from idealrank.data.formats.nested import tables_of
from idealrank.data.formats.nested_plan import NestedPlan as Plan, RowSpec as Rows, path, rows, shown
from idealrank.data.formats.shapes import plan_of
from idealrank.errors import DataError
from tests.data.shapes.toy import BOTH, JUDGED, RAG, RETURNED, search

VESPA = {"root": {"fields": {}, "children": [{"id": "i", "relevance": 1.0, "fields": {"documentid": "d"}}]}}
DOCUMENTS = {
    **JUDGED,
    **RETURNED,
    **BOTH,
    **RAG,
    "search": search("q1"),
    "several": {"responses": [search("q1")]},
    "Vespa": VESPA,
}


def by_core(document: Any, plan: Plan) -> dict[str, dict[str, list[Any]]]:
    """Return the tables of a plan as the core reads them."""
    wanted = [(one.table, one.path, one.further, one.columns) for one in plan.rows]
    frames = read_json(json.dumps(document).encode(), wanted)
    return {
        name: {column: frame.column(place).to_list(None) for place, column in enumerate(frame.names)}
        for name, frame in frames
    }


def without_empty(tables: dict[str, dict[str, list[Any]]]) -> dict[str, dict[str, list[Any]]]:
    """Leave out columns without a value, which have no type."""
    return {
        name: {column: values for column, values in columns.items() if any(value is not None for value in values)}
        for name, columns in tables.items()
    }


@pytest.mark.parametrize("name", DOCUMENTS)
def test_both_walks_agree(name: str) -> None:
    """Every document gives the same columns in the core and in Python."""
    document = DOCUMENTS[name]
    plan = plan_of([document], "file")
    assert isinstance(plan, Plan)
    if plan.build is None:
        assert without_empty(by_core(document, plan)) == without_empty(tables_of(plan, [document]))


def test_values_after_their_rows() -> None:
    """What stands behind a list belongs to its rows all the same, and an empty list leaves its query."""
    document = {"list": [{"docs": ["a", "b"], "query": "x"}, {"docs": [], "query": "y"}, {"docs": "c", "query": "z"}]}
    plan = Plan("", (rows("", "list[].docs[]", query="list[].query", doc="+", rank="+@place"),))
    expected = {"query": ["x", "x", "y", "z"], "doc": ["a", "b", None, "c"], "rank": [1, 2, None, 1]}
    assert by_core(document, plan)[""] == expected == tables_of(plan, [document])[""]


def test_one_nested_value_in_two_tables() -> None:
    """A list in the place of a query that two tables share is the text of both, and both say that it is a list."""
    document = {"query": ["x"], "judged": ["a"], "found": ["b", "c"]}
    kinds = (rows("judgments", "judged[]", query="query", doc="+"), rows("results", "found[]", query="query", doc="+"))
    wanted = [(one.table, one.path, one.further, one.columns) for one in kinds]
    frames = dict(read_json(json.dumps(document).encode(), wanted))
    for name, docs in (("judgments", ["a"]), ("results", ["b", "c"])):
        columns = [frames[name].column(place).to_list(None) for place in (0, 1)]
        assert columns == [['["x"]'] * len(docs), docs]
        assert [frames[name].nested(place) for place in (0, 1)] == [0, None]
        assert tables_of(Plan("", kinds), [document])[name] == {"query": [["x"]] * len(docs), "doc": docs}


def test_a_text_beside_a_key_of_that_name() -> None:
    """A text that stands in every row is no key: the values under keys of the same name are their own."""
    document = {"q1": "x", "=q1": "y", "hits": ["a", "b"]}
    columns = (("query_id", ("=q1",)), ("one", (".q1",)), ("other", (".=q1",)), ("doc", (".hits", "[]")))
    plan = Plan("", (Rows("", (".hits", "[]"), columns),))
    expected = {"query_id": ["q1"] * 2, "one": ["x"] * 2, "other": ["y"] * 2, "doc": ["a", "b"]}
    assert by_core(document, plan)[""] == expected == tables_of(plan, [document])[""]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"title": ["T", "U"], "doc": "d"}, ["T"]),
        ({"title": {"de": "T"}, "doc": "d"}, [None]),
        ({"title": "T", "doc": "d"}, ["T"]),
    ],
)
def test_a_value_that_a_path_goes_into_is_no_cell(document: Any, expected: list[Any]) -> None:
    """Where a value may be a cell, a list of cells or contain one, a list or an object is not the cell itself."""
    plan = Plan("", (rows("", "[]", doc="+.doc", title=("+.title", "+.title[]", "+.title.en")),))
    assert by_core([document], plan)[""]["title"] == expected == tables_of(plan, [[document]])[""]["title"]


def test_only_the_innermost_list_leaves_a_row() -> None:
    """An empty list leaves the row of what it lies in; what lies further out has no rows of its own."""
    document = {
        "run": "r",
        "turns": [{"turn": "a"}, {"turn": "b", "answers": [{"n": 1}, {"docs": []}, {"docs": ["d"]}]}],
    }
    where = {"run": "run", "turn": "turns[].turn", "n": "turns[].answers[].n"}
    plan = Plan("", (rows("", "turns[].answers[].docs[]", **where, doc="+"),))
    expected = {"run": ["r", "r"], "turn": ["b", "b"], "n": [1, None], "doc": [None, "d"]}
    assert by_core(document, plan)[""] == expected == tables_of(plan, [document])[""]


def test_paths() -> None:
    """Paths are read and shown."""
    assert path("a.b[].c*@key") == (".a", ".b", "[]", ".c", "*", "@key")
    assert shown(path("details.*.hits[]._id")) == "details.*.hits[]._id"


@pytest.mark.parametrize("size", range(2, 140, 3))
def test_a_text_cut_anywhere_is_a_beginning(size: int) -> None:
    """A document cut off anywhere gives its beginning: nothing that is not there."""
    document = {"a": [{"b": 'x\\"[', "c": [1, 2.5, None]}, {"d": {"e": "}"}}], "f": {"g": [True, {"h": "i,j"}]}}
    text = json.dumps(document)
    part = json.loads(closed(text[:size]))
    assert contains(document, part)


def contains(whole: Any, part: Any) -> bool:
    """Whether a document is the beginning of another."""
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(key in whole and contains(whole[key], part[key]) for key in part)
    if isinstance(whole, list):
        return isinstance(part, list) and all(contains(a, b) for a, b in zip(whole, part, strict=False))
    return bool(whole == part)


def test_broken_json_says_where() -> None:
    """Text that is not JSON is refused with its line and column."""
    with pytest.raises(DataError, match=r"^j line 2: not JSON at column 9: Expecting value"):
        sampled('{"a":\n  [1, 2,, 3]}', True, "j")


def test_nan_and_infinity(tmp_path: Path) -> None:
    """Numbers as Python writes them are numbers."""
    frames = read_json(b'[{"a": NaN}, {"a": -Infinity}, {"a": 2}]', [("", ("[]",), True, [])])
    values = frames[0][1].column(0).to_list(None)
    assert values[0] is None or math.isnan(values[0])
    assert values[1:] == [-math.inf, 2]


def test_a_document_of_another_shape_is_refused() -> None:
    """Where documents are not what the first were, the error says the line."""
    wanted = [("", ("*", "[]"), False, [("query_id", ("*", "@key")), ("doc_id", ("*", "[]"))])]
    with pytest.raises(BadInput) as refused:
        read_json(b'{"q1": ["a"],\n"q2": {"b": 1}}', wanted)
    assert refused.value.args[:2] == ("other_shape", 2)
