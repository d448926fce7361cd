"""The files as trec_eval reads them: with the compiled reader if it reads the same, else field by field."""

import itertools
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from idealrank._core import BadInput, BadRow, Column, Pool, Run, from_columns, read_trec, sniff
from idealrank.integrations.trec_eval.arguments import INPUT, NOTHING, Arguments, Stop, atof, atol

HEAD = 1 << 16
"""Bytes at the beginning of a file searched for anything the compiled reader reads differently."""

_EXPONENT = re.compile(rb"[eE][-+]?[0-9]+[ \t\r\f\v]*(?:\n|\Z)")
"""A grade such as 1e2, of which atol reads the 1; or a grade after an id that ends like this."""

Kind = Literal["qrels", "run"]


class TrecColumns(NamedTuple):
    """A file in columns: topic, document, grade or score."""

    query: Column
    doc: Column
    number: Column
    runid: str


class GroupJudgment(NamedTuple):
    """A judgment: its group and subgroup, a document, its level or grade."""

    topic: str
    group: str
    subgroup: str
    doc: str
    level: float


class TrecFiles(NamedTuple):
    """Judgments and results.

    Attributes
    ----------
    pool, run
        By topic.
    runid
        The last field of the last line of the run.
    doubled
        Topics in which a document appears twice, in either file; trec_eval stops at them.
    positive
        Judgments above 0, which -c prints as num_rel.
    encoding
        How to write the ids.
    groups
        Judgments in groups, by topic; None of -R qrels. The pool then holds each document at grade 0.
    """

    pool: Pool
    run: Run
    runid: bytes
    doubled: frozenset[str]
    positive: int
    encoding: str
    groups: dict[str, list[GroupJudgment]] | None = None


def read_files(arguments: Arguments) -> TrecFiles:
    """Read judgments and results.

    Raises
    ------
    Stop
        If trec_eval stops with exit code 2.
    """
    qrels, run = arguments.files
    form = arguments.rel_format
    _refuse_format("-R", form, tuple(form for form in FORMS if form != "run"))
    judged = _read_source(qrels, form, arguments)
    _refuse_format("-T", arguments.results_format, ("trec_results",))
    if form != "qrels":
        rows = read_groups(_as_bytes(judged), form, qrels, arguments.compat)
        returned = _read_source(run, "run", arguments)
        return _make_group_files(rows, _read_by_field(returned, "run", run, arguments.compat), arguments)
    returned = _read_source(run, "run", arguments)
    one, other = _read_compiled(judged, "qrels", arguments.compat), _read_compiled(returned, "run", arguments.compat)
    if one is not None and other is not None:
        return _make_files(one, other, "utf-8", arguments)
    one, other = (
        _read_by_field(judged, "qrels", qrels, arguments.compat),
        _read_by_field(returned, "run", run, arguments.compat),
    )
    return _make_files(one, other, "latin-1", arguments)


def _refuse_format(option: str, word: str, formats: tuple[str, ...]) -> None:
    if word not in formats:
        raise Stop(INPUT, f"{option} {word}: no such format. Allowed: {', '.join(formats)}.")


