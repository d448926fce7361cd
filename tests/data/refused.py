"""Bad files, each with the message it is refused with."""
# ruff: noqa: E501  a message stands on one line here, as it does when it is said

from __future__ import annotations

import gzip
import re
from typing import Any, NamedTuple

from tests.data.forms import zst

QRELS = b"1 0 a 3\n1 0 b 1\n2 0 c 2\n"
RUN = b"1 Q0 a 1 9.5 t\n1 Q0 b 2 8.5 t\n2 Q0 c 1 7.5 t\n"
TREC = (
    "A TREC line is 'query 0 document grade' (judgments) or 'query Q0 document rank score system' (results); "
    "other text needs a first line that names its columns."
)
PREFERENCES = (
    "a line of preferences (topic, group, subgroup, document, level). Only idealrank trec_eval -R prefs reads "
    "preferences with subgroups. If the fields mean something else, add a first line that names the columns, such as: "
    "query, subtopic, doc and grade."
)
READABLE = "Readable: TREC text, CSV, TSV, JSONL, Parquet, Arrow, Excel; also in gz, zst, bz2, xz, lz4 or zip."
WAYS = "Remove one, or choose: [duplicates=first|--duplicates first], last or max."
JUDGED_WAYS = "Remove one, or choose: [duplicates=first|--duplicates first], last, max, mean, median or majority."
EMPTY = "empty. Give at least one judgment or result."
NO_ROW = "there are columns but no rows. Give at least one judgment or result."
UTF8 = (
    "not UTF-8 text. Save the file as UTF-8. A spreadsheet offers it as a type of its own, such as CSV UTF-8; its plain "
    "CSV is often Windows-1252."
)
EARLY = "the compressed data ends early. Copy or compress the file again."
TOO_LONG = "longer than 1 MiB, the longest a line may be. Is this the right file?"
NUMBER = "is not a number. Give a number, such as 3 or 0.25."


def word(value: str) -> str:
    """Return what is said of a grade that is a word among numbers."""
    scale = f"{value}="
    return (
        f"grade {value!r} is not a number. It is a word among numbers. If it says that there is no grade, leave the cell "
        f'empty or pass [grades={scale!r}|--grades "{scale}"]; if it is a grade, say what every value is worth, the '
        "numbers too."
    )


COMMA = "is not a number. Write decimals with a point, as in 2.5."
FINITE = "is not finite. Give a finite number."
BLANK = "contains whitespace, which ends a field of TREC text. Use ids without whitespace, or a first line that names the columns."
SAME_IDS = "Use the same ids, or name the columns."
_LONG = b"a" * (10 << 20)


class Refused(NamedTuple):
    """One bad file beside a good one; ``options`` are given on the command line too."""

    side: str
    data: bytes
    said: str
    """The message; ``[python|typed]`` where the command line says it otherwise."""
    options: dict[str, Any]

    @property
    def message(self) -> str:
        """What the library says."""
        return _TWO_WAYS.sub(r"\1", self.said)

    @property
    def typed(self) -> str:
        """What the command line says."""
        return _TWO_WAYS.sub(r"\2", self.said)


_TWO_WAYS = re.compile(r"\[([^|\]]+)\|([^\]]+)\]")


def judgments(data: str | bytes, message: str, **options: Any) -> Refused:
    """Return a case of bad judgments; ``~`` in the message stands for the file's name."""
    return Refused("judgments", _bytes(data), message.replace("~", "judgments"), options)


def results(data: str | bytes, message: str, **options: Any) -> Refused:
    """Return a case of bad results."""
    return Refused("results", _bytes(data), message.replace("~", "results"), options)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data


