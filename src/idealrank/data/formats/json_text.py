"""JSON: lines of flat objects, and documents of any shape."""

from __future__ import annotations

import codecs
import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from idealrank._core import Progress, read_json, read_jsonl, sniff
from idealrank.data.formats.head import HEAD, SAMPLE, Content, DetectedFormat, Head, JsonDocuments, Tables, read_text
from idealrank.data.formats.list_names import is_plain
from idealrank.data.formats.messages import bad_input, half_character, quoted
from idealrank.data.formats.nested_plan import NestedPlan
from idealrank.data.formats.objects import frame_of_columns
from idealrank.data.formats.pandas_json import columns_of_frame, is_table_of_columns, unclear_names
from idealrank.data.formats.parallel_lists import paired_rows
from idealrank.data.formats.shapes import find_plan, plan_of_tool
from idealrank.data.formats.shapes.engines import plan_ubi_events
from idealrank.data.formats.shapes.generic import is_flat
from idealrank.data.formats.trec import kind_of_fields
from idealrank.errors import DataError

LARGER_HEADS = (1 << 22, 1 << 28)
"""Bytes to look at where the first lists lie further on."""

MOST_BUILT = 1 << 28
"""Bytes of the largest document that is read as a whole."""


def detect_json(head: Head) -> DetectedFormat | None:
    """Recognize JSON by its first character, and its shape by its first documents.

    Raises
    ------
    DataError
        If it is not JSON, or contains neither judgments nor results; the message says what was found.
    """
    if head.lines[0].text.lstrip()[:1] not in ("{", "[") or _is_trec(head):
        return None
    try:
        return _json_format(head)
    except RecursionError:
        raise DataError(f"{head.name}: lists and objects lie too deep in each other. Is it the right file?") from None


def _is_trec(head: Head) -> bool:
    """Whether lines of TREC text begin with a query id such as {} or [1]."""
    return not is_json(head.lines[0].text) and all(kind_of_fields(line.fields) for line in head.lines[:SAMPLE])


def _json_format(head: Head) -> DetectedFormat:
    sample = _decode_sample(head.start, len(head.start) < HEAD, head.name)
    tool = plan_of_tool(sample.documents, head.name)
    cut = len(head.start) >= HEAD
    first = sample.documents[0] if tool is None and len(sample.documents) == 1 else None
    table = is_table_of_columns(first, not cut) or columns_of_frame(first, not cut, head.docs) is not None
    if table or (not cut and unclear_names(first)):
        return DetectedFormat("json", functools.partial(read_objects, name=head.name, lined=False))
    if tool is None and has_numbers_beside(_sample_past_ids(head, sample)):
        return DetectedFormat("json", functools.partial(read_objects, name=head.name, lined=sample.lined))
    if tool is None and sample.lined and is_flat(sample.documents):
        return DetectedFormat("jsonl", read_jsonl)
    plan = _find_plan(head, sample)
    reader = functools.partial(read_tables, plan=plan, lined=sample.lined and not plan.is_in_order, name=head.name)
    return DetectedFormat("json", reader, plan=plan)


def detect_events(head: Head) -> DetectedFormat | None:
    """Recognize a log of events in JSON, which contains neither judgments nor results; None for other files."""
    if not head.lines or head.lines[0].text.lstrip()[:1] not in ("{", "["):
        return None
    sample = _decode_sample(head.start, len(head.start) < HEAD, head.name)
    plan = plan_ubi_events(sample.documents)
    if plan is None:
        return None
    return DetectedFormat(
        "json", functools.partial(read_tables, plan=plan, lined=sample.lined, name=head.name), plan=plan
    )


def _decode_sample(start: bytes, whole: bool, name: str) -> JsonSample:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        return sample_json(decoder.decode(start, final=whole), whole, name)
    except UnicodeDecodeError as error:
        raise bad_input(name, "not_utf8", start.count(b"\n", 0, error.start) + 1, "", "", "") from None


def _sample_past_ids(head: Head, sample: JsonSample) -> JsonSample:
    """Return a larger sample if the first ends within its first list of ids."""
    if len(head.start) < HEAD or sample.lined or not is_cut_in_ids(sample.documents):
        return sample
    start = head.read_more(LARGER_HEADS[0])
    return _decode_sample(start, len(start) < LARGER_HEADS[0], head.name)


def _find_plan(head: Head, sample: JsonSample) -> NestedPlan:
    """Look for a plan, in a larger beginning if the first shows none."""
    plan = find_plan(sample.documents, head.name, head.docs)
    for size in LARGER_HEADS if len(head.start) >= HEAD else ():
        if isinstance(plan, NestedPlan):
            break
        start = head.read_more(size)
        sample = _decode_sample(start, len(start) < size, head.name)
        plan = find_plan(sample.documents, head.name, head.docs)
    if isinstance(plan, NestedPlan):
        return plan
    raise plan


def read_tables(content: Content, progress: Progress | None, plan: NestedPlan, lined: bool, name: str) -> Tables:
    """Read the tables of a plan.

    Raises
    ------
    DataError
        If a key that the plan needs contains half a character.
    """
    if plan.build is not None:
        built = plan.build(_read_documents(content))
        return {
            table: frame_of_columns(list(columns), list(columns.values()), name) for table, columns in built.items()
        }
    try:
        return dict(read_json(content, plan.for_core, lined, progress))
    except UnicodeEncodeError as error:  # a key of the plan
        raise half_character(name, "the key", error.object.removeprefix(".")) from None


