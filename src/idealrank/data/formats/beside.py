"""JSON files whose documents and numbers are in two lists, or in pairs: read as Python objects."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from idealrank._core import Progress
from idealrank.data.formats.head import Content, Documents
from idealrank.data.formats.messages import quoted
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
    documents = _documents(text, name)
    return Documents(documents if len(documents) > 1 else documents[0], [])


def _documents(text: str, name: str) -> list[Any]:
    documents: list[Any] = []
    at = _BLANKS.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    try:
        while at < len(text):
            document, end = _DECODER.raw_decode(text, at)
            documents.append(document)
            at = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
    except _TwiceError as twice:
        raise _twice(name, twice) from None
    except (ValueError, RecursionError):
        return sampled(text, True, name).documents  # which says what is wrong, and where
    return documents


def _line(line: str, where: str) -> Any:
    try:
        return _DECODER.decode(line)
    except _TwiceError as twice:
        raise _twice(where, twice) from None
    except ValueError as error:
        raise DataError(f"{where}: not JSON: {error}. Check the file, or write it again.") from None


class _TwiceError(Exception):
    """A key that occurs twice in an object."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for place, key in enumerate(keys) if key in keys[:place]))
    return found


def _twice(where: str, error: _TwiceError) -> DataError:
    return DataError(
        f"{where}: the key {quoted(error.args[0])} occurs twice in an object. Rename one of the two, or remove it."
    )


_DECODER = json.JSONDecoder(object_pairs_hook=_once)
_BLANKS = re.compile(r"\s*")
