"""Quepid: the basic CSV of ratings, and a book as JSON.

Source: o19s/quepid 8.6, export of a case ("Basic") and of a book.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from idealrank.data.writing.csv_text import delimited, refuse_nul
from idealrank.data.writing.rows import Rows, number_texts, plain
from idealrank.data.writing.texts import as_json, query_names
from idealrank.data.writing.writer import Wishes, Writer


def basic(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write query, docid and rating, empty where there is none."""
    names = query_names(rows, notes)
    columns = {"query": [names[query] for query in rows.query], "docid": rows.doc, "rating": number_texts(rows.grade)}
    refuse_nul(rows, columns)
    return delimited(columns, ",", wishes.formulas, notes)


def book(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write one pair per query and document, with the rating of each rater."""
    names = query_names(rows, notes)
    raters = rows.words.get("rater", [""] * len(rows))
    pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for query, doc, rater, grade in zip(rows.query, rows.doc, raters, rows.grade.tolist(), strict=True):
        ratings = pairs.setdefault((query, doc), [])
        if grade == grade:
            ratings.append({"rating": plain(grade), **({"user_email": rater} if rater else {})})
    scale = [plain(grade) for grade in np.unique(rows.grade[~np.isnan(rows.grade)]).tolist()]
    listed = [
        {"query_text": names[query], "doc_id": doc, **_fields(rows, doc), "judgements": ratings}
        for (query, doc), ratings in pairs.items()
    ]
    return as_json({"name": rows.name, "scale": scale, "query_doc_pairs": listed})


def _fields(rows: Rows, doc: str) -> dict[str, Any]:
    title = rows.titles.get(doc)
    return {"document_fields": {"title": title}} if title else {}


BASIC = Writer(
    "quepid",
    "Quepid's basic CSV",
    (),
    {"judgments": basic},
    frozenset({"ungraded", "fractions", "texts", "unanswered"}),
)
BOOK = Writer(
    "quepid-book", "a Quepid book", (), {"judgments": book},
    frozenset({"rater", "ungraded", "fractions", "texts", "titles"}),
)  # fmt: skip