def _read_documents(content: Content) -> list[Any]:
    """Return all documents as Python objects: these formats are written by people, so they are small."""
    return sample_json(sniff(content, MOST_BUILT).decode("utf-8-sig"), True, "").documents


# JSON files whose documents and numbers are in two lists, or in pairs: read as Python objects.


def has_numbers_beside(sample: JsonSample) -> bool:
    """Whether documents have their numbers in a list beside them, or in pairs.

    Examples
    --------
    >>> has_numbers_beside(JsonSample([{"q": "a", "doc_ids": ["d1"], "grades": [1]}], True))
    True
    """
    try:
        return paired_rows(sample.documents, str) != sample.documents
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


def read_objects(content: Content, progress: Progress | None, name: str, lined: bool) -> JsonDocuments:
    """Read a whole file as Python objects.

    Raises
    ------
    DataError
        If it is not JSON; the message gives the line.
    """
    text = read_text(content).decode()
    if lined:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        return JsonDocuments(
            [_decode_line(line, f"{name} line {number}") for number, line in lines], [at for at, _ in lines]
        )
    documents = _decode_documents(text, name)
    return JsonDocuments(documents if len(documents) > 1 else documents[0], [])


def _decode_documents(text: str, name: str) -> list[Any]:
    documents: list[Any] = []
    at = _BLANKS.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    try:
        while at < len(text):
            document, end = _DECODER.raw_decode(text, at)
            documents.append(document)
            at = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
    except _RepeatedKeyError as twice:
        raise _repeated_key(name, twice) from None
    except (ValueError, RecursionError):
        return sample_json(text, True, name).documents  # which says what is wrong, and where
    return documents


def _decode_line(line: str, where: str) -> Any:
    try:
        return _DECODER.decode(line)
    except _RepeatedKeyError as twice:
        raise _repeated_key(where, twice) from None
    except json.JSONDecodeError as error:
        raise DataError(f"{where}: not JSON: {error}. Check the file, or write it again.") from None
    except ValueError:  # a number of so many digits that Python does not read it
        return json.loads(line, parse_int=read_whole)


class _RepeatedKeyError(Exception):
    """A key that occurs twice in an object."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _RepeatedKeyError(next(key for place, key in enumerate(keys) if key in keys[:place]))
    return found


def _repeated_key(where: str, error: _RepeatedKeyError) -> DataError:
    return DataError(
        f"{where}: the key {quoted(error.args[0])} occurs twice in an object. Rename one of the two, or remove it."
    )


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)
_BLANKS = re.compile(r"\s*")


# The beginning of a JSON text as Python values, even where it is cut off in the middle.


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\],]', re.DOTALL)
_CLOSE = {"{": "}", "[": "]"}
_DEPTH = 200
"""Lists and objects within each other in a sample."""


class JsonSample(NamedTuple):
    """The first documents of a text, and whether each line is one."""

    documents: list[Any]
    lined: bool


def sample_json(text: str, whole: bool, name: str) -> JsonSample:
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
    >>> sample_json('{"a": 1}\n{"a": 2}\n', True, "x")
    JsonSample(documents=[{'a': 1}, {'a': 2}], lined=True)
    >>> sample_json('{"a": [{"b": 1}, {"b": 2, "c": "x', False, "x")
    JsonSample(documents=[{'a': [{'b': 1}, {'b': 2}]}], lined=False)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if (len(lines) > 1 or whole) and (first := _parse_or_none(lines[0])) is not None and _is_line(first, len(lines)):
        kept = lines if whole else lines[:-1]
        return JsonSample([one for line in kept if (one := _parse_or_none(line)) is not None], True)
    return JsonSample(_sample_documents(text, whole, name), False)


def _is_line(first: Any, lines: int) -> bool:
    """Whether the first line is one of several documents; a single line is, if it is an object."""
    return isinstance(first, dict) or (lines > 1 and isinstance(first, list))


def read_whole(digits: str) -> float:
    """Read a whole number of JSON; one of more digits than Python reads is infinite, which whoever needs it refuses.

    Examples
    --------
    >>> read_whole("12"), read_whole("9" * 5000)
    (12, inf)
    """
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


_MOST_DIGITS = 4000


def is_json(text: str) -> bool:
    """Whether a text is one JSON value."""
    return _parse_or_none(text) is not None


def _parse_or_none(text: str) -> Any:
    try:
        return json.loads(text, parse_int=read_whole)
    except (ValueError, RecursionError):
        return None


def _sample_documents(text: str, whole: bool, name: str) -> list[Any]:
    documents: list[Any] = []
    decoder, at = json.JSONDecoder(parse_int=read_whole), 0
    while (at := _skip_blanks(text, at)) < len(text):
        try:
            document, at = decoder.raw_decode(text, at)
        except RecursionError:
            raise DataError(f"{name}: lists and objects lie more than {_DEPTH} deep in each other.") from None
        except json.JSONDecodeError as error:
            rest = None if whole else _parse_or_none(close_brackets(text[at:]))
            if rest is None:
                raise _not_json(error, name) from None
            return [*documents, rest]
        documents.append(document)
    return documents


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _not_json(error: json.JSONDecodeError, name: str) -> DataError:
    return DataError(
        f"{name} line {error.lineno}: not JSON at column {error.colno}: {error.msg}. Check the file, or write it again."
    )


def close_brackets(text: str) -> str:
    """Cut a JSON text after its last whole value, and close what is open.

    Examples
    --------
    >>> close_brackets('{"a": [1, {"b": "x"}, {"c": "y')
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
