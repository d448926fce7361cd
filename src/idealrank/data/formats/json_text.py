"""JSON: lines of flat objects, and documents of any shape."""

from __future__ import annotations

import codecs
import functools
from typing import Any

from idealrank._core import Frame, Progress, read_json, read_jsonl, sniff
from idealrank.data.formats.beside import has_numbers_beside, is_cut_in_ids, read as read_beside
from idealrank.data.formats.head import HEAD, SAMPLE, Content, Form, Head, Tables
from idealrank.data.formats.messages import bad_input, half_character
from idealrank.data.formats.objects import frame_from
from idealrank.data.formats.plan import Plan
from idealrank.data.formats.sample import Sample, is_json, sampled
from idealrank.data.formats.shapes import known, plan_of
from idealrank.data.formats.shapes.rows import is_flat
from idealrank.data.formats.trec import shape_of
from idealrank.errors import DataError

LARGER = (1 << 22, 1 << 28)
"""Bytes to look at where the first lists lie further on."""

WRITTEN = 1 << 28
"""Bytes of the largest document that is read as a whole."""


def looks_like(head: Head) -> Form | None:
    """Recognize JSON by its first character, and its shape by its first documents.

    Raises
    ------
    DataError
        If it is not JSON, or contains neither judgments nor results; the message says what was found.
    """
    if head.lines[0].text.lstrip()[:1] not in ("{", "[") or _is_trec(head):
        return None
    try:
        return _form(head)
    except RecursionError:
        raise DataError(f"{head.name}: lists and objects lie too deep in each other. Is it the right file?") from None


def _is_trec(head: Head) -> bool:
    """Whether lines of TREC text begin with a query id such as {} or [1]."""
    return not is_json(head.lines[0].text) and all(shape_of(line.fields) for line in head.lines[:SAMPLE])


def _form(head: Head) -> Form:
    sample = _sample(head.start, len(head.start) < HEAD, head.name)
    tool = known(sample.documents, head.name)
    if tool is None and has_numbers_beside(_past_ids(head, sample)):
        return Form("json", functools.partial(read_beside, name=head.name, lined=sample.lined))
    if tool is None and sample.lined and is_flat(sample.documents):
        return Form("jsonl", read)
    plan = _plan(head, sample)
    reader = functools.partial(read_tables, plan=plan, lined=sample.lined and not plan.in_order, name=head.name)
    return Form("json", reader, plan=plan)


def _sample(start: bytes, whole: bool, name: str) -> Sample:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        return sampled(decoder.decode(start, final=whole), whole, name)
    except UnicodeDecodeError as error:
        raise bad_input(name, "not_utf8", start.count(b"\n", 0, error.start) + 1, "", "", "") from None


def _past_ids(head: Head, sample: Sample) -> Sample:
    """Return a larger sample if the first ends within its first list of ids."""
    if len(head.start) < HEAD or sample.lined or not is_cut_in_ids(sample.documents):
        return sample
    start = head.more(LARGER[0])
    return _sample(start, len(start) < LARGER[0], head.name)


def _plan(head: Head, sample: Sample) -> Plan:
    """Look for a plan, in a larger beginning if the first shows none."""
    plan = plan_of(sample.documents, head.name, head.docs)
    for size in LARGER if len(head.start) >= HEAD else ():
        if isinstance(plan, Plan):
            break
        start = head.more(size)
        sample = _sample(start, len(start) < size, head.name)
        plan = plan_of(sample.documents, head.name, head.docs)
    if isinstance(plan, Plan):
        return plan
    raise plan


def read(content: Content, progress: Progress | None) -> Frame:
    """Read one object per line; the keys are the columns."""
    return read_jsonl(content, progress)


def _whole(content: Content) -> list[Any]:
    """Return whole documents, of a format that people write."""
    return sampled(sniff(content, WRITTEN).decode("utf-8-sig"), True, "").documents


def read_tables(content: Content, progress: Progress | None, plan: Plan, lined: bool, name: str) -> Tables:
    """Read the tables of a plan.

    Raises
    ------
    DataError
        If a key that the plan needs contains half a character.
    """
    if plan.build is not None:
        built = plan.build(_whole(content))
        return {table: frame_from(list(columns), list(columns.values()), name) for table, columns in built.items()}
    wanted = [(rows.table, rows.path, rows.further, rows.columns) for rows in plan.rows]
    try:
        return dict(read_json(content, wanted, lined, progress))
    except UnicodeEncodeError as error:  # a key of the plan
        raise half_character(name, "the key", error.object.removeprefix(".")) from None
