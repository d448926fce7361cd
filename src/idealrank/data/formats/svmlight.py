"""Learning to rank: SVMlight and LETOR lines are judgments; one number per line is a file of predictions."""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from idealrank._core import BadInput, Frame, Progress, from_columns, read_delimited, read_trec
from idealrank.data.formats.head import (
    SAMPLE,
    Content,
    DetectedFormat,
    Head,
    Tables,
    is_number,
    line_pattern,
    match_lines,
    read_text,
    split_lines,
)
from idealrank.data.formats.messages import quoted
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError

_ROW = re.compile(rb"([^\s#]+)[ \t]+qid:([^\s#]+).*")
_NAMED = line_pattern(
    rb"[ \t]*([^\s#]+)[ \t]+qid:([^\s#]+)[^#\n]*#[ \t]*(?:[dD][oO][cC]_?[iI][dD][ \t]*=[ \t]*)?(\S+)[^\n]*"
)
_FEATURES = re.compile(r"\s*[-+.\de]+(\s+\d+:[-+.\de]+)+\s*(#.*)?", re.I)

_QUERY = re.compile(rb"^#[ \t]*qid:([^\s:]+):[ \t]*(\S.*?)[ \t\r]*$", re.M)
"""A comment that names a query."""

_TEXTED = line_pattern(rb"[ \t]*[^\s#]+[ \t]+qid:([^\s#]+)[^#\n]*#[ \t]*[^\s#]+\t[ \t]*([^\t\n]*[^\s])\s*?")
"""A line of Quepid's export, whose comment has the document and, behind a tab, the text of the query."""

_PREDICTIONS = frozenset({"predictions", "preds", "pred", "scores"}).union(*ALIASES["score"])
"""Headers above predictions, folded."""

_BLANK = b" "
"""Stands before lines that were written anew: a query that begins like a byte order mark is not the text's own mark."""

WEIGHTED = re.compile(r".*\S\*\d+(\.\d+)?")
"""The name of a query with its weight, as hello-ltr writes every one: ``rambo*1``."""

Row = tuple[bytes, bytes]
"""Grade and query."""


def detect_learning_to_rank(head: Head) -> DetectedFormat | None:
    """Recognize the lines by ``qid:`` or by features, and predictions by one number per line.

    Raises
    ------
    DataError
        If lines of features do not say which query they belong to, and no file of group sizes does.
    """
    first, lines = head.lines[0], head.lines[:SAMPLE]
    numbers = [len(line.fields) == 1 and is_number(line.text) for line in lines]
    if numbers[0] and len(numbers) > 1 and 2 * sum(numbers) > len(numbers):
        return DetectedFormat("predictions", functools.partial(_read_predictions, above=first.number - 1))
    if not numbers[0] and len(lines) > 1 and all(numbers[1:]) and fold(first.text) in _PREDICTIONS:
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} is a header, which predictions do not have. Remove "
            f"line {first.number}."
        )
    if len(first.fields) > 1 and first.fields[1].startswith("qid:"):
        return DetectedFormat("learning-to-rank", read_learning_to_rank)
    if not all(_FEATURES.fullmatch(line.text) for line in lines):
        return None
    if (sizes := _find_sizes(head.name)) is None:
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} is a line of features without a query. Write the "
            f"number of lines of each query, one per line, into {head.name}.query, or add qid: after the grade."
        )
    return DetectedFormat("learning-to-rank", functools.partial(read_learning_to_rank, sizes=sizes))


def _find_sizes(name: str) -> str | None:
    """Return the file of group sizes that LightGBM (.query) or XGBoost (.group) look for beside a file."""
    return next((file for ending in (".query", ".group") if os.path.isfile(file := name + ending)), None)


def _read_predictions(content: Content, progress: Progress | None, above: int) -> Frame:
    lines = split_lines(read_text(content))
    # The name of the column ends in CR, not LF, so that rows keep the numbers of their lines.
    body = b"score\r" + b"\n".join(line.strip() for line in lines[above:])
    return read_delimited(b"\n".join([*lines[:above], body]), "\t", progress, above)


def read_learning_to_rank(content: Content, progress: Progress | None, sizes: str = "") -> Frame | Tables:
    """Read the grade, the query, and the document of each line, and the queries that comments name."""
    text = read_text(content)
    frame = _read_judgments(text, progress, sizes)
    named = _QUERY.findall(text) or _texts_in_lines(text)
    names = {key.decode("utf-8", "replace"): name.decode("utf-8", "replace") for key, name in named}
    ids: list[str] = frame.column(0).codes()[1].to_list()
    if not names.keys() >= set(ids):
        return frame
    if all(map(WEIGHTED.fullmatch, names.values())):
        names = {key: name.rpartition("*")[0] for key, name in names.items()}
    numbered = len({names[key] for key in ids}) == len(ids) and ids == [str(place + 1) for place in range(len(ids))]
    queries = from_columns(["query_id", "query"], [list(names), list(names.values())])
    return {"judgments": _name_queries(frame, names) if numbered else frame, "queries": queries}


