"""Which files belong to which date: a file or a folder per date, with judgments beside the results or without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from idealrank.comparison.baseline.dates import begin_of, date_in
from idealrank.data.formats.paths import files_of
from idealrank.data.recognition.baselines import is_baseline
from idealrank.errors import DataError, UsageError, either, plural

_JUDGMENTS = ("judgments", "judgements", "qrels", "ratings")
"""What the name of a file of judgments begins or ends with."""


@dataclass(frozen=True)
class Moment:
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


def moments_of(paths: Sequence[str]) -> list[Moment]:
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
    graded = {date_in(Path(path).name): path for path in paths if _judges(path)}
    found = [_moment(path, graded) for path in paths if not _judges(path)]
    if not found:
        raise DataError(
            f"{', '.join(paths) or 'No files'}: no results here. Give a file or a folder of results per date."
        )
    return merged(found)


def merged(moments: Sequence[Moment]) -> list[Moment]:
    """Put files of one date together: several systems; baselines stay as they are."""
    by_date: dict[str, Moment] = {}
    for moment in moments:
        key = moment.date if moment.date and not moment.baseline else f"\0{moment.name}"
        first = by_date.get(key)
        by_date[key] = moment if first is None else Moment(
            first.name, first.date, (*first.results, *moment.results), first.judgments or moment.judgments
        )  # fmt: skip
    return list(by_date.values())


def ordered(moments: Sequence[Moment], dates: Sequence[str]) -> tuple[list[int], str]:
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


def _moment(path: str, graded: dict[str, str]) -> Moment:
    date = date_in(Path(path).name)
    if not os.path.isdir(path):
        return Moment(path, date, (path,), graded.get(date) if date else None, is_baseline(path))
    files = [file for file in files_of(path) if not is_baseline(file)]
    judgments = [file for file in files if _judges(file)]
    results = tuple(file for file in files if file not in judgments)
    if not results:
        raise DataError(f"{path}: this folder contains no results. Give a file or a folder of results per date.")
    if len(judgments) > 1:
        way = either("judgments=…", "--judgments FILE")
        raise UsageError(
            f"{path}: {len(judgments)} files of judgments: {', '.join(judgments)}. Leave one, or give {way}."
        )
    return Moment(path, date, results, next(iter(judgments), None))


def _judges(path: str) -> bool:
    """Whether the name of a file says that it contains judgments."""
    stem = Path(path).name.lower().split(".", 1)[0]
    return not os.path.isdir(path) and any(stem.startswith(word) or stem.endswith(word) for word in _JUDGMENTS)
