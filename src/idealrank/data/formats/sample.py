"""The beginning of a JSON text as Python values, even where it is cut off in the middle."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from idealrank.errors import DataError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\],]', re.DOTALL)
_CLOSE = {"{": "}", "[": "]"}
_DEPTH = 200
"""Lists and objects within each other in a sample."""


class Sample(NamedTuple):
    """The first documents of a text, and whether each line is one."""

    documents: list[Any]
    lined: bool


def sampled(text: str, whole: bool, name: str) -> Sample:
    r"""Read the first documents of a JSON text.

    Parameters
    ----------
    whole
        Whether the text goes to the end; if not, its last document may be cut off.

    Raises
    ------
    DataError
        If it is not JSON; the message gives the line and the column.

    Examples
    --------
    >>> sampled('{"a": 1}\n{"a": 2}\n', True, "x")
    Sample(documents=[{'a': 1}, {'a': 2}], lined=True)
    >>> sampled('{"a": [{"b": 1}, {"b": 2, "c": "x', False, "x")
    Sample(documents=[{'a': [{'b': 1}, {'b': 2}]}], lined=False)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if (len(lines) > 1 or whole) and (first := _loads(lines[0])) is not None and _is_line(first, len(lines)):
        kept = lines if whole else lines[:-1]
        return Sample([one for line in kept if (one := _loads(line)) is not None], True)
    return Sample(_documents(text, whole, name), False)


def _is_line(first: Any, lines: int) -> bool:
    """Whether the first line is one of several documents; a single line is, if it is an object."""
    return isinstance(first, dict) or (lines > 1 and isinstance(first, list))


def is_json(text: str) -> bool:
    """Whether a text is one JSON value."""
    return _loads(text) is not None


def _loads(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _documents(text: str, whole: bool, name: str) -> list[Any]:
    documents: list[Any] = []
    decoder, at = json.JSONDecoder(), 0
    while (at := _next(text, at)) < len(text):
        try:
            document, at = decoder.raw_decode(text, at)
        except RecursionError:
            raise DataError(f"{name}: lists and objects lie more than {_DEPTH} deep in each other.") from None
        except ValueError as error:
            rest = None if whole else _loads(closed(text[at:]))
            if rest is None:
                raise _not_json(error, name) from None
            return [*documents, rest]
        documents.append(document)
    return documents


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _not_json(error: ValueError, name: str) -> DataError:
    if not isinstance(error, json.JSONDecodeError):
        return DataError(f"{name}: not JSON: {error}.")
    return DataError(
        f"{name} line {error.lineno}: not JSON at column {error.colno}: {error.msg}. Check the file, or write it again."
    )


def closed(text: str) -> str:
    """Cut a JSON text after its last whole value, and close what is open.

    Examples
    --------
    >>> closed('{"a": [1, {"b": "x"}, {"c": "y')
    '{"a": [1, {"b": "x"}, {}]}'
    """
    stack: list[str] = []
    cut, open_there = 0, ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == '"' or len(stack) > _DEPTH:
            break
        if sign in _CLOSE:
            stack.append(_CLOSE[sign])
        elif sign in "}]":
            if not stack or stack.pop() != sign:
                break
        elif sign != ",":
            continue
        cut, open_there = (token.start() if sign == "," else token.end()), "".join(reversed(stack))
    return text[:cut] + open_there
