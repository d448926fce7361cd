"""Four columns of numbers that may be TREC judgments, or ratings: user, item, rating and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank._core import BadRow
from idealrank.errors import DataError, option

if TYPE_CHECKING:
    from idealrank._core import Column
    from idealrank.data.formats.source import Source

HIGHEST = 1000
"""Grades above this are taken as times."""


def refuse_ratings(table: Source) -> None:
    """Ask what four columns of numbers are, if the second has more values than the third or the last is a time.

    Raises
    ------
    DataError
        The message says how to have them read either way.
    """
    frame = table.frame
    if frame.format != "trec-qrels" or "iteration" not in frame.names:
        return
    second, third, last = (frame.column(frame.names.index(name)) for name in ("iteration", "doc", "grade"))
    if not (_are_numbers(second) and _are_numbers(third) and _are_numbers(last)):
        return
    if len(second.codes()[1]) <= len(third.codes()[1]) and last.number("grade", True).floats().max() <= HIGHEST:
        return
    raise DataError(
        f"{table.name} {table.where(0)}: four numbers per line, which may be user, item, rating and time. If they are "
        "ratings, add a first line that names the columns: query, doc, grade, time, with the same separator. If they "
        "are TREC judgments, write 0 as the second field of every line, or, if it is a subtopic, choose: "
        f"{option('subtopic', 'iteration', 'subtopic-col')}."
    )


def _are_numbers(column: Column) -> bool:
    try:
        column.number("", True)
    except BadRow:
        return False
    return True
