"""Rows are fitted to a format: what it has no place for is refused, or left out and named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from idealrank.data.documents import is_clear_title
from idealrank.data.formats.messages import SECOND_FIELD
from idealrank.data.writing.once import once_each
from idealrank.data.writing.rows import Rows, refuse
from idealrank.data.writing.writer import Above, Wishes, Writer
from idealrank.errors import DataError, UsageError, either, listed, option, plural

_FACTORS = (2, 3, 4, 5, 6, 10, 12, 20, 60, 100, 1000)
_SAME = 1e-9

_COLLAPSED = {"rater": "several ratings of a document", "system": "one judgment per system"}


def fitted(rows: Rows, writer: Writer, wishes: Wishes, notes: list[str]) -> Rows:
    """Return rows that a format can contain.

    Raises
    ------
    DataError
        If it has no place for something that must not be left out; the message says what to do.
    """
    rows = once_each(rows, wishes.duplicates, notes)
    dropped = list(_dropped(rows, writer))
    if "step" in rows.words and "others" not in writer.holds:
        _refuse_searches(rows, writer)
    rows = _judged(rows, writer, wishes, notes) if rows.kind == "judgments" else _returned(rows, writer, notes)
    if "duplicates" not in writer.holds:
        _refuse_duplicates(rows, writer)
    if dropped:
        notes.append(f"{writer.title} has no place for {listed(dropped)}")
    return rows


def _dropped(rows: Rows, writer: Writer) -> Iterator[str]:
    """Name what is known about queries and documents, and is not written."""
    if "iteration" in rows.words and "subtopic" not in writer.holds:
        yield "the second field of TREC judgments"
    if "step" in rows.words and "others" not in writer.holds:
        yield "steps"
    if rows.texts and "texts" not in writer.holds:
        yield "the texts of queries"
    if rows.titles and "titles" not in writer.holds:
        yield "the titles of documents"
    if "others" not in writer.holds:
        yield from (f"the column {name}" for name in rows.others if not (rows.titles and is_clear_title(name)))
    yield from (f"the column {name}, which contains lists or objects" for name in rows.nested)


def _judged(rows: Rows, writer: Writer, wishes: Wishes, notes: list[str]) -> Rows:
    for role, what in _COLLAPSED.items():
        if role in rows.words and (role not in writer.holds or (role == "system" and "duplicates" not in writer.holds)):
            raise DataError(
                f"{rows.name}: {what}, and {writer.title} has a place for one grade. Make it one: "
                f"{option('raters', 'median')}, mean, majority, max or min; or write a table, such as CSV."
            )
    if "subtopic" in rows.words and "subtopic" not in writer.holds:
        raise DataError(f"{rows.name}: {writer.title} has no place for subtopics. Write TREC text or CSV.")
    rows = rows if "unanswered" in writer.holds else _with_documents(rows, writer, "judgments", notes)
    rows = rows if "ungraded" in writer.holds else _graded(rows, notes)
    rows = _scaled(rows, wishes.scale_grades)
    if "fractions" not in writer.holds:
        _refuse_fractions(rows, writer)
    return rows if writer.above is None else _above(rows, writer.above, notes)


def _above(rows: Rows, above: Above, notes: list[str]) -> Rows:
    """Leave out the judgments of low grades, and name the queries without others."""
    kept = rows.at(np.flatnonzero(rows.grade > above.grade))
    if left_out := len(rows) - len(kept):
        notes.append(f"{plural(left_out, 'judgment')} of grade {above.grade:g} or less left out: {above.why}")
    if lost := _lost(rows, kept):
        notes.append(f"{plural(len(lost), 'query')} without a relevant document left out: {listed(lost)}")
    return kept


def _lost(rows: Rows, kept: Rows) -> list[str]:
    """Return the queries of rows that have none among those kept."""
    there = set(kept.query)
    return [query for query in dict.fromkeys(rows.query) if query not in there]


def _graded(rows: Rows, notes: list[str]) -> Rows:
    """Leave out the rows without a grade."""
    missing = np.isnan(rows.grade)
    if missing.any():
        notes.append(f"{plural(int(missing.sum()), 'row')} without a grade left out")
    return rows.at(np.flatnonzero(~missing)) if missing.any() else rows


def _scaled(rows: Rows, factor: float) -> Rows:
    """Multiply the grades; what is almost a whole number is one, as 3 times 0.1 is no exact 0.3."""
    if factor == 1:
        return rows
    if not (np.isfinite(factor) and factor > 0):
        raise UsageError(f"{option('scale_grades', str(factor))}: give a number above 0, such as 10.")
    grade = rows.grade * factor
    whole = np.round(grade)
    return replace(rows, numbers={**rows.numbers, "grade": np.where(np.abs(grade - whole) < _SAME, whole, grade)})


def _refuse_fractions(rows: Rows, writer: Writer) -> None:
    fractions = np.flatnonzero(rows.grade % 1 != 0)
    if len(fractions) == 0:
        return
    factor = next((by for by in _FACTORS if _whole(rows, by)), None)
    by = "Round the grades" if factor is None else f"Scale the grades: {option('scale_grades', str(factor))}"
    what = f"the grade {rows.grade[fractions[0]]:g} is a fraction, and {writer.title} has whole numbers"
    raise refuse(rows, int(fractions[0]), what, f"{by}; or write a table, such as CSV.")


def _whole(rows: Rows, factor: float) -> bool:
    grade = rows.grade * factor
    return bool((np.abs(grade - np.round(grade)) < _SAME).all())


def _returned(rows: Rows, writer: Writer, notes: list[str]) -> Rows:
    systems = list(dict.fromkeys(rows.words.get("system", ())))
    if len(systems) > 1 and "system" not in writer.holds:
        raise DataError(
            f"{rows.name}: {plural(len(systems), 'system')}, and {writer.title} has a place for one. Choose it: "
            f"{option('system', systems[0])}."
        )
    if "unanswered" in writer.holds:
        return _by_score(rows, notes)
    return _with_documents(rows, writer, "results", notes)


def _refuse_searches(rows: Rows, writer: Writer) -> None:
    """Refuse results of several searches per query, which would become one list."""
    system = [rows.words["system"]] if "system" in rows.words else []
    lists, searches = (rows.codes(rows.query, *system, *more) for more in ((), (rows.words["step"],)))
    if rows.kind == "results" and len(np.unique(searches)) > len(np.unique(lists)):
        raise DataError(
            f"{rows.name}: there are several steps per query, and {writer.title} has a place for one list. "
            "Write a table, such as CSV."
        )


def _with_documents(rows: Rows, writer: Writer, noun: str, notes: list[str]) -> Rows:
    """Leave out the rows that only say that a query has no documents, or that its search failed."""
    errors = rows.words.get("error", [""] * len(rows))
    there = [bool(doc) and not error for doc, error in zip(rows.doc, errors, strict=True)]
    if all(there):
        return rows
    kept = rows.at(np.flatnonzero(there))
    if lost := _lost(rows, kept):
        notes.append(f"{writer.title} has no place for {plural(len(lost), 'query')} without {noun}: {listed(lost)}")
    return kept


def _by_score(rows: Rows, notes: list[str]) -> Rows:
    """Leave out the ranks of results that go by score, since a table with both goes by rank."""
    if rows.order != "score" or "rank" not in rows.numbers:
        return rows
    notes.append("the ranks are left out: these results go by score, and a table with both goes by rank")
    return replace(rows, numbers={"score": rows.numbers["score"]})


_ONE = either("Remove one.", "Remove one, or keep one: --duplicates first, last or max.")


def _refuse_duplicates(rows: Rows, writer: Writer) -> None:
    roles = ("subtopic", "system", "rater", *(["iteration"] if "subtopic" in writer.holds else []))
    parts = [rows.words[role] for role in roles if role in rows.words]
    pairs = rows.codes(rows.query, rows.doc, *parts)
    _, first = np.unique(pairs, return_index=True)
    if len(first) < len(pairs):
        place = int(np.setdiff1d(np.arange(len(pairs)), first)[0])
        what = f"a document comes twice, and {writer.title} has a place for one"
        raise refuse(rows, place, what, f"{_ONE} {SECOND_FIELD if 'iteration' in rows.words else ''}".strip())
