"""What a file is, its first lines say: files as people have them, and arbitrary bytes."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import idealrank as ir
from idealrank.data.formats.head import HEAD, Head
from idealrank.data.formats.sniff import detect_columnar, detect_text
from tests.amounts import tried
from tests.data.forms import FILES, JUDGMENTS, RESULTS, TREC, trec_lines

QRELS, RUN = ("trec-qrels", ""), ("trec-run", "")

FILES_AS_FOUND = {
    # TREC text
    "1 0 d 3": QRELS,
    "1\t0\td\t3": QRELS,
    "1 0 d -1": QRELS,
    "1 0 d 0.75": QRELS,
    "1 0 d 1e-3": QRELS,
    "1 0 d +2": QRELS,
    "1 Q0 d 3": QRELS,
    "1 0 d 3 extra words": QRELS,
    "query 0 doc 3": QRELS,
    "rank 0 position 1\nscore 0 doc 1": QRELS,
    "1 0 d good": ("headerless", ""),
    "1 0 d good\n1 0 e 2": QRELS,
    "q1 a 1 9.5 run": ("run-of-five", ""),
    "3 qid:1 1:0.5 # d1": ("learning-to-rank", ""),
    "0.5\n-1e-3": ("predictions", ""),
    "q1 d1\nq1 d2": ("headerless", ""),
    "MED-1 12\nMED-2 14": ("headerless", ""),
    "foo,bar\nq1,d1\nq1,d2": ("delimited", ","),
    "q1,d1\nred shoes,best": ("delimited", ","),
    "a,b,c\n1,2,3\n2,3,4": ("delimited", ","),
    "1 0 a,b 3\n1 0 a,c 2": QRELS,
    "1 0 a,b|c;d 3": QRELS,
    "query_id iter doc_id grade\n" + "1 0 d 3\n" * 5: QRELS,
    "1 Q0 d 1 2.5 tag": RUN,
    "1\tQ0\td\t1\t2.5\trun": RUN,
    "topic\tQ0\tdoc\t1\t2.5\tsystem": RUN,
    "1 Q0 d 0 -2.5 tag": RUN,
    "1 Q0 d - 2.5 tag": RUN,
    "1 Q0 d 1 1e3 my tag": RUN,
    "1 x d 1 2.5 tag": RUN,
    "1 Q0 d 1 nan tag": RUN,
    "1 Q0 d 1 abc tag": RUN,
    "1\tQ0\td\t1\tabc\ttag": RUN,
    "1 Q0 d 1 2.5": RUN,
    "1 Q0 d 1 2.5 tag # not a comment": RUN,
    "# comment, with commas\n1 0 d 3": QRELS,
    "#query_id,doc_id,grade\n1 0 d 3": QRELS,
    "\ufeff\r\n  \n1 0 d 3\r\n": QRELS,
    # delimited text
    "query_id,doc_id,grade": ("delimited", ","),
    "query_id;doc_id;grade": ("delimited", ";"),
    "query_id|doc_id|grade": ("delimited", "|"),
    "query_id\tdoc_id\tgrade": ("delimited", "\t"),
    "query\tq0\tdocid\trel": ("delimited", "\t"),
    "query\tQ0\tdocid\trank\tscore\tsystem": ("delimited", "\t"),
    '"query_id","doc, id","grade"': ("delimited", ","),
    "query_id;title, with, many, commas;doc_id;grade": ("delimited", ";"),
    "query,docid,Ana Smith,Bo Lee": ("delimited", ","),
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating": ("delimited", ","),
    "Search Query,Doc Number,My Grade\nred shoes,1,2": ("delimited", ","),
    "Suche\tWare\tNote\nblue shoes\td\t3\nred hats\te\t2": ("delimited", "\t"),
    "Wie gesucht\tWelche Ware\tNote gut\nblue shoes\td\t3": ("delimited", "\t"),
    "Suche;Ware;Note\n1;d;0,5": ("delimited", ";"),
    "1,d,3\n2,e,1": ("headerless", ","),
    "1\td\t3\n2\te\t1": ("headerless", "\t"),
    "query_id": ("delimited", "\t"),
    "# query_id|doc_id|grade\n1|d|3": ("delimited", "|"),
    "# made by hand\nquery_id,doc_id,grade\n1,d,3": ("delimited", ","),
    "query,1,2,3\nred shoes,0,1,2": ("delimited", ","),
    "id,query,docno,label 0,label 1\n1,2,3,4,5": ("delimited", ","),
    "sep=;\nquery_id;doc_id;grade\n1;d;3": ("delimited", ";"),
    # JSON
    '{"query_id": 1}': ("jsonl", ""),
    ' {"query_id": 1, "doc_id": "d", "rank": 1, "score": 2, "a": 3}': ("jsonl", ""),
}


@pytest.mark.parametrize("text", FILES_AS_FOUND)
def test_files_as_found(text: str) -> None:
    """Tabs, headers nobody knows, comments and odd values do not mislead."""
    form = detect_text(Head(text.encode(), "file"))
    assert (form.name, form.delimiter) == FILES_AS_FOUND[text]


def test_comment_lines_above_a_header() -> None:
    """Comment lines are passed over, unless the last of them is the header."""
    assert detect_text(Head(b"# a\n\n# b\nquery_id,doc_id\n1,d", "file")).comments == 3
    assert detect_text(Head(b"# a\n#query_id,doc_id\n1,d", "file")).comments == 1
    assert detect_text(Head(b"#query_id,doc_id\n1,d", "file")).comments == 0
    assert detect_text(Head(b"# query, doc, and grade of a search\nquery_id,doc_id\n1,d", "file")).comments == 1


def test_a_header_longer_than_the_look(tmp_path: Path) -> None:
    """A header of more bytes than are looked at is still a header."""
    names = ["query_id", "doc_id", "grade", *(f"column {n}" for n in range(HEAD // 8))]
    line = "1,d,3" + ",x" * (len(names) - 3)
    (tmp_path / "wide.csv").write_text(f"{','.join(names)}\n{line}\n")
    assert ir.evaluate(tmp_path / "wide.csv", {1: {"d": 1.0}}, ["CG"])["CG"] == 3


def test_a_line_cut_off_by_the_look(tmp_path: Path) -> None:
    """The last line looked at may be cut anywhere; it does not count."""
    for cut in range(8):
        padding = "#" + "x" * (HEAD - 8 * 100 - cut - 2) + "\n"
        (tmp_path / "qrels").write_text(padding + "".join(f"1 0 {n:03} 3\n" for n in range(500)))
        assert ir.evaluate(tmp_path / "qrels", {1: {"000": 1.0}}, ["CG"])["CG"] == 3


def test_formats_of_columns() -> None:
    """Parquet and Arrow are known by their first bytes; text is not."""
    known = {b"PAR1....": "parquet", b"ARROW1\0\0": "arrow", b"\xff\xff\xff\xff....": "arrow"}
    for head, name in known.items():
        form = detect_columnar(Head(head, "file"))
        assert form is not None
        assert form.name == name
    assert detect_columnar(Head(b"1 0 d 3", "file")) is None


# --- arbitrary input: an answer or a DataError, nothing else

WORDS = st.sampled_from(
    ["1", "0", "Q0", "d", "3", "-1", "2.5", "nan", "inf", "", "query_id", "doc_id", "grade", "rank", "score", "system",
     "rater", "rating_1", '"', "#", "{", "}", '{"query_id": 1}', "\ufeff", "é", "red shoes", "12.0", "\x00", "[1]"]
)  # fmt: skip
BLANKS = st.sampled_from([" ", "\t", ",", ";", "|", "  "])
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", "\r", ""])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Draw text that looks like a table of some kind."""
    blank = draw(BLANKS)
    lines = draw(st.lists(st.lists(WORDS, max_size=7), max_size=6))
    return "".join(draw(st.just(blank) | BLANKS).join(line) + draw(ENDS) for line in lines).encode()


