"""TREC text: judgments (qrels) and results (runs), with fields separated by whitespace."""

from typing import Literal

from idealrank._core import BadInput, Frame, Progress, read_trec
from idealrank.data.formats.head import (
    COLUMN_NAMES,
    DELIMITERS,
    SAMPLE,
    Content,
    DetectedFormat,
    Head,
    Line,
    is_number,
    line_pattern,
    match_lines,
    read_text,
    split_lines,
)
from idealrank.data.formats.messages import PREFERENCES, quoted
from idealrank.data.roles import fold
from idealrank.errors import DataError

_FIVE = rb"[ \t]*([^\s#]\S*)[ \t]+(\S+[ \t]+\S+[ \t]+\S+[ \t]+\S+)[ \t\r]*"
"""A line of five fields: the first, and the others."""

Kind = Literal["qrels", "run", ""]
"""Judgments, results, or neither."""


def detect_trec(head: Head) -> DetectedFormat | None:
    """Tell judgments from results: by the first line, or by most lines if that is not a header.

    Raises
    ------
    DataError
        If the first line is one of trec_eval's preferences.
    """
    if _is_tab_table(head.lines[:SAMPLE]):
        return None
    _refuse_almost_trec(head)
    _refuse_blanks(head)
    if all(_is_run_of_five(line.fields) for line in head.lines[:SAMPLE]):
        return DetectedFormat("run-of-five", read_run_of_five)
    if _is_labelled(head):
        from idealrank.data.formats.headerless import labelled_format

        return labelled_format(head)
    if _is_ranked(head):
        from idealrank.data.formats.headerless import ranked_format

        return ranked_format(head)
    kind = _kind_of_lines(head.lines)
    if kind:
        return DetectedFormat(f"trec-{kind}", read_qrels if kind == "qrels" else read_run)
    first = head.lines[0]
    if _is_preference(first):
        raise DataError(
            f"{head.name} line {first.number}: {quoted(first.text)} looks like a line of preferences (topic, group, "
            f"subgroup, document, level). {PREFERENCES}"
        )
    return None


def _is_labelled(head: Head) -> bool:
    """Whether lines are TREC judgments in which every grade is a word."""
    rows = [line.fields for line in head.lines[:SAMPLE]]
    if any(fold(field) in COLUMN_NAMES for field in rows[0]):
        return False
    return all(len(row) == 4 and row[1].upper() in ("0", "Q0") and _is_label(row[3]) for row in rows)


def _is_ranked(head: Head) -> bool:
    """Whether lines are query, document, rank and score: ranks count from 0 or 1, and scores have fractions.

    Judgments of four fields have grades in the last one, which are whole.
    """
    rows, counted = [line.fields for line in head.lines[:SAMPLE]], dict[str, int]()
    if not all(len(row) == 4 and is_number(row[3]) for row in rows) or all(row[3].isdigit() for row in rows):
        return False
    first = int(rows[0][2]) if rows[0][2] in ("0", "1") else 1
    for query, _, rank, _ in rows:
        if rank != str(first + counted.get(query, 0)):
            return False
        counted[query] = counted.get(query, 0) + 1
    return True


def _is_label(text: str) -> bool:
    return text[:1].isalpha() and not is_number(text)


def _is_preference(line: Line) -> bool:
    """Whether a line is one of trec_eval's preferences: topic, group, subgroup, document, level."""
    fields = line.fields
    if len(fields) != 5 or any(delimiter in line.text for delimiter in DELIMITERS[1:]):
        return False
    return is_number(fields[4]) and not is_number(fields[3]) and fields[1].upper() != "Q0"


def _refuse_almost_trec(head: Head) -> None:
    """Refuse what is almost TREC: a header above a run, sampled judgments."""
    first, *others = head.lines[:SAMPLE]
    place = f"{head.name} line {first.number}: {quoted(first.text)}"
    every, delimited = head.lines[:SAMPLE], any(sign in first.text for sign in DELIMITERS[1:])
    if delimited:
        return
    if (
        others
        and _is_header(first)
        and all(kind_of_fields(line.fields) == "run" and len(line.fields) > 5 for line in others)
    ):
        raise DataError(f"{place} looks like a header, which a TREC run does not have. Remove the line.")
    if all(_is_prel(line.fields) for line in every):
        raise DataError(
            f"{place} looks like a line of sampled judgments (prels: query, document, grade, method, probability), "
            "which idealrank does not read. Give lines 'query 0 document grade'."
        )


def _is_tab_table(lines: list[Line]) -> bool:
    """Whether tabs separate every line into cells, fewer or more than TREC has, and blanks are within some of them."""
    cells = [line.cells("\t") for line in lines]
    width = len(cells[0])
    if width not in (2, 3, 5) or any(len(each) != width for each in cells):
        return False
    blanks = any(len(line.fields) > width for line in lines)
    return blanks and not all(line.fields[1:2] in (["0"], ["Q0"], ["q0"]) for line in lines)


