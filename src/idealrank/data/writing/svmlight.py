"""SVMlight lines without features: ``grade qid:number # document``, with the texts of the queries above.

Source: o19s/elasticsearch-ltr, judgment lists: comments ``# qid:1: text`` map numbers to queries.
"""

from __future__ import annotations

from collections.abc import Iterable

from idealrank.data.formats.learning import WEIGHTED
from idealrank.data.writing.rows import NO_NUL, Rows, number_texts
from idealrank.data.writing.trec import refuse_blanks
from idealrank.data.writing.writer import Wishes, Writer
from idealrank.errors import DataError


def lines(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write one line per judgment; queries whose ids are no whole numbers are numbered."""
    refuse_blanks(rows.name, "document", rows.doc)
    ids = list(dict.fromkeys(rows.query))
    numbered = not all(query.isascii() and query.isdigit() for query in ids)
    if numbered:
        notes.append("a qid is a number: queries are numbered from 1, and the comments above say which is which")
    qid = {query: str(place) if numbered else query for place, query in enumerate(ids, 1)}
    known = numbered or bool(rows.texts)
    texts = {query: rows.texts.get(query, query) for query in ids} if known else {}
    _refuse_lost_blanks(rows.name, texts.values())
    weight = "*1" if all(map(WEIGHTED.fullmatch, texts.values())) else ""  # else a reader took their ends for weights
    names = [f"# qid:{qid[query]}: {text}{weight}" for query, text in texts.items()]
    grade = number_texts(rows.grade)
    body = [f"{grade[i]} qid:{qid[query]} # {rows.doc[i]}" for query, places in rows.by_query() for i in places]
    return "\n".join([*names, *body, ""])


def _refuse_lost_blanks(name: str, texts: Iterable[str]) -> None:
    """Refuse texts that would not come back from a comment as they are: it ends with its line, and is text.

    Raises
    ------
    DataError
        With the first of them.
    """
    for text in texts:
        if "\0" in text:
            raise DataError(f"{name}: the query {text!r} contains a NUL byte, {NO_NUL}")
        if not text.strip(_BLANKS) or text != text.strip(_BLANKS) or "\n" in text or "\r" in text:
            raise DataError(
                f"{name}: the query {text!r} is empty, begins or ends with a blank, or contains a line break, which a "
                "comment cannot keep. Write a table, such as CSV, or change the query."
            )


_BLANKS = " \t\r\n\v\f"
"""What a reader takes from both ends of a comment."""

SVMLIGHT = Writer(
    "svmlight", "SVMlight lines", (".svm", ".svmlight", ".libsvm", ".letor"), {"judgments": lines}, frozenset({"texts"})
)
