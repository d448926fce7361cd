"""Oddities of a table that its columns show: what is asked about each, marked, or taken for something else.

To add one of judgments, write its function and its row in `CHECKS`. The cells of a text file are text there, numbers
too.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

import numpy as np

from idealrank._core import from_columns
from idealrank.arrays import Ints
from idealrank.data.formats.messages import quoted
from idealrank.data.formats.nested_plan import EACH, PLACE, QUEPID_BOOK, RowSpec, last_name
from idealrank.data.formats.source import Source
from idealrank.data.grades import UNGRADED
from idealrank.data.ids import could_be_numbers, present_ids
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.roles import ALIASES, KNOWN, PART_IDS, ChosenColumns, Roles, fold
from idealrank.errors import DataError, NoColumnError, listed, plural

Table = TypeVar("Table", Judgments, Results)

Places = Mapping[str, int]
"""The place of each column of a table by its folded name; of two columns with one name, the last."""


def check_columns(table: Source, columns: ChosenColumns) -> tuple[Source, ChosenColumns]:
    """Return a table of judgments and its chosen columns, as the checks of its columns leave them.

    Raises
    ------
    DataError
        If a check refuses the table.
    """
    places = {fold(name): place for place, name in enumerate(table.frame.names)}
    for check in CHECKS:
        if check.columns <= places.keys():
            table, columns = check.apply(table, columns, places)
    return table, columns


def _refuse_ungraded(table: Source, columns: ChosenColumns, places: Places) -> tuple[Source, ChosenColumns]:
    """Refuse the rows that `judge` writes where no answer was a grade: there is no column of grades then."""
    states = table.frame.column(places["state"]).to_list()
    if not ALIASES["grade"][0].isdisjoint(places) or not states or not set(states) <= UNGRADED.keys():
        return table, columns
    counts = Counter(UNGRADED[str(state)] for state in states)
    outcomes = ", ".join(f"{many:,} {word}" for word, many in counts.items())
    reason = table.frame.column(places["reason"]).to_list()[0] if "reason" in places else None
    why = f" ({_begin(str(reason))})" if reason else ""
    raise DataError(
        f"{table.name}: no grades: the model graded none of {plural(len(states), 'pair')}: {outcomes}, as in "
        f"{table.where(0)}{why}. Judge them with another prompt or model, or, where requests failed, once more."
    )


def _warn_of_unparsed_zeros(table: Source, columns: ChosenColumns, places: Places) -> tuple[Source, ChosenColumns]:
    """Warn of grades of 0 whose answer contains no 0, in the rows that UMBRELA writes.

    Source: castorini/umbrela, ``utils/common_utils.py``: an answer that no pattern matches becomes 0, and its flag is
    dropped. Its patterns read ``O: 10`` as 1, too.
    """
    answers, grades = (table.frame.column(places[name]).to_list() for name in ("prediction", "judgment"))
    rows = [
        row
        for row, (answer, grade) in enumerate(zip(answers, grades, strict=True))
        if isinstance(answer, str) and _is_zero(grade) and not re.search(_ZERO, answer)
    ]
    if not rows:
        return table, columns
    shown = quoted(_begin(str(answers[rows[0]])))
    warning = (
        f"{plural(len(rows), 'grade')} of 0 whose answer contains no 0, as {shown} in {table.where(rows[0])}: UMBRELA "
        "stores an answer that it cannot read as 0. Empty the judgment of these rows, or read the answers anew"
    )
    return replace(table, warnings=(*table.warnings, warning)), columns


_ZERO = r"(?<![\d.])0(?!\.?\d)"
_SHOWN = 60


def _is_zero(grade: object) -> bool:
    try:
        return grade is not None and float(str(grade)) == 0
    except ValueError:
        return False


def _begin(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"


def _take_model_as_rater(table: Source, columns: ChosenColumns, places: Places) -> tuple[Source, ChosenColumns]:
    """Take the column of the model as the rater where the table has what is written of a model that graded."""
    chosen = columns.get("rater") is not None or columns.get("system") is not None
    # Beside a rank or a score, the model is a system that searches.
    if chosen or not (ALIASES["rater"][0] | _RANKED).isdisjoint(places) or _OF_A_PROMPT.isdisjoint(places):
        return table, columns
    return table, {**columns, "rater": table.frame.names[places["model"]]}


_OF_A_PROMPT = frozenset({"prompt", "prompthash", "promptid", "promptversion", "reason", "explanation", "prediction"})
"""Names of columns, folded, beside which a model is one that was asked for grades, and not a system that searches."""

_RANKED = ALIASES["rank"][0] | {"score"}


def _mark_withheld(table: Source, columns: ChosenColumns, places: Places) -> tuple[Source, ChosenColumns]:
    """Put into a book of Quepid what a rater said in the place of a grade, as other tables have it.

    A pair that a rater could not judge, or put off, has no grade, and it is counted which. The columns of the flags are
    taken away: they are no grades.
    """
    if table.what != QUEPID_BOOK:
        return table, columns
    grades, unrateable, later, reasons = (table.frame.column(places[name]).to_list() for name in _OF_A_BOOK)
    words = [
        None if grade is not None else "later" if _is_set(put_off) else "cannot tell" if _is_set(flag) else None
        for grade, flag, put_off in zip(grades, unrateable, later, strict=True)
    ]
    failed = [
        word == "cannot tell" and str(reason or "").startswith(_BOOM)
        for word, reason in zip(words, reasons, strict=True)
    ]
    kept = {name: table.frame.column(place) for place, name in enumerate(table.frame.names) if name not in _FLAGS}
    if any(words):
        cells = [
            word if word is not None and not fails else None if grade is None else str(grade)
            for grade, word, fails in zip(grades, words, failed, strict=True)
        ]
        kept["grade"] = from_columns(["grade"], [cells]).column(0)
    if any(failed):
        kept["state"] = from_columns(["state"], [["failed" if fails else None for fails in failed]]).column(0)
    return replace(table, frame=from_columns(list(kept), list(kept.values()))), columns


_OF_A_BOOK = ("grade", "unrateable", "judgelater", "reason")
_FLAGS = ("unrateable", "judge_later")
_BOOM = "BOOM:"
"""How the explanation begins where Quepid's own language model did not answer: it is stored as unrateable.

