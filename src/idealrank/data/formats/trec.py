"""TREC text: judgments (qrels) and results (runs), with fields separated by whitespace."""

import re
from typing import Literal

from idealrank._core import Frame, Progress, read_trec
from idealrank.data.formats.head import DELIMITERS, Content, Form, Head, Line
from idealrank.data.formats.messages import PREFERENCES, quoted
from idealrank.errors import DataError

SAMPLE = 20
"""Number of lines to look at if the first is not enough."""

_NUMBER = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?)\s*", re.I)

Kind = Literal["qrels", "run", ""]
"""Judgments, results, or neither."""


def looks_like(head: Head) -> Form | None:
    """Tell judgments from results: by the first line, or by most lines if that is not a header.

    Raises
    ------
    DataError
        If the first line is one of trec_eval's preferences, or of learning to rank.
    """
    _refuse_features(head)
    _refuse_fields(head)
    kind = _kind(head.lines)
    if kind:
        return Form(f"trec-{kind}", read_qrels if kind == "qrels" else read_run)
    first = head.lines[0]
    if _prefers(first):
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} is a line of preferences. {PREFERENCES}"
        )
    return None


def _refuse_features(head: Head) -> None:
    first = head.lines[0]
    if len(first.fields) > 1 and first.fields[1].startswith("qid:"):
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} is a learning-to-rank line (SVMlight: grade, "
            "qid:query, features), which idealrank does not read. Give a table with the columns query, doc and grade."
        )


def _refuse_fields(head: Head) -> None:
    """Refuse what is almost TREC: a header above a run, five fields, sampled judgments."""
    first, *others = head.lines[:SAMPLE]
    place = f"{head.name} line {first.number}: {quoted(first.text)}"
    every, delimited = head.lines[:SAMPLE], any(sign in first.text for sign in DELIMITERS[1:])
    if delimited:
        return
    if others and _is_header(first) and all(_shape(line.fields) == "run" and len(line.fields) > 5 for line in others):
        raise DataError(f"{place} looks like a header, which a TREC run does not have. Remove the line.")
    if all(_run_of_five(line.fields) for line in every):
        raise DataError(f"{place} has 5 fields; a line of a TREC run has 6: query Q0 document rank score system.")
    if all(_prel(line.fields) for line in every):
        raise DataError(
            f"{place} looks like a line of sampled judgments (prels: query, document, grade, method, probability), "
            "which idealrank does not read. Give lines 'query 0 document grade'."
        )


def _is_header(line: Line) -> bool:
    fields = line.fields
    return len(fields) > 5 and not any(map(_is_number, fields)) and fields[1].upper() not in ("0", "Q0")


def _run_of_five(fields: list[str]) -> bool:
    """Whether these are query, document, rank, score and system."""
    numbers = [_is_number(field) for field in fields]
    return len(fields) == 5 and numbers[2:] == [True, True, False] and not numbers[1] and fields[1].upper() != "Q0"


def _prel(fields: list[str]) -> bool:
    """Whether these are query, document, grade, method and probability."""
    numbers = [_is_number(field) for field in fields]
    return len(fields) == 5 and not numbers[1] and all(numbers[2:]) and fields[1].upper() != "Q0"


def read_qrels(content: Content, progress: Progress | None) -> Frame:
    """Read judgments."""
    return read_trec(content, "qrels", progress)


def read_run(content: Content, progress: Progress | None) -> Frame:
    """Read results."""
    return read_trec(content, "run", progress)


def _kind(lines: list[Line]) -> Kind:
    first = lines[0]
    if kind := _shape(first.cells("\t")) or _shape(first.fields):
        return kind
    if max(first.roles(delimiter) for delimiter in DELIMITERS) > 1:
        return ""
    if (kind := _intended(first.fields)) or _even(lines[:SAMPLE]):
        return kind
    shapes = [shape for line in lines[:SAMPLE] if (shape := _shape(line.fields))]
    return shapes[0] if 2 * len(shapes) > len(lines[:SAMPLE]) else ""


def _even(lines: list[Line]) -> bool:
    """Whether some delimiter separates every line into the same number of cells, more than one."""
    counts = [{line.text.count(delimiter) for line in lines} for delimiter in DELIMITERS]
    return any(len(each) == 1 and 0 not in each for each in counts)


def _shape(fields: list[str]) -> Kind:
    numbers = [_is_number(field) for field in fields]
    if len(fields) == 4 or (len(fields) > 4 and not numbers[4] and fields[1].upper() != "Q0"):
        return "qrels" if numbers[3] else ""
    if len(fields) > 4 and numbers[4] and (numbers[3] or fields[1].upper() == "Q0"):
        return "run"
    return ""


def _intended(fields: list[str]) -> Kind:
    """Tell from the constant second field what a line with a wrong number of fields was meant to be."""
    if len(fields) > 4 and fields[1].upper() == "Q0":
        return "run"
    return "qrels" if len(fields) == 4 and fields[1].upper() in ("0", "Q0") else ""


def _prefers(line: Line) -> bool:
    """Whether a line is one of trec_eval's preferences: topic, group, subgroup, document, level."""
    fields = line.fields
    if len(fields) != 5 or any(delimiter in line.text for delimiter in DELIMITERS[1:]):
        return False
    return _is_number(fields[4]) and not _is_number(fields[3]) and fields[1].upper() != "Q0"


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None
