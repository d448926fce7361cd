"""peek: what is in files, before anything is computed from them."""

from __future__ import annotations

import os
import shlex
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

import numpy as np

from idealrank.data.formats.folders import files_of, is_answers, is_beir, path_or_content
from idealrank.data.formats.head import is_baseline, is_saved_scores, packing
from idealrank.data.formats.reader import detect_file, file_and_part, read_all_tables
from idealrank.data.formats.source import Source
from idealrank.data.judgments import Judgments
from idealrank.data.queries import Queries
from idealrank.data.query_join import join_by_text
from idealrank.data.recognition.recognize import (
    BASELINE,
    ContentCounts,
    Contents,
    DocumentPairs,
    KindColumns,
    Recognized,
    column_roles,
    count_judgments,
    count_results,
    read_contents,
)
from idealrank.data.results import Results
from idealrank.data.rows_to_count import places_among
from idealrank.data.systems import system_names
from idealrank.display.blocks import Block, Grid, Heading, Lines, Points, TextColumn
from idealrank.display.document import Described, Shown
from idealrank.display.numbers import percent
from idealrank.display.schema import Share
from idealrank.display.table import Table
from idealrank.errors import DataError, IdealrankError, UsageError, listed, plural

BAR = 24
"""Length of the longest bar."""

_FORMATS = {
    "trec-qrels": "TREC judgments",
    "trec-run": "TREC run",
    "jsonl": "JSON lines",
    "parquet": "Parquet",
    "arrow": "Arrow",
    "object": "a dataframe",
    "dicts": "a dict {query: {document: number}}",
}
_FORMS = {
    "learning-to-rank": "learning-to-rank lines",
    "predictions": "predictions, one number per line",
    "headerless": "a table without column names",
    "run-of-five": "TREC run without Q0",
}
_DELIMITED = {",": "CSV", "\t": "TSV", ";": "text separated by ;", "|": "text separated by |"}


