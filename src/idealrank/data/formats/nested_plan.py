"""Where the rows of a nested document lie: what the core follows through JSON and through Python objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Path = tuple[str, ...]
"""Steps into a document: ``.name`` into an object, ``*`` into each of its values, ``[]`` into each element of a list.

The core follows them: `rust/src/read/json/plan.rs`.

At the end of a path ``@key`` is the key of the last ``*``, ``@place`` the place, from 1, in the last ``[]``, and
``@local`` what stands behind the last ``::`` of a text, ``@null`` says "no answer" where the value is null, ``@there``
is true where there is any other value; a step ``=text`` is that text.
"""

Tables = dict[str, dict[str, list[Any]]]
"""The columns of each table, by name."""

EACH, ANY, KEY, PLACE, LOCAL, NULL, THERE = "[]", "*", "@key", "@place", "@local", "@null", "@there"

_STEP = r"\[\]|\*|@key|@place|@local|@null|@there|[^.\[\]*@]+"


def parse_path(text: str) -> Path:
    """Read a path from the root of a document: names of fields with dots between, and steps that are no names.

    ``[]`` goes to each item of a list, ``*`` to each value of an object; `Path` says what may stand at the end. In
    `row_spec` a path that begins with ``+`` goes on from that of the rows.

    Examples
    --------
    >>> parse_path("requests[].ratings[]._id")
    ('.requests', '[]', '.ratings', '[]', '._id')
    >>> parse_path("details.*@key")
    ('.details', '*', '@key')
    """
    steps = re.findall(_STEP, text)
    return tuple(step if step in (EACH, ANY, KEY, PLACE, LOCAL, NULL, THERE) else f".{step}" for step in steps)


def path_text(steps: Path) -> str:
    """Write a path as text.

    Examples
    --------
    >>> path_text(parse_path("details.*.hits[]._id"))
    'details.*.hits[]._id'
    """
    return "".join(steps).removeprefix(".").replace("*", ".*").removeprefix(".") or "each document"


def last_name(steps: Path) -> str:
    """Return the last name on a path.

    Examples
    --------
    >>> last_name(parse_path("requests[].ratings[]"))
    'ratings'
    """
    return next((step[1:] for step in reversed(steps) if step.startswith(".")), "")


class RowSpec(NamedTuple):
    """One kind of rows.

    Attributes
    ----------
    table
        judgments, results, queries or documents; "" for rows that may be any of them, "dicts" for those of a
        dict of dicts with numbers.
    path
        Where each row lies.
    columns
        The path of each cell; of two paths for one column, the first that has a value counts.
    further
        Whether the other plain values of a row are columns, too.
    """

    table: str
    path: Path
    columns: tuple[tuple[str, Path], ...]
    further: bool = False


def row_spec(table: str, place: str, further: bool = False, /, **columns: str | tuple[str, ...]) -> RowSpec:
    """Write down one kind of rows; the path of a column begins with ``+`` where it goes on from the row's own.

    Examples
    --------
    >>> row_spec("judgments", "requests[].ratings[]", query_id="requests[].id", grade="+.rating").columns[1]
    ('grade', ('.requests', '[]', '.ratings', '[]', '.rating'))
    """
    places = [(name, one) for name, many in columns.items() for one in ((many,) if isinstance(many, str) else many)]
    whole = ((name, one if one[0] != "+" else place + one[1:]) for name, one in places)
    return RowSpec(
        table, parse_path(place), tuple((name, _constant(one) or parse_path(one)) for name, one in whole), further
    )


def _constant(text: str) -> Path:
    return (text,) if text.startswith("=") else ()


AFTER_FILE = "it does not say for which query; named after the file: "
NUMBERED = "it does not name its queries, so they are numbered from 1 in their order"
"""What is noted of answers that do not say which query they answer."""

UBI = "UBI queries"
"""What a file of queries that User Behavior Insights logged is."""

OUTER = "the outer names are systems"
"""What is noted where the keys around the queries are taken for systems."""

QUEPID_BOOK = "a Quepid book"
"""What a book of Quepid is called: the plan of such a document, its reading and its writing know it by that."""


def is_after_file(note: str) -> bool:
    """Whether a note says that the query of an answer is called after its file."""
    return note.startswith(AFTER_FILE)


@dataclass(frozen=True)
class NestedPlan:
    """What a document is, and where its rows lie.

    Attributes
    ----------
    what
        The document with its article, as in "an Elasticsearch search response".
    notes
        What a reader should know about how it was read.
    build
        Makes the tables out of the whole documents, where rows of one list belong to each item of another.
    system
        What it calls the one system whose results it contains; "" where it does not say.
    ask
        How to ask the engine for the ids of its results; "" for documents that are no answers of an engine.
    lists
        The lists beside the rows that are not read.
    texts
        What beside the rows contains texts by its neighbours, as the contexts of an answer do.
    doubtful
        The list that the rows are in, where its name does not say whether its documents are relevant or returned.
    query
        The one query whose answer it is, by its own word, else after its file; "" for other documents.
    """

    what: str
    rows: tuple[RowSpec, ...]
    notes: tuple[str, ...] = ()
    build: Callable[[Sequence[Any]], Tables] | None = None
    system: str = ""
    ask: str = ""
    lists: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    doubtful: str = ""
    query: str = ""

    @property
    def for_core(self) -> list[tuple[str, Path, bool, tuple[tuple[str, Path], ...]]]:
        """The rows as the core takes them."""
        return [(one.table, one.path, one.further, one.columns) for one in self.rows]

    @property
    def shared_columns(self) -> frozenset[str]:
        """The columns that the documents of a list share, such as its query's topic or the file's version.

        They grade none of them; and where they would grade all, the list says so by its name.
        """
        return frozenset(
            name
            for one in self.rows
            if one.table in ("judgments", "") and one.path[-1:] == (EACH,)
            for name, place in one.columns
            if place[: len(one.path)] != one.path
        )

    @property
    def is_of_one_query(self) -> bool:
        """Whether it is the answer to a query that it does not name."""
        return any(place[0].startswith("=") for one in self.rows for name, place in one.columns if name == "query_id")

    @property
    def is_in_order(self) -> bool:
        """Whether documents are numbered, so that they are read one after the other."""
        return any(place == (PLACE,) for one in self.rows for _, place in one.columns)

    @property
    def tables(self) -> frozenset[str]:
        """The kinds of tables in it."""
        return frozenset(one.table for one in self.rows) or frozenset({"judgments"})
