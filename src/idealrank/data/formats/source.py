"""A table that was read: its frame, and its name in messages."""

from __future__ import annotations

import functools
import itertools
import os
import re
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar

from idealrank._core import BadInput, BadRow, Column, Frame, from_columns
from idealrank.data.formats.head import is_number
from idealrank.data.formats.messages import DISTINCT, bad_cell, bad_input, decimal_points, may_be_thousands, quoted
from idealrank.data.formats.nested_plan import EACH, NestedPlan, last_name
from idealrank.data.roles import KNOWN, fold
from idealrank.errors import NOBODY_JUDGED, DataError, UsageError, either, listed, option, plural, quoted_option

if TYPE_CHECKING:
    from idealrank.data.formats.objects import Unfit

T = TypeVar("T")

_POINTED = r"\s*[-+]?\d{1,3}(\.\d{3})+,\d+\s*"
"""A number with points between thousands and a decimal comma."""

_VECTOR = r"\[\s*-?\d*\.\d"
"""The beginning of a list of fractions."""

_ORDER = {
    "judgments": f"Give judgments first, then results. {NOBODY_JUDGED}",
    "results": "Give judgments first, then results.",
    "queries": "Give a table with one row per query.",
    "documents": "Give a table with one row per document.",
}


# The file a table was read from, and whether it is still the same.


BESIDE = "replay"
"""The folder beside results for what belongs to them."""


