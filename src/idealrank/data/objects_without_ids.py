"""Objects in a query's list that do not name their document: not the same as a query without documents."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from idealrank.arrays import Mask
from idealrank.data.formats.plan import EACH, Rows, last
from idealrank.data.ids import there
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, listed

Table = TypeVar("Table", Judgments, Results)

_QUERY = frozenset({"query"}).union(*ALIASES["query"], *ALIASES["text"])


def refuse_objects_without_ids(table: Table) -> Table:
    """Return a table, unless an object in the list of a query has no id where the others have theirs.

    Raises
    ------
    DataError
        The message gives the first, what the others call their id, and what this one has.
    """
    source = table.source
    rows = _rows(table)
    if rows is None or source.plan is None or source.plan.what:
        return table
    shared = {name for name, place in rows.columns if place[: len(rows.path)] != rows.path}
    own = [place for place, name in enumerate(source.frame.names) if name not in shared and place != table.doc]
    if not _QUERY & {fold(name) for name in shared}:
        return table
    nameless = ~there(source.ids(table.doc), np.arange(source.frame.rows))
    if not nameless.any():
        return table
    filled = {place: nameless & _filled(table, place) for place in own}
    lost = np.flatnonzero(np.logical_or.reduce([*filled.values(), np.zeros(len(nameless), np.bool_)]))
    if not len(lost):
        return table
    row, called = int(lost[0]), source.frame.names[table.doc].rpartition("/")[2]
    rank = {name for name, place in rows.columns if name not in shared and place == (*rows.path, "@place")}
    has = [source.frame.names[place] for place in own if filled[place][row] and source.frame.names[place] not in rank]
    found = f" This one has {listed(has)}." if has else ""
    raise DataError(
        f"{source.place(row)}: an object in {last(rows.path) or 'the list'} has no {called}, by which the others name "
        f"their document.{found} Give each object its document's id as {called}, and leave out a query's list where "
        "there are no documents."
    )


def _rows(table: Judgments | Results) -> Rows | None:
    """Return where the rows of a table lay, if they were objects of lists that are in something."""
    source = table.source
    kind = next((kind for kind, frame in source.tables.items() if frame is source.frame), None)
    if source.plan is None or kind is None:
        return None
    found = [one for one in source.plan.rows if one.table == kind]
    if len(found) != 1 or not found[0].further or found[0].path[-1:] != (EACH,):
        return None
    return found[0]


def _filled(table: Judgments | Results, place: int) -> Mask:
    """(N,) which rows have a value in a column."""
    frame = table.source.frame
    values = frame.column(place).to_list(None) if frame.nested(place) is None else [None] * frame.rows
    return np.array([value is not None for value in values], np.bool_)
