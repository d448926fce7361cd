"""A format that is written: what it is called, what it has a place for, and what a file of it contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from idealrank.data.writing.rows import RowsToWrite
from idealrank.display.blocks import Block, Lines
from idealrank.display.document import Shown
from idealrank.errors import plural

Content = str | bytes | Mapping[str, str]
"""The content of a file, or of the files of a folder by name."""


class WriteOptions(NamedTuple):
    """What the caller says about a file to be written.

    Attributes
    ----------
    scale_grades
        What to multiply grades with.
    formulas
        keep, or escape: an apostrophe before each cell of CSV that a spreadsheet would run.
    es_index
        The index of documents in a request to Elasticsearch.
    duplicates
        Which row is kept if a document comes twice for a query: first, last or max; error keeps all.
    """

    scale_grades: float = 1.0
    formulas: str = "keep"
    es_index: str = ""
    duplicates: str = "error"


class Layout(Protocol):
    """Lays out rows as the content of a file."""

    def __call__(self, rows: RowsToWrite, options: WriteOptions, notes: list[str], /) -> Content:
        """Return the content; what a reader should know about it is added to the notes."""


class GradeLimit(NamedTuple):
    """The grade above which a format contains judgments, and why."""

    grade: float
    why: str


@dataclass(frozen=True)
class Writer:
    """A format that is written.

    Attributes
    ----------
    name
        What to call it in ``format=`` and ``--to``.
    title
        What it is, in messages.
    endings
        The endings of files that are written so if no format is named; "/" means folders.
    layouts
        How judgments and results are laid out, those that can be.
    supports
        What it has a place for: rater, subtopic, system, ungraded, fractions, others, texts, titles, unanswered, and
        duplicates.
    grade_limit
        Above which grade judgments are written; None for all.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    layouts: Mapping[str, Layout]
    supports: frozenset[str] = field(default_factory=frozenset)
    grade_limit: GradeLimit | None = None


@dataclass(frozen=True, repr=False)
class Written(Shown):
    """A file that was written.

    Attributes
    ----------
    path
        Its path.
    format
        The name of its format.
    rows
        How many judgments or results it contains.
    notes
        What it does not contain, and what was made for it.
    """

    path: str
    format: str
    title: str
    rows: int
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """What was written, in a line."""
        return f"{self.path}: {self.title}, {plural(self.rows, 'row')}"

    def shown(self) -> list[Block]:
        """Return what was written, and the notes."""
        return [Lines([("wrote", self.line), *(("note", note) for note in self.notes)])]


TABLE = frozenset(
    {"rater", "subtopic", "system", "ungraded", "fractions", "others", "texts", "titles", "unanswered", "duplicates"}
)
"""What a table with named columns has a place for."""
