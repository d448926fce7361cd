"""Which files belong to which date: a file or a folder per date, with judgments beside the results or without."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePath
from typing import NamedTuple

from idealrank.data.formats.folders import files_of
from idealrank.data.formats.head import is_baseline
from idealrank.data.results import Results
from idealrank.engines.replay_record import read_record
from idealrank.errors import DataError, UsageError, either, plural

_JUDGMENTS = ("judgments", "judgements", "qrels", "ratings")
"""What the name of a file of judgments begins or ends with."""


@dataclass(frozen=True)
class DatedFiles:
    """The files of one date.

    Attributes
    ----------
    name
        The path as it was given.
    date
        The date in its name; "" where there is none.
    results
        The files of results, one or more systems.
    judgments
        The file of judgments beside them; None where there is none.
    baseline
        Whether the file is a baseline, which needs neither.
    """

    name: str
    date: str
    results: tuple[str, ...]
    judgments: str | None = None
    baseline: bool = False


def files_by_date(paths: Sequence[str]) -> list[DatedFiles]:
    """Sort files and folders by date; one folder alone contains a file or a folder per date.

    A file of judgments may lie beside the results: in the folder of their date, or with the same date in its name.

    Raises
    ------
    DataError
        If there is no file of results.
    """
    paths = [str(path) for path in paths]
    if len(paths) == 1 and os.path.isdir(paths[0]) and not date_in(os.path.basename(os.path.normpath(paths[0]))):
        paths = sorted(str(path) for path in Path(paths[0]).iterdir() if not path.name.startswith("."))
    graded = {date_in(Path(path).name): path for path in paths if _is_named_judgments(path)}
    found = [_files_of_date(path, graded) for path in paths if not _is_named_judgments(path)]
    if not found:
        raise DataError(
            f"{', '.join(paths) or 'No files'}: no results here. Give a file or a folder of results per date."
        )
    return merged(found)


def merged(moments: Sequence[DatedFiles]) -> list[DatedFiles]:
    """Put files of one date together: several systems; baselines stay as they are."""
    by_date: dict[str, DatedFiles] = {}
    for moment in moments:
        key = moment.date if moment.date and not moment.baseline else f"\0{moment.name}"
        first = by_date.get(key)
        by_date[key] = moment if first is None else DatedFiles(
            first.name, first.date, (*first.results, *moment.results), first.judgments or moment.judgments
        )  # fmt: skip
    return list(by_date.values())


def ordered(moments: Sequence[DatedFiles], dates: Sequence[str]) -> tuple[list[int], str]:
    """Return the order of moments: by date, or as given where one has none, with a note that says so."""
    places = list(range(len(moments)))
    lost = [moment.name for moment, date in zip(moments, dates, strict=True) if not date]
    if not lost:
        return sorted(places, key=lambda i: (begin_of(dates[i]), dates[i])), ""
    if not any(moment.results for moment in moments):  # a dict, of which nothing is a file
        return places, f"In the order given: no date in {plural(len(lost), 'name')} ({lost[0]}). Name them 2026-11-23"
    many = plural(len(lost), "file")
    return (
        places,
        f"In the order given: no date in the name of {many}, nor beside it ({lost[0]}). Name files as 2026-11-23.csv",
    )


def _files_of_date(path: str, graded: dict[str, str]) -> DatedFiles:
    date = date_in(Path(path).name)
    if not os.path.isdir(path):
        return DatedFiles(path, date, (path,), graded.get(date) if date else None, is_baseline(path))
    files = [file for file in files_of(path) if not is_baseline(file)]
    judgments = [file for file in files if _is_named_judgments(file)]
    results = tuple(file for file in files if file not in judgments)
    if not results:
        raise DataError(f"{path}: this folder contains no results. Give a file or a folder of results per date.")
    if len(judgments) > 1:
        way = either("judgments=…", "--judgments FILE")
        raise UsageError(
            f"{path}: {len(judgments)} files of judgments: {', '.join(judgments)}. Leave one, or give {way}."
        )
    return DatedFiles(path, date, results, next(iter(judgments), None))


def _is_named_judgments(path: str) -> bool:
    """Whether the name of a file says that it contains judgments."""
    stem = Path(path).name.lower().split(".", 1)[0]
    return not os.path.isdir(path) and any(stem.startswith(word) or stem.endswith(word) for word in _JUDGMENTS)


# The day of a file, by its name or by what a replay recorded beside it.


class DateFormat(NamedTuple):
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
    DateFormat(
        re.compile(
            r"(?<!\d)(\d{4})[-_.](\d{2})[-_.](\d{2})"
            rf"(?:[T_ -](\d{{2}})[-_:.h]?(\d{{2}})(?:[-_:.m]?(\d{{2}}))?{_ZONE})?(?!\d)"
        ),
        "2026-11-23",
    ),
    DateFormat(
        re.compile(rf"(?<!\d)(\d{{4}})(\d{{2}})(\d{{2}})(?:[T_ -]?(\d{{2}})(\d{{2}})(\d{{2}})?{_ZONE})?(?!\d)"),
        "20261123",
    ),
    DateFormat(re.compile(r"(?<!\d)(\d{4})[-_.](\d{2})(?!\d)"), "2026-11", "-01"),
    DateFormat(re.compile(r"(?<!\d)(\d{4})[-_.]?(W\d{2})(?!\d)"), "2026-W41", "-1"),
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
    found = (_date_text(match.groups()) for form in FORMS for match in form.pattern.finditer(name))
    return next(filter(None, found), "")


def _date_text(groups: tuple[str | None, ...]) -> str:
    day, time = [part for part in groups[:3] if part], [part for part in groups[3:] if part]
    text = "-".join(day) + (f"T{':'.join(time)}" if time else "")
    try:
        begin_of(text)
    except ValueError:
        return _date_text(groups[:3]) if time else ""
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


def without_date(name: str) -> str:
    """Return a name without the date in it.

    Examples
    --------
    >>> without_date("bm25_2026-11-23"), without_date("2026-11-23"), without_date("hybrid")
    ('bm25', '', 'hybrid')
    """
    found = next((m for form in FORMS for m in form.pattern.finditer(name) if _date_text(m.groups())), None)
    return name if found is None else (name[: found.start()] + name[found.end() :]).strip("-_. ")


def date_of_path(path: str) -> str:
    """Return the date in the name of a file, or of the folder it lies in."""
    parts = PurePath(path).parts
    return next(filter(None, map(date_in, reversed(parts[-2:]))), "")


def date_of_results(results: Results) -> str:
    """Return the day of results: in the name of their file or folder, or when a replay began to ask for them."""
    origin, record = results.source.origin, read_record(results)
    named = date_of_path(origin.path) if origin else ""
    return named or (str(record.get("begun", ""))[:10] if record else "")
