"""A log of clicks: who was shown which document at which position, and whether they clicked on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from idealrank._core import BadRow, Column, from_columns, read_json
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.formats.reader import read_events
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text, natural_order
from idealrank.data.queries import read_queries
from idealrank.data.roles import ALIASES, fold
from idealrank.errors import DataError, NoColumnError, UsageError, listed, nearest, option, plural, some, unknown
from idealrank.labels.times import LATEST, impossible, impossible_time, is_number, parts_of_second, second_of

SHOWN = ("view", "impression")
"""Actions that say that a document was shown: RFCs say view, OpenSearch's code counts impression."""

CLICK = ("click", "product_click", "result_click")
"""Actions that say that a document was clicked."""

ROLES = ("query", "doc", "position", "clicked", "session", "action", "time")
"""Columns that may be named."""

_NAMES: dict[str, tuple[frozenset[str], ...]] = {
    "search": ALIASES["query"],
    "query": ALIASES["text"],
    "doc": (frozenset({"eventattributesobjectobjectid", "objectid"}), *ALIASES["doc"]),
    "position": (frozenset({"eventattributespositionordinal"}), *ALIASES["rank"]),
    "clicked": (frozenset({"clicked", "click", "isclick", "isclicked", "wasclicked"}), frozenset({"clicks"})),
    "session": (
        frozenset({"sessionid", "session"}),
        frozenset({"clientid", "client"}),
        frozenset({"userid", "user", "visitorid", "visitor"}),
    ),
    "action": (frozenset({"actionname", "action"}), frozenset({"eventtype", "eventname", "event"})),
    "time": (frozenset({"timestamp", "time", "eventtime", "ts"}),),
}
"""Names of columns, folded, those taken first in front."""


@dataclass(frozen=True, eq=False)
class ClickLog:
    """What was shown and what was clicked: one row per session, pair of query and document, and position.

    Rows of a session that repeat another are left out, as are clicks after the first on a pair in a session: a person
    counts once. Nothing depends on the order in which rows were read.

    Attributes
    ----------
    name
        Where it was read from.
    queries, docs
        The ids, in natural order.
    query, doc
        (A,) the places of the query and the document of each pair, in this order.
    positions
        The positions there are, ascending.
    pair, position
        (N,) the number of each row's pair, and the place of its position.
    clicked
        (N,) whether it was clicked.
    search
        (N,) the number of the list of results each row is in; None if the log does not say.
    rows
        How many rows were read.
    notes
        What was left out, and how often, as sentences.
    by_search
        Whether queries are called by the ids of searches, for want of their texts.
    """

    name: str
    queries: Sequence[str]
    docs: Sequence[str]
    query: Ints
    doc: Ints
    positions: Ints
    pair: Ints
    position: Ints
    clicked: Mask
    search: Ints | None
    rows: int
    notes: tuple[str, ...]
    by_search: bool


def read_click_log(
    source: Any, *, shown: str | None = None, queries: Any = None, searches: bool = False, **columns: str | None
) -> ClickLog:
    """Read a log: a row per impression that says whether it was clicked, or a row per event.

    Parameters
    ----------
    source
        A path or an object in memory: UBI events, or a table.
    shown
        The action of events that says that a document was shown; None: view or impression, whichever is there.
    queries
        The UBI queries, or a table of queries: what the ids of searches asked for.
    searches
        Whether rows must say which list of results they are in.
    **columns
        The names of columns by role, as in `ROLES`.

    Raises
    ------
    DataError
        If columns are missing, or what they contain cannot be so; the message gives the line.
    UsageError
        If events say in two ways that a document was shown, and `shown` chooses none.
    """
    for name in columns:
        if name not in ROLES:
            raise unknown("keyword", name, [*ROLES, "shown", "queries"])
    table = _Table(_with_attributes(read_events(source)), {role: name for role, name in columns.items() if name})
    events = table.find("clicked") is None and table.find("action") is not None
    if not events and table.find("clicked") is None:
        raise table.missing("clicked", "action")
    texts = None if queries is None else read_queries(queries, repeated=True)
    notes: list[str] = []
    read = [(_read_events if events else _read_impressions)(table, shown, texts, notes)]
    return _distinct(table, read.pop(), searches, notes)


_EMPTY = "\x00"
"""A column without values, which no log has: it keeps the number of rows where all others were let go."""

# The columns of a table: each is read once and let go, since ten million rows of text are a gigabyte.


