"""Templates of requests: places for values in JSON, SQL and addresses, where each value is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

from idealrank.errors import UsageError, listed, nearest

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)

_JSON_TOKEN = re.compile(r'\{\{[^{}]*\}\}|\\.|"', re.DOTALL)


def inside_string(value: Any) -> str:
    r"""Return a value as it stands within a JSON string.

    Examples
    --------
    >>> print(inside_string('12" pipe'))
    12\" pipe
    """
    return json.dumps(as_text(value), ensure_ascii=False)[1:-1]


def as_json(value: Any) -> str:
    """Return a value as JSON: a number as a number, a text with its quotes, null for nothing.

    A text that is a number of JSON is one, and a text that is a list of numbers is that list: a table of text has no
    others.

    Examples
    --------
    >>> as_json(2.0), as_json("red"), as_json("0.5"), as_json("007"), as_json(None), as_json(True)
    ('2', '"red"', '0.5', '"007"', 'null', 'true')
    >>> as_json([0.1, 2]), as_json("[0.1, 2]"), as_json("[sic]")
    ('[0.1, 2]', '[0.1, 2]', '"[sic]"')
    """
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or value != value:
        return "null"
    if isinstance(value, (bool, int, float)):
        return as_text(value) if isinstance(value, (bool, int)) or value.is_integer() else json.dumps(value)
    if isinstance(value, str) and (_NUMBER.fullmatch(value) or _is_vector(value)):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _is_vector(text: str) -> bool:
    """Whether a text is a list of numbers in JSON."""
    if not (text.startswith("[") and text.endswith("]")):
        return False
    try:
        items = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return False
    return bool(items) and all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in items)


def compile_json(template: Template, filters: Filters) -> Pieces:
    """Return a template's pieces.

    Raises
    ------
    UsageError
        If the template is not JSON; the message gives the line.
    """
    quoted = set(_quoted_places(template.text))
    places = [
        (place, inside_string if place.begin in quoted or place.made else as_json) for place in template.places(filters)
    ]
    _refuse_bare(template, [place for place, _ in places], quoted)
    parts = pieces(template.text, places)
    _check_json(template, parts, [place for place, _ in places])
    return parts


def _quoted_places(text: str) -> Iterator[int]:
    """Yield where the places within strings begin."""
    within = False
    for token in _JSON_TOKEN.finditer(text):
        if token[0] == '"':
            within = not within
        elif within and token[0].startswith("{{"):
            yield token.start()


def _refuse_bare(template: Template, places: list[TemplateSlot], quoted: set[int]) -> None:
    bare = next((place for place in places if place.made and place.begin not in quoted), None)
    if bare is not None:
        raise UsageError(f"{template.at(bare.begin)}: this is text outside of a JSON string. Put it between quotes.")


def _check_json(template: Template, parts: Pieces, places: list[TemplateSlot]) -> None:
    sample: dict[str, Any] = dict.fromkeys((place.name for place in places), 1)
    try:
        document = json.loads(fill(parts, sample))
    except ValueError as error:
        raise UsageError(f"{_json_error_text(template, error)} Places stand for whole values, or in strings.") from None
    if not isinstance(document, dict):
        raise UsageError(f"{template.at(0)}: a request is a JSON object, {{…}}.")


def _json_error_text(template: Template, error: ValueError) -> str:
    line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
    what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return f"{template.origin or template.name} line {line}: not JSON: {what}."


class _AnyValue(dict[str, Any]):
    """A value for every name."""

    def __missing__(self, name: str) -> int:
        return 1


def sample_document(template: Template, filters: Filters) -> dict[str, Any]:
    """Return a template as JSON, with 1 in every place."""
    found: dict[str, Any] = json.loads(fill(compile_json(template, filters), _AnyValue()))
    return found


def add_members(template: Template, more: Sequence[str]) -> Template:
    """Return a template with further members at the beginning of its object."""
    if not more:
        return template
    head, _, tail = template.text.partition("{")
    comma = "" if tail.lstrip().startswith("}") else ","
    gap = "" if tail[:1].isspace() else " "
    return replace(template, text=f"{head}{{{', '.join(more)}{comma}{gap}{tail}")


_LOCAL = re.compile(r"\{!(?:[^}'\"]|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")*\}")
_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")

# Places.


Escape = Callable[[Any], str]


@dataclass(frozen=True)
class TemplateSlot:
    """A place for a value.

    Attributes
    ----------
    name
        The value's name: query, k, a column of the queries, or a setting.
    made
        How the text of a value is made a part of the query language; None where it is taken as it is.
    begin, end
        Its characters in the template.
    """

    name: str
    made: Callable[[str], str] | None
    begin: int
    end: int

    def value(self, values: Mapping[str, Any]) -> Any:
        """Return the value that belongs here."""
        value = values[self.name]
        return value if self.made is None else self.made(as_text(value))


def as_text(value: Any) -> str:
    """Return a value as text: nothing for None, 2 for 2.0; lists, true and false as JSON writes them."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=str)
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


