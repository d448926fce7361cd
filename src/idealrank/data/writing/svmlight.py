"""SVMlight lines without features: ``grade qid:number # document``, with the texts of the queries above.

Source: o19s/elasticsearch-ltr, judgment lists: comments ``# qid:1: text`` map numbers to queries.
"""

from __future__ import annotations

from idealrank.data.writing.rows import Rows, number_texts
from idealrank.data.writing.trec import refuse_blanks
from idealrank.data.writing.writer import Wishes, Writer


def lines(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write one line per judgment; queries whose ids are no whole numbers are numbered."""
    refuse_blanks(rows.name, "document", rows.doc)
    ids = list(dict.fromkeys(rows.query))
    numbered = not all(query.isascii() and query.isdigit() for query in ids)
    if numbered:
        notes.append("a qid is a number: queries are numbered from 1, and the comments above say which is which")
    qid = {query: str(place) if numbered else query for place, query in enumerate(ids, 1)}
    known = numbered or bool(rows.texts)
    names = [f"# qid:{qid[query]}: {' '.join(rows.texts.get(query, query).split())}" for query in ids if known]
    grade = number_texts(rows.grade)
    body = [f"{grade[i]} qid:{qid[query]} # {rows.doc[i]}" for query, places in rows.by_query() for i in places]
    return "\n".join([*names, *body, ""])


SVMLIGHT = Writer(
    "svmlight", "SVMlight lines", (".svm", ".svmlight", ".libsvm", ".letor"), {"judgments": lines}, frozenset({"texts"})
)