Source: o19s/quepid, app/services/llm_service.rb.
"""


def _is_set(flag: object) -> bool:
    return flag is True or str(flag).lower() in {"true", "1", "t"}


class TableCheck(NamedTuple):
    """One oddity of judgments.

    Attributes
    ----------
    columns
        The folded names of the columns without which a table does not have it.
    apply
        Returns the table and the chosen columns as it leaves them, or raises a `DataError`.
    """

    columns: frozenset[str]
    apply: Callable[[Source, ChosenColumns, Places], tuple[Source, ChosenColumns]]


CHECKS = (
    TableCheck(frozenset({"model", "state"}), _refuse_ungraded),
    TableCheck(frozenset({"model", "prediction", "judgment"}), _warn_of_unparsed_zeros),
    TableCheck(frozenset({"model"}), _take_model_as_rater),
    TableCheck(frozenset(_OF_A_BOOK), _mark_withheld),  # the last one, since it moves columns
)
"""The checks of judgments, in their order."""


# A column called id that is not the document's: it counts the rows, or it is that of the question beside it.


def without_row_numbers(table: Source, roles: Roles, place: int) -> Roles:
    """Return the roles of a table in which a column called id that only tells rows apart has none.

    Parameters
    ----------
    place
        The place of that column, which is taken for the document's.

    Raises
    ------
    NoColumnError
        If both the column called id and another could be the document's, or it could be that of the question.
    """
    if not _is_unique(table, place):
        return roles
    parts, named = document_candidates(roles)
    if parts and not all(_is_unique(table, part) for part in parts):
        others = copy.copy(roles)
        others.taken = roles.taken | {place}
        return others
    if parts or (named and _is_increasing(table, place)):
        other = roles.names[(parts or named)[0]]
        ways = f"{roles.suggest_naming_as('doc', other)}, or {roles.suggest_naming_as('doc', roles.names[place])}"
        raise NoColumnError(
            f"{roles.source}: id is different in every row, so it may count the rows, and {other} may be the document. "
            f"{roles.columns}. Say which: {ways}."
        )
    _refuse_id_of_question(table, roles, place)
    return roles


def document_candidates(roles: Roles) -> tuple[list[int], list[int]]:
    """Return the columns that may be the document's beside one called id: by known names, and by others in id."""
    parts = [i for i, name in enumerate(roles.names) if fold(name) in PART_IDS]
    named = [i for i, name in enumerate(roles.names) if fold(name).endswith("id") and fold(name) not in KNOWN]
    return parts, named


def _is_unique(table: Source, place: int) -> bool:
    """Whether every one of several rows has another value in a column."""
    rows = table.frame.rows
    return rows > 1 and table.frame.nested(place) is None and len(table.frame.column(place).codes()[1]) == rows


def _is_increasing(table: Source, place: int) -> bool:
    """Whether a column contains whole numbers that only grow."""
    column = table.frame.column(place)
    if not could_be_numbers(column, "id"):
        return False
    numbers = column.number("id", True).floats()
    return bool((np.diff(numbers) > 0).all() and (numbers % 1 == 0).all())


def _refuse_id_of_question(table: Source, roles: Roles, place: int) -> None:
    """Ask whether the id is the document's where each question has one row, and a list was not read."""
    text = roles.find("text") if roles.find("query") is None else None
    if text is None or not roles.unread or not roles.unread.lists or not _is_unique(table, text):
        return
    lists = roles.unread.lists
    raise NoColumnError(
        f"{roles.source}: every row has another {roles.names[text]}, so {roles.names[place]} may be its own id, and "
        f"the list {lists[0]}, which was not read, may contain the documents. {roles.columns}. Say which: "
        f"{roles.suggest_naming_as('doc', lists[0])}, or {roles.suggest_naming_as('doc', roles.names[place])}."
    )


# Objects in a query's list that do not name their document: not the same as a query without documents.


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
    if not _QUERY_NAMES & {fold(name) for name in shared}:
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


_QUERY_NAMES = frozenset({"query"}).union(*ALIASES["query"], *ALIASES["text"])
