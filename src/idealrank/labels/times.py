"""Times in tables of ratings and of clicks: dates, or numbers that count seconds or parts of them since 1970."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from idealrank.arrays import Floats

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
