"""Times of ratings: when each was given, so that a rater's first one is known, and whether grades change over time."""

from __future__ import annotations

import numpy as np

from idealrank._core import BadRow
from idealrank.arrays import Floats
from idealrank.data.judgments import Judgments
from idealrank.data.roles import first_named
from idealrank.errors import DataError, plural
from idealrank.labels.times import impossible, is_number, parts_of_second, second_of

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
        return _refuse_impossible(table, name, seconds, column.to_list())
    there = numbers[~np.isnan(numbers)]
    if not len(there):
        return numbers
    middle = float(np.median(np.abs(there)))
    if middle < EARLIEST:
        return np.full(frame.rows, np.nan)
    return _refuse_impossible(table, name, numbers / parts_of_second(numbers))


_WAY = "or leave the column out: it only says which rating came first, and whether a rater changed."


def _refuse_impossible(table: Judgments, name: str, seconds: Floats, cells: list[object] | None = None) -> Floats:
    wrong = impossible(seconds)
    if wrong:
        row = wrong[0]
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