def _read_source(path: str, kind: str, arguments: Arguments) -> str | bytes:
    """Return the path of a file, or its content if it can only be read once."""
    if kind == "run" and path.startswith("-") and arguments.compat != "9.0.8":
        data: str | bytes = sys.stdin.buffer.read()
    else:
        try:
            data = path if os.path.isfile(path) else _read_bytes(path)
        except (OSError, ValueError) as error:
            raise Stop(INPUT, f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if not (data if isinstance(data, bytes) else os.path.getsize(data)):
        raise Stop(INPUT, f"{path}: empty. Give lines of {FORMS[kind]}.")
    return data


def _read_bytes(path: str) -> bytes:
    with open(path, "rb") as pipe:
        return pipe.read()


def _as_bytes(source: str | bytes) -> bytes:
    return source if isinstance(source, bytes) else _read_bytes(source)


def _read_compiled(source: str | bytes, kind: Kind, compat: str) -> TrecColumns | None:
    """Read with the compiled reader; None if it refuses, or trec_eval would read something else."""
    try:
        if _is_peculiar(sniff(source, HEAD), kind):
            return None
        frame = read_trec(source, kind)
    except (BadInput, OSError):
        return None
    if not frame.rows or (frame.skipped and (kind == "qrels" or compat == "9.0.8")):
        return None
    number = frame.column(2 if kind == "qrels" else 3)
    if number.missing:
        return None
    if kind == "qrels":
        if _EXPONENT.search(_as_bytes(source)):
            return None
        return TrecColumns(frame.column(0), frame.column(1), _truncate_grades(number), "")
    (runid,) = frame.column(4).to_list(np.array([frame.rows - 1], np.int64))
    return TrecColumns(frame.column(0), frame.column(1), number, str(runid))


def _is_peculiar(head: bytes, kind: Kind) -> bool:
    """Whether a file begins with a byte order mark, or contains a null byte or judgments with over four fields."""
    if head.startswith(b"\xef\xbb\xbf") or b"\0" in head:
        return True
    lines = head.split(b"\n")[: -1 if len(head) == HEAD else None]
    return kind == "qrels" and any(len(line.split()) not in (0, 4) for line in lines)


def _truncate_grades(grade: Column) -> Column:
    """Truncate grades to whole numbers, as atol does."""
    floats = grade.floats()
    cut = np.trunc(floats)
    return grade if (cut == floats).all() else from_columns(["grade"], [cut]).column(0)


def _read_by_field(source: str | bytes, kind: Kind, name: str, compat: str) -> TrecColumns:
    """Read field by field; each byte is a character, so any bytes make an id."""
    rows = split_fields(_as_bytes(source), kind, name, compat)
    queries, docs = ([fields[at].decode("latin-1") for fields in rows] for at in (0, 2))
    texts = (fields[3 if kind == "qrels" else 4].decode("latin-1") for fields in rows)
    numbers = np.array([float(atol(text)) if kind == "qrels" else atof(text) for text in texts])
    largest = np.finfo(np.float64).max
    frame = from_columns(["q", "d", "n"], [queries, docs, np.clip(numbers, -largest, largest)])
    runid = rows[-1][5].decode("latin-1") if kind == "run" else ""
    return TrecColumns(frame.column(0), frame.column(1), frame.column(2), runid)


def _make_files(judged: TrecColumns, returned: TrecColumns, encoding: str, arguments: Arguments) -> TrecFiles:
    doubled: frozenset[str] = frozenset()
    try:
        pool = Pool(judged.query, judged.doc, judged.number, "error")
    except BadRow:
        pool = Pool(judged.query, judged.doc, judged.number, "first")
        doubled |= _topics_with_repeats(judged, replace(arguments, most=None))
    try:
        run = Run(returned.query, returned.doc, returned.number, None, None, "error")
    except BadRow:
        run = Run(returned.query, returned.doc, returned.number, None, None, "max")
        doubled |= _topics_with_repeats(returned, arguments)
    positive = int((judged.number.floats() > 0).sum())
    return TrecFiles(pool, run, returned.runid.encode(encoding), doubled, positive, encoding)


def _topics_with_repeats(rows: TrecColumns, arguments: Arguments) -> frozenset[str]:
    """Return the topics in which a document appears twice, among the first results of a run cut at -M."""
    number = rows.number.floats()
    listed: dict[str, list[tuple[float, str]]] = {}
    # 9.0.8 stores scores as float, 10.0 as double: which results -M keeps depends on it.
    scores = number.astype(np.float32) if arguments.compat == "9.0.8" else number
    for query, doc, score in zip(rows.query.to_list(None), rows.doc.to_list(None), scores.tolist(), strict=True):
        listed.setdefault(str(query), []).append((score, str(doc)))
    return frozenset(query for query, pairs in listed.items() if _repeats(pairs, arguments))


def _repeats(pairs: list[tuple[float, str]], arguments: Arguments) -> bool:
    if len({doc for _, doc in pairs}) == len(pairs):
        return False
    if arguments.most is not None:
        by_id = sorted(pairs, key=lambda pair: pair[1], reverse=not arguments.preferences)
        pairs = sorted(by_id, key=lambda pair: -pair[0])[: max(arguments.most, 0)]
    return len({doc for _, doc in pairs}) < len(pairs)


def _make_group_files(rows: list[GroupJudgment], returned: TrecColumns, arguments: Arguments) -> TrecFiles:
    topics: dict[str, list[GroupJudgment]] = {}
    for row in rows:
        topics.setdefault(row.topic, []).append(row)
    pairs = list(dict.fromkeys((row.topic, row.doc) for row in rows))
    columns = [[topic for topic, _ in pairs], [doc for _, doc in pairs], np.zeros(len(pairs))]
    frame = from_columns(["q", "d", "n"], columns)
    judged = TrecColumns(frame.column(0), frame.column(1), frame.column(2), "")
    return _make_files(judged, returned, "latin-1", arguments)._replace(groups=topics)


# Judgments in groups.


def read_groups(data: bytes, form: str, name: str, compat: str) -> list[GroupJudgment]:
    """Read judgments in groups; each byte is a character, so any bytes make an id.

    Raises
    ------
    Stop
        If a line is malformed, or a document appears twice in a group of ``qrels_jg``.
    """
    lines = [[field.decode("latin-1") for field in fields] for fields in split_fields(data, form, name, compat)]
    levels = _read_levels([fields[-1] for fields in lines], form, compat)
    rows = [
        GroupJudgment(topic, group, rest[0] if form == "prefs" else "", rest[-2], level)
        for (topic, group, *rest), level in zip(lines, levels, strict=True)
    ]
    if form == "qrels_jg":
        _refuse_twice(rows, name)
    return rows


def _read_levels(texts: list[str], form: str, compat: str) -> list[float]:
    if form == "qrels_jg":
        return [float(atol(text)) for text in texts]
    levels = [atof(text) for text in texts]
    with np.errstate(over="ignore"):
        return list(np.array(levels, np.float32).tolist()) if compat == "9.0.8" else levels


def _refuse_twice(rows: list[GroupJudgment], name: str) -> None:
    seen = set()
    for row in rows:
        key = (row.topic, row.group, row.doc)
        if key in seen:
            problem = (
                f"{name}: document {row.doc} appears twice in group {row.group} of topic {row.topic}. Give it once."
            )
            raise Stop(INPUT, problem)
        seen.add(key)


# Fields.


FORMS = {
    "qrels": "topic, 0, document, grade",
    "qrels_jg": "topic, group, document, grade",
    "qrels_prefs": "topic, group, document, level",
    "prefs": "topic, group, subgroup, document, level",
    "run": "topic, Q0, document, rank, score, run",
}
"""The fields of a line, by format."""


def split_fields(data: bytes, form: str, name: str, compat: str) -> list[list[bytes]]:
    """Return the fields of each line that counts.

    Raises
    ------
    Stop
        If a line has too few fields, or a line of judgments too many.
    """
    rows: list[list[bytes]] = []
    wanted = FORMS[form].count(",") + 1
    lines = enumerate(data.removesuffix(b"\n").split(b"\n"), 1)
    commented = compat != "9.0.8"
    for place, line in _result_lines(lines, commented) if form == "run" else _judgment_lines(lines, commented):
        fields = line.split()
        if len(fields) < wanted or (form != "run" and len(fields) > wanted):
            raise Stop(INPUT, f"{name}, line {place}: {len(fields)} fields, not {wanted}: {FORMS[form]}.")
        rows.append(fields)
    if not rows:
        raise Stop(NOTHING if form == "run" else INPUT, f"{name}: there are no lines of {FORMS[form]}.")
    return rows


def _result_lines(lines: Iterator[tuple[int, bytes]], commented: bool) -> Iterator[tuple[int, bytes]]:
    """Skip blank lines and comments."""
    return ((place, line) for place, line in lines if line.strip() and not (commented and line.strip()[:1] == b"#"))


def _judgment_lines(lines: Iterator[tuple[int, bytes]], commented: bool) -> Iterator[tuple[int, bytes]]:
    """Skip comments; the line after a comment is read as it is, even if it is a comment, too."""
    for place, line in lines:
        if commented and line.startswith(b"#"):
            yield from itertools.islice(lines, 1)
        else:
            yield place, line