@dataclass(frozen=True, eq=False, repr=False)
class Peek(Shown, Described):
    """What is in files, and how they would be joined.

    Attributes
    ----------
    files
        Each file as it was recognised.
    joined
        How each table of results meets the judgments.
    command
        The command that would come next; None if something is missing, or is not a file.
    """

    files: Annotated[tuple[Recognized, ...], "The files."]
    joined: Annotated[tuple[JoinPreview, ...], "How each file of results meets the judgments."]
    command: SuggestedCommand | None

    @property
    def next(self) -> Annotated[str, "The command that would come next; empty if something is missing."]:
        """The command that would come next, as it is typed; "" if there is none."""
        return str(self.command or "")

    @property
    def missing(self) -> Annotated[str, "What keeps the judgments from being used; empty if nothing does."]:
        """What keeps the judgments from being used: that no row has a grade; "" if one has."""
        return missing_grades(self.files)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the files."""
        return tuple(f"{fault}" for file in self.files for fault in file.faults)

    @property
    def table(self) -> Table:
        """One row per file: what it is, and how much it contains."""
        rows = list(map(_table_row, self.files))
        return Table({name: [row[name] for row in rows] for name in rows[0]}, "peek")

    def shown(self) -> list[Block]:
        """Return each file, how they are joined, and what comes next."""
        return [*self.blocks(str), *(Lines([step], indent=12) for step in self.steps)]

    @property
    def steps(self) -> list[tuple[str, str]]:
        """What is missing and which command comes next, each with a label."""
        return [(label, text) for label, text in (("missing", self.missing), ("next", self.next)) if text]

    def blocks(self, fault_text: Callable[[IdealrankError], str] = attrgetter("typed")) -> list[Block]:
        """Return each file and how they are joined, with faults as they are said on the command line, or otherwise."""
        blocks = [block for file in self.files for block in _file_blocks(file, fault_text)]
        together = [Points([one.line for one in self.joined], "Together")] if self.joined else []
        return [*blocks, *together]


def peek(*files: Any) -> Peek:
    """Look into files: what was recognised in each, and how they would be joined.

    Faults in the data are listed, not raised.

    Parameters
    ----------
    *files
        Paths of files or folders, or anything that `read_judgments` takes; in any order.

    Raises
    ------
    DataError
        If there is no such file.
    UsageError
        If no file is given.

    Examples
    --------
    >>> found = peek({"q1": {"d1": 3, "d2": 0}}, {"q1": {"d1": 0.9, "d7": 0.5}})
    >>> found.files[0].contains, found.files[1].contains
    (('judgments',), ('results',))
    >>> found.joined[0].queries_in_both, found.joined[0].judged_share
    (1, 0.5)
    """
    return peek_by(files, lambda _: {})


def peek_by(files: Sequence[Any], columns: Callable[[str], KindColumns], typed: Sequence[str] = ()) -> Peek:
    """Look into files under the names given for columns.

    Parameters
    ----------
    columns
        Returns, for a file, these names by kind of table and role; those that a table lacks are meant for others.
    typed
        What named them on the command line, for the command that would come next.
    """
    if not files:
        raise UsageError("Nothing to look into. Give one or more files.")
    sources = [one for file in files for one in _expand_folder(file)]
    names = system_names(sources)
    recognized: list[Recognized] = []
    for place, (source, name) in enumerate(zip(sources, names, strict=True), 1):
        judgments = next((file.contents.judgments for file in recognized if file.contents.judgments), None)
        recognized.append(_recognize(source, name, place, judgments, columns))
    command = next_command(recognized) if all(isinstance(source, (str, os.PathLike)) for source in sources) else None
    command = command and replace(command, options=(*command.options, *typed))
    return Peek(tuple(recognized), tuple(preview_joins(recognized)), command)


def _expand_folder(file: Any) -> Sequence[Any]:
    """Return the files of a folder that is not one data set."""
    path = os.fspath(file) if isinstance(file, (str, os.PathLike)) else ""
    return files_of(path, _is_table) if path and os.path.isdir(path) and not _is_table(path) else [file]


def _is_table(folder: str) -> bool:
    """Whether a folder is read as a whole: a BEIR data set, or answers of one query each."""
    return is_beir(folder) or is_answers(folder, detect_file)


_KEPT = {"a baseline of idealrank gate": is_baseline, "saved scores": is_saved_scores}
"""What was kept of an evaluation, and how its file is known."""


def _recognize(
    file: Any, system: str, place: int, before: Judgments | None, columns_for: Callable[[str], KindColumns]
) -> Recognized:
    path = os.fspath(file) if isinstance(file, (str, os.PathLike)) else ""
    name = path or f"argument {place}"
    sheets: tuple[str, ...] = ()
    if path and path != "-" and not _is_table(path):
        path_or_content(file_and_part(path)[0])
        sheets = _workbook_notes(path)
    for form, is_form in _KEPT.items():
        if path and is_form(path):
            return Recognized(name, form, (), {}, Contents((BASELINE,)), None, None, ())
    named = columns_for(path)
    docs = next((str(one["doc"]) for kind in ("judgments", "results") if "doc" in (one := named.get(kind, {}))), "")
    try:
        source = read_all_tables(file, name, docs)
    except DataError as error:
        return Recognized(name, "not recognised", sheets, {}, Contents(), None, None, (error,))
    contents = read_contents(source, system, before, named)
    faults = list(contents.faults)
    judged, returned = contents.judgments, contents.results
    judgments = _count_table(judged, count_judgments, lambda table: table.pool("median", "error"), faults)
    results = _count_table(returned, count_results, _check_results, faults)
    names = () if _has_no_names(source) else tuple(source.frame.names)
    columns = column_roles(contents, names)
    notes = (*source.reading_notes, *_rater_notes(judged, source), *sheets)
    return Recognized(
        name, _format_name(source, path, file), notes, columns, contents, judgments, results, tuple(faults)
    )


def _rater_notes(judged: Judgments | None, source: Source) -> list[str]:
    """Return what was found about the columns of raters, once the source was read as judgments."""
    found = () if judged is None else (*judged.source.notes, *judged.source.warnings)
    return [text for text in found if text not in (*source.notes, *source.warnings)]


def _workbook_notes(path: str) -> tuple[str, ...]:
    """Return what is to be known about the workbook of a path; nothing for other files."""
    file, part = file_and_part(path)
    if not os.path.isfile(file) or packing(file) != "zip":
        return ()
    from idealrank.data.formats.archives import workbook_notes  # only for archives

    return tuple(workbook_notes(file, part))


def _has_no_names(source: Source) -> bool:
    return source.nameless or source.frame.format == "dicts" or any(source.tables)


def _count_table(
    table: Any, count: Callable[[Any], ContentCounts], check: Callable[[Any], object], faults: list[IdealrankError]
) -> ContentCounts | None:
    """Count a table, and note what would keep it from being evaluated."""
    if table is None:
        return None
    try:
        counted = count(table.rows_to_count())
    except IdealrankError as error:
        faults.append(error)
        return None
    try:
        check(table)
    except IdealrankError as error:
        faults.append(error)
    return counted


def _check_results(results: Results) -> None:
    for system in results.lists("auto"):
        results.returned("" if results.pools("auto") else system, "error")


def _format_name(source: Source, path: str, file: Any) -> str:
    if source.frame.format == "object" and not source.what and isinstance(file, (Mapping, list, tuple)):
        return "a dict of columns" if isinstance(file, Mapping) else "a list of rows"
    if source.frame.format == "object" and os.path.isfile(path) and not source.what:
        return "YAML" if detect_file(path).name == "yaml" else "JSON"
    if source.what or source.headerless_form:
        return source.what or _FORMS[source.headerless_form]
    if source.frame.format == "delimited" and _is_in_workbook(path):
        return "a sheet of a workbook"
    if source.frame.format != "delimited" or not os.path.isfile(path):
        return _FORMATS.get(source.frame.format, source.frame.format)
    return _DELIMITED.get(source.delimiter, "a table")


def _is_in_workbook(path: str) -> bool:
    file, _ = file_and_part(path)
    if not os.path.isfile(file) or packing(file) != "zip":
        return False
    from idealrank.data.formats.archives import is_workbook  # only for archives

    with zipfile.ZipFile(file) as archive:  # it has just been read, so it is whole
        return is_workbook(archive)


def _table_row(file: Recognized) -> dict[str, Any]:
    counted = file.judgments or file.results
    grades = file.judgments.grades if file.judgments else {}
    return {
        "file": file.name,
        "format": file.format,
        "contains": " and ".join(file.contains),
        "rows": counted.rows if counted else None,
        "queries": len(counted.queries) if counted else None,
        "documents": counted.documents if counted else None,
        "grades": ", ".join(f"{grade}: {count}" for grade, count in grades.items()),
        "raters": len(file.judgments.raters) if file.judgments else None,
        "systems": ", ".join(file.results.systems) if file.results else "",
        "failed": len(file.results.failed) if file.results else None,
        "faults": "; ".join(map(str, file.faults)),
    }


def _file_blocks(file: Recognized, fault_text: Callable[[IdealrankError], str]) -> Iterator[Block]:
    yield Heading("{}", (file.name,))
    rows = [("format", "; ".join([file.format, *file.notes]))]
    if file.columns:
        rows.append(("columns", ", ".join(f"{name} ({role})" if role else name for name, role in file.columns.items())))
    rows += list(describe_contents(file.contents))
    for kind, one in (("judgments", file.judgments), ("results", file.results)):
        rows += one.lines(kind) if one is not None else ()
    rows += [("fault", fault_text(fault)) for fault in file.faults]
    yield Lines(rows, indent=12)
    if file.judgments and file.judgments.grades:
        yield _grade_bars(file.judgments)


def describe_contents(contents: Contents) -> Iterator[tuple[str, str]]:
    """Say how many queries and documents the tables about them tell of."""
    if contents.queries is not None:
        ids = {key for values in contents.queries.attributes.values() for key in values}
        yield "queries", f"{len(ids):,}; {', '.join(contents.queries.attributes) or 'ids only'}"
    if contents.documents is not None:
        titles = contents.documents.titles
        yield (
            "documents",
            f"{len(titles):,}, {len(titles) - contents.documents.untitled:,} of them with a title or text",
        )


def _grade_bars(counted: ContentCounts) -> Grid:
    most = max(counted.grades.values())
    bars = ["█" * max(round(BAR * count / most), 1 if count else 0) for count in counted.grades.values()]
    return Grid([
        TextColumn("grade", list(counted.grades), True),
        TextColumn("rows", [f"{count:,}" for count in counted.grades.values()], True),
        TextColumn("", bars, False, whole=True),
    ])  # fmt: skip


# How results meet judgments: which ids are in both.


class JoinPreview(NamedTuple):
    """How a file of results meets a file of judgments.

    Attributes
    ----------
    judged_queries, returned_queries, queries_in_both
        Numbers of queries: with a grade, with a document in the results, and with both.
    unreturned, unjudged
        The judged queries for which nothing was returned, and the queries of the results that are not judged.
    judged_share
        The share of results of these queries that have a judgment.
    seen_share
        The share of returned documents that are judged for any query.
    example
        A query of the results and one of the judgments, if none is in both.
    notes
        How the queries were joined, if not by their ids.
    """

    judgments: Annotated[str, "The file of judgments."]
    results: Annotated[str, "The file of results."]
    judged_queries: Annotated[int, "Number of judged queries."]
    returned_queries: Annotated[int, "Number of queries with results."]
    queries_in_both: Annotated[int, "Number of queries in both."]
    unreturned: Annotated[tuple[str, ...], "Judged queries without results."]
    unjudged: Annotated[tuple[str, ...], "Queries with results and without judgments."]
    judged_share: Annotated[
        Share | None, "Share of the results of these queries that is judged; null if there are none."
    ]
    seen_share: Annotated[Share | None, "Share of the returned documents judged for any query; null if there are none."]
    example: Annotated[tuple[str, str] | None, "A query of the results and one of the judgments, if none is in both."]
    notes: Annotated[tuple[str, ...], "How the queries were joined, if not by their ids."] = ()

    @property
    def line(self) -> str:
        """The same in words."""
        if self.example is not None:
            theirs, ours = self.example
            return (
                f"no query of {self.results} is judged in {self.judgments}: the ids look like {theirs!r} there "
                f"and like {ours!r} here"
            )
        missing = f" (not {listed(self.unreturned)})" if self.unreturned else ""
        parts = [
            f"{self.results}: {self.queries_in_both} of {plural(self.judged_queries, 'judged query')} returned{missing}"
        ]
        if self.unjudged:
            parts.append(f"{plural(len(self.unjudged), 'query')} without judgments ({listed(self.unjudged)})")
        if self.judged_share is not None and self.seen_share is not None:
            parts.append(f"{percent(self.judged_share)} of the results of judged queries are judged")
            parts.append(f"{percent(self.seen_share)} of the returned documents are judged for some query")
        return "; ".join([*parts, *self.notes])


def preview_joins(files: Sequence[Recognized]) -> Iterator[JoinPreview]:
    """Yield how each file of results meets the first file of judgments."""
    first = next((file for file in files if file.judgments is not None), None)
    if first is None or first.judgments is None:
        return
    queries = next((file.contents.queries for file in files if file.contents.queries is not None), Queries())
    for file in files:
        if file.results is not None and file is not first:
            yield _preview_join(
                first.name, first.judgments, file.name, *_rename_as_judged(first.contents, file, queries)
            )


def _rename_as_judged(judged: Contents, file: Recognized, queries: Queries) -> tuple[ContentCounts, tuple[str, ...]]:
    """Return the results of a file with the queries as the judgments call them, and notes about that."""
    results = file.contents.results
    assert results is not None
    assert file.results is not None
    assert judged.judgments is not None
    (renamed,), _ = join_by_text(judged.judgments, [results], queries)
    if renamed is results:
        return file.results, ()
    return count_results(renamed.rows_to_count()), renamed.source.notes[len(results.source.notes) :]


def _preview_join(
    ours: str, judged: ContentCounts, theirs: str, returned: ContentCounts, notes: tuple[str, ...]
) -> JoinPreview:
    known, both = judged.answered, judged.answered & returned.answered
    example = None if known & returned.queries else (min(returned.queries, default=""), min(known, default=""))
    share, seen = _judged_shares(judged.pairs, returned.pairs)
    counts = len(known), len(returned.answered), len(both)
    unreturned, unjudged = tuple(sorted(known - both)), tuple(sorted(returned.queries - known))
    return JoinPreview(ours, theirs, *counts, unreturned, unjudged, share, seen, example, notes)


def _judged_shares(judged: DocumentPairs, returned: DocumentPairs) -> tuple[float | None, float | None]:
    """Return the share of the results of judged queries that is judged, and of the documents judged for any query."""
    query = places_among(returned.queries, judged.queries)
    query[~np.isin(query, judged.query)] = -1
    here, there = returned.docs.among(judged.docs)
    known = judged.documents[there]
    here, there = here[known], there[known]
    is_known = np.zeros(len(returned.docs), np.bool_)
    is_known[here] = True
    # Most results are of no judged document, so those alone are looked up that are.
    asked = query[returned.query] >= 0
    rows, many = np.flatnonzero(asked & is_known[returned.doc]), int(asked.sum())
    size = max(len(judged.docs), 1)
    pairs = query[returned.query[rows]] * size + there[np.searchsorted(here, returned.doc[rows])]
    judged_there = int(np.isin(pairs, judged.query.astype(np.int64) * size + judged.doc).sum())
    documents = returned.documents
    count = int(documents.sum())
    return judged_there / many if many else None, int(documents[here].sum()) / count if count else None


# What would come next for files that were recognised: a command, or what is missing before there is one.


@dataclass(frozen=True)
class SuggestedCommand:
    """A command of idealrank; its text can be typed as it is.

    Examples
    --------
    >>> str(SuggestedCommand("evaluate", ("j.csv", "my results.csv")))
    "idealrank evaluate j.csv 'my results.csv'"
    """

    verb: str
    files: tuple[str, ...]
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the command as it is typed."""
        return shlex.join(["idealrank", self.verb, *self.files, *self.options])


