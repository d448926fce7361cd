"""The core follows a plan through JSON and through Python objects alike."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import idealrank as ir
from idealrank._core import BadInput, Frame, read_json, read_objects
from idealrank.data.formats.json_text import close_brackets, sample_json as sampled
from idealrank.data.formats.nested_plan import NestedPlan as Plan, RowSpec as Rows, row_spec
from idealrank.data.formats.objects import compact_json
from idealrank.errors import DataError


def by_text(document: Any, plan: Plan) -> dict[str, dict[str, list[Any]]]:
    """Return the tables of a plan as they are read from JSON."""
    text = json.dumps(document, ensure_ascii=False)  # an object in a cell stays as its file spells it, escapes included
    return {name: columns_of(frame) for name, frame in read_json(text.encode(), plan.for_core)}


def by_objects(document: Any, plan: Plan) -> dict[str, dict[str, list[Any]]]:
    """Return the tables of a plan as they are read from Python objects."""
    return {name: columns_of(frame) for name, frame, _ in read_objects(plan.for_core, [document], compact_json, True)}


READERS = (by_text, by_objects)


def columns_of(frame: Frame) -> dict[str, list[Any]]:
    """Return the columns of a frame by name."""
    return {column: frame.column(place).to_list(None) for place, column in enumerate(frame.names)}


def test_values_after_their_rows() -> None:
    """What stands behind a list belongs to its rows all the same, and an empty list leaves its query."""
    document = {"list": [{"docs": ["a", "b"], "query": "x"}, {"docs": [], "query": "y"}, {"docs": "c", "query": "z"}]}
    plan = Plan("", (row_spec("", "list[].docs[]", query="list[].query", doc="+", rank="+@place"),))
    expected = {"query": ["x", "x", "y", "z"], "doc": ["a", "b", None, "c"], "rank": [1, 2, None, 1]}
    assert by_text(document, plan)[""] == expected == by_objects(document, plan)[""]


def test_one_nested_value_in_two_tables() -> None:
    """A list in the place of a query that two tables share is the text of both, and both say that it is a list."""
    document = {"query": ["x"], "judged": ["a"], "found": ["b", "c"]}
    kinds = (
        row_spec("judgments", "judged[]", query="query", doc="+"),
        row_spec("results", "found[]", query="query", doc="+"),
    )
    wanted = Plan("", kinds).for_core
    as_objects = {name: frame for name, frame, _ in read_objects(wanted, [document], compact_json, True)}
    for frames in (dict(read_json(json.dumps(document).encode(), wanted)), as_objects):
        for name, docs in (("judgments", ["a"]), ("results", ["b", "c"])):
            assert columns_of(frames[name]) == {"query": ['["x"]'] * len(docs), "doc": docs}
            assert [frames[name].nested(place) for place in (0, 1)] == [0, None]


def test_a_text_beside_a_key_of_that_name() -> None:
    """A text that stands in every row is no key: the values under keys of the same name are their own."""
    document = {"q1": "x", "=q1": "y", "hits": ["a", "b"]}
    columns = (("query_id", ("=q1",)), ("one", (".q1",)), ("other", (".=q1",)), ("doc", (".hits", "[]")))
    plan = Plan("", (Rows("", (".hits", "[]"), columns),))
    expected = {"query_id": ["q1"] * 2, "one": ["x"] * 2, "other": ["y"] * 2, "doc": ["a", "b"]}
    assert by_text(document, plan)[""] == expected == by_objects(document, plan)[""]


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
    plan = Plan("", (row_spec("", "[]", doc="+.doc", title=("+.title", "+.title[]", "+.title.en")),))
    assert by_text([document], plan)[""]["title"] == expected == by_objects([document], plan)[""]["title"]


def test_only_the_innermost_list_leaves_a_row() -> None:
    """An empty list leaves the row of what it lies in; what lies further out has no rows of its own."""
    document = {
        "run": "r",
        "turns": [{"turn": "a"}, {"turn": "b", "answers": [{"n": 1}, {"docs": []}, {"docs": ["d"]}]}],
    }
    where = {"run": "run", "turn": "turns[].turn", "n": "turns[].answers[].n"}
    plan = Plan("", (row_spec("", "turns[].answers[].docs[]", **where, doc="+"),))
    expected = {"run": ["r", "r"], "turn": ["b", "b"], "n": [1, None], "doc": [None, "d"]}
    assert by_text(document, plan)[""] == expected == by_objects(document, plan)[""]


def test_a_text_cut_anywhere_is_a_beginning() -> None:
    """A document cut off anywhere gives its beginning: nothing that is not there."""
    document = {"a": [{"b": 'x\\"[', "c": [1, 2.5, None]}, {"d": {"e": "}"}}], "f": {"g": [True, {"h": "i,j"}]}}
    text = json.dumps(document)
    for size in range(2, 140):
        assert contains(document, json.loads(close_brackets(text[:size]))), size


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
    assert refused.value.args == ("other_shape", 2, "", "", "'q2': an object")


QRELS = Plan("", (row_spec("", "*[]", query_id="*@key", doc_id="+"),))


def test_values_of_python() -> None:
    """Keys that are numbers stay numbers, whole numbers keep their digits, and sets are in order."""
    document = {
        1: ["a", np.int64(2)],
        "3": ("b", 10**25),
        2.5: {"z", "y"},
        np.str_("q"): np.float32(0.5),
        "n": [math.nan],
    }
    read = by_objects(document, QRELS)[""]
    assert read["query_id"] == ["1", "1", "3", "3", "2.5", "2.5", "q", "n"]
    assert read["doc_id"] == ["a", "2", "b", str(10**25), "y", "z", "0.5", None]
    assert by_objects({1: [7], 2: [8]}, QRELS) == {"": {"query_id": [1, 2], "doc_id": [7, 8]}}


def test_objects_of_other_types() -> None:
    """A column knows the first object that only has a printed form, also one that several rows share."""
    kinds = (row_spec("", "list[].docs[]", query="list[].query", doc="+"),)
    document = {"list": [{"query": "x", "docs": ["a", b"b", range(2)]}, {"docs": ["c", "d"], "query": Path("q")}]}
    ((_, frame, foreign),) = read_objects(Plan("", kinds).for_core, [document], compact_json, True)
    assert foreign == [("query", 3, "PosixPath"), ("doc", 1, "bytes")]
    assert columns_of(frame) == {"query": ["x"] * 3 + ["q"] * 2, "doc": ["a", "b'b'", "range(0, 2)", "c", "d"]}


def test_a_mapping_that_is_no_dict() -> None:
    """Any mapping is an object, and one that changes while it is read is refused."""
    assert by_objects(MappingProxyType({"q": ["a"]}), QRELS) == {"": {"query_id": ["q"], "doc_id": ["a"]}}
    document: dict[str, Any] = {"q": [["x"]], "r": ["b"]}
    with pytest.raises(RuntimeError, match="changed while it was read"):
        read_objects(QRELS.for_core, [document], lambda _: document.setdefault("s", "[]"), True)


def test_rows_know_their_documents() -> None:
    """The line of a row is the number of its document, if asked for."""
    documents = [{"q1": ["a", "b"]}, {"q2": []}, {"q3": "c"}]
    for lined, expected in ((True, [1, 1, 2, 3]), (False, [0] * 4)):
        ((_, frame, _),) = read_objects(QRELS.for_core, documents, compact_json, lined)
        assert [frame.line(row) for row in range(frame.rows)] == expected


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ([{"docs": [{"id": "a"}]}, {"docs": ["x"]}], "item 2: item 1: a text"),
        ([{"docs": [{"id": "a"}]}, {"docs": 7}], "item 2: item 1: a number"),
        ([None], "item 1: null"),
        ([True], "item 1: true or false"),
        ({}, "an object"),
    ],
)
def test_what_is_of_another_shape_is_refused_alike(document: Any, where: str) -> None:
    """The place within a document is the same in JSON and in Python objects."""
    plan = Plan("", (row_spec("", "[].docs[]", doc="+.id"),))
    for read in READERS:
        with pytest.raises(BadInput) as refused:
            read(document, plan)
        assert refused.value.args == ("other_shape", 1, "", "", where)


@pytest.mark.parametrize(("key", "shown"), [("q1", "'q1'"), ("it's", '"it\'s"'), ("\"'\\", "'\"\\'\\\\'")])
def test_a_key_on_the_way_is_quoted(key: str, shown: str) -> None:
    """Keys are shown as Python shows them."""
    plan = Plan("", (row_spec("", "*[]", query_id="*@key", doc_id="+.id"),))
    assert repr(key) == shown
    for read in READERS:
        with pytest.raises(BadInput) as refused:
            read({key: [{"id": "a"}, "b"]}, plan)
        assert refused.value.args[4] == f"{shown}: item 2: a text"


def test_a_number_and_its_text_are_one_key() -> None:
    """Keys that are one id are refused as in JSON, with the place of the document."""
    data = {"tool": [{"q": "a", "relevant_docs": {1: {"grade": 1}, "1": {"grade": 0}}}]}
    for source in (
        data,
        io.StringIO('{"tool": [{"q": "a", "relevant_docs": {"1": {"grade": 1}, "1": {"grade": 0}}}]}'),
    ):
        with pytest.raises(DataError, match=r"the key '1' occurs twice.* Rename one of the two, or remove it"):
            ir.read_judgments(source)


def test_half_a_character_where_nothing_is_read() -> None:
    """Half a character is refused in a cell, with column and row, and in the name of a column, but not elsewhere."""
    half, plan = "\ud800", Plan("", (row_spec("", "[].docs[]", query="[].*@key", doc="+.id"),))
    assert by_objects([{"docs": [{"id": "a", half: half}, {"id": "b"}]}], plan)[""]["doc"] == ["a", "b"]
    for document, cell in (([{"docs": [{"id": half}]}], (0, "doc")), ([{half: 1, "docs": []}], (0, "query"))):
        with pytest.raises(UnicodeEncodeError) as refused:
            by_objects(document, plan)
        assert getattr(refused.value, "cell", None) == cell
    with pytest.raises(UnicodeEncodeError) as refused:
        by_objects([{half: 1}], Plan("", (row_spec("", "[]", True),)))
    assert not hasattr(refused.value, "cell")
