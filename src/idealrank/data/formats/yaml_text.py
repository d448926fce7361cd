"""YAML: a document of any shape, read as JSON of that shape is, but for its ids, which keep their text.

YAML 1.1 takes ``00123`` for an octal number, ``2024-01-01`` for a date and ``no`` for a truth value. Here a plain value
is a number only if the number is written exactly so; ``true``, ``false`` and ``null`` are themselves as values of an
object, and everything else is text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from idealrank._core import Progress
from idealrank.data.formats.head import SAMPLE, Content, DetectedFormat, Head, JsonDocuments, read_text
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.trec import kind_of_fields
from idealrank.errors import DataError, plural

DEEPEST = 200
"""Lists and objects within each other."""

LARGEST = 10_000_000
"""Values of a document, each counted as often as an alias repeats it."""

_ENDING = re.compile(r".*\.ya?ml(\.\w+)?", re.I | re.S)
_ITEM = re.compile(r"-\s+(?:\"[^\"]*\"|'[^']*'|[^\s\"'\[{,;|][^,;|]*?)\s*:(?:\s|$)")
"""A list's item that begins with a key."""

_KEY = re.compile(r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'\[{,;|#-][^,;|]*?)\s*:\s*$")
"""A key with nothing behind it."""

_INNER = re.compile(r"\s+\S|-\s")
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d+)?")
_WORDS = {"true": True, "True": True, "false": False, "False": False}
_NOTHING = frozenset({"", "~", "null", "Null", "NULL"})
_TAGS = tuple(f"tag:yaml.org,2002:{name}" for name in ("str", "map", "seq"))


def detect_yaml(head: Head) -> DetectedFormat | None:
    """Recognize YAML by the ending of the file, or by a first line that no table begins with."""
    return DetectedFormat("yaml", functools.partial(read_yaml, name=head.name)) if _is_yaml(head) else None


def _is_yaml(head: Head) -> bool:
    lines = [line.text for line in head.lines[:SAMPLE]]
    if _ENDING.fullmatch(head.name):
        return True
    if all(kind_of_fields(line.fields) for line in head.lines[:SAMPLE]):
        return False  # a query of TREC text may be called -
    begun = lines[0].rstrip() == "---"
    if begun or _ITEM.match(lines[0]):
        return True
    return bool(_KEY.fullmatch(lines[0])) and len(lines) > 1 and bool(_INNER.match(lines[1]))


def read_yaml(content: Content, progress: Progress | None, name: str) -> JsonDocuments:
    """Read all documents of a file as Python objects.

    Raises
    ------
    DataError
        If PyYAML is not installed, or the file is not YAML, or it contains what only programs write: tags, merged
        objects, keys that are lists; the message gives the line.
    """
    try:
        import yaml
    except ImportError:
        raise DataError(
            f"{name}: a YAML file. Reading it needs PyYAML: pip install pyyaml. Or convert it to JSON."
        ) from None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # only its parser is used: no object is made by a tag
    try:
        text = read_text(content).decode()
        documents = list(_compose_documents(yaml.parse(text, Loader=loader), name))
    except UnicodeDecodeError:
        raise DataError(f"{name}: not UTF-8 text. Save the file as UTF-8.") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{name} line {mark.line + 1}" if mark else name
        raise DataError(f"{place}: not YAML: {error.problem}. Check the file, or write it again.") from None
    except yaml.YAMLError as error:
        raise DataError(f"{name}: not YAML: {' '.join(str(error).split())}. Check the file.") from None
    if len(documents) == 1 and isinstance(documents[0].value, list):
        # The items of a list are its rows: each has a line, which a message can name.
        return JsonDocuments(documents[0].value, documents[0].lines)
    if len(documents) > 1:
        return JsonDocuments([one.value for one in documents], [one.line for one in documents])
    return JsonDocuments(documents[0].value if documents else None, [])


class _Node(NamedTuple):
    """A value, how many values it consists of, its line, and those of its items if it is a list."""

    value: Any
    size: int
    line: int
    lines: list[int]


def _compose_documents(events: Iterator[Any], name: str) -> Iterator[_Node]:
    for event in events:
        if type(event).__name__ == "DocumentStartEvent":
            yield _Composer(events, name).compose(next(events), 0)


class _Composer:
    """Makes values of events, document by document.

    PyYAML's own composer changes ids and keeps the last of two keys; a document of its aliases can be as large as one
    likes.
    """

    def __init__(self, events: Iterator[Any], name: str) -> None:
        self._events, self._name = events, name
        self._anchors: dict[str, _Node] = {}

    def compose(self, event: Any, depth: int, is_value: bool = True) -> _Node:
        """Make a value of an event, and of those that belong to it; `is_value` of a document or under a key."""
        line, kind = event.start_mark.line + 1, type(event).__name__
        if depth > DEEPEST:
            raise self._error(line, f"lists and objects lie more than {DEEPEST} deep in each other")
        if kind == "AliasEvent":
            if event.anchor not in self._anchors:
                raise self._error(line, f"the alias *{event.anchor} refers to nothing before it")
            return self._anchors[event.anchor]._replace(line=line)
        if event.tag not in (None, "!", *_TAGS):
            raise self._error(line, f"the tag {quoted(event.tag)}, which is not read. Remove it")
        if kind == "ScalarEvent":
            plain = not event.style and event.tag is None
            found = _Node(_scalar_value(event.value, is_value) if plain else event.value, 1, line, [])
        elif kind == "SequenceStartEvent":
            found = self._compose_list(line, depth)
        else:
            found = self._compose_object(line, depth)
        if found.size > LARGEST:
            raise self._error(line, f"more than {plural(LARGEST, 'value')}, once its aliases are written out")
        if event.anchor is not None:
            self._anchors[event.anchor] = found
        return found

    def _compose_list(self, line: int, depth: int) -> _Node:
        items = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            items.append(self.compose(event, depth + 1, False))
        return _Node(
            [one.value for one in items], 1 + sum(one.size for one in items), line, [one.line for one in items]
        )

    def _compose_object(self, line: int, depth: int) -> _Node:
        values: dict[str, Any] = {}
        size = 1
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            at = event.start_mark.line + 1
            if type(event).__name__ != "ScalarEvent":
                raise self._error(at, "a key that is not plain text. Write the key itself")
            if event.value == "<<" and not event.style:
                raise self._error(at, "a merged object (<<), which is not read. Write its keys out")
            if event.value in values:
                raise self._error(
                    at, f"the key {quoted(event.value)} occurs twice. Rename one of the two, or remove it"
                )
            found = self.compose(next(self._events), depth + 1)
            values[event.value] = found.value
            size += found.size
        return _Node(values, size, line, [])

    def _error(self, line: int, what: str) -> DataError:
        return DataError(f"{self._name} line {line}: {what}.")


def _scalar_value(text: str, is_value: bool) -> Any:
    """Return the value of a plain scalar.

    Examples
    --------
    >>> [_scalar_value(text, True) for text in ("12", "0.5", "00123", "2024-01-01", "no", "1.10", "true", "~")]
    [12, 0.5, '00123', '2024-01-01', 'no', '1.10', True, None]
    """
    if text in _NOTHING:
        return None
    if is_value and text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text):
        number = float(text) if "." in text else int(text)
        return number if str(number) == text else text
    return text