class _Table:
    def __init__(self, source: Source, chosen: Mapping[str, str]) -> None:
        self.source = source
        self.names = list(source.frame.names)
        self.rows = source.frame.rows
        self._left = list(self.names)
        self._found = {role: self._chosen(role, name) for role, name in chosen.items()}

    def _chosen(self, role: str, name: str) -> str:
        alike = [name] if name in self.names else [each for each in self.names if fold(each) == fold(name)]
        if len(alike) != 1:
            raise NoColumnError(
                f"{self.source.name}: no column called {name!r} for the {role}.{nearest(name, self.names)} "
                f"Found: {listed(self.names, 20)}."
            )
        return alike[0]

    def is_named(self, role: str) -> bool:
        """Whether the column of a role was named."""
        return role in self._found

    def find(self, role: str) -> str | None:
        """Return the column of a role: the one named, else the first of its names; None if there is none."""
        if role in self._found:
            return self._found[role]
        taken = set(self._found.values())
        for tier in _NAMES[role]:
            found = [name for name in self.names if fold(name) in tier and name not in taken and self._has_values(name)]
            if len(found) > 1:
                raise NoColumnError(
                    f"{self.source.name}: {some(found)} could each be the {role}. Say which: {_way(role)}."
                )
            if found:
                return found[0]
        return None

    def _has_values(self, name: str) -> bool:
        # The fields of UBI are all columns, whether any event has them or not.
        if name not in self._left or not self.source.what:
            return True
        return self.source.frame.column(self.source.frame.names.index(name)).missing < self.rows

    def required(self, role: str) -> str:
        """Return the column of a role that must be there."""
        found = self.find(role)
        if found is None:
            raise self.missing(role)
        return found

    def missing(self, *roles: str) -> NoColumnError:
        """Build the error for roles without a column."""
        ways = " or ".join(map(_way, roles))
        return NoColumnError(
            f"{self.source.name}: no {' or '.join(roles)} column. Found: {listed(self.names, 20)}. A log of clicks has "
            "query, doc, position and clicked in a row per impression, or query, doc, position and action in a row "
            f"per event. Name it: {ways}."
        )

    def codes(self, name: str, keep: bool = False) -> tuple[Ints, Column]:
        """(N,) a number for each value, −1 where it is missing, and the distinct values; the column is let go."""
        code, distinct = self.source.ids(self.source.frame.names.index(name)).codes()
        small = code.astype(np.int32)
        if not keep:
            self.release(name)
        return cast("Ints", small), distinct

    def release(self, name: str) -> None:
        """Let a column go; the numbers of lines stay."""
        self._left = [each for each in self._left if each != name]
        self.source = replace(self.source, frame=self.source.frame.padded(self._left or [_EMPTY]), tables={})

    def values(self, name: str, role: str, small: bool = False) -> Floats:
        """(N,) the numbers of a column with few different ones, in half of the memory if small; NaN for none."""
        code, distinct = self.codes(name)
        try:
            numbers = distinct.number(name, True).floats()
        except BadRow as bad:
            row = int(np.flatnonzero(code == bad.args[1])[0])
            raise DataError(f"{self.source.place(row)}: {role} {bad.args[3]!r} is not a number.") from None
        found = np.append(numbers, np.nan).astype(np.float32 if small else np.float64)[code]
        return cast("Floats", found)

    def place(self, row: int) -> str:
        """Say where a row is."""
        return self.source.place(row)


def _way(role: str) -> str:
    return option(role, flag=f"{role}-col")


def _with_attributes(source: Source) -> Source:
    """Return a table whose column of UBI's nested attributes is the columns of what it contains."""
    names = list(source.frame.names)
    place = next((i for i, name in enumerate(names) if fold(name) == "eventattributes"), None)
    if place is None or source.frame.nested(place) is None:
        return source
    texts = [text or "{}" for text in source.frame.column(place).to_list()]
    paths = [
        ("object_id", (".object", ".object_id")), ("object_id", (".object_id",)),
        ("position", (".position", ".ordinal")), ("position", (".position",)),
    ]  # fmt: skip
    ((_, inner),) = read_json("\n".join(texts).encode(), [("events", (), False, paths)], True)
    kept = [name for name in names if name not in ("object_id", "position") and name != names[place]]
    columns = [source.frame.column(names.index(name)) for name in kept]
    columns += [inner.column(inner.names.index(name)) for name in ("object_id", "position")]
    return replace(source, frame=from_columns([*kept, "object_id", "position"], columns), what="UBI events")