def _texts_in_lines(text: bytes) -> list[tuple[bytes, bytes]]:
    """Return each query and its text, if all lines have one behind the document: none if two of a query differ."""
    rows = match_lines(text, _TEXTED) or []
    pairs = {(query, name) for query, name in rows if query}
    return sorted(pairs) if len(pairs) == len({query for query, _ in pairs}) else []


def _name_queries(frame: Frame, names: Mapping[str, str]) -> Frame:
    """Call the queries, which were numbered, by their names; rows keep their lines."""
    # The names of the columns end in CR, not LF, so that rows keep the numbers of their lines.
    lines = [""] * (frame.line(frame.rows - 1) or 0)
    for row, (query, *others) in enumerate(zip(*(frame.column(place).to_list() for place in range(3)), strict=True)):
        # A document may contain quotes, too, which a table would take off.
        lines[(frame.line(row) or 0) - 1] = "\t".join(map(_quote_cell, (names[query], *others)))
    return read_delimited(b"query_id\tdoc_id\tgrade\r" + "\n".join(lines).encode(), "\t", None, 0)


def _quote_cell(value: object) -> str:
    return '"' + str(value).replace('"', '""') + '"'


def _read_judgments(text: bytes, progress: Progress | None, sizes: str) -> Frame:
    """Read the lines, rewritten as TREC judgments, so that they keep their numbers.

    Without a document in every line, the row in the query is its id.
    """
    if not sizes and (named := _read_named(text, progress)) is not None:
        return named
    lines = split_lines(text)
    lines = list(_add_queries(lines, sizes)) if sizes else lines
    rows = [_parse_row(line, number) for number, line in enumerate(lines, 1)]
    seen: Counter[bytes] = Counter()
    return read_trec(_BLANK + b"\n".join(_trec_line(row, seen) for row in rows), "qrels", progress)


def _read_named(text: bytes, progress: Progress | None) -> Frame | None:
    """Read lines whose comments name documents: every line has one, and they differ within queries; else None."""
    import numpy as np  # only here: files are read while it is imported

    rows = match_lines(text, _NAMED)
    if rows is None:
        _refuse_some_named(text)
        return None
    lines = (b" ".join((query, b"0", doc, grade)) if query else b"" for grade, query, doc in rows)
    frame = read_trec(_BLANK + b"\n".join(lines), "qrels", progress)
    query, doc = (frame.column(place).codes()[0] for place in (0, 1))
    queries, pairs = len(np.unique(query)), len(np.unique(query * frame.rows + doc))
    return frame if pairs > queries or queries == frame.rows else None


def _refuse_some_named(text: bytes) -> None:
    """Refuse comments that name the documents of some lines only: numbering all documents would lose these names."""
    lines = split_lines(text)
    named = [
        (number, match[3]) for number, line in enumerate(lines, 1) if (match := _NAMED.fullmatch(line)) and match[3]
    ]
    unnamed = (n for n, line in enumerate(lines, 1) if not _NAMED.fullmatch(line) and _ROW.fullmatch(line.strip()))
    if named and (number := next(unnamed, 0)):
        first, doc = named[0]
        raise BadInput("some_named", number, "", doc.decode("utf-8", "replace"), str(first))


def _parse_row(line: bytes, number: int) -> Row | None:
    match = _ROW.fullmatch(line.strip())
    if match is None:
        if _is_data_line(line):
            raise BadInput("not_learning", number, "", line[:400].decode("utf-8", "replace"), "")
        return None
    return match[1], match[2]


def _trec_line(row: Row | None, seen: Counter[bytes]) -> bytes:
    if row is None:
        return b""
    grade, query = row
    seen[query] += 1
    return b"%s 0 %d %s" % (query, seen[query], grade)


def _add_queries(lines: Sequence[bytes], sizes: str) -> Iterator[bytes]:
    """Write the query after the grade of each line: 1 for those of the first group, and so on."""
    queries = [query for query, size in enumerate(_read_sizes(sizes), 1) for _ in range(size)]
    rows = sum(map(_is_data_line, lines))
    if rows != len(queries):
        raise DataError(f"{sizes}: the groups have {len(queries)} lines, but the data has {rows}. They must agree.")
    query = iter(queries)
    for line in lines:
        yield b"%s qid:%d" % (line.split()[0], next(query)) if _is_data_line(line) else b""


def _is_data_line(line: bytes) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(b"#")


def _read_sizes(sizes: str) -> Iterable[int]:
    for number, line in enumerate(split_lines(read_text(sizes)), 1):
        if line.strip():
            if not line.strip().isdigit():
                text = quoted(line.decode("utf-8", "replace"))
                raise DataError(f"{sizes} line {number}: {text} is not the number of lines of a query.")
            yield int(line)
