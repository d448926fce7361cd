"""Four columns that may be TREC judgments, or ratings with their times, or judgments with a system in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from idealrank._core import BadRow
from idealrank.data.formats.messages import quoted
from idealrank.errors import DataError, option

if TYPE_CHECKING:
    from idealrank._core import Column
    from idealrank.data.formats.source import Source

SUBTOPICS = 100
"""Numbers of subtopics are below this."""

HIGHEST = 1000
"""Grades above this are taken as times."""


def refuse_ratings(table: Source) -> None:
    """Ask what four columns are, if those of TREC judgments would be odd.

    The first is the same in every line and the second is not, or all are numbers, of which the second has more values
    than the third or the last is a time.

    Raises
    ------
    DataError
        The message says how to have them read either way.
    """
    frame = table.frame
    if frame.format != "trec-qrels" or "iteration" not in frame.names:
        return
    _refuse_one_query(table)
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


def _refuse_one_query(table: Source) -> None:
    """Ask whether the second of four columns is the query: unlike the first, it is not the same in all lines."""
    frame = table.frame
    first, second = frame.column(0).codes()[1], frame.column(frame.names.index("iteration")).codes()[1]
    if len(first) > 1 or table.is_part:
        return
    (name,), others = first.to_list(None), second.to_list(None)
    # Subtopics are numbered; a first field without a digit is rather the name of a system.
    if any(map(str.isdigit, str(name))) and all(str(one).isdigit() and int(one) < SUBTOPICS for one in others):
        return
    raise DataError(
        f"{table.name} {table.where(0)}: as TREC judgments ('query 0 document grade') this file has one query, "
        f"{quoted(str(name))}, and {len(second):,} values in the second field, the first {quoted(str(others[0]))}. If "
        "the second field is the query, add a first line that names the columns, such as system, query, doc and grade, "
        "and separate all fields by tabs. If it is a subtopic of the one query, choose: "
        f"{option('subtopic', 'iteration', 'subtopic-col')}; else write 0 in its place."
    )


def _are_numbers(column: Column) -> bool:
    try:
        column.number("", True)
    except BadRow:
        return False
    return True