Pieces = tuple[str | tuple[TemplateSlot, Escape], ...]

Parameters = tuple[tuple[str, Pieces], ...]


def escape_local(value: Any) -> str:
    r"""Return a value as it stands between quotes in Solr's local params.

    Examples
    --------
    >>> print(escape_local("men's"))
    men\'s
    """
    return re.sub(r"(['\"\\$])", r"\\\1", as_text(value))


def escape_first(value: Any) -> str:
    """Return a value that begins a parameter: Solr reads {! at its very beginning as local params, not after a blank.

    Examples
    --------
    >>> escape_first("{!func}price"), escape_first("red")
    (' {!func}price', 'red')
    """
    text = as_text(value)
    return f" {text}" if text.startswith("{!") else text


def compile_url(template: Template, filters: Filters) -> Parameters:
    """Return the name and the pieces of each parameter; lines that begin with # say nothing.

    Raises
    ------
    UsageError
        If a line has no ``=``, or a value stands in local params without quotes; the message gives the line.
    """
    places, found, begin = list(template.places(filters)), [], 0
    for line in template.text.splitlines(keepends=True):
        end = begin + len(line.rstrip())
        if line.strip() and not line.lstrip().startswith("#"):
            name, equals, _ = line.partition("=")
            if not equals or not name.strip() or "{{" in name:
                raise UsageError(f"{template.at(begin)}: {line.strip()[:60]!r} is no parameter. Write name=value.")
            start = begin + len(name) + 1
            mine = [(p, _escape(template, start, end, p.begin)) for p in places if start <= p.begin < end]
            found.append((name.strip(), pieces(template.text, mine, start, end)))
        begin += len(line)
    if not found:
        raise UsageError(f"{template.at(0)}: there is no parameter. Write name=value on each line.")
    return tuple(found)


def _escape(template: Template, begin: int, end: int, place: int) -> Escape:
    """Return the escape for a place in a parameter: by where it stands in local params, or that it comes first."""
    for params in _LOCAL.finditer(template.text, begin, end):
        if params.start() < place < params.end():
            if any(q.start() < place < q.end() for q in _QUOTED.finditer(template.text, params.start(), params.end())):
                return escape_local
            raise UsageError(
                f"{template.at(place)}: a value in local params has no quotes. Write '{{{{query}}}}', or "
                "v=$qq with a parameter qq={{query}}."
            )
    return escape_first if not template.text[begin:place].strip() else as_text


def encode_parameters(parameters: Parameters, values: Mapping[str, Any]) -> str:
    """Return the parameters with their places filled, URL-encoded."""
    return urlencode([(name, fill(parts, values)) for name, parts in parameters])


def compile_address(template: Template) -> Pieces:
    """Return the pieces of an address with places; values are percent-encoded."""
    return pieces(template.text, [(place, _percent) for place in template.places({})])


def _percent(value: Any) -> str:
    return quote(as_text(value), safe="")


# SQL statements.


# What must not contain a place: strings, quoted names, comments, and PostgreSQL's strings between dollars.
_SQL_TOKEN = re.compile(r"'(?:''|[^'])*'|\"(?:\"\"|[^\"])*\"|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$", re.DOTALL)