NOT_TEXT = {
    "empty": judgments("", f"~: {EMPTY}"),
    "blank lines and comments only": results("\n# x\n\r\n", f"~: {EMPTY}"),
    "header only": judgments("query_id,doc_id,grade\n", f"~: {NO_ROW}"),
    "empty gz": judgments(gzip.compress(b""), f"~: {EMPTY}"),
    "binary junk": results(bytes(range(256)), f"~: binary data. {READABLE}"),
    "binary junk later": judgments(
        QRELS + b"1 0 \x00 3\n",
        f"~ line {len(QRELS.splitlines()) + 1}: a NUL byte, which text cannot contain. Remove it.",
    ),
    "zip": results(
        b"PK\x03\x04rest", "~: cannot be unpacked (File is not a zip file). Check the file, or unpack it yourself."
    ),
    "bzip2": results(b"BZh91AY", f"~: {EARLY}"),
    "SQLite": results(
        b"SQLite format 3\x00\x10\x00",
        "~: a SQLite database. A project of the studio is opened with `idealrank studio`; of another, write the table as "
        "CSV or Parquet.",
    ),
    "NumPy": results(
        b"\x93NUMPY\x01\x00",
        "~: an array of NumPy, which has no names. Write a table with a query and a document in each row.",
    ),
    "pickle": results(
        b"\x80\x04\x95\x10\x00",
        "~: a pickle of Python, which could run anything as it is opened. Write the table as Parquet or CSV.",
    ),
    "old Excel": results(b"\xd0\xcf\x11\xe0\xa1\xb1", "~: an old Excel file (.xls). Save it as .xlsx or CSV."),
    "UTF-16 cut off": judgments(
        "query_id,doc_id,grade\n".encode("utf-16")[:-1],
        "~: cannot be unpacked ('utf-16-le' codec can't decode byte 0x0a in position 44: truncated data). Check the "
        "file, or unpack it yourself.",
    ),
    "not UTF-8, TREC": judgments(QRELS + "1 0 é 3\n".encode("latin-1"), f"~ line 4: {UTF8}"),
    "not UTF-8, CSV": judgments("query_id,doc_id,grade\n1,a,3\n1,é,3\n".encode("latin-1"), f"~ line 3: {UTF8}"),
    "not UTF-8, header": judgments("query_id,doc_id,Güte,grade\n1,a,x,3\n".encode("latin-1"), f"~ line 1: {UTF8}"),
    "not UTF-8, JSON": judgments('{"query_id": "é"}\n'.encode("latin-1"), f"~ line 1: {UTF8}"),
    "truncated gz": judgments(gzip.compress(QRELS * 1000)[:-20], f"~: {EARLY}"),
    "truncated gz, far in": results(
        gzip.compress(b"".join(b"1 Q0 d%d 1 2 t\n" % i for i in range(50_000)))[:-2000], f"~: {EARLY}"
    ),
    "truncated zst": results(zst(RUN)[:-5], f"~: {EARLY}"),
    "10 MB line, TREC": judgments(QRELS + b"1 0 " + _LONG + b" 3\n", f"~ line 4: {TOO_LONG}"),
    "10 MB line, first": judgments(b"1 0 " + _LONG + b" 3\n", f"~ line 1: {TOO_LONG}"),
    "10 MB line, CSV": judgments(b"query_id,doc_id,grade\n1," + _LONG + b",3\n", f"~ line 2: {TOO_LONG}"),
    "10 MB line, JSON": judgments(
        b'{"query_id": 1, "doc_id": "a", "grade": 1}\n{"query_id": "' + _LONG + b'"}\n', f"~ line 2: {TOO_LONG}"
    ),
    "10 MB without a line end": results(_LONG, f"~ line 1: {TOO_LONG}"),
    "line ends of old Macs": judgments(
        "1 0 a 3\r1 0 b 1\r", "~: the lines end in CR only. Save the file with LF or CRLF line endings."
    ),
}

TREC_TEXT = {
    "too few fields, judgments": judgments("1 0 a 3\n\n# x\n1 0 b\n", f"~ line 4: 3 of 4 fields in '1 0 b'. {TREC}"),
    "too few fields, results": results(RUN + b"1 Q0 b 2\n", f"~ line 4: 4 of 6 fields in '1 Q0 b 2'. {TREC}"),
    "too few fields, first line": results("1 Q0 a 1 9.5\n", f"~ line 1: 5 of 6 fields in '1 Q0 a 1 9.5'. {TREC}"),
    "no TREC line": judgments("red shoes\n", f"~ line 1: 'red shoes' is not a line of TREC text. {TREC}"),
    "preferences": judgments("1 g s A 3\n", f"~ line 1: '1 g s A 3' looks like {PREFERENCES}"),
    "preferences with tabs": judgments("1\tg\ts\tA\t3\n", rf"~ line 1: '1\tg\ts\tA\t3' looks like {PREFERENCES}"),
    "grade no number": judgments(QRELS + b"2 0 d good\n", f"~ line 4: {word('good')}"),
    "grade no number, first line": judgments("2 0 d good\n1 0 d 1\n", f"~ line 1: {word('good')}"),
    "score no number": results("1 Q0 a 1 9,5 t\n", f"~ line 1: score '9,5' {COMMA}"),
    "score no number, tabs": results("1\tQ0\ta\t1\tx\tt\n", f"~ line 1: score 'x' {NUMBER}"),
    "NaN score": results(RUN + b"2 Q0 d 2 NaN t\n", f"~ line 4: score 'NaN' {FINITE}"),
    "inf score": results(RUN + b"2 Q0 d 2 -inf t\n", f"~ line 4: score '-inf' {FINITE}"),
    "inf grade": judgments(QRELS + b"2 0 d inf\n", f"~ line 4: grade 'inf' {FINITE}"),
    "ids with blanks": judgments("red shoes\t0\ta\t3\n", f"~ line 1: 'red shoes' {BLANK}"),
    "ids with blanks later": results(
        "hats\tQ0\ta\t1\t2\tt\nred shoes\tQ0\ta\t1\t2\tt\n", f"~ line 2: 'red shoes' {BLANK}"
    ),
    "results as judgments": judgments(
        RUN,
        "~: this is a TREC run (results), not judgments. Give judgments first, then results. If nobody has judged "
        "anything yet: [ir.pool(results) lists what to judge, and ir.judge asks a model.|idealrank studio RESULTS… to "
        "grade, idealrank judge RESULTS… to ask a model.]",
    ),
    "judgments as results": results(
        QRELS, "~: these are TREC judgments (4 fields), not results. Give judgments first, then results."
    ),
}