def next_command(files: Sequence[Recognized]) -> SuggestedCommand | None:
    """Return the command that the files are meant for, without judgments one that makes some; None without results."""
    judgments = [file for file in files if file.judgments is not None]
    results = [file for file in files if file.results is not None and file not in judgments]
    shared = [file for file in judgments if file.results is not None]
    named = tuple(dict.fromkeys(file.name for file in (*judgments[:1], *results)))
    tables = [("--queries-table", file.name) for file in files if file.contains == ("queries",)][:1]
    systems = sum(len(file.results.systems) for file in (*results, *shared[:1]) if file.results is not None)
    if judgments:
        meant = (results or shared) and not missing_grades(files)
        return SuggestedCommand("compare" if systems > 1 else "evaluate", named, *tables) if meant else None
    tables += [("--documents", file.name) for file in files if file.contains == ("documents",)][:1]
    if not results:
        return None
    texts = tuple(word for table in tables for word in table)
    return SuggestedCommand("studio" if systems > 1 else "pool", named, texts)


def missing_grades(files: Sequence[Recognized]) -> str:
    """Say that the first judgments have no grade, so that no query is judged; "" if one has."""
    first = next((file for file in files if file.judgments is not None), None)
    if first is None or first.judgments is None or first.judgments.grades:
        return ""
    way = SuggestedCommand("judge", (first.name,), ("--model", "MODEL", "-o", "grades.jsonl"))
    return f"grades: no query of {first.name} is judged yet. Give at least one row a grade, or let a model: {way}"
