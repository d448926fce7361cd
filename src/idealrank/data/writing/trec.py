"""TREC text: ``query 0 document grade``, and ``query Q0 document rank score system``."""

from __future__ import annotations

import re
from collections.abc import Collection

from idealrank.data.writing.order import ranks_and_scores
from idealrank.data.writing.rows import NO_NUL, Rows, number_texts
from idealrank.data.writing.writer import Wishes, Writer
from idealrank.errors import DataError

_ENDS = re.compile(r"[\s\x00\ufeff]")
_WAY = "Write a table, such as CSV, or change the ids."


def qrels(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write judgments; the second field is the subtopic where there are any, else what it was."""
    refuse_blanks(rows.name, "query", rows.query)
    refuse_blanks(rows.name, "document", rows.doc)
    second = rows.words.get("iteration", [""] * len(rows))
    subtopic = rows.words.get("subtopic", [field or "0" for field in second])
    refuse_blanks(rows.name, "subtopic", subtopic)
    fields = zip(rows.query, subtopic, rows.doc, number_texts(rows.grade), strict=True)
    return "".join([f"{query} {one} {doc} {grade}\n" for query, one, doc, grade in fields])


def run(rows: Rows, wishes: Wishes, notes: list[str]) -> str:
    """Write results; blanks in the names of systems become ``_``."""
    refuse_blanks(rows.name, "query", rows.query)
    refuse_blanks(rows.name, "document", rows.doc)
    ranks, scores = ranks_and_scores(rows, notes)
    systems = rows.words.get("system", [rows.system or "results"] * len(rows))
    tags = {name: _ENDS.sub("_", name) or "results" for name in set(systems)}
    if any(tag != name for name, tag in tags.items()):
        notes.append("blanks in the names of systems are written as _")
    fields = zip(rows.query, rows.doc, ranks.tolist(), number_texts(scores), systems, strict=True)
    return "".join([f"{query} Q0 {doc} {rank} {score} {tags[system]}\n" for query, doc, rank, score, system in fields])


def refuse_blanks(name: str, role: str, ids: Collection[str]) -> None:
    """Refuse ids that a line of fields separated by blanks cannot contain.

    Raises
    ------
    DataError
        With the first of them.
    """
    if all(ids) and not _ENDS.search("".join(ids)) and (role != "query" or "#" not in {text[0] for text in ids}):
        return
    for text in ids:
        if not text or _ENDS.search(text):
            if "\0" in text:
                raise DataError(f"{name}: the {role} id {text!r} contains a NUL byte, {NO_NUL}")
            raise DataError(f"{name}: the {role} id {text!r} contains whitespace, which ends a field of a line. {_WAY}")
        if role == "query" and text.startswith("#"):
            raise DataError(f"{name}: the query id {text!r} begins with #, which begins a comment. {_WAY}")


TREC = Writer(
    "trec", "TREC text", (".trec", ".qrels", ".qrel", ".run", ".res", ".txt"), {"judgments": qrels, "results": run},
    frozenset({"subtopic", "system"}),
)  # fmt: skip
