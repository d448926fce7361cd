"""BEIR: a folder with ``qrels/test.tsv``, and ``queries.jsonl`` and ``corpus.jsonl`` where texts are known.

Source: beir-cellar/beir 2.0, GenericDataLoader: tabs, a header, whole grades.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from idealrank.data.documents import as_title
from idealrank.data.writing.csv_text import delimited, refuse_nul
from idealrank.data.writing.rows import Rows, number_texts
from idealrank.data.writing.writer import Wishes, Writer


def folder(rows: Rows, wishes: Wishes, notes: list[str]) -> dict[str, str]:
    """Write the files of the folder."""
    columns = {"query-id": rows.query, "corpus-id": rows.doc, "score": number_texts(rows.grade)}
    refuse_nul(rows, columns)
    files = {"qrels/test.tsv": delimited(columns, "\t", wishes.formulas, notes)}
    for name, what, ids, texts in (
        ("queries.jsonl", "query", rows.query, rows.texts),
        ("corpus.jsonl", "document", rows.doc, {**rows.titles, **rows.passages}),
    ):
        known = [key for key in dict.fromkeys(ids) if texts.get(key)]
        if known:
            files[name] = _objects(
                {key: {"text": texts[key]} if what == "query" else _document(rows, key) for key in known}
            )
        if len(known) < len(set(ids)):
            notes.append(
                f"{name} has only the {what} texts that are known" if known else f"no {name}: no {what} texts known"
            )
    return files


def _document(rows: Rows, doc: str) -> dict[str, str]:
    """Return title and text of a document; the beginning of the text is no title."""
    title, text = rows.titles.get(doc, ""), rows.passages.get(doc, "")
    return {"title": "" if text and title == as_title(text) else title, "text": text}


def _objects(fields: Mapping[str, Mapping[str, str]]) -> str:
    return "".join(json.dumps({"_id": key, **own}, ensure_ascii=False) + "\n" for key, own in fields.items())


BEIR = Writer("beir", "a BEIR folder", ("/",), {"judgments": folder}, frozenset({"texts", "titles"}))
