"""One file as it was recognised: its format, its columns, and what they contain."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from idealrank._core import Column
from idealrank.arrays import Floats, Ints, Mask
from idealrank.data.chosen_labels import is_label_list
from idealrank.data.documents import Documents, is_title, read_documents
from idealrank.data.formats.head import NUMBER
from idealrank.data.formats.headerless import MOST_GRADES, are_grades
from idealrank.data.formats.source import Source
from idealrank.data.ids import id_text
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries, read_queries
from idealrank.data.read import read_judgments, read_results
from idealrank.data.results import Results
from idealrank.data.roles import Roles, fold, has_columns
from idealrank.data.rows_to_count import RowsToCount
from idealrank.display.document import Described
from idealrank.display.schema import IfAny, Named, OneOf
from idealrank.errors import IdealrankError, listed, plural

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SEVERAL = 12
"""Distinct grades that are each counted; more are counted in ranges."""

_RANGES = 8
"""Number of ranges."""

_WORDS = {"doc": "document", "text": "query text", "rater": "rater"}


@dataclass(frozen=True, eq=False)
class ContentCounts(Described):
    """What was counted; a key is missing if there is none.

    Attributes
    ----------
    queries, answered
        The queries, and those that are judged, or for which something was returned.
    documents
        How many documents there are.
    pairs
        Each query with its documents that have a grade, or that were returned.
    grades
        How many judgments have each grade, or a grade in each range; none for results.
    ungraded
        Rows without a grade.
    raters, systems
        Their names.
    failed
        The queries whose search failed, each with its message.
    unanswered
        The queries without results, or without documents that were judged or are to be judged.
    """

    rows: Annotated[int, "Rows."]
    queries: frozenset[str]
    documents: Annotated[int, "Distinct documents."]
    answered: frozenset[str]
    pairs: DocumentPairs
    grades: Annotated[
        Mapping[str, Annotated[int, "How many."]],
        IfAny(),
        "How many judgments have each grade, or a grade in each range.",
    ] = field(default_factory=dict)
    ungraded: int = 0
    raters: Annotated[tuple[str, ...], IfAny(), "The raters."] = ()
    systems: Annotated[tuple[str, ...], IfAny(), "The systems."] = ()
    failed: Annotated[
        Mapping[str, Annotated[str, "The message."]], IfAny(), "The queries whose search failed, each with its message."
    ] = field(default_factory=dict)
    unanswered: Annotated[tuple[str, ...], IfAny(), "The queries without results or documents."] = ()

    @property
    def _queries(self) -> Annotated[int, Named("queries"), "Distinct queries."]:
        return len(self.queries)

    @property
    def _ungraded(self) -> Annotated[int | None, Named("ungraded"), IfAny(), "Rows without a grade."]:
        return self.ungraded if self.grades else None

    def lines(self, kind: str) -> Iterator[tuple[str, str]]:
        """Yield what was counted, in words, each with a label."""
        noun = "rating" if self.raters else "row"
        count = plural(self.rows - self.ungraded if self.raters else self.rows, noun)
        yield kind, f"{count}, {plural(len(self.queries), 'query')}, {plural(self.documents, 'document')}"
        if self.ungraded:
            yield (
                "ungraded",
                f"{plural(self.ungraded, noun)} missing"
                if self.raters
                else f"{plural(self.ungraded, noun)} without a grade",
            )
        if self.raters:
            yield "raters", f"{len(self.raters)}: {listed(self.raters, 5)}"
        if len(self.systems) > 1:
            yield "systems", f"{len(self.systems)}: {listed(self.systems, 5)}"
        if self.failed:
            yield "failed", f"{plural(len(self.failed), 'query')}: {listed(self.failed)}"
        if self.unanswered:
            yield (
                "no results" if kind == "results" else "no document",
                f"{plural(len(self.unanswered), 'query')}: {listed(self.unanswered)}",
            )


@dataclass(frozen=True, eq=False)
class Recognized(Described):
    """A file as it was recognised.

    Attributes
    ----------
    name
        Its name.
    format
        Its format, in words.
    notes
        What a reader should know about how it was read.
    columns
        The role of each column, "" if it has none; no columns for formats without names.
    contents
        The tables that were read from it.
    judgments, results
        Its judgments and its results, counted; None if it has none, or they cannot be read.
    faults
        What is wrong with it.
    """

    name: Annotated[str, Named("file"), "Its name."]
    format: Annotated[str, "Its format, in words."]
    notes: Annotated[tuple[str, ...], "How it was read."]
    columns: Annotated[Mapping[str, Annotated[str, "The role."]], "The role of each column; empty if it has none."]
    contents: Contents
    judgments: Annotated[ContentCounts | None, IfAny()]
    results: Annotated[ContentCounts | None, IfAny()]
    faults: tuple[IdealrankError, ...]

    @property
    def contains(self) -> Annotated[tuple[Annotated[str, OneOf(KINDS), "One kind."], ...], "What it was taken for."]:
        """What the file was taken for: judgments, results, queries, documents, or a baseline."""
        return self.contents.kinds

    @property
    def _faults(self) -> Annotated[list[str], Named("faults"), "What is wrong with it."]:
        return [str(fault) for fault in self.faults]


def count_judgments(rows: RowsToCount) -> ContentCounts:
    """Count judgments."""
    judged = ~np.isnan(rows.grade)
    grade = rows.grade[judged]
    ungraded = int((rows.doc >= 0).sum()) - len(grade)
    common = _common_counts(rows) | _answered(rows, judged)
    return ContentCounts(
        **common, grades=histogram(grade), ungraded=ungraded, raters=rows.raters, unanswered=_empty_queries(rows)
    )


def count_results(rows: RowsToCount) -> ContentCounts:
    """Count results."""
    unanswered = tuple(query for query in _empty_queries(rows) if query not in rows.failed)
    common = _common_counts(rows) | _answered(rows, np.ones(len(rows), np.bool_))
    systems = tuple(filter(None, rows.systems))
    return ContentCounts(**common, systems=systems, failed=rows.failed, unanswered=unanswered)


def _empty_queries(rows: RowsToCount) -> tuple[str, ...]:
    """Return the queries without a document, in the order of their first row."""
    empty = _named(rows.query, rows.queries) & ~_named(rows.query[rows.doc >= 0], rows.queries)
    if not empty.any():
        return ()
    asked, first = np.unique(rows.query[empty[rows.query]], return_index=True)
    return _id_texts(rows.queries, asked[np.argsort(first)])


def _common_counts(rows: RowsToCount) -> dict[str, Any]:
    queries = frozenset(_id_texts(rows.queries, np.flatnonzero(_named(rows.query, rows.queries))))
    return {"rows": len(rows), "queries": queries, "documents": int(_named(rows.doc, rows.docs).sum())}


def _answered(rows: RowsToCount, some: Mask) -> dict[str, Any]:
    """Return the pairs of a query and a document in some rows, and their queries."""
    pairs = document_pairs(rows, some)
    answered = np.flatnonzero(_named(pairs.query, rows.queries))
    return {"pairs": pairs, "answered": frozenset(_id_texts(rows.queries, answered))}


def _id_texts(ids: Column, places: Ints) -> tuple[str, ...]:
    return tuple(map(id_text, ids.to_list(places)))


def _named(places: NDArray[np.integer[Any]], ids: Column) -> Mask:
    """Return which ids some places name; −1 names none."""
    named = np.zeros(len(ids) + 1, np.bool_)
    named[places] = True
    return named[:-1]


class DocumentPairs(NamedTuple):
    """Each query with its documents, once: their places among the distinct ids of a table."""

    query: NDArray[np.int32]
    doc: NDArray[np.int32]
    queries: Column
    docs: Column

    @property
    def documents(self) -> Mask:
        """Which documents there are."""
        return _named(self.doc, self.docs)


def document_pairs(rows: RowsToCount, some: Mask) -> DocumentPairs:
    """Return the pairs of a query and a document in some rows."""
    there = some & (rows.doc >= 0)
    many = max(len(rows.docs), 1)
    pair = rows.query * many  # in one array from here on: a run may have as many pairs as it has rows
    pair += rows.doc
    pair = pair if there.all() else pair[there]
    pair.sort()
    if (pair[1:] == pair[:-1]).any():
        pair = pair[np.append(True, pair[1:] != pair[:-1])]
    query = (pair // many).astype(np.int32)  # no column has more distinct ids than that
    pair %= many
    return DocumentPairs(query, pair.astype(np.int32), rows.queries, rows.docs)


def histogram(grades: Floats) -> dict[str, int]:
    """Count the grades, one by one if they are few, else in ranges of equal width.

    Examples
    --------
    >>> histogram(np.array([0.0, 1.0, 1.0, 3.0]))
    {'0': 1, '1': 2, '3': 1}
    """
    distinct, counts = np.unique(grades, return_counts=True)
    if len(distinct) <= _SEVERAL:
        return {f"{grade:g}": int(count) for grade, count in zip(distinct, counts, strict=True)}
    counts, edges = np.histogram(grades, _RANGES)
    names = (f"{low:.3g} to {high:.3g}" for low, high in itertools.pairwise(edges))
    return {name: int(count) for name, count in zip(names, counts, strict=True)}


def column_roles(contents: Contents, names: tuple[str, ...]) -> dict[str, str]:
    """Return the role of each column, "" for those without one."""
    found = dict.fromkeys(names, "")
    if contents.kinds == ("queries",) and contents.queries is not None:
        known = contents.queries.attributes
        found |= {name: "query" for name in names if name not in known}
        found |= {contents.queries.text: "query text"} if contents.queries.text in found else {}
    for table in (contents.judgments, contents.results):
        for role, columns in _columns_by_role(table).items():
            for name in columns.split(",") if columns not in found else [columns]:
                found[name] = _WORDS.get(role, role)
    return found


def _columns_by_role(table: Any) -> dict[str, str]:
    """Return the columns of a table by role; none where one cannot be read, which is among the faults."""
    try:
        return {} if table is None else dict(table.columns)
    except IdealrankError:
        return {}


TABLES = ("judgments", "results", "queries", "documents")
"""The kinds of tables."""

BASELINE = "baseline"
"""What such a file is taken for."""

# What a table contains: judgments, results, queries or documents, told by its format and its columns.


KINDS = (*TABLES, BASELINE)
"""What a file may be taken for; a baseline is one of `idealrank gate`."""

_OF_FORMAT = {"trec-qrels": ("judgments",), "trec-run": ("results",)}


@dataclass(frozen=True, eq=False)
class Contents:
    """What a source contains; None for what it does not, or what cannot be read.

    Attributes
    ----------
    kinds
        What it was taken for, some of `KINDS`.
    faults
        Why something could not be read.
    """

    kinds: tuple[str, ...] = ()
    judgments: Judgments | None = None
    results: Results | None = None
    queries: Queries | None = None
    documents: Documents | None = None
    faults: tuple[IdealrankError, ...] = field(default_factory=tuple)


KindColumns = Mapping[str, Mapping[str, str | tuple[str, ...]]]
"""The names given for columns, by kind of table and role; those that a table lacks are meant for others."""

NO_COLUMNS: KindColumns = {}


def read_contents(
    source: Source, name: str, judgments: Judgments | None, columns: KindColumns = NO_COLUMNS
) -> Contents:
    """Read whatever a source contains.

    Parameters
    ----------
    name
        The name of its system, if it contains results of one.
    judgments
        The judgments of an earlier source, whose rows predictions are about.
    """
    faults: list[IdealrankError] = []
    kinds = _attempt(lambda: kinds_in(source, columns), faults) or ()
    # Under "" are the judgments of an earlier file, which predictions need; those of this file are under their kind.
    found: dict[str, Any] = {}
    for kind in kinds:
        own = _existing_columns(source.table_of(kind), columns.get(kind, {}))
        read = functools.partial(_READERS[kind], source, {"": judgments, **found}, name, own)
        found[kind] = _attempt(read, faults)
    return Contents(tuple(kinds), **found, faults=tuple(faults))


def _existing_columns(table: Source, columns: Mapping[str, str | tuple[str, ...]]) -> dict[str, Any]:
    """Return the names given for columns that a table has, and the scale of the grades."""
    return {role: name for role, name in columns.items() if role == "grades" or has_columns(table.frame.names, name)}


def _attempt(call: Callable[[], Any], faults: list[IdealrankError]) -> Any:
    try:
        return call()
    except IdealrankError as error:
        faults.append(error)
        return None


def _read_results(source: Source, found: Mapping[str, Any], name: str, columns: Mapping[str, Any]) -> Results:
    """Read results; one table with both is read as it is where it is evaluated."""
    judgments = found.get("judgments")
    shared = judgments is not None and not source.tables
    return read_results(judgments if shared else source, name=name, judgments=found[""], **columns)


_READERS: dict[str, Callable[[Source, Mapping[str, Any], str, Mapping[str, Any]], Any]] = {
    "judgments": lambda source, found, name, columns: read_judgments(source, **columns),
    "results": _read_results,
    "queries": lambda source, found, name, columns: read_queries(source, **columns),
    "documents": lambda source, found, name, columns: read_documents(source, duplicates="first", **columns),
}


def kinds_in(source: Source, columns: KindColumns = NO_COLUMNS) -> tuple[str, ...]:
    """Return what a source contains: some of judgments, results, queries and documents.

    Raises
    ------
    NoColumnError
        If columns are ambiguous.
    """
    if named := tuple(kind for kind in _READERS if kind in source.tables):
        return named
    frame = source.table_of("judgments").frame
    if source.headerless_form in ("predictions", "headerless"):
        results = "rank" in frame.names or (NUMBER in frame.names and not are_grades(source))
        graded = source.headerless_form == "headerless" and not results
        return ("judgments",) if graded else ("results",)
    if frame.format == "dicts":
        return ("judgments",) if _is_few_integers(source.table_of("judgments"), 2) else ("results",)
    return _OF_FORMAT.get(frame.format) or _kinds_by_columns(source.table_of("judgments"), columns)


def _kinds_by_columns(source: Source, columns: KindColumns) -> tuple[str, ...]:
    named = {**columns.get("results", {}), **columns.get("judgments", {})}
    chosen = {role: name for role, name in _existing_columns(source, named).items() if role != "grades"}
    chosen |= {"query": chosen["query"][-1]} if isinstance(chosen.get("query"), tuple) else {}
    roles = Roles(source.name, source.frame.names, chosen, unread=source)
    if _is_documents_table(roles):
        return ("documents",)
    if _is_queries_table(source, roles):
        return ("queries",)
    if roles.find("doc") is None:
        if (roles.find("query"), roles.find("text")) != (None, None):
            return ("queries",)
        return ("results",) if _seems_ranked(source, roles) else ("judgments",)
    graded = roles.find("grade", slice(2)) is not None or bool(roles.ratings())
    if graded and is_label_list(source.frame.names):
        return ("judgments",)
    rank, score = roles.find("rank"), roles.find("score")
    if graded:
        return ("judgments",) if rank is None and score is None else ("judgments", "results")
    if rank is not None or score is not None:
        return (
            ("judgments",) if rank is None and score is not None and _is_few_integers(source, score) else ("results",)
        )
    return ("results",) if _seems_ranked(source, roles) else ("judgments",)


def _seems_ranked(source: Source, roles: Roles) -> bool:
    """Whether a table without known names of queries has a column that counts the documents of each."""
    if (roles.find("query"), roles.find("text")) != (None, None):
        return False
    doc = roles.find("doc")
    wanted = ("query", *(("doc",) if doc is None else ()), "rank")
    return "rank" in source.guess_columns(wanted, [place for place in range(len(roles.names)) if place != doc])


def _is_documents_table(roles: Roles) -> bool:
    """Whether a table has titles, but neither queries nor grades, ranks or scores."""
    others = ("query", "text", "grade", "rank", "score")
    return any(map(is_title, roles.names)) and not roles.ratings() and all(roles.find(role) is None for role in others)


def _is_queries_table(source: Source, roles: Roles) -> bool:
    """Whether a table begins with a column id, different in every row, has queries, and no grade, rank or score."""
    if (
        not roles.names
        or fold(roles.names[0]) != "id"
        or roles.find("doc") != 0
        or (roles.find("query"), roles.find("text")) == (None,) * 2
    ):
        return False
    plain = not roles.ratings() and all(roles.find(role) is None for role in ("grade", "rank", "score"))
    rows = source.frame.rows
    return plain and len(source.frame.column(0).distinct(rows + 1)) == rows


def _is_few_integers(source: Source, place: int) -> bool:
    """Whether a column contains a few different whole numbers."""
    column = source.number(place)
    assert column is not None
    distinct = column.distinct(MOST_GRADES + 1)
    return len(distinct) <= MOST_GRADES and bool((np.array(distinct, np.float64) % 1 == 0).all())
