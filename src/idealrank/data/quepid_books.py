"""Books of Quepid: a pair that a rater could not judge, or put off, has no grade, and it is counted which."""

from __future__ import annotations

from dataclasses import replace

from idealrank._core import from_columns
from idealrank.data.formats.nested_plan import QUEPID_BOOK
from idealrank.data.formats.source import Source

_BOOM = "BOOM:"
"""How the explanation begins where Quepid's own language model did not answer: it is stored as unrateable.

Source: o19s/quepid, app/services/llm_service.rb.
"""

_FLAGS = ("unrateable", "judge_later", "reason")


def mark_withheld(table: Source) -> Source:
    """Return a book with what a rater said in the place of a grade, as other tables have it.

    The columns of the flags are taken away: they are no grades.
    """
    names = table.frame.names
    if table.what != QUEPID_BOOK or "unrateable" not in names:
        return table
    grades, unrateable, later, reasons = (
        table.frame.column(names.index(name)).to_list() for name in ("grade", *_FLAGS)
    )  # fmt: skip
    words = [
        None if grade is not None else "later" if _is_set(put_off) else "cannot tell" if _is_set(flag) else None
        for grade, flag, put_off in zip(grades, unrateable, later, strict=True)
    ]
    failed = [
        word == "cannot tell" and str(reason or "").startswith(_BOOM)
        for word, reason in zip(words, reasons, strict=True)
    ]
    kept = [name for name in names if name not in _FLAGS[:2]]
    columns = {name: table.frame.column(names.index(name)) for name in kept}
    if not any(words):
        return replace(table, frame=from_columns(kept, list(columns.values())))
    cells = [
        word if word is not None and not fails else None if grade is None else str(grade)
        for grade, word, fails in zip(grades, words, failed, strict=True)
    ]
    columns["grade"] = from_columns(["grade"], [cells]).column(0)
    if any(failed):
        columns["state"] = from_columns(["state"], [["failed" if fails else None for fails in failed]]).column(0)
    return replace(table, frame=from_columns(list(columns), list(columns.values())))


def _is_set(flag: object) -> bool:
    return flag is True or str(flag).lower() in {"true", "1", "t"}