# The rows, as numbers.


class _Rows(NamedTuple):
    """Impressions: codes of what they are of, −1 where it is missing; names of queries and documents by code."""

    query: Ints
    queries: list[str]
    doc: Ints
    docs: list[str]
    position: Floats
    clicked: Mask
    session: Ints | None
    search: Ints | None
    by_search: bool
    row: Ints | None = None
    """(N,) which row of the table each is; None: they are all of them."""


def _read_impressions(table: _Table, shown: str | None, texts: Any, notes: list[str]) -> _Rows:
    """Read a table with a row per impression."""
    if shown is not None:
        raise UsageError(f"{option('shown', shown)}: each row of {table.source.name} is an impression. Leave it out.")
    query_column = table.find("query") if table.is_named("query") else table.find("search") or table.find("query")
    if query_column is None:
        raise table.missing("query")
    doc_column, position_column = table.required("doc"), table.required("position")
    session_column, clicked_column = table.find("session"), table.required("clicked")
    if (time := table.find("time")) is not None:
        _refuse_times(table, time)
    # The small columns first: each text is then read beside fewer others.
    clicked = _read_clicked(table, clicked_column)
    position = table.values(position_column, "position", small=True)
    _refuse_positions(table, position)
    code, distinct = table.codes(query_column)
    queries = _texts_of(_id_texts(distinct), texts)
    docs, doc_names = table.codes(doc_column)
    session = table.codes(session_column)[0] if session_column is not None else None
    return _Rows(code, queries, docs, _id_texts(doc_names), position, clicked, session, None, False)


def _id_texts(distinct: Column) -> list[str]:
    return [id_text(name) for name in distinct.to_list()]


def _texts_of(ids: list[str], texts: Any) -> list[str]:
    """Return what searches asked for, by their ids; "" where no table of queries says so."""
    if texts is None:
        return ids
    known = texts.attributes.get(texts.text, {})
    if not known:
        raise DataError(f"{texts.name}: no column of texts. Give a table with the text of each query, or its id.")
    return [str(known[each]) if known.get(each) is not None else "" for each in ids]


_YES, _NO = frozenset({"true", "yes", "t", "y"}), frozenset({"false", "no", "f", "n"})


def _read_clicked(table: _Table, name: str) -> Mask:
    """(N,) whether rows say that there was a click: numbers or words; nothing where no row says no."""
    index = table.source.frame.names.index(name)
    code, distinct = table.source.frame.column(index).codes()
    table.release(name)
    clicked = []
    for place, value in enumerate(distinct.to_list()):
        is_click = _is_click(value)
        if is_click is None:
            where = table.place(int(np.flatnonzero(code == place)[0]))
            raise DataError(
                f"{where}: {name} {str(value)!r}. Write 1 where there was a click and 0 where there was none."
            )
        clicked.append(is_click)
    missing = np.flatnonzero(code < 0)
    if len(missing) and not all(clicked):
        raise DataError(
            f"{table.place(int(missing[0]))}: {name} is empty, in {plural(len(missing), 'row')}. Write 0 where there "
            "was no click, as in others."
        )
    found: Mask = np.array([*clicked, False], np.bool_)[code]
    return found


def _is_click(value: Any) -> bool | None:
    if isinstance(value, str) and (word := value.strip().lower()) in _YES | _NO:
        return word in _YES
    try:
        number = float(value)
    except ValueError:
        return None
    return number > 0 if 0 <= number < np.inf else None


def _refuse_positions(table: _Table, position: Floats, rows: Ints | None = None) -> None:
    """Refuse positions that are no whole numbers from 1 up."""
    fraction = (position != np.floor(position)) & ~np.isnan(position)
    wrong = np.flatnonzero((position < 1) | fraction | np.isinf(position))
    if len(wrong):
        where = table.place(int(wrong[0]) if rows is None else int(rows[wrong[0]]))
        many = f" ({plural(len(wrong), 'row')} in all)" if len(wrong) > 1 else ""
        raise DataError(
            f"{where}: position {position[wrong[0]]:g}{many}. Positions are whole numbers from 1 up: if yours count "
            "from 0, add 1 to all of them."
        )


# Events: a row for each impression, and one for each click.