def attempt(judgments: Any, results: Any) -> None:
    """Evaluate; a refusal must be a DataError on one line."""
    try:
        ir.evaluate(judgments, results, ["nDCG@10", "RR"])
    except ir.DataError as error:
        message = str(error)
    else:
        return
    assert "\n" not in message
    assert message.endswith((".", "?", ")"))


GOOD = {1: {"d": 3.0}}


@settings(max_examples=tried(160), deadline=None)
@given(texts())
def test_any_text(data: bytes) -> None:
    """Any text is read, or refused with a message of one line."""
    attempt(io.BytesIO(data), GOOD)
    attempt(GOOD, io.BytesIO(data))
    attempt(io.BytesIO(data), None)


@settings(max_examples=tried(120), deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"ARROW1\0\0", b"{"]))
def test_any_bytes(data: bytes, magic: bytes) -> None:
    """Any bytes are read, or refused with a message of one line, whatever they claim to be."""
    attempt(io.BytesIO(magic + data), GOOD)
    attempt(io.BytesIO(gzip.compress(data)), GOOD)


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Good files of every format."""
    folder = tmp_path_factory.mktemp("wholes")
    made = [Path(form(rows, side, folder)).read_bytes() for form in FILES.values()
            for rows, side in ((JUDGMENTS, "judgments"), (RESULTS, "results"))]  # fmt: skip
    return [*made, *(write(trec_lines(RESULTS, "results")) for write in TREC.values())]


@settings(max_examples=tried(120), deadline=None)
@given(st.data())
def test_damaged_files(wholes: list[bytes], data: st.DataObject) -> None:
    """A good file cut short, or with bytes changed, is read or refused."""
    whole = bytearray(data.draw(st.sampled_from(wholes)))
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=4)):
        whole[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    attempt(io.BytesIO(bytes(whole[:cut])), GOOD)
    attempt(GOOD, io.BytesIO(bytes(whole)))


VALUES = st.one_of(
    st.none(), st.integers(-2, 2**70), st.floats(), st.text(max_size=3), st.booleans(),
    st.sampled_from(["1", "d", 1.5]), st.lists(st.integers(), max_size=2), st.binary(max_size=2),
)  # fmt: skip
NAMES = ["query_id", "doc_id", "grade", "rank", "score", "system", "rater", "rating_1", "rating_2", "query", "other"]


@settings(max_examples=tried(160), deadline=None)
@given(
    st.integers(0, 4).flatmap(
        lambda rows: st.dictionaries(st.sampled_from(NAMES), st.lists(VALUES, min_size=rows, max_size=rows), max_size=7)
    )
)
def test_any_columns(table: dict[str, list[Any]]) -> None:
    """Columns of anything are read, or refused."""
    attempt(table, GOOD)
    attempt(GOOD, table)
    attempt(table, None)


@settings(max_examples=tried(120), deadline=None)
@given(st.dictionaries(st.one_of(st.integers(), st.floats(), st.text(max_size=2), st.none()),
                       st.dictionaries(st.one_of(st.integers(), st.text(max_size=2), st.none()), VALUES, max_size=3),
                       max_size=3))  # fmt: skip
def test_any_dicts(table: dict[Any, dict[Any, Any]]) -> None:
    """Dicts of dicts of anything are read, or refused."""
    attempt(table, GOOD)
    attempt(GOOD, table)
