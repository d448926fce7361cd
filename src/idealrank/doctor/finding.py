"""A finding: what is wrong, where, how far it moves the means, and what mends it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import numpy as np

from idealrank._core import BadInput, Frame, read_delimited, read_trec
from idealrank.arrays import Ints
from idealrank.data.formats.messages import bad_input, quoted
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.results import Results
from idealrank.data.writing.tables import format_delimited, refuse_blanks
from idealrank.display.document import Described
from idealrank.display.schema import Keywords
from idealrank.errors import DataError, plural

SHOWN = 3
"""Examples of a finding."""


class MeanShiftByMend(NamedTuple):
    """The mean of a measure as it is, and after the mend; None where `evaluate` refuses."""

    measure: Annotated[str, "Name of the measure."]
    system: Annotated[str, "Name of the system."]
    before: Annotated[float | None, "The mean as it is; null if evaluate refuses, or every query is left out."]
    after: Annotated[float | None, "The mean after the mend; null if evaluate refuses, or every query is left out."]

    @property
    def by(self) -> float:
        """How far the mean moves; infinite where there is one only before or after."""
        if self.before is None or self.after is None:
            return 0.0 if self.before == self.after else math.inf
        if math.isnan(self.before) or math.isnan(self.after):  # every query is left out
            return 0.0 if math.isnan(self.before) == math.isnan(self.after) else math.inf
        return self.after - self.before

    @property
    def text(self) -> str:
        """The shift in words."""
        before, after = ("refused" if mean is None else f"{mean:.4f}" for mean in (self.before, self.after))
        return f"{before} → {after}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Finding(Described):
    """Something that is wrong with the data, or may be.

    Attributes
    ----------
    way
        What to do, where neither a copy nor an answer mends it.
    mends
        What a mended copy changes.
    """

    name: Annotated[str, "What is found, as the list of findings calls it."]
    text: Annotated[str, "What is wrong, as a sentence."]
    count: Annotated[int, "How many rows, queries or systems it concerns."]
    system: Annotated[str, "The one system it concerns; empty for all."] = ""
    examples: Annotated[tuple[str, ...], Keywords(maxItems=SHOWN), "Examples, each with its file and line."] = ()
    way: str = ""
    mends: tuple[Mend, ...] = ()
    answers: Annotated[
        Mapping[str, Annotated[str, "The answer."]], "Answers to decisions that mend it, by decision."
    ] = field(default_factory=dict)
    shifts: Annotated[
        tuple[Annotated[MeanShiftByMend, "A mean as it is, and after the mend."], ...],
        "The means as they are and after the mend; empty if nothing mends it.",
    ] = ()

    @property
    def headline(self) -> MeanShiftByMend | None:
        """The shift of the first measure, of the system that moves most."""
        first = [shift for shift in self.shifts if shift.measure == self.shifts[0].measure]
        return max(first, key=lambda shift: abs(shift.by), default=None)

    @property
    def telling(self) -> tuple[MeanShiftByMend, ...]:
        """The shift of the first measure, and that of the measure that moves most, if it is another."""
        if self.headline is None:
            return ()
        most = max(self.shifts, key=lambda shift: abs(shift.by))
        return (self.headline,) if most.by == self.headline.by else (self.headline, most)

    @property
    def largest(self) -> float:
        """How far the mean moves that moves most; 0 where nothing mends it."""
        return max((abs(shift.by) for shift in self.shifts), default=0.0)

    @property
    def remedy(self) -> Annotated[str, "The flag or command that mends it, or what to do."]:
        """The command or the flag that mends it, or what to do."""
        flags = " ".join(f"--{name.replace('_', '-')} {answer}" for name, answer in self.answers.items())
        return "--fix DIR" if self.mends else flags or self.way

    @property
    def call(self) -> str:
        """The same in Python."""
        keywords = ", ".join(f"{name}={answer!r}" for name, answer in self.answers.items())
        return "fix(folder)" if self.mends else keywords or self.way


def mend_findings(name: str, noun: str, text: str, mends: list[Mend], way: str = "") -> list[Finding]:
    """Return the finding of what mends change, with its first rows as examples; none if they change nothing.

    Parameters
    ----------
    noun, text
        What is counted, and what to say of it.
    """
    mends = [mend for mend in mends if mend.many]
    count = sum(mend.many for mend in mends)
    lines = tuple(line for mend in mends for line in mend.log(SHOWN))[:SHOWN]
    message = f"{plural(count, noun)} {text}"
    return [Finding(name=name, text=message, count=count, examples=lines, mends=tuple(mends), way=way)] if mends else []


# Mends.


@dataclass(frozen=True, eq=False)
class EditedCopy(Source):
    """A table that was mended; its rows are found at their places in the first one.

    Attributes
    ----------
    first
        The table as it was given.
    rows
        (N,) the rows of `first` that were kept.
    text
        The copy as it is written to a file.
    """

    first: Source | None = None
    rows: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    text: str = ""

    def where(self, row: int) -> str:
        """Say where in the table as it was given a row is."""
        assert self.first is not None
        return self.first.where(int(self.rows[row]))


@dataclass(frozen=True, eq=False)
class Mend:
    """Cells of a table that are written differently, and rows that are left out.

    Attributes
    ----------
    table
        The judgments or the results.
    cells
        ``{column: {row: text}}``, by the places of columns and rows.
    dropped
        Rows that are left out.
    """

    table: Judgments | Results
    cells: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    dropped: Collection[int] = ()

    @property
    def many(self) -> int:
        """Number of rows that are written differently; if there are none, of those that are left out."""
        return len(self._changed_rows) or len(self.dropped)

    @property
    def _changed_rows(self) -> set[int]:
        return {row for new in self.cells.values() for row in new}

    @property
    def _affected_rows(self) -> list[int]:
        return sorted({*self.dropped, *self._changed_rows})

    def log(self, most: int | None = None) -> Iterator[str]:
        """Yield what changes, a line per row, at most so many."""
        out = set(self.dropped)
        for row in self._affected_rows[:most]:
            place = self.table.source.place(row)
            yield f"{place}: left out: {self._describe_row(row)}" if row in out else f"{place}: {self._changes(row)}"

    def _changes(self, row: int) -> str:
        return ", ".join(
            f"{self.table.roles.names[column]} {_quote_cell(self.table, column, row)} → {quoted(new[row])}"
            for column, new in self.cells.items()
            if row in new
        )

    def _describe_row(self, row: int) -> str:
        query, doc = query_column(self.table), self.table.doc
        named = ("query", query) if query is not None else None, ("document", doc)
        return ", ".join(f"{noun} {_quote_cell(self.table, place, row)}" for noun, place in filter(None, named))

    def make_copy(self) -> EditedCopy:
        """Return the source of the table as it is after the mend."""
        table = self.table
        gone = np.fromiter(self.dropped, np.int64, len(self.dropped))
        kept = np.setdiff1d(np.arange(table.source.frame.rows), gone)
        columns = [_column_texts(table, place) for place in range(len(table.source.frame.names))]
        for place, new in self.cells.items():
            for row, text in new.items():
                columns[place][row] = text
        try:
            text, frame = _write_table(table, [[column[row] for row in kept] for column in columns])
        except BadInput as bad:
            raise _unwritable_error(table, columns, bad) from None
        before = table.source
        first, rows = (before.first, before.rows[kept]) if isinstance(before, EditedCopy) else (before, kept)
        return EditedCopy(before.name, frame, origin=before.origin, first=first, rows=rows, text=text)


def _unwritable_error(table: Judgments | Results, columns: Sequence[Sequence[str]], bad: BadInput) -> DataError:
    """Build the error for a table that cannot be written as text, as one of JSON with a NUL byte."""
    for name, column in zip(table.source.frame.names, columns, strict=True):
        for row, text in enumerate(column):
            if "\0" in text:
                return DataError(
                    f"{table.source.place(row)}: a NUL byte in {name}, {quoted(text)}, which no table of text can "
                    "contain, so this table cannot be mended. Remove it."
                )
    kind, _, *others = bad.args
    return bad_input(f"{table.source.name}, written as text to be mended", kind, 0, *others)


def _column_texts(table: Judgments | Results, place: int) -> list[str]:
    def values() -> list[Any]:
        column = table.keys.query if place == query_column(table) else table.source.frame.column(place)
        return column.to_list()

    return [_cell_text(value) for value in table.source.call_core(values)]


def _cell_text(value: Any) -> str:
    """Write a cell so that it is read as the same value."""
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else id_text(value)


def _quote_cell(table: Judgments | Results, place: int, row: int) -> str:
    (value,) = table.source.frame.column(place).to_list(np.array([row], np.int64))
    return quoted(_cell_text(value))


def _write_table(table: Judgments | Results, columns: list[list[str]]) -> tuple[str, Frame]:
    """Write the columns in the form the table had, TREC text or else CSV, and read them."""
    form, names = table.source.frame.format, table.roles.names
    if form.startswith("trec-") and _fits_trec(columns):
        text = _trec_text(columns, form, table.source.frame.names)
        return text, read_trec(text.encode(), "qrels" if form == "trec-qrels" else "run")
    if form == "trec-run":  # whose ranks are not read where there are scores
        columns[2] = [""] * len(columns[2])
    text = format_delimited(dict(zip(names, columns, strict=True)), ",", "keep", [])
    return text, read_delimited(text.encode(), ",")


def _fits_trec(columns: list[list[str]]) -> bool:
    """Whether TREC text has a place for the ids."""
    try:
        for role, ids in zip(("query", "document"), columns, strict=False):
            refuse_blanks("", role, ids)
    except DataError:
        return False
    return True


def _trec_text(columns: list[list[str]], form: str, names: list[str]) -> str:
    """Write TREC text: the second field is a column of its own only where judgments have subtopics there."""
    query, doc, third, *others = columns
    if form == "trec-qrels":
        second = others[0] if names[-1] == "iteration" else ["0"] * len(query)
        fields = [query, second, doc, third]
    else:
        fields = [query, ["Q0"] * len(query), doc, [rank or "0" for rank in third], *others]
    return "".join(f"{' '.join(line)}\n" for line in zip(*fields, strict=True))


def query_column(table: Judgments | Results) -> int | None:
    """Return the place of the column that the queries are read from; None where there is none."""
    place = table.roles.find("query")
    return table.roles.find("text") if place is None else place