def _read_events(table: _Table, shown: str | None, texts: Any, notes: list[str]) -> _Rows:
    actions, words = table.codes(table.required("action"))
    names = _id_texts(words)
    seen, clicks = _actions(table, names, shown)
    is_shown, is_click = np.isin(actions, seen), np.isin(actions, clicks)
    if not is_shown.any() or not is_click.any():
        what = "click" if is_shown.any() else "impression"
        raise DataError(f"{table.source.name}: no {what}. Give the events of a log in which there are some.")
    search_column, query_column = table.find("search"), table.find("query")
    if search_column is None and query_column is None:
        raise table.missing("query")
    doc_column, position_column = table.required("doc"), table.required("position")
    session_column, time_column = table.find("session"), table.find("time")
    moments = None if time_column is None else _Times(table, time_column)
    query_column = search_column if texts is not None or query_column is None else query_column
    if query_column is None:
        raise table.missing("query")
    code, distinct = table.codes(query_column, keep=query_column == search_column)
    queries = _texts_of(_id_texts(distinct), texts)
    ids = code if query_column == search_column else None
    if ids is None and search_column is not None:
        ids, _ = table.codes(search_column)
    position = table.values(position_column, "position", small=True)
    docs, doc_names = table.codes(doc_column)
    session = table.codes(session_column)[0] if session_column is not None else None
    search = _searches(session, code if ids is None else ids)
    empty = np.array([not name for name in queries] + [True], np.bool_)
    there = ~empty[code] & (docs >= 0) & (search >= 0)
    rows = np.flatnonzero(is_shown & there & ~np.isnan(position))
    lost = is_shown & ~(there & ~np.isnan(position))
    _note(notes, table, lost, "impression", "without a query, a document or a position")
    _refuse_positions(table, position[rows], rows)
    hits = np.flatnonzero(is_click & there)
    _note(notes, table, is_click & ~there, "click", "without a query or a document")
    clicked = _match(table, rows, hits, search * len(doc_names) + docs, position, moments, notes)
    by_search = texts is None and query_column == search_column
    return _Rows(
        code[rows], queries, docs[rows], _id_texts(doc_names), position[rows], clicked,
        None if session is None else session[rows], search[rows], by_search, rows,
    )  # fmt: skip


def _searches(session: Ints | None, ids: Ints) -> Ints:
    """(N,) a number for each list of results; −1 where it has no id."""
    search = ids.astype(np.int64)
    if session is not None:
        search += (session.astype(np.int64) + 1) * (int(ids.max(initial=0)) + 1)
    return np.where(ids < 0, -1, _numbered(search)[1].astype(np.int64))


def _note(notes: list[str], table: _Table, which: Mask, noun: str, why: str) -> None:
    """Say how many rows are left out, and where the first is."""
    rows = np.flatnonzero(which)
    if len(rows):
        verb = "is" if len(rows) == 1 else "are"
        first = "" if len(rows) == 1 else "the first: "
        notes.append(f"{plural(len(rows), noun)} {why} {verb} left out ({first}{table.place(int(rows[0]))}).")


def _actions(table: _Table, names: Sequence[str], shown: str | None) -> tuple[list[int], list[int]]:
    """Return the codes of the actions that are impressions, and of those that are clicks."""
    folded = [name.strip().lower() for name in names]
    if shown is not None and shown.lower() not in folded:
        raise UsageError(
            f"{option('shown', shown)}: no such action.{nearest(shown, names)} Found: {listed(names, 20)}."
        )
    found = [name for name in SHOWN if name in folded] if shown is None else [shown.lower()]
    if len(found) > 1:
        raise UsageError(
            f"{table.source.name}: both view and impression say that a document was shown. Which one counts is a "
            f"decision, since one may be of every result returned and the other of those on the screen: "
            f"{option('shown', 'impression')} or {option('shown', 'view')}."
        )
    clicks = [name for name in CLICK if name in folded]
    if not found or not clicks:
        what = "was shown (view or impression)" if not found else "was clicked (click)"
        way = f" Name the action that says it: {option('shown')}." if not found else ""
        why = " Clicks without impressions do not say how often a document was passed over." if not found else ""
        raise DataError(
            f"{table.source.name}: no event says that a document {what}. Found: {listed(names, 20)}.{why}{way}"
        )
    return [folded.index(found[0])], [place for place, name in enumerate(folded) if name in clicks]


