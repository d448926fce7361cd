"""JSON objects, one a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from idealrank.data.formats.head import Content, Form, Head
from idealrank.errors import DataError

if TYPE_CHECKING:
    from idealrank._core import Frame, Progress


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
    from idealrank._core import read_jsonl

    return read_jsonl(content, progress)
