"""Words: the text of a query as a part of a query language, for {{query|lucene}}, {{query|any}} and {{query|all}}."""

from __future__ import annotations

import re

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
    return " OR ".join(_strings(text)) or '""'


def all_words(text: str) -> str:
    """Return a text for SQLite's FTS5: documents with all of its words match.

    Examples
    --------
    >>> all_words("red shoes")
    '"red" "shoes"'
    """
    return " ".join(_strings(text)) or '""'


def _strings(text: str) -> list[str]:
    """Return each word as a string of FTS5; characters that no word has separate words."""
    return [f'"{word}"' for word in re.findall(r"\w+", text)]
