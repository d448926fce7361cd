"""Delimited text, JSON lines, Parquet and Arrow files: what is read and what is refused."""

import csv
import gzip
import io
import json

import numpy as np
import pytest

from idealrank import _core
from tests.amounts import costly


def columns(frame):
    """Return the columns of a frame as lists, by name."""
    return {name: frame.column(at).to_list() for at, name in enumerate(frame.names)}


def refused(read, *arguments):
    """Return what a refused read says."""
    with pytest.raises(_core.BadInput) as caught:
        read(*arguments)
    return caught.value.args


def test_delimited_text_is_text_and_empty_fields_are_missing():
    """Quotes as in RFC 4180, CRLF, BOM and blank lines; every column is text."""
    text = b'\xef\xbb\xbfa,b\r\n1,"x, ""y""\nz"\r\n\r\n,2\r\n3,"a value longer than twelve bytes"'
    frame = _core.read_delimited(text, ",")
    assert columns(frame) == {"a": ["1", None, "3"], "b": ['x, "y"\nz', "2", "a value longer than twelve bytes"]}
    assert (frame.format, frame.skipped, [frame.line(row) for row in range(3)]) == ("delimited", 1, [2, 5, 6])
    assert frame.column(0).missing == 1


def test_rows_of_separators_alone_are_blank_lines():
    """A spreadsheet ends a table with them, or parts it; wherever a block begins."""
    frame = _core.read_delimited(b";;\na;b;c\n;;\n1;;\n; ;\n;;2\n;;\n\n", ";")
    assert columns(frame) == {"a": ["1", None], "b": [None, None], "c": [None, "2"]}
    assert (frame.skipped, frame.line(0), frame.line(1)) == (5, 4, 6)
    many = _core.read_delimited(b"a;b\n" + b";\n;\n1;2\n" * 100_000, ";")
    assert (many.rows, many.skipped, many.line(99_999)) == (100_000, 200_000, 300_001)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (b'a,b\n"x, y\nz, ""w""\n",1\n', ['x, y\nz, "w"\n', "1"]),
        (b'a\tb\n"x\r\ny"\t1\r\n', ["x\r\ny", "1"]),
        (b'a\tb\n"x\n\ty"\t1\n', ["x\n\ty", "1"]),
        (b'a\tb\n7" tv\t1\n', ['7" tv', "1"]),
        (b'a,b\n1,"x\ny"', ["1", "x\ny"]),
    ],
)
def test_line_ends_in_quotes(text, cells):
    """A field in quotes may contain line ends, and separators that texts contain; a quote within a field is one."""
    delimiter = "\t" if b"\t" in text else ","
    assert [column[0] for column in columns(_core.read_delimited(text, delimiter)).values()] == cells


@pytest.mark.parametrize("text", [b'a\tb\n"x\t1\ny\t2\nz"\t3\n', b'a\tb\n1\t"x\n2\t"y\n'])
def test_quotes_that_swallow_rows_between_tabs(text):
    """No text contains a tab: a field of several lines that does contains rows."""
    with pytest.raises(_core.BadInput) as refused:
        _core.read_delimited(text, "\t")
    assert refused.value.args == ("stray_quote", 2, "", "", "")


@pytest.mark.parametrize("delimiter", ["\t", "|", ";"])
def test_any_ascii_delimiter(delimiter):
    """Fields are split where the delimiter says."""
    frame = _core.read_delimited(f"a{delimiter}b\n1,2{delimiter}3\n".encode(), delimiter)
    assert columns(frame) == {"a": ["1,2"], "b": ["3"]}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (b"", ("empty", 0, "", "", "")),
        (b"\n\n", ("empty", 0, "", "", "")),
        (b"a,b,a\n", ("duplicate_header", 1, "", "a", "")),
        (b"a,b\n1,2\n\n1,2,3\n", ("ragged", 4, "", "", "3 of 2")),
        (b"a,b\n1\n", ("ragged", 2, "", "", "1 of 2")),
        (b'a,b\n\n"x,1\ny,2\n7" tv,3\n', ("stray_quote", 3, "", "", "")),
        (b"a,b\n1,\xff\n", ("not_utf8", 2, "", "1,\ufffd", "")),
        (b"a,b\n1,\0\n", ("binary", 2, "", "1,\0", "")),
    ],
)
def test_bad_delimited_text_is_refused(text, facts):
    """Kind, line, column, value and detail of what is wrong."""
    assert refused(_core.read_delimited, text, ",") == facts


def test_a_header_alone_is_a_table_without_rows():
    """No rows is not no table."""
    frame = _core.read_delimited(b"a,b\n", ",")
    assert (frame.names, frame.rows, columns(frame)) == (["a", "b"], 0, {"a": [], "b": []})


def test_a_record_over_one_mebibyte_is_refused():
    """A quote that is never closed does not swallow a file."""
    text = b"a,b\n" + b"1,2\n" * 100_000 + b'3,"' + b"x\n" * 1_000_000
    assert refused(_core.read_delimited, text, ",")[:2] == ("line_too_long", 100_002)


