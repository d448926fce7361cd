"""JSON objects, one a line."""

from __future__ import annotations

import re

from idealrank._core import Frame, Progress, read_jsonl
from idealrank.data.formats.head import Content, Form, Head
from idealrank.errors import DataError


def looks_like(head: Head) -> Form | None:
    """Recognize lines of JSON by the first one.

    Raises
    ------
    DataError
        If it begins an array, or an object over several lines.
    """
    first = head.lines[0]
    if first.text.lstrip()[:1] not in ("{", "["):
        return None
    if re.fullmatch(r"\s*(\[.*|\{\s*)", first.text):
        what = "a JSON array" if "[" in first.text else "a JSON object over several lines"
        raise DataError(f"{head.name} line {first.number}: {what}. Give one JSON object a line (JSONL).")
    return Form("jsonl", read)


def read(content: Content, progress: Progress | None) -> Frame:
    """Read one object a line; the keys are the columns."""
    return read_jsonl(content, progress)