def _match(
    table: _Table, rows: Ints, hits: Ints, key: Ints, position: Floats, moments: _Times | None, notes: list[str]
) -> Mask:
    """(R,) which impressions were clicked: those of its search and document, at the click's position if it has one.

    Parameters
    ----------
    rows, hits
        The rows of impressions, and those of clicks.
    key
        (N,) a number for each search and document.
    """
    order = np.lexsort((rows, position[rows], key[rows]))
    keys = key[rows][order]
    at = np.searchsorted(keys, key[hits])
    alone = keys[np.minimum(at, len(keys) - 1)] != key[hits]
    lost = np.zeros(len(key), np.bool_)
    lost[hits[alone]] = True
    _note(notes, table, lost, "click", "without an impression")
    hits, at = hits[~alone], at[~alone]
    if moments is not None and len(hits):
        early = moments.earlier(hits, rows, key)
        lost[:] = False
        lost[hits[early]] = True
        _note(notes, table, lost, "click", "earlier than the impression of its document")
        hits, at = hits[~early], at[~early]
    # Where the click names no position, or one at which its document was not shown, the highest impression has it.
    places = np.unique(position[rows])
    exact = key * (len(places) + 1) + np.searchsorted(places, position)
    found = np.searchsorted(exact[rows][order], exact[hits])
    inside = np.minimum(found, len(order) - 1)
    same = (exact[rows][order][inside] == exact[hits]) & (position[rows][order][inside] == position[hits])
    clicked = np.zeros(len(rows), np.bool_)
    clicked[order[np.where(same, inside, at)]] = True
    return clicked


# Times: they only say whether a click can be one on an impression.


class _Times:
    def __init__(self, table: _Table, name: str) -> None:
        self._table, self._name = table, name
        self._column = table.source.frame.column(table.source.frame.names.index(name))
        self._numbers = _refuse_times(table, name)
        table.release(name)

    def earlier(self, hits: Ints, rows: Ints, key: Ints) -> Mask:
        """(H,) which clicks are earlier than any impression of their key."""
        known, place = np.unique(key[hits], return_inverse=True)
        at = np.minimum(np.searchsorted(known, key[rows]), len(known) - 1)
        beside = known[at] == key[rows]
        first = np.full(len(known), np.inf)
        seen = self._of(rows[beside])
        np.minimum.at(first, at[beside][~np.isnan(seen)], seen[~np.isnan(seen)])
        before: Mask = (self._of(hits) < first[place]) & np.isfinite(first[place])
        return before

    def _of(self, rows: Ints) -> Floats:
        """(R,) seconds, or whatever the numbers count; NaN where there is no time."""
        if self._numbers is not None:
            return self._numbers[rows]
        return np.array(
            [self._second(row, text) for row, text in zip(rows.tolist(), self._column.to_list(rows), strict=True)]
        )

    def _second(self, row: int, text: Any) -> float:
        if text is None:
            return np.nan
        second = second_of(str(text))
        if second is None:
            which = "is a number, and other times are dates" if is_number(text) else "is no time"
            raise DataError(
                f"{self._table.place(row)}: {self._name} {str(text)!r} {which}. Write all times as "
                "2026-01-31T12:00:00Z, or all as seconds or milliseconds since 1970."
            )
        if not 0 <= second <= LATEST:
            raise impossible_time(self._table.place(row), self._name, text, 1, _WAY)
        return second


def _refuse_times(table: _Table, name: str) -> Floats | None:
    """(N,) times that are numbers, none of which is negative or past 2100; None for other times."""
    column = table.source.frame.column(table.source.frame.names.index(name))
    try:
        numbers = column.number(name, True).floats()
    except BadRow:
        return None
    if not np.isnan(numbers).all():
        wrong = impossible(numbers / parts_of_second(numbers))
        if wrong:
            raise impossible_time(table.place(wrong[0]), name, f"{numbers[wrong[0]]:.0f}", len(wrong), _WAY)
    return numbers


_WAY = (
    ", in the unit of the other times. Mend it, or leave the column of times out: it only tells which clicks came "
    "before their impression."
)


# One voice per person.


