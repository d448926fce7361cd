"""Times in tables of ratings and of clicks: dates, or numbers that count seconds or parts of them since 1970."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from idealrank._core import BadRow
from idealrank.arrays import Floats
from idealrank.data.judgments import Judgments
from idealrank.data.roles import first_named
from idealrank.errors import DataError, plural

LATEST = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC).timestamp()
"""The last second that may be the time of a rating or a click."""

_UNITS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (np.inf, 1e9))
"""Below which number times count seconds, milliseconds, microseconds or nanoseconds, and how many are a second."""


def is_number(text: Any) -> bool:
    """Tell whether a cell is a number, so no date.

    Examples
    --------
    >>> is_number("1769860800"), is_number("2026-01-31"), is_number("")
    (True, False, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def second_of(text: str) -> float | None:
    """Return the second since 1970 that a date names; None if the text is no date.

    A time without a zone is taken as UTC, as all of them are then.

    Examples
    --------
    >>> second_of("1970-01-02"), second_of("1970-01-01T01:00:00+01:00"), second_of("soon")
    (86400.0, 0.0, None)
    """
    try:
        moment = datetime.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp()


def parts_of_second(numbers: Floats) -> float:
    """Return how many of the units that numbers count are a second, by their median; NaN and infinity are left out.

    Examples
    --------
    >>> parts_of_second(np.array([1769860800.0])), parts_of_second(np.array([1769860800000.0, np.nan]))
    (1.0, 1000.0)
    """
    known = numbers[np.isfinite(numbers)]
    middle = float(np.median(np.abs(known))) if len(known) else 0.0
    return next(parts for below, parts in _UNITS if middle < below)


def impossible(seconds: Floats) -> list[int]:
    """Return the rows whose time is before 1970 or after 2100.

    Examples
    --------
    >>> impossible(np.array([-1.0, 0.0, np.nan, 5e9]))
    [0, 3]
    """
    return np.flatnonzero((seconds < 0) | (seconds > LATEST)).tolist()


def impossible_time(place: str, name: str, cell: Any, many: int, way: str) -> DataError:
    """Build the error for a time that `impossible` returns: where it is, and what to do."""
    others = f" ({plural(many, 'row')} in all)" if many > 1 else ""
    return DataError(f"{place}: {name} {cell}{others} is before 1970 or after 2100{way}")


# Times of ratings: when each was given, so that a rater's first one is known, and whether grades change over time.


NAMES = (
    "ratedat", "ratingtime", "judgedat", "gradedat", "annotatedat", "timestamp", "time", "ts", "createdat", "datetime",
    "date",
)  # fmt: skip
"""Names of the column, folded, those taken first in front."""

EARLIEST = 1e8
"""Numbers that are mostly below, in 1973, are seconds a rating took, or count something else: they are no times."""


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
        known = [(second_of(text) if text.strip() else np.nan, text) for text in texts]
        are_numbers = [not text.strip() or is_number(text) for text in texts]
        numbers_too = sum(are_numbers) * 2 > len(texts)
        bad = [i for i, (second, _) in enumerate(known) if (not are_numbers[i] if numbers_too else second is None)]
        if bad:
            row = int(np.flatnonzero(np.isin(code, bad))[0])
            raise DataError(
                f"{table.source.place(row)}: {name} {known[int(code[row])][1]!r} is no time. Write it as "
                f"2026-01-31T12:00:00Z, or as seconds or milliseconds since 1970, {_WAY}"
            ) from None
        seconds: Floats = np.array([*(second for second, _ in known), np.nan], np.float64)[code]
        return _refuse_impossible(table, place, seconds)
    there = numbers[~np.isnan(numbers)]
    if not len(there):
        return numbers
    middle = float(np.median(np.abs(there)))
    if middle < EARLIEST:
        return np.full(frame.rows, np.nan)
    return _refuse_impossible(table, place, numbers / parts_of_second(numbers))


_WAY = "or leave the column out: it only says which rating came first, and whether a rater changed."


def _refuse_impossible(table: Judgments, column: int, seconds: Floats) -> Floats:
    if wrong := impossible(seconds):
        frame = table.source.frame
        cell = frame.column(column).to_list()[wrong[0]]
        place = table.source.place(wrong[0])
        raise impossible_time(place, frame.names[column], cell, len(wrong), f". Mend it, {_WAY}")
    return seconds
