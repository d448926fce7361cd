"""The day of a file, by its name or by what a replay recorded beside it."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePath
from typing import NamedTuple

from idealrank.data.replayed import record_of
from idealrank.data.results import Results


class Form(NamedTuple):
    """A form of dates in names.

    Attributes
    ----------
    pattern
        What is looked for; its groups are the parts of the date, then those of the time.
    example
        A date of this form, as help and pages name it.
    first_day
        What follows such a date where its first day is meant.
    """

    pattern: re.Pattern[str]
    example: str
    first_day: str = ""


_ZONE = r"(?:Z(?![A-Za-z]))?"
FORMS = (
    Form(
        re.compile(
            r"(?<!\d)(\d{4})[-_.](\d{2})[-_.](\d{2})"
            rf"(?:[T_ -](\d{{2}})[-_:.h]?(\d{{2}})(?:[-_:.m]?(\d{{2}}))?{_ZONE})?(?!\d)"
        ),
        "2026-11-23",
    ),
    Form(
        re.compile(rf"(?<!\d)(\d{{4}})(\d{{2}})(\d{{2}})(?:[T_ -]?(\d{{2}})(\d{{2}})(\d{{2}})?{_ZONE})?(?!\d)"),
        "20261123",
    ),
    Form(re.compile(r"(?<!\d)(\d{4})[-_.](\d{2})(?!\d)"), "2026-11", "-01"),
    Form(re.compile(r"(?<!\d)(\d{4})[-_.]?(W\d{2})(?!\d)"), "2026-W41", "-1"),
)
"""Year, month and day, with or without a time; year and month; year and week. The first that is found counts."""


def date_in(name: str) -> str:
    """Return the date in a name, with its time if there is one; "" where there is none.

    Years are four digits and come first, and a date must be one of the calendar.

    Examples
    --------
    >>> date_in("2026-11-23.csv"), date_in("nightly_20261123T0415.run"), date_in("2026-11"), date_in("bm25-v2")
    ('2026-11-23', '2026-11-23T04:15', '2026-11', '')
    >>> date_in("2026-W41.csv")
    '2026-W41'
    """
    found = (_read(match.groups()) for form in FORMS for match in form.pattern.finditer(name))
    return next(filter(None, found), "")


def _read(groups: tuple[str | None, ...]) -> str:
    day, time = [part for part in groups[:3] if part], [part for part in groups[3:] if part]
    text = "-".join(day) + (f"T{':'.join(time)}" if time else "")
    try:
        begin_of(text)
    except ValueError:
        return _read(groups[:3]) if time else ""
    return text if "1900" <= day[0] < "2200" else ""


def begin_of(date: str) -> datetime:
    """Return when a date begins: a month on its first day, a week (ISO 8601) on its Monday.

    Examples
    --------
    >>> str(begin_of("2026-11")), str(begin_of("2026-W41"))
    ('2026-11-01 00:00:00', '2026-10-05 00:00:00')
    """
    form = next((form for form in FORMS if form.pattern.fullmatch(date)), FORMS[0])
    return datetime.fromisoformat(date + form.first_day)


def undated(name: str) -> str:
    """Return a name without the date in it.

    Examples
    --------
    >>> undated("bm25_2026-11-23"), undated("2026-11-23"), undated("hybrid")
    ('bm25', '', 'hybrid')
    """
    found = next((m for form in FORMS for m in form.pattern.finditer(name) if _read(m.groups())), None)
    return name if found is None else (name[: found.start()] + name[found.end() :]).strip("-_. ")


def date_of_path(path: str) -> str:
    """Return the date in the name of a file, or of the folder it lies in."""
    parts = PurePath(path).parts
    return next(filter(None, map(date_in, reversed(parts[-2:]))), "")


def date_of_results(results: Results) -> str:
    """Return the day of results: in the name of their file or folder, or when a replay began to ask for them."""
    origin, record = results.source.origin, record_of(results)
    named = date_of_path(origin.path) if origin else ""
    return named or (str(record.get("begun", ""))[:10] if record else "")