def _distinct(table: _Table, rows: _Rows, searches: bool, notes: list[str]) -> ClickLog:
    """Number pairs and positions in an order of their own, and leave out what a session repeats."""
    queries, query_place = _in_order(rows.queries)
    docs, doc_place = _in_order(rows.docs)
    query, doc = query_place[rows.query], doc_place[rows.doc]
    session, search, clicked, position, by_search = (
        rows.session, rows.search, rows.clicked, rows.position, rows.by_search,
    )  # fmt: skip
    is_whole = rows.row is None
    del rows  # of ten million rows, each array of which is freed when it is done with
    usable = (query >= 0) & (doc >= 0) & ~np.isnan(position)
    if is_whole:
        _note(notes, table, ~usable, "row", "without a query, a document or a position")
    if not usable.all():
        query, doc, position, clicked = query[usable], doc[usable], position[usable], clicked[usable]
        session, search = (None if each is None else each[usable] for each in (session, search))
    if not len(query):
        raise DataError(f"{table.source.name}: no impression is left.{_lost(notes)}")
    key = query.astype(np.int64)
    key *= len(docs)
    key += doc
    del query, doc, usable
    pairs, pair = _numbered(key)
    del key
    positions, place = _numbered(position.astype(np.int64))
    del position
    if session is not None:
        kept = _first_voices(session, pair, place, clicked, len(pairs), len(positions))
        if len(kept) < len(pair):
            notes.append(
                f"{plural(len(pair) - len(kept), 'impression')} that the same session repeats, or that follow its "
                "first click on a document, are left out."
            )
            pair, place, clicked, session = pair[kept], place[kept], clicked[kept], session[kept]
            search = None if search is None else search[kept]
        del kept
    if not clicked.any():
        raise DataError(
            f"{table.source.name}: no click in {plural(len(clicked), 'impression')}, so there is nothing to learn."
            f"{_lost(notes)}"
        )
    if searches and search is None and session is not None:
        search = (session.astype(np.int64) + 1) * len(queries) + (pairs // len(docs))[pair]
    del session
    numbered = None if search is None or not searches else _numbered(search)[1]
    return ClickLog(
        table.source.name, queries, docs, pairs // len(docs), pairs % len(docs), positions, pair, place, clicked,
        numbered, table.rows, tuple(notes), by_search,
    )  # fmt: skip


def _lost(notes: Sequence[str]) -> str:
    """Say what was left out before nothing was left."""
    return "".join(f" {note}" for note in notes)


def _in_order(names: Sequence[str]) -> tuple[list[str], Ints]:
    """Return names in natural order, and the place of each code; −1 for no name, and for the code −1."""
    known = natural_order(sorted(set(filter(None, names))))[1]
    place = {name: i for i, name in enumerate(known)}
    return known, np.array([*(place.get(name, -1) for name in names), -1], np.int32)


SMALL = 1 << 24
"""Largest number of which there is room to count each."""


def _numbered(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values in order, and the place of each: `np.unique` in half of its memory."""
    if len(values) and values.min() >= 0 and values.max() < SMALL:
        known = np.flatnonzero(np.bincount(values))
        place = np.zeros(SMALL if not len(known) else int(known[-1]) + 1, np.int32)
        place[known] = np.arange(len(known), dtype=np.int32)
        return known.astype(np.int64), cast("Ints", place[values])
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    is_new = np.ones(len(values), np.bool_)
    np.not_equal(in_order[1:], in_order[:-1], out=is_new[1:])
    known = in_order[is_new]
    del in_order
    place = np.empty(len(values), np.int32)
    place[order] = np.cumsum(is_new, dtype=np.int32) - 1
    return known.astype(np.int64), cast("Ints", place)


def _first_voices(session: Ints, pair: Ints, place: Ints, clicked: Mask, pairs: int, positions: int) -> Ints:
    """Return the rows that count: of a session each pair once at a position, and its first click on a pair.

    First is highest, whatever the order of rows. Rows without a session are each of their own.
    """
    person = session.astype(np.int64) * pairs + pair
    lone = session < 0
    person[lone] = -1 - np.flatnonzero(lone)
    # Within a person clicks come first, then by position.
    order = np.argsort((person * 2 + ~clicked) * positions + place, kind="stable")
    person, place, clicked = person[order], place[order], clicked[order]
    new_person = np.diff(person, prepend=person[0] - 1) != 0
    kept = np.where(clicked, new_person, new_person | (np.diff(place, prepend=-1) != 0))
    # Of a pair that was clicked, a position without a click may be one that has a click in another row.
    has_click = clicked[np.maximum.accumulate(np.where(new_person, np.arange(len(order), dtype=np.int32), 0))]
    silent = np.flatnonzero(kept & ~clicked & has_click)
    where = person * positions + place
    kept[silent[np.isin(where[silent], where[clicked])]] = False
    rows: Ints = order[kept]
    return rows
