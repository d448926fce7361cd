"""JSON files whose documents and numbers are in two lists, or in pairs: read as Python objects."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from idealrank._core import Progress
from idealrank.data.formats.head import Content, Documents
from idealrank.data.formats.sample import Sample, sampled
from idealrank.data.formats.shapes.names import is_plain
from idealrank.data.formats.whole import text_of
from idealrank.data.formats.zipped import zipped_rows
from idealrank.errors import DataError


def has_numbers_beside(sample: Sample) -> bool:
    """Whether documents have their numbers in a list beside them, or in pairs.

    Examples
    --------
    >>> has_numbers_beside(Sample([{"q": "a", "doc_ids": ["d1"], "grades": [1]}], True))
    True
    """
    try:
        return zipped_rows(sample.documents, str) != sample.documents
    except DataError:
        return True


def is_cut_in_ids(value: Any) -> bool:
    """Whether the beginning of a text ends within its first list of ids, so that what follows it is not known.

    Examples
    --------
    >>> is_cut_in_ids([{"q": "a", "doc_ids": ["d1", "d2"]}]), is_cut_in_ids([{"doc": "d1"}, {"doc": "d2"}])
    (True, False)
    """
    items: Sequence[Any] = list(value.values()) if isinstance(value, Mapping) else value
    if is_plain(value) or not items or (len(items) > 1 and not is_plain(items[0])):
        return False
    return (isinstance(value, list) and is_plain(items[-1])) or is_cut_in_ids(items[-1])


def read(content: Content, progress: Progress | None, name: str, lined: bool) -> Documents:
    """Read a whole file as Python objects.

    Raises
    ------
    DataError
        If it is not JSON; the message gives the line.
    """
    text = text_of(content).decode()
    if lined:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        return Documents([_line(line, f"{name} line {number}") for number, line in lines], [at for at, _ in lines])
    documents = sampled(text, True, name).documents
    return Documents(documents if len(documents) > 1 else documents[0], [])


def _line(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise DataError(f"{where}: not JSON: {error}. Check the file, or write it again.") from None