TABLES = {
    "ragged": judgments(
        "query_id,doc_id,grade\n1,a,3\n1,b\n",
        "~ line 3: 2 fields, but the header has 3. Give every line the same number, and quote fields that contain the separator.",
    ),
    "one field": judgments(
        "query_id,doc_id,grade\n1,a,3\n# note\n",
        "~ line 3: 1 field, but the header has 3. Give every line the same number, and quote fields that contain the separator.",
    ),
    "two columns of one name": judgments(
        "query_id,doc_id,grade,grade\n1,a,3,3\n", "~ line 1: two columns are called 'grade'. Rename one."
    ),
    "CSV grade no number": judgments("query_id,doc_id,grade\n1,a,3\n1,b,high\n", f"~ line 3: {word('high')}"),
    "CSV score no number": results("query_id,doc_id,score\n1,a,x\n", f"~ line 2: score 'x' {NUMBER}"),
    "CSV rank no number": results("query_id,doc_id,rank\n1,a,first\n", f"~ line 2: rank 'first' {NUMBER}"),
    "CSV NaN score": results(
        "query_id,doc_id,score\n1,a,2\n1,b,nan\n", "~ line 3: the score is missing or NaN. Give a finite number."
    ),
    "CSV empty score": results(
        "query_id,doc_id,score\n1,a,2\n1,b,\n", "~ line 3: the score is missing or NaN. Give a finite number."
    ),
    "CSV inf score": results("query_id,doc_id,score\n1,a,inf\n", f"~ line 2: score 'inf' {FINITE}"),
    "CSV inf grade": judgments("query_id,doc_id,grade\n1,a,-Infinity\n", f"~ line 2: grade '-inf' {FINITE}"),
    "CSV no query id": judgments(
        "query_id,doc_id,grade\n1,a,3\n,b,1\n", "~ line 3: the query id is missing. Give every row one."
    ),
    "CSV no doc id": judgments(
        "query_id,doc_id,grade\n1,a,3\n1,,1\n", "~ line 3: the doc id is missing. Give every row one."
    ),
    "CSV rank below 0": results(
        "query_id,doc_id,rank\n1,a,-1\n", "~ line 2: the rank is below 0. Ranks must start from 1 or 0."
    ),
    "CSV result without a system": results(
        "query_id,doc_id,rank,system\n1,a,1,s\n1,b,1,t\n2,c,1,\n",
        "~ line 4: the system is missing, and the table has 2 systems: s, t. Name the system in every row.",
    ),
    "lines counted with comments above": judgments(
        "# one\n# two\nquery_id,doc_id,grade\n\n1,a,3x\n", f"~ line 5: grade '3x' {NUMBER}"
    ),
    "lines counted with quoted line ends": judgments(
        'query_id,doc_id,title,grade\n1,a,"x\ny",1\n1,b,z,x\n', f"~ line 4: grade 'x' {NUMBER}"
    ),
    "header of blanks": judgments(
        "query_id doc_id grade\n1 a 3\n",
        "~ line 1: 'query_id doc_id grade' names columns separated by spaces. Separate them with commas, tabs, semicolons or |.",
    ),
    "columns missing": judgments(
        "Suche;Ware;Note\nx;a;1\n",
        "~: no query, doc or grade column. Found: Suche, Ware, Note. Name them: [ir.read_judgments(table, query='…', doc='…', grade='…')|--query-col NAME, --doc-col NAME, --grade-col NAME].",
    ),
    "four columns without a header": results(
        "1\ta\t1\tx\n1\tb\t2\ty\n", "~ line 1: two columns are called '1'. The first line must name the columns."
    ),
    "no header": results(
        "q1,a,7,x\nq1,b,2,y\n",
        "~: no query or doc column. Found: q1, a, 7, x. The first line looks like a "
        "row: add one above it that names the columns, such as query, doc and grade.",
    ),
    "columns ambiguous": results(
        "query_id,doc_id,rank,position\n1,a,1,1\n",
        "~: 'rank', 'position' could each be the rank. Say which: [ir.read_results(table, rank='rank') or ir.read_results(table, rank='position')|--rank-col rank or --rank-col position].",
    ),
    "JSON without documents": judgments(
        '{"queries": {"q1": "a text", "q2": "another"}}',
        "~: JSON without documents. Expected are rows with a document id and a grade or a score, {query: {document: "
        "number}}, {query: [documents]}, or lists such as relevant_ids and retrieved_ids beside the query.",
    ),
    "JSON cut short": judgments(
        '{"query_id": 1, "doc_id": "a", "grade": 2}\n{"query_id": 1, "doc',
        "~ line 2: EOF while parsing a string at column 20. Give one JSON object per line.",
    ),
    "JSON without keys": judgments(
        '{"query_id": 1, "doc_id": "a", "grade": 2}\n[1, "a", 2]\n',
        "~ line 2: invalid type: sequence, expected an object at column 0. Give one JSON object per line.",
    ),
    "JSON within JSON": judgments(
        '{"query_id": 1, "doc_id": {"x": 1}, "grade": 2}\n',
        "~ line 1: doc_id '{\"x\":1}' is a list or an object. Give one text or number, with one row per document.",
    ),
    "JSON grade no number": judgments(
        '{"query_id": 1, "doc_id": "a", "grade": 2}\n{"query_id": 1, "doc_id": "b", "grade": "x"}\n',
        f"~ line 2: grade 'x' {NUMBER}",
    ),
}

