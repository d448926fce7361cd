"""JSON objects, one per line."""

from __future__ import annotations

import json
import re

from idealrank._core import Frame, Progress, read_jsonl
from idealrank.data.formats.head import HEAD, Content, Form, Head
from idealrank.errors import DataError

ROWS = "Give one JSON object per line, with the keys query, doc and grade or score."

_OBJECT_FIRST = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*[{\[]')
"""An object whose first value is an object or a list."""


def looks_like(head: Head) -> Form | None:
    """Recognize lines of JSON by the first one.

    Raises
    ------
    DataError
        If it begins an array, or an object that spans several lines.
    """
    first = head.lines[0]
    if first.text.lstrip()[:1] not in ("{", "["):
        return None
    if re.fullmatch(r"\s*(\[.*|\{\s*)", first.text):
        what = "a JSON array" if "[" in first.text else "a JSON object that spans several lines"
        raise DataError(f"{head.name} line {first.number}: {what}. Give one JSON object per line (JSONL).")
    if len(head.lines) == 1 and (what := _document(head)):
        raise DataError(f"{head.name} line {first.number}: {what}")
    return Form("jsonl", read)


def _document(head: Head) -> str:
    """Describe a whole JSON document on one line; "" for a row of JSON lines."""
    first = head.lines[0].text
    if len(head.start) >= HEAD:
        return f"a JSON document, not JSON lines. {ROWS}" if _OBJECT_FIRST.match(first) else ""
    try:
        held = json.loads(first)
    except (ValueError, RecursionError):
        return ""  # the reader says where
    if not isinstance(held, dict):
        return ""
    if {"docs", "queries"} <= held.keys():
        return "a Quepid snapshot as JSON, which idealrank does not read. Export it as CSV."
    values = list(held.values())
    if not values or not all(isinstance(value, dict) for value in values):
        return ""
    if all(_is_number(number) for value in values for number in value.values()):
        return (
            "a JSON document {query: {document: number}}, which only Python reads: pass json.load(file). Or "
            "give one JSON object per line, with the keys query, doc and grade or score."
        )
    return f"a JSON document, not JSON lines. {ROWS}"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float))


def read(content: Content, progress: Progress | None) -> Frame:
    """Read one object per line; the keys are the columns."""
    return read_jsonl(content, progress)