@pytest.mark.parametrize("seed", range(costly(6, 3)))
def test_delimited_blocks_join_as_the_csv_module_reads_them(seed):
    """Files of several blocks, with quotes, delimiters and line ends inside fields."""
    rng = np.random.default_rng(seed)
    pieces = ["a", "b,", "\n", '"', "é", " ", "\r\n", "some longer piece of text"][: 8 if seed % 2 else 1]
    rows = [["x", "y", "z"]]
    for number in range(30_000 if seed > 1 else 200):
        rows.append([f"r{number}", *("".join(rng.choice(pieces, rng.integers(1, 6))) for _ in range(2))])
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    frame = _core.read_delimited(out.getvalue().encode(), ",")
    assert [list(row) for row in zip(*columns(frame).values(), strict=True)] == rows[1:]


def test_quotes_inside_an_unquoted_field_are_ordinary():
    """5" is five inches."""
    frame = _core.read_delimited(b'a,b\n5" disk,1\n6",2\n', ",")
    assert columns(frame) == {"a": ['5" disk', '6"'], "b": ["1", "2"]}


def test_json_lines_take_their_types_from_the_values():
    """Ints, floats, texts, bools, nulls; missing keys; numbers beside texts become texts."""
    text = (
        b'{"q":1,"d":"x","f":1}\n\n{"d":"\\u00e9","q":2,"f":2.5,"b":true}\n{"q":"a","b":null,"n":9223372036854775808}\n'
    )
    frame = _core.read_jsonl(text)
    assert columns(frame) == {
        "q": ["1", "2", "a"],
        "d": ["x", "é", None],
        "f": [1.0, 2.5, None],
        "b": [None, True, None],
        "n": [None, None, "9223372036854775808"],
    }
    assert (frame.format, [frame.line(row) for row in range(3)]) == ("jsonl", [1, 3, 4])


def test_lists_and_objects_are_their_json_text():
    """A column with nested values is text, and the frame knows the first such row, in whatever block it stands."""
    flat = b'{"a":1}\n' * 100_000
    frame = _core.read_jsonl(flat + b'{"b":{"x":[1,null]},"a":"s"}\n{"b":2}\n{"a":["\\u00e9"]}\n')
    assert [frame.column(1).to_list(np.array([row])) for row in (99_999, 100_000, 100_001)] == [
        [None],
        ['{"x":[1,null]}'],
        ["2"],
    ]
    assert frame.column(0).to_list(np.array([0, 100_002])) == ["1", '["é"]']
    assert [frame.nested(at) for at in range(2)] == [100_002, 100_000]
    assert _core.read_jsonl(flat).nested(0) is None


def test_lines_above_the_header_are_passed_over():
    """As many as one says, in plain and compressed text; later lines keep their numbers."""
    text = b"\xef\xbb\xbf# a, b and c\n\nx,y\r\n1,2\n\n3\n"
    assert refused(_core.read_delimited, text, ",", None, 2) == ("ragged", 6, "", "", "1 of 2")
    for source in (text[:-2], gzip.compress(text[:-2])):
        frame = _core.read_delimited(source, ",", None, 2)
        assert (frame.names, frame.line(0), frame.skipped) == (["x", "y"], 4, 3)
    many = b"# comment\n" * 20_000 + b"x,y\n1,2\n"
    assert _core.read_delimited(many, ",", None, 20_000).line(0) == 20_002
    assert refused(_core.read_delimited, text, ",", None, 9) == ("empty", 0, "", "", "")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (b"", ("empty", 0)),
        (b'{"a":1}\n{"a":', ("corrupt", 2)),
        (b"[1]", ("corrupt", 1)),
        (b'{"a":1} {"a":2}', ("corrupt", 1)),
        (b'{"a":1,"a":2}', ("corrupt", 1)),
        (b'{"a":"\xff"}', ("not_utf8", 1)),
        (b'\n{"a":"\0"}', ("binary", 2)),
    ],
)
def test_bad_json_is_refused(text, facts):
    """Kind, line and column of what is wrong."""
    assert refused(_core.read_jsonl, text)[: len(facts)] == facts


def test_json_blocks_join_without_a_seam():
    """Columns that appear late and types that widen late read as in one piece."""
    rows = [
        {"id": at, "text": "some text " * (at % 9)} | ({"late": at / 2} if at > 40_000 else {}) for at in range(50_000)
    ]
    rows[45_000]["id"] = "odd"
    frame = _core.read_jsonl("\n".join(map(json.dumps, rows)).encode())
    assert columns(frame) == {
        "id": [str(row["id"]) for row in rows],
        "text": [row["text"] for row in rows],
        "late": [row.get("late") for row in rows],
    }


@pytest.mark.parametrize("read", [_core.read_parquet, _core.read_arrow])
@pytest.mark.parametrize(
    "text", [b"", b"PAR1", b"PAR1 and something PAR1", b"ARROW1", b"ARROW1 and more", b"\xff\xff\xff\xff"]
)
def test_broken_files_are_empty_or_corrupt(read, text):
    """What is no Parquet or Arrow file is refused."""
    assert refused(read, text)[0] == ("corrupt" if text else "empty")