ROWS = {
    "duplicate judgment": judgments(
        QRELS + b"1 0 a 3\n",
        f"~ line 4: document 'a' is judged a second time for query '1', again with grade 3 (first: line 1). {JUDGED_WAYS}",
    ),
    "conflicting judgment": judgments(
        QRELS + b"1 0 a 0\n",
        f"~ line 4: document 'a' is judged a second time for query '1', with grade 0 after 3 (first: line 1). {JUDGED_WAYS}",
    ),
    "duplicate judgment, CSV": judgments(
        "query_id,doc_id,grade\n1,a,0.5\n\n1,a,1\n",
        f"~ line 4: document 'a' is judged a second time for query '1', with grade 1 after 0.5 (first: line 2). {JUDGED_WAYS}",
    ),
    "duplicate result": results(
        RUN + b"1 Q0 a 3 7 t\n",
        f"~ line 4: document 'a' is returned a second time for query '1' (first: line 1). {WAYS}",
    ),
    "no grade at all": judgments(
        "query_id,doc_id,grade\n1,a,\n1,b,\n",
        "~: nobody has graded anything yet: 2 rows, but no grade in the column grade. Give at least one.",
    ),
    "no query in common": results(
        "q1 Q0 a 1 2 t\n",
        f"The one query in ~ has no judgments: query ids look like 'q1' (text) there and like 1 (a number) in judgments. {SAME_IDS}",
    ),
    "nothing matches": results(
        "1 Q0 x 1 2 t\n2 Q0 y 1 2 t\n",
        f"None of the 2 results in ~ is judged: document ids look like 'x' (text) there and like 'a' (text) in judgments. {SAME_IDS}",
    ),
    "grade above the declared top": judgments(
        QRELS,
        "~ line 1: grade 3 is above [max_grade=2|--max-grade 2]. Correct the grade, or declare [max_grade=3|--max-grade 3].",
        max_grade=2,
    ),
    "order by a column that is not there": results(
        "query_id,doc_id,rank\n1,a,1\n",
        "~: order_by=score, but there is no score column. Found: query_id, doc_id, rank. Name it: [ir.read_results(table, score='…')|--score-col NAME], or let idealrank choose the order: [order_by=auto|--order-by auto].",
        order_by="score",
    ),
    "opposite directions": results(
        "query_id,doc_id,rank,score\n1,a,1,1\n1,b,2,2\n",
        "~: rank and score run in opposite directions in 1 of 1 queries (does a lower score mean better here?). Say which counts: [order_by=rank|--order-by rank] or [order_by=score|--order-by score].",
    ),
}

CASES = {**NOT_TEXT, **TREC_TEXT, **TABLES, **ROWS}