@dataclass(frozen=True)
class Statement:
    """A statement with marks where its parameters are bound."""

    text: str
    bound: tuple[tuple[str, TemplateSlot], ...]

    def parameters(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of each parameter; a list as JSON text, which is how vectors are written in SQL."""
        return {name: _scalar(place.value(values)) for name, place in self.bound}


def _scalar(value: Any) -> Any:
    return as_text(value) if isinstance(value, (list, dict)) else value


def compile_sql(
    template: Template, filters: Filters, mark: Callable[[str], str], literal: Callable[[str], str] = str
) -> Statement:
    """Return a template as a statement.

    Parameters
    ----------
    mark
        Writes the place of a parameter, as :p0 or %(p0)s.
    literal
        Writes the text around it, where the marks ask for an escape.

    Raises
    ------
    UsageError
        If a place stands within quotes or a comment; the message gives its line.
    """
    spans = [found.span() for found in _SQL_TOKEN.finditer(template.text)]
    text, bound, at = "", [], 0
    for number, place in enumerate(template.places(filters)):
        if any(begin < place.begin < end for begin, end in spans):
            raise UsageError(
                f"{template.at(place.begin)}: {{{{{place.name}}}}} is within quotes or a comment. Values are bound "
                "as parameters: write it without quotes."
            )
        text += literal(template.text[at : place.begin]) + mark(f"p{number}")
        bound.append((f"p{number}", place))
        at = place.end
    return Statement(text + literal(template.text[at:]), tuple(bound))


_PLACE = re.compile(r"\{\{\s*([^{}|]*?)\s*(?:\|\s*([^{}|]*?)\s*)?\}\}")

Filters = Mapping[str, Callable[[str], str]]


@dataclass(frozen=True)
class Template:
    """A request with places for values.

    Attributes
    ----------
    name
        Its name, which is the system's: the file's without its ending.
    text
        The whole text.
    origin
        The file it was read from; "" for one that an engine brings along.
    """

    name: str
    text: str
    origin: str = ""

    def places(self, filters: Filters) -> Iterator[TemplateSlot]:
        """Yield the places in the order of the text.

        Raises
        ------
        UsageError
            If a place has no name, or asks for a filter there is not.
        """
        for found in _PLACE.finditer(self.text):
            name, made = found[1], found[2]
            if not name:
                raise UsageError(f"{self.at(found.start())}: {found[0]} names no value. Write {{{{query}}}}.")
            if made is not None and made not in filters:
                known = f" Known: {listed(filters)}." if filters else " This engine has none."
                raise UsageError(
                    f"{self.at(found.start())}: {found[0]}: there is no {made!r} to make a query with."
                    f"{nearest(made, filters)}{known}"
                )
            yield TemplateSlot(name, filters[made] if made else None, found.start(), found.end())

    def at(self, place: int) -> str:
        """Return where a character is, for messages."""
        before = self.text[:place]
        line, column = before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
        return f"{self.origin or f'the template of {self.name}'} line {line}, column {column}"


def pieces(text: str, places: Sequence[tuple[TemplateSlot, Escape]], begin: int = 0, end: int | None = None) -> Pieces:
    """Return the texts between places, and the places with their escapes."""
    parts: list[str | tuple[TemplateSlot, Escape]] = []
    at, end = begin, len(text) if end is None else end
    for place, escape in places:
        parts += [text[at : place.begin], (place, escape)]
        at = place.end
    return (*parts, text[at:end])


def names_of(parts: Pieces) -> frozenset[str]:
    """Return the names of the values that a text needs."""
    return frozenset(part[0].name for part in parts if not isinstance(part, str))


def fill(parts: Pieces, values: Mapping[str, Any]) -> str:
    """Return the text with every place filled."""
    return "".join(part if isinstance(part, str) else part[1](part[0].value(values)) for part in parts)


# Filters: the text of a query as a part of a query language.


_RESERVED = re.compile(r'([+\-=!(){}\[\]^"~*?:\\/]|&&|\|\|)')
_OPERATORS = re.compile(r"(?<!\S)(AND|OR|NOT|TO)(?!\S)")


def lucene(text: str) -> str:
    r"""Return a text in which nothing is an operator of Lucene's query syntax (Elasticsearch, OpenSearch, Solr).

    ``<`` and ``>`` cannot be escaped there and become blanks; AND, OR, NOT and TO become small letters.

    Source: Elasticsearch reference, "Query string query", Reserved characters; Lucene, ``QueryParserBase.escape``.

    Examples
    --------
    >>> print(lucene("AC/DC AND (live)"))
    AC\/DC and \(live\)
    """
    escaped = _RESERVED.sub(lambda found: "".join(f"\\{sign}" for sign in found[0]), re.sub("[<>]", " ", text))
    return _OPERATORS.sub(lambda found: found[0].lower(), escaped)


def any_word(text: str) -> str:
    """Return a text for SQLite's FTS5: documents with any of its words match.

    Examples
    --------
    >>> any_word('red "shoes"')
    '"red" OR "shoes"'
    """
    return " OR ".join(_fts5_strings(text)) or '""'


def all_words(text: str) -> str:
    """Return a text for SQLite's FTS5: documents with all of its words match.

    Examples
    --------
    >>> all_words("red shoes")
    '"red" "shoes"'
    """
    return " ".join(_fts5_strings(text)) or '""'


def _fts5_strings(text: str) -> list[str]:
    """Return each word as a string of FTS5; characters that no word has separate words."""
    return [f'"{word}"' for word in re.findall(r"\w+", text)]
