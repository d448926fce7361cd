"""Times of ratings: when each was given, so that a rater's first one is known, and whether grades change over time."""

from __future__ import annotations

import datetime

import numpy as np

from idealrank._core import BadRow
from idealrank.arrays import Floats
from idealrank.data.judgments import Judgments
from idealrank.data.roles import first_named
from idealrank.errors import DataError, plural

NAMES = (
    "ratedat", "ratingtime", "judgedat", "gradedat", "annotatedat", "timestamp", "time", "ts", "createdat", "datetime",
    "date",
)  # fmt: skip
"""Names of the column, folded, those taken first in front."""

LATEST = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC).timestamp()
"""The last second that may be the time of a rating."""

EARLIEST = 1e8
"""Numbers that are mostly below, in 1973, are seconds a rating took, or count something else: they are no times."""

_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (np.inf, 1e9))
"""Below which number times count seconds, milliseconds, microseconds or nanoseconds, and how many are a second."""


def rating_times(table: Judgments) -> Floats:
    """(N,) seconds since 1970 of each row, NaN where there is no time.

    Raises
    ------
    DataError
        If a time cannot be read, is before 1970 or after 2100.
    """
    frame = table.source.frame
    taken = {*table.grades, table.doc, *table.roles.chosen.values()}
    place = first_named(frame.names, NAMES)
    if place is None or place in taken:
        return np.full(frame.rows, np.nan)
    column, name = frame.column(place), frame.names[place]
    try:
        numbers = column.number(name, True).floats()
    except BadRow:
        code, distinct = column.codes()
        texts = [str(text) for text in distinct.to_list()]
        known = [(_second(text), text) for text in texts]
        numbers_too = sum(map(_is_number, texts)) * 2 > len(texts)
        bad = [i for i, (second, text) in enumerate(known) if (not _is_number(text) if numbers_too else second is None)]
        if bad:
            row = int(np.flatnonzero(np.isin(code, bad))[0])
            raise DataError(
                f"{table.source.place(row)}: {name} {known[int(code[row])][1]!r} is no time. Write it as "
                f"2026-01-31T12:00:00Z, or as seconds or milliseconds since 1970, {_WAY}"
            ) from None
        seconds: Floats = np.array([*(second for second, _ in known), np.nan], np.float64)[code]
        return _refuse_impossible(table, name, seconds, column.to_list())
    there = numbers[~np.isnan(numbers)]
    if not len(there):
        return numbers
    middle = float(np.median(np.abs(there)))
    if middle < EARLIEST:
        return np.full(frame.rows, np.nan)
    return _refuse_impossible(table, name, numbers / next(many for below, many in _UNITS if middle < below))


_WAY = "or leave the column out: it only says which rating came first, and whether a rater changed."


def _is_number(text: str) -> bool:
    try:
        float(text or "nan")
    except ValueError:
        return False
    return True


def _second(text: str) -> float | None:
    """Return the second that a text names, NaN for an empty one; None if it is no time."""
    if not text.strip():
        return np.nan
    try:
        moment = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    # A time without a zone is taken as UTC, as all of them are then.
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp()


def _refuse_impossible(table: Judgments, name: str, seconds: Floats, cells: list[object] | None = None) -> Floats:
    wrong = np.flatnonzero((seconds < 0) | (seconds > LATEST))
    if len(wrong):
        row = int(wrong[0])
        cell = (
            table.source.frame.column(table.source.frame.names.index(name)).to_list()[row]
            if cells is None
            else cells[row]
        )
        others = f" ({plural(len(wrong), 'row')} in all)" if len(wrong) > 1 else ""
        raise DataError(
            f"{table.source.place(row)}: {name} {cell}{others} is before 1970 or after 2100. Mend it, {_WAY}"
        )
    return seconds