def _refuse_blanks(head: Head) -> None:
    """Refuse a run in which an id contains a blank: its second half would be read as the next field."""
    for line in head.lines[:SAMPLE]:
        fields = line.fields
        numbers = [is_number(field) for field in fields]
        if len(fields) < 6 or fields[1].upper() != "Q0" or not numbers[4] or kind_of_fields(line.cells("\t")):
            continue
        if numbers[5] and (len(fields) > 6 or not numbers[3]):
            raise DataError(
                f"{head.name} line {line.number}: {quoted(line.text)} has {fields[4]!r} where the score should be and "
                f"{fields[5]!r} where the system should be. Does the document's id contain a blank? A TREC line is "
                "'query Q0 document rank score system'. Use ids without blanks, or a table with a line of column names."
            )


def _is_header(line: Line) -> bool:
    fields = line.fields
    return len(fields) > 5 and not any(map(is_number, fields)) and fields[1].upper() not in ("0", "Q0")


def _is_run_of_five(fields: list[str]) -> bool:
    """Whether these are query, document, rank, score and system."""
    numbers = [is_number(field) for field in fields]
    return len(fields) == 5 and numbers[2:] == [True, True, False] and fields[1].upper() not in ("0", "Q0")


def _is_prel(fields: list[str]) -> bool:
    """Whether these are query, document, grade, method and probability."""
    numbers = [is_number(field) for field in fields]
    return len(fields) == 5 and not numbers[1] and all(numbers[2:]) and fields[1].upper() != "Q0"


def read_qrels(content: Content, progress: Progress | None) -> Frame:
    """Read judgments; if some grade is no number, all as text, which a scale of labels can read."""
    try:
        return read_trec(content, "qrels", progress)
    except BadInput as bad:
        from idealrank.data.formats.headerless import read_labelled

        labelled = read_labelled(content, progress) if bad.args[0] == "not_a_number" else None
        if labelled is None:
            raise
        return labelled


def read_run(content: Content, progress: Progress | None) -> Frame:
    """Read results."""
    return read_trec(content, "run", progress)


def read_run_of_five(content: Content, progress: Progress | None) -> Frame:
    """Read results whose lines lack Q0, which is put in, so that lines keep their numbers."""
    text = read_text(content)
    rows = match_lines(text, line_pattern(_FIVE))
    lines = (_insert_q0(line, number) for number, line in enumerate(split_lines(text), 1)) if rows is None else None
    return read_trec(b"\n".join(lines or (b" Q0 ".join(row) if row[0] else b"" for row in rows or [])), "run", progress)


def _insert_q0(line: bytes, number: int) -> bytes:
    fields = line.split()
    if not fields or fields[0].startswith(b"#"):
        return b""
    if len(fields) != 5:
        text = line[:400].decode("utf-8", "replace")
        raise BadInput("too_few_fields", number, "", text, f"{len(fields)} of 5")
    return b" ".join([fields[0], b"Q0", *fields[1:]])


def _kind_of_lines(lines: list[Line]) -> Kind:
    first = lines[0]
    if kind := kind_of_fields(first.cells("\t")) or kind_of_fields(first.fields):
        return kind
    if max(first.roles(delimiter) for delimiter in DELIMITERS) > 1:
        return ""
    # A first line with a field too many or too few is TREC all the same, and refused with its number where it is read.
    if (kind := _intended_kind(first.fields)) or _is_even_table(lines[:SAMPLE]):
        return kind
    shapes = [shape for line in lines[:SAMPLE] if (shape := kind_of_fields(line.fields))]
    return shapes[0] if 2 * len(shapes) > len(lines[:SAMPLE]) else ""


def _is_even_table(lines: list[Line]) -> bool:
    """Whether some delimiter separates every line into the same number of cells, more than one."""
    counts = [{line.text.count(delimiter) for line in lines} for delimiter in DELIMITERS]
    return any(len(each) == 1 and 0 not in each for each in counts)


def kind_of_fields(fields: list[str]) -> Kind:
    """Tell judgments from results by the fields of a line; "" if it is neither."""
    numbers = [is_number(field) for field in fields]
    if len(fields) == 4 or (len(fields) > 4 and not numbers[4] and fields[1].upper() != "Q0"):
        return "qrels" if numbers[3] else ""
    if len(fields) > 4 and numbers[4] and (numbers[3] or fields[1].upper() == "Q0"):
        return "run"
    return ""


def _intended_kind(fields: list[str]) -> Kind:
    """Tell from the constant second field what a line with a wrong number of fields was meant to be."""
    if len(fields) > 4 and fields[1].upper() == "Q0":
        return "run"
    return "qrels" if len(fields) == 4 and fields[1].upper() in ("0", "Q0") else ""