@dataclass(frozen=True)
class Origin:
    """A file as it was when it was read.

    Attributes
    ----------
    path
        Its absolute path, which does not depend on the working directory.
    size, changed
        Its size in bytes, and when it last changed, in nanoseconds.
    """

    path: str
    size: int
    changed: int

    @classmethod
    def of(cls, path: str) -> Origin:
        """Record the current state of a file."""
        now = os.stat(path)
        return cls(os.path.abspath(path), now.st_size, now.st_mtime_ns)

    @property
    def beside(self) -> str:
        """The folder beside it for what belongs to results."""
        return os.path.join(os.path.dirname(self.path), BESIDE)

    def sha256(self) -> str | None:
        """Return the SHA-256 of the file's bytes; None if it has changed since it was read."""
        import hashlib

        try:
            if Origin.of(self.path) != self:
                return None
            with open(self.path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return None


@dataclass(frozen=True, eq=False)
class Source:
    """A frame that was read, and its name in messages.

    Attributes
    ----------
    unfit
        For each column of Python objects, the first value that is neither text nor a number.
    origin
        The file it was read from; None if it was not a file.
    what
        What a document with tables is, with its article; "" for a plain table.
    tables
        The tables of a document by kind, the frame among them; none for a plain table.
    notes
        What a reader should know about how it was read.
    headerless_form
        The name of the form of a file without column names that is not simply TREC text; "" for others.
    row_places
        For each table of lists that became rows, the row or line of the input that each row came from.
    unfit_by_table
        For each table of lists that became rows, its `unfit`.
    system
        What a document calls the one system whose results it contains; "" where it does not say.
    locate_row
        Says where in its files a row is, for a table of several files, and for rows that were copied from another.
    plan
        Where the rows of a document without a tool lay; None for others.
    is_part
        Whether others read the other rows of its file, so that what all rows have in common is not known here.
    query_columns
        The columns that name the query together, where there are several; the ids of the last are those of all.
    decimal_commas
        The columns of numbers with decimal commas that were read so far, by name.
    warnings
        What a reader must know before any number, each as a sentence after the name of the table.
    delimiter
        The separator of delimited text, where it is known.
    digest
        The SHA-256 of the bytes of its file, where the file is not at hand any more; "" otherwise.
    respelled
        By name of the columns of ids that were read so far: how many ids are spelled in several ways, and two ways.
    """

    joined_by_text: ClassVar[bool] = False
    """Whether its queries are called as another table calls them, found by their texts."""

    name: str
    frame: Frame
    unfit: Mapping[str, Unfit] = field(default_factory=dict)
    origin: Origin | None = None
    what: str = ""
    tables: Mapping[str, Frame] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    headerless_form: str = ""
    row_places: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unfit_by_table: Mapping[str, Mapping[str, Unfit]] = field(default_factory=dict)
    system: str = ""
    locate_row: Callable[[int], str] | None = None
    plan: NestedPlan | None = None
    is_part: bool = False
    query_columns: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    delimiter: str = ""
    digest: str = ""
    decimal_commas: dict[str, Column] = field(default_factory=dict, repr=False)
    respelled: dict[str, tuple[int, str, str] | None] = field(default_factory=dict, repr=False)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be pickled or copied, as memory of the core is not."""
        raise UsageError(
            f"{self.name}: a table that was read cannot be pickled, nor can scores and comparisons of it. "
            "Call evaluate in each process with the path, save the scores (scores.save(path)), or pass on "
            "scores.to_dict() or scores.to_pandas()."
        )

    @property
    def reading_notes(self) -> tuple[str, ...]:
        """What a reader should know about how it was read, decimal commas included."""
        unread = [f"lists that are not read: {listed(self.lists)}"] if self.lists else []
        pointed = [f"decimal commas in {listed(self.decimal_commas)}"] if self.decimal_commas else []
        return (*self.notes, *unread, *pointed, *self._name_spellings())

    def _name_spellings(self) -> list[str]:
        """Name the ids that are spelled in several ways in one column, and so were read as one."""
        found = {name: ways for name, ways in self.respelled.items() if ways is not None}
        return [
            f"{plural(many, 'id')} of {name} in two spellings, read as one: {quoted(one)} and {quoted(other)}"
            for name, (many, one, other) in found.items()
        ]

    def sha256(self) -> str | None:
        """Return the SHA-256 of the bytes of its file; None where there is none, or it has changed since."""
        return self.digest or (None if self.origin is None else self.origin.sha256())

    @property
    def file(self) -> str:
        """The file that it was read from; "" for a table in memory."""
        return "" if self.origin is None else self.name

    @property
    def lists(self) -> tuple[str, ...]:
        """The columns of lists, and the lists of a document, that were not read."""
        if self.plan is not None and not self.what:
            return self.plan.lists
        frame, names = self.frame, self.frame.names
        return tuple(name for place, name in enumerate(names) if self._is_list(name, frame.nested(place)))

    @property
    def texts(self) -> tuple[str, ...]:
        """What contains texts, not ids, as what stands beside it says."""
        return () if self.plan is None else self.plan.texts

    @property
    def doubtful(self) -> str:
        """The list that the rows are in, where its name does not say what its documents are; "" otherwise."""
        return "" if self.plan is None else self.plan.doubtful

    @property
    def answers(self) -> str:
        """The one query whose answer it is, by its own word or after its file; "" otherwise."""
        return "" if self.plan is None else self.plan.query

    @property
    def renamed(self) -> Mapping[str, str]:
        """The new names of what is around a list of documents, where they say which column is the query's."""
        return {"id": "query_id", "text": "query", "input": "query"} if self.plan is not None and not self.what else {}

    def names_below(self) -> str:
        """Say where the names of the columns seem to be, if a title stands above them; "" for other tables.

        A title names fewer columns than a row below it, or leaves columns without a name that have a word there and
        numbers from then on.
        """
        if self.plan is not None or self.frame.rows < 2:
            return ""
        import numpy as np

        seen = np.arange(min(self.frame.rows, _TITLES + _LOOKED_AT))
        columns = [self.frame.column(place) for place in range(len(self.column_names))][:_NAMED]
        rows = [list(map(_cell_text, row)) for row in zip(*(column.to_list(seen) for column in columns), strict=True)]
        title, odd = _known_names(self.column_names), not all(map(_is_word, self.column_names[:_NAMED]))
        for place, row in enumerate(rows[:_TITLES]):
            numbers = zip(*rows[place + 1 :], strict=True) if odd and all(map(_is_word, row)) else ()
            if _known_names(row) > max(title, 1) or any(all(map(is_number, cells)) for cells in numbers):
                return self.where(place)
        return ""

    def guess_columns(self, roles: Collection[str], free: Iterable[int]) -> Mapping[str, str]:
        """Guess by their cells which columns have some roles, to offer them; empty if more than one guess is possible.

        The grade is the one column of few small whole numbers; of two columns of ids, that with fewer different ones
        is the query's. The rank, if it is asked for and there is one, counts the rows again and again.
        """
        named = [place for place in free if self.column_names[place] and not self.is_nested(place)]
        cells = {place: self._first_cells(place) for place in named}
        ranks = [place for place, seen in cells.items() if _may_be_ranks(seen)]
        ranked, roles = "rank" in roles, [role for role in roles if role != "rank"]
        cells = {place: seen for place, seen in cells.items() if place not in ranks}
        grades = [place for place, seen in cells.items() if _may_be_grades(seen)]
        ids = [place for place, seen in cells.items() if place not in grades and _may_be_ids(seen)]
        ids.sort(key=lambda place: len(set(cells[place])))
        keys = [role for role in ("query", "doc") if role in roles]
        wanted = {"grade": grades} if "grade" in roles else {}
        if set(roles) - {"query", "doc", "grade"} or any(len(places) != 1 for places in wanted.values()):
            return {}
        if len(keys) != len(ids) or len({len(set(cells[place])) for place in ids}) != len(ids):
            return {}
        found = [*zip(keys, ids, strict=True), *((role, places[0]) for role, places in wanted.items())]
        found += [("rank", ranks[0])] if ranked and len(ranks) == 1 else []
        return {role: self.frame.names[place] for role, place in found}

    def _first_cells(self, place: int) -> list[str]:
        import numpy as np

        column = self._flat(place)
        cells = column.to_list(np.arange(min(len(column), _LOOKED_AT)))
        return [str(cell) for cell in cells if cell not in (None, "")]

    def is_nested(self, place: int) -> bool:
        """Whether a column contains lists or objects."""
        unfit = self.unfit.get(self.column_names[place])
        return self.frame.nested(place) is not None or (unfit is not None and unfit.nested)

    def _is_list(self, name: str, row: int | None) -> bool:
        """Whether a column contains lists, the first of which is in a row; lists of fractions are vectors."""
        if row is None:
            return name in self.unfit and self.unfit[name].nested and self.unfit[name].text.startswith(("[", "("))
        text = str(self._cell(self.column_names.index(name), row))
        return text.startswith("[") and not re.match(_VECTOR, text)

    @property
    def read_as(self) -> str:
        """What a document is, and what a reader should know about how it was read; "" for a table."""
        return "; ".join(filter(None, (self.what, *self.reading_notes)))

    def part(self, kind: str) -> Self | None:
        """Return the table of a kind that a document contains beside others, or None."""
        return self.table_of(kind) if kind in self.tables else None

    def table_of(self, kind: str) -> Self:
        """Return the table of a kind: judgments, results, queries or documents.

        Raises
        ------
        DataError
            If it is a document without such a table.
        """
        if not self.tables:
            return self
        if (found := next((name for name in (kind, "", "dicts") if name in self.tables), None)) is not None:
            frame, unfit = self.tables[found], self.unfit_by_table.get(found, self.unfit)
            return self if frame is self.frame else replace(self, frame=frame, unfit=unfit, headerless_form="")
        what = (
            f"{self.what or 'JSON'}, which contains" if self.what or self.origin else "rows with lists, which contain"
        )
        raise DataError(
            f"{self.name}: {what} {' and '.join(self.tables)}, but no {kind}. {_ORDER[kind]}"
            f"{self._suggest_other_list(kind)}"
        )

    def refuse_results_without_ids(self, plan: NestedPlan) -> None:
        """Refuse results of a tool's document that have a place in a list but no id, as if nothing had been returned.

        Raises
        ------
        DataError
            With the first of them, and how to ask for its id.
        """
        table = self.part("results") if plan.what else None
        if table is None or not {"doc_id", "rank"} <= {*table.frame.names}:
            return
        docs, ranks = (table.frame.column(table.frame.names.index(name)) for name in ("doc_id", "rank"))
        if not docs.missing or ranks.missing == len(ranks):
            return
        rank = ranks.to_list(None)
        row = next((row for row, doc in enumerate(docs.to_list(None)) if doc is None and rank[row] is not None), None)
        if row is not None:
            ids = [place for one in plan.rows for name, place in one.columns if name == "doc_id"]
            named = " or ".join(dict.fromkeys(last_name(place) for place in ids if place[-1] != EACH))
            raise DataError(
                f"{table.place(row)}: result {rank[row]} has no {named or 'id'}. Documents are compared by their ids, "
                f"so each result needs one. {plan.ask}".strip()
            )

    def _suggest_other_list(self, kind: str) -> str:
        """Say how to read the list that was taken for something else as the documents; "" for a tool's document."""
        lists = [last_name(rows.path) for rows in self.plan.rows] if self.plan is not None and not self.what else []
        if kind not in ("judgments", "results") or not any(lists):
            return ""
        from idealrank.data.formats.list_names import is_positive, is_retrieved

        what = "the relevant documents" if kind == "judgments" else "the results"
        name = next(filter(None, lists))
        if (is_retrieved if kind == "judgments" else is_positive)(name):
            return ""  # followed, it would judge the results by themselves
        way = either(f"ir.read_{kind}(table, doc={name!r})", quoted_option("doc-col", f"{kind}:{name}"))
        return f" If the list {name} contains {what}, name it: {way}."

    @functools.cached_property
    def column_names(self) -> list[str]:
        """The names of the columns: the core makes a new list of them whenever it is asked."""
        return self.frame.names

    @property
    def nameless(self) -> bool:
        """Whether it was text without column names."""
        return bool(self.headerless_form) or self.frame.format.startswith("trec-")

    def column(self, index: int | None) -> Column | None:
        """Return a column, or None for a role without a column."""
        return None if index is None else self._flat(index)

    def number(self, index: int | None) -> Column | None:
        """Return a column as numbers.

        Raises
        ------
        DataError
            If a cell is not a number; the message gives its line.
        """
        if index is None:
            return None
        return self.call_core(lambda: self._read_number(index, self.column_names[index]))

    def number_of(self, column: Column, name: str) -> Column:
        """Return a column made of one of this table as numbers, as `number` reads that: with decimal commas, too."""
        return self.call_core(lambda: self._read_copy(column, name))

    def _read_copy(self, column: Column, name: str) -> Column:
        try:
            return column.number(name, True)
        except BadRow as bad:
            points = decimal_points(column) if bad.args[0] == "not_a_number" and self._is_delimited else None
            if points is None:
                raise
            return points.number(name, True)

    def _read_number(self, index: int, name: str) -> Column:
        try:
            found = self.decimal_commas.get(name) or self._flat(index).number(name, True)
            self._refuse_thousands(index, name)
            return found
        except BadRow as bad:
            column = decimal_points(self._flat(index)) if bad.args[0] == "not_a_number" and self._is_delimited else None
            if column is None:
                self._refuse_pointed_thousands(index, name)
                raise
            return self.decimal_commas.setdefault(name, column.number(name, True))

    def _refuse_pointed_thousands(self, index: int, name: str) -> None:
        """Refuse the first number such as 1.234,5: the others may have decimal commas, and are not to blame.

        Raises
        ------
        DataError
            With its line, and how to write it.
        """
        values = enumerate(self._flat(index).to_list() if self._is_delimited else [])
        pointed = re.compile(_POINTED)
        if found := next(((row, text.strip()) for row, text in values if text and pointed.fullmatch(text)), None):
            row, value = found
            raise DataError(
                f"{self.place(row)}: {name} {quoted(value)} is not a number. Leave out the points between thousands, "
                f"as in {value.replace('.', '')}."
            )

    def _refuse_thousands(self, index: int, name: str) -> None:
        """Refuse numbers such as 1.200 that may be 1200: where ; or tabs separate cells, commas may be decimal commas.

        Raises
        ------
        DataError
            With the first of them, and how to write either.
        """
        if not self._is_delimited or self.delimiter not in (";", "\t"):
            return
        column = self._flat(index)
        if not may_be_thousands(column.distinct(DISTINCT)) or not may_be_thousands(column.to_list()):
            return
        row, value = next((row, value) for row, value in enumerate(column.to_list()) if value and "." in value)
        plain = value.strip()
        raise DataError(
            f"{self.place(row)}: {name} {quoted(plain)} can be {plain.replace('.', ',')} or {float(plain):g}, since "
            "every number with a point has three digits behind it, and whole numbers stand beside them. If they are "
            f"thousands, write them without points, as in {plain.replace('.', '')}; else write all numbers with "
            f"decimals, as in {float(plain):.1f}."
        )

    @property
    def _is_delimited(self) -> bool:
        return self.frame.format == "delimited"

    def ids(self, index: int) -> Column:
        """Return a column of ids; text such as 12.0, as dataframes write whole numbers, becomes that number.

        Raises
        ------
        DataError
            If a value is neither text nor a number (the message gives its type), or a float too large to be exact.
        """
        return self._join_ids(self._read_ids) if index in self.query_columns[-1:] else self._read_ids(index)

    def _join_ids(self, ids: Callable[[int], Column]) -> Column:
        """Return the ids that several columns make together, such as "Go | sort list".

        A bar or a backslash within a value has a backslash before it, so that different values make different ids.
        """
        parts = [ids(index).to_list(None) for index in self.query_columns]
        rows = zip(*parts, strict=True)
        joined = [None if None in row or "" in row else " | ".join(map(_escape_id, row)) for row in rows]
        return from_columns(["query"], [joined]).column(0)

    def _read_ids(self, index: int) -> Column:
        unfit = self.unfit.get(self.column_names[index])
        if unfit is not None and not unfit.nested:
            raise bad_cell(self.place(unfit.row), "foreign_id", self.column_names[index], unfit.text)
        column, name = self._spelled_ids(index), self.column_names[index]
        if name not in self.respelled:
            self.respelled[name] = column.respelled()
        return column.plain_ids()

    def _spelled_ids(self, index: int) -> Column:
        """Return a column of ids unchanged, unless a value is none: true or false, or a float that was rounded."""
        column = self._flat(index)
        self.call_core(lambda: column.refuse_no_ids(self.column_names[index]))
        return column

    def _flat(self, index: int) -> Column:
        """Return a column, unless it contains lists or objects, which only columns without a role may."""
        column, row, name = self.frame.column(index), self.frame.nested(index), self.column_names[index]
        if row is not None:
            import numpy as np

            (value,) = column.to_list(np.array([row]))
            raise bad_cell(self.place(row), "not_flat", name, value)
        if name in self.unfit and self.unfit[name].nested:
            raise bad_cell(self.place(self.unfit[name].row), "not_flat", name, self.unfit[name].text)
        return column

    def call_core(self, call: Callable[[], T]) -> T:
        """Run a call into the core; a row that it refuses becomes an error with the line.

        A column of Arrow or Parquet is decoded when it is first asked for, and only then may turn out to be damaged.
        """
        try:
            return call()
        except BadRow as bad:
            raise self.bad_row(*bad.args) from None
        except BadInput as bad:
            raise bad_input(self.name, *bad.args) from None

    def place(self, row: int) -> str:
        """Say where a row is: the line of the text, the keys of a dict, else the row number from 0."""
        if self.frame.format == "dicts":
            return self.name + "".join(f"[{self._cell(place, row)!r}]" for place in (0, 1))
        return f"{self.name} {self.where(row)}"

    def _cell(self, place: int, row: int) -> Any:
        import numpy as np

        return self.frame.column(place).to_list(np.array([row], np.int64))[0]

    def where(self, row: int) -> str:
        """Say where in the table a row is."""
        for kind, places in self.row_places.items():
            if self.tables[kind] is self.frame:
                return places[row]
        if self.locate_row is not None:
            return self.locate_row(row)
        line = self.frame.line(row)
        place = f"line {line}" if line else f"row {row}"
        return f"{place} ({self._name_ids(row)})" if self.tables and line else place

    def _name_ids(self, row: int) -> str:
        """Name the query and the document of a row: a whole JSON document may be on one line."""
        names = self.frame.names
        ids = [
            f"{what} {quoted(str(value))}"
            for name, what in (("query_id", "query"), ("query", "query"), ("doc_id", "document"))
            if name in names and (value := self._cell(names.index(name), row)) is not None
        ]
        return ", ".join(dict.fromkeys(ids)) or "no ids"

    def bad_row(self, kind: str, row: int, column: str, value: str, detail: str, other: int) -> DataError:
        """Build the error for a row that the core refuses."""
        if kind == "duplicate":
            return self.duplicate_error("appears", detail, value, row, other)
        return bad_cell(self.place(row), kind, column, value)

    def duplicate_error(
        self, what: str, query: str, doc: str, row: int, first: int, more: str = "", hint: str = "",
        others: tuple[str, ...] = ("max",),
    ) -> DataError:  # fmt: skip
        """Build the error for a document that appears twice in a query; `others` are ways besides first and last."""
        ways = ", ".join((option("duplicates", "first"), "last", *others[:-1]))
        place, before = self.where(row), self.where(first)  # the same where only the query of a row is known
        earlier = f" (first: {before})" if before != place else ""
        return DataError(
            f"{self.place(row)}: document {quoted(doc)} {what} a second time for query {quoted(query)}{more}"
            f"{earlier}. Remove one, or choose: {ways} or {others[-1]}.{hint}"
        )


_LOOKED_AT = 1_000
"""So many rows are looked at to guess what a column contains."""

_TITLES, _NAMED = 10, 100
"""So many rows may be titles, and so many columns are looked at for their names."""

_LEVELS = 11
"""More different grades than from 0 to 10 are no scale that one would guess."""


def _cell_text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def _is_word(cell: str) -> bool:
    return bool(cell) and not is_number(cell)


def _known_names(cells: Iterable[str]) -> int:
    """Count the names of columns among cells."""
    return sum(fold(cell) in KNOWN for cell in cells)


def _may_be_grades(cells: Collection[str]) -> bool:
    levels = set(cells)
    return 1 < len(levels) <= _LEVELS and all(re.fullmatch(r"-?\d(\.[05]?0*)?|10", level) for level in levels)


def _may_be_ranks(cells: Sequence[str]) -> bool:
    """Whether cells count from 0 or 1, several times."""
    if not all(map(str.isdigit, cells)) or not {*cells[:1]} <= {"0", "1"}:
        return False
    numbers = list(map(int, cells))
    steps = [after == before + 1 for before, after in itertools.pairwise(numbers)]
    return any(steps) and not all(steps) and all(
        step or after == numbers[0] for step, after in zip(steps, numbers[1:], strict=True)
    )  # fmt: skip


def _may_be_ids(cells: Collection[str]) -> bool:
    """Whether cells may name something: they are there, and no fractions; a text of a query may be its name."""
    return bool(cells) and not any(re.fullmatch(r"-?\d*\.\d+", cell) for cell in cells)


def _escape_id(value: object) -> str:
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return text.replace("\\", "\\\\").replace("|", "\\|")


class SpelledSource(Source):
    """A table whose ids are its texts as spelled: "12.0" and "12" are different ids."""

    def ids(self, index: int) -> Column:
        """Return a column of ids unchanged."""
        return self._join_ids(self._spelled_ids) if index in self.query_columns[-1:] else self._spelled_ids(index)


# A file that is read in the background while modules are imported.


class BackgroundRead:
    """A source that is still being read: asking for it waits for the reader."""

    def __init__(self, read: Callable[[], Source]) -> None:
        self._read = read
        self._source: Source | None = None
        self._failed: Exception | None = None
        # A daemon, so that a usage error found in the meantime need not wait for a large file.
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._source = self._read()
        except Exception as error:  # raised where the source is asked for
            self._failed = error

    def source(self) -> Source:
        """Return the source, or raise what reading it raised."""
        self._thread.join()
        if self._failed is not None:
            raise self._failed
        assert self._source is not None
        return self._source
