"""The judgments of some of the raters of a table."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from idealrank._core import Frame, from_columns
from idealrank.arrays import Ints, Kept
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.errors import DataError, UsageError, option, unknown


def judged_by(judgments: Judgments, raters: Iterable[object], name: str) -> Judgments:
    """Return the judgments of some raters, under a name.

    Parameters
    ----------
    raters
        Names in the rater column, or the names of the grade columns if every rater has one.

    Raises
    ------
    DataError
        If the table does not tell raters apart.
    UsageError
        If a rater is not in the table, or no rater is named.
    """
    wanted = [raters] if isinstance(raters, str) else [id_text(rater) for rater in raters]
    if not wanted:
        raise UsageError(f"The group {name!r} has no raters. Name at least one.")
    source = replace(judgments.source, name=name)
    if len(judgments.grades) > 1:
        columns = {judgments.roles.names[index]: index for index in judgments.grades}
        _refuse_unknown(wanted, columns)
        return replace(judgments, source=source, grades=tuple(columns[one] for one in wanted), kept=Kept())
    column = judgments.column("rater")
    if column is None:
        raise DataError(
            f"{judgments.name}: no column says who judged. Name it: {option('rater', flag='rater-col')}, or give "
            "each rater a column of grades."
        )
    names = [None if rater is None else id_text(rater) for rater in column.to_list()]
    _refuse_unknown(wanted, {rater for rater in names if rater is not None})
    rows = np.flatnonzero([rater in wanted for rater in names])
    return replace(judgments, source=replace(source, frame=_rows(judgments, rows)), kept=Kept())


def _rows(judgments: Judgments, rows: Ints) -> Frame:
    frame = judgments.source.frame
    return from_columns(frame.names, [frame.column(i).to_list(rows) for i in range(len(frame.names))])


def _refuse_unknown(wanted: Iterable[str], names: Iterable[str]) -> None:
    for rater in wanted:
        if rater not in names:
            raise unknown("rater", rater, names)
