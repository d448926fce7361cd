"""Objects in a query's list that do not name their document: not the same as a query without documents."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from idealrank.arrays import Ints
from idealrank.data.formats.nested_plan import EACH, PLACE, RowSpec, last_name
from idealrank.data.formats.source import Source
from idealrank.data.ids import present_ids
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
    if (fault := _missing_id(table)) is not None:
        raise fault
    return table


def _missing_id(table: Judgments | Results) -> DataError | None:
    source = table.source
    lay = _list_spec(source)
    if lay is None or source.plan is None or source.plan.what:
        return None
    shared = {name for name, place in lay.columns if place[: len(lay.path)] != lay.path}
    if not _QUERY & {fold(name) for name in shared}:
        return None
    every = np.arange(source.frame.rows)
    nameless = every[~present_ids(source.ids(table.doc), every)]
    own = [place for place, name in enumerate(source.frame.names) if name not in shared and place != table.doc]
    having = {place: had for place in own if len(nameless) and (had := _rows_with_values(source, place, nameless))}
    if not having:
        return None
    row, called = min(rows[0] for rows in having.values()), source.frame.names[table.doc].rpartition("/")[2]
    counted = {name for name, place in lay.columns if place == (*lay.path, PLACE)}
    names = [source.frame.names[place] for place, rows in having.items() if rows[0] == row]
    has = [name for name in names if name not in counted]
    found = f" This one has {listed(has)}." if has else ""
    return DataError(
        f"{source.place(row)}: an object in {last_name(lay.path) or 'the list'} has no {called}, by which the others "
        f"name their document.{found} Give each object its document's id as {called}, and leave out a query's "
        "list where there are no documents."
    )


def _list_spec(source: Source) -> RowSpec | None:
    """Return where the rows of a table were in its document, if they were objects of a list."""
    kind = next((kind for kind, frame in source.tables.items() if frame is source.frame), None)
    found = [one for one in source.plan.rows if one.table == kind] if source.plan is not None else []
    return found[0] if len(found) == 1 and found[0].further and found[0].path[-1:] == (EACH,) else None


def _rows_with_values(source: Source, place: int, rows: Ints) -> list[int]:
    """Return those of some rows that have a value in a column."""
    if source.frame.nested(place) is not None:
        return []
    values = source.frame.column(place).to_list(rows)
    return [row for row, value in zip(rows.tolist(), values, strict=True) if value is not None]
